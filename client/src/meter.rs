//! Counts the bytes that a run has read, and checks for cancellation.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cancel::Cancel;

/// Counts bytes; shared by everything that reads in one run.
#[derive(Debug, Default)]
pub struct Meter {
    read: AtomicU64,
    cancel: Cancel,
}

impl Meter {
    /// Creates a meter for a run with this token.
    #[must_use]
    pub fn new(cancel: &Cancel) -> Meter {
        Meter { read: AtomicU64::new(0), cancel: cancel.clone() }
    }

    /// Adds bytes that were read.
    pub fn count(&self, bytes: usize) {
        self.read.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The bytes read so far.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// True once the run should stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }
}
