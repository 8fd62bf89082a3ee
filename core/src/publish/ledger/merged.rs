//! The published resources in order: those of the base, with what the log says of them.

use alloc::{
    collections::{BTreeMap, btree_map},
    string::String,
};
use core::iter::Peekable;

use crate::publish::Record;

/// What the log says of resources, by set and URI; `None` for a deleted one.
pub type Overlay = BTreeMap<(String, String), Option<Record>>;

/// The resources of a sorted base, replaced, removed and completed by those of the overlay.
pub fn merged<E>(
    base: impl Iterator<Item = Result<Record, E>>,
    overlay: Overlay,
) -> impl Iterator<Item = Result<Record, E>> {
    Merged { base: base.peekable(), overlay: overlay.into_iter().peekable() }
}

struct Merged<I: Iterator> {
    base: Peekable<I>,
    overlay: Peekable<btree_map::IntoIter<(String, String), Option<Record>>>,
}

impl<E, I: Iterator<Item = Result<Record, E>>> Iterator for Merged<I> {
    type Item = Result<Record, E>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(((set, uri), _)) = self.overlay.peek() else { return self.base.next() };
            let key = (set.as_str(), uri.as_str());
            match self.base.peek() {
                Some(Err(_)) => return self.base.next(),
                Some(Ok(record)) if record.key() < key => return self.base.next(),
                Some(Ok(record)) if record.key() == key => drop(self.base.next()),
                _ => {}
            }
            if let Some((_, Some(record))) = self.overlay.next() {
                return Some(Ok(record));
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::{string::ToString, vec::Vec};
    use core::convert::Infallible;

    use super::*;

    #[test]
    fn the_log_replaces_removes_and_adds() {
        let record = |uri: &str, length| Record { uri: uri.to_string(), length: Some(length), ..Record::default() };
        let base = ["b", "c", "d"].map(|uri| Ok::<_, Infallible>(record(uri, 1)));
        let overlay = [("a", Some(2)), ("c", None), ("d", Some(2)), ("e", Some(2)), ("f", None)];
        let overlay =
            overlay.map(|(uri, length)| ((String::new(), uri.to_string()), length.map(|length| record(uri, length))));
        let all: Vec<(String, Option<u64>)> = merged(base.into_iter(), overlay.into())
            .map(|record| record.unwrap())
            .map(|record| (record.uri, record.length))
            .collect();
        let expected = [("a", 2), ("b", 1), ("d", 2), ("e", 2)].map(|(uri, length)| (uri.to_string(), Some(length)));
        assert_eq!(all, expected);
    }
}
