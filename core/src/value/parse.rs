//! Strict parsing with `str::parse`.

use core::str::FromStr;

use super::{
    BitstreamPath, Capability, Change, Changefreq, Coding, Hashes, Length, MediaType, Parsed, Pri, Relation,
    SitemapPriority, Uri, Value, ValueError,
};

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
