//! The file of the log: a header, the publication and its changes, each a line, for each publication.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Group;
use crate::{publish::Change, value::to_hex};

/// The part of the state with the publications since the base was written.
pub const LOG: &str = "changes.log";

/// The line before a publication.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Header {
    /// The number of the publication since the base was written.
    publication: u64,
    /// The length of what follows.
    length: u64,
    sha256: String,
}

impl Group {
    /// The bytes that are appended to the log as its publication of this number.
    ///
    /// # Errors
    ///
    /// Never: its keys are texts and its numbers whole.
    pub fn to_bytes(&self, publication: u64) -> Result<Vec<u8>, serde_json::Error> {
        let mut body = serde_json::to_vec(self)?;
        body.push(b'\n');
        for change in &self.changes {
            body.extend_from_slice(&serde_json::to_vec(change)?);
            body.push(b'\n');
        }
        let header = Header { publication, length: body.len() as u64, sha256: to_hex(&Sha256::digest(&body)) };
        let mut bytes = serde_json::to_vec(&header)?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&body);
        Ok(bytes)
    }

    fn parse(body: &[u8]) -> Result<Group, String> {
        let mut lines = body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let head = lines.next().unwrap_or_default();
        let mut group: Group = serde_json::from_slice(head).map_err(|error| error.to_string())?;
        let change = |line| serde_json::from_slice::<Change>(line).map_err(|error| error.to_string());
        group.changes = lines.map(change).collect::<Result<_, _>>()?;
        Ok(group)
    }
}

/// Reads the publications of a log.
#[derive(Debug)]
pub struct LogReader<'a> {
    bytes: &'a [u8],
    /// The publications so far.
    count: u64,
    /// Their length.
    whole: usize,
}

impl<'a> LogReader<'a> {
    /// Starts with the first publication.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> LogReader<'a> {
        LogReader { bytes, count: 0, whole: 0 }
    }

    /// The publications so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The length of the publications so far. What follows them was not written to its end, or is damaged.
    #[must_use]
    pub fn whole(&self) -> usize {
        self.whole
    }

    /// True if nothing follows.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.whole == self.bytes.len()
    }

    fn read(&self) -> Option<(&'a [u8], usize)> {
        let rest = self.bytes.get(self.whole..)?;
        let line = rest.iter().position(|byte| *byte == b'\n')?;
        let header: Header = serde_json::from_slice(rest.get(..line)?).ok()?;
        let start = line.checked_add(1)?;
        let end = start.checked_add(usize::try_from(header.length).ok()?)?;
        let body = rest.get(start..end)?;
        let is_next = Some(header.publication) == self.count.checked_add(1);
        (is_next && to_hex(&Sha256::digest(body)) == header.sha256).then_some((body, end))
    }
}

impl Iterator for LogReader<'_> {
    type Item = Result<Group, String>;

    /// The next publication that is whole.
    fn next(&mut self) -> Option<Self::Item> {
        let (body, length) = self.read()?;
        self.count = self.count.saturating_add(1);
        self.whole = self.whole.saturating_add(length);
        Some(Group::parse(body).map_err(|why| format!("publication {}: {why}", self.count)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::collections::BTreeMap;

    use super::*;
    use crate::publish::Record;

    fn group(at: &str, uris: &[&str]) -> Group {
        let change = |uri: &&str| Change {
            change: crate::value::Change::Created,
            datetime: at.to_string(),
            record: Record { uri: (*uri).to_string(), ..Record::default() },
        };
        Group {
            at: at.to_string(),
            sets: BTreeMap::new(),
            places: Vec::new(),
            files: BTreeMap::new(),
            journal: None,
            changes: uris.iter().map(change).collect(),
        }
    }

    #[test]
    fn only_whole_publications_count_whatever_is_cut_or_changed() {
        let groups = [group("2024-05-01T00:00:00Z", &["a", "b"]), group("2024-05-01T00:00:01Z", &["c"])];
        let parts: Vec<Vec<u8>> =
            groups.iter().zip(1..).map(|(group, number)| group.to_bytes(number).unwrap()).collect();
        let bytes = parts.concat();
        let read = |bytes: &[u8]| {
            let mut reader = LogReader::new(bytes);
            let groups: Vec<Group> = reader.by_ref().map(Result::unwrap).collect();
            (groups, reader.whole(), reader.is_at_end())
        };
        assert_eq!(read(&bytes), (groups.to_vec(), bytes.len(), true));
        for cut in 0..bytes.len() {
            let expected = usize::from(cut >= parts[0].len());
            let (found, whole, is_at_end) = read(&bytes[..cut]);
            assert_eq!((found.len(), whole), (expected, parts[0].len() * expected), "{cut}");
            assert_eq!(is_at_end, cut == whole);
        }
        for place in parts[0].len()..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert_eq!(read(&damaged).0.len(), 1, "{place}");
        }
        assert_eq!(read(&parts[1]).0.len(), 0, "the first publication is missing");
    }
}
