//! What a run has to know of the one before. The format is described in docs/build.md.

use std::{collections::BTreeMap, fs, path::Path};

use crate::system::reason;
use resourcesync::{
    build::{ChangeHistory, DumpHistory, PublishedDocument},
    value::Datetime,
};
use serde::{Deserialize, Serialize};

use super::Error;

const FORMAT: &str = "resourcesync-state";
const VERSION: u32 = 2;
/// The oldest version that is read: it has no notifications.
const OLDEST: u32 = 1;

/// `state.json` of a generation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct State {
    format: String,
    format_version: u32,
    /// When the run began.
    pub(crate) at: String,
    pub(crate) base_uri: String,
    pub(crate) documents_uri: String,
    /// The ending of documents.
    pub(crate) suffix: String,
    /// What else was asked for, to see whether to publish although no resource changed.
    pub(crate) wanted: String,
    /// The Source Description, where there are notification channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<PublishedDocument>,
    /// By name.
    pub(crate) sets: BTreeMap<String, Set>,
}

/// One set of resources.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Set {
    pub(crate) changes: ChangeHistory,
    /// Changes of the open Change List.
    pub(crate) open: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dump: Option<Dump>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) notified: Option<Notified>,
}

/// What the notification channels of a set have announced.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Notified {
    /// The end of the last interval.
    pub(crate) until: String,
    /// The documents, to see which of them change.
    pub(crate) documents: Vec<PublishedDocument>,
}

impl Notified {
    /// The end of the last interval.
    pub(crate) fn moment(&self) -> Result<Datetime, Error> {
        self.until.parse().map_err(|error| format!("the time of the last notification: {error}").into())
    }
}

/// The packages of a set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Dump {
    pub(crate) history: DumpHistory,
    /// The files of the Resource Dump.
    pub(crate) files: Vec<String>,
}

impl State {
    pub(crate) fn new(at: &Datetime, (base_uri, documents_uri, suffix): (&str, &str, &str), wanted: String) -> State {
        State {
            format: FORMAT.to_owned(),
            format_version: VERSION,
            at: at.to_string(),
            base_uri: base_uri.to_owned(),
            documents_uri: documents_uri.to_owned(),
            suffix: suffix.to_owned(),
            wanted,
            description: None,
            sets: BTreeMap::new(),
        }
    }

    /// Reads that of a generation.
    pub(crate) fn read(folder: &Path) -> Result<State, Error> {
        let path = folder.join("state.json");
        let shown = path.display();
        let text = fs::read_to_string(&path);
        let text = text.map_err(|error| format!("{shown} could not be read: {}", reason(&error)))?;
        let state: State = serde_json::from_str(&text).map_err(|error| format!("{shown} is damaged: {error}"))?;
        if state.format != FORMAT || !(OLDEST..=VERSION).contains(&state.format_version) {
            return Err(format!("{shown} is of another version of this command; publish to another --out").into());
        }
        Ok(state)
    }

    /// Writes it as that of a generation being made.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join("state.json");
        let said = |why: String| Error::new(format!("{} could not be written: {why}", path.display()));
        let text = serde_json::to_string_pretty(self).map_err(|error| said(error.to_string()))?;
        fs::write(&path, text + "\n").map_err(|error| said(reason(&error).to_string()))
    }

    /// When the run began.
    pub(crate) fn moment(&self) -> Result<Datetime, Error> {
        self.at.parse().map_err(|error| format!("the time of the run before: {error}").into())
    }
}
