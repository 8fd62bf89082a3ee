//! Entries that repeat each other are read as if each were the first: documents, and the comparison.

mod compare;
mod documents;
mod random;

pub use compare::{Of, compare};
pub use documents::{repetitive, some_limits};
pub use random::{Random, damage};
