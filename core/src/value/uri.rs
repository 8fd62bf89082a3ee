//! Absolute URIs.

use alloc::{
    boxed::Box,
    string::{String, ToString},
};
use core::fmt;

use iri_string::types::{IriStr, UriStr};
use memchr::{memchr, memchr_iter};

use super::{Parsed, Value, ValueError};
use crate::bytes;

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

    /// Replaces a URI by another in its memory: the text of a document that begins as [`Uri::fixed_part`] says and continues as
    /// [`Uri::variable_part`] says; with `&amp;` if `escaped`.
    pub(crate) fn replace(place: &mut Option<Uri>, written: &str, escaped: bool) {
        let mut text = String::from(place.take().map(|uri| uri.0).unwrap_or_default());
        text.clear();
        let mut rest = written;
        if escaped {
            // Not by searching for a text, which takes longer than everything else here.
            while let Some(end) = memchr(b'&', rest.as_bytes()).map(|at| at.saturating_add(1)) {
                text.push_str(rest.get(..end).unwrap_or_default());
                rest = rest.get(end.saturating_add("amp;".len())..).unwrap_or_default();
            }
        }
        text.reserve_exact(rest.len());
        text.push_str(rest);
        debug_assert_eq!(Uri::problem(&text), None, "{text}");
        *place = Some(Uri(text.into_boxed_str()));
    }

    /// The length of scheme, authority and first slash, if a URI of the common form has them: `http(s)://`, a host name, a port.
    pub(crate) fn fixed_part(&self) -> Option<usize> {
        let before = self.0.find("://")?.saturating_add("://".len());
        let length = before.saturating_add(memchr(b'/', self.0.as_bytes().get(before..)?)?).saturating_add(1);
        is_plain_http(self.0.as_bytes().get(..length)?).then_some(length)
    }

    /// Whether there is an `&amp;` in what follows the fixed part, if that is nothing but characters of paths and queries, and escapes, as
    /// a document writes them.
    #[inline]
    pub(crate) fn variable_part(written: &[u8]) -> Option<bool> {
        if bytes::all(written, is_common) {
            return Some(false);
        }
        if !bytes::all(written, is_plain) {
            return variable_part_with_escapes(written);
        }
        let is_amp = |at| written.get(at..).is_some_and(|rest| rest.starts_with(b"&amp;"));
        let mut references = memchr_iter(b'&', written);
        let Some(first) = references.next() else { return Some(false) };
        (is_amp(first) && references.all(is_amp)).then_some(true)
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

/// As [`Uri::variable_part`], byte by byte.
fn variable_part_with_escapes(written: &[u8]) -> Option<bool> {
    let (mut rest, mut escaped) = (written, false);
    while let Some(special) = rest.iter().position(|byte| !is_plain(*byte) || *byte == b'&') {
        rest = match rest.get(special..)? {
            [b'%', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => after,
            reference => {
                escaped = true;
                reference.strip_prefix(b"&amp;")?
            }
        };
    }
    Some(escaped)
}

/// The common case: `http(s)://`, a host name, a port, path, query and fragment (RFC 3986). Ten times as fast as the full
/// grammar; a test checks that it accepts nothing that the grammar rejects.
fn is_plain_http(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"http://").or_else(|| text.strip_prefix(b"https://")) else { return false };
    // A host before a path is checked at once, which takes a third of the time of a check byte by byte.
    let before_path = memchr(b'/', rest).unwrap_or(rest.len());
    if let Some((host, rest)) = rest.split_at_checked(before_path)
        && !host.is_empty()
        && bytes::all(host, is_of_host)
    {
        return is_path_and_more(rest);
    }
    let host = rest.iter().take_while(|byte| is_of_host(**byte)).count();
    let Some((_, mut rest)) = rest.split_at_checked(host).filter(|_| host > 0) else { return false };
    if let Some(port) = rest.strip_prefix(b":") {
        // A port of five digits may be out of range, which the full grammar checks.
        let digits = port.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        rest = port.get(digits..).unwrap_or_default();
    }
    matches!(rest, [] | [b'/' | b'?' | b'#', ..]) && is_path_and_more(rest)
}

/// Characters of a host name.
fn is_of_host(byte: u8) -> bool {
    // Branch-free: see `bytes::all`.
    matches!(byte, b'-' | b'.') | byte.is_ascii_digit() | (byte | 0x20).is_ascii_lowercase()
}

/// Characters of path, query and fragment, escapes, and at most one `#`.
fn is_path_and_more(text: &[u8]) -> bool {
    if bytes::all(text, is_plain) {
        return true;
    }
    let mut fragment = false;
    let mut rest = text;
    while let Some(special) = rest.iter().position(|byte| !is_plain(*byte)) {
        rest = match rest.get(special..) {
            Some([b'%', high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => after,
            Some([b'#', after @ ..]) if !fragment => {
                fragment = true;
                after
            }
            _ => return false,
        };
    }
    true
}

/// `pchar` of RFC 3986 without escapes, `/` and `?`.
fn is_plain(byte: u8) -> bool {
    // Branch-free: see `bytes::all`.
    matches!(byte, b'&'..=b';')
        | matches!(byte, b'?'..=b'Z')
        | byte.is_ascii_lowercase()
        | (byte == b'=')
        | (byte == b'_')
        | (byte == b'~')
        | (byte == b'!')
        | (byte == b'$')
}

/// Characters of most paths and queries. There are few conditions, since each is tested for every byte.
fn is_common(byte: u8) -> bool {
    matches!(byte, b'('..=b';') | (byte | 0x20).is_ascii_lowercase() | (byte == b'=') | (byte == b'?') | (byte == b'_')
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
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_and_a_variable_part_are_a_uri() {
        let fixed = |text: &str| text.parse::<Uri>().ok().and_then(|uri| uri.fixed_part());
        assert_eq!(fixed("https://example.com/a/b"), Some("https://example.com/".len()));
        assert_eq!(fixed("http://example.com:80/"), Some("http://example.com:80/".len()));
        for text in ["http://example.com", "urn:isbn:1", "ftp://a/", "http://u@h/", "HTTP://h/"] {
            assert_eq!(fixed(text), None, "{text}");
        }
        for byte in 0..=0xff_u8 {
            let tail = [b"aaaaaaaaaaaaaaaa", [byte].as_slice(), b"bb"].concat();
            let usual = Uri::variable_part(&tail).is_some();
            let text = alloc::format!("http://h/{}", alloc::string::String::from_utf8_lossy(&tail));
            assert!(!usual || Uri::problem(&text).is_none() && byte != b'&', "{text}");
        }
        let mut place = None;
        for (tail, escaped, text) in [
            ("a?b=c&amp;d", Some(true), "http://h/a?b=c&d"),
            ("&amp;&amp;", Some(true), "http://h/&&"),
            ("", Some(false), "http://h/"),
            ("a&amp", None, ""),
            ("a&amp;<", None, ""),
            ("a%20&amp;%E3", Some(true), "http://h/a%20&%E3"),
            ("a%2", None, ""),
        ] {
            assert_eq!(Uri::variable_part(tail.as_bytes()), escaped, "{tail}");
            if let Some(escaped) = escaped {
                Uri::replace(&mut place, &alloc::format!("http://h/{tail}"), escaped);
                assert_eq!(place.as_ref().map(Uri::as_str), Some(text));
            }
        }
    }

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
