//! Calls a store of bytes that is written in Python: in the thread that called the run, while there is one.

use std::{
    fs::File,
    io::{self, Read},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{SyncSender, sync_channel},
    },
};

use pyo3::{prelude::*, types::PyBytes};
use resourcesync_client::destination::{CopiedResource, CopyStore, StoredBytes, SyncError};

use crate::{
    attended::News,
    content::{Content, described, exception},
    error::sync_failed,
};

/// Where calls are made: in the thread of the caller while it waits for a run, else in their own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls(Arc<Mutex<Option<SyncSender<News>>>>);

/// Ends the time in which calls are made in the thread of the caller.
pub(crate) struct Within(Calls);

impl Calls {
    pub(crate) fn within(&self, news: &SyncSender<News>) -> Within {
        self.set(Some(news.clone()));
        Within(self.clone())
    }

    fn set(&self, news: Option<SyncSender<News>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = news;
    }

    fn call<T: Send + 'static>(&self, work: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static) -> io::Result<T> {
        let news = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(news) = news else { return Python::attach(work).map_err(io::Error::other) };
        let (reply, answer) = sync_channel(1);
        let call = move |py: Python<'_>| {
            let done = work(py)?;
            let _ = reply.send(done);
            Ok(())
        };
        // If it raises an exception, that ends the run, and there is no reply.
        let stopped = || io::Error::other("the store raised an exception");
        news.send(News::Call(Box::new(call))).map_err(|_| stopped())?;
        answer.recv().map_err(|_| stopped())
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        self.0.set(None);
    }
}

/// A store in Python.
pub(crate) struct OwnCopies {
    copies: Arc<Py<PyAny>>,
    calls: Calls,
}

impl OwnCopies {
    pub(crate) fn new(copies: Py<PyAny>, calls: Calls) -> OwnCopies {
        OwnCopies { copies: Arc::new(copies), calls }
    }
}

impl CopyStore for OwnCopies {
    fn look(&mut self, path: &str) -> io::Result<Option<StoredBytes>> {
        let (copies, path) = (self.copies.clone(), path.to_owned());
        let length: Option<u64> = self.calls.call(move |py| copies.call_method1(py, "length", (path,))?.extract(py))?;
        Ok(length.map(|length| StoredBytes { length, version: None }))
    }

    fn put(&mut self, resource: &CopiedResource, bytes: File) -> io::Result<Option<String>> {
        let (copies, resource) = (self.copies.clone(), described(resource).to_string());
        self.calls.call(move |py| {
            let body = Bound::new(py, Content::new(bytes))?;
            copies.call_method1(py, "put", (resource, body)).map(|_| None)
        })
    }

    fn open(&mut self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        let (copies, path) = (self.copies.clone(), path.to_owned());
        let file = self.calls.call(move |py| copies.call_method1(py, "open", (path,)))?;
        Ok(Box::new(Opened { file: Arc::new(file), calls: self.calls.clone() }))
    }

    fn remove(&mut self, uri: &str, path: &str) -> io::Result<()> {
        let (copies, uri, path) = (self.copies.clone(), uri.to_owned(), path.to_owned());
        self.calls.call(move |py| copies.call_method1(py, "remove", (uri, path)).map(drop))
    }
}

/// A binary file of Python, closed at the end.
struct Opened {
    file: Arc<Py<PyAny>>,
    calls: Calls,
}

impl Read for Opened {
    fn read(&mut self, window: &mut [u8]) -> io::Result<usize> {
        let (file, most) = (self.file.clone(), window.len());
        let bytes: Vec<u8> = self.calls.call(move |py| {
            let read = file.call_method1(py, "read", (most,))?;
            Ok(read.bind(py).cast::<PyBytes>()?.as_bytes().to_vec())
        })?;
        let Some(place) = window.get_mut(..bytes.len()) else {
            return Err(io::Error::other("read returned more bytes than requested"));
        };
        place.copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let file = self.file.clone();
        let _ = self.calls.call(move |py| file.call_method0(py, "close").map(drop));
    }
}

/// The exception of a store, if that is the error.
pub(crate) fn own_error(error: SyncError) -> Result<PyErr, SyncError> {
    match error {
        SyncError::Io(error) => exception(error).map_err(SyncError::Io),
        error => Err(error),
    }
}

pub(crate) fn failed(error: SyncError) -> PyErr {
    let error = match own_error(error) {
        Ok(own) => return own,
        Err(error) => error,
    };
    let code = match &error {
        SyncError::Folder(_) => "folder",
        SyncError::Io(_) => "io",
        SyncError::State(_) | SyncError::OtherFolder { .. } => "state",
        SyncError::OtherSource { .. } => "other-source",
        SyncError::OtherLayout { .. } => "other-layout",
        SyncError::OtherSets { .. } => "other-sets",
        SyncError::OtherStore { .. } => "other-store",
        SyncError::Closed => "closed",
        SyncError::NotACopy => "not-a-copy",
        SyncError::NoFiles => "no-files",
        SyncError::Http(_) => "http",
        _ => "other",
    };
    sync_failed(code, &error.to_string())
}
