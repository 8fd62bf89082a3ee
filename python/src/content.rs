//! A stored resource, and its bytes.

use std::{
    fmt,
    io::{self, Read},
    sync::{Mutex, PoisonError},
};

use pyo3::{exceptions::PyOSError, prelude::*, types::PyBytes};
use resourcesync::value::{Algorithm, to_hex};
use resourcesync_client::destination::CopiedResource;
use serde_json::{Value, json};

/// Bytes that are read.
#[pyclass(module = "resourcesync._core", frozen)]
pub(crate) struct Content(Mutex<Box<dyn Read + Send>>);

#[pymethods]
impl Content {
    /// The next bytes, at most this many; none at the end.
    fn read<'py>(&self, py: Python<'py>, most: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut window = vec![0; most];
        let read = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).read(&mut window));
        let read =
            read.map_err(|error| exception(error).unwrap_or_else(|error| PyOSError::new_err(error.to_string())))?;
        Ok(PyBytes::new(py, window.get(..read).unwrap_or_default()))
    }
}

/// A resource as JSON.
pub(crate) fn described(resource: &CopiedResource) -> Value {
    let CopiedResource { uri, path, length, hashes, lastmod } = resource;
    json!({
        "uri": uri,
        "path": path,
        "length": length,
        "hash": hashes.to_string(),
        "sha256": hashes.get(&Algorithm::Sha256).map(to_hex),
        "lastmod": lastmod.as_ref().map(ToString::to_string),
    })
}

impl Content {
    pub(crate) fn new(bytes: impl Read + Send + 'static) -> Content {
        Content(Mutex::new(Box::new(bytes)))
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content").finish_non_exhaustive()
    }
}

/// The same of an error of reading.
pub(crate) fn exception(error: io::Error) -> Result<PyErr, io::Error> {
    error.downcast::<PyErr>()
}
