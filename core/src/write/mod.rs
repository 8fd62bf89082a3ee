//! From items to bytes: what was read is written again so that it reads the same.

mod document;
mod writer;

pub use document::{Lost, document};
pub use writer::Writer;
pub(crate) use writer::{character_data, escape};
