//! From items to bytes: what was read is written again so that it reads the same.

mod document;
mod writer;

pub(crate) use document::{CONTENT, missing, missing_of_head};
pub use document::{Loss, document};
pub use writer::Writer;
