//! A request as it is sent.

use alloc::string::String;

/// A request to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its number.
    pub id: u64,
    /// Its name in the report.
    pub name: String,
    /// The URL.
    pub url: String,
    /// The body, `application/x-www-form-urlencoded`, of POST; none for GET.
    pub form: Option<String>,
    /// True if no content coding is accepted, only `identity`.
    pub identity: bool,
}
