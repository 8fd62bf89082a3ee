//! Errors of the library for object stores.

use std::{borrow::Cow, error::Error as _, fmt, io, iter};

use object_store::Error;

/// A store needs credentials, and would have to ask the network for them.
#[derive(Debug)]
pub(super) struct NoCredentials;

impl fmt::Display for NoCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "no credentials for the store are in the environment: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, \
             GOOGLE_APPLICATION_CREDENTIALS, or AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, or name the service \
             of the network that has them (docs/sync.md)",
        )
    }
}

impl std::error::Error for NoCredentials {}

/// An error of the library, without the queries of URLs, which may have signatures, and without user names and passwords.
pub(super) fn failed(error: Error) -> io::Error {
    if iter::successors(error.source(), |cause| (*cause).source()).any(<dyn std::error::Error>::is::<NoCredentials>) {
        return io::Error::other(NoCredentials);
    }
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
    use object_store::client::{HttpError, HttpErrorKind};

    use super::*;

    #[test]
    fn what_is_missing_in_the_environment_is_named() {
        let source = HttpError::new(HttpErrorKind::Unknown, NoCredentials);
        let error = failed(Error::Generic { store: "S3", source: Box::new(source) });
        assert!(error.to_string().contains("AWS_SECRET_ACCESS_KEY"), "{error}");
    }

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
