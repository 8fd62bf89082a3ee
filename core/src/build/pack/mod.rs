//! Writes packages: a ZIP archive as a stream, its manifest, and the checks that keep them consistent.

mod deflate;
mod member;
mod writer;
mod zip;

pub use deflate::{Deflated, Deflater};
pub use writer::{PackageWriter, Packed};
