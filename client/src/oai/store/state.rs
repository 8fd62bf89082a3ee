//! `state.json`: where the last run ended, and where the next one begins.

use std::{fs, path::Path};

use resourcesync_oai::harvest::{Checkpoint, Moment, Start};
use serde::{Deserialize, Serialize};

use super::super::HarvestError;
use crate::folder;

const NAME: &str = "state.json";
const FORMAT: &str = "resourcesync-oai-store";

/// Where the last run ended, and where the next one begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    format: String,
    format_version: u32,
    /// The runs that were merged.
    pub run: u64,
    /// Where the next run begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Start>,
    /// When it was last known of each record that it is still listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconciled: Option<Moment>,
    /// The catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalogue: Option<CatalogueState>,
    /// A run that goes on later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenRun>,
    /// The last proof, from the folder of the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

/// What the catalogue is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogueState {
    /// Its lines.
    pub records: u64,
    /// Those that are neither deleted nor have left their set.
    pub active: u64,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

/// A run that goes on later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenRun {
    /// Where it is.
    pub checkpoint: Checkpoint,
    /// How much of the journal belongs to that.
    pub journal: u64,
}

impl State {
    pub(super) fn new() -> State {
        State {
            format: FORMAT.to_owned(),
            format_version: 1,
            run: 0,
            next: Vec::new(),
            reconciled: None,
            catalogue: None,
            open: None,
            proof: None,
        }
    }

    /// The state of a store; that of a new one if there is none.
    pub(super) fn read(folder: &Path) -> Result<State, HarvestError> {
        let path = folder.join(NAME);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let orphan = folder.join(super::catalogue::NAME);
                // A catalogue without a state: whatever was lost, nothing is to be concluded from what is left.
                return if orphan.exists() { Err(HarvestError::Changed(orphan)) } else { Ok(State::new()) };
            }
            Err(error) => return Err(HarvestError::read(path, error)),
        };
        let malformed = |why: String| HarvestError::Malformed { path: path.clone(), why };
        let state: State = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
        match (state.format.as_str(), state.format_version) {
            (FORMAT, 1) => Ok(state),
            _ => Err(malformed(format!("version {} is not known here", state.format_version))),
        }
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), HarvestError> {
        let path = folder.join(NAME);
        let bytes = serde_json::to_vec(self)
            .map_err(|error| HarvestError::Malformed { path: path.clone(), why: error.to_string() })?;
        folder::write_atomic(&path, &bytes).map_err(|error| HarvestError::write(path, error))
    }
}
