//! Joins the catalogue of a store and the journal of a run, record by record.

use std::{cmp::Ordering, io, iter::Peekable, path::PathBuf};

use resourcesync_oai::harvest::Purpose;
use serde::{Deserialize, Serialize};

use super::{
    super::{
        super::HarvestError,
        catalogue::{Catalogue, CatalogueState, Entry, order},
        journal::{Frame, Frames, Item},
    },
    task::Task,
};
use crate::sort::{Merge as Merged, Sorted, Sorter};

/// The frame of a record in the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Change {
    pub(super) identifier: String,
    pub(super) prefix: String,
    /// Its position in the journal.
    number: u64,
    /// `None` if it is only listed.
    pub(super) item: Option<Item>,
    pub(super) at: u64,
    pub(super) length: u64,
    pub(super) is_listed: bool,
    /// Of a listed one: its datestamp, and the set of the list.
    pub(super) datestamp: Option<String>,
    pub(super) via: Option<String>,
}

impl Change {
    fn key(&self) -> (&str, &str) {
        (&self.identifier, &self.prefix)
    }
}

impl Sorted for Change {
    fn order(&self, other: &Change) -> Ordering {
        order(self.key(), other.key()).then(self.number.cmp(&other.number))
    }
}

/// Joins the catalogue and the journal, record by record.
pub(super) struct Both {
    entries: Option<Catalogue>,
    ahead: Option<Known>,
    changes: Peekable<Merged<Change>>,
    path: PathBuf,
}

/// A record: its entry, and its frame in the journal.
pub(super) type Pair = (Option<Known>, Vec<Change>);

/// An entry, and the end of its line.
pub(super) struct Known {
    pub(super) entry: Entry,
    pub(super) end: u64,
}

impl Both {
    pub(super) fn new(task: &Task<'_>, expected: Option<CatalogueState>) -> Result<Both, HarvestError> {
        let path = task.journal_path();
        let failed = |error: io::Error| HarvestError::write(&path, error);
        let mut sorter = Sorter::new(&task.folder.join("run"), "sort");
        let frames = Frames::open(&path, task.journal)?;
        for (number, found) in (0_u64..).zip(frames.into_iter().flatten()) {
            let found = found?;
            let (item, is_listed) = match found.frame {
                Frame::Record(item) => (item, false),
                Frame::Listed(item) if item.purpose == Some(Purpose::Reconcile) => (item, true),
                _ => continue,
            };
            let size = item.identifier.len().saturating_mul(2).saturating_add(200);
            let change = Change {
                identifier: item.identifier.clone(),
                prefix: item.prefix.clone(),
                number,
                datestamp: item.datestamp.clone().filter(|_| is_listed),
                via: item.via.clone().filter(|_| is_listed),
                // A list of identifiers may also report deletions.
                item: (!is_listed || item.deleted).then_some(item),
                at: found.bytes,
                length: found.length,
                is_listed,
            };
            sorter.push(change, size).map_err(failed)?;
        }
        let changes = sorter.finish().map_err(failed)?.peekable();
        Ok(Both { entries: Catalogue::open(task.folder, expected)?, ahead: None, changes, path })
    }

    /// The next record: its entry, and its frame in the journal.
    pub(super) fn next(&mut self) -> Result<Option<Pair>, HarvestError> {
        if let (None, Some(entries)) = (&self.ahead, &mut self.entries) {
            self.ahead = entries.next().transpose()?.map(|entry| Known { entry, end: entries.offset() });
        }
        let key = match self.changes.peek() {
            Some(Err(_)) => return Err(self.broken()),
            Some(Ok(change)) => Some((change.identifier.clone(), change.prefix.clone())),
            None => None,
        };
        let Some(key) = key else { return Ok(self.ahead.take().map(|known| (Some(known), Vec::new()))) };
        let first = self.ahead.as_ref().map_or(Ordering::Greater, |known| order(known.entry.key(), (&key.0, &key.1)));
        Ok(Some(match first {
            Ordering::Less => (self.ahead.take(), Vec::new()),
            Ordering::Equal => (self.ahead.take(), self.take(&key)?),
            Ordering::Greater => (None, self.take(&key)?),
        }))
    }

    fn take(&mut self, key: &(String, String)) -> Result<Vec<Change>, HarvestError> {
        let is_own = |change: &io::Result<Change>| change.as_ref().map_or(true, |own| own.key() == (&*key.0, &*key.1));
        let mut taken = Vec::new();
        while let Some(change) = self.changes.next_if(is_own) {
            taken.push(change.map_err(|_| self.broken())?);
        }
        Ok(taken)
    }

    fn broken(&self) -> HarvestError {
        HarvestError::read(&self.path, io::ErrorKind::InvalidData.into())
    }
}
