//! The response to one request, before redirects and content codings.

use std::fmt;

use super::super::body::Raw;

/// Header fields in order, with names in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    pub(in crate::http) fn new(headers: Vec<(String, String)>) -> Headers {
        Headers(headers)
    }

    /// The first value of this name, in lower case.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All values of this name, in lower case.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.iter().filter(move |(own, _)| *own == name).map(|(_, value)| value)
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Status, headers and body.
pub(in crate::http) struct Answer {
    pub(in crate::http) status: u16,
    pub(in crate::http) headers: Headers,
    pub(in crate::http) raw: Box<dyn Raw>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("status", &self.status).field("headers", &self.headers).finish_non_exhaustive()
    }
}
