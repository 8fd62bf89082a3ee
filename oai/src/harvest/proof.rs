//! The proof of a harvest: plain values, the same in every language binding.

use alloc::{format, string::String, vec::Vec};

use resourcesync::named_enum;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    moment::Moment,
    notes::Notes,
    plan::{Owed, Start, is_zero},
    task::{Purpose, Task},
};
use crate::{
    page::{DeletedRecord, Identify},
    request::Verb,
    stamp::{Granularity, Stamp},
};

/// Whether a harvest is complete, with all evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    /// `resourcesync-oai-proof`
    pub format: String,
    /// 1
    pub format_version: u32,
    /// Whether every list ended, and nothing contradicts it.
    pub status: Status,
    /// The reasons why it is not complete.
    pub reasons: Notes,
    /// The other notes.
    pub notes: Notes,
    /// The base URL.
    pub base_url: String,
    /// When the run began, in milliseconds since 1970.
    pub started: Moment,
    /// When it ended.
    pub ended: Moment,
    /// The description of the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identify: Option<Facts>,
    /// The lists, in the order in which they were requested.
    pub sequences: Vec<SequenceProof>,
    /// The start of the next harvest, only for complete lists.
    pub next: Vec<Start>,
    /// The treatment of records that are no longer listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reconciled: Vec<Reconciliation>,
    /// The records that are owed: damaged, or listed and not held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owed: Vec<Owed>,
    /// Seconds spent waiting.
    pub waited: u64,
    /// Requests sent.
    pub requests: u64,
    /// When to try again, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<Moment>,
}

named_enum! {
    /// Whether a harvest is complete.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Status {
        /// Every list ended, every page was complete, and no count contradicts it.
        Complete = "complete",
        /// Every list ended, or seems to have ended, but counts, damaged records or the content of pages contradict it.
        Suspect = "suspect",
        /// A list did not end.
        Incomplete = "incomplete",
    }
}

/// The properties of a repository that a harvest depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// SHA-256 of the response.
    pub sha256: String,
    /// `repositoryName`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository_name: Option<String>,
    /// `baseURL`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// `adminEmail`
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub admin_emails: Vec<String>,
    /// The declared granularity, if it could be parsed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granularity: Option<Granularity>,
    /// True if it is spelt as in the protocol: only then dates are sent with seconds.
    pub is_granularity_exact: bool,
    /// The declared `deletedRecord`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_record: Option<DeletedRecord>,
    /// `earliestDatestamp`, if it could be parsed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earliest_datestamp: Option<Stamp>,
    /// `compression`
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compressions: Vec<String>,
    /// The time of the server, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_date: Option<i64>,
}

impl Facts {
    pub(super) fn new(identify: &Identify, sha256: [u8; 32], response_date: Option<i64>) -> Facts {
        let granularity = identify.granularity();
        Facts {
            sha256: hex(&sha256),
            repository_name: identify.repository_name.clone(),
            base_url: identify.base_url.clone(),
            admin_emails: identify.admin_emails.clone(),
            granularity: granularity.map(|(granularity, _)| granularity),
            is_granularity_exact: granularity.is_some_and(|(_, is_exact)| is_exact),
            deleted_record: identify.deletions(),
            earliest_datestamp: identify.earliest_datestamp.as_ref().and_then(|stamp| stamp.stamp),
            compressions: identify.compressions.clone(),
            response_date,
        }
    }

    /// The granularity of dates that may be sent: days, unless seconds are certain.
    pub(super) fn sendable(&self) -> Granularity {
        match self.granularity {
            Some(granularity) if self.is_granularity_exact => granularity,
            _ => Granularity::Day,
        }
    }
}

/// One list, from its first page to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SequenceProof {
    /// What was requested.
    #[serde(flatten)]
    pub task: Task,
    /// `responseDate` of the first page, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_response_date: Option<String>,
    /// How it ended.
    pub ended: Ended,
    /// The number of starts.
    pub attempts: u32,
    /// The largest `completeListSize`: a list that is read while it changes may declare several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<u64>,
    /// Delivered items, including damaged ones.
    pub delivered: u64,
    /// Distinct items among them.
    pub distinct: u64,
    /// Items delivered before.
    pub repeated: u64,
    /// Distinct items that do not belong to the list, and were not stored.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub outside: u64,
    /// Deleted records.
    pub deleted: u64,
    /// Damaged records that were not repaired.
    pub quarantined: u64,
    /// Damaged records that were repaired, within what the plan permits.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repaired: u64,
    /// The pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<PageProof>,
}

/// How a list ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// With an empty token.
    EmptyToken,
    /// It was one page, without a token.
    SinglePage,
    /// With a page without a token, after others.
    NoLastToken,
    /// A token was answered without items and without another token: the list ended there, or it broke off.
    Unproven,
    /// There is nothing to list.
    NoRecordsMatch,
    /// It has no end: a page has the content of an earlier one.
    Loop,
    /// Further pages had no new items.
    NothingNew,
    /// It was abandoned, and requested in smaller intervals instead.
    Windows,
    /// The requested number of records was reached.
    MaxRecords,
    /// It did not end.
    Stopped,
    /// It continues later.
    Later,
}

impl SequenceProof {
    /// Distinct items, and damaged ones without an identifier.
    pub(super) fn different(&self) -> u64 {
        self.delivered.saturating_sub(self.repeated).saturating_add(self.outside)
    }
}

impl Ended {
    /// True if the list ended by itself.
    pub fn is_end(self) -> bool {
        matches!(self, Ended::EmptyToken | Ended::SinglePage | Ended::NoLastToken | Ended::NoRecordsMatch)
    }

    /// True if it ended in a way that is suspect, not incomplete.
    pub(super) fn is_contradicted(self) -> bool {
        matches!(self, Ended::Loop | Ended::NothingNew | Ended::Unproven | Ended::Windows)
    }
}

/// One page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageProof {
    /// Its number in the list.
    pub n: u64,
    /// The beginning of the SHA-256 of the token it was requested with; tokens may contain secrets.
    pub token: Option<String>,
    /// `cursor`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<u64>,
    /// Items, including damaged ones.
    pub records: u64,
    /// Bytes of the response after content decoding.
    pub bytes: u64,
    /// Their SHA-256.
    pub sha256: String,
    /// HTTP status.
    pub status: u16,
    /// The number of requests.
    pub tries: u32,
    /// Milliseconds from the last request to the end of the response.
    pub ms: u64,
}

/// The result of comparing a list of all identifiers with earlier harvests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reconciliation {
    /// The format.
    pub prefix: String,
    /// The set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Only records changed before this second since 1970 were compared.
    pub before: i64,
    /// Records of earlier harvests that are no longer listed.
    pub missing: u64,
    /// Records of earlier harvests in all.
    pub total: u64,
    /// Records that are listed, and that earlier harvests do not have in this version.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lacking: u64,
    /// How many of the missing were requested one by one.
    pub confirmed: u64,
    /// The treatment of the missing records.
    pub action: Action,
}

/// The treatment of records that are no longer listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// There are none.
    Nothing,
    /// They are deleted.
    Delete,
    /// They left the set, but exist.
    LeftSet,
    /// They are too many: nothing is deleted.
    Refused,
    /// One of them exists: the list is wrong, and nothing is deleted.
    Contradicted,
}

/// The marks of a run in the journal, from which a later run restores the state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    /// A complete page; everything before it in the journal counts.
    Page {
        /// The number of the list in the run.
        sequence: u32,
        /// The number of starts.
        attempt: u32,
        /// The digest of what the page lists, in hexadecimal.
        content: String,
        /// The proof of the page.
        proof: PageProof,
    },
    /// The end of a list; its pages are in the marks before.
    Sequence(SequenceProof),
    /// A record that was owed, and is not any more: the repository does not have it, or it left the set.
    Settled {
        /// The format.
        prefix: String,
        /// The identifier.
        identifier: String,
    },
}

impl Proof {
    /// The result of the list with this purpose.
    pub fn of(&self, purpose: Purpose) -> impl Iterator<Item = &SequenceProof> {
        self.sequences.iter().filter(move |sequence| sequence.task.purpose == purpose)
    }

    /// Records delivered by the requested lists, including repetitions.
    pub fn delivered(&self) -> u64 {
        self.of(Purpose::Harvest).fold(0, |sum, sequence| sum.saturating_add(sequence.delivered))
    }

    /// True if lists did not end, and that was not asked for with [`Plan::max_records`](super::Plan::max_records).
    pub fn was_broken_off(&self) -> bool {
        let is_limited = self.sequences.iter().any(|sequence| sequence.ended == Ended::MaxRecords);
        let is_whole = |ended: Ended| ended.is_end() || ended.is_contradicted() || ended == Ended::MaxRecords;
        self.status == Status::Incomplete
            && !(is_limited && self.sequences.iter().all(|sequence| is_whole(sequence.ended)))
    }

    /// True if the records of this format and set are complete.
    pub fn has_ended(&self, prefix: &str, set: Option<&str>) -> bool {
        self.next.iter().any(|next| next.prefix == prefix && next.set.as_deref() == set)
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The beginning of the SHA-256 of a token.
pub(super) fn token_digest(token: &str) -> String {
    hex(Sha256::digest(token.as_bytes()).get(..8).unwrap_or_default())
}

/// A content digest as a mark has it, read back.
pub(super) fn unhex(text: &str) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    for (at, byte) in bytes.iter_mut().enumerate() {
        let from = at.saturating_mul(2);
        *byte = u8::from_str_radix(text.get(from..from.saturating_add(2))?, 16).ok()?;
    }
    (text.len() == 32).then_some(bytes)
}

/// The verbs whose pages belong to a proof.
pub(super) fn is_proven(verb: Verb) -> bool {
    verb.is_list()
}

impl core::fmt::Display for Status {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_read_back() {
        let bytes = [0xAB; 16];
        assert_eq!(unhex(&hex(&bytes)), Some(bytes));
        assert_eq!(unhex("ab"), None);
        assert_eq!(token_digest("").len(), 16);
    }
}
