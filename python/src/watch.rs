//! Checks for Ctrl-C and for cancellation, and reports progress, during work without the GIL.

use std::time::{Duration, Instant};

use pyo3::{exceptions::PyInterruptedError, prelude::*};
use resourcesync_client::{Cancel, Progress};

/// The interval. Attaching to the interpreter waits for the GIL.
const TICK: Duration = Duration::from_millis(100);

/// Attaches to the interpreter from time to time during work without the GIL.
pub(crate) struct Watch {
    tell: Option<Py<PyAny>>,
    cancel: Cancel,
    last: Instant,
    /// The exception that stopped the work.
    pub(crate) trouble: Option<PyErr>,
}

impl Watch {
    /// `tell`, if given, is called with the bytes read, the total bytes (0 if unknown), the finished inputs, and their entries.
    pub(crate) fn new(tell: Option<Py<PyAny>>, cancel: Cancel) -> Watch {
        Watch { tell, cancel, last: Instant::now(), trouble: None }
    }

    /// Checks for signals if the interval has passed; true if the work must stop.
    pub(crate) fn tick(&mut self, progress: &Progress) -> bool {
        if self.is_cancelled() {
            return true;
        }
        if self.last.elapsed() < TICK {
            return self.trouble.is_some();
        }
        self.look(progress)
    }

    /// Checks now; true if the work must stop.
    pub(crate) fn look(&mut self, progress: &Progress) -> bool {
        if self.is_cancelled() {
            return true;
        }
        if self.trouble.is_none() {
            self.trouble = Python::attach(|py| self.ask(py, progress)).err();
        }
        self.last = Instant::now();
        self.trouble.is_some()
    }

    fn is_cancelled(&mut self) -> bool {
        let is_cancelled = self.cancel.is_cancelled();
        if is_cancelled && self.trouble.is_none() {
            self.trouble = Some(PyInterruptedError::new_err("the work was cancelled"));
        }
        is_cancelled
    }

    fn ask(&self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        py.check_signals()?;
        if let Some(tell) = &self.tell {
            tell.call1(py, (progress.bytes, progress.total, progress.inputs, progress.entries))?;
        }
        Ok(())
    }

    /// The result of the work, or the exception that stopped it.
    pub(crate) fn end<T>(self, result: T) -> PyResult<T> {
        self.trouble.map_or(Ok(result), Err)
    }
}
