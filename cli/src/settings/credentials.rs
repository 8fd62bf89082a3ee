//! Parses headers for one origin from the command line, and reads their values.

use std::fs;

use resourcesync_client::{http::Credentials, reason};

/// Maximum bytes of a file with a value.
const FILE: u64 = 64 << 10;

/// Adds `ORIGIN=NAME:VALUE`. Messages do not repeat the value.
pub(super) fn header(credentials: &mut Credentials, text: &str) -> Result<(), String> {
    let form = "--header must have the form ORIGIN=NAME:VALUE, such as https://example.com=X-Key:env:MY_KEY";
    let (origin, rest) = text.split_once('=').ok_or(form)?;
    let (name, value) = rest.split_once(':').ok_or(form)?;
    let value = value.trim();
    let value = if is_reference(value) { referred(value)? } else { value.to_owned() };
    credentials.header(origin, name.trim(), &value).map_err(|error| format!("--header: {error}"))
}

/// Adds `ORIGIN=env:NAME` or `ORIGIN=file:PATH`, a bearer token.
pub(super) fn token(credentials: &mut Credentials, text: &str) -> Result<(), String> {
    let form = "--token must have the form ORIGIN=env:NAME or ORIGIN=file:PATH; do not pass the token itself on the command line";
    let (origin, value) = text.split_once('=').ok_or(form)?;
    if !is_reference(value) {
        return Err(form.to_owned());
    }
    credentials.bearer(origin, &referred(value)?).map_err(|error| format!("--token: {error}"))
}

fn is_reference(value: &str) -> bool {
    value.starts_with("env:") || value.starts_with("file:")
}

/// The content of an environment variable or a file, without the final line break.
pub(crate) fn referred(value: &str) -> Result<String, String> {
    let text = match value.split_once(':') {
        Some(("env", name)) => {
            std::env::var(name).map_err(|_| format!("the environment variable {name} is not set or not UTF-8"))?
        }
        Some((_, path)) => {
            let problem = |error: &std::io::Error| format!("{path} could not be read: {}", reason(error));
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

    #[test]
    fn a_header_is_read_up_to_its_value() {
        let (mut own, mut expected) = (Credentials::default(), Credentials::default());
        header(&mut own, "https://example.com=X-Key: s3cret=:").unwrap();
        expected.header("https://example.com", "X-Key", "s3cret=:").unwrap();
        assert_eq!(own, expected);
    }

    #[test]
    fn what_is_wrong_is_refused_without_the_value() {
        let mut own = Credentials::default();
        for wrong in [
            "https://example.com",
            "https://example.com=s3cret",
            "=X:s3cret",
            "https://example.com/path=X:s3cret",
            "https://example.com=Range:s3cret",
            "https://example.com=A:s3cret\r\nB: c",
        ] {
            let words = header(&mut own, wrong).unwrap_err();
            assert!(!words.contains("s3cret") && words.starts_with("--header"), "{words}");
        }
        assert!(!token(&mut own, "https://example.com=s3cret").unwrap_err().contains("s3cret"));
        assert!(token(&mut own, "https://example.com=env:NO_SUCH_VARIABLE").unwrap_err().contains("NO_SUCH_VARIABLE"));
        assert_eq!(own, Credentials::default());
    }
}
