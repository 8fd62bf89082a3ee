//! Strict parsing with `str::parse`.

use alloc::{boxed::Box, string::String};
use core::{fmt, str::FromStr};

use super::{
    BitstreamPath, Capability, Change, Changefreq, Coding, Hashes, Length, MediaType, Parsed, Pri, Relation,
    SitemapPriority, Uri, Value,
};

/// The error for a text that is not a valid value.
///
/// ```
/// use resourcesync::value::MediaType;
/// assert_eq!("text".parse::<MediaType>().unwrap_err().to_string(), "`text` is not a media type");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError {
    text: Box<str>,
    name: &'static str,
}

impl ValueError {
    pub(super) fn new(text: &str, name: &'static str) -> ValueError {
        ValueError { text: text.into(), name }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut start: String = self.text.chars().take(120).collect();
        if start.len() < self.text.len() {
            start.push('…');
        }
        write!(f, "`{}` is not {}", start.escape_debug(), self.name)
    }
}

impl core::error::Error for ValueError {}

macro_rules! parse {
    ($($type:ty, $name:literal;)*) => {$(
        impl FromStr for $type {
            type Err = ValueError;

            /// Accepts only the spelling of the standard.
            fn from_str(text: &str) -> Result<$type, ValueError> {
                match <$type>::read(text) {
                    Parsed::Exact(value) => Ok(value),
                    Parsed::Lenient(_) | Parsed::Malformed => Err(ValueError::new(text, $name)),
                }
            }
        }
    )*};
}

parse! {
    BitstreamPath, "a path inside a package: begins with `/`, without `..`";
    Capability, "a capability";
    Change, "a change: `created`, `updated` or `deleted`";
    Changefreq, "a change frequency";
    Coding, "a content coding";
    Hashes, "a list of digests of the form `algorithm:hexadecimal`";
    Length, "a number of bytes";
    MediaType, "a media type";
    Pri, "a number from 1 to 999999";
    Relation, "a link relation: a registered name or a URI";
    SitemapPriority, "a number from 0.0 to 1.0";
    Uri, "an absolute URI";
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    #[test]
    fn an_error_shows_the_text_or_its_beginning() {
        let of = |text: &str| text.parse::<Pri>().unwrap_err();
        assert_eq!(of("0").text(), "0");
        assert_eq!(of("0").to_string(), "`0` is not a number from 1 to 999999");
        let [long, longer] = [120, 121].map(|count| "x".repeat(count));
        assert_eq!(of(&long).to_string(), format!("`{long}` is not a number from 1 to 999999"));
        assert_eq!(of(&longer).to_string(), format!("`{long}…` is not a number from 1 to 999999"));
    }
}
