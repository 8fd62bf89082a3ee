//! The orders in which resources and changes are sorted.

use std::cmp::Ordering;

use resourcesync::publish::{Change, Record};

use crate::sort::Sorted;

impl Sorted for Record {
    fn order(&self, other: &Record) -> Ordering {
        Record::order(self, other)
    }
}

impl Sorted for Change {
    fn order(&self, other: &Change) -> Ordering {
        Change::order(self, other)
    }
}
