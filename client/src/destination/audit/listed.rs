//! The lists of the Source compared with the ledger: what differs, or has to be looked at, is kept in a table.

use std::sync::Arc;

use resourcesync_sync::{
    Survey, Wanted,
    audit::{Relation, relate},
    survey::{Event, Findings},
};
use rusqlite::{OptionalExtension, params};

use super::Work;
use crate::{
    destination::{
        SyncError,
        ledger::Ledger,
        list::{Bits, read},
        options::{Phase, Progress},
    },
    http::Client,
};

/// Entries per batch, sorted by URI.
pub(super) const BATCH: usize = 1_000;

const TABLE: &str = "
    CREATE TEMP TABLE IF NOT EXISTS listed(uri TEXT PRIMARY KEY, document INTEGER NOT NULL, id INTEGER, relation TEXT NOT NULL,
        wanted TEXT NOT NULL) WITHOUT ROWID;
";

impl Work<'_> {
    /// Reads the lists.
    pub(super) fn list(&mut self, client: &Arc<Client>, mut survey: Survey) -> Result<Findings, SyncError> {
        self.ledger.db().execute_batch(TABLE)?;
        let mut waiting: Vec<(u32, Wanted)> = Vec::new();
        let mut entries: u64 = 0;
        let cancel = self.cancel;
        read(client, cancel, None, &mut survey, &mut |survey, documents| {
            for event in survey.events() {
                match event {
                    Event::Listed(document, wanted) => {
                        entries = entries.saturating_add(1);
                        if let Some(set) = survey.set_of(document) {
                            self.ledger.own(document, set, &wanted.uri)?;
                        }
                        waiting.push((document, wanted));
                        if waiting.len() >= BATCH {
                            self.relate(&mut waiting)?;
                        }
                    }
                    Event::Counts(_) => self.relate(&mut waiting)?,
                    Event::Dropped(document) => {
                        waiting.retain(|(own, _)| *own != document);
                        self.ledger.db().execute("DELETE FROM listed WHERE document=?1", [document])?;
                        self.ledger.disown(Some(document))?;
                    }
                    Event::Restarted => {
                        waiting.clear();
                        entries = 0;
                        self.ledger.db().execute("DELETE FROM listed", [])?;
                        self.ledger.disown(None)?;
                        self.listed = Bits::default();
                        self.audit.counts.skipped = 0;
                    }
                }
            }
            (self.on_progress)(Progress { phase: Phase::Documents, done: documents, total: None, amount: entries });
            Ok(())
        })?;
        self.relate(&mut waiting)?;
        Ok(survey.finish())
    }

    /// Compares a batch with the ledger.
    pub(super) fn relate(&mut self, waiting: &mut Vec<(u32, Wanted)>) -> Result<(), SyncError> {
        // Stable: the later of two entries with the same URI counts (RL-13).
        waiting.sort_by(|(_, one), (_, other)| one.uri.cmp(&other.uri));
        for (document, wanted) in waiting.drain(..) {
            let held = self.ledger.find(&wanted.uri)?;
            if let Some(held) = &held {
                self.listed.insert(held.id);
            }
            if !self.selector.selects(&wanted) {
                self.audit.counts.skipped = self.audit.counts.skipped.saturating_add(1);
                continue;
            }
            let relation = held.as_ref().map_or(Relation::Other, |held| relate(&wanted, &held.held));
            if relation == Relation::Same {
                self.ledger.db().prepare_cached("DELETE FROM listed WHERE uri=?1")?.execute([&wanted.uri])?;
                continue;
            }
            let sql = "INSERT OR REPLACE INTO listed(uri, document, id, relation, wanted) VALUES(?1, ?2, ?3, ?4, ?5)";
            let (relation, text) = (serde_json::to_string(&relation)?, serde_json::to_string(&wanted)?);
            let values = params![wanted.uri, document, held.map(|held| held.id), relation, text];
            self.ledger.db().prepare_cached(sql)?.execute(values)?;
        }
        Ok(())
    }
}

/// The entry of a resource that differs from the ledger, or has to be looked at.
pub(super) fn of(ledger: &Ledger, uri: &str) -> Result<Option<(Relation, Wanted)>, SyncError> {
    let mut statement = ledger.db().prepare_cached("SELECT relation, wanted FROM listed WHERE uri=?1")?;
    let found = statement.query_row([uri], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((relation, wanted)): Option<(String, String)> = found else { return Ok(None) };
    Ok(Some((serde_json::from_str(&relation)?, serde_json::from_str(&wanted)?)))
}

/// The listed resources that are not stored, in the order of their URIs.
pub(super) fn each_unheld(ledger: &Ledger, take: &mut dyn FnMut(Relation, Wanted)) -> Result<(), SyncError> {
    let mut statement = ledger.db().prepare("SELECT relation, wanted FROM listed WHERE id IS NULL ORDER BY uri")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let relation = serde_json::from_str(&row.get::<_, String>(0)?)?;
        take(relation, serde_json::from_str(&row.get::<_, String>(1)?)?);
    }
    Ok(())
}

/// Entries of stored resources with this relation, after this URI.
pub(super) fn with(ledger: &Ledger, relation: Relation, after: &str) -> Result<Vec<Wanted>, SyncError> {
    let sql = "SELECT wanted FROM listed WHERE uri>?1 AND relation=?2 AND id IS NOT NULL ORDER BY uri LIMIT 256";
    let mut statement = ledger.db().prepare_cached(sql)?;
    let mut rows = statement.query(params![after, serde_json::to_string(&relation)?])?;
    let mut list = Vec::new();
    while let Some(row) = rows.next()? {
        list.push(serde_json::from_str(&row.get::<_, String>(0)?)?);
    }
    Ok(list)
}

/// Records how a resource compares.
pub(super) fn set(ledger: &Ledger, uri: &str, relation: Relation) -> Result<(), SyncError> {
    let mut statement = ledger.db().prepare_cached("UPDATE listed SET relation=?2 WHERE uri=?1")?;
    statement.execute(params![uri, serde_json::to_string(&relation)?])?;
    Ok(())
}
