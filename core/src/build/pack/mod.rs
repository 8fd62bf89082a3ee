//! Writes packages: a ZIP archive as a stream, its manifest, and the checks that keep them consistent.

mod member;
mod writer;
mod zip;

pub use writer::{PackageWriter, Packed};
