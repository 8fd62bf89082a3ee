//! The interface to the files of a copy.

use crate::{
    ledger::{Ledger, StoredResource},
    stored_state::Local,
};

/// The files of a copy.
pub trait Files<L: Ledger> {
    /// The file at a place, compared with the record of a resource.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    fn compare(&mut self, place: &str, stored: &StoredResource) -> Result<Local, L::Error>;

    /// What is at a place.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    fn look(&mut self, place: &str, ledger: &L) -> Result<Occupant, L::Error>;
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occupant {
    /// Nothing.
    Nothing,
    /// A file of the copy, or something else that is not a regular file.
    Evaded,
    /// A regular file of others.
    Foreign,
}
