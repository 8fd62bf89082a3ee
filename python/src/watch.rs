//! Looks up from work done without the interpreter: has the user pressed Ctrl-C, who wants to know how far it is.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use resourcesync_cli::face::Far;

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
    pub(crate) fn tick(&mut self, far: &Far) -> bool {
        if self.last.elapsed() < TICK {
            return self.trouble.is_some();
        }
        self.look(far)
    }

    /// Looks up; true if the work has to stop.
    pub(crate) fn look(&mut self, far: &Far) -> bool {
        if self.trouble.is_none() {
            self.trouble = Python::attach(|py| self.ask(py, far)).err();
        }
        self.last = Instant::now();
        self.trouble.is_some()
    }

    fn ask(&self, py: Python<'_>, far: &Far) -> PyResult<()> {
        py.check_signals()?;
        if let Some(tell) = &self.tell {
            tell.call1(py, (far.bytes, far.total, far.inputs, far.entries))?;
        }
        Ok(())
    }

    /// The result of the work, unless something came up.
    pub(crate) fn end<T>(self, result: T) -> PyResult<T> {
        self.trouble.map_or(Ok(result), Err)
    }
}
