//! One request, without redirects and retries, and the body of a response without one.

use super::super::{body::Raw, error::Error, request::Method, url::Url};

/// One request, without redirects and retries.
#[derive(Debug)]
pub(in crate::http) struct Hop<'a> {
    pub(in crate::http) method: Method,
    pub(in crate::http) target: &'a Url,
    /// The caller's header fields.
    pub(in crate::http) headers: Vec<(String, String)>,
    /// The content codings that are accepted.
    pub(in crate::http) accept: &'a str,
    /// The value of `Range`.
    pub(in crate::http) range: Option<String>,
    pub(in crate::http) if_range: Option<&'a str>,
    /// Name and value of the conditional header field.
    pub(in crate::http) condition: Option<(String, String)>,
    /// The body of a POST.
    pub(in crate::http) body: &'a [u8],
}

/// An empty body.
pub(in crate::http) struct Empty;

impl Raw for Empty {
    fn next(&mut self, _: &mut [u8]) -> Result<usize, Error> {
        Ok(0)
    }
}
