//! Drivers for ResourceSync on a real machine: what a validator, a Destination or a harvester needs and a terminal does not.
//!
//! Nothing here is process-wide, prints, or reads a terminal: each run gets a [`Cancel`] token, and errors are values.

pub mod batch;
mod cancel;
pub mod crawl;
pub mod folder;
pub mod http;
mod meter;
pub mod oai;
pub mod package;
pub mod parallel;
mod progress;
pub mod sort;
mod system;

pub use self::{
    cancel::Cancel,
    meter::Meter,
    progress::{OnProgress, Progress, TICK},
    system::reason,
};
