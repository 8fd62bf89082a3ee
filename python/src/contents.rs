//! The members of a package, and their bytes.

use pyo3::{exceptions::PyKeyError, prelude::*, types::PyBytes};
use resourcesync::{
    api::{self, InputOrigin, List, Run, Verification},
    diagnostic::{Reason, ReasonCode},
};
use resourcesync_client::Progress;

use crate::{
    cancel::{Cancel, given},
    error::{misuse, unreadable},
    options::Options,
    origin::Origin,
    validate::json,
    watch::Watch,
};

/// The contents of a verified package.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Contents {
    inner: api::Contents,
    #[pyo3(get)]
    list: String,
}

/// Verifies a package; returns its report and its contents.
#[pyfunction]
#[pyo3(signature = (origin, options, name, uri=None, tell=None, cancel=None))]
pub(crate) fn open_package<'py>(
    py: Python<'py>,
    origin: &Origin,
    options: &Options,
    name: String,
    uri: Option<String>,
    tell: Option<Py<PyAny>>,
    cancel: Option<&Cancel>,
) -> PyResult<(Bound<'py, PyBytes>, Contents)> {
    let source = InputOrigin { uri, ..InputOrigin::named(name) };
    let mut watch = Watch::new(tell, given(cancel));
    let (report, contents) = py.detach(|| {
        let verification = Verification::new(&options.inner, source, origin.size).with_contents();
        let (outcome, contents) = verification.run_for_contents(&mut watch.reading(origin));
        let mut run = Run::new(&options.inner);
        run.add(outcome);
        (run.finish(), contents)
    });
    watch.end(())?;
    let list = List::new(&report, &contents).to_json();
    Ok((json(py, &report), Contents { inner: contents, list }))
}

#[pymethods]
impl Contents {
    /// The index of the member with this name.
    fn find(&self, name: &str) -> Option<u32> {
        self.inner.find(name)
    }

    /// Unpacks a member, window by window, into `take`; raises at the end if its bytes do not match the archive or
    /// the manifest.
    fn unpack(&self, py: Python<'_>, origin: &Origin, index: u32, take: Py<PyAny>) -> PyResult<()> {
        if self.inner.member(index).is_none() {
            return Err(PyKeyError::new_err(index));
        }
        let Some(unpack) = self.inner.unpack(index) else {
            return Err(misuse("there is nothing to unpack: it is a folder, or was refused".to_owned()));
        };
        let mut watch = Watch::new(None, given(None));
        let mut trouble: Option<PyErr> = None;
        let unpacked = py.detach(|| {
            let mut hand = |window: &[u8]| {
                if trouble.is_none() {
                    trouble = Python::attach(|py| take.call1(py, (PyBytes::new(py, window),))).err();
                }
            };
            unpack.run(&mut watch.reading(origin), &mut hand)
        });
        watch.end(())?;
        trouble.map_or(Ok(()), Err)?;
        unpacked.map_err(|diagnostic| unreadable("member_error", &diagnostic))
    }
}

impl Watch {
    /// Reads from an origin, and checks for signals between two windows.
    pub(crate) fn reading<'a>(
        &'a mut self,
        origin: &'a Origin,
    ) -> impl FnMut(u64, &mut [u8]) -> Result<(), Reason> + 'a {
        let mut read = 0_u64;
        move |offset, room| {
            origin.fill(offset, room).map_err(|(reason, error)| {
                self.trouble = error.or_else(|| self.trouble.take());
                reason
            })?;
            read = read.saturating_add(room.len() as u64);
            let progress = Progress { bytes: read.min(origin.size), total: origin.size, inputs: 0, entries: 0 };
            if self.tick(&progress) { Err(Reason::new(ReasonCode::Interrupted)) } else { Ok(()) }
        }
    }
}
