//! Documents as plain values for all language bindings: text and numbers; absent values are absent.
//!
//! When reading, values are normalized: an alias, a digest in base64 or an IRI is returned as in the standard, a malformed value as
//! written. A builder passes every text unchanged to the Checker.

mod attribute;
mod document;
mod from_model;
mod hashes;
mod into_model;
mod packed;

pub use attribute::Attribute;
pub use document::{Document, Entry, Head, Link};
pub use hashes::Digests;
pub use packed::PackedEntries;
