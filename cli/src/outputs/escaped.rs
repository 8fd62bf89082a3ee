//! JSON on its way to a terminal: characters that it would obey are escaped.

use std::{
    io::{self, Write},
    str::from_utf8,
};

use resourcesync::report::escaped_json;

/// Escapes the JSON that is written to it. The writer must pass whole characters, as `serde_json` does.
#[derive(Debug)]
pub(crate) struct Escaped<W>(pub(crate) W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.0.write_all(escaped_json(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
