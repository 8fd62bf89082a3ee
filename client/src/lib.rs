//! Drivers for ResourceSync on a real machine: what a validator, a Destination or a harvester needs and a terminal does not.
//!
//! Nothing here is process-wide, prints, or reads a terminal: each run gets a [`Cancel`] token, and errors are values.

mod cancel;

pub use self::cancel::Cancel;
