//! Document, head, entry and link as plain values.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{Attribute, Digests};
use crate::model::Kind;

/// A whole document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Document {
    /// The kind, such as `resource-list`.
    pub kind: Kind,
    /// Its root metadata.
    pub head: Head,
    /// The entries, in order.
    pub entries: Vec<Entry>,
}

/// The root metadata of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Head {
    /// The capability; when building, that of the kind if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
    /// When the snapshot was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// When the snapshot was finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed: Option<String>,
    /// The beginning of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The end of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Links: `up`, `index`, `describedby` …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Other attributes of `rs:md`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
    /// Other elements, as self-contained XML.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<String>,
    /// Attributes of the root element, such as `xsi:schemaLocation`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub root_attributes: Vec<Attribute>,
}

/// One entry: a resource, a change, a package, a document. Of repeated elements that may occur only once, the
/// first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Entry {
    /// The URI of the listed resource or document: `loc`.
    pub uri: String,
    /// When it was last modified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<String>,
    /// How often it is likely to change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changefreq: Option<String>,
    /// `priority` of the Sitemap protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// What happened to it: `created`, `updated` or `deleted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// When the change happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datetime: Option<String>,
    /// The capability of the linked document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability: Option<String>,
    /// When the snapshot was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// When the snapshot was finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed: Option<String>,
    /// The beginning of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The end of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Digests of the bitstream.
    #[serde(skip_serializing_if = "Digests::is_empty")]
    pub hashes: Digests,
    /// Length of the bitstream in bytes; also absent if the value is not a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Media type of the bitstream.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Content codings of the bitstream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Path of the bitstream in the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Links to related resources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Other attributes of `rs:md`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
    /// Other elements, as self-contained XML.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<String>,
}

/// One link.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Link {
    /// The relation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rel: Option<String>,
    /// The target URI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// The priority among links of its relation, 1 to 999999; lower is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pri: Option<u32>,
    /// When the linked resource was last modified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Digests of the linked bitstream.
    #[serde(skip_serializing_if = "Digests::is_empty")]
    pub hashes: Digests,
    /// Length of the linked bitstream in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Media type of the linked bitstream.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Content codings of the linked bitstream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Path of the linked bitstream in the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Other attributes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
}
