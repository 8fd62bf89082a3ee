//! The options that a publication of changes continues with.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::value::Uri;

/// What the last run that wrote a generation was given, as far as later ones need it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Remembered {
    /// The algorithms of digests.
    pub hash: Vec<String>,
    /// The description of the Source, unless it is generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub describedby: Option<Uri>,
    /// There are packages.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub dump: bool,
    /// The hubs of notification channels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hubs: Vec<Uri>,
    /// The base of the URIs of topics, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topics: Option<Uri>,
    /// When the open Change List is closed, if that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<String>,
    /// The number of closed Change Lists to keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<usize>,
    /// The number of earlier generations to keep.
    #[serde(skip_serializing_if = "is_none")]
    pub generations: u64,
    /// When snapshots are written, if that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it; it fires on 64-bit targets only
fn is_none(count: &u64) -> bool {
    *count == 0
}
