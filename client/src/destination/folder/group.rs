//! Files that are placed together.

use std::time::{Duration, Instant};

use resourcesync_sync::destination::{Placed, Version};

use crate::destination::ledger::Placing;

/// Maximum files of a group.
const FILES: usize = 256;
/// Maximum bytes of a group.
const BYTES: u64 = 32 << 20;
/// Maximum time that a verified file waits for others.
const WAIT: Duration = Duration::from_millis(500);

/// Files that are placed together.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) list: Vec<Placed>,
    pub(super) bytes: u64,
    pub(super) begun: Option<Instant>,
    /// The previous group: in place, but not yet recorded as stored.
    pub(super) before: Vec<Placing>,
}

impl Group {
    /// True if the previous group has a resource.
    pub(super) fn has_just_placed(&self, uri: &str) -> bool {
        self.before.iter().any(|placing| placing.stored.uri == uri)
    }

    /// True once the group is large or old enough.
    pub(super) fn is_due(&self) -> bool {
        let waits = self.begun.is_some_and(|begun| begun.elapsed() >= WAIT);
        self.list.len() >= FILES || self.bytes >= BYTES || waits
    }
}

/// Verified versions that are kept together.
#[derive(Debug, Default)]
pub(super) struct Archiving {
    pub(super) list: Vec<Version>,
    pub(super) bytes: u64,
}

impl Archiving {
    /// True once they are many or large enough.
    pub(super) fn is_due(&self) -> bool {
        self.list.len() >= FILES || self.bytes >= BYTES
    }
}
