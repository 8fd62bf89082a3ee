//! What a copy holds, as its ledger records it, and as it is published again.

use std::path::Path;

use resourcesync::{api::plain::Link, value::Uri};

use super::{CopiedResource, SyncError, binding::Binding, folder::holding, ledger::Ledger, open::state_of};
use crate::publish::uri_of;

/// The relation of a resource to the one that it is a copy of (§14.8).
pub const VIA: &str = "via";

/// A resource of a copy, as others may list it.
#[derive(Debug, Clone, PartialEq)]
pub struct Inventoried {
    /// What is stored.
    pub resource: CopiedResource,
    /// Its URI: that of the Source, or the one below the base at which the copy is published.
    pub uri: String,
    /// The links that are passed on. Below a base, one of them is `via`: where the Source has the resource from, or else the Source itself.
    pub links: Vec<Link>,
}

/// How a copy is published again.
#[derive(Debug, Clone, Default)]
pub struct Republished {
    /// The URI of the folder; without one, the resources keep their URIs.
    pub base: Option<Uri>,
    /// No link `via` is passed on or made.
    pub without_via: bool,
}

/// Passes on everything that a copy holds, in the order of the URIs. `state` is where its ledger is, if not in the folder.
///
/// # Errors
///
/// If the folder is no copy, its state cannot be read, or `take` fails.
pub fn inventory(
    folder: &Path,
    state: Option<&Path>,
    published: &Republished,
    take: &mut dyn FnMut(Inventoried) -> Result<(), SyncError>,
) -> Result<(), SyncError> {
    let ledger = Ledger::read(&state_of(folder, state))?.ok_or(SyncError::NotACopy)?;
    let places = Binding::of(&ledger)?.ok_or(SyncError::NotACopy)?.places();
    ledger.each_sorted(&mut |stored, _| {
        let path = stored.path.clone().or_else(|| places.of(&stored.uri)).unwrap_or_default();
        let links = ledger.links(&stored.uri)?;
        take(published.of(holding(stored, path), links))
    })
}

impl Republished {
    fn of(&self, resource: CopiedResource, mut links: Vec<Link>) -> Inventoried {
        let uri = self.base.as_ref().map(|base| format!("{base}{}", uri_of(Path::new(&resource.path))));
        let is_via = |link: &Link| link.rel.as_deref() == Some(VIA);
        if self.without_via {
            links.retain(|link| !is_via(link));
        } else if uri.is_some() && !links.iter().any(is_via) {
            links.push(Link { rel: Some(VIA.to_owned()), href: Some(resource.uri.clone()), ..Link::default() });
        }
        Inventoried { uri: uri.unwrap_or_else(|| resource.uri.clone()), resource, links }
    }
}
