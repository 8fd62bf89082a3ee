//! Packages: a ZIP archive as a stream, its manifest, and what keeps both true.

mod member;
mod writer;
mod zip;

pub use writer::{PackageWriter, Packed};
