//! The plan of a run on its way to the transfers, and the versions after it.

use alloc::vec;

use crate::{
    ledger::{Ledger, Planned},
    listed_resource::ListedResource,
};

/// Rows read per query.
const AHEAD: usize = 256;

/// The rows of the plan, in order, and how many of them were attempted.
#[derive(Debug, Default)]
pub(super) struct Queue {
    ahead: vec::IntoIter<Planned>,
    after: i64,
    attempted: u64,
    total: u64,
}

impl Queue {
    /// Adds planned rows to the total.
    pub(super) fn expect(&mut self, rows: u64) {
        self.total = self.total.saturating_add(rows);
    }

    /// The next row.
    pub(super) fn next<L: Ledger>(&mut self, ledger: &L) -> Result<Option<Planned>, L::Error> {
        if self.ahead.len() == 0 {
            self.ahead = ledger.planned_after(self.after, AHEAD)?.into_iter();
        }
        let planned = self.ahead.next();
        if let Some(planned) = &planned {
            self.after = planned.sequence;
        }
        Ok(planned)
    }

    /// Counts a row as attempted.
    pub(super) fn attempt(&mut self) {
        self.attempted = self.attempted.saturating_add(1);
    }

    /// Counts it as not attempted after all.
    pub(super) fn give_up(&mut self) {
        self.attempted = self.attempted.saturating_sub(1);
    }

    /// Goes back to the first row: the plan is another one now.
    pub(super) fn rewind(&mut self) {
        (self.after, self.ahead) = (0, vec::IntoIter::default());
    }

    /// Passes over the rest.
    pub(super) fn end(&mut self) {
        (self.after, self.ahead) = (i64::MAX, vec::IntoIter::default());
    }

    pub(super) fn attempted(&self) -> u64 {
        self.attempted
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The number of rows that were not attempted.
    pub(super) fn left(&self) -> u64 {
        self.total.saturating_sub(self.attempted)
    }
}

/// The versions to be kept, in order.
#[derive(Debug, Default)]
pub(super) struct Versions {
    ahead: vec::IntoIter<(i64, ListedResource)>,
    /// The row of the last one that was tried.
    pub(super) after: i64,
    /// Those whose hosts are not allowed: they wait until they are.
    pub(super) not_allowed: u64,
    /// Those that are not there any more, and are not tried again.
    pub(super) gone: u64,
}

impl Versions {
    /// The next one, with its row.
    pub(super) fn next<L: Ledger>(&mut self, ledger: &L) -> Result<Option<(i64, ListedResource)>, L::Error> {
        if self.ahead.len() == 0 {
            self.ahead = ledger.versions_after(self.after, AHEAD)?.into_iter();
        }
        Ok(self.ahead.next())
    }
}
