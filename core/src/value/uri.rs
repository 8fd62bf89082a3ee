//! Absolute URIs.

mod parts;
mod plain;

use alloc::{
    borrow::Cow,
    boxed::Box,
    string::{String, ToString},
};
use core::fmt;

use iri_string::types::{IriStr, UriStr};

use self::plain::is_plain_http;
use super::{Parsed, Value, ValueError};

/// An absolute URI (RFC 3986), as written; a fragment may follow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uri(Box<str>);

/// Why a text is not an absolute URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UriProblem {
    /// An empty text.
    Empty,
    /// A relative reference.
    Relative,
    /// A path of a local file system.
    LocalPath,
    /// White space, which must be encoded as `%20`.
    Blank,
    /// Non-ASCII characters, which must be percent-encoded as UTF-8.
    NonAscii,
    /// A percent sign that is not followed by two hexadecimal digits.
    BadPercent,
    /// A character that URIs cannot contain.
    Character(char),
    /// `http` without a host.
    NoHost,
    /// A port beyond 65535.
    Port,
    /// Anything else.
    Form,
}

impl UriProblem {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            UriProblem::Empty => "empty",
            UriProblem::Relative => "relative",
            UriProblem::LocalPath => "local-path",
            UriProblem::Blank => "blank",
            UriProblem::NonAscii => "non-ascii",
            UriProblem::BadPercent => "bad-percent",
            UriProblem::Character(_) => "character",
            UriProblem::NoHost => "no-host",
            UriProblem::Port => "port",
            UriProblem::Form => "syntax",
        }
    }
}

impl Uri {
    /// Converts an IRI to a URI: spaces and non-ASCII characters are percent-encoded as UTF-8. A URI stays unchanged.
    ///
    /// ```
    /// use resourcesync::value::Uri;
    /// assert_eq!(Uri::from_iri("http://example.com/日 1")?.as_str(), "http://example.com/%E6%97%A5%201");
    /// # Ok::<(), resourcesync::value::ValueError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If it is neither; a `%` that does not start an escape is an error.
    pub fn from_iri(text: &str) -> Result<Uri, ValueError> {
        match Uri::read(text) {
            Parsed::Exact(uri) | Parsed::Lenient(uri) => Ok(uri),
            Parsed::Malformed => Err(ValueError::new(text, "an absolute URI or IRI")),
        }
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scheme as written, such as `https`.
    pub fn scheme(&self) -> &str {
        self.0.split(':').next().unwrap_or("")
    }

    /// True for `http` and `https`, in any case.
    pub fn is_http(&self) -> bool {
        let starts = |scheme: &str| self.0.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        starts("http:") || starts("https:")
    }

    /// The authority, if any: user, host, port.
    pub fn authority(&self) -> Option<&str> {
        UriStr::new(&self.0).ok().and_then(UriStr::authority_str)
    }

    /// The path, not decoded.
    pub fn path(&self) -> &str {
        UriStr::new(&self.0).map_or("", UriStr::path_str)
    }

    /// The comparison key: with normalized case of scheme and host, escapes, dot segments and default ports (RFC 3986 §6.2).
    pub fn normalized(&self) -> String {
        let normal = UriStr::new(&self.0).map(|uri| uri.normalize().to_string()).unwrap_or_else(|_| self.0.to_string());
        let port = match self.scheme() {
            scheme if scheme.eq_ignore_ascii_case("http") => ":80",
            scheme if scheme.eq_ignore_ascii_case("https") => ":443",
            _ => return normal,
        };
        let Ok(uri) = UriStr::new(normal.as_str()) else { return normal };
        let Some(authority) = uri.authority_str() else { return normal };
        let bare = authority.strip_suffix(port).or(authority.strip_suffix(':')).unwrap_or(authority);
        // Not by searching for the host: `http://h` contains it in its scheme.
        let before = uri.scheme_str().len().saturating_add("://".len()).saturating_add(authority.len());
        let rest = normal.get(before..).unwrap_or("");
        let slash = if rest.starts_with('/') { "" } else { "/" };
        alloc::format!("{}://{bare}{slash}{rest}", uri.scheme_str())
    }

    /// Why a text is not an absolute URI; `None` if it is one.
    pub fn problem(text: &str) -> Option<UriProblem> {
        if is_plain_http(text.as_bytes()) {
            return None;
        }
        if text.trim_ascii().is_empty() {
            return Some(UriProblem::Empty);
        }
        if looks_local(text) {
            return Some(UriProblem::LocalPath);
        }
        if let Ok(uri) = UriStr::new(text) {
            let http = ["http", "https"].iter().any(|scheme| uri.scheme_str().eq_ignore_ascii_case(scheme));
            let (host, port) = uri.authority_str().map_or(("", ""), host_and_port);
            if http && host.is_empty() {
                return Some(UriProblem::NoHost);
            }
            return (!port.is_empty() && port.parse::<u16>().is_err()).then_some(UriProblem::Port);
        }
        if text.contains(|c: char| c.is_ascii_whitespace()) {
            return Some(UriProblem::Blank);
        }
        if !has_scheme(text) {
            return Some(UriProblem::Relative);
        }
        if !text.is_ascii() {
            return Some(UriProblem::NonAscii);
        }
        let escape = |(at, _): (usize, _)| {
            let digits = text.as_bytes().get(at.saturating_add(1)..at.saturating_add(3));
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        if !text.match_indices('%').all(escape) {
            return Some(UriProblem::BadPercent);
        }
        let illegal = |c: &char| c.is_control() || "\"<>\\^`{|}".contains(*c);
        Some(text.chars().find(illegal).map_or(UriProblem::Form, UriProblem::Character))
    }
}

/// The host and the port of an authority; empty where there is none.
fn host_and_port(authority: &str) -> (&str, &str) {
    let rest = authority.rsplit_once('@').map_or(authority, |(_, rest)| rest);
    let literal = rest.find(']').map_or(0, |end| end.saturating_add(1));
    let end = rest.rfind(':').filter(|colon| *colon >= literal).unwrap_or(rest.len());
    let (host, port) = rest.split_at_checked(end).unwrap_or((rest, ""));
    (host, port.trim_start_matches(':'))
}

fn has_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let first = scheme.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    first && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// A drive letter, or a UNC path.
fn looks_local(text: &str) -> bool {
    let drive = matches!(text.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    drive || text.starts_with("\\\\")
}

impl Value for Uri {
    fn read(text: &str) -> Parsed<Uri> {
        match Uri::problem(text) {
            None => Parsed::Exact(Uri(text.into())),
            Some(UriProblem::Blank | UriProblem::NonAscii) => {
                let encoded = text.trim().replace(' ', "%20");
                match IriStr::new(&encoded).map(|iri| iri.encode_to_uri().to_string()) {
                    Ok(uri) if Uri::problem(&uri).is_none() => Parsed::Lenient(Uri(uri.into())),
                    _ => Parsed::Malformed,
                }
            }
            Some(_) => Parsed::Malformed,
        }
    }

    fn spelling(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{plain::is_plain, *};

    #[test]
    fn an_absolute_uri_has_a_scheme() {
        for text in [
            "http://example.com/",
            "https://example.com",
            "HTTP://example.com/a?b=c#d",
            "gsiftp://archive.example.com/res1",
            "urn:isbn:1",
            "http://[::1]:8080/",
            "http://example.com:65535/",
            "http://example.com:/",
            "http://u:p@example.com/",
            "info:doi/10.1/x",
            "http://example.com/%E6%97%A5",
            "mailto:a@example.com",
        ] {
            assert_eq!(Uri::problem(text), None, "{text}");
        }
        for (text, problem) in [
            ("", UriProblem::Empty),
            ("/res1", UriProblem::Relative),
            ("res1", UriProblem::Relative),
            ("//example.com/", UriProblem::Relative),
            ("a_b:x", UriProblem::Relative),
            ("1ab:x", UriProblem::Relative),
            ("C:\\data\\x", UriProblem::LocalPath),
            ("c:/data/x", UriProblem::LocalPath),
            ("http://example.com/a b", UriProblem::Blank),
            ("http://example.com/日本", UriProblem::NonAscii),
            ("http://example.com/%zz", UriProblem::BadPercent),
            ("http://example.com/%4", UriProblem::BadPercent),
            ("http://example.com/{x}", UriProblem::Character('{')),
            ("http:///x", UriProblem::NoHost),
            ("http:x", UriProblem::NoHost),
            ("http://:80/", UriProblem::NoHost),
            ("http://a@/", UriProblem::NoHost),
            ("http://example.com:65536/", UriProblem::Port),
            ("http://[::1]:99999/", UriProblem::Port),
        ] {
            assert_eq!(Uri::problem(text), Some(problem), "{text}");
        }
    }

    #[test]
    fn an_iri_is_understood_as_the_uri_it_stands_for() {
        assert_eq!(
            Uri::read("http://example.com/日 1"),
            Parsed::Lenient(Uri("http://example.com/%E6%97%A5%201".into()))
        );
        assert_eq!(Uri::read("日本"), Parsed::Malformed);
        assert_eq!(Uri::read("http:///日"), Parsed::Malformed);
    }

    #[test]
    fn nearly_all_uris_go_the_fast_way() {
        for text in [
            "http://h",
            "https://ex-ample.com/",
            "http://h:8080",
            "http://h:8080/a/b;c=d?e=f&g",
            "http://h:/",
            "http://h?q",
            "http://h#f",
            "http://h/%7Ea?b#c%20d",
        ] {
            assert!(is_plain_http(text.as_bytes()), "{text}");
        }
        for text in [
            "http://",
            "http:///",
            "ftp://h/",
            "http://h:12345/",
            "http://u@h/",
            "http://h/%7",
            "http://h/%g0",
            "http://h/%0g",
            "http://h/#a#b",
            "http://h/ ",
            "http://h:8x/",
        ] {
            assert!(!is_plain_http(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn the_authority_is_what_stands_before_the_path() {
        let authority = |text: &str| text.parse::<Uri>().unwrap().authority().map(String::from);
        assert_eq!(authority("http://u@example.com:80/a//b").as_deref(), Some("u@example.com:80"));
        assert_eq!(authority("urn:isbn:1"), None);
    }

    #[test]
    fn comparing_ignores_what_means_nothing() {
        let normal = |text| if let Parsed::Exact(uri) = Uri::read(text) { uri.normalized() } else { String::new() };
        assert_eq!(normal("HTTP://Example.COM:80/a/../%7eb"), normal("http://example.com/~b"));
        assert_eq!(normal("https://example.com"), "https://example.com/");
        assert_eq!(normal("http://example.com:8080/"), "http://example.com:8080/");
        assert_eq!(normal("http://example.com?x"), "http://example.com/?x");
        // Each of the two schemes has its own default port.
        for text in ["ftp://h:80/a", "ftp://h:443/a", "http://h:443/", "https://h:80/"] {
            assert_eq!(normal(text), text);
        }
        assert_eq!(normal("https://h:443/"), "https://h/");
        assert_eq!(normal("http://h"), "http://h/");
        assert_eq!(normal("http://example.com:/"), "http://example.com/");
    }

    #[test]
    fn the_short_way_accepts_nothing_the_grammar_refuses() {
        for byte in 0..=127_u8 {
            let text = alloc::format!("http://a/0123456789abcdef{}", byte as char);
            assert!(!is_plain_http(text.as_bytes()) || UriStr::new(&text).is_ok(), "{text}");
            assert!(byte == b'#' || is_plain(byte) == (byte != b'%' && UriStr::new(&text).is_ok()), "{text}");
        }
        let alphabet = b"htps:/.-_~%a1f0 @[]#?\\|&=+;";
        let mut state = 1_u32;
        for round in 0..200_000 {
            let mut text = String::from(if round % 2 == 0 { "http://" } else { "http://example.com/" });
            for _ in 0..12 + round % 20 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push(alphabet[(state >> 16) as usize % alphabet.len()] as char);
            }
            if is_plain_http(text.as_bytes()) {
                assert!(UriStr::new(&text).is_ok(), "{text}");
            }
        }
    }
}
