//! The exchanges of a recording as they are read: heads in memory, bodies in a temporary file.

use std::{
    collections::HashMap,
    io::{self, Write},
    ops::Range,
};

use tempfile::NamedTempFile;

use super::{
    Key,
    key::{End, RecordedError},
};
use crate::{
    http::{error::Error, transport::Headers},
    system::reason,
};

/// One exchange.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) key: Key,
    pub(super) status: Option<u16>,
    pub(super) headers: Headers,
    /// The places of its body in the temporary file.
    pub(super) body: Vec<Range<u64>>,
    pub(super) end: End,
    pub(super) error: Option<Error>,
}

/// The exchanges that have been read.
#[derive(Debug)]
pub(super) struct Exchanges {
    open: HashMap<u64, Exchange>,
    /// Those with an end. Of several with equal requests, the last one counts.
    pub(super) ended: HashMap<Key, Exchange>,
    pub(super) bodies: NamedTempFile,
    length: u64,
}

impl Exchanges {
    pub(super) fn new() -> io::Result<Exchanges> {
        Ok(Exchanges { open: HashMap::new(), ended: HashMap::new(), bodies: NamedTempFile::new()?, length: 0 })
    }

    pub(super) fn is_open(&self, id: u64) -> bool {
        self.open.contains_key(&id)
    }

    pub(super) fn begin(&mut self, id: u64, key: Key, status: Option<u16>, headers: Vec<(String, String)>) {
        let headers = Headers::new(headers);
        self.open.insert(id, Exchange { key, status, headers, body: Vec::new(), end: End::Enough, error: None });
    }

    /// Adds bytes to a body.
    pub(super) fn body(&mut self, id: u64, bytes: &[u8]) -> Result<(), String> {
        let own = self.open.get_mut(&id).ok_or(NOT_OPEN)?;
        let kept = self.bodies.write_all(bytes);
        kept.map_err(|error| format!("the body could not be kept in a temporary file: {}", reason(&error)))?;
        let start = self.length;
        self.length = start.saturating_add(bytes.len() as u64);
        own.body.push(start..self.length);
        Ok(())
    }

    pub(super) fn end(&mut self, id: u64, end: End, error: Option<&RecordedError>) -> Result<(), String> {
        let mut own = self.open.remove(&id).ok_or(NOT_OPEN)?;
        own.end = end;
        if let Some(error) = error {
            own.error = Some(error.error().ok_or("no such kind of error")?);
        }
        self.ended.insert(own.key.clone(), own);
        Ok(())
    }
}

const NOT_OPEN: &str = "its exchange did not begin, or has ended";
