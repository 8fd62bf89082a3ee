//! Looks up from work done without the interpreter: has the user pressed Ctrl-C, who wants to know how progress it is.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use resourcesync_client::Progress;

/// How often. Attaching to the interpreter waits for whoever holds it.
const TICK: Duration = Duration::from_millis(100);

/// Keeps an eye on the interpreter while the work goes on without it.
pub(crate) struct Watch {
    tell: Option<Py<PyAny>>,
    last: Instant,
    /// What came up; the work has to stop, and this is why.
    pub(crate) trouble: Option<PyErr>,
}

impl Watch {
    /// `tell`, if there is one, is called with bytes read, bytes in all (0 if not known), inputs finished and entries in those.
    pub(crate) fn new(tell: Option<Py<PyAny>>) -> Watch {
        Watch { tell, last: Instant::now(), trouble: None }
    }

    /// Looks up if it is time to; true if the work has to stop.
    pub(crate) fn tick(&mut self, progress: &Progress) -> bool {
        if self.last.elapsed() < TICK {
            return self.trouble.is_some();
        }
        self.look(progress)
    }

    /// Looks up; true if the work has to stop.
    pub(crate) fn look(&mut self, progress: &Progress) -> bool {
        if self.trouble.is_none() {
            self.trouble = Python::attach(|py| self.ask(py, progress)).err();
        }
        self.last = Instant::now();
        self.trouble.is_some()
    }

    fn ask(&self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        py.check_signals()?;
        if let Some(tell) = &self.tell {
            tell.call1(py, (progress.bytes, progress.total, progress.inputs, progress.entries))?;
        }
        Ok(())
    }

    /// The result of the work, unless something came up.
    pub(crate) fn end<T>(self, result: T) -> PyResult<T> {
        self.trouble.map_or(Ok(result), Err)
    }
}
