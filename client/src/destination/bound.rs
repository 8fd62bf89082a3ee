//! A Source, the folder of its copy, and the options of its runs, in one value.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use resourcesync_sync::report::Report;

use super::{
    Audit, AuditOptions, Changes, Event, Options, Progress, SyncError, audit_with, changes, pending, source, sync,
};
use crate::{
    cancel::Cancel,
    http::{Client, ClientOptions, Policy},
};

/// Keeps one folder in step with one Source: a run, its changes and an audit with the same options.
///
/// ```no_run
/// use std::io;
///
/// use resourcesync_client::destination::Destination;
///
/// let destination = Destination::new("https://repository.example/", "copy")?;
/// let report = destination.sync(&mut |_| {})?;
/// println!("{} as of {:?}", report.run.outcome.as_str(), report.as_of);
///
/// // In place of `sync`, for a program that keeps an index or a table of its own:
/// for change in destination.changes(&mut |_| {})? {
///     let change = change?;
///     if let Some(mut content) = change.open()? {
///         println!("{} {} {}", change.change, change.resource.uri, io::read_to_string(&mut content)?);
///     }
///     change.done()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Destination {
    uri: String,
    folder: PathBuf,
    client: Arc<Client>,
    options: Options,
    cancel: Cancel,
}

impl Destination {
    /// A Destination with the default options. Only the host of the URI is requested, at a rate that adapts to it.
    ///
    /// # Errors
    ///
    /// If the URI cannot be requested.
    pub fn new(uri: &str, folder: impl Into<PathBuf>) -> Result<Destination, SyncError> {
        let mut policy = Policy::default();
        policy.adapts = true;
        policy.start(uri).map_err(SyncError::Http)?;
        let cancel = Cancel::default();
        let options = ClientOptions { cancel: cancel.clone(), ..ClientOptions::default() };
        let client = Arc::new(Client::new(policy, options).map_err(SyncError::Http)?);
        Ok(Destination { uri: uri.to_owned(), folder: folder.into(), client, options: Options::default(), cancel })
    }

    /// A Destination that a folder has been before.
    ///
    /// # Errors
    ///
    /// [`SyncError::NotACopy`] if no list of a Source was read into the folder yet; or if its state cannot be read.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Destination, SyncError> {
        let folder = folder.into();
        let uri = source(&folder, None)?.ok_or(SyncError::NotACopy)?;
        Destination::new(&uri, folder)
    }

    /// Sends requests with a client of its own, for other hosts, credentials, limits or a proxy.
    #[must_use]
    pub fn client(mut self, client: Arc<Client>) -> Destination {
        self.client = client;
        self
    }

    /// Sets the options of its runs.
    #[must_use]
    pub fn options(mut self, options: Options) -> Destination {
        self.options = options;
        self
    }

    /// The Source.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The folder of the copy.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Cancels what it does, from another thread, and everything that it is asked to do later.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Makes the folder hold what the Source lists, as [`sync`] does.
    ///
    /// # Errors
    ///
    /// If no run is possible: the folder or its state cannot be used, or it contains another copy. Later errors are in the report.
    pub fn sync(&self, on_event: &mut dyn FnMut(Event<'_>)) -> Result<Report, SyncError> {
        sync(&self.uri, &self.folder, &self.client, &self.options, &self.cancel, on_event)
    }

    /// The same, and what changed since the last acknowledgement, as [`changes`] does.
    ///
    /// # Errors
    ///
    /// As [`Destination::sync`]; also if another run is at work on the folder.
    pub fn changes(&self, on_event: &mut dyn FnMut(Event<'_>)) -> Result<Changes, SyncError> {
        changes(&self.uri, &self.folder, &self.client, &self.options, &self.cancel, on_event)
    }

    /// What earlier runs have changed and was not acknowledged.
    ///
    /// # Errors
    ///
    /// If the folder is no copy, its state cannot be read, or another run is at work on it.
    pub fn pending(&self) -> Result<Changes, SyncError> {
        pending(&self.folder, &self.options, &self.cancel)
    }

    /// Compares the copy with the Source. Nothing is changed.
    ///
    /// # Errors
    ///
    /// If the folder is no copy, or its state cannot be read.
    pub fn audit(&self, options: &AuditOptions, on_progress: &mut dyn FnMut(Progress)) -> Result<Audit, SyncError> {
        audit_with(&self.folder, Some(&self.client), options, &self.cancel, on_progress)
    }
}
