//! The values of the standard as types with lenient parsing and canonical formatting.

use alloc::{borrow::Cow, string::ToString};

mod address;
mod content_coding;
mod datetime;
mod error;
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
pub use error::ValueError;
pub use hash::{Algorithm, DigestForm, Hash, HashItem, HashKind, Hashes, to_hex};
pub(crate) use hash::{algorithms, is_hex, push_hex};
pub use http_date::{http_date, retry_after};
pub use media_type::MediaType;
pub use number::{Length, Pri, SitemapPriority};

pub use path::{BitstreamPath, PathProblem};
pub use percent::percent_decoded;
pub(crate) use percent::{PATH, percent_decoded_name, percent_encoded, percent_encoded_but};
pub use relation::{PATCH, Relation};
pub use uri::{Uri, UriProblem};
pub(crate) use uri_key::is_key;
pub use uri_key::key;
pub use vocabulary::{Capability, Change, Changefreq, Slip};

/// The result of parsing a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed<T> {
    /// In the spelling of the standard.
    Exact(T),
    /// In another spelling with a certain meaning.
    Lenient(T),
    /// Not a value of this type.
    Malformed,
}

/// A value that can be parsed from any text. `Display` writes the spelling of the standard.
pub trait Value: Sized + core::fmt::Display {
    /// Parses any text; never fails.
    fn read(text: &str) -> Parsed<Self>;

    /// The spelling of the standard.
    fn spelling(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}
