//! The members of a verified package: state, resources and bytes of each.

use alloc::{
    borrow::ToOwned,
    collections::{BTreeMap, BTreeSet},
    string::String,
    sync::Arc,
    vec::Vec,
};

use serde::Serialize;

use crate::{
    diagnostic::{Reason, ReasonCode, Severity},
    limits::Limits,
    model::Kind,
    named_enum,
    package::{self, Archive, MemberResource, Noted, Piece, Unpack, Verified, What, collisions, name_fault},
    value::{Algorithm, Hashes},
};

/// The comparison with the archive.
const CRC_32: &str = "crc-32";
/// Unpacked bytes of the manifest before the ratio is checked.
pub(super) const GRACE: u64 = 1 << 20;

named_enum! {
    /// What a member is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    pub enum MemberKind {
        /// A file that may be a bitstream.
        File = "file",
        /// A folder.
        Folder = "folder",
        /// The manifest.
        Manifest = "manifest",
        /// A symbolic link, a device or the like.
        Special = "special",
    }
}

named_enum! {
    /// The verification state of a member.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    pub enum MemberState {
        /// The manifest lists it, and it matches the archive and the manifest.
        Verified = "verified",
        /// It matches the archive and has no entry in the manifest: a folder, the manifest itself, or a file of a
        /// package whose manifest cannot be read.
        Sound = "sound",
        /// It was not unpacked, because that was not requested or a limit was reached.
        Unchecked = "unchecked",
        /// The manifest does not list it.
        Unlisted = "unlisted",
        /// It matches the archive but not the manifest.
        Differs = "differs",
        /// It does not match the archive.
        Damaged = "damaged",
        /// It must not be unpacked; `why` is the reason.
        Refused = "refused",
    }
}

/// A member of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Member {
    /// Its index in the central directory, from 0, for [`Contents::unpack`].
    pub index: u32,
    /// Its name. Invalid UTF-8 is replaced; such a member is refused.
    pub name: String,
    /// Its type.
    pub kind: MemberKind,
    /// Its verification state.
    pub state: MemberState,
    /// The reason for its state: an algorithm (`md5`) or `length` if it differs; `size`, `damaged`, `trailing-data` or `crc-32` if
    /// it is damaged; `encrypted`, `method`, `repeated`, `special`, `name` or `structure` if it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Bytes unpacked.
    pub size: u64,
    /// Bytes in the archive.
    pub packed_size: u64,
    /// The successful comparisons: `crc-32`, `length`, and the names of algorithms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<String>,
    /// The resources whose entries refer to it, in the order of the manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<MemberResource>,
}

impl Member {
    /// True if it was compared with what the manifest states: a length, or a digest that can be computed.
    pub fn is_compared(&self) -> bool {
        self.checked.iter().any(|name| name != CRC_32)
    }
}

/// The members of a package, from a [`super::Verification`] created `with_contents`.
///
/// ```
/// use resourcesync::api::{Options, InputOrigin, Verification};
///
/// let package = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"; // an archive without members
/// let options = Options::default();
/// let verification = Verification::new(&options, InputOrigin::named("part1.zip"), package.len() as u64).with_contents();
/// let (outcome, contents) = verification.run_for_contents(&mut |offset, room| {
///     room.copy_from_slice(&package[offset as usize..][..room.len()]);
///     Ok(())
/// });
/// assert!(contents.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Contents {
    archive: Arc<Archive>,
    kind: Kind,
    manifest: Option<u32>,
    noted: Vec<Noted>,
    /// For each member that entries refer to, the indexes in `noted`; sorted.
    by_member: Vec<(u32, u32)>,
    states: Vec<MemberState>,
    why: BTreeMap<u32, String>,
    /// The limits `inflate_ratio` and `unpacked_bytes`.
    limits: (u32, u64),
    /// Bytes of the package.
    size: u64,
}

/// The results of verification, for the states of members.
pub(super) struct Known<'v> {
    pub(super) kind: Kind,
    pub(super) manifest: Option<u32>,
    /// True if the file is a manifest and was read to its end, so that unlisted members are known.
    pub(super) is_listed: bool,
    /// True if it was unpacked, to its end.
    pub(super) is_manifest_read: bool,
    /// True if members were unpacked.
    pub(super) is_fixed: bool,
    pub(super) verified: &'v Verified,
    /// Problems of the data of members, sorted.
    pub(super) faults: &'v [(u32, &'static str)],
    /// Members that were not unpacked because of a limit, sorted.
    pub(super) unread: &'v [u32],
    pub(super) limits: &'v Limits,
    pub(super) size: u64,
}

impl Contents {
    pub(super) fn new(archive: Arc<Archive>, noted: Vec<Noted>, known: &Known<'_>) -> Contents {
        let mut by_member: Vec<(u32, u32)> =
            (0..).zip(&noted).filter_map(|(at, noted)| Some((noted.member?, at))).collect();
        by_member.sort_unstable();
        let mut contents = Contents {
            archive: archive.clone(),
            kind: known.kind,
            manifest: known.manifest,
            noted,
            by_member,
            states: Vec::with_capacity(archive.len()),
            why: BTreeMap::new(),
            limits: (known.limits.inflate_ratio, known.limits.unpacked_bytes),
            size: known.size,
        };
        for (index, member) in archive.iter() {
            let (state, why) = contents.state_of(index, member, known);
            contents.states.push(state);
            contents.why.extend(why.map(|why| (index, why)));
        }
        contents
    }

    /// The kind of the manifest.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.archive.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All members in the order of the archive's directory.
    pub fn members(&self) -> impl Iterator<Item = Member> + '_ {
        self.archive.iter().filter_map(|(index, _)| self.member(index))
    }

    /// The members of a piece: those that were read, if the verification was one [of this piece](super::Verification::with_piece).
    pub fn members_of(&self, piece: Piece) -> impl Iterator<Item = Member> + '_ {
        let own = self.archive.iter().filter(move |(_, member)| piece.has(member.header, self.size));
        own.filter_map(|(index, _)| self.member(index))
    }

    /// One member.
    pub fn member(&self, index: u32) -> Option<Member> {
        let member = self.archive.get(index)?;
        let state = self.state(index);
        let mut checked: Vec<String> = Vec::new();
        if matches!(state, MemberState::Verified | MemberState::Sound) && member.what == What::File {
            checked.push(CRC_32.to_owned());
        }
        if state == MemberState::Verified {
            checked.extend(self.resources_of(index).any(|own| own.length.is_some()).then(|| "length".to_owned()));
            let listed = self.algorithms(index);
            let known = Algorithm::KNOWN.iter().filter(|known| listed.contains(known));
            checked.extend(known.map(|known| known.as_str().to_owned()));
        }
        Some(Member {
            index,
            name: String::from_utf8_lossy(self.archive.name(index)).into_owned(),
            kind: self.kind_of(index, member),
            state,
            why: self.why.get(&index).cloned(),
            size: member.declared,
            packed_size: member.packed,
            checked,
            resources: self.resources_of(index).cloned().collect(),
        })
    }

    /// The index of the member with exactly this name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.archive.find(name.as_bytes())
    }

    /// The resources without a member: with a `path`, the bitstream is missing; without one, nothing is packaged, as for a
    /// deletion.
    pub fn absent(&self) -> impl Iterator<Item = &MemberResource> {
        self.noted.iter().filter(|noted| noted.member.is_none()).map(|noted| &noted.resource)
    }

    /// Two of these members whose names collide on case-insensitive or normalizing file systems.
    pub fn colliding(&self, chosen: &[u32]) -> Option<(u32, u32)> {
        let is_chosen: BTreeSet<u32> = chosen.iter().copied().collect();
        let mut pair = None;
        collisions(&self.archive, &|index| is_chosen.contains(&index), &mut |one, other, _| {
            pair.get_or_insert((one, other));
        });
        pair
    }

    /// The first of these members that cannot be unpacked with the previous ones, and the limit that this would exceed:
    /// `inflate_ratio` for each whose length the manifest does not list, `unpacked_bytes` for all together. Call it before several members
    /// are unpacked.
    pub fn exceeding(&self, chosen: &[u32]) -> Option<(u32, Reason)> {
        let (ratio, most) = self.limits;
        let mut total: u64 = 0;
        chosen.iter().find_map(|index| {
            let member = self.archive.get(*index)?;
            total = total.saturating_add(member.declared);
            let is_listed = self.resources_of(*index).any(|own| own.length == Some(member.declared));
            let is_large = member.declared > GRACE && member.declared > member.packed.saturating_mul(ratio.into());
            let exceeds_ratio = is_large && !is_listed;
            let (limit, n) = match (exceeds_ratio, total > most) {
                (true, _) => ("inflate_ratio", ratio.into()),
                (false, true) => ("unpacked_bytes", most),
                (false, false) => return None,
            };
            Some((*index, Reason::new(ReasonCode::UnpackLimit).arg("limit", limit).arg("n", n)))
        })
    }

    /// Unpacks a member again and verifies the output. `None` if it is not a file or must not be unpacked. A member that exceeds a
    /// limit has no bytes, and [`Unpack::finish`] returns the reason.
    pub fn unpack(&self, index: u32) -> Option<Unpack> {
        let member = self.archive.get(index)?;
        let is_file = matches!(self.kind_of(index, member), MemberKind::File | MemberKind::Manifest);
        if !is_file || self.state(index) == MemberState::Refused {
            return None;
        }
        let resources: Vec<MemberResource> = self.resources_of(index).cloned().collect();
        let exceeding = self.exceeding(&[index]).map(|(_, reason)| reason);
        Some(Unpack::new(String::from_utf8_lossy(self.archive.name(index)).into_owned(), member, resources, exceeding))
    }

    fn state(&self, index: u32) -> MemberState {
        self.states.get(index as usize).copied().unwrap_or(MemberState::Refused)
    }

    fn kind_of(&self, index: u32, member: &package::ArchiveMember) -> MemberKind {
        match member.what {
            What::Directory => MemberKind::Folder,
            What::Special => MemberKind::Special,
            What::File if self.manifest == Some(index) => MemberKind::Manifest,
            What::File => MemberKind::File,
        }
    }

    fn resources_of(&self, index: u32) -> impl Iterator<Item = &MemberResource> {
        let from = self.by_member.partition_point(|(member, _)| *member < index);
        let own = self.by_member.iter().skip(from).take_while(move |(member, _)| *member == index);
        own.filter_map(|(_, at)| self.noted.get(*at as usize)).map(|noted| &noted.resource)
    }

    fn algorithms(&self, index: u32) -> Vec<Algorithm> {
        let hashes: Vec<Hashes> = self.resources_of(index).map(MemberResource::hashes).collect();
        hashes.iter().flat_map(Hashes::iter).map(|hash| hash.algorithm.clone()).collect()
    }

    fn state_of(
        &self,
        index: u32,
        member: &package::ArchiveMember,
        known: &Known<'_>,
    ) -> (MemberState, Option<String>) {
        if let Some(why) = self.refusal(index, member) {
            return (MemberState::Refused, Some(why.to_owned()));
        }
        let fault = known.faults.binary_search_by_key(&index, |(own, _)| *own);
        if let Some((_, word)) = fault.ok().and_then(|at| known.faults.get(at)) {
            return (MemberState::Damaged, Some((*word).to_owned()));
        }
        let is_read = known.is_fixed && known.unread.binary_search(&index).is_err()
            || known.is_manifest_read && known.manifest == Some(index);
        let is_listed = self.resources_of(index).next().is_some();
        if self.kind_of(index, member) == MemberKind::File {
            if let Some(why) = self.difference(index, member, known.verified) {
                return (MemberState::Differs, Some(why));
            }
            if !is_listed && known.is_listed {
                return (MemberState::Unlisted, None);
            }
        }
        let is_file = member.what == What::File;
        (
            if is_file && !is_read {
                MemberState::Unchecked
            } else if is_listed {
                MemberState::Verified
            } else {
                MemberState::Sound
            },
            None,
        )
    }

    fn refusal(&self, index: u32, member: &package::ArchiveMember) -> Option<&'static str> {
        let name = core::str::from_utf8(self.archive.name(index));
        if member.what == What::Special {
            Some("special")
        } else if name
            .is_ok_and(|name| name_fault(name).is_some_and(|(code, _)| code.requirement().severity == Severity::Error))
            || name.is_err()
        {
            Some("name")
        } else if self.archive.is_repeated(index) {
            Some("repeated")
        } else if member.is_encrypted() {
            Some("encrypted")
        } else if !matches!(member.method, 0 | 8) {
            Some("method")
        } else {
            member.blocked.then_some("structure")
        }
    }

    /// The difference from the manifest.
    fn difference(&self, index: u32, member: &package::ArchiveMember, verified: &Verified) -> Option<String> {
        use crate::rules::PackageMembers;
        self.resources_of(index).find_map(|resource| {
            if resource.length.is_some_and(|length| length != member.declared) {
                return Some("length".to_owned());
            }
            let hashes = resource.hashes();
            let other = hashes.iter().find(|hash| {
                verified.digest(index, &hash.algorithm).is_some_and(|actual| actual != hash.digest.as_ref())
            });
            other.map(|hash| hash.algorithm.as_str().to_owned())
        })
    }
}
