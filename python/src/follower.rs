//! The machine that follows Change Lists, for programs that request the documents themselves. Values are passed as JSON.

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use resourcesync::diagnostic::Reason;
use resourcesync_sync::{Follower, survey::Head};

use crate::{error::misuse, json::written};

/// Reads the Change Lists since a checkpoint.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct ChangeFollower(Option<Follower>);

#[pymethods]
impl ChangeFollower {
    #[new]
    fn new(options: &str) -> PyResult<ChangeFollower> {
        let options = serde_json::from_str(options).map_err(|error| misuse(format!("checkpoint: {error}")))?;
        Ok(ChangeFollower(Some(Follower::new(options))))
    }

    /// The next document to request, as JSON; `None` at the end.
    fn poll(&mut self) -> PyResult<Option<String>> {
        self.machine()?.next().map(|request| written(&request)).transpose()
    }

    /// The head of a response, as JSON.
    fn answer(&mut self, head: &str) -> PyResult<()> {
        let head: Head = serde_json::from_str(head).map_err(|error| misuse(error.to_string()))?;
        self.machine()?.answer(head);
        Ok(())
    }

    /// Bytes of its body.
    fn push(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let machine = self.machine()?;
        py.detach(|| machine.push(bytes));
        Ok(())
    }

    /// The end of its body.
    fn end(&mut self) -> PyResult<()> {
        self.machine()?.end();
        Ok(())
    }

    /// There is no response, or it broke off.
    fn failed(&mut self, reason: &str) -> PyResult<()> {
        self.machine()?.failed(Reason::other(reason));
        Ok(())
    }

    /// The result, as JSON.
    fn finish(&mut self) -> PyResult<String> {
        let machine = self.0.take().ok_or_else(finished)?;
        written(&machine.finish())
    }
}

impl ChangeFollower {
    fn machine(&mut self) -> PyResult<&mut Follower> {
        self.0.as_mut().ok_or_else(finished)
    }
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("the result was taken already")
}
