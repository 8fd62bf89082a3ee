//! The reasons why a list was restarted or did not end, rendered in each language.

use alloc::string::String;

use resourcesync::diagnostic::Reason;

use crate::{
    catalogue::Code,
    note::Note,
    page::{Cut, OaiError},
};

/// A reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Why {
    /// An HTTP status.
    Status(u16),
    /// A redirect without `Location`.
    Redirect(u16),
    /// An empty body, which may have used up the token.
    EmptyResponse,
    /// `badResumptionToken`
    BadToken,
    /// The server keeps the position itself, and a response was lost.
    Position,
    /// The token has expired before it was sent.
    ExpiredToken,
    /// An OAI-PMH error.
    OaiError(OaiError),
    /// A token was answered without items and without another token.
    NothingLeft,
    /// A page that did not end, and what is wrong with it.
    CutPage(Cut),
    /// What the response is instead of OAI-PMH.
    NotOai(String),
    /// A response to this request instead.
    OtherVerb(&'static str),
    /// The connection failed, and how.
    Connection(Reason),
    /// Too many timeouts.
    Timeouts,
    /// Too many server errors.
    ServerErrors,
    /// The server requested a wait during another harvest from this host.
    HostWaits,
    /// These formats are not offered; those are.
    NotOffered(String, String),
    /// `GetRecord` returned another record, or none.
    NoSuchRecord,
    /// The wait before the next try, in seconds, is longer than allowed.
    LongWait(u64),
}

/// All names, for the table of texts.
#[cfg(test)]
pub(crate) const WHYS: &[&str] = &[
    "status",
    "redirect-without-location",
    "empty-response",
    "bad-token",
    "lost-position",
    "expired-token",
    "oai-error",
    "nothing-left",
    "cut-page",
    "not-oai-pmh",
    "other-verb",
    "connection",
    "timeouts",
    "server-errors",
    "host-waits",
    "format-not-offered",
    "no-such-record",
    "long-wait",
];

impl Why {
    fn word(&self) -> &'static str {
        match self {
            Why::Status(_) => "status",
            Why::Redirect(_) => "redirect-without-location",
            Why::EmptyResponse => "empty-response",
            Why::BadToken => "bad-token",
            Why::Position => "lost-position",
            Why::ExpiredToken => "expired-token",
            Why::OaiError(_) => "oai-error",
            Why::NothingLeft => "nothing-left",
            Why::CutPage(_) => "cut-page",
            Why::NotOai(_) => "not-oai-pmh",
            Why::OtherVerb(_) => "other-verb",
            Why::Connection(_) => "connection",
            Why::Timeouts => "timeouts",
            Why::ServerErrors => "server-errors",
            Why::HostWaits => "host-waits",
            Why::NotOffered(..) => "format-not-offered",
            Why::NoSuchRecord => "no-such-record",
            Why::LongWait(_) => "long-wait",
        }
    }

    /// A note with this reason.
    pub(super) fn note(&self, code: Code) -> Note {
        let note = Note::new(code).arg("why", self.word());
        match self {
            Why::Status(status) | Why::Redirect(status) => note.arg("status", u64::from(*status)),
            Why::OaiError(error) => note.arg("detail", error.in_one_line()),
            Why::CutPage(cut) => note.arg("detail", cut.reason()),
            Why::NotOai(detail) => note.arg("detail", detail.as_str()),
            Why::Connection(reason) => note.arg("reason", reason.clone()),
            Why::LongWait(seconds) => note.arg("seconds", *seconds),
            Why::OtherVerb(verb) => note.arg("detail", *verb),
            Why::NotOffered(missing, offered) => note.arg("detail", missing.as_str()).arg("offered", offered.as_str()),
            Why::EmptyResponse
            | Why::BadToken
            | Why::Position
            | Why::ExpiredToken
            | Why::NothingLeft
            | Why::Timeouts
            | Why::ServerErrors
            | Why::HostWaits
            | Why::NoSuchRecord => note,
        }
    }
}
