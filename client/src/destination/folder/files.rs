//! The files of a copy, open for writing or for reading.

use std::io;

use cap_std::fs::Dir;

use super::{
    copies::Copies,
    look::{Look, look_at},
    store::Keep,
};
use crate::destination::SyncError;

/// The files of a copy.
pub(in crate::destination) enum Files {
    /// Open for writing.
    Own(Box<Copies>),
    /// Open for reading, if they exist.
    Others(Option<Dir>, Keep),
}

impl Files {
    pub(in crate::destination) fn look(&mut self, place: &str) -> io::Result<Option<Look>> {
        match self {
            Files::Own(copies) => copies.look(place),
            Files::Others(root, keep) => match (keep.used(), root) {
                (Some(mut store), _) => Ok(store.look(place)?.map(Look::stored)),
                (None, Some(root)) => Ok(look_at(root, place)?.map(|(look, ..)| look)),
                (None, None) => Ok(None),
            },
        }
    }

    /// The folder, if it is open for writing.
    pub(in crate::destination) fn own(&mut self) -> Result<&mut Copies, SyncError> {
        match self {
            Files::Own(copies) => Ok(copies),
            Files::Others(..) => Err(SyncError::NotACopy),
        }
    }
}
