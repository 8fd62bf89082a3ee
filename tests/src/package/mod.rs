//! Valid and hostile packages, written byte by byte, since no library would write most of them.

mod named;
mod writer;

pub use named::{manifest, package};
pub use writer::{Raw, Zip};
