//! Verifies one package, its members side by side.

use std::{
    fs::File,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, channel, sync_channel},
    },
    thread,
};

use resourcesync::{
    api::{Contents, Outcome, Step, Verification, Work, Worked, Worker},
    rules::Package,
};

use super::bytes::{Bytes, Failure, read};
use crate::{Meter, system::reason};

/// Bytes read at a time: they stay in the cache while they are unpacked.
const BLOCK: usize = 256 << 10;

/// What is said of a package that made the validator fail.
const BUG: &str = "the validator failed on it; please report this as a bug";

/// What became of one input.
#[derive(Debug)]
pub struct Done {
    /// What the core says.
    pub outcome: Outcome,
    /// True if the run was stopped before the end of the input.
    pub interrupted: bool,
}

/// A package that was verified.
#[derive(Debug)]
pub struct Verified {
    /// What was found.
    pub done: Done,
    /// For the dump that lists it.
    pub package: Package,
    /// Its members, if they were asked for.
    pub contents: Contents,
}

/// Opens a file, and learns its size.
pub(super) fn open(path: &Path) -> Result<(File, u64), String> {
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

/// Verifies the package in this file; one that makes the validator fail must not take the report on all others with it.
pub(super) fn guarded<'a>(
    file: &Result<(File, u64), String>,
    begin: &dyn Fn(u64) -> Verification<'a>,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> Verified {
    let whole = || verify(file, begin, jobs, meter);
    catch_unwind(AssertUnwindSafe(whole)).unwrap_or_else(|_| {
        let outcome = begin(0).unreadable(BUG);
        let done = Done { outcome, interrupted: false };
        Verified { done, package: Package::default(), contents: Contents::default() }
    })
}

fn verify<'a>(
    file: &Result<(File, u64), String>,
    begin: &dyn Fn(u64) -> Verification<'a>,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> Verified {
    match file {
        Ok((file, size)) => verify_bytes(file, *size, begin, jobs, meter),
        Err(reason) => ended(begin(0), Some(Failure::Refused(reason.clone()))),
    }
}

/// Verifies the package that these bytes are, `size` in number.
///
/// `begin` makes the verification for a size; its members are read by `jobs` threads.
pub fn verify_bytes<'a>(
    file: &dyn Bytes,
    size: u64,
    begin: &dyn Fn(u64) -> Verification<'a>,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> Verified {
    let mut verification = begin(size);
    let failure = if jobs.get() == 1 {
        let mut worker = Worker::new(BLOCK);
        drive(&mut verification, file, meter, &mut |verification, work| {
            let worked = work.map(|work| do_work(&mut worker, work, file, meter)).transpose()?;
            worked.into_iter().for_each(|worked| verification.put(worked));
            Ok(())
        })
    } else {
        side_by_side(&mut verification, file, jobs, meter)
    };
    let failure = failure.and_then(|()| match file.size_now() {
        Some(now) if now != size => Err(Failure::Refused("its size changed while it was read".to_owned())),
        _ => Ok(()),
    });
    ended(verification, failure.err())
}

fn ended(mut verification: Verification<'_>, failure: Option<Failure>) -> Verified {
    let (package, contents) = (verification.package(), verification.contents());
    let interrupted = matches!(failure, Some(Failure::Interrupted));
    let outcome = match failure {
        None => verification.finish(),
        Some(Failure::Interrupted) => verification.interrupted(),
        Some(Failure::Refused(reason)) => verification.unreadable(&reason),
    };
    Verified { done: Done { outcome, interrupted }, package, contents }
}

/// What to do with a piece of work; without one, to wait until some work is done.
type Take<'t, 'a> = dyn FnMut(&mut Verification<'a>, Option<Work>) -> Result<(), Failure> + 't;

/// Does what is asked for, step by step.
fn drive<'a>(
    verification: &mut Verification<'a>,
    file: &dyn Bytes,
    meter: &Meter,
    take: &mut Take<'_, 'a>,
) -> Result<(), Failure> {
    let mut room = Vec::new();
    loop {
        match verification.step() {
            Step::Done => return Ok(()),
            Step::Wait => take(verification, None)?,
            Step::Work(work) => take(verification, Some(work))?,
            Step::Bytes(range) => {
                fetch(file, meter, range.start, range.end, &mut room)?;
                verification.give(range.start, &room);
            }
        }
    }
}

fn fetch(file: &dyn Bytes, meter: &Meter, start: u64, end: u64, room: &mut Vec<u8>) -> Result<(), Failure> {
    let length = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
    room.resize(length, 0);
    read(file, meter, start, room)
}

fn do_work(worker: &mut Worker, work: Work, file: &dyn Bytes, meter: &Meter) -> Result<Worked, Failure> {
    let mut room = Vec::new();
    worker.begin(work);
    while let Some(range) = worker.wants() {
        fetch(file, meter, range.start, range.end, &mut room)?;
        meter.count(room.len());
        worker.give(&room);
    }
    Ok(worker.finish())
}

/// Gives work to threads and takes back what is done, never far ahead of them.
fn side_by_side(
    verification: &mut Verification<'_>,
    file: &dyn Bytes,
    jobs: NonZeroUsize,
    meter: &Meter,
) -> Result<(), Failure> {
    let (give, waiting) = sync_channel::<Work>(jobs.get().saturating_mul(2));
    let waiting = Mutex::new(waiting);
    let (done, finished) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.get() {
            let (done, waiting) = (done.clone(), &waiting);
            scope.spawn(move || {
                let mut worker = Worker::new(BLOCK);
                // After a failure too: whoever gives work must never wait for takers that are gone.
                while let Some(work) = next(waiting) {
                    let worked = catch_unwind(AssertUnwindSafe(|| do_work(&mut worker, work, file, meter)));
                    let worked = worked.unwrap_or_else(|_| Err(Failure::Refused(BUG.to_owned())));
                    if done.send(worked).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        // `give` ends with this closure, and so do the threads.
        let give = give;
        drive(verification, file, meter, &mut |verification, work| match work {
            Some(work) => {
                let lost = give.send(work).is_err();
                while let Ok(worked) = finished.try_recv() {
                    verification.put(worked?);
                }
                if lost { Err(all_gone()) } else { Ok(()) }
            }
            None => {
                verification.put(finished.recv().map_err(|_| all_gone())??);
                Ok(())
            }
        })
    })
}

fn all_gone() -> Failure {
    Failure::Refused("reading its members failed".to_owned())
}

fn next(waiting: &Mutex<Receiver<Work>>) -> Option<Work> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Write;

    use resourcesync::api::{Options, Source};
    use resourcesync_tests::package::package;

    use super::*;

    /// True if a file of which so many bytes were there when it was opened is checked to its end.
    fn is_complete(more: i64) -> bool {
        let bytes = package("plain");
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let size = bytes.len() as u64;
        file.set_len(size.checked_add_signed(more).unwrap()).unwrap();
        let options = Options::default();
        let begin = |size| Verification::new(&options, Source::named("part1.zip"), size);
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
