//! `harvest.toml`: the configuration of a store.

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};

use super::super::HarvestError;
use crate::folder;

/// The configuration of a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The base URL of the repository.
    pub url: String,
    /// The formats.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// True to harvest all formats that the repository offers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_formats: bool,
    /// The sets; empty for the whole repository.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<String>,
    /// The storage of records.
    #[serde(default)]
    pub store: Storage,
    /// The first day or second to harvest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// True to store also deleted records that were never present.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tombstones: bool,
    /// The contact address sent to the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
}

/// The storage of the records of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// A file for each record.
    #[default]
    Files,
    /// Lines of JSON, in a file for each run.
    Jsonl,
}

impl Storage {
    /// Names and values.
    pub const ALL: [(&'static str, Storage); 2] = [("files", Storage::Files), ("jsonl", Storage::Jsonl)];

    /// The name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Storage::Files => "files",
            Storage::Jsonl => "jsonl",
        }
    }
}

/// Its name.
pub(super) const NAME: &str = "harvest.toml";

impl Config {
    /// The configuration of a store, if the folder is one.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Config>, HarvestError> {
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(HarvestError::read(path, error)),
        };
        let config =
            toml::from_str(&text).map_err(|error| HarvestError::Malformed { path, why: error.message().into() })?;
        Ok(Some(config))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), HarvestError> {
        let path = folder.join(NAME);
        let text = toml::to_string(self)
            .map_err(|error| HarvestError::Malformed { path: path.clone(), why: error.to_string() })?;
        folder::write_atomic(&path, text.as_bytes()).map_err(|error| HarvestError::write(path, error))
    }

    /// True if both describe the same records.
    pub(super) fn compare(&self, wanted: &Config) -> Result<(), HarvestError> {
        let list = |own: &[String]| if own.is_empty() { "(none)".to_owned() } else { own.join(", ") };
        let formats = |own: &Config| if own.all_formats { "(all)".to_owned() } else { list(&own.prefixes) };
        let settings = [
            ("the repository", self.url.clone(), wanted.url.clone()),
            ("the formats", formats(self), formats(wanted)),
            ("the sets", list(&self.sets), list(&wanted.sets)),
            ("the storage", self.store.as_str().into(), wanted.store.as_str().into()),
        ];
        match settings.into_iter().find(|(_, stored, wanted)| stored != wanted) {
            None => Ok(()),
            Some((setting, stored, wanted)) => Err(HarvestError::OtherHarvest { setting, stored, wanted }),
        }
    }
}
