//! Bytes at any offset, read from several threads at once: those of a file, or whatever else holds a package.

use std::{fs::File, io};

use resourcesync::diagnostic::{Reason, ReasonCode};

use crate::{meter::Meter, system::reason};

/// Why bytes could not be read.
#[derive(Debug)]
pub enum Failure {
    /// The user wants the run to stop.
    Interrupted,
    /// The system refused.
    Refused(Reason),
}

/// Something whose bytes can be read at any offset.
pub trait Bytes: Send + Sync {
    /// Fills the room with the bytes from an offset on.
    ///
    /// # Errors
    ///
    /// If they could not be read, all of them.
    fn fill(&self, offset: u64, room: &mut [u8]) -> Result<(), Failure>;

    /// How many there are now, where that can change.
    fn size_now(&self) -> Option<u64> {
        None
    }
}

impl Bytes for File {
    fn fill(&self, offset: u64, room: &mut [u8]) -> Result<(), Failure> {
        fill_from(self, offset, room).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Failure::Refused(Reason::new(ReasonCode::Truncated)),
            _ => Failure::Refused(reason(&error)),
        })
    }

    fn size_now(&self) -> Option<u64> {
        self.metadata().ok().map(|meta| meta.len())
    }
}

impl Bytes for Vec<u8> {
    fn fill(&self, offset: u64, room: &mut [u8]) -> Result<(), Failure> {
        let from = usize::try_from(offset).ok().and_then(|from| self.get(from..));
        match from.and_then(|bytes| bytes.get(..room.len())) {
            Some(bytes) => {
                room.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(Failure::Refused(Reason::new(ReasonCode::ShorterThanAnnounced))),
        }
    }
}

/// Fills the room with the bytes from an offset on, unless the run is to stop.
pub(super) fn read(bytes: &dyn Bytes, meter: &Meter, offset: u64, room: &mut [u8]) -> Result<(), Failure> {
    if meter.is_stopped() { Err(Failure::Interrupted) } else { bytes.fill(offset, room) }
}

#[cfg(unix)]
fn fill_from(file: &File, offset: u64, room: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, room, offset)
}

#[cfg(windows)]
fn fill_from(file: &File, mut offset: u64, mut room: &mut [u8]) -> io::Result<()> {
    while !room.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, room, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                offset = offset.saturating_add(length as u64);
                room = room.get_mut(length..).unwrap_or_default();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
