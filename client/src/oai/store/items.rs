//! The items of a store, each with its records; only a line of a changed record is parsed.

use std::str::from_utf8;

use super::{
    super::HarvestError,
    catalogue::{Catalogue, Entry},
};

/// The start of each line, before the identifier.
const START: &[u8] = b"{\"identifier\":\"";

/// The items of a store, in the order of their identifiers.
pub struct Items {
    catalogue: Option<Catalogue>,
    since: Option<u64>,
    /// The lines of an item.
    block: Vec<u8>,
    /// The first line of the next one.
    ahead: Vec<u8>,
}

impl Items {
    /// Those with a record that was changed after a run, or all.
    pub(super) fn new(catalogue: Option<Catalogue>, since: Option<u64>) -> Items {
        Items { catalogue, since, block: Vec::new(), ahead: Vec::new() }
    }

    fn read(&mut self) -> Result<Option<Vec<Entry>>, HarvestError> {
        let Some(catalogue) = &mut self.catalogue else { return Ok(None) };
        loop {
            self.block.clear();
            std::mem::swap(&mut self.block, &mut self.ahead);
            while let Some(line) = catalogue.line()? {
                if !self.block.is_empty() && identifier(&self.block) != identifier(line) {
                    self.ahead.extend_from_slice(line);
                    break;
                }
                self.block.extend_from_slice(line);
            }
            if self.block.is_empty() {
                self.catalogue = None;
                return Ok(None);
            }
            let lines = self.block.split_inclusive(|byte| *byte == b'\n');
            let is_changed = |line: &[u8]| match (self.since, last_run(line)) {
                (Some(since), Some(run)) => run > since,
                _ => true,
            };
            if lines.clone().any(is_changed) {
                return lines.map(|line| catalogue.entry(line)).collect::<Result<_, _>>().map(Some);
            }
        }
    }
}

impl Iterator for Items {
    type Item = Result<Vec<Entry>, HarvestError>;

    fn next(&mut self) -> Option<Result<Vec<Entry>, HarvestError>> {
        self.read().transpose()
    }
}

/// The identifier in the first line, as it is written.
fn identifier(lines: &[u8]) -> Option<&[u8]> {
    let rest = lines.strip_prefix(START)?;
    let mut is_escaped = false;
    let end = rest.iter().position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    })?;
    rest.get(..end)
}

/// The last run that changed the record of a line. The line was written by this code, so its form is known: inside a string, quotation marks are
/// escaped.
fn last_run(line: &[u8]) -> Option<u64> {
    let text = from_utf8(line).ok()?.trim_end().strip_suffix('}')?;
    let (before, run) = text.rsplit_once(",\"run\":")?;
    let run = run.parse().ok()?;
    let moved = before.rsplit_once(",\"moved\":").and_then(|(_, moved)| moved.parse().ok());
    Some(moved.map_or(run, |moved: u64| moved.max(run)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_run_and_the_identifier_of_a_line_are_those_of_its_entry() {
        for identifier in ["a", "a\"b\\", "\\\"", ",\"run\":9", ",\"moved\":99", "日本\u{1}"] {
            for moved in [None, Some(3), Some(7)] {
                let text = format!("{{\"identifier\":{identifier:?},\"prefix\":\"p\",\"run\":5}}");
                let text = text.replace("\\u{1}", "\\u0001");
                let entry = Entry { moved, ..serde_json::from_str(&text).unwrap() };
                let line = format!("{}\n", serde_json::to_string(&entry).unwrap());
                assert_eq!(last_run(line.as_bytes()), Some(moved.map_or(5, |moved| moved.max(5))), "{line}");
                let written = serde_json::to_string(identifier).unwrap();
                let inside = written.get(1..written.len() - 1).unwrap();
                assert_eq!(super::identifier(line.as_bytes()), Some(inside.as_bytes()));
            }
        }
    }
}
