//! Errors of the library for object stores.

use std::{borrow::Cow, error::Error as _, fmt, io, iter};

use object_store::Error;

/// Why a request to a store is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The store needs credentials, and would have to ask the network for them.
    NoCredentials,
    /// The store has no TLS.
    NoTls,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NoCredentials => {
                "no credentials for the store are in the environment: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, \
                 GOOGLE_APPLICATION_CREDENTIALS, or AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, or name the service \
                 of the network that has them (docs/sync.md)"
            }
            Refusal::NoTls => {
                "the store is not reached by TLS, and so credentials are not sent to it: use https, or set AWS_ALLOW_HTTP=true (AZURE_ALLOW_HTTP=true)"
            }
        })
    }
}

impl std::error::Error for Refusal {}

/// An error of the library, without the queries of URLs, which may have signatures, and without user names and passwords.
pub(super) fn failed(error: Error) -> io::Error {
    let mut causes = iter::successors(error.source(), |cause| (*cause).source());
    if let Some(refusal) = causes.find_map(|cause| cause.downcast_ref::<Refusal>()) {
        return io::Error::other(*refusal);
    }
    let kind = match error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        _ => io::ErrorKind::Other,
    };
    let text = essence(&error.to_string());
    io::Error::new(kind, text.split_whitespace().map(without_secrets).collect::<Vec<_>>().join(" "))
}

/// The text of an error, the answer first, and of its body only the code and the message: services repeat tokens in other elements.
fn essence(text: &str) -> String {
    let (head, body) = text.split_at(text.find('<').unwrap_or(text.len()));
    let element = |name: &str| {
        let (_, rest) = body.split_once(&format!("<{name}>"))?;
        rest.split_once(&format!("</{name}>")).map(|(content, _)| content)
    };
    let of_body: Vec<&str> = ["Code", "Message"].into_iter().filter_map(element).collect();
    // A name of an object may have these words, too.
    let is_time = |at: &usize| {
        head.get(at.saturating_add(4)..).is_some_and(|rest| rest.starts_with(|own: char| own.is_ascii_digit()))
    };
    let answered = head.find(" - Server returned ").or_else(|| head.rfind(" - "));
    let attempts = answered.and_then(|answered| {
        let begun = head.get(..answered)?.rmatch_indices(" in ").map(|(at, _)| at).find(is_time)?;
        Some((head.get(..begun)?, head.get(answered.saturating_add(3)..)?))
    });
    match attempts {
        Some((request, answer)) => {
            let answer = match answer.trim_start().split_once(": ") {
                Some(("Server returned non-2xx status code", answer)) => {
                    let status = answer.split_once(": ").map_or(answer, |(status, _)| status);
                    [&[status][..], &of_body].concat().join(": ")
                }
                Some(("Server returned error response", _)) => of_body.join(": "),
                _ => format!("{}{}", answer.trim_start(), of_body.join(": ")),
            };
            format!("{answer} ({request})")
        }
        None => format!("{head}{}", of_body.join(": ")),
    }
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
        let source = HttpError::new(HttpErrorKind::Unknown, Refusal::NoCredentials);
        let error = failed(Error::Generic { store: "S3", source: Box::new(source) });
        assert!(error.to_string().contains("AWS_SECRET_ACCESS_KEY"), "{error}");
    }

    #[test]
    fn of_a_response_the_code_and_the_message_are_left() {
        let request = "Generic S3 error: Error performing PUT http://a.example/b";
        let answer = "Server returned non-2xx status code: 403 Forbidden: <?xml version=\"1.0\"?><Error><Code>ExpiredToken</Code>\
                      <Message>It expired.</Message><Token-0>secret</Token-0></Error>";
        for attempts in ["2.1ms", "2.1ms, after 3 retries, max_retries: 10, retry_timeout: 180s "] {
            let found = essence(&format!("{request} in {attempts} - {answer}"));
            assert_eq!(found, format!("403 Forbidden: ExpiredToken: It expired. ({request})"));
        }
        let other = "Server returned non-2xx status code: 403 Forbidden: {\"error\": {\"token\": \"secret\"}}";
        assert_eq!(essence(&format!("{request} in 1ms - {other}")), format!("403 Forbidden ({request})"));
        assert_eq!(
            essence(&format!("{request} in 1ms - HTTP error: io: Connection refused")),
            format!("HTTP error: io: Connection refused ({request})")
        );
        for name in ["q in x", "q in 1 x", "a - b"] {
            let found = essence(&format!("Error performing PUT {name} in 1ms - {other}"));
            assert_eq!(found, format!("403 Forbidden (Error performing PUT {name})"));
        }
        assert_eq!(essence("a - b in c"), "a - b in c");
        assert_eq!(essence("a <Token-0>secret</Token-0>"), "a ");
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
