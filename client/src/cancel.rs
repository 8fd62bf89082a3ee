//! A token by which one run is stopped from outside.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Stops the run that it was passed to, and no other. Clones are the same token.
///
/// Work that waits looks at it about twenty times a second; work that computes looks at it between two windows of input.
///
/// ```
/// use resourcesync_client::Cancel;
///
/// let cancel = Cancel::default();
/// let same = cancel.clone();
/// std::thread::spawn(move || same.cancel()).join().unwrap();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops the run.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// True once the run should stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The flag behind the token, for a signal handler, which can do no more than set it.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
