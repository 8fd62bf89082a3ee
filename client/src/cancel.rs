//! The token that cancels one run.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// The interval at which waiting code checks for cancellation.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// Cancels the run that it is passed to, and no other. All clones share one token.
///
/// Waiting code checks it about twenty times per second, computing code between two windows of input.
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
    /// Cancels the run.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// True once the run is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Sleeps; false if the run is cancelled meanwhile.
    #[must_use]
    pub fn sleep(&self, length: Duration) -> bool {
        let begun = Instant::now();
        loop {
            let left = length.saturating_sub(begun.elapsed());
            if self.is_cancelled() || left.is_zero() {
                return !self.is_cancelled();
            }
            thread::sleep(left.min(TICK));
        }
    }

    /// The flag of the token, for a signal handler, which can only set it.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
