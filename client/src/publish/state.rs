//! The state that a run needs of the previous one. The format is described in docs/build.md.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use crate::{folder::files_below, system::reason};
use resourcesync::{
    build::{ChangeHistory, DumpHistory, PublishedDocument},
    value::{Datetime, to_hex},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Error;

const WINDOW: usize = 128 << 10;
/// The other files of the state.
const PARTS: [&str; 2] = ["inventory.jsonl", "changes.jsonl"];
const FORMAT: &str = "resourcesync-state";
const VERSION: u32 = 2;

/// `state.json` of a generation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct State {
    format: String,
    format_version: u32,
    /// The start of the run.
    pub(crate) at: String,
    pub(crate) base_uri: String,
    pub(crate) documents_uri: String,
    /// The extension of documents.
    pub(crate) suffix: String,
    /// A digest of the options, to decide whether to publish although no resource changed.
    pub(crate) wanted: String,
    /// The Source Description, if there are notification channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<PublishedDocument>,
    /// The base of the URIs of topics, if there are notification channels; unknown in the state of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) topics_uri: Option<String>,
    /// The sets of files; unknown in a rebuilt state.
    #[serde(default)]
    pub(crate) set_names: Option<Vec<String>>,
    /// The sets, by name.
    pub(crate) sets: BTreeMap<String, Set>,
    /// The other files of the state.
    #[serde(default)]
    pub(crate) parts: BTreeMap<String, FileRecord>,
    /// The published files, to distinguish them from foreign files.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, FileRecord>,
}

/// The summary of a written file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FileRecord {
    pub(crate) length: u64,
    /// The number of lines, for parts of the state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<u64>,
    /// SHA-256 in hexadecimal; the digests of packages are in the dump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<String>,
}

impl FileRecord {
    /// Reads a file: its length, its lines and its digest.
    pub(crate) fn of(path: &Path) -> io::Result<FileRecord> {
        let (mut file, mut window) = (File::open(path)?, vec![0; WINDOW]);
        let (mut digest, mut length, mut lines) = (Sha256::new(), 0_u64, 0_u64);
        loop {
            match file.read(&mut window) {
                Ok(0) => break,
                Ok(read) => {
                    let bytes = window.get(..read).unwrap_or(&[]);
                    digest.update(bytes);
                    length = length.saturating_add(read as u64);
                    lines = lines.saturating_add(bytes.iter().filter(|byte| **byte == b'\n').count() as u64);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(FileRecord { length, lines: Some(lines), sha256: Some(to_hex(&digest.finalize())) })
    }

    /// A published file. Packages are large, and their digests are in the dump.
    pub(crate) fn of_published(path: &Path) -> io::Result<FileRecord> {
        if path.extension().is_some_and(|ending| ending == "zip") {
            return Ok(FileRecord { length: fs::metadata(path)?.len(), lines: None, sha256: None });
        }
        Ok(FileRecord { lines: None, ..FileRecord::of(path)? })
    }
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

/// The announcements of the notification channels of a set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Notified {
    /// The end of the last interval.
    pub(crate) until: String,
    /// The documents, to detect changes.
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
            topics_uri: None,
            set_names: None,
            sets: BTreeMap::new(),
            parts: BTreeMap::new(),
            files: BTreeMap::new(),
        }
    }

    /// Reads the state of a generation.
    pub(crate) fn read(folder: &Path) -> Result<State, Error> {
        let path = folder.join("state.json");
        let shown = path.display();
        let text = fs::read_to_string(&path);
        let text = text.map_err(|error| format!("{shown} could not be read: {}", reason(&error)))?;
        let state: State = serde_json::from_str(&text).map_err(|error| damaged(&path, &error.to_string()))?;
        if state.format != FORMAT || state.format_version != VERSION {
            return Err(damaged(&path, "it is of another version of this command"));
        }
        Ok(state)
    }

    /// True if a set has packages.
    pub(crate) fn has_packages(&self) -> bool {
        self.sets.values().any(|set| set.dump.is_some())
    }

    /// True if a set has notification channels.
    pub(crate) fn has_channels(&self) -> bool {
        self.sets.values().any(|set| set.notified.is_some())
    }

    /// Compares the other files of the state with their recorded digests, so that a damaged state is never used.
    pub(crate) fn check(&self, folder: &Path) -> Result<(), Error> {
        for part in self.parts.keys() {
            let path = folder.join(part);
            let found = FileRecord::of(&path).map_err(|error| damaged(&path, &reason(&error).to_string()))?;
            match self.parts.get(part.as_str()) {
                Some(written) if *written == found => {}
                Some(FileRecord { lines: Some(lines), .. }) if Some(*lines) != found.lines => {
                    let found = found.lines.unwrap_or(0);
                    return Err(damaged(&path, &format!("{found} lines of {lines}")));
                }
                _ => return Err(damaged(&path, "its digest is not that of state.json")),
            }
        }
        Ok(())
    }

    /// Rejects a state without resources, which belongs to a publication driven by a program.
    pub(crate) fn check_resources(&self, folder: &Path) -> Result<(), Error> {
        match PARTS.iter().find(|part| !self.parts.contains_key(**part)) {
            Some(part) => Err(damaged(&folder.join("state.json"), &format!("it has no record of {part}"))),
            None => Ok(()),
        }
    }

    /// Compares the published files with their recorded digests; `deep` reads everything except packages.
    pub(crate) fn check_published(&self, public: &Path, deep: bool) -> Result<(), Error> {
        self.files.keys().try_for_each(|name| self.check_file(public, name, deep))
    }

    /// Compares a published file with its recorded digest.
    pub(crate) fn check_file(&self, public: &Path, name: &str, deep: bool) -> Result<(), Error> {
        let Some(written) = self.files.get(name) else { return Ok(()) };
        let path = public.join(name);
        let unread = |error: io::Error| damaged(&path, &reason(&error).to_string());
        let length = fs::metadata(&path).map_err(unread)?.len();
        if length != written.length {
            return Err(damaged(&path, &format!("it has {length} bytes, not {}", written.length)));
        }
        if deep && FileRecord::of_published(&path).map_err(unread)? != *written {
            return Err(damaged(&path, "its digest is not that of state.json"));
        }
        Ok(())
    }

    /// Completes it with the digests of all written files, and writes it as the state of a generation being built.
    pub(crate) fn write(&mut self, folder: &Path, public: &Path) -> Result<(), Error> {
        let unread = |path: &Path, error: &io::Error| Error::new(format!("{}: {}", path.display(), reason(error)));
        for part in PARTS.into_iter().filter(|part| folder.join(part).exists()) {
            let path = folder.join(part);
            self.parts.insert(part.to_owned(), FileRecord::of(&path).map_err(|error| unread(&path, &error))?);
        }
        for name in files_below(public).map_err(|error| unread(public, &error))? {
            let path = public.join(&name);
            self.files.insert(name, FileRecord::of_published(&path).map_err(|error| unread(&path, &error))?);
        }
        self.save(folder)
    }

    /// Writes it unchanged.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join("state.json");
        let said = |why: String| Error::new(format!("{} could not be written: {why}", path.display()));
        let text = serde_json::to_string_pretty(self).map_err(|error| said(error.to_string()))?;
        fs::write(&path, text + "\n").map_err(|error| said(reason(&error).to_string()))
    }

    /// The start of the run.
    pub(crate) fn moment(&self) -> Result<Datetime, Error> {
        self.at.parse().map_err(|error| format!("the time of the previous run: {error}").into())
    }
}

/// The error for a damaged file that a run depends on, with a remedy.
pub(crate) fn damaged(path: &Path, why: &str) -> Error {
    Error::Damaged { path: path.to_owned(), why: why.to_owned() }
}
