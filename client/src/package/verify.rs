//! Verifies one package, its members on several threads.

use std::{
    fs::File,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Arc,
};

use resourcesync::{
    api::{Contents, MemberData, Outcome, Verification, VerificationStep, Work, Worked, Worker},
    diagnostic::{Reason, ReasonCode},
    rules::KnownPackage,
};

use super::bytes::{Bytes, BytesError, read};
use crate::{
    meter::Meter,
    parallel::{self, Next, Plan},
    system::reason,
};

/// Bytes read at a time: small enough to stay in the processor's cache while they are unpacked.
const BLOCK: usize = 256 << 10;

/// The outcome of one input.
#[derive(Debug)]
pub struct InputOutcome {
    /// The findings and counts.
    pub outcome: Outcome,
    /// True if the run was stopped before the end of the input.
    pub interrupted: bool,
}

/// A verified package.
#[derive(Debug)]
pub struct Verified {
    /// Its outcome.
    pub done: InputOutcome,
    /// The summary that is compared with dumps that list it.
    pub package: KnownPackage,
    /// Its members, if they were requested.
    pub contents: Contents,
    /// What was found of the members, if only those of one piece were verified.
    pub parcel: Option<Vec<u8>>,
}

/// Takes the data of members while they are verified, on the threads of the workers.
pub trait TakeMembers: Send + Sync {
    /// What a unit of work needs from one member to the next.
    type Open: Default;

    /// Takes data of the member with this index; members of a unit of work follow each other.
    fn take(&self, open: &mut Self::Open, index: u32, data: MemberData<'_>);
}

/// Takes nothing.
impl TakeMembers for () {
    type Open = ();

    fn take(&self, (): &mut (), _: u32, _: MemberData<'_>) {}
}

/// Opens a file, and returns its size in bytes.
pub(super) fn open(path: &Path) -> Result<(File, u64), Reason> {
    let opened = File::open(path).and_then(|file| file.metadata().map(|meta| (file, meta.len())));
    opened.map_err(|error| reason(&error))
}

/// Verifies the package at this path.
pub fn verify_path<'a>(
    path: &Path,
    begin: &dyn Fn(u64) -> Verification<'a>,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> Verified {
    guarded(&open(path), begin, jobs, meter)
}

/// Verifies the package in these bytes. A panic must not lose the report on all others.
pub(super) fn guarded<'a, B: Bytes>(
    file: &Result<(B, u64), Reason>,
    begin: &dyn Fn(u64) -> Verification<'a>,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> Verified {
    let whole = || verify(file, begin, jobs, meter);
    catch_unwind(AssertUnwindSafe(whole)).unwrap_or_else(|_| {
        let outcome = begin(0).unreadable(Reason::new(ReasonCode::Bug));
        let done = InputOutcome { outcome, interrupted: false };
        Verified { done, package: KnownPackage::default(), contents: Contents::default(), parcel: None }
    })
}

fn verify<'a, B: Bytes>(
    file: &Result<(B, u64), Reason>,
    begin: &dyn Fn(u64) -> Verification<'a>,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> Verified {
    match file {
        Ok((file, size)) => verify_bytes(file, *size, begin, jobs, meter),
        Err(reason) => ended(begin(0), Some(BytesError::Failed(reason.clone()))),
    }
}

/// Verifies a package of `size` bytes.
///
/// `begin` creates the verification for a size; members are read by `jobs` threads.
pub fn verify_bytes<'a>(
    file: &dyn Bytes,
    size: u64,
    begin: &dyn Fn(u64) -> Verification<'a>,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> Verified {
    verify_taking(file, size, begin(size), jobs, meter, &mut |_| ())
}

/// The same, in one pass with what is done with the members: `take` is called before the first of them is read, when the verification knows
/// which members are listed, and returns who takes their data.
pub fn verify_taking<'a, T: TakeMembers>(
    file: &dyn Bytes,
    size: u64,
    verification: Verification<'a>,
    jobs: NonZeroUsize,
    meter: &Meter,
    take: &mut dyn FnMut(&Verification<'a>) -> T,
) -> Verified {
    let mut members = Members { verification, taker: None, take, file, meter, buffer: Vec::new() };
    let worker = || {
        let mut worker = Worker::new(BLOCK);
        move |(work, taker): (Work, Arc<T>)| do_work(&mut worker, work, &*taker, file, meter)
    };
    let done = if jobs.get() == 1 {
        parallel::run_here(&mut members, worker())
    } else {
        parallel::run(&mut members, jobs, worker)
    };
    let done = done.and_then(|()| match file.size_now() {
        Some(now) if now != size => Err(BytesError::Failed(Reason::new(ReasonCode::SizeChanged))),
        _ => Ok(()),
    });
    ended(members.verification, done.err())
}

/// A verification whose members are jobs; everything else is read on this thread.
struct Members<'v, 'a, T> {
    verification: Verification<'a>,
    taker: Option<Arc<T>>,
    take: &'v mut dyn FnMut(&Verification<'a>) -> T,
    file: &'v dyn Bytes,
    meter: &'v Meter,
    buffer: Vec<u8>,
}

impl<T: TakeMembers> Plan for Members<'_, '_, T> {
    type Job = (Work, Arc<T>);
    type Done = Result<Worked, BytesError>;
    type Error = BytesError;

    fn next(&mut self) -> Result<Next<Self::Job>, BytesError> {
        loop {
            match self.verification.step() {
                VerificationStep::Done => return Ok(Next::Done),
                VerificationStep::Wait => return Ok(Next::Wait),
                VerificationStep::Work(work) => {
                    let taker = self.taker.get_or_insert_with(|| Arc::new((self.take)(&self.verification)));
                    return Ok(Next::Job((work, taker.clone())));
                }
                VerificationStep::Bytes(range) => {
                    fetch(self.file, self.meter, range.start, range.end, &mut self.buffer)?;
                    self.verification.give(range.start, &self.buffer);
                }
            }
        }
    }

    fn take(&mut self, worked: Result<Worked, BytesError>) -> Result<(), BytesError> {
        worked.map(|worked| self.verification.put(worked))
    }
}

fn ended(mut verification: Verification<'_>, failure: Option<BytesError>) -> Verified {
    let (package, contents) = (verification.package(), verification.contents());
    let parcel = verification.piece_parcel().filter(|_| failure.is_none());
    let interrupted = matches!(failure, Some(BytesError::Interrupted));
    let outcome = match failure {
        None => verification.finish(),
        Some(BytesError::Interrupted) => verification.interrupted(),
        Some(BytesError::Failed(reason)) => verification.unreadable(reason),
    };
    Verified { done: InputOutcome { outcome, interrupted }, package, contents, parcel }
}

fn fetch(file: &dyn Bytes, meter: &Meter, start: u64, end: u64, buffer: &mut Vec<u8>) -> Result<(), BytesError> {
    let length = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
    buffer.resize(length, 0);
    read(file, meter, start, buffer)
}

/// Reads a unit of members. A panic must not lose the report on all others.
fn do_work<T: TakeMembers>(
    worker: &mut Worker,
    work: Work,
    taker: &T,
    file: &dyn Bytes,
    meter: &Meter,
) -> Result<Worked, BytesError> {
    let whole = || {
        let mut buffer = Vec::new();
        let mut open = T::Open::default();
        let mut take = |index, data: MemberData<'_>| taker.take(&mut open, index, data);
        worker.begin_taking(work, &mut take);
        while let Some(range) = worker.wants() {
            fetch(file, meter, range.start, range.end, &mut buffer)?;
            meter.count(buffer.len());
            worker.give_taking(&buffer, &mut take);
        }
        Ok(worker.finish())
    };
    catch_unwind(AssertUnwindSafe(whole)).unwrap_or_else(|_| Err(BytesError::Failed(Reason::new(ReasonCode::Bug))))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Write;

    use resourcesync::api::{InputOrigin, Options};
    use resourcesync_tests::package::package;

    use super::*;

    /// True if a file whose size changed by `more` bytes after it was opened is checked to its end.
    fn is_complete(more: i64) -> bool {
        let bytes = package("plain");
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let size = bytes.len() as u64;
        file.set_len(size.checked_add_signed(more).unwrap()).unwrap();
        let options = Options::default();
        let begin = |size| Verification::new(&options, InputOrigin::named("part1.zip"), size);
        let verified = verify(&Ok((file, size)), &begin, NonZeroUsize::MIN, &Meter::default());
        assert!(verified.done.outcome.checked.diagnostics.iter().all(|found| found.code == "INP-01"));
        !verified.done.outcome.incomplete
    }

    #[test]
    fn a_file_that_grows_or_shrinks_while_it_is_read_is_not_valid() {
        assert!(is_complete(0));
        assert!(!is_complete(1));
        assert!(!is_complete(-1));
    }
}
