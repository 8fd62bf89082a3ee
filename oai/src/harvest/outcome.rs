//! Classifies a response to a request of a list.

use alloc::string::{String, ToString};

use super::answer::Answered;
use crate::{
    note::Note,
    page::{Cut, Ending, ErrorCode, OaiError, Sniffed, SniffedKind},
    request::Verb,
};

/// The meaning of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A complete page of the right verb.
    Page,
    /// `noRecordsMatch`: the list is empty, or has ended. Also `noSetHierarchy` for `ListSets`.
    Nothing,
    /// `badResumptionToken`.
    BadToken,
    /// `badArgument`, or `badGranularity` as OAI-PMH 1 had it.
    BadArgument(OaiError),
    /// Another OAI-PMH error.
    Refused(OaiError),
    /// 503 or 429.
    Unavailable { status: u16, retry_after: Option<u64> },
    /// 500, 502, 504, or 408.
    ServerError(u16),
    /// 413: the list is too long.
    TooLarge,
    /// 401, 403, 404, 410, and other statuses that should not be retried.
    Denied(u16),
    /// A redirect without a valid target.
    Redirect(u16),
    /// No body.
    EmptyBody,
    /// A truncated page.
    Cut(Cut),
    /// A page over a limit.
    Limit(Note),
    /// Something other than a page.
    NotOai(String),
    /// A page of another verb.
    OtherVerb(Option<Verb>),
}

impl Answered {
    /// True for a page of a list without items and without a token.
    pub(super) fn is_bare(&self) -> bool {
        self.items == 0 && self.outside.is_empty() && self.token.is_none()
    }

    /// The meaning of a response to this verb.
    pub(super) fn outcome(&self, verb: Verb) -> Outcome {
        let status = self.head.status;
        if matches!(status, 429 | 503) {
            return Outcome::Unavailable { status, retry_after: self.retry_after };
        }
        match &self.ending {
            // An OAI-PMH body takes precedence over the status.
            Some(Ending::Whole { .. }) => self.page_outcome(verb),
            _ if status >= 300 => match status {
                301 | 302 | 303 | 307 | 308 => Outcome::Redirect(status),
                408 | 500 | 502 | 504 => Outcome::ServerError(status),
                413 => Outcome::TooLarge,
                _ => Outcome::Denied(status),
            },
            Some(Ending::Cut(_)) if self.limit.is_some() => {
                self.limit.clone().map_or(Outcome::EmptyBody, Outcome::Limit)
            }
            Some(Ending::Cut(cut)) => Outcome::Cut(Cut::clone(cut)),
            Some(Ending::NotOai(Sniffed { kind: SniffedKind::Empty, .. })) | None => Outcome::EmptyBody,
            Some(Ending::NotOai(sniffed)) => Outcome::NotOai(sniffed.kind.as_str().to_string()),
        }
    }

    fn page_outcome(&self, verb: Verb) -> Outcome {
        let harmless = |code: &ErrorCode| match code {
            ErrorCode::NoRecordsMatch => true,
            ErrorCode::NoSetHierarchy => verb == Verb::ListSets,
            _ => false,
        };
        match self.page.verb {
            // An error after some items says that the list broke off.
            Some(own) if own == verb && self.errors.iter().all(|error| harmless(&error.code)) => return Outcome::Page,
            Some(own) if own != verb => return Outcome::OtherVerb(Some(own)),
            // The error stands before items, which contradict it.
            None if self.items > 0
                && !self.errors.is_empty()
                && self.errors.iter().all(|error| harmless(&error.code)) =>
            {
                return Outcome::Page;
            }
            _ => {}
        }
        let has = |code: &ErrorCode| self.errors.iter().any(|error| error.code == *code);
        // The most severe one decides.
        if has(&ErrorCode::BadResumptionToken) {
            return Outcome::BadToken;
        }
        let bad =
            self.errors.iter().find(|error| matches!(error.code, ErrorCode::BadArgument | ErrorCode::BadGranularity));
        match (bad, self.errors.iter().find(|error| !harmless(&error.code))) {
            (Some(bad), _) => Outcome::BadArgument(bad.clone()),
            (None, Some(other)) => Outcome::Refused(other.clone()),
            (None, None) if self.errors.is_empty() => Outcome::OtherVerb(None),
            (None, None) => Outcome::Nothing,
        }
    }
}
