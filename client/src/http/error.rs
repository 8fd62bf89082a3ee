//! Why a request has no answer.

use std::{fmt, io, time::Duration};

use resourcesync::diagnostic::{Reason, ReasonCode};

/// What kind of thing stood in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The URI cannot be asked: it is not http or https, has no host, or has a user name.
    Uri,
    /// The policy does not allow requests to this host or port.
    Host,
    /// The policy does not allow connections to this address.
    Address,
    /// A redirect from https to http.
    Downgrade,
    /// robots.txt does not allow requests to this path.
    Robots,
    /// It is not in the recording that is replayed.
    NotRecorded,
    /// The host has no address.
    Name,
    /// No connection could be made.
    Connection,
    /// TLS failed: the certificate, most often.
    Tls,
    /// A limit on time was met.
    Time,
    /// Another limit was met.
    Limit,
    /// The connection ended before the answer did.
    Cut,
    /// The answer is not HTTP.
    Protocol,
    /// The redirects lead nowhere.
    Redirect,
    /// The body could not be decoded.
    ContentEncoding,
    /// The status of the answer is no success.
    Status,
    /// The server requests a longer wait than the limit allows.
    Later,
    /// The answer to a range request is not that range.
    Range,
    /// The recording could not be written or read.
    Recording,
    /// The run was cancelled.
    Interrupted,
}

/// Kinds and their names in recordings.
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
    /// A short word for data.
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

/// How much of an answer had been received when it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Received {
    /// Nothing, or not all of the headers.
    Nothing,
    /// The headers.
    Head,
    /// The headers and a part of the body.
    Part,
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What kind of thing stood in the way.
    pub kind: ErrorKind,
    /// What went wrong, for the report.
    pub reason: Reason,
    /// How much of the answer had been received.
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

    /// The same, when this much had been received.
    pub(super) fn after(self, received: Received) -> Error {
        Error { received, ..self }
    }

    /// The same, where another try may help, after this time if the server requests it.
    pub(super) fn temporary(self, retry_after: Option<Duration>) -> Error {
        Error { is_temporary: true, retry_after, ..self }
    }

    /// The error that reading a body failed with, if it is one of ours.
    #[must_use]
    pub fn of(error: &io::Error) -> Option<&Error> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }

    /// True if the request was not sent because a rule forbids it; false if it failed on the way.
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

    /// True if another try may help.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.is_temporary
    }

    /// How long the server requests to wait before another try.
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
