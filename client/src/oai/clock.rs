//! What a harvest takes for the time, and how it waits.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync_oai::harvest::Moment;

use crate::cancel::Cancel;

/// What a harvest takes for the time.
pub trait Clock: Sync {
    /// Now.
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
        cancel.sleep(Duration::from_millis(until.since(self.now())))
    }
}

/// A clock that is set forward instead of waiting: for tests, since no server is spared by it.
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
