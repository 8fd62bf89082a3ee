//! Why a request has no answer.

use std::fmt;

/// What kind of thing stood in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The URI cannot be asked: it is not http or https, has no host, or says a user name.
    Uri,
    /// The policy does not let this host or port be asked.
    Place,
    /// The policy does not let this address be connected to.
    Address,
    /// A redirect from https to http.
    Downgrade,
    /// robots.txt does not let this path be asked.
    Robots,
    /// It is not in the recording that is replayed.
    NotRecorded,
    /// The host has no address.
    Name,
    /// No connection came about.
    Connection,
    /// TLS failed: the certificate, most often.
    Tls,
    /// A limit on time was met.
    Time,
    /// Another limit was met.
    Limit,
    /// The connection ended before the answer did.
    Cut,
    /// What came is not HTTP.
    Protocol,
    /// The redirects lead nowhere.
    Redirect,
    /// What came could not be unpacked.
    Packing,
    /// The server answers with a status that is no success.
    Status,
    /// The server asks to come back later than we wait.
    Later,
    /// A stretch was asked for, and what came is not it.
    Range,
    /// The recording could not be written or read.
    Recording,
    /// The user wants the run to stop.
    Interrupted,
}

/// Kinds and their names in recordings.
const NAMES: &[(Kind, &str)] = &[
    (Kind::Uri, "uri"),
    (Kind::Place, "place"),
    (Kind::Address, "address"),
    (Kind::Downgrade, "downgrade"),
    (Kind::Robots, "robots"),
    (Kind::NotRecorded, "not-recorded"),
    (Kind::Name, "name"),
    (Kind::Connection, "connection"),
    (Kind::Tls, "tls"),
    (Kind::Time, "time"),
    (Kind::Limit, "limit"),
    (Kind::Cut, "cut"),
    (Kind::Protocol, "protocol"),
    (Kind::Redirect, "redirect"),
    (Kind::Packing, "packing"),
    (Kind::Status, "status"),
    (Kind::Later, "later"),
    (Kind::Range, "range"),
    (Kind::Recording, "recording"),
    (Kind::Interrupted, "interrupted"),
];

impl Kind {
    /// A short word for data.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Kind> {
        NAMES.iter().find(|(_, own)| *own == name).map(|(kind, _)| *kind)
    }
}

/// Why a request has no answer, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of thing stood in the way.
    pub kind: Kind,
    /// The reason, in one line.
    pub words: String,
}

impl Problem {
    pub(crate) fn new(kind: Kind, words: impl Into<String>) -> Problem {
        Problem { kind, words: words.into() }
    }

    pub(crate) fn interrupted() -> Problem {
        Problem::new(Kind::Interrupted, "the run was interrupted")
    }

    /// True if we did not want to ask, or to go on asking; false if it went wrong on the way.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(
            self.kind,
            Kind::Uri | Kind::Place | Kind::Address | Kind::Downgrade | Kind::Robots | Kind::NotRecorded
        )
    }

    /// True if asking again may help.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(self.kind, Kind::Connection | Kind::Cut | Kind::Time)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for (kind, name) in NAMES {
            assert_eq!((Kind::find(name), kind.as_str()), (Some(*kind), *name));
        }
    }
}
