//! The result of `build`, `dump` and `diff` as JSON, in the format of docs/publish-report.schema.json.

use std::collections::BTreeMap;

use resourcesync::{report::Diagnostic, value::Datetime};
use resourcesync_client::publish::{self, BatchCounts};
use serde::Serialize;

use crate::{error::CliError, outputs};

/// What a run did.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    pub(super) format: &'static str,
    pub(super) format_version: u32,
    pub(super) tool: Tool,
    pub(super) command: &'static str,
    pub(super) result: Outcome,
    /// The published folder, or the file of a Change List.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) out: Option<String>,
    /// The time of the generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Datetime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resources: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) packages: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<BTreeMap<&'static str, u64>>,
    /// The events, with --changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) events: Option<Counted>,
    /// Resources that could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skipped: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) written: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kept: Option<Vec<String>>,
    /// Packages and topics that are no longer published, with the documents that listed them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) withdrawn: Vec<String>,
    /// Changes in open Change Lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) open_changes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    /// The harvest before the publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) harvest: Option<serde_json::Value>,
    pub(super) warnings: Vec<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The number of findings of each code, where not all of them are among the diagnostics.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) findings: BTreeMap<String, u64>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// A generation, packages or a Change List was written.
    Written,
    /// Nothing has changed, and nothing was written.
    Unchanged,
    /// A dry run.
    DryRun,
    /// Two states were compared.
    Compared,
    /// The state is undamaged.
    Verified,
    /// The state was rebuilt.
    Rebuilt,
    /// The result would have been invalid or implausible; nothing was written.
    Refused,
    /// Nothing was written, because the harvest is not complete.
    Withheld,
    /// Nothing was written.
    Failed,
}

/// How many events there were.
#[derive(Debug, Serialize)]
pub(super) struct Counted {
    total: u64,
    unchanged: u64,
    clamped: u64,
}

impl From<BatchCounts> for Counted {
    fn from(counts: BatchCounts) -> Counted {
        Counted { total: counts.events, unchanged: counts.unchanged, clamped: counts.clamped }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Tool {
    name: &'static str,
    version: &'static str,
}

impl Summary {
    /// Of a command that ended like this.
    pub(crate) fn new(command: &'static str, result: Outcome) -> Summary {
        Summary {
            format: "resourcesync-publish-report",
            format_version: 1,
            tool: Tool { name: "resourcesync", version: env!("CARGO_PKG_VERSION") },
            command,
            result,
            out: None,
            at: None,
            resources: None,
            packages: None,
            changes: None,
            events: None,
            skipped: None,
            written: None,
            kept: None,
            withdrawn: Vec::new(),
            open_changes: None,
            error: None,
            harvest: None,
            warnings: Vec::new(),
            diagnostics: Vec::new(),
            findings: BTreeMap::new(),
        }
    }

    /// Of a command that failed.
    pub(super) fn failed(command: &'static str, error: &publish::Error) -> Summary {
        let (result, diagnostics) = match error {
            publish::Error::Refused(refused) => (Outcome::Refused, refused.diagnostics().cloned().collect()),
            publish::Error::Guarded(_) | publish::Error::Unexpected { .. } => (Outcome::Refused, Vec::new()),
            _ => (Outcome::Failed, Vec::new()),
        };
        Summary { error: Some(error.to_string()), diagnostics, ..Summary::new(command, result) }
    }

    /// Of a command that could not begin to publish.
    pub(super) fn broken(command: &'static str, error: &str) -> Summary {
        Summary { error: Some(error.to_owned()), ..Summary::new(command, Outcome::Failed) }
    }

    /// Of a generation that was published, or of packages.
    pub(super) fn of(command: &'static str, summary: &publish::Summary) -> Summary {
        Summary {
            at: Some(summary.at.clone()),
            resources: Some(summary.resources),
            changes: Some(summary.changes.clone()),
            events: summary.events.map(Counted::from),
            skipped: Some(summary.skipped),
            written: Some(summary.written.clone()),
            kept: Some(summary.kept.clone()),
            withdrawn: summary.withdrawn.clone(),
            diagnostics: summary.accepted.diagnostics.clone(),
            findings: summary.accepted.counts.clone(),
            ..Summary::new(command, Outcome::Written)
        }
    }

    /// Prints it as the rest of an object that begins with `entries`.
    pub(super) fn print_after_entries(&self) -> Result<i32, CliError> {
        let text = outputs::json(self)?;
        outputs::print(text.strip_prefix("{\n").unwrap_or(&text))
    }

    /// Prints it, possibly in one line.
    pub(super) fn print(&self, is_line: bool) -> Result<i32, CliError> {
        outputs::print(&if is_line { outputs::json_line(self)? + "\n" } else { outputs::json(self)? })
    }
}
