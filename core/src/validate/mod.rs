//! Validation of one input from pushed bytes, and of many into one report.

mod batch;
mod document;
mod dump_index;
mod dump_scan;
mod finding_budget;
mod keeper;
mod linked_files;
mod merge;
mod options;
mod parcel;
mod parts;
mod run;
mod summary;
mod summary_builder;
mod validation;

pub use batch::{Batch, Task};
pub use dump_index::DumpIndex;
pub use dump_scan::{DumpListing, DumpScan};
pub use finding_budget::FindingBudget;
pub use merge::{MergeError, MergeProblem, Merger, merge};
pub use options::Options;
pub(crate) use options::selection;
pub use run::Run;
pub(crate) use summary::{DocumentSummary, Event, times};
pub(crate) use summary_builder::{Observer, Sampling, SummaryBuilder, hashed};
pub use validation::{InputOrigin, Outcome, Validation};
