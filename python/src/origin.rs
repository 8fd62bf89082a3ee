//! The origin of the bytes of a package: a file, or a Python function.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::diagnostic::{Reason, ReasonCode};

/// Bytes with random access.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Origin {
    from: From,
    pub(crate) size: u64,
}

enum From {
    File(Mutex<File>),
    Call(Py<PyAny>),
}

/// Why bytes could not be read: the reason for the report, and the exception if there is one.
pub(crate) type Failure = (Reason, Option<PyErr>);

#[pymethods]
impl Origin {
    /// A file.
    #[staticmethod]
    fn file(path: PathBuf) -> PyResult<Origin> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        Ok(Origin { from: From::File(Mutex::new(file)), size })
    }

    /// The given number of bytes; `read_at` is called with an offset and a length and returns exactly these.
    #[staticmethod]
    fn calls(read_at: Py<PyAny>, size: u64) -> Origin {
        Origin { from: From::Call(read_at), size }
    }
}

impl Origin {
    /// Fills a buffer with the bytes from an offset on. Called without holding the GIL.
    pub(crate) fn fill(&self, offset: u64, room: &mut [u8]) -> Result<(), Failure> {
        let short = || Reason::new(ReasonCode::Truncated);
        let failed = || Reason::other("reading it failed");
        match &self.from {
            From::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(room));
                read.map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => (short(), None),
                    _ => (failed(), Some(error.into())),
                })
            }
            From::Call(read_at) => Python::attach(|py| {
                let given = read_at.bind(py).call1((offset, room.len()))?;
                let given = given.cast::<PyBytes>()?.as_bytes();
                if given.len() != room.len() {
                    return Ok(Err((short(), None)));
                }
                room.copy_from_slice(given);
                Ok(Ok(()))
            })
            .unwrap_or_else(|error: PyErr| Err((failed(), Some(error)))),
        }
    }
}
