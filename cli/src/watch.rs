//! A run being watched from outside: how much it has read, and whether it should stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::interrupt;

/// Shared by everything that reads in one run.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    read: AtomicU64,
    stop: AtomicBool,
}

impl Watch {
    /// Adds bytes that were read.
    pub(crate) fn count(&self, bytes: usize) {
        self.read.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The bytes read so far.
    pub(crate) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Asks this run, and no other, to stop.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True once the run should stop: it was asked to, or the user interrupted the process.
    pub(crate) fn is_stopped(&self) -> bool {
        interrupt::requested() || self.stop.load(Ordering::Relaxed)
    }
}
