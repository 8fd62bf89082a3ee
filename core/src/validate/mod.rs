//! Validation of one input from pushed bytes, and of many into one report.

mod document;
mod dump_index;
mod dump_scan;
mod finding_budget;
mod options;
mod run;
mod summary;
mod summary_builder;
mod validation;

pub use dump_index::Beside;
pub use dump_scan::{Dump, Scan};
pub use finding_budget::Bound;
pub use options::Options;
pub(crate) use options::selection;
pub use run::Run;
pub(crate) use summary::Memo;
pub(crate) use summary_builder::{Notes, Noting, Sampling, hashed};
pub use validation::{Outcome, Source, Validation};
