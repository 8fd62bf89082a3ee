//! The result of a run.

use std::collections::BTreeMap;

use resourcesync::{build::Accepted, publish::BatchCounts, value::Datetime};

/// The result of a run that did not fail.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// A new generation is published.
    Published(Summary),
    /// Nothing changed since the previous generation, which is kept.
    Unchanged {
        /// Its time.
        since: Datetime,
        /// Its resources.
        resources: u64,
        /// The events, if changes were stated.
        events: Option<BatchCounts>,
        /// Resources that could not be read and were skipped.
        skipped: u64,
    },
    /// A dry run: nothing was published.
    Dry {
        /// Whether there was a generation to compare with.
        again: bool,
        /// Resources that would be listed.
        resources: u64,
        /// Changes that would be listed: `created`, `updated`, `deleted`.
        changes: BTreeMap<&'static str, u64>,
        /// True if documents would be written, although perhaps no resource changed.
        writes: bool,
        /// Resources that could not be read and would be skipped.
        skipped: u64,
    },
}

/// The published generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The time of the generation.
    pub at: Datetime,
    /// Resources in all Resource Lists.
    pub resources: u64,
    /// Changes since the previous generation: `created`, `updated`, `deleted`.
    pub changes: BTreeMap<&'static str, u64>,
    /// Resources that could not be read and were skipped.
    pub skipped: u64,
    /// The files written, in order.
    pub written: Vec<String>,
    /// Files of earlier generations that are still linked.
    pub kept: Vec<String>,
    /// Packages and topics that are no longer published, with the documents that listed them.
    pub withdrawn: Vec<String>,
    /// Findings that did not stop the run.
    pub accepted: Accepted,
    /// The events, if changes were stated.
    pub events: Option<BatchCounts>,
}
