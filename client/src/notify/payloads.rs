//! The file with the payloads of a publication, and their transfer to the outbox.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use resourcesync::value::Datetime;
use resourcesync_notify::publication::{Announced, Break, PAYLOADS, payloads_head};

use super::{Outbox, OutboxError};
use crate::folder::Current;

/// The payloads of a publication being written.
pub(crate) struct PayloadFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl PayloadFile {
    /// Creates the file for a publication of this time, in the folder for its state.
    pub(crate) fn create(folder: &Path, at: &Datetime) -> Result<PayloadFile, OutboxError> {
        let path = folder.join(PAYLOADS);
        let file = File::create(&path).map_err(|error| OutboxError::io(&path, error))?;
        let mut payloads = PayloadFile { path, file: BufWriter::with_capacity(128 << 10, file) };
        payloads.write(&payloads_head(at))?;
        Ok(payloads)
    }

    pub(crate) fn push(&mut self, payload: &Announced) -> Result<(), OutboxError> {
        self.write(&payload.line())
    }

    fn write(&mut self, line: &[u8]) -> Result<(), OutboxError> {
        self.file.write_all(line).map_err(|error| OutboxError::io(&self.path, error))
    }

    /// Syncs it to disk.
    pub(crate) fn finish(mut self) -> Result<(), OutboxError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| OutboxError::io(&self.path, error))
    }
}

/// True if a generation has payloads.
#[must_use]
pub fn has_payloads(generation: &Current) -> bool {
    generation.known.join(PAYLOADS).exists()
}

/// Adds the payloads of a generation to an outbox, except those that were already added. Generations before the last one added are
/// ignored.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn take(outbox: &mut Outbox, generation: &Current) -> Result<Vec<Break>, OutboxError> {
    let path = generation.known.join(PAYLOADS);
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.map_err(|error| OutboxError::io(&path, error))?,
    };
    let mut lines = BufReader::with_capacity(128 << 10, file);
    let next = || {
        let mut line = Vec::new();
        let length = lines.read_until(b'\n', &mut line).map_err(|error| OutboxError::io(&path, error))?;
        Ok((length > 0).then_some(line))
    };
    outbox.take_lines(next, |why| OutboxError::Damaged { path: path.clone(), why })
}
