//! Random access to bytes from several threads, such as those of a file.

use std::{fs::File, io};

use resourcesync::diagnostic::{Reason, ReasonCode};

use crate::{meter::Meter, system::reason};

/// Errors of reading bytes.
#[derive(Debug)]
pub enum BytesError {
    /// The run was cancelled.
    Interrupted,
    /// They could not be read.
    Failed(Reason),
}

/// Something whose bytes can be read at any offset.
pub trait Bytes: Send + Sync {
    /// Fills a buffer with the bytes at an offset.
    ///
    /// # Errors
    ///
    /// If fewer bytes could be read.
    fn fill(&self, offset: u64, buffer: &mut [u8]) -> Result<(), BytesError>;

    /// The current size in bytes, if it can change.
    fn size_now(&self) -> Option<u64> {
        None
    }

    /// True if all of them are here; false if they are requested when they are read.
    fn is_here(&self) -> bool {
        true
    }
}

impl Bytes for File {
    fn fill(&self, offset: u64, buffer: &mut [u8]) -> Result<(), BytesError> {
        fill_from(self, offset, buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => BytesError::Failed(Reason::new(ReasonCode::Truncated)),
            _ => BytesError::Failed(reason(&error)),
        })
    }

    fn size_now(&self) -> Option<u64> {
        self.metadata().ok().map(|meta| meta.len())
    }
}

impl Bytes for Box<dyn Bytes> {
    fn fill(&self, offset: u64, buffer: &mut [u8]) -> Result<(), BytesError> {
        (**self).fill(offset, buffer)
    }

    fn size_now(&self) -> Option<u64> {
        (**self).size_now()
    }

    fn is_here(&self) -> bool {
        (**self).is_here()
    }
}

impl Bytes for Vec<u8> {
    fn fill(&self, offset: u64, buffer: &mut [u8]) -> Result<(), BytesError> {
        let from = usize::try_from(offset).ok().and_then(|from| self.get(from..));
        match from.and_then(|bytes| bytes.get(..buffer.len())) {
            Some(bytes) => {
                buffer.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(BytesError::Failed(Reason::new(ReasonCode::ShorterThanAnnounced))),
        }
    }
}

/// Fills a buffer with the bytes at an offset, unless the run was cancelled.
pub(super) fn read(bytes: &dyn Bytes, meter: &Meter, offset: u64, buffer: &mut [u8]) -> Result<(), BytesError> {
    if meter.is_stopped() { Err(BytesError::Interrupted) } else { bytes.fill(offset, buffer) }
}

#[cfg(unix)]
fn fill_from(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn fill_from(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                offset = offset.saturating_add(length as u64);
                buffer = buffer.get_mut(length..).unwrap_or_default();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
