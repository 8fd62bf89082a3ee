//! A package that a dump lists, and what it may be used for.

use alloc::string::String;

use resourcesync::{
    api::{MemberResource, Outcome, Role},
    diagnostic::{Code, Reason, ReasonCode, Severity},
    model::{AnyField, Entry},
    value::Hashes,
};

use crate::{
    audit::by_digest,
    decide::Action,
    listed_resource::{ListedResource, moment},
};

/// The media type of packages that can be read; those of another type are passed over (DP-45).
const ZIP: &str = "application/zip";

/// A package that a dump lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Package {
    /// Its URI, length and digests, as for any listed resource.
    pub resource: ListedResource,
    /// The moment of the resources in it, as written.
    pub at: Option<String>,
}

impl Package {
    /// The package of an entry of a dump; `None` if its `loc` cannot be read.
    pub(crate) fn of(entry: &Entry) -> Option<Package> {
        let resource = ListedResource::of(entry)?;
        let at = entry.first_md().and_then(|md| md.attributes.at());
        let at = at.filter(|at| at.value().is_some()).map(|at| at.text().into_owned());
        Some(Package { resource, at })
    }

    /// True if it can be read, as far as the dump tells.
    pub fn is_readable(&self) -> bool {
        self.resource.media_type.as_deref().is_none_or(|media_type| media_type.eq_ignore_ascii_case(ZIP))
    }

    /// True if a member of it may be a resource that is planned. What the list states is compared with the bytes themselves, too; without a
    /// listed digest only the time of the package tells that they are not older than listed.
    pub fn may_supply(&self, member: &MemberResource, action: Action, resource: &ListedResource) -> bool {
        let is_bitstream =
            member.role == Role::Bitstream && member.path.is_some() && member.change.as_deref() != Some("deleted");
        let has_digest = resource.hashes().iter().next().is_some();
        let is_later = || {
            let modified = resource.modified().map(|modified| modified.start());
            modified.zip(self.at.as_deref().and_then(moment)).is_some_and(|(modified, at)| modified < at.start())
        };
        let own = member.hash.as_deref().map(Hashes::readable).unwrap_or_default();
        let same_length = resource.length.zip(member.length).is_none_or(|(listed, own)| listed == own);
        action == Action::Fetch
            && is_bitstream
            && resource.encoding.is_none()
            && (has_digest || is_later())
            && same_length
            && by_digest(&resource.hashes(), &own) != Some(false)
    }
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
