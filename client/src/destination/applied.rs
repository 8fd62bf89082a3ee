//! The changes of a copy for a program that keeps an index or a table of its own: each after its file is durable, and until it is acknowledged.

use std::{
    fmt,
    io::{self, Read},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use resourcesync::{
    fixity::Digester,
    value::{Algorithm, Change, to_hex},
};
use resourcesync_sync::{Places, report::Report};

use super::{
    CopiedResource, Event, Options, SyncError,
    binding::Binding,
    clock::now,
    folder::{Files, Keep, holding, remove_finished},
    ledger::{Ledger, Pending},
    open::{Opened, open},
    run::sync_opened,
};
use crate::{cancel::Cancel, folder::Lock, http::Client};

/// Rows read per query.
const PAGE: usize = 256;

/// Synchronizes a folder with a Source, and returns what changed since the last acknowledgement. The first call returns everything that is
/// stored as created.
///
/// Changes are delivered at least once: those that are not acknowledged with [`AppliedChange::done`] are returned again by the next call, in
/// their newest state. No other run is possible on the folder while they are in use.
///
/// ```no_run
/// use std::{io, path::Path, sync::Arc};
///
/// use resourcesync_client::{Cancel, destination, http::{Client, ClientOptions, Policy}};
///
/// let uri = "https://repository.example/";
/// let mut policy = Policy::default();
/// policy.start(uri)?;
/// let client = Arc::new(Client::new(policy, ClientOptions::default())?);
/// let (options, cancel) = (destination::Options::default(), Cancel::default());
/// let changes = destination::changes(uri, Path::new("copy"), &client, &options, &cancel, &mut |_| {})?;
/// for change in changes {
///     let change = change?;
///     if let Some(mut content) = change.open()? {
///         println!("{} {} {}", change.change, change.resource.uri, io::read_to_string(&mut content)?);
///     }
///     change.done()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As [`sync`](super::sync); also if another run is at work on the folder. There is no dry run of it.
pub fn changes(
    uri: &str,
    folder: &Path,
    client: &Arc<Client>,
    options: &Options,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Changes, SyncError> {
    let started = now();
    if options.settings.placing.whole {
        return Err(SyncError::NotWhole);
    }
    let options = options.clone().with(|run| run.dry_run = false);
    let mut opened = open(folder, &options, cancel)?;
    opened.ledger.check_keep(&options.keep)?;
    opened.ledger.record_changes()?;
    let (report, opened) = sync_opened(opened, started, uri, client, &options, cancel, on_event)?;
    Changes::new(opened, Some(report))
}

/// The same without a run: what earlier runs have changed.
///
/// # Errors
///
/// If the folder is no copy, its state cannot be read, or another run is at work on it.
pub fn pending(folder: &Path, options: &Options, cancel: &Cancel) -> Result<Changes, SyncError> {
    super::source(folder, options.state.as_deref())?.ok_or(SyncError::NotACopy)?;
    let options = options.clone().with(|run| {
        run.dry_run = false;
        run.placing.rebuild = false;
    });
    let mut opened = open(folder, &options, cancel)?;
    opened.ledger.check_keep(&options.keep)?;
    opened.ledger.record_changes()?;
    if let Files::Own(copies) = &mut opened.files {
        remove_finished(&opened.ledger, copies)?;
    }
    Changes::new(opened, None)
}

/// Changes that were not acknowledged, from the oldest to the newest. The folder is locked until this and all of its changes are dropped.
#[derive(Debug)]
pub struct Changes {
    copy: Arc<Mutex<Option<Copy>>>,
    report: Option<Report>,
    total: u64,
    page: std::vec::IntoIter<Pending>,
    after: i64,
}

/// The locked copy.
struct Copy {
    ledger: Ledger,
    files: Files,
    places: Places,
    _locks: Vec<Lock>,
}

impl Copy {
    /// Acknowledges changes, and removes files that are only kept until then.
    fn acknowledge<'c>(&mut self, changes: impl Iterator<Item = &'c AppliedChange>) -> Result<(), SyncError> {
        let Files::Own(copies) = &mut self.files else { return Err(SyncError::NotACopy) };
        let until_done = matches!(copies.keep(), Keep::UntilDone);
        let file = |change: &'c AppliedChange| {
            let is_needless = until_done && change.change != Change::Deleted;
            (change.sequence, is_needless.then_some(&*change.resource.path))
        };
        self.ledger.acknowledge(&changes.map(file).collect::<Vec<_>>())?;
        remove_finished(&self.ledger, copies)
    }
}

impl fmt::Debug for Copy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Copy").field("ledger", &self.ledger).finish_non_exhaustive()
    }
}

impl Changes {
    fn new(Opened { files, ledger, locks, .. }: Opened, report: Option<Report>) -> Result<Changes, SyncError> {
        let places = Binding::of(&ledger)?.ok_or(SyncError::NotACopy)?.places();
        let total = ledger.pending_count()?;
        let copy = Arc::new(Mutex::new(Some(Copy { ledger, files, places, _locks: locks })));
        Ok(Changes { copy, report, total, page: Vec::new().into_iter(), after: 0 })
    }

    /// The report of the run, if there was one. Changes are valid whatever its outcome: what it could not fetch is a change of a later run.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// The number of changes that were pending at first.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Acknowledges several changes in one transaction, which costs as much as acknowledging one.
    ///
    /// # Errors
    ///
    /// If the state cannot be written: then all of them are returned again.
    pub fn done<'c>(&self, changes: impl IntoIterator<Item = &'c AppliedChange>) -> Result<(), SyncError> {
        within(&self.copy, |copy| copy.acknowledge(changes.into_iter()))
    }

    /// Releases the folder for other runs, although changes are still in use. They cannot be read or acknowledged any more.
    pub fn close(&self) {
        drop(locked(&self.copy).take());
    }
}

impl Iterator for Changes {
    type Item = Result<AppliedChange, SyncError>;

    fn next(&mut self) -> Option<Result<AppliedChange, SyncError>> {
        within(&self.copy, |copy| {
            if self.page.len() == 0 {
                self.page = copy.ledger.pending(self.after, PAGE)?.into_iter();
            }
            let Some(Pending { sequence, change, moment, stored }) = self.page.next() else { return Ok(None) };
            self.after = sequence;
            let sha256 = stored.state.sha256.clone();
            let path = stored.path.clone().or_else(|| copy.places.of(&stored.uri)).unwrap_or_default();
            let resource = holding(stored, path);
            Ok(Some(AppliedChange { change, moment, resource, sequence, sha256, copy: self.copy.clone() }))
        })
        .transpose()
    }
}

/// A change of a resource that has been applied to the copy.
#[derive(Debug, Clone)]
pub struct AppliedChange {
    /// Whether the program has an earlier state of the resource, as far as acknowledged. After a kill it may have one of a created resource,
    /// and none of a deleted one: store what is created as what is updated, and accept that nothing is there to delete.
    pub change: Change,
    /// When the resource was deleted, as listed.
    pub moment: Option<String>,
    /// The resource as it is stored, or as it was.
    pub resource: CopiedResource,
    sequence: i64,
    sha256: String,
    copy: Arc<Mutex<Option<Copy>>>,
}

impl AppliedChange {
    /// A number that increases from change to change; each state of a resource has its own.
    pub fn sequence(&self) -> i64 {
        self.sequence
    }

    /// The bytes of the resource, hashed again while they are read; `None` if it was deleted.
    ///
    /// # Errors
    ///
    /// If its file cannot be read; reading it fails at the end if it is not what was verified. A run with
    /// [`Options::baseline`] fetches such a file again.
    pub fn open(&self) -> Result<Option<Content>, SyncError> {
        if self.change == Change::Deleted {
            return Ok(None);
        }
        let bytes: Box<dyn Read + Send> = within(&self.copy, |copy| match &mut copy.files {
            Files::Own(copies) => Ok(copies.open_place(&self.resource.path)?),
            Files::Others(..) => Err(SyncError::NotACopy),
        })?;
        Ok(Some(Content { bytes, digester: Some(Digester::new([Algorithm::Sha256])), sha256: self.sha256.clone() }))
    }

    /// Acknowledges the change: it is not returned again. Durable when this returns.
    ///
    /// # Errors
    ///
    /// If the state cannot be written: then it is returned again.
    pub fn done(&self) -> Result<(), SyncError> {
        within(&self.copy, |copy| copy.acknowledge(std::iter::once(self)))
    }
}

/// The bytes of a resource. Reading fails at the end if they are not those that were verified when they were stored.
pub struct Content {
    bytes: Box<dyn Read + Send>,
    digester: Option<Digester>,
    sha256: String,
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content").field("sha256", &self.sha256).finish_non_exhaustive()
    }
}

impl Read for Content {
    fn read(&mut self, window: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(window)?;
        if length > 0 {
            if let Some(digester) = &mut self.digester {
                digester.push(window.get(..length).unwrap_or_default());
            }
        } else if !window.is_empty()
            && let Some(digester) = self.digester.take()
            && digester.finish().get(&Algorithm::Sha256).map(to_hex).as_ref() != Some(&self.sha256)
        {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is not the one that was verified"));
        }
        Ok(length)
    }
}

/// Works on the copy, unless it is closed.
fn within<T>(copy: &Mutex<Option<Copy>>, work: impl FnOnce(&mut Copy) -> Result<T, SyncError>) -> Result<T, SyncError> {
    locked(copy).as_mut().ok_or(SyncError::Closed).and_then(work)
}

/// What a panic elsewhere leaves is still usable: the ledger has only whole transactions.
fn locked(copy: &Mutex<Option<Copy>>) -> MutexGuard<'_, Option<Copy>> {
    copy.lock().unwrap_or_else(PoisonError::into_inner)
}
