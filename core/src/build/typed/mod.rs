//! All fifteen kinds as types: mandatory values are arguments, and only meaningful values have methods.

mod document;
mod entry;
mod related;
mod setters;
mod writing;

pub use document::*;
pub use entry::*;
pub use related::RelatedLink;
pub use writing::{Document, Writing};
