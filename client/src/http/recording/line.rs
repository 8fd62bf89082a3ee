//! The lines of a recording.

use serde::{Deserialize, Serialize};

use super::super::error::{Kind, Problem};

/// The name of the form.
pub(super) const FORMAT: &str = "resourcesync-recording";
/// Its version.
pub(super) const VERSION: u64 = 1;
/// Bytes of the longest line that is read: headers at their limit, or a window in base64.
pub(super) const LINE: u64 = 4 << 20;

/// What was asked: one of these has one answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in crate::http) struct Key {
    method: String,
    uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    range: Option<String>,
    /// True if it was not to be packed.
    #[serde(default, skip_serializing_if = "is_false")]
    plain: bool,
    /// The content codings that were accepted, where that is not gzip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coding: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Key {
    pub(in crate::http) fn new(method: &str, uri: &str, range: Option<&str>, accepts: &str) -> Key {
        let plain = accepts == "identity";
        let coding = (!plain && accepts != "gzip").then(|| accepts.to_owned());
        Key { method: method.to_owned(), uri: uri.to_owned(), range: range.map(str::to_owned), plain, coding }
    }

    /// True if the whole of something was asked for.
    pub(super) fn is_whole(&self) -> bool {
        self.method == "GET" && self.range.is_none()
    }
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Form {
    pub(super) format: String,
    pub(super) format_version: u64,
}

impl Form {
    pub(super) fn new() -> Form {
        Form { format: FORMAT.to_owned(), format_version: VERSION }
    }
}

/// Every other line.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Line {
    /// The number of its exchange.
    pub(super) id: u64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<Key>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) headers: Vec<(String, String)>,
    /// A window of the body as it came, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<End>,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<Words>,
}

/// How an exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum End {
    /// With the end of the body.
    Whole,
    /// The rest of the body was not wanted.
    Enough,
    /// With a problem.
    Failed,
}

/// A problem as it is written.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Words {
    kind: String,
    words: String,
}

impl Words {
    pub(super) fn of(problem: &Problem) -> Words {
        Words { kind: problem.kind.as_str().to_owned(), words: problem.words.clone() }
    }

    pub(super) fn problem(&self) -> Option<Problem> {
        Some(Problem::new(Kind::find(&self.kind)?, self.words.clone()))
    }
}
