//! The state that a run needs of the previous one. The format is described in docs/build.md.

use alloc::{
    borrow::ToOwned,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use super::{FileRecord, Remembered, prefix};
use crate::{
    build::{ChangeHistory, DumpHistory, PublishedDocument},
    value::{Datetime, DatetimeError},
};

/// The file of the state itself.
pub const STATE: &str = "state.json";
/// The part of the state with the published resources, a [`Record`](super::Record) a line, sorted by set and URI.
pub const INVENTORY: &str = "inventory.jsonl";
/// The part of the state with the changes of the open Change Lists, a [`Change`](super::Change) a line, sorted by set.
pub const CHANGES: &str = "changes.jsonl";

const FORMAT: &str = "resourcesync-state";
const VERSION: u32 = 3;
/// The version without an index and a log.
const WITHOUT_LOG: u32 = 2;

/// The state of a generation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct State {
    format: String,
    format_version: u32,
    /// The start of the run.
    pub at: String,
    /// The base of the URIs of resources.
    pub base_uri: String,
    /// The base of the URIs of documents.
    pub documents_uri: String,
    /// The extension of documents.
    pub suffix: String,
    /// The options that affect documents, to decide whether to publish although no resource changed.
    pub wanted: String,
    /// The Source Description, if there are notification channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<PublishedDocument>,
    /// The base of the URIs of topics, if there are notification channels; unknown in the state of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topics_uri: Option<String>,
    /// The options that later runs continue with if they state changes; unknown in the state of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remembered: Option<Remembered>,
    /// When files were read last to be compared with what is published. Later publications of changes have times of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<String>,
    /// There are only dumps: neither Resource Lists nor Change Lists.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub dumps_only: bool,
    /// The last journal that was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// The sets of files; unknown in a rebuilt state.
    #[serde(default)]
    pub set_names: Option<Vec<String>>,
    /// The sets, by name.
    pub sets: BTreeMap<String, Set>,
    /// The other files of the state.
    #[serde(default)]
    pub parts: BTreeMap<String, FileRecord>,
    /// The published files, to distinguish them from foreign files.
    #[serde(default)]
    pub files: BTreeMap<String, FileRecord>,
}

/// One set of resources.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Set {
    /// Its Change Lists.
    pub changes: ChangeHistory,
    /// Changes of the open Change List.
    pub open: u64,
    /// Its packages, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<Dump>,
    /// Its announcements, if it has notification channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notified: Option<Notified>,
}

/// The announcements of the notification channels of a set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Notified {
    /// The end of the last interval.
    pub until: String,
    /// The documents, to detect changes.
    pub documents: Vec<PublishedDocument>,
}

/// The packages of a set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dump {
    /// Those of its changes.
    pub history: DumpHistory,
    /// The files of the Resource Dump.
    pub files: Vec<String>,
}

impl State {
    /// When files were read last, as far as that is known.
    #[must_use]
    pub fn last_read(&self) -> Option<Datetime> {
        self.read.as_ref().unwrap_or(&self.at).parse().ok()
    }

    /// The state of a generation without sets and files.
    #[must_use]
    pub fn new(at: &Datetime, (base_uri, documents_uri, suffix): (&str, &str, &str), wanted: String) -> State {
        State {
            format: FORMAT.to_owned(),
            format_version: VERSION,
            at: at.to_string(),
            base_uri: base_uri.to_owned(),
            documents_uri: documents_uri.to_owned(),
            suffix: suffix.to_owned(),
            wanted,
            description: None,
            topics_uri: None,
            remembered: None,
            read: None,
            dumps_only: false,
            journal: None,
            set_names: None,
            sets: BTreeMap::new(),
            parts: BTreeMap::new(),
            files: BTreeMap::new(),
        }
    }

    /// Parses the text of a state.
    ///
    /// # Errors
    ///
    /// The problem, if it is damaged or of another version.
    pub fn parse(text: &str) -> Result<State, String> {
        let state: State = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if state.format != FORMAT || ![WITHOUT_LOG, VERSION].contains(&state.format_version) {
            return Err("it is of another version of this command".to_owned());
        }
        Ok(State { format_version: VERSION, ..state })
    }

    /// Its text.
    ///
    /// # Errors
    ///
    /// Never: its keys are texts and its numbers whole.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| format!("{text}\n"))
    }

    /// Adds a set of a publication that a program drives; a set without any history has no state.
    pub fn add_set(&mut self, name: String, changes: Option<ChangeHistory>, dump: Option<DumpHistory>) {
        let since = || dump.as_ref().map(|dump| ChangeHistory::since(dump.from.clone()));
        let Some(changes) = changes.or_else(since) else { return };
        let dump = dump.map(|history| Dump { history, files: Vec::new() });
        self.sets.insert(name, Set { changes, open: 0, dump, notified: None });
    }

    /// Adds a published file. Packages are large, and their digests are in the dump.
    pub fn add_file(&mut self, name: String, record: FileRecord) {
        let sha256 = record.sha256.filter(|_| !name.ends_with(".zip"));
        self.files.insert(name, FileRecord { lines: None, sha256, ..record });
    }

    /// The path of the open Change List of a set, if an index lists it.
    pub(crate) fn open_list(&self, set: &str) -> Option<String> {
        let changes = &self.sets.get(set)?.changes;
        let path = format!("{}changelist-{}{}", prefix(set), changes.open.number, self.suffix);
        (!changes.closed.is_empty()).then_some(path)
    }

    /// The start of the run.
    ///
    /// # Errors
    ///
    /// If it is not a datetime.
    pub fn moment(&self) -> Result<Datetime, DatetimeError> {
        self.at.parse()
    }

    /// True if a set has packages.
    #[must_use]
    pub fn has_packages(&self) -> bool {
        self.sets.values().any(|set| set.dump.is_some())
    }

    /// True if a set has notification channels.
    #[must_use]
    pub fn has_channels(&self) -> bool {
        self.sets.values().any(|set| set.notified.is_some())
    }

    /// Rejects a state without resources, which belongs to a publication that a program drives.
    ///
    /// # Errors
    ///
    /// The problem.
    pub fn check_resources(&self) -> Result<(), String> {
        match [INVENTORY, CHANGES].iter().find(|part| !self.parts.contains_key(**part)) {
            Some(part) => Err(format!("it has no record of {part}")),
            None => Ok(()),
        }
    }

    /// Compares a part of the state with its recorded digest, so that a damaged state is never used.
    ///
    /// # Errors
    ///
    /// The problem.
    pub fn check_part(&self, name: &str, found: &FileRecord) -> Result<(), String> {
        match self.parts.get(name) {
            Some(written) if written == found => Ok(()),
            Some(FileRecord { lines: Some(lines), .. }) if Some(*lines) != found.lines => {
                Err(format!("{} lines of {lines}", found.lines.unwrap_or(0)))
            }
            _ => Err("its digest is not that of state.json".to_owned()),
        }
    }
}
