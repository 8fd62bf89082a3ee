//! Compares two sorted inventories: new, changed, deleted and unchanged resources.

use core::iter::Peekable;

use super::Record;
use crate::build;

/// A resource in the old and the new inventory.
pub type Pair = build::Pair<Record>;

/// The result for a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// It is as published.
    Same(Record),
    /// It is new.
    Created(Record),
    /// It differs from what is published.
    Updated(Record),
    /// It is missing.
    Deleted(Record),
    /// It was rejected: its published state is kept.
    Refused(Option<Record>),
    /// It is missing, but may be one of the rejected resources whose URI is unknown: its published state is kept.
    Kept(Record),
}

/// Compares the published state of a resource with the new one. `is_unknown` if there are rejected resources whose URI is unknown.
#[must_use]
pub fn compare(pair: Pair, is_unknown: bool) -> Compared {
    match pair {
        Pair::New(new) if new.refused => Compared::Refused(None),
        Pair::Both { old, new } if new.refused => Compared::Refused(Some(old)),
        Pair::Gone(old) if is_unknown => Compared::Kept(old),
        Pair::Gone(old) => Compared::Deleted(old),
        Pair::New(new) => Compared::Created(new),
        Pair::Both { old, new } if new.differs(&old) => Compared::Updated(new),
        Pair::Both { old, new } => Compared::Same(new.unchanged(old)),
    }
}

/// Joins both; a resource that the new inventory contains twice is an error, made from both records.
pub fn pairs<E>(
    old: impl Iterator<Item = Result<Record, E>>,
    new: impl Iterator<Item = Result<Record, E>>,
    repeated: impl Fn(&Record, &Record) -> E,
) -> impl Iterator<Item = Result<Pair, E>> {
    build::pairs(old, Unique { inventory: new.peekable(), repeated }, Record::order)
}

/// A sorted inventory whose resources must differ.
struct Unique<I: Iterator, F> {
    inventory: Peekable<I>,
    repeated: F,
}

impl<E, I: Iterator<Item = Result<Record, E>>, F: Fn(&Record, &Record) -> E> Iterator for Unique<I, F> {
    type Item = Result<Record, E>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.inventory.next()?;
        let (Ok(own), Some(Ok(next))) = (&record, self.inventory.peek()) else { return Some(record) };
        if own.key() != next.key() {
            return Some(record);
        }
        // A rejected record does not count if there is another one.
        if own.refused {
            return self.next();
        }
        if next.refused {
            let _ = self.inventory.next();
            return Some(record);
        }
        Some(Err((self.repeated)(own, next)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

    use super::*;

    fn records(uris: &[(&str, u64)]) -> Vec<Result<Record, String>> {
        uris.iter().map(|(uri, line)| Ok(Record { uri: (*uri).to_owned(), line: *line, ..Record::default() })).collect()
    }

    #[test]
    fn each_resource_is_new_there_or_gone() {
        let old = records(&[("a", 1), ("b", 2), ("d", 3)]);
        let new = records(&[("b", 1), ("c", 2), ("d", 3), ("e", 4)]);
        let said = |pair: Pair| match pair {
            Pair::New(new) => format!("+{}", new.uri),
            Pair::Gone(old) => format!("-{}", old.uri),
            Pair::Both { new, .. } => format!("={}", new.uri),
        };
        let all: Vec<String> =
            pairs(old.into_iter(), new.into_iter(), repeated).map(|pair| said(pair.unwrap())).collect();
        assert_eq!(all, ["-a", "=b", "+c", "=d", "+e"]);
    }

    fn repeated(one: &Record, other: &Record) -> String {
        format!("{} in {} and {}", one.uri, one.line, other.line)
    }

    #[test]
    fn a_resource_twice_is_an_error_with_both_records_unless_one_is_refused() {
        let twice = |refused: [bool; 2]| {
            let [one, other] = [7, 9].map(|line| Record { uri: "a".to_owned(), line, ..Record::default() });
            let [is_one, is_other] = refused;
            let both = [Record { refused: is_one, ..one }, Record { refused: is_other, ..other }].map(Ok);
            pairs(core::iter::empty(), both.into_iter(), repeated).collect::<Result<Vec<Pair>, String>>()
        };
        assert_eq!(twice([false, false]).unwrap_err(), "a in 7 and 9");
        for (refused, line) in [([true, false], 9), ([false, true], 7), ([true, true], 9)] {
            let all = twice(refused).unwrap();
            assert!(matches!(&*all, [Pair::New(record)] if record.line == line), "{refused:?}: {all:?}");
        }
    }

    #[test]
    fn what_is_published_of_a_refused_record_is_kept() {
        let [old] = ["a"].map(|uri| Record { uri: uri.to_owned(), length: Some(1), ..Record::default() });
        let new = Record { length: Some(2), ..old.clone() };
        let refused = Record { refused: true, ..new.clone() };
        let both = |new: &Record| Pair::Both { old: old.clone(), new: new.clone() };
        assert_eq!(compare(both(&new), true), Compared::Updated(new.clone()));
        assert_eq!(compare(both(&old), true), Compared::Same(old.clone()));
        assert_eq!(compare(both(&refused), false), Compared::Refused(Some(old.clone())));
        assert_eq!(compare(Pair::New(refused), false), Compared::Refused(None));
        assert_eq!(compare(Pair::Gone(old.clone()), true), Compared::Kept(old.clone()));
        assert_eq!(compare(Pair::Gone(old.clone()), false), Compared::Deleted(old));
    }
}
