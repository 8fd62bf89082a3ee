//! Compares two sorted inventories, whose lines are named in errors.

use resourcesync::publish::{self, Pair, Record};

use super::Error;

/// Joins both; rejects a new inventory that contains a resource twice, with its name.
pub fn pairs(
    old: impl Iterator<Item = Result<Record, Error>>,
    new: impl Iterator<Item = Result<Record, Error>>,
    name: String,
) -> impl Iterator<Item = Result<Pair, Error>> {
    publish::pairs(old, new, move |one, other| {
        let lines = match (one.line, other.line) {
            (0, _) | (_, 0) => String::new(),
            (one, other) => format!(", in lines {one} and {other}"),
        };
        let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
        format!("{name}{} is listed twice{lines}", one.uri).into()
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_twice_is_refused_with_both_lines() {
        let [one, other] = [7, 9].map(|line| Ok(Record { uri: "a".to_owned(), line, ..Record::default() }));
        let said = pairs(std::iter::empty(), [one, other].into_iter(), "new.csv".to_owned()).find_map(Result::err);
        assert_eq!(said.unwrap().to_string(), "new.csv: a is listed twice, in lines 7 and 9");
    }
}
