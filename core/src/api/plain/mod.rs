//! What a document says, as plain values that cross every border: text and numbers, absent means absent.
//!
//! Read, a value is what the document means: an alias, a digest in base64, an IRI are given as the standard writes them; what has no
//! meaning is given as written. A builder takes every text as it is, and the Checker checks it.

mod attribute;
mod document;
mod from_model;
mod hashes;
mod into_model;

pub use attribute::Attribute;
pub use document::{Document, Entry, Head, Link};
pub use hashes::Digests;
