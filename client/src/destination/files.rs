//! The files of a copy, open for writing or for reading.

use std::io;

use cap_std::fs::Dir;

use super::{
    SyncError,
    copies::{self, Copies, Look},
    store::Keep,
};

/// The files of a copy.
pub(super) enum Files {
    /// Open for writing.
    Own(Box<Copies>),
    /// Open for reading, if they exist.
    Others(Option<Dir>, Keep),
}

impl Files {
    pub(super) fn look(&mut self, place: &str) -> io::Result<Option<Look>> {
        match self {
            Files::Own(copies) => copies.look(place),
            Files::Others(root, keep) => match (keep.used(), root) {
                (Some(mut store), _) => Ok(store.length(place)?.map(Look::stored)),
                (None, Some(root)) => Ok(copies::look_at(root, place)?.map(|(look, ..)| look)),
                (None, None) => Ok(None),
            },
        }
    }

    pub(super) fn keep(&self) -> &Keep {
        match self {
            Files::Own(copies) => copies.keep(),
            Files::Others(_, keep) => keep,
        }
    }

    /// The folder, if it is open for writing.
    pub(super) fn own(&mut self) -> Result<&mut Copies, SyncError> {
        match self {
            Files::Own(copies) => Ok(copies),
            Files::Others(..) => Err(SyncError::NotACopy),
        }
    }
}
