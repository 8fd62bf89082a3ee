//! The transitions between the states of a verification.

use alloc::{sync::Arc, vec::Vec};

use super::{
    Verification,
    state::{Found, Members, Phase, Stream},
};
use crate::{
    diagnostic::{Code, Finding, Reason, ReasonCode, Sink},
    package::{
        Archive, Contents, Fault, Listing, Piece, Structure, Verified, What, Work, Worked, plan,
        verify::contents::Known,
    },
    read::{
        is_package, is_package_name,
        sniff::{self, Sniffed},
    },
    report::Via,
    rules::KindProfile,
    validate::{InputOrigin, Sampling, Validation},
};

/// The media type of ZIP.
const ZIP_TYPE: &str = "application/zip";
/// Media types that are used for ZIP archives and for other packages.
const VAGUE_TYPES: [&str; 2] = ["application/octet-stream", "application/x-zip-compressed"];
/// The name of the manifest.
const MANIFEST: &str = "manifest.xml";

impl Verification<'_> {
    /// Distinguishes other formats from broken archives by their first bytes.
    pub(super) fn look(&mut self, head: &[u8]) {
        let other = match sniff::sniff(head) {
            Sniffed::Gzip => Some("a gzip file"),
            Sniffed::Other(words, _) if words != sniff::ZIP => Some(words),
            _ => None,
        };
        // The media type in a dump takes precedence over the name, unless it is generic.
        let listed = self.listed.as_deref().filter(|listed| !VAGUE_TYPES.contains(listed));
        let claims_zip = listed.map_or_else(|| is_package_name(&self.origin.name), |listed| listed == ZIP_TYPE);
        // Some formats with another media type cannot be detected by their first bytes.
        let listed = listed.filter(|_| !claims_zip && !is_package(head));
        match (other, listed) {
            (Some(_), _) | (None, Some(_)) => {
                let looks = other.or(listed).unwrap_or_default();
                self.collector.found(match claims_zip {
                    true => Finding::new(Code::PKG_08).arg("problem", looks),
                    false => Finding::new(Code::PKG_17).arg("looks", looks),
                });
                let looks = other.unwrap_or("a package of another format");
                self.foreign = Some(Reason::new(ReasonCode::Format).arg("looks", looks));
                self.end_early();
            }
            (None, None) => self.phase = Phase::Structure(Structure::new(self.size, &self.options.limits)),
        }
    }

    /// Ends the verification of the members; digests of the file may still be needed.
    fn end_early(&mut self) {
        self.incomplete = true;
        let has_file = !self.file.is_empty() && self.piece == Piece::WHOLE;
        self.phase = if !has_file { Phase::Done } else { Phase::File { given: false, back: false } };
    }

    /// The structure was checked; finds the manifest.
    pub(super) fn structured(&mut self) {
        let Phase::Structure(structure) = core::mem::replace(&mut self.phase, Phase::Done) else { return };
        let (archive, complete) = structure.finish();
        self.facts.package.is_zip = complete || archive.len() > 0;
        self.incomplete |= !complete;
        if !self.facts.package.is_zip {
            return self.end_early();
        }
        // A member that cannot be unpacked is not checked, even if a filter removes the finding.
        self.incomplete |= archive.iter().any(|(_, member)| member.blocked);
        let archive = Arc::new(archive);
        let manifest = archive.find(MANIFEST.as_bytes());
        self.facts.manifest = manifest;
        match manifest.and_then(|index| archive.get(index)) {
            Some(member) if !member.blocked => {
                let stream = Stream::new(member);
                let listing = Listing::new(&archive, &self.options.limits, self.with_contents);
                self.phase = Phase::Listing { archive, listing, stream };
            }
            Some(_) => {
                // The reason has been reported with the structure.
                self.incomplete = true;
                self.members(archive, None);
            }
            None => {
                // If the directory is incomplete, missing members cannot be determined.
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
        // The most similar name first: equal except for case, then any similar one.
        let same = names().find(|name| name.trim_start_matches("./").eq_ignore_ascii_case(MANIFEST));
        if let Some(near) = same.or_else(|| names().find(|name| is_like(name))) {
            self.collector.found(Finding::new(Code::PKG_02).arg("near", near));
            self.near_manifest = true;
            return;
        }
        let is_manifest =
            |name: &&str| name.rsplit(['/', '\\']).next().is_some_and(|last| last.eq_ignore_ascii_case(MANIFEST));
        let finding = Finding::new(Code::PKG_01);
        self.collector.found(match names().find(is_manifest) {
            Some(near) => finding.arg("near", near).arg("problem", "manifest-deeper"),
            None => {
                self.foreign = Some(Reason::new(ReasonCode::NoManifest));
                finding.arg("problem", "manifest-nowhere")
            }
        });
    }

    /// The manifest was read: unlisted members are known.
    pub(super) fn listed(&mut self) {
        let Phase::Listing { archive, mut listing, mut stream } = core::mem::replace(&mut self.phase, Phase::Done)
        else {
            return;
        };
        listing.finish(&archive);
        if let (Some(fault), Some(index)) = (stream.unpacking.finish(), self.facts.manifest) {
            self.facts.manifest_fault = Some(fault);
            self.member_fault(&archive, index, fault);
        }
        self.facts.unpacked = self.facts.unpacked.saturating_add(stream.unpacking.made());
        self.facts.package.manifest = listing.kind;
        self.facts.package.head.clone_from(&listing.head);
        self.facts.package.canonical = listing.complete.then(|| listing.canonical.finish());
        // If it could not be read to its end, that was reported.
        self.incomplete |= !listing.complete;
        if listing.complete && KindProfile::of(listing.kind).is_manifest() {
            for (index, member) in archive.iter() {
                // Of several members with one name the first is used; the repetition has been reported.
                let first = archive.find(archive.name(index)).unwrap_or(index);
                if member.what != What::Directory && Some(first) != self.facts.manifest && !listing.has(first) {
                    self.collector.found(Finding::new(Code::PKG_04).arg("member", archive.shown(index)));
                }
            }
        }
        listing.take_listed();
        self.members(archive, Some(listing));
    }

    pub(super) fn without_manifest(&mut self) {
        let Phase::Listing { archive, .. } = core::mem::replace(&mut self.phase, Phase::Done) else { return };
        self.incomplete = true;
        self.members(archive, None);
    }

    fn members(&mut self, archive: Arc<Archive>, mut listing: Option<Listing>) {
        let no_fixity = self.options.no_fixity;
        let wanted = listing.as_mut().map(|listing| core::mem::take(&mut listing.wanted)).filter(|_| !no_fixity);
        let wanted = Arc::new(wanted.unwrap_or_default());
        self.delivered.keep(&archive, &wanted, self.size, &self.version);
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
            unread: Vec::new(),
            faults: Vec::new(),
            worked: Worked::default(),
        });
    }

    pub(super) fn next_work(&mut self) -> Option<Work> {
        let Phase::Members(members) = &mut self.phase else { return None };
        let (budget, manifest, has_listing) =
            (self.options.limits.package_bytes, self.facts.manifest, members.listing.is_some());
        let (piece, size, delivered) = (self.piece, self.size, &mut self.delivered);
        let mut declared = members.declared;
        let (mut beyond, unread) = (false, &mut members.unread);
        let (work, place) = plan(&members.archive, &members.wanted, members.place, &mut |index, member| {
            let is_nothing = member.packed == 0 && member.declared == 0 && member.crc == 0 && member.method == 0;
            let has_digest = members.wanted.get(index as usize).is_some_and(|set| !set.is_empty());
            // The manifest was unpacked to its end already.
            let was_read = Some(index) == manifest && has_listing;
            if member.blocked || was_read || (is_nothing && !has_digest) {
                return false;
            }
            if !piece.has(member.header, size) {
                unread.push(index);
                return false;
            }
            let after = declared.saturating_add(member.declared);
            if after > budget {
                beyond = true;
                unread.push(index);
                return false;
            }
            declared = after;
            !delivered.take(index, member.header, size)
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

    /// All members were read; the manifest is checked against the results.
    pub(super) fn members_read(&mut self) {
        let Phase::Members(mut members) = core::mem::replace(&mut self.phase, Phase::Done) else { return };
        for worked in self.delivered.finish() {
            members.note(worked, false);
        }
        // With members that were left out it would say more than was found.
        if self.piece != Piece::WHOLE && !members.over_budget {
            let (archive, wanted) = (members.archive.clone(), members.wanted.clone());
            self.facts.found = Some(Found { archive, wanted, worked: core::mem::take(&mut members.worked) });
        }
        let Members { archive, mut listing, mut verified, mut faults, mut unread, .. } = members;
        // Results arrive in any order; the report has a fixed order.
        faults.sort_by_key(|(index, _)| *index);
        self.incomplete |= !faults.is_empty();
        for (index, fault) in &faults {
            self.member_fault(&archive, *index, *fault);
        }
        verified.settle();
        if self.with_contents {
            let mut words: Vec<_> = faults.iter().map(|(index, fault)| (*index, fault.word())).collect();
            words.extend(self.facts.manifest.zip(self.facts.manifest_fault.map(Fault::word)));
            words.sort_unstable();
            unread.sort_unstable();
            let noted = listing.as_mut().and_then(|listing| listing.noted.take()).unwrap_or_default();
            let is_listed =
                listing.as_ref().is_some_and(|listing| listing.complete && KindProfile::of(listing.kind).is_manifest());
            self.facts.contents = Contents::new(
                archive.clone(),
                noted,
                &Known {
                    kind: self.facts.package.manifest,
                    manifest: self.facts.manifest,
                    is_listed,
                    is_manifest_read: listing.is_some(),
                    is_fixed: !self.options.no_fixity,
                    verified: &verified,
                    faults: &words,
                    unread: &unread,
                    limits: &self.options.limits,
                    size: self.size,
                },
            );
        }
        let is_checked = listing.is_some() && self.piece == Piece::WHOLE;
        let manifest = self.facts.manifest.and_then(|index| archive.get(index)).filter(|_| is_checked);
        if let Some(member) = manifest {
            let stream = Stream::new(member);
            let name = alloc::format!("{}!/{MANIFEST}", self.origin.name);
            let origin = InputOrigin { name, uri: None, via: Via::Zip };
            let mut validation = Validation::of_manifest(self.options.clone(), origin, Arc::new(verified));
            if self.summarizes {
                validation = validation.with_summary(Sampling::Nothing);
            }
            self.phase = Phase::Manifest { validation, stream };
        }
    }

    /// The manifest was checked.
    pub(super) fn manifest_checked(&mut self) {
        let Phase::Manifest { validation, .. } = core::mem::replace(&mut self.phase, Phase::Done) else { return };
        self.inside.push(validation.finish());
    }
}
