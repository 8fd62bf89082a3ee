//! The options of a run that decide what its report contains.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::model::Kind;

/// The options of a run that decide what its report contains, apart from the profile. Defaults are omitted.
///
/// Only reports that were made with the same options can be merged into one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunOptions {
    /// The required kind of every document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Kind>,
    /// The selected codes, families, rules and details, as they were written; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub select: Vec<String>,
    /// The ignored ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// The severities that were set, such as `GEN-17=warning`, in order: later ones take precedence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub severity: Vec<String>,
    /// The limits that were set, such as `depth=10`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// Findings stored for each code, severity and input, if not 100; 0 for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_per_rule: Option<u64>,
    /// True if the members of packages were not read.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub no_fixity: bool,
}

impl RunOptions {
    /// True if all are the defaults.
    pub fn are_defaults(&self) -> bool {
        *self == RunOptions::default()
    }
}
