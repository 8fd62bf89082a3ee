//! The bytes that a run may fetch, shared by all transfers.

use std::sync::atomic::{AtomicU64, Ordering};

/// What is left of the bytes that a run may fetch.
#[derive(Debug)]
pub(in crate::destination) struct Budget {
    left: Option<AtomicU64>,
}

impl Budget {
    pub(in crate::destination) fn new(most: Option<u64>) -> Budget {
        Budget { left: most.map(AtomicU64::new) }
    }

    /// True if no transfer can begin any more.
    pub(in crate::destination) fn is_spent(&self) -> bool {
        self.left.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0)
    }

    /// The part of one transfer, empty at first.
    pub(in crate::destination) fn share(&self) -> Share<'_> {
        Share { budget: self, reserved: 0 }
    }

    fn take(&self, bytes: u64) -> bool {
        let Some(left) = &self.left else { return true };
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// What one transfer may still receive; the rest is returned when it is dropped.
#[derive(Debug)]
pub(in crate::destination) struct Share<'b> {
    budget: &'b Budget,
    reserved: u64,
}

impl Share<'_> {
    /// Reserves so many bytes for what is still to be received; false if they are not left.
    pub(in crate::destination) fn reserve(&mut self, bytes: u64) -> bool {
        let more = bytes.saturating_sub(self.reserved);
        let is_left = self.budget.take(more);
        if is_left {
            self.reserved = self.reserved.saturating_add(more);
        }
        is_left
    }

    /// Counts received bytes; false if they were more than what was left.
    pub(in crate::destination) fn spend(&mut self, bytes: u64) -> bool {
        let more = bytes.saturating_sub(self.reserved);
        self.reserved = self.reserved.saturating_sub(bytes);
        let is_left = self.budget.take(more);
        if let Some(left) = self.budget.left.as_ref().filter(|_| !is_left) {
            left.store(0, Ordering::Relaxed);
        }
        is_left
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        if let Some(left) = &self.budget.left {
            left.fetch_add(self.reserved, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_reserved_count_until_they_are_returned() {
        let budget = Budget::new(Some(10));
        let mut one = budget.share();
        assert!(one.reserve(6) && one.reserve(6) && !budget.share().reserve(5));
        assert!(one.spend(4) && budget.share().reserve(4));
        drop(one);
        assert!(budget.share().reserve(6) && !budget.share().reserve(7));
        let mut unlisted = budget.share();
        assert!(unlisted.spend(6) && !budget.share().reserve(1) && budget.is_spent());
        assert!(!unlisted.spend(1));
        assert!(Budget::new(None).share().spend(u64::MAX));
    }

    #[test]
    fn a_transfer_that_exceeds_what_is_left_ends_the_others() {
        let budget = Budget::new(Some(10));
        assert!(!budget.share().spend(11) && budget.is_spent());
    }
}
