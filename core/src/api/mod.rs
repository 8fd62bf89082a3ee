//! The verbs of every face, with values that cross every border.

mod gunzip;
mod looks;
mod options;
mod run;
mod scan;
mod validation;
mod verification;

pub use crate::package::{Work, Worked, Worker};
pub use options::Options;
pub use run::{Run, validate};
pub use scan::{Dump, Scan};
pub use validation::{Outcome, Source, Validation};
pub use verification::{Fill, Step, Verification, is_package};
