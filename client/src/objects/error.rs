//! Errors of the library for object stores.

use std::{borrow::Cow, io};

use object_store::Error;

/// An error of the library, without the queries of URLs, which may have signatures, and without user names and passwords.
pub(super) fn failed(error: Error) -> io::Error {
    let kind = match error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        _ => io::ErrorKind::Other,
    };
    let text = error.to_string();
    io::Error::new(kind, text.split_whitespace().map(without_secrets).collect::<Vec<_>>().join(" "))
}

fn without_secrets(word: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = word.split_once("://") else { return word.into() };
    let rest = rest.split('?').next().unwrap_or_default();
    let authority = rest.split('/').next().unwrap_or_default();
    match authority.rsplit_once('@') {
        Some((secret, _)) => {
            format!("{scheme}://{}", rest.get(secret.len().saturating_add(1)..).unwrap_or_default()).into()
        }
        None => format!("{scheme}://{rest}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_loses_what_may_be_secret() {
        for (word, left) in [
            ("http://a:b@c.example:9/d/e?f=g", "http://c.example:9/d/e"),
            ("(http://a@b@c.example", "(http://c.example"),
            ("https://c.example/d@e?f", "https://c.example/d@e"),
            ("a:b@c?d", "a:b@c?d"),
        ] {
            assert_eq!(without_secrets(word), left);
        }
    }
}
