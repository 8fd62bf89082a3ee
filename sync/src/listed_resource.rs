//! A resource described by a list.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    api::plain,
    model::{AnyField, Attributes, Entry, Link},
    value::{Algorithm, Datetime, Hashes, Parsed, Pri, Value, key},
};
use serde::{Deserialize, Serialize};

use crate::digests::by_digest;

/// The maximum number of mirrors of one resource.
const MIRRORS: usize = 16;
/// The links of a resource that a copy passes on (§14.3, 14.5, 14.6, 14.8).
const PASSED_ON: [&str; 9] =
    ["alternate", "canonical", "describedby", "describes", "memento", "profile", "timegate", "timemap", "via"];
/// The maximum number of them.
const LINKS: usize = 64;

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
    /// True if a digest or a length is listed, and none of the digests, or not the length, can be read.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_illegible: bool,
    /// The content coding to which digests and length apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// A resource with exactly the listed state (§14.6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memento: Option<String>,
    /// Where else exactly the same bytes are (§14.2), those to be preferred first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mirrors: Vec<Mirror>,
    /// How it changed from the state before (§14.4), if this is its only change since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Patch>,
    /// True if a change may have deleted it whose place among the others is unknown: its server knows.
    #[serde(default, skip_serializing_if = "is_false")]
    pub may_be_deleted: bool,
    /// True if only its own server shows that it is in this state: a change without a time may be older than the lists that were just read.
    #[serde(default, skip_serializing_if = "is_false")]
    pub only_at_loc: bool,
    /// True if no list contains it: an entry links to it ([`Related`](crate::related::Related)).
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_related: bool,
    /// What it is selected by.
    #[serde(default, skip_serializing_if = "Facets::is_empty")]
    pub facets: Facets,
    /// Its links that a copy passes on, as listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<plain::Link>,
}

/// What a resource is selected by, beside its URI and its length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facets {
    /// Its media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The collections it belongs to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collections: Vec<String>,
}

impl Facets {
    fn is_empty(&self) -> bool {
        self.media_type.is_none() && self.collections.is_empty()
    }
}

/// A place with the bytes of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mirror {
    /// Its URI.
    pub uri: String,
    /// Its priority, from 1.
    pub pri: u32,
}

/// A patch that leads from the state of a resource before its change to the listed one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// Its URI.
    pub uri: String,
    /// Its media type, as listed.
    pub media_type: String,
    /// Its digests; only known algorithms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Its length in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_false(value: &bool) -> bool {
    !value
}

impl ListedResource {
    /// True if what is listed shows that these are other bytes.
    #[must_use]
    pub fn differs(&self, other: &ListedResource) -> bool {
        let is_longer = self.length.zip(other.length).is_some_and(|(own, other)| own != other);
        is_longer || by_digest(&self.hashes(), &other.hashes()) == Some(false)
    }

    /// True if only its own server knows whether it is in this state: no mirror, package or memento shows that.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.may_be_deleted || self.only_at_loc
    }

    /// The resource of an entry; `None` if its `loc` cannot be read.
    pub fn of(entry: &Entry) -> Option<ListedResource> {
        let loc = entry.uri()?.as_str();
        let md = entry.first_md().map(|md| &md.attributes);
        let lastmod = entry.lastmod.first().filter(|lastmod| lastmod.field.value().is_some());
        let (hash, length) = (md.and_then(|md| md.hash()), md.and_then(|md| md.length()));
        let hashes = hash.map(|hash| known(&hash.readable())).filter(|hashes| hashes.iter().next().is_some());
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
            is_illegible: hash.is_some() && hashes.is_none() || length.is_some_and(|length| length.value().is_none()),
            hash: hashes.map(|hashes| hashes.to_string()),
            length: length.and_then(|length| length.value()).map(|length| length.0),
            encoding: encoding.map(|coding| coding.to_string().to_ascii_lowercase()),
            facets: Facets {
                media_type: media_type.map(ToString::to_string),
                collections: linked("collection").collect(),
            },
            memento: linked("memento").next(),
            mirrors: mirrors(entry),
            may_be_deleted: false,
            patch: Patch::of(entry),
            only_at_loc: false,
            is_related: false,
            links: entry
                .links
                .iter()
                .filter(|link| PASSED_ON.iter().any(|name| is(link, name)))
                .take(LINKS)
                .map(plain::Link::from)
                .collect(),
        })
    }

    /// The resource as a mirror has it.
    pub fn at(&self, mirror: &str) -> ListedResource {
        ListedResource { loc: mirror.to_string(), memento: None, ..self.clone() }
    }

    /// The listed state as its memento has it (§14.6); `None` if there is no memento over HTTP, or no digest to verify it by.
    pub fn version(&self) -> Option<ListedResource> {
        let memento = self.memento.as_deref().filter(|memento| self.hash.is_some() && is_http(memento))?;
        Some(ListedResource {
            uri: self.uri.clone(),
            loc: memento.to_string(),
            lastmod: self.lastmod.clone(),
            hash: self.hash.clone(),
            length: self.length,
            encoding: self.encoding.clone(),
            ..ListedResource::default()
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

impl Patch {
    /// The patch of an entry: the first link to one over HTTP.
    fn of(entry: &Entry) -> Option<Patch> {
        let links = entry.links.iter().map(|link| &link.attributes);
        let mut patches = links.filter(|link| link.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is_patch()));
        patches.find_map(|link| {
            let uri = link.href()?.value()?.as_str();
            let hashes = link.hash().map(|hash| known(&hash.readable()));
            is_http(uri).then_some(Patch {
                uri: uri.to_string(),
                media_type: link.media_type()?.text().into_owned(),
                hash: hashes.filter(|hashes| hashes.iter().next().is_some()).map(|hashes| hashes.to_string()),
                length: link.length().and_then(|length| length.value()).map(|length| length.0),
            })
        })
    }
}

/// The mirrors of an entry, in order. One whose link states other digests, another length or another coding than the entry is none.
fn mirrors(entry: &Entry) -> Vec<Mirror> {
    if entry.links.is_empty() {
        return Vec::new();
    }
    let own = entry.first_md().map(|md| &md.attributes);
    let length = |of: &Attributes| of.length().and_then(|length| length.value()).map(|length| length.0);
    let coding = |of: &Attributes| of.encoding().and_then(|coding| coding.value()).map(ToString::to_string);
    let listed = own.and_then(|own| own.hash()).map(|hash| hash.readable()).unwrap_or_default();
    let is_same = |link: &Attributes| {
        let other = link.hash().map(|hash| hash.readable()).unwrap_or_default();
        let same_digest =
            listed.iter().all(|hash| other.get(&hash.algorithm).is_none_or(|other| *other == *hash.digest));
        let same_length = own.and_then(length).zip(length(link)).is_none_or(|(own, other)| own == other);
        same_digest && same_length && coding(link).is_none_or(|other| own.and_then(coding) == Some(other))
    };
    let mut mirrors: Vec<Mirror> = entry
        .links
        .iter()
        .map(|link| &link.attributes)
        .filter(|link| link.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is("duplicate")) && is_same(link))
        .filter_map(|link| {
            let uri = link.href()?.value()?.as_str();
            let pri = link.pri().and_then(|pri| pri.value()).map_or(Pri::LAST, |pri| *pri).get();
            is_http(uri).then(|| Mirror { uri: uri.to_string(), pri })
        })
        .take(MIRRORS)
        .collect();
    mirrors.sort_by_key(|mirror| mirror.pri);
    mirrors
}

pub(crate) fn is_http(uri: &str) -> bool {
    let begins = |scheme: &&str| uri.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    ["http://", "https://"].iter().any(begins)
}

/// A date and time as written in a document.
pub(crate) fn moment(text: &str) -> Option<Datetime> {
    match Datetime::read(text) {
        Parsed::Exact(moment) | Parsed::Lenient(moment) => Some(moment),
        Parsed::Malformed => None,
    }
}

/// The digests of known algorithms; others cannot be checked (DP-44).
pub(crate) fn known(hashes: &Hashes) -> Hashes {
    let mut known = Hashes::default();
    for hash in hashes.iter().filter(|hash| !matches!(hash.algorithm, Algorithm::Other(_))) {
        known.push(hash.algorithm.clone(), hash.digest.clone());
    }
    known
}
