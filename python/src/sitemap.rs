//! Reads the resources of a sitemap.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, sync_channel},
    },
    thread,
};

use pyo3::{exceptions::PyOSError, prelude::*};
use resourcesync::publish::Record;
use resourcesync_client::{
    Cancel,
    crawl::FolderFetcher,
    http,
    publish::{Error, Sitemap, Zone},
};
use serde::Deserialize;

use crate::{
    destination::{Servers, client, within},
    entry::Entry,
    error::{misuse, publish_failed},
};

/// Resources that wait for the caller.
const WAITING: usize = 1_024;

/// What is read, and how.
#[derive(Deserialize)]
struct Given {
    start: String,
    folders: BTreeMap<String, PathBuf>,
    zone: Option<String>,
    servers: Servers,
}

/// Iterates over the entries of a sitemap, which another thread reads. It ends with this value.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct SitemapEntries {
    found: Mutex<Receiver<Result<Record, Error>>>,
    cancel: Cancel,
}

#[pymethods]
impl SitemapEntries {
    #[new]
    fn new(given: &str) -> PyResult<SitemapEntries> {
        let Given { start, folders, zone, servers } =
            serde_json::from_str(given).map_err(|error| misuse(error.to_string()))?;
        let mut mapped = FolderFetcher::new(NonZeroUsize::MIN);
        for (base, folder) in &folders {
            let unread = |error| PyOSError::new_err(format!("{}: {error}", folder.display()));
            mapped.map(folder, base).map_err(unread)?;
        }
        let cancel = Cancel::default();
        let (limits, ratio) = (http::Limits::default(), resourcesync::limits::Limits::default().inflate_ratio);
        let client = match Sitemap::is_url(&start) {
            true => Some(client(&start, servers, limits, true, within(ratio, &cancel))?),
            false => None,
        };
        let zone = zone.map(|text| {
            Zone::parse(&text).ok_or_else(|| misuse(format!("zone: `{text}` is not an offset such as +09:00")))
        });
        let sitemap = Sitemap {
            folders: (!folders.is_empty()).then(|| Arc::new(mapped)),
            client,
            zone: zone.transpose()?,
            ..Sitemap::new(start)
        };
        let (sender, found) = sync_channel(WAITING);
        let reading = cancel.clone();
        thread::spawn(move || {
            // The caller may be gone, which ends it.
            let gone = |_| Error::Cancelled;
            let read = sitemap.read(&reading, &mut |record| sender.send(Ok(record)).map_err(gone));
            if let Err(error) = read {
                let _ = sender.send(Err(error));
            }
        });
        Ok(SitemapEntries { found: Mutex::new(found), cancel })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Entry>>> {
        let next = py.detach(|| self.found.lock().unwrap_or_else(PoisonError::into_inner).recv());
        match next {
            Ok(record) => {
                let record = record.map_err(|error| publish_failed("InputError", &error.to_string()))?;
                Entry::make(py, record.entry()).map(Some)
            }
            Err(_) => Ok(None),
        }
    }
}

impl Drop for SitemapEntries {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
