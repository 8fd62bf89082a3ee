//! The shape of a report: the JSON of every face.
//!
//! Absent means absent: nothing is written as null. The order of fields is the order of this file and of what it names.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::Diagnostic;
use crate::{
    diagnostic::{Reason, Severity},
    model::Kind,
};

/// The name of the format.
pub const FORMAT: &str = "resourcesync-report";
/// Its version; fields are added within one, never changed or removed.
pub const FORMAT_VERSION: u32 = 1;

/// What a run found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// [`FORMAT`].
    pub format: String,
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// Who made the report.
    pub tool: Tool,
    /// Did the run complete?
    pub run: RunInfo,
    /// Are the inputs valid?
    pub verdict: Verdict,
    /// Exact counts.
    pub summary: Summary,
    /// What was looked at.
    pub inputs: Vec<Input>,
    /// What was found in a folder and passed over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// What each set of resources of a Source consists of, where a whole Source was followed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<ResourceSet>,
    /// Exact counts by code, severity and input.
    pub groups: Vec<Group>,
    /// The findings that were stored.
    pub diagnostics: Vec<Diagnostic>,
}

/// Who made the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// `resourcesync`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All inputs were looked at.
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
    /// What stopped it, where it did not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// `standard` or `strict`.
    pub profile: String,
}

/// What the findings say about the inputs, after filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything was checked, and there is no error.
    Valid,
    /// Something could not be checked, and there is no error.
    Undetermined,
    /// There is an error.
    Invalid,
}

impl Verdict {
    /// `valid`, `undetermined` or `invalid`.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::Undetermined => "undetermined",
            Verdict::Invalid => "invalid",
        }
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
    /// Inputs looked at.
    pub inputs: u64,
    /// Entries of all documents.
    pub entries: u64,
    /// Unpacked bytes of all documents.
    pub bytes: u64,
}

/// How an input came to be looked at.
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
    /// Found by a way of discovery.
    Discovery,
}

/// One input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its place in `inputs`.
    pub id: u64,
    /// The input it is part of, or that led to it where a whole Source was followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// The name the user gave or would give.
    pub name: String,
    /// Its URI, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// How it came to be looked at.
    pub via: Via,
    /// What it is.
    pub kind: Kind,
    /// Entries read.
    pub entries: u64,
    /// Unpacked bytes read.
    pub bytes: u64,
    /// Its own verdict.
    pub verdict: Verdict,
    /// Why it was not read, where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reason as a code with values, where it is one of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
    /// A digest of its content, if it is closed and so must not change any more (GEN-33).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<String>,
}

impl Input {
    /// The package it is a member of, if it is one.
    pub fn package(&self) -> Option<u64> {
        self.parent.filter(|_| self.via == Via::Zip)
    }
}

/// A set of resources: what its Capability List leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceSet {
    /// The Capability List.
    pub input: u64,
    /// How many documents and packages there are of each kind.
    pub documents: BTreeMap<String, u64>,
    /// Entries of its Resource Lists.
    pub resources: u64,
    /// Entries of its Change Lists.
    pub changes: u64,
    /// The sum of the lengths its Resource Lists state.
    pub bytes: u64,
    /// Resources that were fetched and compared with their metadata.
    pub resources_read: u64,
    /// The latest change its Change Lists state, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest_change: Option<String>,
}

/// A file of a folder that is not for this tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its name.
    pub name: String,
    /// Why it was skipped.
    pub reason: String,
    /// The reason as a code with values, where it is one of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
}

/// How often one code was found in one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The code.
    pub code: String,
    /// The severity.
    pub severity: Severity,
    /// The input.
    pub input: u64,
    /// How often it was found.
    pub count: u64,
    /// How many of these are in `diagnostics`.
    pub stored: u64,
}

impl Report {
    /// The report as JSON, the same bytes on every face: indented by two spaces, ending with a line break.
    pub fn to_json(&self) -> String {
        // A report has string keys and no value that JSON lacks, so writing it cannot fail.
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        json
    }

    /// Reads what [`Report::to_json`] wrote.
    ///
    /// # Errors
    ///
    /// If the text is not a report of this format and version.
    pub fn from_json(json: &str) -> Result<Report, String> {
        let report: Report = serde_json::from_str(json).map_err(|error| alloc::format!("not a report: {error}"))?;
        if report.format != FORMAT {
            return Err(alloc::format!("not a report: `format` is `{}`, not `{FORMAT}`", report.format));
        }
        if report.format_version != FORMAT_VERSION {
            return Err(alloc::format!(
                "unsupported report version {}, expected {FORMAT_VERSION}",
                report.format_version
            ));
        }
        Ok(report)
    }
}
