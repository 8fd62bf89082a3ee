//! The parts of a state in memory: a JSON value a line.

use resourcesync::publish::{FileDigest, FileRecord};
use serde::{Serialize, de::DeserializeOwned};

/// Bytes that are written at once.
const WINDOW: usize = 128 << 10;

/// Reads a part from its bytes.
#[derive(Debug)]
pub(super) struct PartReader<T> {
    values: Vec<T>,
    digest: FileDigest,
    /// The start of a line.
    rest: Vec<u8>,
    /// Why a line could not be parsed.
    problem: Option<String>,
}

impl<T> Default for PartReader<T> {
    fn default() -> PartReader<T> {
        PartReader { values: Vec::new(), digest: FileDigest::default(), rest: Vec::new(), problem: None }
    }
}

impl<T: DeserializeOwned> PartReader<T> {
    /// Adds bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.digest.push(bytes);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.rest.extend_from_slice(line);
            if line.ends_with(b"\n") {
                match serde_json::from_slice(&self.rest) {
                    Ok(value) => self.values.push(value),
                    Err(error) => self.problem = Some(error.to_string()),
                }
                self.rest.clear();
            }
        }
    }

    /// The values, or why they are damaged; `check` compares the part with what is known of it.
    pub(super) fn finish(self, check: impl Fn(&FileRecord) -> Result<(), String>) -> Result<Vec<T>, String> {
        check(&self.digest.finish())?;
        self.problem.map_or(Ok(self.values), Err)
    }
}

/// Writes a part, in windows.
#[derive(Debug)]
pub(super) struct PartWriter<T> {
    values: std::vec::IntoIter<T>,
    digest: FileDigest,
}

impl<T: Serialize> PartWriter<T> {
    pub(super) fn new(values: Vec<T>) -> PartWriter<T> {
        PartWriter { values: values.into_iter(), digest: FileDigest::default() }
    }

    /// The next bytes; empty at the end. `each` gets every value with its line.
    pub(super) fn next(&mut self, mut each: impl FnMut(&T, &[u8])) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = Vec::new();
        for value in self.values.by_ref() {
            let start = bytes.len();
            serde_json::to_writer(&mut bytes, &value)?;
            bytes.push(b'\n');
            each(&value, bytes.get(start..).unwrap_or_default());
            if bytes.len() >= WINDOW {
                break;
            }
        }
        self.digest.push(&bytes);
        Ok(bytes)
    }

    /// The record of what was written.
    pub(super) fn record(&self) -> FileRecord {
        self.digest.clone().finish()
    }
}
