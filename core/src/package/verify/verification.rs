//! Verifies one package: its structure, its manifest, its members, in an order in which each step makes the next one safe.

mod pieces;
mod state;
mod transitions;

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::ops::Range;

use self::{
    pieces::{Delivered, parcel},
    state::{Facts, Phase},
};
use crate::{
    diagnostic::{Code, Finding, Reason, ReasonCode, Severity, Sink},
    fixity::{Algorithms, digest},
    model::Kind,
    package::{Contents, MemberResource, Piece, ReadAt, Work, Worked, Worker, verify::contents::GRACE},
    parcel::ParcelError,
    read::sniff,
    report::{self, Collector, Times, Via},
    rules::KnownPackage,
    validate::{InputOrigin, Options, Outcome, selection},
    value::{Algorithm, Datetime, Hashes},
};

/// Bytes requested at a time by [`Verification::run`]. Much smaller requests would be slow where each is expensive, as in a
/// browser.
const BLOCK: usize = 1 << 20;

/// The next step of a verification.
#[derive(Debug)]
pub enum VerificationStep {
    /// Read these bytes, all of them, and pass them to [`Verification::give`].
    Bytes(Range<u64>),
    /// Work for a [`Worker`], whose result goes to [`Verification::put`], in any order. Further steps can be requested
    /// meanwhile.
    Work(Work),
    /// Wait until the result of some work was supplied.
    Wait,
    /// The verification is complete.
    Done,
}

/// A package being verified.
///
/// It does no I/O. Request the next [`VerificationStep`] and perform it; [`Verification::run`] does so with one function for reading.
///
/// ```
/// use resourcesync::api::{Options, Run, InputOrigin, Verification};
///
/// let package = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"; // an archive without members
/// let options = Options::default();
/// let outcome = Verification::new(&options, InputOrigin::named("part1.zip"), package.len() as u64).run(&mut |offset, room| {
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
    origin: InputOrigin,
    size: u64,
    collector: Collector<'a>,
    phase: Phase<'a>,
    /// The digests to compute of the file itself.
    file: Algorithms,
    facts: Facts,
    incomplete: bool,
    foreign: Option<Reason>,
    /// True for an archive whose manifest is recognized by a similar name only.
    near_manifest: bool,
    inside: Vec<Outcome>,
    with_contents: bool,
    piece: Piece,
    delivered: Delivered,
    version: String,
    summarizes: bool,
    /// The media type that a dump lists for it.
    listed: Option<String>,
    /// Whether a dump lists it, so that it is always an input.
    is_listed: bool,
}

impl<'a> Verification<'a> {
    /// Starts with a package of `size` bytes, with borrowed or owned options.
    pub fn new(options: impl Into<Cow<'a, Options>>, origin: InputOrigin, size: u64) -> Verification<'a> {
        let options = options.into();
        let name = origin.name.clone();
        let package = KnownPackage { name, length: size, manifest: Kind::Unknown, ..KnownPackage::default() };
        let collector = Collector::of(selection(options.clone()), options.max_per_rule);
        Verification {
            options,
            origin,
            size,
            collector,
            phase: Phase::Head,
            file: Algorithms::default(),
            facts: Facts { package, ..Facts::default() },
            incomplete: false,
            foreign: None,
            near_manifest: false,
            inside: Vec::new(),
            with_contents: false,
            piece: Piece::WHOLE,
            delivered: Delivered::default(),
            version: String::new(),
            summarizes: false,
            listed: None,
            is_listed: false,
        }
    }

    /// Summarizes the manifest for the checks across documents.
    #[must_use]
    pub(crate) fn with_summary(mut self) -> Verification<'a> {
        self.summarizes = true;
        self
    }

    /// For a package that a dump lists: checks that it is of the listed media type.
    #[must_use]
    pub fn with_media_type(mut self, media_type: Option<String>) -> Verification<'a> {
        self.listed = media_type;
        self
    }

    /// For a package that a dump lists: computes the digests of the file itself that are listed, if any.
    #[must_use]
    pub fn with_digests(mut self, hashes: &Hashes) -> Verification<'a> {
        self.is_listed = true;
        self.file = self.file.with(Algorithms::of(hashes));
        self
    }

    /// Keeps the entries of the manifest for [`Verification::contents`]. That takes about 300 bytes per entry.
    #[must_use]
    pub fn with_contents(mut self) -> Verification<'a> {
        self.with_contents = true;
        self
    }

    /// What distinguishes the package from its earlier and later versions, such as its entity tag: what was found of a piece holds for this
    /// version only.
    #[must_use]
    pub fn with_version(mut self, version: String) -> Verification<'a> {
        self.version = version;
        self
    }

    /// Verifies only the members of one piece, for [`members_of`](Contents::members_of), or for the verification of the whole package,
    /// which takes what was [found of them](Self::piece_parcel). Neither the manifest nor other members are checked, so the outcome is
    /// incomplete.
    #[must_use]
    pub fn with_piece(mut self, piece: Piece) -> Verification<'a> {
        self.piece = piece;
        self.incomplete |= piece != Piece::WHOLE;
        self
    }

    /// Takes what other processes found of pieces, whose members are not read again: the parcels that [`piece_parcel`](Self::piece_parcel)
    /// returned. Those of another version of the package, or of another number of pieces than the first, are ignored, and members of which
    /// there is no parcel are read.
    ///
    /// # Errors
    ///
    /// If a parcel is damaged, or was written by another version of the crate or with other options or another seed.
    pub fn with_pieces<'p>(mut self, parcels: impl IntoIterator<Item = &'p [u8]>) -> Result<Self, ParcelError> {
        let run = self.options.run_in_parcels();
        parcels.into_iter().try_for_each(|parcel| self.delivered.add(parcel, run))?;
        Ok(self)
    }

    /// The next step.
    pub fn step(&mut self) -> VerificationStep {
        loop {
            match &mut self.phase {
                Phase::Head if self.size == 0 => self.look(&[]),
                Phase::Head => return VerificationStep::Bytes(0..self.size.min(sniff::HEAD as u64)),
                Phase::Structure(structure) => match structure.advance(&mut self.collector) {
                    Err(need) => {
                        let end = need.offset.saturating_add(need.length as u64).min(self.size);
                        return VerificationStep::Bytes(need.offset..end);
                    }
                    Ok(()) => self.structured(),
                },
                Phase::Listing { stream, .. } => match stream.wants() {
                    Some(range) => return VerificationStep::Bytes(range),
                    None => self.listed(),
                },
                Phase::Members(members) => {
                    let has_file = !self.file.is_empty() && self.piece == Piece::WHOLE;
                    if has_file && !core::mem::replace(&mut members.file_given, true) {
                        members.open = members.open.saturating_add(1);
                        return VerificationStep::Work(Work::whole(self.size, self.file));
                    }
                    let work = if self.options.no_fixity { None } else { self.next_work() };
                    match (work, &self.phase) {
                        (Some(work), _) => return VerificationStep::Work(work),
                        (None, Phase::Members(members)) if members.open > 0 => return VerificationStep::Wait,
                        _ => self.members_read(),
                    }
                }
                Phase::Manifest { stream, .. } => match stream.wants() {
                    Some(range) => return VerificationStep::Bytes(range),
                    None => self.manifest_checked(),
                },
                Phase::File { given: false, .. } => {
                    self.phase = Phase::File { given: true, back: false };
                    return VerificationStep::Work(Work::whole(self.size, self.file));
                }
                Phase::File { back: false, .. } => return VerificationStep::Wait,
                Phase::File { .. } => self.phase = Phase::Done,
                Phase::Done => return VerificationStep::Done,
            }
        }
    }

    /// Takes requested bytes.
    pub fn give(&mut self, offset: u64, bytes: &[u8]) {
        match &mut self.phase {
            Phase::Head => self.look(bytes),
            Phase::Structure(structure) => structure.give(offset, bytes),
            Phase::Listing { archive, listing, stream } => {
                stream.give(bytes, &mut |unpacked| listing.push(unpacked, archive));
                let made = stream.unpacking.made();
                let ratio = self.options.limits.inflate_ratio;
                if made > GRACE && made > stream.packed.saturating_mul(ratio.into()) {
                    self.collector.found(Finding::new(Code::LIM_15).arg("limit", ratio));
                    self.without_manifest();
                }
            }
            Phase::Manifest { validation, stream, .. } => stream.give(bytes, &mut |unpacked| validation.push(unpacked)),
            Phase::Members(_) | Phase::File { .. } | Phase::Done => {}
        }
    }

    /// Takes the result of a piece of work.
    pub fn put(&mut self, worked: Worked) {
        if let Some(digests) = &worked.whole {
            self.facts.digests.clone_from(digests);
        }
        self.facts.unpacked = self.facts.unpacked.saturating_add(worked.unpacked);
        match &mut self.phase {
            Phase::Members(members) => {
                members.open = members.open.saturating_sub(1);
                members.note(worked, self.piece != Piece::WHOLE);
            }
            Phase::File { back, .. } => *back = true,
            _ => {}
        }
    }

    /// The number of findings by code so far, in the package or its manifest.
    pub fn counts(&self) -> impl Iterator<Item = (Code, Severity, u64)> {
        let manifest = match &self.phase {
            Phase::Manifest { validation, .. } => Some(validation.counts()),
            _ => None,
        };
        self.collector.counts().chain(manifest.into_iter().flatten())
    }

    /// A summary of the package, for the dump that lists it.
    pub fn package(&self) -> KnownPackage {
        let mut package = self.facts.package.clone();
        for algorithm in Algorithm::KNOWN {
            if let Some(digest) = digest(self.file, &self.facts.digests, &algorithm) {
                package.digests.push((algorithm, digest.to_vec()));
            }
        }
        package
    }

    /// The resources that the manifest lists, each with the index of its member, from the first work until the last result was supplied; none
    /// unless they are kept.
    pub fn listed_members(&self) -> impl Iterator<Item = (u32, &MemberResource)> {
        let listing = match &self.phase {
            Phase::Members(members) => members.listing.as_ref(),
            _ => None,
        };
        let noted = listing.and_then(|listing| listing.noted.as_ref()).into_iter().flatten();
        noted.filter_map(|noted| Some((noted.member?, &noted.resource)))
    }

    /// The moment of the resources in it (`at`), as the manifest states it, as long as there are [listed members](Self::listed_members).
    pub fn manifest_at(&self) -> Option<&Datetime> {
        let Phase::Members(members) = &self.phase else { return None };
        members.listing.as_ref()?.head.as_ref()?.attributes.at()?.value()
    }

    /// What was found of the members of the piece, once its verification is complete; nothing if they could not be determined, a limit left
    /// some of them out, or the [piece](Self::with_piece) is the whole package.
    pub fn piece_parcel(&mut self) -> Option<Vec<u8>> {
        let found = self.facts.found.take()?;
        Some(parcel(self.piece, &found, self.size, &self.version, self.options.run_in_parcels()))
    }

    /// Takes the members and their states, once verification is complete; empty before, or if they were not
    /// kept.
    pub fn contents(&mut self) -> Contents {
        core::mem::take(&mut self.facts.contents)
    }

    /// The outcome.
    pub fn finish(mut self) -> Outcome {
        // If it ended too early, it was not verified.
        self.incomplete |= !matches!(self.phase, Phase::Done);
        self.outcome()
    }

    /// Ends it early: the rest of the package cannot be read.
    pub fn unreadable(mut self, reason: Reason) -> Outcome {
        self.collector.found(Finding::new(Code::INP_01).arg("reason", reason));
        self.incomplete = true;
        self.outcome()
    }

    /// Ends it early: the user interrupted the run.
    pub fn interrupted(mut self) -> Outcome {
        self.collector.found(Finding::new(Code::INP_04));
        self.incomplete = true;
        self.outcome()
    }

    /// Runs the verification, with one function that fills a buffer with the bytes from an offset on.
    pub fn run(mut self, read: &mut ReadAt<'_>) -> Outcome {
        match self.drive(read) {
            Ok(()) => self.finish(),
            Err(reason) => self.unreadable(reason),
        }
    }

    /// Like [`run`](Self::run), and returns a summary of the package.
    pub fn run_for_known_package(mut self, read: &mut ReadAt<'_>) -> (Outcome, KnownPackage) {
        let done = self.drive(read);
        let package = self.package();
        let outcome = match done {
            Ok(()) => self.finish(),
            Err(reason) => self.unreadable(reason),
        };
        (outcome, package)
    }

    /// Like [`run`](Self::run), and returns the members.
    pub fn run_for_contents(mut self, read: &mut ReadAt<'_>) -> (Outcome, Contents) {
        self.with_contents = true;
        match self.drive(read) {
            Ok(()) => {
                let contents = self.contents();
                (self.finish(), contents)
            }
            Err(reason) => (self.unreadable(reason), Contents::default()),
        }
    }

    /// Like [`run`](Self::run), for [one piece](Self::with_piece): returns [what was found of its members](Self::piece_parcel).
    pub fn run_for_piece(mut self, read: &mut ReadAt<'_>) -> Option<Vec<u8>> {
        self.drive(read).ok()?;
        self.piece_parcel()
    }

    fn drive(&mut self, read: &mut ReadAt<'_>) -> Result<(), Reason> {
        let mut worker: Option<Worker> = None;
        let mut room = Vec::new();
        let mut fetch = |range: Range<u64>, room: &mut Vec<u8>| {
            let length = usize::try_from(range.end.saturating_sub(range.start))
                .map_err(|_| Reason::new(ReasonCode::TooLarge))?;
            room.clear();
            room.resize(length, 0);
            read(range.start, room)
        };
        loop {
            match self.step() {
                VerificationStep::Done | VerificationStep::Wait => return Ok(()),
                VerificationStep::Bytes(range) => {
                    fetch(range.clone(), &mut room)?;
                    self.give(range.start, &room);
                }
                VerificationStep::Work(work) => {
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

    /// The reason to skip an archive of a folder that no dump lists: nothing in it can be recognized as a manifest of ResourceSync.
    fn unclaimed_reason(&self) -> Option<Reason> {
        if self.origin.via != Via::Folder || self.is_listed {
            return None;
        }
        let is_damaged = || self.collector.counts().any(|(code, ..)| code == Code::PKG_08);
        let code = match self.inside.first() {
            Some(manifest) if manifest.foreign.is_some() => ReasonCode::OtherManifest,
            None if self.near_manifest => ReasonCode::OtherManifest,
            None if is_damaged() => ReasonCode::UnclaimedZip,
            _ => return None,
        };
        Some(Reason::new(code))
    }

    fn outcome(mut self) -> Outcome {
        let unclaimed = self.unclaimed_reason();
        let incomplete = self.incomplete || self.collector.is_limited();
        let fresh = self.collector.take_fresh();
        let diagnostics =
            fresh.iter().map(|(finding, severity)| report::diagnostic(finding, *severity, None)).collect();
        Outcome {
            origin: self.origin,
            kind: Kind::Package,
            entries: 0,
            bytes: self.size,
            incomplete,
            foreign: self.foreign.filter(|_| !self.is_listed).or(unclaimed),
            checked: self.collector.finish(diagnostics),
            inside: self.inside,
            summary: None,
            times: Times::default(),
        }
    }
}
