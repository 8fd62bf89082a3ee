//! What a run has to know of the one before. The format is described in docs/build.md.

use std::{collections::BTreeMap, fs, path::Path};

use resourcesync::{
    build::{ChangeHistory, DumpHistory},
    value::Datetime,
};
use resourcesync_client::reason;
use serde::{Deserialize, Serialize};

use crate::error::CliError;

const FORMAT: &str = "resourcesync-state";
const VERSION: u32 = 1;

/// `state.json` of a generation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct State {
    format: String,
    format_version: u32,
    /// When the run began.
    pub(super) at: String,
    pub(super) base_uri: String,
    pub(super) documents_uri: String,
    /// The ending of documents.
    pub(super) suffix: String,
    /// What else was asked for, to see whether to publish although no resource changed.
    pub(super) wanted: String,
    /// By name.
    pub(super) sets: BTreeMap<String, Set>,
}

/// One set of resources.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Set {
    pub(super) changes: ChangeHistory,
    /// Changes of the open Change List.
    pub(super) open: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dump: Option<Dump>,
}

/// The packages of a set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Dump {
    pub(super) history: DumpHistory,
    /// The files of the Resource Dump.
    pub(super) files: Vec<String>,
}

impl State {
    pub(super) fn new(at: &Datetime, (base_uri, documents_uri, suffix): (&str, &str, &str), wanted: String) -> State {
        State {
            format: FORMAT.to_owned(),
            format_version: VERSION,
            at: at.to_string(),
            base_uri: base_uri.to_owned(),
            documents_uri: documents_uri.to_owned(),
            suffix: suffix.to_owned(),
            wanted,
            sets: BTreeMap::new(),
        }
    }

    /// Reads that of a generation.
    pub(super) fn read(folder: &Path) -> Result<State, CliError> {
        let path = folder.join("state.json");
        let shown = path.display();
        let text = fs::read_to_string(&path);
        let text = text.map_err(|error| format!("{shown} could not be read: {}", reason(&error)))?;
        let state: State = serde_json::from_str(&text).map_err(|error| format!("{shown} is damaged: {error}"))?;
        if state.format != FORMAT || state.format_version != VERSION {
            return Err(format!("{shown} is of another version of this command; publish to another --out").into());
        }
        Ok(state)
    }

    /// Writes it as that of a generation being made.
    pub(super) fn write(&self, folder: &Path) -> Result<(), CliError> {
        let path = folder.join("state.json");
        let said = |why: String| CliError::new(format!("{} could not be written: {why}", path.display()));
        let text = serde_json::to_string_pretty(self).map_err(|error| said(error.to_string()))?;
        fs::write(&path, text + "\n").map_err(|error| said(reason(&error).to_string()))
    }

    /// When the run began.
    pub(super) fn moment(&self) -> Result<Datetime, CliError> {
        self.at.parse().map_err(|error| format!("the time of the run before: {error}").into())
    }
}
