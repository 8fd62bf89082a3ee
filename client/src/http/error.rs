//! Why a request has no response.

use std::{fmt, io, time::Duration};

use resourcesync::diagnostic::{Reason, ReasonCode};

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The URI cannot be requested: it is not http or https, has no host, or contains a user name.
    Uri,
    /// The policy does not allow requests to this host or port.
    Host,
    /// The policy does not allow connections to this address.
    Address,
    /// A redirect from https to http.
    Downgrade,
    /// robots.txt does not allow requests to this path.
    Robots,
    /// The recording does not have the response.
    NotRecorded,
    /// The host name has no address.
    Name,
    /// No connection could be made.
    Connection,
    /// TLS failed, most often because of the certificate.
    Tls,
    /// A limit on time was exceeded.
    Time,
    /// Another limit was exceeded.
    Limit,
    /// The connection ended before the response did.
    Cut,
    /// The response is not HTTP.
    Protocol,
    /// The redirects loop, are too many, or have no valid target.
    Redirect,
    /// The body could not be decoded.
    ContentEncoding,
    /// The status is not that of success.
    Status,
    /// The server requests a longer wait than the limit allows.
    Later,
    /// The response to a range request is not that range.
    Range,
    /// The recording could not be written or read.
    Recording,
    /// The run was cancelled.
    Interrupted,
}

/// Pairs of a kind and its name in recordings.
const NAMES: &[(ErrorKind, &str)] = &[
    (ErrorKind::Uri, "uri"),
    (ErrorKind::Host, "host"),
    (ErrorKind::Address, "address"),
    (ErrorKind::Downgrade, "downgrade"),
    (ErrorKind::Robots, "robots"),
    (ErrorKind::NotRecorded, "not-recorded"),
    (ErrorKind::Name, "name"),
    (ErrorKind::Connection, "connection"),
    (ErrorKind::Tls, "tls"),
    (ErrorKind::Time, "time"),
    (ErrorKind::Limit, "limit"),
    (ErrorKind::Cut, "cut"),
    (ErrorKind::Protocol, "protocol"),
    (ErrorKind::Redirect, "redirect"),
    (ErrorKind::ContentEncoding, "content-encoding"),
    (ErrorKind::Status, "status"),
    (ErrorKind::Later, "later"),
    (ErrorKind::Range, "range"),
    (ErrorKind::Recording, "recording"),
    (ErrorKind::Interrupted, "interrupted"),
];

impl ErrorKind {
    /// Its name in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<ErrorKind> {
        NAMES.iter().find(|(_, own)| *own == name).map(|(kind, _)| *kind)
    }
}

/// The part of a response that was received before it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Received {
    /// Nothing, or not all of the headers.
    Nothing,
    /// The headers.
    Head,
    /// The headers and a part of the body.
    Part,
}

/// Why a request has no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The kind of an error.
    pub kind: ErrorKind,
    /// The reason, for the report.
    pub reason: Reason,
    /// The part of the response that was received.
    pub received: Received,
    is_temporary: bool,
    retry_after: Option<Duration>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, reason: Reason) -> Error {
        let is_temporary = matches!(kind, ErrorKind::Connection | ErrorKind::Cut | ErrorKind::Time);
        Error { kind, reason, received: Received::Nothing, is_temporary, retry_after: None }
    }

    pub(crate) fn interrupted() -> Error {
        Error::new(ErrorKind::Interrupted, Reason::new(ReasonCode::Interrupted))
    }

    /// Sets the part that was received.
    pub(super) fn after(self, received: Received) -> Error {
        Error { received, ..self }
    }

    /// Marks the error as temporary, with the wait that the server requests, if any.
    pub(super) fn temporary(self, retry_after: Option<Duration>) -> Error {
        Error { is_temporary: true, retry_after, ..self }
    }

    /// The error of this type inside an error of reading a body.
    #[must_use]
    pub fn of(error: &io::Error) -> Option<&Error> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }

    /// True if the policy or the recording does not allow this request, whatever the server would respond: a crawl calls it skipped. Repeating
    /// it fails again until the user allows it.
    ///
    /// False for every other error, also for those met before anything was sent, such as an unknown host name or a connect timeout, and for
    /// exceeded limits: they depend on the network or the server, and a crawl calls them failed. Whether a response began is
    /// [`Error::received`].
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(
            self.kind,
            ErrorKind::Uri
                | ErrorKind::Host
                | ErrorKind::Address
                | ErrorKind::Downgrade
                | ErrorKind::Robots
                | ErrorKind::NotRecorded
        )
    }

    /// True if a retry may succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.is_temporary
    }

    /// The wait that the server requests before a retry.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for (kind, name) in NAMES {
            assert_eq!((ErrorKind::find(name), kind.as_str()), (Some(*kind), *name));
        }
    }
}
