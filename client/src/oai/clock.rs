//! The clock of a harvest.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync_oai::harvest::Moment;

use crate::cancel::Cancel;

/// A clock, and a way to wait.
pub trait Clock: Sync {
    /// The current time.
    fn now(&self) -> Moment;

    /// Waits until a moment. False if the run was cancelled meanwhile.
    #[must_use]
    fn wait(&self, until: Moment, cancel: &Cancel) -> bool;
}

/// The clock of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn wait(&self, until: Moment, cancel: &Cancel) -> bool {
        // Moments are rounded down to milliseconds, and a server's wait must not end too early.
        cancel.sleep(Duration::from_millis(until.since(self.now()).saturating_add(1)))
    }
}

/// A clock that advances instead of waiting: only for tests, since it does not spare a server.
#[derive(Debug, Default)]
pub struct SkippingClock {
    skipped: AtomicU64,
}

impl Clock for SkippingClock {
    fn now(&self) -> Moment {
        SystemClock.now().plus_millis(self.skipped.load(Ordering::Relaxed))
    }

    fn wait(&self, until: Moment, cancel: &Cancel) -> bool {
        self.skipped.fetch_add(until.since(self.now()), Ordering::Relaxed);
        !cancel.is_cancelled()
    }
}
