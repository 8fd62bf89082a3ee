//! What a run found, as one value, and the ways to write it down.

mod collect;
mod fault;
mod select;
mod shape;
mod terms;
mod words;

pub(crate) use collect::diagnostic;
pub use collect::{Checked, Collector};
pub use fault::{encoding_finding, fault_finding, fault_text};
pub use select::{Profile, Selector, SelectorError, Selection};
pub use shape::{
    ArgValue, Diagnostic, Entry, Excerpt, FORMAT, FORMAT_VERSION, Group, Input, Point, Related, Report, Run, Skipped, Span, Status,
    Summary, Tool, Verdict, Via,
};
pub use words::{Lang, help, message};
