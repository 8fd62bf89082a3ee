//! A package that a dump lists, and what it may be used for.

use alloc::{string::String, vec, vec::Vec};

use resourcesync::{
    api::{InputOrigin, MemberResource, Options, Outcome, ReadAt, Role, Verification},
    diagnostic::{Code, Reason, ReasonCode, Severity},
    fixity::Digester,
    limits::Limits,
    model::{AnyField, Attributes, Entry, Field},
    value::{Datetime, Hashes},
};

use crate::{
    decide::Action,
    digests::by_digest,
    listed_resource::{ListedResource, moment},
    report::ItemCode,
};

/// The media type of packages that can be read; those of another type are passed over (DP-45).
const ZIP: &str = "application/zip";
/// The name of the manifest in a package.
const MANIFEST: &str = "manifest.xml";
/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// A package that a dump lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Package {
    /// Its URI, length and digests, as for any listed resource.
    pub resource: ListedResource,
    /// The moment of the resources in it, as written.
    pub at: Option<String>,
    /// The end of the changes in it, as written.
    pub until: Option<String>,
}

impl Package {
    /// The package of an entry of a dump; `None` if its `loc` cannot be read.
    pub(crate) fn of(entry: &Entry) -> Option<Package> {
        let resource = ListedResource::of(entry)?;
        let md = entry.first_md().map(|md| &md.attributes);
        let written = |time: Option<&Field<Datetime>>| {
            time.filter(|time| time.value().is_some()).map(|time| time.text().into_owned())
        };
        let (at, until) = (written(md.and_then(|md| md.at())), written(md.and_then(|md| md.until())));
        Some(Package { resource, at, until })
    }

    /// True if it can be read, as far as the dump tells.
    pub fn is_readable(&self) -> bool {
        self.resource.facets.media_type.as_deref().is_none_or(|media_type| media_type.eq_ignore_ascii_case(ZIP))
    }

    /// True if all changes in it are from before a moment.
    pub fn is_before(&self, since: &Datetime) -> bool {
        let until = self.until.as_deref().and_then(moment);
        until.is_some_and(|until| until.start() < since.start())
    }

    /// The package without the time that its dump states, unless its manifest states no earlier one.
    #[must_use]
    pub fn confirmed(&self, verification: &Verification<'_>) -> Package {
        let is_confirmed =
            |at: &String| moment(at).zip(verification.manifest_at()).is_some_and(|(at, own)| own.start() >= at.start());
        Package { at: self.at.clone().filter(is_confirmed), ..self.clone() }
    }

    /// True if a member of it may be a resource that is planned. What the list states is compared with the bytes themselves, too; without a
    /// listed digest only the time of the package, where it can be relied on, tells that they are not older than listed.
    pub fn may_supply(&self, member: &MemberResource, action: Action, resource: &ListedResource) -> bool {
        let is_bitstream =
            member.role == Role::Bitstream && member.path.is_some() && member.change.as_deref() != Some("deleted");
        let has_digest = resource.hashes().iter().next().is_some();
        // At the URI of a package another one may be; only its digest shows that it is the one that the dump states the time of.
        let is_stated = self.resource.hashes().iter().next().is_some();
        let is_later = || {
            let at = self.at.as_deref().and_then(moment).filter(|_| is_stated);
            at.is_some_and(|at| resource.modified().is_none_or(|modified| modified.start() < at.start()))
        };
        let own = member.hash.as_deref().map(Hashes::readable).unwrap_or_default();
        let same_length = resource.length.zip(member.length).is_none_or(|(listed, own)| listed == own);
        action == Action::Fetch
            && is_bitstream
            && resource.encoding.is_none()
            && !resource.is_asked()
            && (has_digest || is_later())
            && same_length
            && by_digest(&resource.hashes(), &own) != Some(false)
    }
}

/// What a dump states of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated {
    /// Its length in bytes.
    pub length: Option<u64>,
    /// Its digests, as written.
    pub hash: Option<String>,
}

impl Stated {
    /// What an entry states.
    pub(crate) fn of(md: &Attributes) -> Stated {
        let length = md.length().and_then(|length| length.value()).map(|length| length.0);
        Stated { length, hash: md.hash().map(|hash| hash.text().into_owned()) }
    }
}

/// Reads the manifest of a package of this size: its structure, and no other member. All bytes are read if they are at hand, to compare their
/// digest with that which the dump states; that of others is compared only if they are fetched for their members.
///
/// # Errors
///
/// If it is another package than the dump states, cannot be read, is not sound, or has no manifest. Then what was pushed does not count.
pub fn read_manifest(
    uri: &str,
    stated: &Stated,
    (size, is_at_hand): (u64, bool),
    limits: &Limits,
    read: &mut ReadAt<'_>,
    push: &mut dyn FnMut(&[u8]),
) -> Result<(), Reason> {
    let fault = |code: ItemCode| Reason::new(ReasonCode::PackageFault).arg("code", code.as_str());
    if stated.length.is_some_and(|length| length != size) {
        return Err(fault(ItemCode::Length));
    }
    let hashes = stated.hash.as_deref().map(Hashes::readable).unwrap_or_default();
    if is_at_hand && by_digest(&hashes, &digests(&hashes, size, read)?) == Some(false) {
        return Err(fault(ItemCode::Digest));
    }
    let mut options = Options::default();
    (options.limits, options.no_fixity) = (limits.clone(), true);
    let verification = Verification::new(&options, InputOrigin::named(uri), size);
    let (outcome, contents) = verification.run_for_contents(read);
    if let Some(fault) = fault_of(&outcome) {
        return Err(fault);
    }
    let manifest = contents.find(MANIFEST).and_then(|index| contents.unpack(index));
    let mut unpack = manifest.ok_or_else(|| Reason::new(ReasonCode::NoManifest))?;
    let mut buffer = Vec::new();
    while let Some(range) = unpack.wants() {
        let length = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or_default();
        buffer.clear();
        buffer.resize(length, 0);
        read(range.start, &mut buffer)?;
        unpack.give(&buffer, push);
    }
    unpack.finish().map_err(|found| Reason::new(ReasonCode::PackageFault).arg("code", &found.code))
}

/// The digests of a package of this size, by these algorithms.
fn digests(named: &Hashes, size: u64, read: &mut ReadAt<'_>) -> Result<Hashes, Reason> {
    let mut digester = Digester::new(named.iter().map(|hash| hash.algorithm.clone()));
    let (mut window, mut offset) = (vec![0; WINDOW], 0);
    while offset < size && named.iter().next().is_some() {
        let left = usize::try_from(size.saturating_sub(offset)).unwrap_or(WINDOW).min(WINDOW);
        let room = window.get_mut(..left).unwrap_or_default();
        read(offset, room)?;
        digester.push(room);
        offset = offset.saturating_add(left as u64);
    }
    Ok(digester.finish())
}

/// What is wrong with a package that was verified, with its code; `None` if its members may be used. What its manifest lacks of the standard
/// does not matter, since the lists are what counts.
pub(crate) fn fault_of(outcome: &Outcome) -> Option<Reason> {
    let checked = [outcome].into_iter().chain(&outcome.inside);
    let errors = checked.flat_map(|outcome| outcome.checked.groups.keys());
    let codes = errors.filter(|(_, severity)| *severity == Severity::Error).map(|(code, _)| *code);
    let is_of_package = |code: &Code| ["ZIP", "PKG", "XML", "INP", "LIM"].contains(&code.family());
    let is_incomplete = outcome.incomplete || outcome.inside.iter().any(|inside| inside.incomplete);
    let fault = codes.clone().find(is_of_package).or_else(|| codes.clone().next().filter(|_| is_incomplete));
    let fault = fault.or_else(|| is_incomplete.then_some(Code::INP_01));
    fault.map(|code| Reason::new(ReasonCode::PackageFault).arg("code", code.id()))
}
