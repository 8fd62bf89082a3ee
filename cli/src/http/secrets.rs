//! Headers that belong to one origin: sent there and nowhere else, and never shown.

use std::{fmt, fs};

use super::place::{Origin, Target};

/// One header for one origin.
#[derive(Clone, PartialEq, Eq)]
struct Secret {
    origin: Origin,
    name: String,
    value: String,
}

/// All of them.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Secrets(Vec<Secret>);

/// Headers that would change what is asked or how the answer is read.
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

/// Bytes of a file with a secret that are read.
const FILE: u64 = 64 << 10;

impl Secrets {
    /// Adds `ORIGIN=NAME:VALUE`. What is wrong is said without repeating the value.
    pub(crate) fn header(&mut self, text: &str) -> Result<(), String> {
        let form = "--header is written as ORIGIN=NAME:VALUE, such as https://example.com=X-Key:env:MY_KEY";
        let (origin, rest) = text.split_once('=').ok_or(form)?;
        let (name, value) = rest.split_once(':').ok_or(form)?;
        let name = name.trim();
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(format!("--header: {form}"));
        }
        let lower = name.to_ascii_lowercase();
        if OURS.contains(&lower.as_str()) || lower.starts_with("if-") || lower.starts_with("proxy-") {
            return Err(format!("--header cannot set {name}: the command sets it itself"));
        }
        let value = value.trim();
        let value = if is_reference(value) { referred(value)? } else { value.to_owned() };
        self.add(origin, name, value, "--header")
    }

    /// Adds `ORIGIN=env:NAME` or `ORIGIN=file:PATH`, a bearer token.
    pub(crate) fn token(&mut self, text: &str) -> Result<(), String> {
        let form = "--token is written as ORIGIN=env:NAME or ORIGIN=file:PATH; a token itself does not belong on a command line";
        let (origin, value) = text.split_once('=').ok_or(form)?;
        if !is_reference(value) {
            return Err(form.to_owned());
        }
        let token = referred(value)?;
        self.add(origin, "Authorization", format!("Bearer {token}"), "--token")
    }

    fn add(&mut self, origin: &str, name: &str, value: String, option: &str) -> Result<(), String> {
        let target = Target::read(origin).map_err(|problem| format!("{option}: {problem}"))?;
        if target.path != "/" {
            return Err(format!(
                "{option}: `{origin}` has a path; a header is for a whole origin, such as https://example.com"
            ));
        }
        if !value.bytes().all(|byte| matches!(byte, 0x20..=0x7e)) {
            return Err(format!("{option}: the value for {origin} has characters that no header has"));
        }
        self.0.push(Secret { origin: target.origin, name: name.to_owned(), value });
        Ok(())
    }

    /// Name and value of what goes to this origin.
    pub(super) fn of(&self, origin: &Origin) -> impl Iterator<Item = (&str, &str)> {
        let own = self.0.iter().filter(move |secret| secret.origin == *origin);
        own.map(|secret| (secret.name.as_str(), secret.value.as_str()))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|secret| format!("{} for {}", secret.name, secret.origin))).finish()
    }
}

fn is_reference(value: &str) -> bool {
    value.starts_with("env:") || value.starts_with("file:")
}

/// What an environment variable or a file holds, without the line break at its end.
fn referred(value: &str) -> Result<String, String> {
    let text = match value.split_once(':') {
        Some(("env", name)) => {
            std::env::var(name).map_err(|_| format!("the environment variable {name} is not set, or not text"))?
        }
        Some((_, path)) => {
            let problem =
                |error: &std::io::Error| format!("{path} could not be read: {}", crate::trouble::reason(error));
            if fs::metadata(path).map_err(|error| problem(&error))?.len() > FILE {
                return Err(format!("{path} is too long for a header"));
            }
            fs::read_to_string(path).map_err(|error| problem(&error))?
        }
        None => String::new(),
    };
    let text = text.trim();
    if text.is_empty() { Err(format!("{value} is empty")) } else { Ok(text.to_owned()) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn origin(text: &str) -> Origin {
        Target::read(text).unwrap().origin
    }

    #[test]
    fn a_header_is_for_one_origin_and_is_never_shown() {
        let mut secrets = Secrets::default();
        secrets.header("https://example.com=X-Key: s3cret=:").unwrap();
        let of = |text| {
            secrets.of(&origin(text)).map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>()
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
        assert!(!format!("{secrets:?}").contains("s3cret"));
    }

    #[test]
    fn what_is_wrong_is_said_without_the_value() {
        let mut secrets = Secrets::default();
        for wrong in [
            "https://example.com",
            "https://example.com=s3cret",
            "=X:s3cret",
            "https://example.com/path=X:s3cret",
            "https://example.com=Range:s3cret",
            "https://example.com=If-Match:s3cret",
            "https://example.com=A B:s3cret",
            "https://example.com=A:s3cret\r\nB: c",
            "ftp://example.com=A:s3cret",
        ] {
            let words = secrets.header(wrong).unwrap_err();
            assert!(!words.contains("s3cret"), "{words}");
        }
        assert!(!secrets.token("https://example.com=s3cret").unwrap_err().contains("s3cret"));
        assert!(secrets.token("https://example.com=env:NO_SUCH_VARIABLE").unwrap_err().contains("NO_SUCH_VARIABLE"));
        assert_eq!(secrets, Secrets::default());
    }
}
