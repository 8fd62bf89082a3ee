//! Where a copy keeps its bytes, if not in a folder: a database, an object store, or nowhere once its changes are acknowledged.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use resourcesync::value::{Algorithm, Datetime, Hashes, Parsed, Value};
use resourcesync_sync::ledger::StoredResource;

/// A stored resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedResource {
    /// The resource.
    pub uri: String,
    /// Its file, below the folder of the copy.
    pub path: String,
    /// Bytes of the file.
    pub length: u64,
    /// Digests of the file, SHA-256 among them.
    pub hashes: Hashes,
    /// When the resource was last modified, as listed.
    pub lastmod: Option<Datetime>,
}

/// Keeps the bytes of a copy in a place of the program.
///
/// Bytes are stored under the path that a file would have. A run verifies them before it stores them, and records them as held afterwards; what a killed run was
/// storing is stored again. Paths that the program does not know are not removed.
pub trait CopyStore: Send {
    /// Begins to use the store: nobody else does until [`CopyStore::end`]. What a killed run has begun and not completed is removed.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WouldBlock`] if another run is at work on the store, or any other failure of it.
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Ends that.
    ///
    /// # Errors
    ///
    /// On a failure of the store.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The number of bytes under a path; `None` if there are none.
    ///
    /// # Errors
    ///
    /// On a failure of the store, which ends the run.
    fn length(&mut self, path: &str) -> io::Result<Option<u64>>;

    /// Stores the bytes of a resource under its path, and replaces the previous ones. Whole or not at all: a reader finds either the old or the new bytes
    /// at every moment. They are durable when this returns.
    ///
    /// # Errors
    ///
    /// On a failure of the store, which ends the run; the previous bytes are then still there.
    fn put(&mut self, resource: &CopiedResource, bytes: File) -> io::Result<()>;

    /// The bytes under a path.
    ///
    /// # Errors
    ///
    /// If there are none, or on a failure of the store.
    fn open(&mut self, path: &str) -> io::Result<Box<dyn Read + Send>>;

    /// Removes the bytes of a resource that the Source has deleted. That they are there no more is no error.
    ///
    /// # Errors
    ///
    /// On a failure of the store, which ends the run.
    fn remove(&mut self, uri: &str, path: &str) -> io::Result<()>;

    /// Removes the bytes of a resource that the Source has deleted so that this can be undone, if the store has a trash: that of the run.
    ///
    /// # Errors
    ///
    /// As [`CopyStore::remove`].
    fn trash(&mut self, uri: &str, path: &str, run: u64) -> io::Result<()> {
        let _ = run;
        self.remove(uri, path)
    }

    /// Empties the trash of the runs before this one, of what is in it for at least this long.
    ///
    /// # Errors
    ///
    /// On a failure of the store.
    fn empty_trash(&mut self, before: u64, keep: Option<Duration>) -> io::Result<()> {
        let _ = (before, keep);
        Ok(())
    }
}

/// Where a copy keeps its bytes.
#[derive(Clone, Default)]
pub enum Keep {
    /// In its folder.
    #[default]
    Folder,
    /// In its folder, until the change is acknowledged.
    UntilDone,
    /// In a store; the folder has the state and what is not verified yet.
    Store(Arc<Mutex<dyn CopyStore>>),
    /// In the store of a URI, which the ledger records.
    Named(String, Arc<Mutex<dyn CopyStore>>),
}

impl Keep {
    /// Keeps bytes in a store.
    pub fn store(store: impl CopyStore + 'static) -> Keep {
        Keep::Store(Arc::new(Mutex::new(store)))
    }

    /// Keeps bytes in the store of a URI.
    pub fn named(uri: &str, store: impl CopyStore + 'static) -> Keep {
        Keep::Named(uri.to_owned(), Arc::new(Mutex::new(store)))
    }

    /// What the ledger records of it.
    pub(in crate::destination) fn as_str(&self) -> &str {
        match self {
            Keep::Folder => "folder",
            Keep::UntilDone => "until-done",
            Keep::Store(_) => "store",
            Keep::Named(uri, _) => uri,
        }
    }

    /// The store, if there is one.
    pub(in crate::destination) fn used(&self) -> Option<MutexGuard<'_, dyn CopyStore + 'static>> {
        match self {
            Keep::Store(store) | Keep::Named(_, store) => Some(store.lock().unwrap_or_else(PoisonError::into_inner)),
            _ => None,
        }
    }
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A stored resource, with its path.
pub(in crate::destination) fn holding(
    StoredResource { uri, state, .. }: StoredResource,
    path: String,
) -> CopiedResource {
    let stored = Hashes::readable(&format!("sha-256:{}", state.sha256));
    let recorded = state.hashes();
    // Of a resource that was sent in a content coding, what was listed is not that of the file.
    let is_of_the_file = recorded.get(&Algorithm::Sha256) == stored.get(&Algorithm::Sha256);
    let lastmod = state.lastmod.as_deref().map(Datetime::read);
    let lastmod = lastmod.and_then(|read| match read {
        Parsed::Exact(moment) | Parsed::Lenient(moment) => Some(moment),
        Parsed::Malformed => None,
    });
    CopiedResource { uri, path, length: state.size, hashes: if is_of_the_file { recorded } else { stored }, lastmod }
}
