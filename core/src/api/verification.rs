//! Verifies one package: its structure, its manifest, its members, in the order in which each makes the next safe.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};
use core::ops::Range;

use super::{Options, Outcome, Source, Validation, looks, looks::Looks, options};
use crate::{
    diagnostic::{Finding, Severity, Sink},
    model::Kind,
    package::{
        Algorithms, Archive, Fault, Listing, Member, Structure, Unpacking, Verified, What, Work, Worked, Worker,
        digest, plan,
    },
    report::{self, Collector, Via},
    rules::{Code, Package},
    value::{Algorithm, Hashes},
};

/// Bytes asked for at a time while the manifest is read.
const WINDOW: u64 = 1 << 20;
/// Bytes asked for at a time by [`Verification::run`]: where asking is dear, as in a browser, little less would be slow.
const BLOCK: usize = 1 << 20;
/// Unpacked bytes of the manifest before the ratio is looked at.
const GRACE: u64 = 1 << 20;
/// The one name of a manifest.
const MANIFEST: &str = "manifest.xml";

/// True if these first bytes are those of a ZIP archive, so that [`Verification`] is the one to ask.
pub fn is_package(head: &[u8]) -> bool {
    let beginnings: [&[u8]; 4] = [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04", b"PK00PK\x03\x04"];
    beginnings.iter().any(|beginning| head.starts_with(beginning))
}

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
}

/// What others may ask when all is done.
#[derive(Debug, Default)]
struct Facts {
    package: Package,
    manifest: Option<u32>,
    unpacked: u64,
    digests: Vec<u8>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
enum Phase<'a> {
    /// What kind of file is it?
    Head,
    Structure(Structure),
    /// The manifest is read to learn what is listed.
    Listing {
        archive: Arc<Archive>,
        listing: Listing,
        stream: Stream,
    },
    /// The members are read.
    Members(Members),
    /// The manifest is read again and judged, now that the members are known.
    Manifest {
        validation: Validation<'a>,
        stream: Stream,
    },
    /// Only digests of the file itself are left.
    File {
        given: bool,
        back: bool,
    },
    Done,
}

/// A member being read by windows.
#[derive(Debug)]
struct Stream {
    unpacking: Unpacking,
    at: u64,
    end: u64,
    packed: u64,
}

impl Stream {
    fn new(member: &Member) -> Stream {
        let data = member.data();
        let mut unpacking = Unpacking::new();
        unpacking.begin(member);
        Stream { unpacking, at: data.start, end: data.end, packed: 0 }
    }

    fn wants(&self) -> Option<Range<u64>> {
        (self.at < self.end).then(|| self.at..self.end.min(self.at.saturating_add(WINDOW)))
    }

    fn give(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) {
        self.at = self.at.saturating_add(bytes.len() as u64);
        self.packed = self.packed.saturating_add(bytes.len() as u64);
        self.unpacking.feed(bytes, take);
    }
}

/// Members being read.
#[derive(Debug)]
struct Members {
    archive: Arc<Archive>,
    listing: Option<Listing>,
    wanted: Arc<Vec<Algorithms>>,
    verified: Verified,
    /// The place up to which work was given out.
    place: usize,
    /// Pieces given out and not yet put back.
    open: usize,
    file_given: bool,
    /// Declared bytes given out.
    declared: u64,
    /// True once the budget was reported.
    over_budget: bool,
    faults: Vec<(u32, Fault)>,
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
        let collector = Collector::of(options::selection(options.clone()), options.max_per_rule);
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
        }
    }

    /// Asks for digests of the file itself, because a dump lists them.
    #[must_use]
    pub fn with_digests(mut self, hashes: &Hashes) -> Verification<'a> {
        self.file = self.file.with(Algorithms::of(hashes));
        self
    }

    /// What is to be done next.
    pub fn step(&mut self) -> Step {
        loop {
            match &mut self.phase {
                Phase::Head if self.size == 0 => self.look(&[]),
                Phase::Head => return Step::Bytes(0..self.size.min(looks::HEAD as u64)),
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
                if made > GRACE && made > stream.packed.saturating_mul(ratio.into()) {
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
    pub fn run(self, read: &mut Fill<'_>) -> Outcome {
        self.run_for_package(read).0
    }

    /// The same, and what is then known of the package.
    pub fn run_for_package(mut self, read: &mut Fill<'_>) -> (Outcome, Package) {
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
            let done = match self.step() {
                Step::Done | Step::Wait => {
                    let package = self.package();
                    return (self.finish(), package);
                }
                Step::Bytes(range) => fetch(range.clone(), &mut room).map(|()| self.give(range.start, &room)),
                Step::Work(work) => {
                    let worker = worker.get_or_insert_with(|| Worker::new(BLOCK));
                    worker.begin(work);
                    let mut done = Ok(());
                    while let (Ok(()), Some(range)) = (done, worker.wants()) {
                        done = fetch(range, &mut room).map(|()| worker.give(&room));
                    }
                    done.map(|()| self.put(worker.finish()))
                }
            };
            if let Err(reason) = done {
                let package = self.package();
                return (self.unreadable(reason), package);
            }
        }
    }

    /// Looks at the first bytes: other formats are told from broken archives.
    fn look(&mut self, head: &[u8]) {
        let other = match looks::like(head) {
            Looks::Gzip => Some("a gzip file"),
            Looks::Other(words, _) if words != looks::ZIP => Some(words),
            _ => None,
        };
        match other {
            Some(words) => {
                let claims_zip = ends_with_zip(&self.source.name);
                self.collector.found(match claims_zip {
                    true => Finding::new(Code::PKG_08).arg("problem", words),
                    false => Finding::new(Code::PKG_17).arg("looks", words),
                });
                self.foreign = Some(words);
                self.end_early();
            }
            None => self.phase = Phase::Structure(Structure::new(self.size, &self.options.limits)),
        }
    }

    /// Nothing more can be learned of the members; digests of the file may still be wanted.
    fn end_early(&mut self) {
        self.incomplete = true;
        self.phase = if self.file.is_empty() { Phase::Done } else { Phase::File { given: false, back: false } };
    }

    /// The structure is known; looks for the manifest.
    fn structured(&mut self) {
        let Phase::Structure(structure) = core::mem::replace(&mut self.phase, Phase::Done) else { return };
        let (archive, complete) = structure.finish();
        self.facts.package.is_zip = complete || archive.len() > 0;
        self.incomplete |= !complete;
        if !self.facts.package.is_zip {
            return self.end_early();
        }
        // What cannot be unpacked is not checked, even where filters take the finding that says why.
        self.incomplete |= archive.iter().any(|(_, member)| member.blocked);
        let archive = Arc::new(archive);
        let manifest = archive.find(MANIFEST.as_bytes());
        self.facts.manifest = manifest;
        match manifest.and_then(|index| archive.get(index)) {
            Some(member) if !member.blocked => {
                let stream = Stream::new(member);
                let listing = Listing::new(&archive, &self.options.limits);
                self.phase = Phase::Listing { archive, listing, stream };
            }
            Some(_) => {
                // Why it cannot be read was told with the structure.
                self.incomplete = true;
                self.members(archive, None);
            }
            None => {
                // Of half a directory nobody can say what is missing.
                if complete {
                    self.no_manifest(&archive);
                }
                self.members(archive, None);
            }
        }
    }

    fn no_manifest(&mut self, archive: &Archive) {
        let names = || archive.iter().filter_map(|(index, _)| core::str::from_utf8(archive.name(index)).ok());
        let is_like = |name: &str| {
            let name = name.trim_start_matches("./").to_ascii_lowercase();
            name == MANIFEST || (name.contains("manifest") && name.ends_with(".xml") && !name.contains('/'))
        };
        // The nearest name first: the same but for case, then anything alike.
        let same = names().find(|name| name.trim_start_matches("./").eq_ignore_ascii_case(MANIFEST));
        if let Some(near) = same.or_else(|| names().find(|name| is_like(name))) {
            self.collector.found(Finding::new(Code::PKG_02).arg("near", near));
            return;
        }
        let is_manifest =
            |name: &&str| name.rsplit(['/', '\\']).next().is_some_and(|last| last.eq_ignore_ascii_case(MANIFEST));
        let finding = Finding::new(Code::PKG_01);
        self.collector.found(match names().find(is_manifest) {
            Some(near) => finding.arg("near", near).arg("problem", "manifest-deeper"),
            None => {
                self.foreign = Some("a ZIP archive without a manifest");
                finding.arg("problem", "manifest-nowhere")
            }
        });
    }

    /// The manifest was read: unlisted members are known.
    fn listed(&mut self) {
        let Phase::Listing { archive, mut listing, mut stream } = core::mem::replace(&mut self.phase, Phase::Done)
        else {
            return;
        };
        listing.finish(&archive);
        if let (Some(fault), Some(index)) = (stream.unpacking.finish(), self.facts.manifest) {
            self.member_fault(&archive, index, fault);
        }
        self.facts.unpacked = self.facts.unpacked.saturating_add(stream.unpacking.made());
        self.facts.package.manifest = listing.kind;
        self.facts.package.head.clone_from(&listing.head);
        self.facts.package.canonical = listing.complete.then(|| listing.canonical.finish());
        // Where it could not be read to its end, its own findings say so.
        self.incomplete |= !listing.complete;
        if listing.complete && is_manifest(listing.kind) {
            for (index, member) in archive.iter() {
                // Of several members of one name the first stands for all: that there are several was told.
                let first = archive.find(archive.name(index)).unwrap_or(index);
                if member.what != What::Directory && Some(first) != self.facts.manifest && !listing.has(first) {
                    self.collector.found(Finding::new(Code::PKG_04).arg("member", archive.shown(index)));
                }
            }
        }
        listing.take_listed();
        self.members(archive, Some(listing));
    }

    fn without_manifest(&mut self) {
        let Phase::Listing { archive, .. } = core::mem::replace(&mut self.phase, Phase::Done) else { return };
        self.incomplete = true;
        self.members(archive, None);
    }

    fn members(&mut self, archive: Arc<Archive>, mut listing: Option<Listing>) {
        let no_fixity = self.options.no_fixity;
        let wanted = listing.as_mut().map(|listing| core::mem::take(&mut listing.wanted)).filter(|_| !no_fixity);
        let wanted = Arc::new(wanted.unwrap_or_default());
        self.phase = Phase::Members(Members {
            verified: Verified::new(archive.clone(), wanted.clone()),
            archive,
            listing,
            wanted,
            place: 0,
            open: 0,
            file_given: false,
            declared: 0,
            over_budget: false,
            faults: Vec::new(),
        });
    }

    fn next_work(&mut self) -> Option<Work> {
        let Phase::Members(members) = &mut self.phase else { return None };
        let (budget, manifest, has_listing) =
            (self.options.limits.package_bytes, self.facts.manifest, members.listing.is_some());
        let mut declared = members.declared;
        let mut beyond = false;
        let (work, place) = plan(&members.archive, &members.wanted, members.place, &mut |index, member| {
            let is_nothing = member.packed == 0 && member.declared == 0 && member.crc == 0 && member.method == 0;
            let has_digest = members.wanted.get(index as usize).is_some_and(|set| !set.is_empty());
            // The manifest was unpacked to its end already.
            let was_read = Some(index) == manifest && has_listing;
            if member.blocked || was_read || (is_nothing && !has_digest) {
                return false;
            }
            let after = declared.saturating_add(member.declared);
            if after > budget {
                beyond = true;
                return false;
            }
            declared = after;
            true
        });
        members.place = place;
        members.declared = declared;
        members.open = members.open.saturating_add(usize::from(work.is_some()));
        if beyond && !core::mem::replace(&mut members.over_budget, true) {
            self.collector.found(Finding::new(Code::LIM_14).arg("limit", budget));
            self.incomplete = true;
        }
        work
    }

    fn member_fault(&mut self, archive: &Archive, index: u32, fault: Fault) {
        if let Some(member) = archive.get(index) {
            self.collector.found(fault.finding(archive.shown(index), member));
        }
    }

    /// All members were read; what is known of them is what the manifest is held to.
    fn members_read(&mut self) {
        let Phase::Members(members) = core::mem::replace(&mut self.phase, Phase::Done) else { return };
        let Members { archive, listing, mut verified, mut faults, .. } = members;
        // Work comes back in any order; the report has one.
        faults.sort_by_key(|(index, _)| *index);
        self.incomplete |= !faults.is_empty();
        for (index, fault) in faults {
            self.member_fault(&archive, index, fault);
        }
        verified.settle();
        let manifest = self.facts.manifest.and_then(|index| archive.get(index)).filter(|_| listing.is_some());
        if let Some(member) = manifest {
            let stream = Stream::new(member);
            let name = alloc::format!("{}!/{MANIFEST}", self.source.name);
            let source = Source { name, uri: None, via: Via::Zip };
            let validation = Validation::inside(self.options.clone(), source, Arc::new(verified));
            self.phase = Phase::Manifest { validation, stream };
        }
    }

    /// The manifest was judged.
    fn judged(&mut self) {
        let Phase::Manifest { validation, .. } = core::mem::replace(&mut self.phase, Phase::Done) else { return };
        self.inside.push(validation.finish());
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
            foreign: self.foreign,
            checked: self.collector.finish(diagnostics),
            inside: self.inside,
        }
    }
}

fn is_manifest(kind: Kind) -> bool {
    matches!(kind, Kind::ResourceDumpManifest | Kind::ChangeDumpManifest)
}

fn ends_with_zip(name: &str) -> bool {
    let start = name.len().saturating_sub(4);
    name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(".zip"))
}
