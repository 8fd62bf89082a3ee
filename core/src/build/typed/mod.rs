//! All fifteen kinds as types: what is mandatory is an argument, what has no meaning has no method.

mod document;
mod entry;
mod related;
mod setters;
mod writing;

pub use document::*;
pub use entry::*;
pub use related::RelatedLink;
pub use writing::{Document, Writing};
