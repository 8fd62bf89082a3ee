//! The file of an outbox, from which a publisher resumes after being killed at any time.

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
    publication::{self, Break, Taking},
    publisher::{Input, Options, Output, Publisher},
    topic::Topic,
};

use super::driver;
use crate::{cancel::Cancel, folder, http::Client, system::reason};

/// The payloads that a publisher still has to send, in a file. Only one run may use it at a time.
#[derive(Debug)]
pub struct Outbox {
    /// The file; `None` if the outbox is only in memory.
    path: Option<PathBuf>,
    journal: Option<File>,
    inner: publication::Outbox,
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
        let read = publication::Outbox::read(&text, options);
        let (inner, compacted) = read.map_err(|why| OutboxError::Damaged { path: path.clone(), why })?;
        if let Some(bytes) = compacted {
            folder::write_atomic(&path, &bytes).map_err(|error| OutboxError::io(&path, error))?;
        }
        Ok(Outbox { path: Some(path), journal: None, inner })
    }

    /// Creates an outbox in memory.
    #[must_use]
    pub fn in_memory(options: Options) -> Outbox {
        Outbox { path: None, journal: None, inner: publication::Outbox::new(options) }
    }

    /// The publisher, to query waiting payloads.
    #[must_use]
    pub fn publisher(&self) -> &Publisher {
        self.inner.publisher()
    }

    /// The number of payloads taken from a publication.
    #[must_use]
    pub fn taken(&self, publication: &str) -> u64 {
        self.inner.taken(publication)
    }

    /// Takes the next payload of a publication. It is on disk after [`Outbox::send`] or [`Outbox::sync`].
    ///
    /// # Errors
    ///
    /// If the file cannot be written. Reopen the outbox then.
    pub fn take(&mut self, publication: &str, topic: Topic, payload: Payload) -> Result<Vec<Output>, OutboxError> {
        let (line, others) = self.inner.take(publication, topic, payload);
        self.append(&line)?;
        Ok(others)
    }

    /// Takes the payloads in these lines, except those that were already taken. They are on disk afterwards. `damaged` makes the error of a
    /// line.
    pub(super) fn take_lines(
        &mut self,
        mut next: impl FnMut() -> Result<Option<Vec<u8>>, OutboxError>,
        damaged: impl Fn(String) -> OutboxError,
    ) -> Result<Vec<Break>, OutboxError> {
        let mut taking = Taking::default();
        while let Some(line) = next()? {
            let appended = taking.line(&mut self.inner, &line).map_err(&damaged)?;
            self.append(&appended)?;
        }
        let breaks = taking.finish().map_err(damaged)?;
        self.sync()?;
        Ok(breaks)
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
        let waiting: BTreeSet<u64> = self.publisher().undelivered().map(|left| left.delivery.payload).collect();
        for payload in &waiting {
            let keep = self.inner.publisher_mut().discard(*payload);
            self.append(&publication::Outbox::kept(keep))?;
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
        let mut publisher = std::mem::take(self.inner.publisher_mut());
        let sent = driver::publish((client, cancel), &mut publisher, inputs, patience, |output| match output {
            Output::Keep(keep) => {
                self.append(&publication::Outbox::kept(vec![keep]))?;
                self.sync()
            }
            output => {
                tell(&output);
                Ok(())
            }
        });
        *self.inner.publisher_mut() = publisher;
        sent
    }

    fn append(&mut self, line: &[u8]) -> Result<(), OutboxError> {
        let Some(path) = self.path.as_ref().filter(|_| !line.is_empty()) else { return Ok(()) };
        let mut append = || {
            let journal = match &mut self.journal {
                Some(journal) => journal,
                none => none.insert(OpenOptions::new().create(true).append(true).open(path)?),
            };
            journal.write_all(line)
        };
        append().map_err(|error| OutboxError::io(path, error))
    }
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
