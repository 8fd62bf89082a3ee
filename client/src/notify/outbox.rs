//! The outbox of a Source: a file from which a publisher resumes after being killed at any time.
//!
//! The file is a journal with one JSON object per line: values that a [`Publisher`] keeps, and the number of payloads taken from each
//! publication. A line is on disk before it has any effect. An incomplete last line is dropped. When the file is opened, the journal is
//! compacted to one line.

use std::{
    collections::BTreeSet,
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use resourcesync_notify::{
    payload::Payload,
    publisher::{Input, Options, Output, Publisher},
    state::{Keep, State, StateError},
    topic::Topic,
};
use serde::{Deserialize, Serialize};

use super::driver;
use crate::{cancel::Cancel, folder, http::Client, system::reason};

/// The payloads that a publisher still has to send, in a file. Only one run may use it at a time.
#[derive(Debug)]
pub struct Outbox {
    /// The file; `None` if the outbox is only in memory.
    path: Option<PathBuf>,
    journal: Option<File>,
    publisher: Publisher,
    /// The publication whose payloads were taken last, and their number.
    taken: Option<Taken>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Taken {
    publication: String,
    payloads: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<Taken>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keep: Vec<Keep>,
}

impl Outbox {
    /// Opens an outbox. A file that does not exist is an empty outbox.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not an outbox.
    pub fn open(path: PathBuf, options: Options) -> Result<Outbox, OutboxError> {
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| OutboxError::io(&path, error))?,
        };
        let damaged = |why: String| OutboxError::Damaged { path: path.clone(), why };
        let (mut state, mut taken, mut lines) = (State::new(), None, 0_u64);
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            lines = lines.saturating_add(1);
            if !line.ends_with(b"\n") {
                break;
            }
            let read: Line = serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
            taken = read.taken.or(taken);
            read.keep.into_iter().for_each(|keep| keep.apply(&mut state));
        }
        if lines > 1 || text.last().is_some_and(|last| *last != b'\n') {
            let keep = state.iter().map(|(key, value)| Keep { key: key.clone(), value: Some(value.clone()) });
            let line = Line { taken: taken.clone(), keep: keep.collect() };
            let rewritten = written(&line).and_then(|bytes| folder::write_atomic(&path, &bytes));
            rewritten.map_err(|error| OutboxError::io(&path, error))?;
        }
        let publisher = Publisher::restore(options, state).map_err(|error: StateError| damaged(error.to_string()))?;
        Ok(Outbox { path: Some(path), journal: None, publisher, taken })
    }

    /// Creates an outbox in memory.
    #[must_use]
    pub fn in_memory(options: Options) -> Outbox {
        Outbox { path: None, journal: None, publisher: Publisher::new(options), taken: None }
    }

    /// The publisher, to query waiting payloads.
    #[must_use]
    pub fn publisher(&self) -> &Publisher {
        &self.publisher
    }

    /// The publication whose payloads were taken last.
    #[must_use]
    pub fn publication(&self) -> Option<&str> {
        self.taken.as_ref().map(|taken| &*taken.publication)
    }

    /// The number of payloads taken from a publication.
    #[must_use]
    pub fn taken(&self, publication: &str) -> u64 {
        self.taken.as_ref().filter(|taken| taken.publication == publication).map_or(0, |taken| taken.payloads)
    }

    /// Takes the next payload of a publication. It is on disk after [`Outbox::send`] or [`Outbox::sync`].
    ///
    /// # Errors
    ///
    /// If the file cannot be written. Reopen the outbox then.
    pub fn take(&mut self, publication: &str, topic: Topic, payload: Payload) -> Result<Vec<Output>, OutboxError> {
        let (mut keep, mut others) = (Vec::new(), Vec::new());
        for output in self.publisher.queue(topic, payload) {
            match output {
                Output::Keep(own) => keep.push(own),
                other => others.push(other),
            }
        }
        let payloads = self.taken(publication).saturating_add(1);
        let taken = Taken { publication: publication.to_owned(), payloads };
        self.taken = Some(taken.clone());
        self.append(&Line { taken: Some(taken), keep })?;
        Ok(others)
    }

    /// Syncs all taken payloads to disk.
    ///
    /// # Errors
    ///
    /// On a system error.
    pub fn sync(&mut self) -> Result<(), OutboxError> {
        match (&self.path, &self.journal) {
            (Some(path), Some(journal)) => journal.sync_data().map_err(|error| OutboxError::io(path, error)),
            _ => Ok(()),
        }
    }

    /// Drops the waiting payloads, and returns their number.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. Reopen the outbox then.
    pub fn discard(&mut self) -> Result<u64, OutboxError> {
        let waiting: BTreeSet<u64> = self.publisher.undelivered().map(|left| left.delivery.payload).collect();
        for payload in &waiting {
            let keep = self.publisher.discard(*payload);
            self.append(&Line { taken: None, keep })?;
        }
        self.sync()?;
        Ok(waiting.len() as u64)
    }

    /// Processes these inputs and sends the waiting payloads, until all were accepted or refused, or the next retry is later than
    /// `patience`.
    ///
    /// Events are passed to `tell`, in order.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. Payloads that were sent nevertheless are sent again, unchanged.
    pub fn send(
        &mut self,
        (client, cancel): (&Client, &Cancel),
        inputs: impl IntoIterator<Item = Input>,
        patience: Duration,
        mut tell: impl FnMut(&Output),
    ) -> Result<(), OutboxError> {
        self.sync()?;
        let mut publisher = std::mem::take(&mut self.publisher);
        let sent = driver::publish((client, cancel), &mut publisher, inputs, patience, |output| match output {
            Output::Keep(keep) => {
                self.append(&Line { taken: None, keep: vec![keep] })?;
                self.sync()
            }
            output => {
                tell(&output);
                Ok(())
            }
        });
        self.publisher = publisher;
        sent
    }

    fn append(&mut self, line: &Line) -> Result<(), OutboxError> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut append = || {
            let journal = match &mut self.journal {
                Some(journal) => journal,
                none => none.insert(OpenOptions::new().create(true).append(true).open(path)?),
            };
            journal.write_all(&written(line)?)
        };
        append().map_err(|error| OutboxError::io(path, error))
    }
}

fn written(line: &Line) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Errors of an outbox.
#[derive(Debug)]
#[non_exhaustive]
pub enum OutboxError {
    /// The system refused.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is not an outbox.
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl OutboxError {
    pub(super) fn io(path: &Path, error: io::Error) -> OutboxError {
        OutboxError::Io { path: path.to_owned(), error }
    }
}

impl fmt::Display for OutboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutboxError::Io { path, error } => write!(f, "the outbox {}: {}", path.display(), reason(error)),
            OutboxError::Damaged { path, why } => write!(f, "the outbox {} is damaged: {why}", path.display()),
        }
    }
}

impl std::error::Error for OutboxError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OutboxError::Io { error, .. } => Some(error),
            OutboxError::Damaged { .. } => None,
        }
    }
}
