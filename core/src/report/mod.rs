//! What a run found, as one value, and the ways to write it down.

mod baseline;
mod collect;
mod csv;
mod escape;
mod found;
mod frame;
mod github;
mod html;
mod junit;
mod markdown;
mod ndjson;
mod outline;
mod phrases;
mod reasons;
mod render;
#[cfg(test)]
mod sample;
mod sarif;
mod sarif_rule;
mod sarif_uri;
mod select;
mod shape;
mod terms;
mod text;
mod tree;
mod width;
mod words;

pub use baseline::{BaselineError, subtract};
pub(crate) use collect::diagnostic;
pub use collect::{Checked, Collector};
pub use escape::visible;
pub use found::{ArgValue, Diagnostic, Entry, Excerpt, Point, Related, Span};
pub use render::{Format, Render, render};
pub use select::{Profile, Selection, Selector, SelectorError};
pub use shape::{FORMAT, FORMAT_VERSION, Group, Input, Report, Run, Set, Skipped, Status, Summary, Tool, Verdict, Via};
pub use width::of_text as columns;
pub use words::{Lang, help, message};
