//! The payloads of a published generation, and their transfer to the outbox.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use resourcesync_notify::{
    payload::{Channel, Payload},
    publisher::Output,
    topic::Topic,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Outbox, OutboxError};
use crate::folder::Current;

/// The payloads of a generation, in the folder with its state.
pub(crate) const PAYLOADS: &str = "payloads.jsonl";
/// The file name of the outbox next to a published folder.
pub const OUTBOX: &str = "outbox.jsonl";

/// A payload of a generation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Announced {
    pub(crate) topic: Topic,
    pub(crate) kind: Channel,
    pub(crate) body: String,
}

/// The first line of the payloads.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// When the generation was created; later values are greater as text.
    publication: String,
}

/// The payloads of a generation being written.
pub(crate) struct PayloadFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl PayloadFile {
    /// Creates the file for a generation of this moment, in the folder for its state.
    pub(crate) fn create(folder: &Path, at: &str) -> Result<PayloadFile, OutboxError> {
        let path = folder.join(PAYLOADS);
        let file = File::create(&path).map_err(|error| OutboxError::io(&path, error))?;
        let mut publication = PayloadFile { path, file: BufWriter::with_capacity(128 << 10, file) };
        publication.line(&Head { publication: at.to_owned() })?;
        Ok(publication)
    }

    pub(crate) fn push(&mut self, payload: &Announced) -> Result<(), OutboxError> {
        self.line(payload)
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), OutboxError> {
        let written = serde_json::to_writer(&mut self.file, value).map_err(io::Error::from);
        written.and_then(|()| self.file.write_all(b"\n")).map_err(|error| OutboxError::io(&self.path, error))
    }

    /// Syncs it to disk.
    pub(crate) fn finish(mut self) -> Result<(), OutboxError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| OutboxError::io(&self.path, error))
    }
}

/// An interval that does not start at the end of the previous one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// The topic.
    pub topic: String,
    /// The end of the previous interval.
    pub expected: String,
    /// The start of this one.
    pub from: String,
}

/// True if a generation has payloads.
#[must_use]
pub fn has_payloads(generation: &Current) -> bool {
    generation.known.join(PAYLOADS).exists()
}

/// Adds the payloads of a generation to an outbox, except those that were already added. Generations before the last one added are
/// ignored.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn take(outbox: &mut Outbox, generation: &Current) -> Result<Vec<Break>, OutboxError> {
    let path = generation.known.join(PAYLOADS);
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.map_err(|error| OutboxError::io(&path, error))?,
    };
    let mut lines = BufReader::with_capacity(128 << 10, file);
    let damaged = |why: &dyn std::fmt::Display| OutboxError::Damaged { path: path.clone(), why: why.to_string() };
    let head = line(&mut lines).map_err(|error| damaged(&error))?;
    let Head { publication } = head.ok_or_else(|| damaged(&"it is empty"))?;
    // Without the zone, times with and without a fraction sort chronologically.
    let moment = |publication: &str| publication.trim_end_matches('Z').to_owned();
    if outbox.publication().is_some_and(|last| moment(last) > moment(&publication)) {
        return Ok(Vec::new());
    }
    let (mut passed, mut breaks) = (outbox.taken(&publication), Vec::new());
    while let Some(Announced { topic, kind, body }) = line(&mut lines).map_err(|error| damaged(&error))? {
        if passed > 0 {
            passed = passed.saturating_sub(1);
            continue;
        }
        let payload = Payload::read(body.into_bytes(), kind).map_err(|rejected| damaged(&rejected))?;
        for output in outbox.take(&publication, topic, payload)? {
            if let Output::Broken { topic, expected, from } = output {
                breaks.push(Break { topic, expected, from });
            }
        }
    }
    outbox.sync()?;
    Ok(breaks)
}

/// The value of the next line.
fn line<T: DeserializeOwned>(lines: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    match lines.read_until(b'\n', &mut line)? {
        0 => Ok(None),
        _ => Ok(Some(serde_json::from_slice(&line)?)),
    }
}
