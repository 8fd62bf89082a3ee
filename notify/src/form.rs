//! `application/x-www-form-urlencoded`: subscription requests, and the query of a callback.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};

/// The characters that are written as they are: the unreserved ones of RFC 3986. A blank is written `%20`, which means the same in a form
/// and in a query.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Maximum bytes of a form or query. A request has five parameters, two of them URIs.
pub const MOST: usize = 16 << 10;

/// Names and values in the order written; names may repeat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form(Vec<(String, String)>);

/// Errors of parsing a form or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormError {
    /// It is longer than [`MOST`].
    TooLong,
    /// A `%` without two hexadecimal digits.
    Escape,
    /// The decoded text is not UTF-8.
    NotUtf8,
    /// A parameter that must be unique is repeated.
    Repeated(String),
}

impl Form {
    /// Reads the body of a request, or a query without its `?`.
    ///
    /// # Errors
    ///
    /// If it is too long, or does not decode to UTF-8.
    pub fn read(text: &[u8]) -> Result<Form, FormError> {
        if text.len() > MOST {
            return Err(FormError::TooLong);
        }
        let pairs = text.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty());
        let pair = |pair: &[u8]| {
            let mut halves = pair.splitn(2, |byte| *byte == b'=');
            let mut half = || decode(halves.next().unwrap_or_default());
            Ok((half()?, half()?))
        };
        pairs.map(pair).collect::<Result<_, _>>().map(Form)
    }

    /// The value of a parameter that a form may have once.
    ///
    /// # Errors
    ///
    /// If it is repeated.
    pub fn once(&self, name: &str) -> Result<Option<&str>, FormError> {
        let mut values = self.all(name);
        let first = values.next();
        if values.next().is_some() { Err(FormError::Repeated(name.to_string())) } else { Ok(first) }
    }

    /// The last value of a parameter. A hub appends its parameters to the query of the callback, which may contain the same names.
    pub fn last(&self, name: &str) -> Option<&str> {
        self.all(name).last()
    }

    /// Names and values, in the order written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Writes a form.
    pub fn write<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
        let mut text = String::new();
        for (name, value) in pairs {
            if !text.is_empty() {
                text.push('&');
            }
            text.extend(utf8_percent_encode(name, KEPT));
            text.push('=');
            text.extend(utf8_percent_encode(value, KEPT));
        }
        text
    }
}

fn decode(text: &[u8]) -> Result<String, FormError> {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let is_escape = |at: usize| [1, 2].iter().all(|digit| is_digit(text.get(at.saturating_add(*digit))));
    if text.iter().enumerate().any(|(at, byte)| *byte == b'%' && !is_escape(at)) {
        return Err(FormError::Escape);
    }
    let text: Vec<u8> = text.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    String::from_utf8(percent_decode(&text).collect()).map_err(|_| FormError::NotUtf8)
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormError::TooLong => write!(f, "longer than {MOST} bytes"),
            FormError::Escape => f.write_str("a `%` without two hexadecimal digits"),
            FormError::NotUtf8 => f.write_str("not UTF-8"),
            FormError::Repeated(name) => write!(f, "`{name}` is there more than once"),
        }
    }
}

impl core::error::Error for FormError {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_decoded() {
        let form =
            Form::read(b"hub%2Emode=subscribe&&hub.topic=http%3A%2F%2Fa.example%2F%e6%97%a5+x&empty&a=b=c").unwrap();
        assert_eq!(form.once("hub.mode"), Ok(Some("subscribe")));
        assert_eq!(form.once("hub.topic"), Ok(Some("http://a.example/日 x")));
        assert_eq!((form.once("empty"), form.once("a"), form.once("b")), (Ok(Some("")), Ok(Some("b=c")), Ok(None)));
    }

    #[test]
    fn a_repeated_parameter_is_an_error_in_a_form_and_the_last_counts_in_a_query() {
        let form = Form::read(b"hub.mode=x&hub.mode=subscribe").unwrap();
        assert_eq!(form.once("hub.mode"), Err(FormError::Repeated("hub.mode".to_string())));
        assert_eq!(form.last("hub.mode"), Some("subscribe"));
    }

    #[test]
    fn what_does_not_decode_is_refused() {
        for text in [&b"a=%"[..], b"a=%4", b"a=%4g", b"%zz=1"] {
            assert_eq!(Form::read(text), Err(FormError::Escape));
        }
        assert_eq!(Form::read(b"a=%ff"), Err(FormError::NotUtf8));
        assert_eq!(Form::read(b"a=\xff"), Err(FormError::NotUtf8));
        assert_eq!(Form::read(&alloc::vec![b'a'; MOST]).map(|form| form.0.len()), Ok(1));
        assert_eq!(Form::read(&alloc::vec![b'a'; MOST + 1]), Err(FormError::TooLong));
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let pairs = [("hub.topic", "https://a.example/日?b=c&d"), ("x y", "%+~"), ("", "")];
        let text = Form::write(pairs);
        assert_eq!(text, "hub.topic=https%3A%2F%2Fa.example%2F%E6%97%A5%3Fb%3Dc%26d&x%20y=%25%2B~&=");
        let form = Form::read(text.as_bytes()).unwrap();
        assert_eq!(form.0, pairs.map(|(name, value)| (name.to_string(), value.to_string())));
    }
}
