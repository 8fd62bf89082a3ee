//! Numbers: `length`, `pri`, and the `priority` of the Sitemap protocol.

use alloc::boxed::Box;
use core::fmt;

use super::{Parsed, Value};

/// Parses ASCII digits and nothing else.
fn integer(text: &str) -> Option<u64> {
    // `parse` accepts only a sign in addition.
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The length of a bitstream in bytes: `length` (RFC 4287).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length(pub u64);

impl Value for Length {
    fn read(text: &str) -> Parsed<Length> {
        if let Some(bytes) = integer(text) {
            return Parsed::Exact(Length(bytes));
        }
        integer(text.trim()).map_or(Parsed::Malformed, |bytes| Parsed::Lenient(Length(bytes)))
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The priority of a link, 1 to 999999, lower is better: `pri` (RFC 6249).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pri(u32);

impl Pri {
    /// The lowest priority, which is also the default.
    pub const LAST: Pri = Pri(999_999);

    /// Creates a priority; `None` outside 1 to 999999.
    pub fn new(value: u32) -> Option<Pri> {
        (1..=999_999).contains(&value).then_some(Pri(value))
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl Value for Pri {
    fn read(text: &str) -> Parsed<Pri> {
        let read = |text| integer(text).and_then(|value| u32::try_from(value).ok()).and_then(Pri::new);
        match (read(text), read(text.trim())) {
            (Some(pri), _) => Parsed::Exact(pri),
            (None, Some(pri)) => Parsed::Lenient(pri),
            (None, None) => Parsed::Malformed,
        }
    }
}

impl fmt::Display for Pri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// `priority` of the Sitemap protocol, 0.0 to 1.0, as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SitemapPriority(Box<str>);

impl SitemapPriority {
    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Value for SitemapPriority {
    fn read(text: &str) -> Parsed<SitemapPriority> {
        // Compared by digits, since a float would be rounded.
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let are_digits = [whole, fraction].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let is_at_most_one = match whole.trim_start_matches('0') {
            "" => !(whole.is_empty() && fraction.is_empty()),
            "1" => fraction.bytes().all(|digit| digit == b'0'),
            _ => false,
        };
        if are_digits && is_at_most_one { Parsed::Exact(SitemapPriority(text.into())) } else { Parsed::Malformed }
    }
}

impl fmt::Display for SitemapPriority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ascii_digits_are_numbers() {
        assert_eq!(Length::read("18446744073709551615"), Parsed::Exact(Length(u64::MAX)));
        assert_eq!(Length::read("0000000000000000000000012"), Parsed::Exact(Length(12)));
        assert_eq!(Length::read(" 12"), Parsed::Lenient(Length(12)));
        for text in ["", "-1", "+1", "1_000", "1.0", "٣", "18446744073709551616", "0x10"] {
            assert_eq!(Length::read(text), Parsed::Malformed, "{text}");
        }
    }

    #[test]
    fn pri_goes_from_1_to_999999() {
        assert_eq!(Pri::read("1"), Parsed::Exact(Pri(1)));
        assert_eq!(Pri::read("999999"), Parsed::Exact(Pri::LAST));
        assert_eq!(Pri::LAST.get(), 999_999);
        assert_eq!(Pri::read("0"), Parsed::Malformed);
        assert_eq!(Pri::read("1000000"), Parsed::Malformed);
        assert_eq!(Pri::read("999,999"), Parsed::Malformed);
    }

    #[test]
    fn a_priority_is_kept_as_written() {
        assert_eq!(SitemapPriority::read("0.50"), Parsed::Exact(SitemapPriority("0.50".into())));
        for text in ["0", "1", "1.", ".5", "01.000", "0.0000000001"] {
            assert_eq!(SitemapPriority::read(text), Parsed::Exact(SitemapPriority(text.into())), "{text}");
        }
        let Parsed::Exact(priority) = SitemapPriority::read("0.50000000000000000000001") else { panic!("refused") };
        assert_eq!(priority.as_str(), "0.50000000000000000000001");
        for text in
            ["", ".", "1.1", "2", "10", "-0.5", "+1", "1e0", "0.5 ", "0.5.0", "0,5", "inf", "1.00000000000000000001"]
        {
            assert_eq!(SitemapPriority::read(text), Parsed::Malformed, "{text}");
        }
    }
}
