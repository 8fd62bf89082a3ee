//! The destination of a publication.

use alloc::{
    collections::{BTreeMap, VecDeque},
    string::{String, ToString},
    vec::Vec,
};
use core::convert::Infallible;

/// Stores files, one after the other.
///
/// A path is relative, has `/` between its segments, and is not percent-encoded. It never leads out of the target folder.
pub trait Store {
    /// The error of the store.
    type Error;

    /// Starts a file.
    ///
    /// # Errors
    ///
    /// If the store fails; the publication ends with this error.
    fn begin(&mut self, path: &str) -> Result<(), Self::Error>;

    /// Appends to the file.
    ///
    /// # Errors
    ///
    /// As [`Store::begin`].
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// As [`Store::begin`].
    fn end(&mut self) -> Result<(), Self::Error>;
}

impl<S: Store> Store for &mut S {
    type Error = S::Error;

    fn begin(&mut self, path: &str) -> Result<(), S::Error> {
        (**self).begin(path)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), S::Error> {
        (**self).write(bytes)
    }

    fn end(&mut self) -> Result<(), S::Error> {
        (**self).end()
    }
}

/// Keeps all files in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryStore {
    /// The files by path.
    pub files: BTreeMap<String, Vec<u8>>,
    open: String,
}

impl Store for MemoryStore {
    type Error = Infallible;

    fn begin(&mut self, path: &str) -> Result<(), Infallible> {
        self.open = path.to_string();
        self.files.insert(path.to_string(), Vec::new());
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        if let Some(file) = self.files.get_mut(&self.open) {
            file.extend_from_slice(bytes);
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// An operation on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Start the file at this path.
    Begin(String),
    /// Append to it.
    Write(Vec<u8>),
    /// End it.
    End,
}

/// Queues operations for a driver that cannot perform them synchronously. If it is emptied after each call, it
/// stays small.
#[derive(Debug, Clone, Default)]
pub struct Outbox {
    queue: VecDeque<Output>,
}

impl Outbox {
    /// The next operation.
    #[allow(clippy::should_implement_trait)] // there may be more later
    pub fn next(&mut self) -> Option<Output> {
        self.queue.pop_front()
    }
}

impl Store for Outbox {
    type Error = Infallible;

    fn begin(&mut self, path: &str) -> Result<(), Infallible> {
        self.queue.push_back(Output::Begin(path.to_string()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.queue.push_back(Output::Write(bytes.to_vec()));
        Ok(())
    }

    fn end(&mut self) -> Result<(), Infallible> {
        self.queue.push_back(Output::End);
        Ok(())
    }
}
