//! The state of a set between two runs, a plain value.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{known::Known, listed_resource::moment};

/// How far the changes of a set have been processed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// The Capability List.
    pub set: String,
    /// All changes up to here are applied, or are debts; as the Source writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// The time of the Resource Lists it began with, as written: changes before that are in these lists, also where a Change List names them
    /// only later. `None` if that time was ahead of the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The Change Lists that the Capability List names, or their indexes; without any, the Change Dumps.
    #[serde(default)]
    pub sources: Vec<String>,
    /// The Change Dumps that the Capability List names, or their indexes, as places for bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dumps: Vec<String>,
    /// The Change Lists that were open.
    #[serde(default)]
    pub open: Vec<Open>,
    /// Closed Change Lists that ended at the last moment or later, and have been processed: other lists may end in the same second.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<Open>,
    /// The beginnings and ends of other lists of the index within the time of these; `None` if they are not known, or too many. A new one was written
    /// after the clock of the Source was set back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner: Option<BTreeSet<String>>,
    /// Indexes and the Capability List, for conditional requests.
    #[serde(default)]
    pub documents: Vec<Known>,
    /// The latest times of Change Lists; documents of earlier times are not used.
    #[serde(default)]
    pub seen: Seen,
    /// When the indexes or the Capability List were requested last, in seconds since 1970.
    #[serde(default)]
    pub consulted: i64,
    /// The changes between the Resource Lists and the first Change List, which no document contains. Everything listed since is applied,
    /// but only newer Resource Lists show whether that is all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hole: Option<Gap>,
}

/// An open Change List that has been processed to its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Open {
    /// Its URI.
    pub uri: String,
    /// Its beginning, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Number of entries that have been processed.
    pub entries: u64,
    /// SHA-256 of these entries, in hexadecimal.
    pub prefix: String,
    /// The latest `datetime` among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// Which resources they changed last, and when, in hexadecimal: 4 bytes of the SHA-256 of each URI, 5 with the seconds since 1970, and 1 with the
    /// number of changes of this time. Empty for entry by entry, or if there are more than 50,000.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub marks: String,
    /// `ETag` of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// `Last-Modified` of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
}

/// The latest times that were accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// `from` of open Change Lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// `until` of closed Change Lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

impl Open {
    /// The same without its marks, which may be long.
    pub(crate) fn unmarked(&self) -> Open {
        Open {
            uri: self.uri.clone(),
            from: self.from.clone(),
            entries: self.entries,
            prefix: self.prefix.clone(),
            last: self.last.clone(),
            marks: String::new(),
            etag: self.etag.clone(),
            modified: self.modified.clone(),
        }
    }
}

impl Checkpoint {
    /// The moment up to which all changes are known to be applied, or to be debts.
    pub fn proven(&self) -> Option<&str> {
        match &self.hole {
            Some(hole) => hole.after.as_deref(),
            None => self.as_of.as_deref(),
        }
    }

    /// When all that is stored was as listed, or a debt, in seconds since 1970: by the clock of the Source, or by that of its server.
    pub(crate) fn known_at(&self) -> i64 {
        self.proven().and_then(moment).map_or(self.consulted, |proven| proven.to_unix().0)
    }

    /// True if changes since the Resource Lists are applied.
    pub(crate) fn is_past_lists(&self) -> bool {
        self.proven().is_some_and(|proven| self.baseline.as_deref() != Some(proven))
    }

    /// True if the changes since it can be followed.
    pub fn is_usable(&self) -> bool {
        !self.sources.is_empty() && (self.as_of.is_some() || !self.open.is_empty())
    }
}

/// The changes between two times that no list contains, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The end of what is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The beginning of the next list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}
