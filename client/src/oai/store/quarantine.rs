//! `quarantine/`: damaged records as sent, each with its problem.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use resourcesync::value::to_hex;
use resourcesync_oai::{harvest::Owed, page::Change};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{super::HarvestError, journal::Damage, output::remove_file};
use crate::folder;

/// A damaged record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quarantined {
    /// Its identifier, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    /// The format.
    pub prefix: String,
    /// The set through which it was harvested, if only sets are harvested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The problem, as a code.
    pub code: String,
    /// The problem.
    pub reason: String,
    /// The request.
    pub request: String,
    /// Its number in the page.
    pub number: u64,
    /// The line of the page in which it starts.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The path of its bytes, relative to the store.
    pub file: String,
    /// The changes that repaired it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<Change>,
    /// The run that received it.
    pub run: u64,
}

/// All damaged records, with the files that describe them.
pub(super) fn read(folder: &Path) -> Result<Vec<(PathBuf, Quarantined)>, HarvestError> {
    let place = folder.join("quarantine");
    let entries = match fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(HarvestError::read(place, error)),
    };
    let mut all = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| HarvestError::read(&place, error))?.path();
        if path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        let quarantined = described(&path)?;
        all.extend(quarantined.map(|own| (path, own)));
    }
    all.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(all)
}

/// The damaged record that a file describes; `None` if there is no such file.
fn described(path: &Path) -> Result<Option<Quarantined>, HarvestError> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| HarvestError::Malformed { path: path.to_owned(), why: error.to_string() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(HarvestError::read(path, error)),
    }
}

/// The records that are owed because they were damaged and not repaired: each once.
pub(super) fn owed(folder: &Path) -> Result<Vec<Owed>, HarvestError> {
    let mut owed: Vec<Owed> = Vec::new();
    let mut known = BTreeSet::new();
    for (_, own) in read(folder)? {
        let is_again = own.identifier.is_some() && !known.insert((own.prefix.clone(), own.identifier.clone()));
        if own.repaired.is_empty() && !is_again {
            owed.push(Owed { prefix: own.prefix, set: own.via, identifier: own.identifier, is_new: false });
        }
    }
    Ok(owed)
}

/// Stores a damaged record.
pub(super) fn write(folder: &Path, damage: &Damage, raw: &[u8], run: u64) -> Result<(), HarvestError> {
    let name = name(&damage.prefix, raw);
    let place = folder.join("quarantine");
    fs::create_dir_all(&place).map_err(|error| HarvestError::write(&place, error))?;
    let Damage { identifier, prefix, via, code, reason, request, number, line, column, repaired } = damage.clone();
    let file = format!("quarantine/{name}.xml");
    let quarantined =
        Quarantined { identifier, prefix, via, code, reason, request, number, line, column, file, repaired, run };
    let path = place.join(format!("{name}.json"));
    // The same bytes may be repaired only now.
    let is_repaired = !quarantined.repaired.is_empty();
    if described(&path)?.is_some_and(|known| !is_repaired || !known.repaired.is_empty()) {
        return Ok(());
    }
    let raw_path = place.join(format!("{name}.xml"));
    folder::write_atomic(&raw_path, raw).map_err(|error| HarvestError::write(raw_path, error))?;
    let mut bytes = serde_json::to_vec_pretty(&quarantined)
        .map_err(|error| HarvestError::Malformed { path: path.clone(), why: error.to_string() })?;
    bytes.push(b'\n');
    folder::write_atomic(&path, &bytes).map_err(|error| HarvestError::write(path, error))
}

/// The name of its files, without their endings. The same bytes in two formats are two records.
pub(super) fn name(prefix: &str, raw: &[u8]) -> String {
    let digest = Sha256::new().chain_update(prefix).chain_update([0]).chain_update(raw).finalize();
    to_hex(&digest).get(..32).unwrap_or_default().to_owned()
}

/// Removes one: its description first, so that there is never a description without bytes.
pub(super) fn remove(path: &Path) -> Result<(), HarvestError> {
    remove_file(path)?;
    remove_file(&path.with_extension("xml")).map(|_| ())
}
