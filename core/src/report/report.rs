//! The report of a run and its parts. Their JSON has the fields in the order of this file; absent values are omitted, never null.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{Diagnostic, Family, RunOptions};
use crate::{
    diagnostic::{Reason, Severity},
    model::Kind,
    named_enum,
};

/// The report of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// [`FORMAT`](super::FORMAT).
    pub format: String,
    /// [`FORMAT_VERSION`](super::FORMAT_VERSION).
    pub format_version: u32,
    /// The tool that created the report.
    pub tool: Tool,
    /// Whether the run completed.
    pub run: RunInfo,
    /// Whether the inputs are valid, after filters.
    pub verdict: Verdict,
    /// True if the verdict would be invalid without the filters and the baseline.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub after_filters: bool,
    /// Exact counts.
    pub summary: Summary,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The files of folders that were skipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// The contents of each set of resources, if a whole Source was crawled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<ResourceSet>,
    /// Exact counts by code, severity and input.
    pub groups: Vec<Group>,
    /// Exact counts of the findings that filters or a baseline removed, with the severity they would have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Group>,
    /// The findings that were stored.
    pub diagnostics: Vec<Diagnostic>,
    /// The rules of codes that the core does not have. A report that was read has none until [`Report::with_families`].
    #[serde(skip)]
    pub family: Family,
}

impl Report {
    /// A report that was read, with the rules of its family, so that it can be rendered in every language.
    #[must_use]
    pub fn with_families(mut self, families: &[Family]) -> Report {
        let own = families.iter().find(|family| self.run.family.as_deref() == Some(family.name));
        self.family = own.copied().unwrap_or_default();
        self
    }

    /// Sets [`Report::after_filters`] from the verdict and what was suppressed.
    pub(crate) fn mark_filtered(&mut self) {
        let has_error = self.suppressed.iter().any(|group| group.severity == Severity::Error);
        self.after_filters = has_error && self.verdict != Verdict::Invalid;
    }
}

/// The tool that created the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// `resourcesync`.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl Tool {
    /// This tool.
    pub(crate) fn this() -> Tool {
        Tool { name: "resourcesync".into(), version: env!("CARGO_PKG_VERSION").into() }
    }
}

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All inputs were checked.
    Completed,
    /// It was stopped by the user or a limit.
    Stopped,
    /// It could not continue.
    Failed,
}

/// The run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunInfo {
    /// How it ended.
    pub status: Status,
    /// Why it stopped, if it did not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// `standard` or `strict`.
    pub profile: String,
    /// The configuration file that applied, relative to the working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    /// The options that decide what the report contains, unless all are the defaults.
    #[serde(default, skip_serializing_if = "RunOptions::are_defaults")]
    pub options: RunOptions,
    /// True if the findings of a baseline were subtracted.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub baseline: bool,
    /// The service that was checked, if the inputs are its responses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The family of the codes, if they are not those of the core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
}

named_enum! {
    /// The verdict on the inputs, after filters.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Verdict {
        /// Everything was checked, and there is no error.
        Valid = "valid",
        /// Something could not be checked, and there is no error.
        Undetermined = "undetermined",
        /// There is an error.
        Invalid = "invalid",
    }
}

/// Exact counts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Findings of severity error.
    pub errors: u64,
    /// Findings of severity warning.
    pub warnings: u64,
    /// Findings of severity info.
    pub infos: u64,
    /// Findings that filters or a baseline removed.
    pub suppressed: u64,
    /// Findings in `diagnostics`.
    pub stored: u64,
    /// Inputs checked.
    pub inputs: u64,
    /// Entries of all documents.
    pub entries: u64,
    /// Decompressed bytes of all documents.
    pub bytes: u64,
}

/// How an input was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Via {
    /// The user named it.
    Argument,
    /// Standard input.
    Stdin,
    /// Found in a folder.
    Folder,
    /// A member of a package.
    Zip,
    /// An `up` link.
    Up,
    /// An `index` link.
    Index,
    /// The `loc` of an entry.
    Loc,
    /// A `contents` link.
    Contents,
    /// Found by discovery.
    Discovery,
}

/// One input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its index in `inputs`.
    pub id: u64,
    /// The input that contains it or, if a whole Source was crawled, that linked to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// The name, as on the command line.
    pub name: String,
    /// Its URI, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// How it was found.
    pub via: Via,
    /// Its kind.
    pub kind: Kind,
    /// Entries read.
    pub entries: u64,
    /// Decompressed bytes read.
    pub bytes: u64,
    /// Its own verdict.
    pub verdict: Verdict,
    /// Why it was not read, if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reason as a code with arguments, if it has a code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
    /// A digest of its content, if it is closed and must not change any more (GEN-33).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<String>,
    /// The times that it states, if a whole Source was crawled.
    #[serde(default, skip_serializing_if = "Times::is_empty")]
    pub times: Times,
}

/// The times of a document, as written on its root.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// When a snapshot was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// When it was completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<String>,
    /// The beginning of the interval of changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its end; none while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

impl Times {
    fn is_empty(&self) -> bool {
        *self == Times::default()
    }
}

impl Input {
    /// The package it is a member of, if it is one.
    pub fn package(&self) -> Option<u64> {
        self.parent.filter(|_| self.via == Via::Zip)
    }
}

/// A set of resources: the documents below its Capability List.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceSet {
    /// The Capability List.
    pub input: u64,
    /// The number of documents and packages of each kind.
    pub documents: BTreeMap<String, u64>,
    /// Entries of its Resource Lists.
    pub resources: u64,
    /// Entries of its Change Lists.
    pub changes: u64,
    /// The sum of the lengths in its Resource Lists.
    pub bytes: u64,
    /// Resources that were fetched and compared with their metadata.
    pub resources_read: u64,
    /// The latest change in its Change Lists, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest_change: Option<String>,
}

/// A file of a folder that was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its name.
    pub name: String,
    /// Why it was skipped.
    pub reason: String,
    /// The reason as a code with arguments, if it has a code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
}

/// The number of findings of one code in one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The code.
    pub code: String,
    /// The severity.
    pub severity: Severity,
    /// The input.
    pub input: u64,
    /// The number of findings.
    pub count: u64,
    /// The number of these in `diagnostics`.
    pub stored: u64,
}
