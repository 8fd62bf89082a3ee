//! A document that was read, as stored between runs.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// The stored state of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Known {
    /// Its URI.
    pub uri: String,
    /// Its role.
    pub role: Role,
    /// True if given by the user.
    #[serde(default)]
    pub is_start: bool,
    /// `ETag` of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// `Last-Modified` of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// SHA-256 of the document.
    pub digest: String,
    /// The time of a list, or if that is ahead of the clock, the last one that was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// True if the time of the list is ahead of the clock.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_ahead: bool,
}

/// The role of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A URI given by the user, or a well-known URI: any document that leads to a Source.
    Start,
    /// `robots.txt`.
    Robots,
    /// A Source Description or its index.
    Description,
    /// A Capability List.
    CapabilityList,
    /// A Resource List or its index.
    List,
    /// A Resource List that an index contains.
    Member,
    /// An index that is read again to check whether its members belong to one snapshot.
    Again,
    /// A Change List or its index, as a Capability List names it; where there is none, a Change Dump or its index.
    Changes,
    /// A Change List: a member of an index, or one that was open before.
    ChangeList,
    /// A dump or its index, as a place for bytes.
    Dump,
    /// The manifest of a package, where the dumps are the lists.
    Manifest,
}
