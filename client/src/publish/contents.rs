//! Bytes of resources that are in no file of their own.

use std::fmt::Debug;

use resourcesync::publish::Record;

use super::Error;
use crate::cancel::Cancel;

/// Resources with their bytes, such as the records of a store of lines.
pub trait Contents: Debug + Send + Sync {
    /// Passes on each wanted resource of a set, in any order, with its bytes.
    ///
    /// # Errors
    ///
    /// If they cannot be read, and those of `take`.
    fn each(&self, set: &str, wanted: Wanted<'_>, cancel: &Cancel, take: Take<'_>) -> Result<(), Error>;
}

/// True for the URIs of resources whose bytes are needed.
pub type Wanted<'a> = &'a dyn Fn(&str) -> bool;

/// Receives a resource and its bytes.
pub type Take<'a> = &'a mut dyn FnMut(Record, &[u8]) -> Result<(), Error>;
