//! Serializes items to bytes, so that parsing them again gives the same items.

mod document;
mod writer;

pub(crate) use document::{CONTENT, missing, missing_of_head};
pub use document::{Loss, document, entries};
pub use writer::Writer;
