//! Cancels work in another thread.

use pyo3::prelude::*;
use resourcesync_client::Cancel as Inner;

/// Cancels the work that it was passed to: it ends at its next window.
#[pyclass(frozen, module = "resourcesync._core")]
#[derive(Default)]
pub(crate) struct Cancel(Inner);

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Cancel {
        Cancel::default()
    }

    fn cancel(&self) {
        self.0.cancel();
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The cancellation of the caller, or one of which nobody knows.
pub(crate) fn given(cancel: Option<&Cancel>) -> Inner {
    cancel.map(|cancel| cancel.0.clone()).unwrap_or_default()
}
