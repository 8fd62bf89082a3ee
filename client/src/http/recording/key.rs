//! What identifies a recorded exchange, and how it ended.

use resourcesync::{api::Digester, value::Algorithm};
use serde::{Deserialize, Serialize};

use resourcesync::diagnostic::Reason;

use super::super::{
    error::{Error, ErrorKind},
    request::Method,
    transport::Hop,
};

/// The key of an exchange: requests with equal keys have the same response.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct Key {
    method: String,
    uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    range: Option<String>,
    /// True if no content coding was accepted.
    #[serde(default, skip_serializing_if = "is_false")]
    plain: bool,
    /// The accepted content codings, unless gzip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coding: Option<String>,
    /// Name and value of the conditional header field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    condition: Option<(String, String)>,
    /// The SHA-256 of the body of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_body: Option<String>,
    /// The SHA-256 of the caller's header fields, except those with credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_headers: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Header fields that may contain credentials. Not even their digest is written.
const PRIVATE: &[&str] = &["authorization", "cookie", "proxy-authorization"];

impl Key {
    /// The key of a request without anything special, as other programs record it.
    pub(super) fn plain(method: String, uri: String, range: Option<String>) -> Key {
        Key {
            method,
            uri,
            range,
            plain: false,
            coding: None,
            condition: None,
            request_body: None,
            request_headers: None,
        }
    }

    pub(super) fn method(&self) -> &str {
        &self.method
    }

    pub(super) fn uri(&self) -> &str {
        &self.uri
    }

    pub(in crate::http) fn of(hop: &Hop<'_>) -> Key {
        let plain = hop.accept == "identity";
        let fields = hop.headers.iter().filter(|(name, _)| !PRIVATE.contains(&name.as_str()));
        let mut fields: Vec<String> = fields.map(|(name, value)| format!("{name}: {value}\n")).collect();
        fields.sort();
        Key {
            method: hop.method.as_str().to_owned(),
            uri: hop.target.uri.clone(),
            range: hop.range.clone(),
            plain,
            coding: (!plain && hop.accept != "gzip").then(|| hop.accept.to_owned()),
            condition: hop.condition.clone(),
            request_body: (hop.method == Method::Post).then(|| digest(hop.body)),
            request_headers: (!fields.is_empty()).then(|| digest(fields.concat().as_bytes())),
        }
    }

    /// True if a whole response was requested, without a range or a condition.
    pub(super) fn is_whole(&self) -> bool {
        self.method == "GET" && self.range.is_none() && self.condition.is_none()
    }
}

fn digest(bytes: &[u8]) -> String {
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(bytes);
    digester.finish().to_string()
}

/// How an exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum End {
    /// At the end of the body.
    Whole,
    /// The rest of the body was not read.
    Enough,
    /// With an error.
    Failed,
}

/// An error in a recording.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RecordedError {
    kind: String,
    /// The reason: a text, or a code with arguments.
    message: Reason,
}

impl RecordedError {
    pub(super) fn of(error: &Error) -> RecordedError {
        RecordedError { kind: error.kind.as_str().to_owned(), message: error.reason.clone() }
    }

    pub(super) fn error(&self) -> Option<Error> {
        Some(Error::new(ErrorKind::find(&self.kind)?, self.message.clone()))
    }
}
