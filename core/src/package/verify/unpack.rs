//! Unpacks one member. Its bytes can be relied on only after the last of them has been verified.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::ops::Range;

use crate::{
    diagnostic::{Code, Finding, Reason},
    fixity::{Algorithms, Digester, digest},
    package::{self, MemberResource, Unpacking},
    report::{self, Diagnostic},
    value::to_hex,
};

/// Bytes requested at a time.
const BLOCK: u64 = 256 << 10;

/// Fills a buffer with the bytes of the package from an offset on, or returns the reason why it cannot.
pub type ReadAt<'f> = dyn FnMut(u64, &mut [u8]) -> Result<(), Reason> + 'f;

/// A member being unpacked.
///
/// It does no I/O: supply the bytes it [`wants`](Unpack::wants), and write its output to a place where it can be discarded.
/// [`finish`](Unpack::finish) reports whether it matches archive and manifest.
#[derive(Debug)]
pub struct Unpack {
    name: String,
    member: package::ArchiveMember,
    resources: Vec<MemberResource>,
    algorithms: Algorithms,
    unpacking: Unpacking,
    digester: Digester,
    at: u64,
    end: u64,
    /// The limit that it would exceed; nothing is unpacked then.
    exceeding: Option<Reason>,
}

impl Unpack {
    pub(super) fn new(
        name: String,
        member: &package::ArchiveMember,
        resources: Vec<MemberResource>,
        exceeding: Option<Reason>,
    ) -> Unpack {
        let data = member.data();
        let algorithms = wanted(&resources);
        let mut unpacking = Unpacking::new();
        unpacking.begin(member);
        Unpack {
            name,
            member: member.clone(),
            resources,
            algorithms,
            unpacking,
            digester: Digester::of(algorithms),
            at: if exceeding.is_some() { data.end } else { data.start },
            end: data.end,
            exceeding,
        }
    }

    /// Its expected size; no more bytes are returned.
    pub fn size(&self) -> u64 {
        self.member.declared
    }

    /// The bytes of the package needed next; `None` if all have been supplied.
    pub fn wants(&self) -> Option<Range<u64>> {
        (self.at < self.end).then(|| self.at..self.end.min(self.at.saturating_add(BLOCK)))
    }

    /// Unpacks the requested bytes, which must be complete, and passes on the output.
    pub fn give(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) {
        self.at = self.at.saturating_add(bytes.len() as u64);
        let digester = &mut self.digester;
        self.unpacking.feed(bytes, &mut |unpacked| {
            digester.push(unpacked);
            take(unpacked);
        });
    }

    /// Verifies the returned bytes: size, checksum, length and every listed digest.
    ///
    /// # Errors
    ///
    /// The finding that a report would have: ZIP-20 to ZIP-23, PKG-05 or PKG-06. Also if not all bytes were supplied, and INP-01 if
    /// the member exceeds the limit `inflate_ratio` or `unpacked_bytes`.
    pub fn finish(mut self) -> Result<(), Box<Diagnostic>> {
        if let Some(reason) = self.exceeding {
            return Err(told(&Finding::new(Code::INP_01).arg("reason", reason)));
        }
        if let Some(fault) = self.unpacking.finish() {
            return Err(told(&fault.finding(self.name, &self.member)));
        }
        let mut digests = Vec::new();
        self.digester.finish_into(&mut digests);
        for resource in &self.resources {
            let about = |code| Finding::new(code).arg("value", resource.path.as_deref().unwrap_or_default());
            if let Some(expected) = resource.length.filter(|length| *length != self.member.declared) {
                return Err(told(&about(Code::PKG_06).arg("actual", self.member.declared).arg("expected", expected)));
            }
            for hash in resource.hashes().iter() {
                let actual = digest(self.algorithms, &digests, &hash.algorithm);
                if let Some(actual) = actual.filter(|actual| *actual != hash.digest.as_ref()) {
                    let finding = about(Code::PKG_05).arg("algorithm", hash.algorithm.as_str());
                    return Err(told(&finding.arg("actual", to_hex(actual)).arg("expected", to_hex(&hash.digest))));
                }
            }
        }
        Ok(())
    }

    /// Unpacks the whole member, with a function that fills a buffer with the bytes of the package from an
    /// offset on.
    ///
    /// # Errors
    ///
    /// As [`Unpack::finish`], and INP-01 if the package cannot be read.
    pub fn run(mut self, read: &mut ReadAt<'_>, take: &mut dyn FnMut(&[u8])) -> Result<(), Box<Diagnostic>> {
        let mut room = Vec::new();
        while let Some(range) = self.wants() {
            // At most one block, which fits in memory on every platform.
            room.resize(usize::try_from(range.end.saturating_sub(range.start)).unwrap_or_default(), 0);
            read(range.start, &mut room).map_err(|reason| told(&Finding::new(Code::INP_01).arg("reason", reason)))?;
            self.give(&room, take);
        }
        self.finish()
    }
}

fn told(finding: &Finding) -> Box<Diagnostic> {
    Box::new(report::diagnostic(finding, finding.code.requirement().severity, None))
}

/// The digest algorithms needed for these resources.
pub(super) fn wanted(resources: &[MemberResource]) -> Algorithms {
    resources.iter().fold(Algorithms::default(), |all, own| all.with(Algorithms::of(&own.hashes())))
}
