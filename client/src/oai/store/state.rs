//! `state.json`: where the last run ended, and where the next one begins.

use std::{collections::BTreeMap, fs, path::Path};

use resourcesync_oai::harvest::{Checkpoint, Moment, Proof, Start};
use serde::{Deserialize, Serialize};

use super::{super::HarvestError, catalogue::CatalogueState};
use crate::folder;

const NAME: &str = "state.json";
const FORMAT: &str = "resourcesync-oai-store";

/// Where the last run ended, and where the next one begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    format: String,
    format_version: u32,
    /// The number of merged runs.
    pub run: u64,
    /// Where the next run begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Start>,
    /// When all records were last known to be still listed, as earlier versions wrote it for all lists together.
    #[serde(default, skip_serializing)]
    reconciled: Option<Moment>,
    /// The catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalogue: Option<CatalogueState>,
    /// A run to be resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenRun>,
    /// The path of the last proof, relative to the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// The paths of the last proofs, by run: a backup that was restored was continued with others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub proofs: BTreeMap<u64, String>,
    /// The namespaces of the formats that the repository offers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub namespaces: BTreeMap<String, String>,
}

/// A run to be resumed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenRun {
    /// Its checkpoint.
    pub checkpoint: Checkpoint,
    /// The corresponding length of the journal.
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
            proofs: BTreeMap::new(),
            namespaces: BTreeMap::new(),
        }
    }

    /// The state of a store; a new one if there is none.
    ///
    /// # Errors
    ///
    /// If it is damaged, or lost.
    pub fn read(folder: &Path) -> Result<State, HarvestError> {
        let path = folder.join(NAME);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let orphan = folder.join(super::catalogue::NAME);
                // A catalogue without a state: data was lost, so the rest must not be relied on.
                return if orphan.exists() { Err(HarvestError::Changed(orphan)) } else { Ok(State::new()) };
            }
            Err(error) => return Err(HarvestError::read(path, error)),
        };
        let malformed = |why: String| HarvestError::Malformed { path: path.clone(), why };
        let mut state: State = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
        if let Some(reconciled) = state.reconciled.take() {
            state.next.iter_mut().for_each(|start| start.reconciled = start.reconciled.or(Some(reconciled)));
        }
        match (state.format.as_str(), state.format_version) {
            (FORMAT, 1) => Ok(state),
            _ => Err(malformed(format!("version {} is of a later release", state.format_version))),
        }
    }

    /// The last proof of a store; none before its first harvest.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn last_proof(&self, folder: &Path) -> Result<Option<Proof>, HarvestError> {
        let Some(path) = self.proof.as_ref().map(|name| folder.join(name)) else { return Ok(None) };
        let bytes = fs::read(&path).map_err(|error| HarvestError::read(&path, error))?;
        let proof = serde_json::from_slice(&bytes);
        proof.map(Some).map_err(|error| HarvestError::Malformed { path, why: error.to_string() })
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), HarvestError> {
        let path = folder.join(NAME);
        let bytes = serde_json::to_vec(self)
            .map_err(|error| HarvestError::Malformed { path: path.clone(), why: error.to_string() })?;
        folder::write_atomic(&path, &bytes).map_err(|error| HarvestError::write(path, error))
    }
}
