//! The published resources in order: those of the base, with what the log says of them.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
};
use core::iter::Peekable;

use crate::{
    publish::{Change, Record},
    value,
};

/// What changes make of resources, by set and URI.
#[derive(Debug, Clone, Default)]
pub struct Overlay(BTreeMap<String, OfSet>);

/// `None` for a deleted resource.
type OfSet = BTreeMap<String, Option<Box<Record>>>;

impl Overlay {
    /// Adds a change that follows all before.
    pub fn add(&mut self, change: &Change) {
        let Record { set, uri, .. } = &change.record;
        let record = (change.change != value::Change::Deleted).then(|| Box::new(change.record.clone()));
        match self.0.get_mut(set) {
            Some(own) => drop(own.insert(uri.clone(), record)),
            None => drop(self.0.insert(set.clone(), OfSet::from([(uri.clone(), record)]))),
        }
    }

    /// What became of a resource; `None` if nothing changed it.
    pub(super) fn find(&self, set: &str, uri: &str) -> Option<Option<&Record>> {
        Some(self.0.get(set)?.get(uri)?.as_deref())
    }

    /// The same for resources whose URIs begin so.
    pub(super) fn beginning<'a>(
        &'a self,
        set: &str,
        start: &'a str,
    ) -> impl Iterator<Item = (&'a str, Option<&'a Record>)> {
        let own = self.0.get(set).into_iter().flat_map(move |own| own.range(start.to_string()..));
        own.take_while(move |(uri, _)| uri.starts_with(start)).map(|(uri, record)| (uri.as_str(), record.as_deref()))
    }
}

/// The resources of a sorted base, replaced, removed and completed by those of the overlay.
pub fn merged<E>(
    base: impl Iterator<Item = Result<Record, E>>,
    overlay: Overlay,
) -> impl Iterator<Item = Result<Record, E>> {
    let of_set = |(set, own): (String, OfSet)| own.into_iter().map(move |(uri, record)| ((set.clone(), uri), record));
    Merged { base: base.peekable(), overlay: overlay.0.into_iter().flat_map(of_set).peekable() }
}

struct Merged<I: Iterator, O: Iterator> {
    base: Peekable<I>,
    overlay: Peekable<O>,
}

impl<E, I, O> Iterator for Merged<I, O>
where
    I: Iterator<Item = Result<Record, E>>,
    O: Iterator<Item = ((String, String), Option<Box<Record>>)>,
{
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
                return Some(Ok(*record));
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
        let mut overlay = Overlay::default();
        for (uri, length) in [("a", Some(2)), ("c", None), ("d", Some(2)), ("e", Some(2)), ("f", None)] {
            let verb = if length.is_some() { value::Change::Updated } else { value::Change::Deleted };
            overlay.add(&Change { change: verb, record: Record { length, ..record(uri, 0) }, datetime: String::new() });
        }
        let all: Vec<(String, Option<u64>)> = merged(base.into_iter(), overlay)
            .map(|record| record.unwrap())
            .map(|record| (record.uri, record.length))
            .collect();
        let expected = [("a", 2), ("b", 1), ("d", 2), ("e", 2)].map(|(uri, length)| (uri.to_string(), Some(length)));
        assert_eq!(all, expected);
    }
}
