//! The verbs of every face, with values that cross every border.

mod looks;
mod gunzip;
mod options;
mod run;
mod validation;

pub use options::Options;
pub use run::{Run, validate};
pub use validation::{Outcome, Source, Validation};
