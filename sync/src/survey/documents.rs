//! The documents of a survey: their roles, and their state stored between runs.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{diagnostic::Reason, model::Kind};
use serde::{Deserialize, Serialize};

use crate::{
    known::{Known, Role},
    listed_resource::moment,
};

/// A document and the result of reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Its URI.
    pub uri: String,
    /// Its role.
    pub role: Role,
    /// Its kind.
    pub kind: Kind,
    /// Its entries.
    pub entries: u64,
    /// Its time, as written.
    pub at: Option<String>,
    /// The reason why it was not read completely.
    pub unread: Option<Reason>,
    /// True if it is unchanged, and was not read again.
    pub is_same: bool,
}

impl Read {
    pub(crate) fn unread(uri: &str, role: Role, reason: Reason) -> Read {
        Read {
            uri: uri.to_string(),
            role,
            kind: Kind::Unknown,
            entries: 0,
            at: None,
            unread: Some(reason),
            is_same: false,
        }
    }
}

/// A Capability List, or a list without one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Set {
    /// The URI of the Capability List, or of the list.
    pub uri: String,
    /// Its Change Lists, or the indexes of them; without any, its Change Dumps.
    pub changes: Vec<String>,
    /// Its Change Dumps, or the indexes of them.
    pub change_dumps: Vec<String>,
    /// Its Resource Dumps, or the indexes of them.
    pub dumps: Vec<String>,
    /// True if it names no Resource List.
    pub has_only_dumps: bool,
    /// The earliest `at` of its Resource List, the index and the members.
    pub at: Option<String>,
    /// True if a list has no `at`.
    pub is_timeless: bool,
    /// True if another set names one of its lists, too: what is in that list is known of the other set only.
    pub is_shared: bool,
}

impl Set {
    /// Notes the time of a list; members may leave it to their index.
    pub(super) fn note(&mut self, at: Option<&str>, is_member: bool) {
        let Some(at) = at else {
            self.is_timeless |= !is_member;
            return;
        };
        let start = |text: &str| moment(text).map(|moment| moment.start());
        if self.at.as_deref().is_none_or(|own| start(at) < start(own)) {
            self.at = Some(at.to_string());
        }
    }
}

/// The state of a Source stored between runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The documents that lead to the lists, and the lists.
    pub documents: Vec<Known>,
    /// What was not read, of a Source with dumps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skipped>,
}

/// Lists that a Source has, and that were not read, since others were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skipped {
    /// None: it has dumps only.
    Nothing,
    /// Resource Dumps.
    Dumps,
    /// Resource Lists.
    Lists,
}

impl Remembered {
    /// True if a run that prefers dumps, or one that does not, would read the same lists. Earlier versions did not record whether Resource Lists had been
    /// skipped.
    pub(crate) fn answers(&self, prefers_dumps: bool) -> bool {
        match (self.skipped, prefers_dumps) {
            (Some(Skipped::Nothing), _) | (None, true) => true,
            (Some(skipped), true) => skipped == Skipped::Lists,
            (Some(skipped), false) => skipped == Skipped::Dumps,
            (None, false) => !self.is_of_packages(),
        }
    }

    /// The time of the oldest list; none if the time of a list is ahead of the clock.
    pub fn as_of(&self) -> Option<&str> {
        if self.documents.iter().any(|known| known.is_ahead) {
            return None;
        }
        let moment = |text: &&str| crate::listed_resource::moment(text).map(|moment| moment.start());
        let times = self.documents.iter().filter_map(|known| known.at.as_deref());
        times.filter(|at| moment(at).is_some()).min_by_key(moment)
    }

    /// True if the lists are those of packages.
    pub(crate) fn is_of_packages(&self) -> bool {
        self.has(Role::Manifest)
    }

    /// True if a document of this role was read.
    pub(super) fn has(&self, role: Role) -> bool {
        self.documents.iter().any(|known| known.role == role)
    }

    /// The latest time of the list at a URI.
    pub(super) fn at(&self, uri: &str) -> Option<&str> {
        self.documents.iter().find(|known| known.uri == uri).and_then(|known| known.at.as_deref())
    }
}
