//! The sparse index of the base: for each block of about 64 KiB its first resource, place and digest.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{cmp::Ordering, fmt::Write};

use sha2::{Digest, Sha256};

use crate::{publish::Record, value::to_hex};

/// The part of the state with the index, a line for each block: offset, length, SHA-256, the first URI and its set.
pub const INDEX: &str = "inventory.index";

/// A block ends with the first record that reaches this length.
const BLOCK: usize = 64 << 10;

/// A block of whole lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its first byte in the base.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
    sha256: String,
    uri: String,
    set: String,
}

impl Block {
    fn line(&self) -> String {
        format!("{} {} {} {} {}\n", self.offset, self.length, self.sha256, self.uri, self.set)
    }

    fn parse(line: &str) -> Option<Block> {
        let mut fields = line.split(' ');
        let mut field = || fields.next();
        let block = Block {
            offset: field()?.parse().ok()?,
            length: field()?.parse().ok()?,
            sha256: field()?.to_owned(),
            uri: field()?.to_owned(),
            set: field()?.to_owned(),
        };
        fields.next().is_none().then_some(block)
    }

    fn key(&self) -> (&str, &str) {
        (&self.set, &self.uri)
    }

    /// Checks the bytes of the block.
    ///
    /// # Errors
    ///
    /// If they are damaged.
    pub fn check(&self, bytes: &[u8]) -> Result<(), String> {
        if to_hex(&Sha256::digest(bytes)) == self.sha256 {
            return Ok(());
        }
        Err(format!("the digest of the block at {} is not that of the index", self.offset))
    }

    /// Finds a resource in the bytes of the block.
    ///
    /// # Errors
    ///
    /// If they are damaged.
    pub fn find(&self, bytes: &[u8], set: &str, uri: &str) -> Result<Option<Record>, String> {
        self.check(bytes)?;
        // A record begins with its URI, so that the lines of other resources need not be parsed.
        let text = serde_json::to_string(uri).map_err(|error| error.to_string())?;
        let start = format!("{{\"uri\":{text}");
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| line.starts_with(start.as_bytes())) {
            let record: Record = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            if record.key() == (set, uri) {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// The resources in the bytes of the block whose URI is this or below it.
    ///
    /// # Errors
    ///
    /// If they are damaged.
    pub fn below(&self, bytes: &[u8], set: &str, uri: &str) -> Result<Vec<Record>, String> {
        self.check(bytes)?;
        let text = serde_json::to_string(uri).map_err(|error| error.to_string())?;
        let start = format!("{{\"uri\":{}", text.trim_end_matches('"'));
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| line.starts_with(start.as_bytes()));
        let records = lines.map(|line| serde_json::from_slice(line).map_err(|error| error.to_string()));
        let is_own = |record: &Record| record.set == set && is_below(&record.uri, uri);
        records.filter(|record| record.as_ref().map_or(true, is_own)).collect()
    }
}

/// True for a URI, and those that continue it with a slash.
pub(super) fn is_below(uri: &str, above: &str) -> bool {
    uri.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The blocks of a base, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockIndex(Vec<Block>);

impl BlockIndex {
    /// Parses the text of an index, whose digest was checked.
    ///
    /// # Errors
    ///
    /// If it is not an index.
    pub fn parse(text: &str) -> Result<BlockIndex, String> {
        let block = |line| Block::parse(line).ok_or_else(|| format!("`{line}` is not the line of a block"));
        text.lines().map(block).collect::<Result<_, _>>().map(BlockIndex)
    }

    /// The block that has a resource if the base has it.
    #[must_use]
    pub fn locate(&self, set: &str, uri: &str) -> Option<&Block> {
        let after = self.0.partition_point(|block| block.key().cmp(&(set, uri)) != Ordering::Greater);
        after.checked_sub(1).and_then(|at| self.0.get(at))
    }

    /// The blocks that may have resources whose URI is this or below it.
    pub fn below<'a>(&'a self, set: &'a str, uri: &'a str) -> impl Iterator<Item = &'a Block> {
        let after = self.0.partition_point(|block| block.key().cmp(&(set, uri)) != Ordering::Greater);
        let blocks = self.0.get(after.saturating_sub(1)..).unwrap_or_default().iter();
        let is_before = move |block: &Block| block.key() <= (set, uri);
        blocks.take_while(move |block| is_before(block) || block.set == set && block.uri.starts_with(uri))
    }

    /// All blocks.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.0.iter()
    }
}

/// Makes the index while the base is written.
#[derive(Debug, Default)]
pub struct BlockIndexWriter {
    text: String,
    digest: Sha256,
    offset: u64,
    length: usize,
    first: Option<(String, String)>,
}

impl BlockIndexWriter {
    /// Adds the line of a record, with its line break.
    pub fn push(&mut self, record: &Record, line: &[u8]) {
        if self.first.is_none() {
            self.first = Some((record.uri.clone(), record.set.clone()));
        }
        self.digest.update(line);
        self.length = self.length.saturating_add(line.len());
        if self.length >= BLOCK {
            self.end();
        }
    }

    fn end(&mut self) {
        let Some((uri, set)) = self.first.take() else { return };
        let sha256 = to_hex(&core::mem::take(&mut self.digest).finalize());
        let length = core::mem::take(&mut self.length) as u64;
        let block = Block { offset: self.offset, length, sha256, uri, set };
        self.offset = self.offset.saturating_add(length);
        let _ = self.text.write_str(&block.line());
    }

    /// The text of the index.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.end();
        self.text
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn base(count: u64) -> (Vec<u8>, BlockIndex) {
        let (mut bytes, mut index) = (Vec::new(), BlockIndexWriter::default());
        for number in 0..count {
            let uri = format!("https://example.com/{number:05}");
            let record = Record { uri, length: Some(number), ..Record::default() };
            let line = format!("{}\n", serde_json::to_string(&record).unwrap());
            index.push(&record, line.as_bytes());
            bytes.extend_from_slice(line.as_bytes());
        }
        (bytes, BlockIndex::parse(&index.finish()).unwrap())
    }

    fn find(bytes: &[u8], index: &BlockIndex, uri: &str) -> Result<Option<u64>, String> {
        let Some(block) = index.locate("", uri) else { return Ok(None) };
        let start = usize::try_from(block.offset).unwrap();
        let bytes = &bytes[start..start + usize::try_from(block.length).unwrap()];
        Ok(block.find(bytes, "", uri)?.and_then(|record| record.length))
    }

    #[test]
    fn every_resource_is_found_in_one_block_and_no_other() {
        let (bytes, index) = base(3_000);
        assert!(index.blocks().count() > 2);
        for number in [0, 1, 1_500, 2_998, 2_999] {
            assert_eq!(find(&bytes, &index, &format!("https://example.com/{number:05}")), Ok(Some(number)));
        }
        for uri in ["a", "https://example.com/01500x", "z"] {
            assert_eq!(find(&bytes, &index, uri), Ok(None), "{uri}");
        }
        assert_eq!(find(&[], &BlockIndex::default(), "a"), Ok(None));
    }

    #[test]
    fn resources_below_a_uri_are_found_across_blocks() {
        let (mut bytes, mut index) = (Vec::new(), BlockIndexWriter::default());
        let folders = ["a", "b", "b!", "b/", "b/c/", "b0", "c"];
        let uris = |folder: &str| (0..1_000).map(|number| format!("https://example.com/{folder}{number:04}")).collect();
        let mut uris: Vec<String> = folders.iter().flat_map(|folder| -> Vec<String> { uris(folder) }).collect();
        uris.sort();
        for uri in uris {
            let record = Record { uri, ..Record::default() };
            let line = format!("{}\n", serde_json::to_string(&record).unwrap());
            index.push(&record, line.as_bytes());
            bytes.extend_from_slice(line.as_bytes());
        }
        let index = BlockIndex::parse(&index.finish()).unwrap();
        let below = |uri: &str| {
            let found = index.below("", uri).flat_map(|block| {
                let start = usize::try_from(block.offset).unwrap();
                let bytes = &bytes[start..start + usize::try_from(block.length).unwrap()];
                block.below(bytes, "", uri).unwrap()
            });
            found.count()
        };
        let counts = ["b", "b/c", "b0", "c0999", "a", "x"].map(|name| below(&format!("https://example.com/{name}")));
        assert_eq!(counts, [2_000, 1_000, 0, 1, 0, 0]);
        assert_eq!(below("https://example.com"), 7_000);
        assert!(index.below("", "https://example.com/b/c").count() < index.blocks().count());
    }

    #[test]
    fn a_damaged_block_is_refused() {
        let (mut bytes, index) = base(3_000);
        let place = bytes.len() - 10;
        bytes[place] ^= 1;
        assert_eq!(find(&bytes, &index, "https://example.com/00000"), Ok(Some(0)));
        assert!(find(&bytes, &index, "https://example.com/02999").unwrap_err().contains("digest"));
        assert!(BlockIndex::parse("0 1 ab http://example.com/").is_err());
        assert_eq!(BlockIndex::parse(""), Ok(BlockIndex::default()));
    }
}
