//! Compares two sorted inventories: new, changed and deleted resources.

use std::iter::Peekable;

use resourcesync::build;

use super::Error;
use super::record::Record;

/// A resource in the old and the new inventory.
pub type Pair = build::Pair<Record>;

/// Joins both; rejects a new inventory that contains a resource twice, with its name.
pub fn pairs<O, N>(old: O, new: N, name: String) -> impl Iterator<Item = Result<Pair, Error>>
where
    O: Iterator<Item = Result<Record, Error>>,
    N: Iterator<Item = Result<Record, Error>>,
{
    build::pairs(old, Unique { inventory: new.peekable(), name }, |old, new| old.key().cmp(&new.key()))
}

/// A sorted inventory whose resources must differ.
struct Unique<I: Iterator> {
    inventory: Peekable<I>,
    name: String,
}

impl<I: Iterator<Item = Result<Record, Error>>> Iterator for Unique<I> {
    type Item = Result<Record, Error>;

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
        let lines = match (own.line, next.line) {
            (0, _) | (_, 0) => String::new(),
            (one, other) => format!(", in lines {one} and {other}"),
        };
        let name = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        Some(Err(format!("{name}{} is listed twice{lines}", own.uri).into()))
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
        let all: Vec<String> =
            pairs(old.into_iter(), new.into_iter(), String::new()).map(|pair| said(pair.unwrap())).collect();
        assert_eq!(all, ["-a", "=b", "+c", "=d", "+e"]);
    }

    #[test]
    fn a_resource_twice_is_refused_with_both_lines() {
        let twice = records(&[("a", 7), ("a", 9)]);
        let said = pairs(std::iter::empty(), twice.into_iter(), "new.csv".to_owned()).find_map(Result::err).unwrap();
        assert_eq!(said.to_string(), "new.csv: a is listed twice, in lines 7 and 9");
    }
}
