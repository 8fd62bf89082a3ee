//! A run being watched from outside: how much it has read, and whether it should stop.

use std::sync::atomic::{AtomicU64, Ordering};

use resourcesync_client::Cancel;

/// Shared by everything that reads in one run.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    read: AtomicU64,
    cancel: Cancel,
}

impl Watch {
    /// Of a run that this token stops.
    pub(crate) fn new(cancel: &Cancel) -> Watch {
        Watch { read: AtomicU64::new(0), cancel: cancel.clone() }
    }

    /// Adds bytes that were read.
    pub(crate) fn count(&self, bytes: usize) {
        self.read.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The bytes read so far.
    pub(crate) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// True once the run should stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }
}
