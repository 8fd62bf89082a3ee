//! `encoding`: content codings, as in the `Content-Encoding` header.

use alloc::boxed::Box;
use core::fmt;

use super::{Parsed, Value, media_type::is_token};

/// A comma-separated list of content codings, as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Coding(Box<str>);

impl Coding {
    /// The codings in the order they were applied.
    pub fn codings(&self) -> impl Iterator<Item = &str> {
        self.0.split(',').map(str::trim).filter(|coding| !coding.is_empty())
    }
}

impl Value for Coding {
    fn read(text: &str) -> Parsed<Coding> {
        let mut codings = text.split(',').map(str::trim);
        if codings.all(|coding| is_token(coding.as_bytes())) {
            Parsed::Exact(Coding(text.into()))
        } else {
            Parsed::Malformed
        }
    }
}

impl fmt::Display for Coding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codings_are_tokens_between_commas() {
        let Parsed::Exact(coding) = Coding::read("gzip, br") else { panic!() };
        assert!(coding.codings().eq(["gzip", "br"]));
        assert_eq!(Coding::read(""), Parsed::Malformed);
        assert_eq!(Coding::read("gzip;q=1"), Parsed::Malformed);
    }
}
