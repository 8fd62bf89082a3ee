//! Reads stretches of a file, from several threads at once.

use std::{fs::File, io};

use crate::{trouble::reason, watch::Watch};

/// Why bytes could not be read.
#[derive(Debug)]
pub(super) enum Failure {
    /// The user wants the run to stop.
    Interrupted,
    /// The system refused.
    Refused(String),
}

/// Fills the room with the bytes from an offset on.
pub(super) fn read(file: &File, watch: &Watch, offset: u64, room: &mut [u8]) -> Result<(), Failure> {
    if watch.is_stopped() {
        return Err(Failure::Interrupted);
    }
    fill(file, offset, room).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Failure::Refused("it became shorter while it was read".to_owned()),
        _ => Failure::Refused(reason(&error)),
    })
}

#[cfg(unix)]
fn fill(file: &File, offset: u64, room: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, room, offset)
}

#[cfg(windows)]
fn fill(file: &File, mut offset: u64, mut room: &mut [u8]) -> io::Result<()> {
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
