//! Verifies one package: its structure, its manifest, its members, in the order in which each makes the next safe.

mod state;
mod transitions;

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::ops::Range;

use self::state::{Facts, Phase};
use crate::{
    diagnostic::{Code, Finding, Severity, Sink},
    fixity::{Algorithms, digest},
    model::Kind,
    package::{Contents, Work, Worked, Worker},
    read::sniff,
    report::{self, Collector},
    rules::Package,
    validate::{Options, Outcome, Source, selection},
    value::{Algorithm, Hashes},
};

/// Bytes asked for at a time by [`Verification::run`]: where asking is dear, as in a browser, little less would be slow.
const BLOCK: usize = 1 << 20;

/// Fills its room with the bytes of the package from an offset on, or says why it cannot.
pub type Fill<'f> = dyn FnMut(u64, &mut [u8]) -> Result<(), &'static str> + 'f;

/// What a verification asks for.
#[derive(Debug)]
pub enum Step {
    /// These bytes, all of them, for [`Verification::give`].
    Bytes(Range<u64>),
    /// Something a [`Worker`] has to do; what comes of it goes to [`Verification::put`], in any order. Ask on meanwhile.
    Work(Work),
    /// Nothing before some of the work is put back.
    Wait,
    /// Nothing more.
    Done,
}

/// A package being verified.
///
/// It reads nothing itself. Ask for the next [`Step`] and do it; [`Verification::run`] does so with one function that reads.
///
/// ```
/// use resourcesync::api::{Options, Run, Source, Verification};
///
/// let package = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"; // an archive without members
/// let options = Options::default();
/// let outcome = Verification::new(&options, Source::named("part1.zip"), package.len() as u64).run(&mut |offset, room| {
///     room.copy_from_slice(&package[offset as usize..][..room.len()]);
///     Ok(())
/// });
/// let mut run = Run::new(&options);
/// run.add(outcome);
/// assert_eq!(run.finish().diagnostics[0].code, "PKG-01");
/// ```
#[derive(Debug)]
pub struct Verification<'a> {
    options: Cow<'a, Options>,
    source: Source,
    size: u64,
    collector: Collector<'a>,
    phase: Phase<'a>,
    /// What is to be computed of the file itself.
    file: Algorithms,
    facts: Facts,
    incomplete: bool,
    foreign: Option<&'static str>,
    inside: Vec<Outcome>,
    with_contents: bool,
    noting: bool,
    /// The media type that a dump lists for it.
    listed: Option<String>,
    /// True if a dump lists it, so that it is for us whatever it is.
    is_listed: bool,
}

impl<'a> Verification<'a> {
    /// At the beginning of a package of so many bytes.
    pub fn new(options: &'a Options, source: Source, size: u64) -> Verification<'a> {
        Verification::with(Cow::Borrowed(options), source, size)
    }

    /// The same with options of its own, for callers that keep it where nothing can be borrowed.
    pub fn owning(options: Options, source: Source, size: u64) -> Verification<'static> {
        Verification::with(Cow::Owned(options), source, size)
    }

    fn with(options: Cow<'a, Options>, source: Source, size: u64) -> Verification<'a> {
        let name = source.name.clone();
        let package = Package { name, length: size, manifest: Kind::Unknown, ..Package::default() };
        let collector = Collector::of(selection(options.clone()), options.max_per_rule);
        Verification {
            options,
            source,
            size,
            collector,
            phase: Phase::Head,
            file: Algorithms::default(),
            facts: Facts { package, ..Facts::default() },
            incomplete: false,
            foreign: None,
            inside: Vec::new(),
            with_contents: false,
            noting: false,
            listed: None,
            is_listed: false,
        }
    }

    /// For a package that a crawl found: computes the listed digests, checks the listed media type, and summarizes the
    /// manifest for the checks across documents.
    #[must_use]
    pub fn met(mut self, media_type: Option<String>, hashes: &Hashes) -> Verification<'a> {
        self.listed = media_type;
        self.with_digests(hashes).noting()
    }

    /// Remembers of the manifest what a walk over a whole Source wants to know.
    #[must_use]
    pub fn noting(mut self) -> Verification<'a> {
        self.noting = true;
        self
    }

    /// For a package that a dump lists: asks for the digests of the file itself that are listed, if any.
    #[must_use]
    pub fn with_digests(mut self, hashes: &Hashes) -> Verification<'a> {
        self.is_listed = true;
        self.file = self.file.with(Algorithms::of(hashes));
        self
    }

    /// Keeps what each entry of the manifest says, for [`Verification::contents`]. That takes some 300 bytes an entry.
    #[must_use]
    pub fn with_contents(mut self) -> Verification<'a> {
        self.with_contents = true;
        self
    }

    /// What is to be done next.
    pub fn step(&mut self) -> Step {
        loop {
            match &mut self.phase {
                Phase::Head if self.size == 0 => self.look(&[]),
                Phase::Head => return Step::Bytes(0..self.size.min(sniff::HEAD as u64)),
                Phase::Structure(structure) => match structure.advance(&mut self.collector) {
                    Err(need) => {
                        let end = need.offset.saturating_add(need.length as u64).min(self.size);
                        return Step::Bytes(need.offset..end);
                    }
                    Ok(()) => self.structured(),
                },
                Phase::Listing { stream, .. } => match stream.wants() {
                    Some(range) => return Step::Bytes(range),
                    None => self.listed(),
                },
                Phase::Members(members) => {
                    if !self.file.is_empty() && !core::mem::replace(&mut members.file_given, true) {
                        members.open = members.open.saturating_add(1);
                        return Step::Work(Work::whole(self.size, self.file));
                    }
                    let work = if self.options.no_fixity { None } else { self.next_work() };
                    match (work, &self.phase) {
                        (Some(work), _) => return Step::Work(work),
                        (None, Phase::Members(members)) if members.open > 0 => return Step::Wait,
                        _ => self.members_read(),
                    }
                }
                Phase::Manifest { stream, .. } => match stream.wants() {
                    Some(range) => return Step::Bytes(range),
                    None => self.judged(),
                },
                Phase::File { given: false, .. } => {
                    self.phase = Phase::File { given: true, back: false };
                    return Step::Work(Work::whole(self.size, self.file));
                }
                Phase::File { back: false, .. } => return Step::Wait,
                Phase::File { .. } => self.phase = Phase::Done,
                Phase::Done => return Step::Done,
            }
        }
    }

    /// Hands over the bytes that were asked for.
    pub fn give(&mut self, offset: u64, bytes: &[u8]) {
        match &mut self.phase {
            Phase::Head => self.look(bytes),
            Phase::Structure(structure) => structure.give(offset, bytes),
            Phase::Listing { archive, listing, stream } => {
                stream.give(bytes, &mut |unpacked| listing.push(unpacked, archive));
                let made = stream.unpacking.made();
                let ratio = self.options.limits.inflate_ratio;
                if made > transitions::GRACE && made > stream.packed.saturating_mul(ratio.into()) {
                    self.collector.found(Finding::new(Code::LIM_15).arg("limit", ratio));
                    self.without_manifest();
                }
            }
            Phase::Manifest { validation, stream, .. } => stream.give(bytes, &mut |unpacked| validation.push(unpacked)),
            Phase::Members(_) | Phase::File { .. } | Phase::Done => {}
        }
    }

    /// Puts back a piece of work that was done.
    pub fn put(&mut self, worked: Worked) {
        if let Some(digests) = &worked.whole {
            self.facts.digests.clone_from(digests);
        }
        self.facts.unpacked = self.facts.unpacked.saturating_add(worked.unpacked);
        match &mut self.phase {
            Phase::Members(members) => {
                members.open = members.open.saturating_sub(1);
                members.verified.note(&worked);
                members.faults.extend(worked.faults);
            }
            Phase::File { back, .. } => *back = true,
            _ => {}
        }
    }

    /// How often each code was found so far, in the package or its manifest.
    pub fn counts(&self) -> impl Iterator<Item = (Code, Severity, u64)> {
        let manifest = match &self.phase {
            Phase::Manifest { validation, .. } => Some(validation.counts()),
            _ => None,
        };
        self.collector.counts().chain(manifest.into_iter().flatten())
    }

    /// What is known of the package, for the dump that lists it.
    pub fn package(&self) -> Package {
        let mut package = self.facts.package.clone();
        for algorithm in Algorithm::KNOWN {
            if let Some(digest) = digest(self.file, &self.facts.digests, &algorithm) {
                package.digests.push((algorithm, digest.to_vec()));
            }
        }
        package
    }

    /// Takes out the members and what is known of them, once all is done; none before, or if they were not kept.
    pub fn contents(&mut self) -> Contents {
        core::mem::take(&mut self.facts.contents)
    }

    /// What became of the package.
    pub fn finish(mut self) -> Outcome {
        // Ended too early, it was not verified.
        self.incomplete |= !matches!(self.phase, Phase::Done);
        self.outcome()
    }

    /// Says that the package cannot be read further, and why.
    pub fn unreadable(mut self, reason: &str) -> Outcome {
        self.collector.found(Finding::new(Code::INP_01).arg("reason", reason));
        self.incomplete = true;
        self.outcome()
    }

    /// Says that the user interrupted the run.
    pub fn interrupted(mut self) -> Outcome {
        self.collector.found(Finding::new(Code::INP_04));
        self.incomplete = true;
        self.outcome()
    }

    /// Does all that is to be done, with one function that fills its room with the bytes from an offset on.
    pub fn run(mut self, read: &mut Fill<'_>) -> Outcome {
        match self.drive(read) {
            Ok(()) => self.finish(),
            Err(reason) => self.unreadable(reason),
        }
    }

    /// The same, and what is then known of the package.
    pub fn run_for_package(mut self, read: &mut Fill<'_>) -> (Outcome, Package) {
        let done = self.drive(read);
        let package = self.package();
        let outcome = match done {
            Ok(()) => self.finish(),
            Err(reason) => self.unreadable(reason),
        };
        (outcome, package)
    }

    /// The same, and the members.
    pub fn run_for_contents(mut self, read: &mut Fill<'_>) -> (Outcome, Contents) {
        self.with_contents = true;
        match self.drive(read) {
            Ok(()) => {
                let contents = self.contents();
                (self.finish(), contents)
            }
            Err(reason) => (self.unreadable(reason), Contents::default()),
        }
    }

    fn drive(&mut self, read: &mut Fill<'_>) -> Result<(), &'static str> {
        let mut worker: Option<Worker> = None;
        let mut room = Vec::new();
        let mut fetch = |range: Range<u64>, room: &mut Vec<u8>| {
            let length =
                usize::try_from(range.end.saturating_sub(range.start)).map_err(|_| "too large for this machine")?;
            room.clear();
            room.resize(length, 0);
            read(range.start, room)
        };
        loop {
            match self.step() {
                Step::Done | Step::Wait => return Ok(()),
                Step::Bytes(range) => {
                    fetch(range.clone(), &mut room)?;
                    self.give(range.start, &room);
                }
                Step::Work(work) => {
                    let worker = worker.get_or_insert_with(|| Worker::new(BLOCK));
                    worker.begin(work);
                    while let Some(range) = worker.wants() {
                        fetch(range, &mut room)?;
                        worker.give(&room);
                    }
                    self.put(worker.finish());
                }
            }
        }
    }

    fn outcome(mut self) -> Outcome {
        let incomplete = self.incomplete || self.collector.is_limited();
        let fresh = self.collector.take_fresh();
        let diagnostics =
            fresh.iter().map(|(finding, severity)| report::diagnostic(finding, *severity, None)).collect();
        Outcome {
            source: self.source,
            kind: Kind::Package,
            entries: 0,
            bytes: self.size,
            incomplete,
            foreign: self.foreign.filter(|_| !self.is_listed),
            checked: self.collector.finish(diagnostics),
            inside: self.inside,
            memo: None,
        }
    }
}
