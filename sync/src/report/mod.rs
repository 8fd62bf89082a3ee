//! The report of a run, the same in every language binding.

mod item;

use alloc::{borrow::ToOwned, collections::BTreeMap, string::String, vec::Vec};

use resourcesync::{
    diagnostic::{Arg, Reason},
    named_enum,
    report::Lang,
};
use serde::{Deserialize, Serialize};

pub use self::item::{BytesFrom, Doing, Done, Item, ItemCode, Origin, Seen};
use crate::{catalogue, conclude::Outcome, guard::Withheld};

/// The name of the format of the reports of several Sources.
pub const REPORTS_FORMAT: &str = "resourcesync-sync-reports";

/// The name of the format.
pub const FORMAT: &str = "resourcesync-sync-report";

/// The finding of a state that was not saved.
const NOT_SAVED: &str = "SYN-29";

/// A document of the Source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Where it is.
    pub uri: String,
    /// Its kind, such as `resource-list`.
    pub kind: String,
    /// How reading ended: `read`, `unchanged` or `unread`.
    pub status: DocumentStatus,
    /// Its entries.
    #[serde(default)]
    pub entries: u64,
    /// The reason why it is unread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
}

/// How reading a document ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentStatus {
    /// It was read to its end.
    Read,
    /// It is unchanged since the previous run.
    Unchanged,
    /// It was not read to its end, and is not used.
    Unread,
}

named_enum! {
    /// The reason for the plan of a run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum PlanWhy {
        /// Nothing is stored yet.
        FirstRun = "first-run",
        /// The documents have changed.
        DocumentsChanged = "documents-changed",
        /// No document has changed.
        NothingChanged = "nothing-changed",
        /// The previous run did not finish.
        Unfinished = "unfinished",
        /// The options differ from those of the previous run.
        OptionsChanged = "options-changed",
        /// The user requested it.
        Requested = "requested",
        /// The open Change List has new entries.
        OpenListContinues = "open-list-continues",
        /// The open Change List was rewritten, and is processed as a whole.
        OpenListRewritten = "open-list-rewritten",
        /// A Change List was closed, and others follow.
        NextList = "next-list",
        /// Changes are missing.
        Gap = "gap",
        /// The Source has no Change Lists any more.
        NoChangeLists = "no-change-lists",
    }
}

/// What a run compares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanKind {
    /// Everything that the Resource Lists contain.
    #[default]
    List,
    /// What the Change Lists contain since the last run.
    Changes,
}

/// The plan of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// What is compared.
    #[serde(default)]
    pub kind: PlanKind,
    /// The reason.
    pub why: PlanWhy,
    /// Requests for resources.
    pub requests: u64,
    /// Bytes of those whose length is listed.
    pub bytes: u64,
    /// Whether packages of dumps take the place of requests; absent if there are no dumps, or too little is to be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packages: Option<PackagePlan>,
}

/// The choice between packages and a request for each resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackagePlan {
    /// True if packages are used: they take less than four fifths of the time, or the user requested them.
    pub chosen: bool,
    /// Packages that the dumps list with their lengths.
    pub packages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Requests per second, measured in this run or assumed.
    pub requests_per_second: u64,
    /// Bytes per second, measured in this run or assumed.
    pub bytes_per_second: u64,
    /// The estimated time for the packages.
    pub milliseconds: u64,
    /// The estimated time for a request for each resource.
    pub milliseconds_without: u64,
    /// Resources that packages supplied.
    pub supplied: u64,
    /// Packages that supplied nothing, since they could not be read or verified (SYN-21).
    pub failed: u64,
}

impl PackagePlan {
    /// The choice about Resource Dumps, and then about Change Dumps: what was chosen of both, or else the later one.
    pub(crate) fn and(self, later: PackagePlan) -> PackagePlan {
        match (self.chosen, later.chosen) {
            (true, false) => self,
            (false, _) => later,
            (true, true) => PackagePlan {
                packages: self.packages.saturating_add(later.packages),
                bytes: self.bytes.saturating_add(later.bytes),
                milliseconds: self.milliseconds.saturating_add(later.milliseconds),
                ..self
            },
        }
    }
}

/// Numbers of resources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Not stored before.
    pub created: u64,
    /// Stored in another state before.
    pub updated: u64,
    /// No longer listed.
    pub deleted: u64,
    /// Stored as listed.
    pub unchanged: u64,
    /// Existing files that are as listed.
    pub adopted: u64,
    /// Not stored as listed.
    pub failed: u64,
    /// Newer than listed.
    pub deferred: u64,
    /// Not attempted.
    pub left: u64,
    /// Listed and not selected.
    #[serde(default)]
    pub skipped: u64,
    /// Blocked by foreign files.
    pub conflicts: u64,
    /// No longer listed, but not deleted.
    pub withheld: u64,
    /// Versions that were added to the history.
    #[serde(default)]
    pub archived: u64,
}

/// How the transfers of a run were verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerifiedCounts {
    /// A listed digest.
    pub digest: u64,
    /// The listed length.
    pub length: u64,
    /// What was listed could not be read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: u64,
    /// Nothing was listed.
    pub nothing: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The stored resources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredCounts {
    /// Resources.
    pub resources: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A finding about the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The code, such as `SYN-01`.
    pub code: String,
    /// The severity.
    pub severity: String,
    /// The message.
    pub message: String,
    /// How to fix it.
    pub help: String,
    /// The arguments of the message.
    pub args: BTreeMap<String, Arg>,
}

impl Finding {
    /// The finding of this rule; `None` if there is no such rule.
    pub fn new<const N: usize>(code: &str, args: [(&str, Arg); N]) -> Option<Finding> {
        let row = catalogue::find(code)?;
        let args: BTreeMap<String, Arg> = args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Some(Finding {
            code: row.id.to_owned(),
            severity: row.severity.as_str().to_owned(),
            message: row.message(&args, Lang::En),
            help: row.help(&args, Lang::En),
            args,
        })
    }
}

/// The tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// `resourcesync`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Its number, from 1; 0 if another run was at work, or no run was possible: then nothing is known of what is held.
    pub number: u64,
    /// True for a dry run.
    pub dry_run: bool,
    /// Its outcome.
    pub outcome: Outcome,
    /// Its start.
    pub started: String,
    /// Its end.
    pub ended: String,
}

/// The report of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// [`FORMAT`].
    pub format: String,
    /// 1.
    pub format_version: u32,
    /// The tool.
    pub tool: Tool,
    /// The run.
    pub run: Run,
    /// The Source.
    pub source: String,
    /// The folder of the copy, in a run of several Sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The moment up to which all lists and changes are processed, as the Source writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// Seconds until the documents that were polled expire, as their server states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll_after: Option<u64>,
    /// The plan; absent if the lists could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The documents.
    pub documents: Vec<Document>,
    /// The stored resources.
    pub held: StoredCounts,
    /// Numbers of resources.
    pub counts: Counts,
    /// How transfers were verified.
    pub verified: VerifiedCounts,
    /// Bytes received for resources.
    pub bytes: u64,
    /// Why deletions are withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<Withheld>,
    /// The results of resources; those that are not done come first.
    pub items: Vec<Item>,
    /// The number of items that are not in the list.
    pub left_out: u64,
    /// Findings about the run.
    pub diagnostics: Vec<Finding>,
}

impl Report {
    /// The report of a run that has begun; `started` is the time.
    pub fn begin(number: u64, dry_run: bool, source: &str, started: String) -> Report {
        Report {
            format: FORMAT.to_owned(),
            format_version: 1,
            tool: Tool { name: "resourcesync".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            run: Run { number, dry_run, outcome: Outcome::Failed, started, ended: String::new() },
            source: source.to_owned(),
            folder: None,
            as_of: None,
            poll_after: None,
            plan: None,
            documents: Vec::new(),
            held: StoredCounts::default(),
            counts: Counts::default(),
            verified: VerifiedCounts::default(),
            bytes: 0,
            withheld: None,
            items: Vec::new(),
            left_out: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Reports that the state is not where a run on another machine would go on from it.
    pub fn not_saved(&mut self, reason: Reason) {
        self.diagnostics.extend(Finding::new(NOT_SAVED, [("reason", reason.into())]));
    }

    /// False if the state was to be saved for runs on other machines, and is not.
    pub fn is_saved(&self) -> bool {
        self.diagnostics.iter().all(|finding| finding.code != NOT_SAVED)
    }
}

/// The reports of a run of several Sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reports {
    /// [`REPORTS_FORMAT`].
    pub format: String,
    /// 1.
    pub format_version: u32,
    /// One report for each Source, in the order of the configuration.
    pub reports: Vec<Report>,
}

impl From<Vec<Report>> for Reports {
    fn from(reports: Vec<Report>) -> Reports {
        Reports { format: REPORTS_FORMAT.to_owned(), format_version: 1, reports }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_plans_are_their_words_in_data() {
        for why in PlanWhy::ALL {
            assert_eq!(serde_json::to_value(why).ok(), Some(why.as_str().into()));
        }
    }

    #[test]
    fn codes_are_their_ids_in_data() {
        for code in ItemCode::ALL {
            assert_eq!(serde_json::to_value(code).ok(), Some(code.as_str().into()));
            assert_eq!(ItemCode::find(code.as_str()), Some(code));
            let is_known = crate::catalogue::find(code.as_str()).is_some()
                || resourcesync::diagnostic::Code::find(code.as_str()).is_some();
            assert!(is_known, "{}", code.as_str());
        }
    }
}
