//! The head of a response.

use alloc::{string::String, vec::Vec};

use resourcesync::value::http_date;
use serde::Deserialize;

/// The head of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The URI after redirects.
    pub uri: String,
    /// The status.
    pub status: u16,
    /// The header fields.
    pub headers: Vec<(String, String)>,
}

impl Head {
    /// Seconds until the response expires (RFC 9111 §4.2.1), if the server states it.
    pub(crate) fn fresh_for(&self) -> Option<u64> {
        let control = self.header("cache-control").unwrap_or_default().to_ascii_lowercase();
        let directives = || control.split(',').map(str::trim_ascii);
        if directives().any(|directive| directive == "no-store" || directive.starts_with("no-cache")) {
            return None;
        }
        let age: u64 = self.header("age").and_then(|age| age.parse().ok()).unwrap_or(0);
        let most =
            directives().find_map(|directive| directive.strip_prefix("max-age=")?.trim_matches('"').parse().ok());
        let expires = || {
            let (end, sent) = (http_date(self.header("expires")?)?, http_date(self.header("date")?)?);
            u64::try_from(end.saturating_sub(sent)).ok()
        };
        most.or_else(expires).map(|seconds| seconds.saturating_sub(age))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim_ascii())
    }
}
