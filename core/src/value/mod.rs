//! The values of the standard as types, which parse any text and format themselves.

mod address;
mod content_coding;
mod datetime;
mod hash;
mod http_date;
mod media_type;
mod number;
mod parse;
mod path;
mod percent;
mod relation;
mod serial;
mod uri;
mod uri_key;
mod vocabulary;

pub use address::not_public;
pub use content_coding::Coding;
pub use datetime::{Datetime, DatetimeError, DatetimeProblem, Instant, Precision};
pub(crate) use hash::algorithms;
pub use hash::{Algorithm, DigestForm, Hash, HashItem, HashKind, Hashes, to_hex};
pub use http_date::{http_date, retry_after};
pub use media_type::MediaType;
pub use number::{Length, Pri, SitemapPriority};
pub use parse::ValueError;
pub use path::{BitstreamPath, PathProblem};
pub(crate) use percent::{SEGMENT, percent_decoded, percent_decoded_name, percent_encoded, percent_encoded_but};
pub use relation::{PATCH, Relation};
pub use uri::{Uri, UriProblem};
pub(crate) use uri_key::is_key;
pub use uri_key::key;
pub use vocabulary::{Capability, Change, Changefreq, Slip};

/// The result of parsing a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed<T> {
    /// Written as the standard writes it.
    Exact(T),
    /// Written otherwise, but what is meant is certain.
    Lenient(T),
    /// Not such a value.
    Malformed,
}

/// A value that can be read from any text. `Display` writes it as the standard does.
pub trait Value: Sized + core::fmt::Display {
    /// Reads; never fails.
    fn read(text: &str) -> Parsed<Self>;
}
