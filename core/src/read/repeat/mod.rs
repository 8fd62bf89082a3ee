//! Recognizes entries that repeat earlier ones of the same document, which is several times as fast as reading them.
//!
//! Reading decides what an entry means; here is only remembered what it decided. A *piece* is white space and one child of an entry, or its
//! start or end tag, as literal bytes and *slots* for values. The sequence of pieces of an entry is its *shape*: a path in a tree. An
//! entry is recognized if its bytes are those of a known shape, byte for byte, and the value in each slot has a form that does not need to
//! be read. At the first difference nothing was consumed, and reading starts at the first byte of the entry.

mod cut;
mod part;
mod piece;
mod position;
mod ready;
mod slot;
mod templates;
#[cfg(all(test, feature = "repeat"))]
mod tests;
mod tree;
mod write;

pub(super) use templates::{Attempt, Templates};
