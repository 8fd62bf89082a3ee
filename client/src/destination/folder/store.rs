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
    /// Begins to use the store: nobody else does until [`CopyStore::end`]. What a killed run has begun and not completed is removed. Nothing
    /// begins unless the state of the run describes the store.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WouldBlock`] if another run is at work on the store, or any other failure of it.
    fn begin(&mut self, run: &Beginning<'_>) -> io::Result<Latest> {
        let _ = run;
        Ok(Latest::Known(None))
    }

    /// The greatest number of a run with something in the trash; 0 if it is empty. A run whose state was lost goes on from there.
    ///
    /// # Errors
    ///
    /// A failure of the store.
    fn last_trash(&mut self) -> io::Result<u64> {
        Ok(0)
    }

    /// Ends the changes of the run, which have this name from now on: its state knows it, and no copy of that from before.
    ///
    /// # Errors
    ///
    /// If another run has taken over the store, or on a failure of it.
    fn finish(&mut self, name: &str) -> io::Result<()> {
        let _ = name;
        Ok(())
    }

    /// Which state describes the store, for one that knows these runs. Nothing is begun.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WouldBlock`] while another run is at work, whose state is not one of these; or on a failure of the store.
    fn latest(&mut self, known: &[String]) -> io::Result<Latest> {
        let _ = known;
        Ok(Latest::Known(None))
    }

    /// Writes the state that a run has saved to a file.
    ///
    /// # Errors
    ///
    /// If it is not there or damaged, or on a failure of the store.
    fn load_state(&mut self, run: &str, into: &mut File) -> io::Result<()> {
        let _ = (run, into);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Saves the state of this run, in place of those saved before, unless one of these still describes the store.
    ///
    /// # Errors
    ///
    /// On a failure of the store, or if it keeps no states.
    fn save_state(&mut self, state: File) -> io::Result<()> {
        let _ = state;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Ends that.
    ///
    /// # Errors
    ///
    /// On a failure of the store.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// What is under a path; `None` if nothing is.
    ///
    /// # Errors
    ///
    /// On a failure of the store, which ends the run.
    fn look(&mut self, path: &str) -> io::Result<Option<StoredBytes>>;

    /// Stores the bytes of a resource under its path, and replaces the previous ones. Whole or not at all: a reader finds either the old or the new bytes
    /// at every moment. They are durable when this returns: their version, with which [`CopyStore::look`] will find them, if the store has versions.
    ///
    /// # Errors
    ///
    /// On a failure of the store, which ends the run; the previous bytes are then still there.
    fn put(&mut self, resource: &CopiedResource, bytes: File) -> io::Result<Option<String>>;

    /// Keeps what others wrote under a path in the trash of the run, if the store has a trash: other bytes will take its place. It stays there until then.
    ///
    /// # Errors
    ///
    /// On a failure of the store, which ends the run.
    fn set_aside(&mut self, path: &str, run: u64) -> io::Result<()> {
        let _ = (path, run);
        Ok(())
    }

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

/// What a store has under a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBytes {
    /// The number of bytes.
    pub length: u64,
    /// What the store says of these bytes and not of others under the same path, such as an ETag; `None` if it has nothing of the kind, so that other bytes of
    /// the same number pass for these until they are read.
    pub version: Option<String>,
}

/// A run that begins to use a store.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// Its name, which no other run has.
    pub run: &'a str,
    /// The runs that its state knows: what the last of them left is what it has recorded.
    pub known: &'a [String],
    /// True if it begins whatever other runs have done, since it compares everything that is stored.
    pub takes_over: bool,
}

/// Which state describes a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Latest {
    /// That of the run: nobody has changed the store since this one of the runs that it knows; `None` if nothing names a run.
    Known(Option<String>),
    /// The one that another run has saved in the store.
    Saved(String),
    /// That of another run, which is not in the store.
    Elsewhere,
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
