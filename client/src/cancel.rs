//! The token that cancels one run.

use std::{
    sync::{
        Arc, OnceLock,
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
pub struct Cancel(Arc<State>);

#[derive(Debug, Default)]
struct State {
    flag: Arc<AtomicBool>,
    deadline: OnceLock<Instant>,
}

impl Cancel {
    /// Cancels the run.
    pub fn cancel(&self) {
        self.0.flag.store(true, Ordering::SeqCst);
    }

    /// Also cancels the run after this time from now. Only the first call has an effect.
    pub fn expire_after(&self, time: Duration) {
        // A time that no clock reaches is no limit.
        if let Some(deadline) = Instant::now().checked_add(time) {
            let _ = self.0.deadline.set(deadline);
        }
    }

    /// True if the run was cancelled by its deadline, and not by a call.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        !self.0.flag.load(Ordering::SeqCst) && self.0.deadline.get().is_some_and(|deadline| *deadline <= Instant::now())
    }

    /// True once the run is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.flag.load(Ordering::SeqCst) || self.is_expired()
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
        self.0.flag.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_cancels_and_is_told_apart_from_a_call() {
        let (expired, cancelled) = (Cancel::default(), Cancel::default());
        expired.expire_after(Duration::ZERO);
        assert!(expired.is_cancelled() && expired.is_expired() && !expired.sleep(Duration::from_secs(60)));
        cancelled.expire_after(Duration::from_secs(3_600));
        assert!(!cancelled.is_cancelled());
        cancelled.cancel();
        assert!(cancelled.is_cancelled() && !cancelled.is_expired());
        let endless = Cancel::default();
        endless.expire_after(Duration::MAX);
        assert!(!endless.is_cancelled());
    }
}
