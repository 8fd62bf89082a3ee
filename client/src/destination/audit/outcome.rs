//! The result of an audit.

use resourcesync::diagnostic::{Arg, Reason};
use resourcesync_sync::{
    audit::Sign,
    chain::{Followed, FollowedSets, State},
    report::{Document, DocumentStatus, Finding, Seen, Tool},
    survey::{Findings, Read},
};
use serde::Serialize;

use crate::destination::clock::now;

/// The name of the format.
const FORMAT: &str = "resourcesync-audit-report";

/// The outcome of an audit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditOutcome {
    /// There is no difference.
    Equal,
    /// There are differences.
    Different,
    /// No difference was found, and something could not be compared.
    #[default]
    Undetermined,
}

/// A resource that is not as it should be, or could not be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The resource.
    pub uri: String,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The result.
    pub sign: Sign,
    /// Why a file or a resource could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
    /// The listed values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Seen>,
    /// The values of the copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<Seen>,
}

impl Difference {
    pub(super) fn new(uri: String, path: Option<String>, sign: Sign) -> Difference {
        Difference { uri, path, sign, cause: None, expected: None, actual: None }
    }
}

/// Numbers of resources with each result but "equal", and of foreign files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditCounts {
    /// Listed, and the file is missing or was never stored.
    pub missing: u64,
    /// Listed, and no run could store it.
    pub debts: u64,
    /// Stored, and not listed.
    pub extra: u64,
    /// The Source lists another state.
    pub behind: u64,
    /// The original that the Source names has other bytes.
    pub diverged: u64,
    /// The file has other bytes than those that were verified.
    pub damaged: u64,
    /// Nothing is listed to compare by.
    pub unverifiable: u64,
    /// The file could not be read.
    pub unreadable: u64,
    /// Held or listed, and not selected.
    pub skipped: u64,
    /// Files in the folder that are not of the copy.
    pub foreign: u64,
}

impl AuditCounts {
    pub(super) fn add(&mut self, sign: Sign) {
        let count = match sign {
            Sign::Equal => return,
            Sign::Missing => &mut self.missing,
            Sign::Debt => &mut self.debts,
            Sign::Extra => &mut self.extra,
            Sign::Behind => &mut self.behind,
            Sign::Diverged => &mut self.diverged,
            Sign::Damaged => &mut self.damaged,
            Sign::Unverifiable => &mut self.unverifiable,
            Sign::Unreadable => &mut self.unreadable,
        };
        *count = count.saturating_add(1);
    }

    /// The number of differences.
    pub fn different(&self) -> u64 {
        [self.missing, self.debts, self.extra, self.behind, self.diverged, self.damaged]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}

/// What wrote a report, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditHead {
    /// `resourcesync-audit-report`.
    pub format: &'static str,
    /// 1.
    pub format_version: u32,
    /// The tool.
    pub tool: Tool,
    /// When it began.
    pub started: String,
    /// When it ended.
    pub ended: String,
}

/// The resources by result, and the foreign files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    /// Number of resources without a difference.
    pub equal: u64,
    /// Number of resources that were compared with the originals that `via` links name, if that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub originals: Option<u64>,
    /// Numbers of the others.
    pub counts: AuditCounts,
    /// Resources with differences, and those that could not be compared.
    pub differences: Vec<Difference>,
    /// The number of those that are not in the list.
    pub left_out: u64,
    /// Files that are not of the copy, if their names are wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<String>,
}

impl Compared {
    /// Keeps the first of the listed ones.
    pub fn shorten(&mut self, most: usize) {
        let more = self.differences.len().saturating_sub(most);
        self.differences.truncate(most);
        self.left_out = self.left_out.saturating_add(more as u64);
    }

    /// Counts a resource, and lists it if it differs and there is room.
    pub(super) fn add(&mut self, sign: Sign, most: usize, difference: impl FnOnce() -> Difference) {
        self.counts.add(sign);
        if sign == Sign::Equal {
            self.equal = self.equal.saturating_add(1);
        } else if self.differences.len() < most {
            self.differences.push(difference());
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
    }
}

/// The result of an audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Audit {
    /// What wrote it.
    #[serde(flatten)]
    pub head: AuditHead,
    /// Its outcome.
    pub outcome: AuditOutcome,
    /// False if it was stopped.
    pub completed: bool,
    /// The Source.
    pub source: String,
    /// True if the copy was compared with the Source, not only with its own state.
    pub online: bool,
    /// The moment of the newest list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// The documents that were read.
    pub documents: Vec<Document>,
    /// The results.
    #[serde(flatten)]
    pub compared: Compared,
    /// Findings about the documents.
    pub diagnostics: Vec<Finding>,
    /// False if a list was not read to its end, or is not of one snapshot.
    #[serde(skip)]
    pub(super) is_whole: bool,
    /// False if the changes since the lists are not known: what differs from a list may be newer than it.
    #[serde(skip)]
    pub(super) is_newest: bool,
}

impl Audit {
    pub(super) fn new(source: &str, online: bool) -> Audit {
        Audit {
            head: AuditHead {
                format: FORMAT,
                format_version: 1,
                tool: Tool { name: "resourcesync".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
                started: now(),
                ended: String::new(),
            },
            outcome: AuditOutcome::Undetermined,
            completed: true,
            source: source.to_owned(),
            online,
            as_of: None,
            documents: Vec::new(),
            compared: Compared::default(),
            diagnostics: Vec::new(),
            is_whole: true,
            is_newest: true,
        }
    }

    /// Ends at once, since the state cannot be used.
    pub(super) fn without_state(mut self, why: &str) -> Audit {
        self.find("SYN-11", [("reason", Reason::other(why.to_owned()).into())]);
        self.is_whole = false;
        self.finish(false)
    }

    /// Begins the comparison with lists and the changes since, again if they changed.
    pub(super) fn clear(&mut self, found: Option<(&Findings, Option<&FollowedSets>)>) {
        self.compared = Compared { originals: self.compared.originals.map(|_| 0), ..Compared::default() };
        self.diagnostics.clear();
        let Some((found, followed)) = found else { return };
        self.documents = documents(&found.documents);
        self.as_of = found.remembered.as_of().map(str::to_owned);
        // A member of another snapshot may be an old one.
        self.is_newest = found.mixed.is_none();
        self.is_whole = found.lists_complete && found.mixed.is_none() && found.unreadable_entries == 0;
        self.note_unread(&found.documents);
        found.ahead.iter().for_each(|(uri, at)| self.note_ahead(uri, at));
        if let Some(index) = &found.mixed {
            self.find("SYN-05", [("uri", index.as_str().into())]);
        }
        if found.unreadable_entries > 0 {
            self.find("SYN-17", [("n", found.unreadable_entries.into())]);
        }
        self.note_older(&found.older);
        if let Some(followed) = followed {
            self.note_changes(followed);
        }
    }

    fn note_unread(&mut self, documents: &[Read]) {
        for read in documents {
            if let Some(why) = &read.unread {
                self.find("SYN-16", [("uri", read.uri.as_str().into()), ("reason", why.clone().into())]);
            }
        }
    }

    fn note_older(&mut self, older: &[(String, String, String)]) {
        for (uri, at, seen) in older {
            self.find(
                "SYN-02",
                [("uri", uri.as_str().into()), ("at", at.as_str().into()), ("seen", seen.as_str().into())],
            );
        }
    }

    fn note_ahead(&mut self, uri: &str, at: &str) {
        self.find("SYN-03", [("uri", uri.into()), ("at", at.into())]);
    }

    fn note_changes(&mut self, followed: &FollowedSets) {
        let unreadable_entries = followed.unreadable_entries();
        if unreadable_entries > 0 {
            self.find("SYN-17", [("n", unreadable_entries.into())]);
        }
        self.is_newest &= followed.state.is_complete();
        self.is_whole &= self.is_newest && unreadable_entries == 0;
        if self.is_newest {
            self.as_of = followed.as_of();
        }
        followed.sets.iter().for_each(|set| self.note_set(set));
    }

    fn note_set(&mut self, followed: &Followed) {
        self.documents.extend(documents(&followed.documents));
        self.note_unread(&followed.documents);
        self.note_older(&followed.older);
        if let Some((uri, at)) = &followed.ahead {
            self.note_ahead(uri, at);
        }
        if followed.state == State::Gap {
            let gap = followed.gap.clone().unwrap_or_default();
            let text = |time: Option<String>| time.unwrap_or_else(|| "?".to_owned());
            let after = gap.after.or_else(|| followed.checkpoint.as_of.clone());
            self.find("SYN-04", [("after", text(after).into()), ("before", text(gap.before).into())]);
        }
    }

    fn find<const N: usize>(&mut self, code: &str, args: [(&str, Arg); N]) {
        self.diagnostics.extend(Finding::new(code, args));
    }

    /// True if a difference may be over once the lists are read again.
    pub(super) fn differs_from_source(&self) -> bool {
        let counts = &self.compared.counts;
        counts.behind > 0 || counts.extra > 0 || counts.missing > 0 || counts.debts > 0
    }

    pub(super) fn finish(mut self, is_stopped: bool) -> Audit {
        self.head.ended = now();
        self.completed = !is_stopped;
        let is_compared = self.compared.counts.unreadable == 0 && self.compared.counts.unverifiable == 0;
        // Where no original is named, the copy was not compared with any.
        let has_originals = self.compared.originals.is_none_or(|compared| compared > 0);
        // Where nothing is selected, nothing was compared.
        let has_selected = self.compared.equal > 0 || self.compared.counts.skipped == 0;
        let is_sure = self.completed && self.is_whole && is_compared && has_originals && has_selected;
        self.outcome = match (self.compared.counts.different(), is_sure) {
            (1.., _) => AuditOutcome::Different,
            (0, true) => AuditOutcome::Equal,
            (0, false) => AuditOutcome::Undetermined,
        };
        self
    }
}

/// Documents that were read, as in the report of a run.
fn documents<'r>(read: impl IntoIterator<Item = &'r Read>) -> Vec<Document> {
    let document = |read: &Read| Document {
        uri: read.uri.clone(),
        kind: read.kind.as_str().to_owned(),
        status: if read.unread.is_some() { DocumentStatus::Unread } else { DocumentStatus::Read },
        entries: read.entries,
        cause: read.unread.clone(),
    };
    read.into_iter().map(document).collect()
}
