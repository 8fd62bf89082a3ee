//! Walks over a whole Source; whoever fetches is in Python.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use resourcesync::api::{self, Fetch, Following, Missed, Next, Response, Verification, Visited};

use crate::{error::misuse, options::Options, origin::Origin, publishing::written, validate::json, watch::Watch};

/// A walk: says what to fetch, takes the answers.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Walk {
    options: api::Options,
    inner: Option<api::Walk>,
}

#[pymethods]
impl Walk {
    #[new]
    fn new(options: &Options, following: &str) -> PyResult<Walk> {
        let following: Following = read(following)?;
        let options = options.inner.clone();
        Ok(Walk { inner: Some(api::Walk::new(options.clone(), following)), options })
    }

    /// What to fetch next as JSON; or `wait`, or `done`.
    fn poll(&mut self) -> PyResult<String> {
        match self.open()?.poll() {
            Next::Fetch(fetch) => written(&fetch),
            Next::Wait => Ok("wait".to_owned()),
            Next::Done => Ok("done".to_owned()),
        }
    }

    /// Begins to take an answer.
    fn visit(&self, fetch: &str, response: &str) -> PyResult<Visit> {
        let visit = api::Visit::owning(self.options.clone(), &read::<Fetch>(fetch)?, read::<Response>(response)?);
        Ok(Visit { inner: Some(visit) })
    }

    /// Takes an answer; `cut` says why the rest of it could not be had.
    #[pyo3(signature = (visit, cut=None))]
    fn take(&mut self, py: Python<'_>, visit: &mut Visit, cut: Option<&str>) -> PyResult<()> {
        let visit = visit.inner.take().ok_or_else(over)?;
        let walk = self.open()?;
        py.detach(|| {
            walk.handle(match cut {
                Some(reason) => visit.cut(reason),
                None => visit.finish(),
            });
        });
        Ok(())
    }

    /// Takes it that something could not be had.
    fn missed(&mut self, fetch: &str, missed: &str) -> PyResult<()> {
        let (fetch, missed) = (read::<Fetch>(fetch)?, read::<Missed>(missed)?);
        self.open()?.handle(Visited::missed(&fetch, missed));
        Ok(())
    }

    /// Verifies a package and takes what comes of it.
    fn package(&mut self, py: Python<'_>, fetch: &str, response: &str, origin: &Origin) -> PyResult<()> {
        let (fetch, response) = (read::<Fetch>(fetch)?, read::<Response>(response)?);
        let options = self.options.clone();
        let walk = self.open()?;
        let mut watch = Watch::new(None);
        py.detach(|| {
            let verification =
                Verification::new(&options, fetch.source(), origin.size).met(fetch.media_type.clone(), &fetch.hashes());
            let (outcome, package) = verification.run_for_package(&mut watch.reading(origin));
            walk.handle(Visited::package(&fetch, response, outcome, package));
        });
        watch.end(())
    }

    /// Documents and packages that were had so far, and the entries in them.
    fn progress(&mut self) -> PyResult<(u64, u64)> {
        Ok(self.open()?.progress())
    }

    /// The report; `interrupted` if the walk was stopped.
    fn report<'py>(&mut self, py: Python<'py>, interrupted: bool) -> PyResult<Bound<'py, PyBytes>> {
        let walk = self.inner.take().ok_or_else(over)?;
        Ok(json(py, &py.detach(|| if interrupted { walk.interrupted() } else { walk.finish() })))
    }
}

impl Walk {
    fn open(&mut self) -> PyResult<&mut api::Walk> {
        self.inner.as_mut().ok_or_else(over)
    }
}

/// An answer that is coming in.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Visit {
    inner: Option<api::Visit<'static>>,
}

#[pymethods]
impl Visit {
    /// Takes a piece; false once more would change nothing.
    fn push(&mut self, py: Python<'_>, piece: &[u8]) -> PyResult<bool> {
        let visit = self.inner.as_mut().ok_or_else(over)?;
        Ok(py.detach(|| {
            visit.push(piece);
            visit.wants_more()
        }))
    }
}

fn over() -> PyErr {
    misuse("this walk or answer is finished".to_owned())
}

fn read<T: for<'de> serde::Deserialize<'de>>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))
}
