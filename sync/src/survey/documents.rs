//! The documents of a survey: what they are read for, and what is remembered of them.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{diagnostic::Reason, model::Kind};
use serde::{Deserialize, Serialize};

/// What a document is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// What the user named, or a well-known place: it may be anything that leads to a Source.
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
    /// An index that is read once more, to find out whether its members are of one snapshot.
    IndexAgain,
}

/// A document that was read, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Where it is.
    pub uri: String,
    /// What it was read for.
    pub role: Role,
    /// What it is.
    pub kind: Kind,
    /// Its entries.
    pub entries: u64,
    /// Its moment, as written.
    pub at: Option<String>,
    /// Why it was not read to its end.
    pub unread: Option<Reason>,
}

impl Read {
    pub(super) fn unread(uri: &str, role: Role, reason: Reason) -> Read {
        Read { uri: uri.to_string(), role, kind: Kind::Unknown, entries: 0, at: None, unread: Some(reason) }
    }
}

/// What is remembered of a Source between runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The documents that lead to the lists, and the lists.
    pub documents: Vec<Known>,
}

impl Remembered {
    /// The moment of the newest list.
    pub fn as_of(&self) -> Option<&str> {
        let moment = |text: &&str| crate::wanted::moment(text).map(|moment| moment.start());
        self.documents.iter().filter_map(|known| known.at.as_deref()).max_by_key(moment)
    }

    /// The greatest moment of the list at a URI.
    pub(super) fn at(&self, uri: &str) -> Option<&str> {
        self.documents.iter().find(|known| known.uri == uri).and_then(|known| known.at.as_deref())
    }
}

/// What is remembered of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Known {
    /// Where it is.
    pub uri: String,
    /// What it was read for.
    pub role: Role,
    /// True if the user named it.
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
    /// The moment of a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}
