//! The history of earlier publications: plain values that the caller stores.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::value::Datetime;

/// The Change Lists of a set so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeHistory {
    /// The closed lists, in order. Removed ones are no longer listed.
    pub closed: Vec<Interval>,
    /// The open list.
    pub open: Opened,
}

/// An open Change List.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Opened {
    /// Its number, never used again.
    pub number: u64,
    /// The beginning of its interval.
    pub from: Datetime,
}

/// A closed Change List.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Interval {
    /// Its number, never used again.
    pub number: u64,
    /// The beginning of its interval.
    pub from: Datetime,
    /// The end of its interval.
    pub until: Datetime,
}

impl ChangeHistory {
    /// An empty history: changes are listed from this moment on.
    pub fn since(from: Datetime) -> ChangeHistory {
        ChangeHistory { closed: Vec::new(), open: Opened { number: 1, from } }
    }
}

/// The Change Dump of a set so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DumpHistory {
    /// The start of the interval, used while there is no package.
    pub from: Datetime,
    /// The packages, in order. Removed ones are no longer listed.
    pub packages: Vec<PackageRecord>,
    /// The number of the next package.
    pub next: u64,
}

impl DumpHistory {
    /// An empty history: changes are packaged from this moment on.
    pub fn since(from: Datetime) -> DumpHistory {
        DumpHistory { from, packages: Vec::new(), next: 1 }
    }
}

/// A package of a Change Dump.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PackageRecord {
    /// Its number, never used again.
    pub number: u64,
    /// The beginning of its interval.
    pub from: Datetime,
    /// The end of its interval.
    pub until: Datetime,
    /// Its size in bytes.
    pub length: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}
