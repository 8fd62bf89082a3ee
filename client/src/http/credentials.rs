//! Headers for one origin: sent only there, and never displayed.

use std::fmt;

use super::{
    error::Error,
    url::{Origin, Url},
};

/// One header for one origin.
#[derive(Clone, PartialEq, Eq)]
struct Credential {
    origin: Origin,
    name: String,
    value: String,
}

/// Headers for one origin each.
///
/// ```
/// use resourcesync_client::http::Credentials;
///
/// let mut credentials = Credentials::default();
/// credentials.bearer("https://repository.example", "t0ken")?;
/// assert!(!format!("{credentials:?}").contains("t0ken"));
/// # Ok::<(), resourcesync_client::http::HeaderError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Credentials(Vec<Credential>);

/// Why a header cannot be sent. The value is not repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderError {
    /// The origin is not an http or https URI.
    Origin(Error),
    /// The origin has a path.
    Path(String),
    /// The name is not that of a header.
    Name(String),
    /// The header would change the request or how the response is read.
    Reserved(String),
    /// The value of the header has characters that headers cannot contain.
    Value(String),
}

/// Headers that the client sets itself: they change the request, or how its response is read.
const OURS: &[&str] = &[
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "te",
    "trailer",
    "upgrade",
    "expect",
    "range",
    "accept-encoding",
];

impl Credentials {
    /// Adds a header for an origin, such as `https://example.com`.
    ///
    /// # Errors
    ///
    /// If the origin is invalid, or the header cannot be sent.
    pub fn header(&mut self, origin: &str, name: &str, value: &str) -> Result<(), HeaderError> {
        checked(name, value)?;
        let target = Url::read(origin).map_err(HeaderError::Origin)?;
        if target.path != "/" {
            return Err(HeaderError::Path(origin.to_owned()));
        }
        self.0.push(Credential { origin: target.origin, name: name.to_owned(), value: value.to_owned() });
        Ok(())
    }

    /// Adds a bearer token for an origin.
    ///
    /// # Errors
    ///
    /// If the origin is invalid, or the token cannot be sent in a header.
    pub fn bearer(&mut self, origin: &str, token: &str) -> Result<(), HeaderError> {
        self.header(origin, "Authorization", &format!("Bearer {token}"))
    }

    /// Names and values of the headers for an origin.
    pub(super) fn of(&self, origin: &Origin) -> impl Iterator<Item = (&str, &str)> {
        let own = self.0.iter().filter(move |credential| credential.origin == *origin);
        own.map(|credential| (credential.name.as_str(), credential.value.as_str()))
    }
}

/// The name of a header field in lower case, if a caller may set it to this value.
pub(super) fn checked(name: &str, value: &str) -> Result<String, HeaderError> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(HeaderError::Name(name.to_owned()));
    }
    let lower = name.to_ascii_lowercase();
    if OURS.contains(&lower.as_str()) || lower.starts_with("if-") || lower.starts_with("proxy-") {
        return Err(HeaderError::Reserved(name.to_owned()));
    }
    if !value.bytes().all(|byte| matches!(byte, 0x20..=0x7e)) {
        return Err(HeaderError::Value(name.to_owned()));
    }
    Ok(lower)
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.iter().map(|credential| format!("{} for {}", credential.name, credential.origin));
        f.debug_list().entries(shown).finish()
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderError::Origin(error) => error.fmt(f),
            HeaderError::Path(origin) => {
                write!(f, "`{origin}` has a path; a header is for a whole origin, such as https://example.com")
            }
            HeaderError::Name(name) => write!(f, "`{name}` is not the name of a header"),
            HeaderError::Reserved(name) => write!(f, "{name} cannot be set: the client sets it itself"),
            HeaderError::Value(name) => write!(f, "the value of {name} has characters that no header has"),
        }
    }
}

impl std::error::Error for HeaderError {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn origin(text: &str) -> Origin {
        Url::read(text).unwrap().origin
    }

    #[test]
    fn a_header_is_for_one_origin_and_is_never_shown() {
        let mut credentials = Credentials::default();
        credentials.header("https://example.com", "X-Key", "s3cret=:").unwrap();
        let of = |text| {
            credentials.of(&origin(text)).map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(of("https://example.com/a"), [("X-Key".to_owned(), "s3cret=:".to_owned())]);
        for other in [
            "http://example.com/",
            "https://example.com:444/",
            "https://www.example.com/",
            "https://example.com.evil.example/",
        ] {
            assert!(of(other).is_empty(), "{other}");
        }
        assert!(!format!("{credentials:?}").contains("s3cret"));
    }

    #[test]
    fn what_cannot_be_sent_is_refused_without_the_value() {
        let mut credentials = Credentials::default();
        for (origin, name, value) in [
            ("", "X", "s3cret"),
            ("https://example.com/path", "X", "s3cret"),
            ("https://example.com", "Range", "s3cret"),
            ("https://example.com", "If-Match", "s3cret"),
            ("https://example.com", "A B", "s3cret"),
            ("https://example.com", "", "s3cret"),
            ("https://example.com", "A", "s3cret\r\nB: c"),
            ("ftp://example.com", "A", "s3cret"),
        ] {
            let words = credentials.header(origin, name, value).unwrap_err().to_string();
            assert!(!words.contains("s3cret"), "{words}");
        }
        assert_eq!(credentials, Credentials::default());
    }
}
