//! All fifteen kinds as types: what is mandatory is an argument, what has no meaning has no method.

mod aspect;
mod document;
mod entry;
mod related;
mod writing;

pub use document::*;
pub use entry::*;
pub use related::Related;
pub use writing::{Document, Writing};
