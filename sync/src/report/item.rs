//! The result of one resource in a report.

use alloc::string::String;

use resourcesync::{diagnostic::Reason, named_enum};
use serde::{Deserialize, Serialize};

named_enum! {
    /// The code of a problem of a resource. Codes of the core keep their meaning.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum ItemCode {
        /// A digest differs from the list.
        #[serde(rename = "AT-09")]
        Digest = "AT-09",
        /// The length differs from the list.
        #[serde(rename = "AT-11")]
        Length = "AT-11",
        /// It could not be read.
        #[serde(rename = "INP-01")]
        Unreadable = "INP-01",
        /// It is listed but missing.
        #[serde(rename = "INP-05")]
        Missing = "INP-05",
        /// It is newer than its list.
        #[serde(rename = "SYN-06")]
        Newer = "SYN-06",
        /// Two URIs have the same file name.
        #[serde(rename = "SYN-08")]
        SameName = "SYN-08",
        /// A foreign file is in the way.
        #[serde(rename = "SYN-09")]
        Foreign = "SYN-09",
        /// The file was changed since it was written.
        #[serde(rename = "SYN-10")]
        Local = "SYN-10",
        /// No digest is listed, but one is required.
        #[serde(rename = "SYN-12")]
        NoDigest = "SYN-12",
        /// No space is left, or writing failed.
        #[serde(rename = "SYN-15")]
        NoSpace = "SYN-15",
        /// Its host is not allowed.
        #[serde(rename = "SYN-24")]
        NotAllowed = "SYN-24",
    }
}

/// Digests and length of a resource, as listed or as received.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Digests, as the standard writes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
}

named_enum! {
    /// The action for a resource.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Doing {
        /// It was not stored before.
        Create = "create",
        /// It was stored in another state.
        Update = "update",
        /// It is no longer listed.
        Delete = "delete",
        /// It is a version that is kept in the history.
        Archive = "archive",
    }
}

named_enum! {
    /// The outcome.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Done {
        /// Done.
        Done = "done",
        /// It failed; the run is incomplete.
        Failed = "failed",
        /// It waits for a later list.
        Deferred = "deferred",
        /// A foreign file is in the way.
        Conflict = "conflict",
        /// It would be done, in a dry run.
        Planned = "planned",
        /// A guard prevents it.
        Withheld = "withheld",
    }
}

named_enum! {
    /// Where the bytes of a resource are from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum BytesFrom {
        /// Its URI.
        Loc = "loc",
        /// A package of a dump.
        Package = "package",
        /// A mirror.
        Mirror = "mirror",
        /// Its memento.
        Memento = "memento",
        /// The stored state before, and a patch.
        Patch = "patch",
        /// Another file of the copy with the listed digests.
        Local = "local",
    }
}

/// Where the bytes of a resource are from, with the URI of that place unless it is that of the resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What it is.
    pub from: BytesFrom,
    /// Its URI.
    pub uri: Option<String>,
}

impl Origin {
    /// The place at a URI.
    pub fn at(from: BytesFrom, uri: &str) -> Origin {
        Origin { from, uri: Some(uri.into()) }
    }
}

impl From<BytesFrom> for Origin {
    fn from(from: BytesFrom) -> Origin {
        Origin { from, uri: None }
    }
}

/// The result of one resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The resource.
    pub uri: String,
    /// Its file, below the folder of the copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The action.
    pub action: Doing,
    /// The outcome.
    pub result: Done,
    /// The code, if it is not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<ItemCode>,
    /// The reason in detail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
    /// The listed values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Seen>,
    /// The received values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Seen>,
    /// Where the bytes are from, if they were stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_from: Option<BytesFrom>,
    /// The URI of that package, mirror, memento or patch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// True if the copy of an earlier run still exists.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub kept: bool,
}
