//! A resource described by a list.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    model::{AnyField, Entry, Link},
    value::{Algorithm, Datetime, Hashes, Parsed, Value, key},
};
use serde::{Deserialize, Serialize};

/// A listed resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedResource {
    /// The URI that identifies the copy: normalised, without fragment.
    pub uri: String,
    /// The URI to request, as written.
    pub loc: String,
    /// The time of its last modification, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<String>,
    /// Its digests in the notation of the standard; only known algorithms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Its length in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// The content coding to which digests and length apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// A resource with exactly the listed state (§14.6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memento: Option<String>,
    /// True if a change may have deleted it whose place among the others is unknown: its server knows.
    #[serde(default, skip_serializing_if = "is_false")]
    pub may_be_deleted: bool,
    /// Its media type, used for selection.
    #[serde(skip)]
    pub media_type: Option<String>,
    /// The collections it belongs to, used for selection.
    #[serde(skip)]
    pub collections: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_false(value: &bool) -> bool {
    !value
}

impl ListedResource {
    /// The resource of an entry; `None` if its `loc` cannot be read.
    pub fn of(entry: &Entry) -> Option<ListedResource> {
        let loc = entry.uri()?.as_str();
        let md = entry.first_md().map(|md| &md.attributes);
        let lastmod = entry.lastmod.first().filter(|lastmod| lastmod.field.value().is_some());
        let hashes = md.and_then(|md| md.hash()).map(|hash| known(&hash.readable()));
        let encoding = md.and_then(|md| md.encoding()).and_then(|encoding| encoding.value());
        let media_type = md.and_then(|md| md.media_type()).and_then(|media_type| media_type.value());
        let is =
            |link: &Link, name: &str| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is(name));
        let linked = |name: &'static str| {
            let links = entry.links.iter().filter(move |link| is(link, name));
            links.filter_map(|link| link.attributes.href()?.value()).map(|uri| uri.as_str().to_string())
        };
        Some(ListedResource {
            uri: key(loc),
            loc: loc.to_string(),
            lastmod: lastmod.map(|lastmod| lastmod.field.text().into_owned()),
            hash: hashes.filter(|hashes| hashes.iter().next().is_some()).map(|hashes| hashes.to_string()),
            length: md.and_then(|md| md.length()).and_then(|length| length.value()).map(|length| length.0),
            encoding: encoding.map(|coding| coding.to_string().to_ascii_lowercase()),
            media_type: media_type.map(ToString::to_string),
            memento: linked("memento").next(),
            may_be_deleted: false,
            collections: linked("collection").collect(),
        })
    }

    /// The listed digests that can be checked.
    pub fn hashes(&self) -> Hashes {
        self.hash.as_deref().map(Hashes::readable).unwrap_or_default()
    }

    /// When it was last modified.
    pub fn modified(&self) -> Option<Datetime> {
        self.lastmod.as_deref().and_then(moment)
    }
}

/// A date and time as written in a document.
pub(crate) fn moment(text: &str) -> Option<Datetime> {
    match Datetime::read(text) {
        Parsed::Exact(moment) | Parsed::Lenient(moment) => Some(moment),
        Parsed::Malformed => None,
    }
}

/// The digests of known algorithms; others cannot be checked (DP-44).
fn known(hashes: &Hashes) -> Hashes {
    let mut known = Hashes::default();
    for hash in hashes.iter().filter(|hash| !matches!(hash.algorithm, Algorithm::Other(_))) {
        known.push(hash.algorithm.clone(), hash.digest.clone());
    }
    known
}
