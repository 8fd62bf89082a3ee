//! Compares two sorted inventories: new, changed and deleted resources.

use std::{cmp::Ordering, iter::Peekable};

use super::Error;
use super::record::Record;

/// A resource in the old and the new inventory.
#[derive(Debug, PartialEq, Eq)]
pub enum Pair {
    /// Only in the new inventory.
    New(Record),
    /// In both inventories.
    Both {
        /// The old record.
        old: Box<Record>,
        /// The new record.
        new: Record,
    },
    /// Only in the old inventory.
    Gone(Record),
}

/// Joins both; rejects an inventory that contains a resource twice.
pub fn pairs<O, N>(old: O, new: N) -> Pairs<O, N>
where
    O: Iterator<Item = Result<Record, Error>>,
    N: Iterator<Item = Result<Record, Error>>,
{
    Pairs { old: old.peekable(), new: new.peekable() }
}

/// The iterator of [`pairs`].
pub struct Pairs<O: Iterator, N: Iterator> {
    old: Peekable<O>,
    new: Peekable<N>,
}

impl<O, N> Pairs<O, N>
where
    O: Iterator<Item = Result<Record, Error>>,
    N: Iterator<Item = Result<Record, Error>>,
{
    fn step(&mut self) -> Result<Option<Pair>, Error> {
        let order = match (self.old.peek(), self.new.peek()) {
            (None, None) => return Ok(None),
            (Some(Err(_)), _) | (Some(_), None) => Ordering::Less,
            (_, Some(Err(_))) | (None, Some(_)) => Ordering::Greater,
            (Some(Ok(old)), Some(Ok(new))) => old.key().cmp(&new.key()),
        };
        let old = if order == Ordering::Greater { None } else { self.old.next().transpose()? };
        let new = if order == Ordering::Less { None } else { self.new.next().transpose()? };
        if let (Some(new), Some(Ok(next))) = (&new, self.new.peek())
            && new.key() == next.key()
        {
            let lines = match (new.line, next.line) {
                (0, _) | (_, 0) => String::new(),
                (one, other) => format!(", in lines {one} and {other}"),
            };
            return Err(format!("{} is listed twice{lines}", new.uri).into());
        }
        Ok(match (old, new) {
            (Some(old), Some(new)) => Some(Pair::Both { old: Box::new(old), new }),
            (Some(old), None) => Some(Pair::Gone(old)),
            (None, Some(new)) => Some(Pair::New(new)),
            (None, None) => None,
        })
    }
}

impl<O, N> Iterator for Pairs<O, N>
where
    O: Iterator<Item = Result<Record, Error>>,
    N: Iterator<Item = Result<Record, Error>>,
{
    type Item = Result<Pair, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn records(uris: &[(&str, u64)]) -> Vec<Result<Record, Error>> {
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
        let all: Vec<String> = pairs(old.into_iter(), new.into_iter()).map(|pair| said(pair.unwrap())).collect();
        assert_eq!(all, ["-a", "=b", "+c", "=d", "+e"]);
    }

    #[test]
    fn a_resource_twice_is_refused_with_both_lines() {
        let twice = records(&[("a", 7), ("a", 9)]);
        let said = pairs(std::iter::empty(), twice.into_iter()).find_map(Result::err).unwrap();
        assert_eq!(said.to_string(), "a is listed twice, in lines 7 and 9");
    }
}
