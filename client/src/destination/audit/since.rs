//! The changes since the lists of the Source, applied to what the lists gave.

use std::sync::Arc;

use resourcesync_sync::{
    Chain, Change, Checkpoint, Wanted,
    audit::Relation,
    chain::{Event, Followed, State},
    survey::Findings,
};
use rusqlite::params;

use super::{Work, listed::BATCH};
use crate::{
    destination::{SyncError, ledger::Last, list::read, run::seconds},
    http::Client,
};

impl Work<'_> {
    /// Applies the changes since the lists; if the Change Lists do not reach back so far, those since the last run, to what is stored.
    /// `None` if a run would not follow Change Lists either.
    pub(super) fn follow(&mut self, client: &Arc<Client>, found: &Findings) -> Result<Option<Followed>, SyncError> {
        let [set] = &*found.sets else { return Ok(None) };
        if set.is_timeless || set.changes.is_empty() {
            return Ok(None);
        }
        let consulted = found.date.unwrap_or_else(seconds);
        let (uri, as_of, sources) = (set.uri.clone(), set.at.clone(), set.changes.clone());
        let lists = Checkpoint { set: uri, as_of, sources, consulted, ..Checkpoint::default() };
        let mut followed =
            self.read_changes(client, Chain::new(lists, seconds(), &self.options.limits).after_baseline())?;
        if followed.state == State::Gap
            && let Some(last) = self.ledger.checkpoint()?
            && last.set == set.uri
        {
            let since = self.read_changes(client, Chain::new(last, seconds(), &self.options.limits))?;
            if since.state.is_complete() {
                self.start_from_state()?;
                followed = since;
            }
        }
        if followed.state.is_complete() {
            self.ledger.reduce(&followed.order)?;
            self.apply_changes()?;
        }
        Ok(Some(followed))
    }

    fn read_changes(&mut self, client: &Arc<Client>, mut chain: Chain) -> Result<Followed, SyncError> {
        self.ledger.forget_changes()?;
        let mut waiting: Vec<(u32, Change)> = Vec::new();
        let (cancel, ledger) = (self.cancel, &mut self.ledger);
        read(client, cancel, None, &mut chain, &mut |chain, _| {
            for event in chain.events() {
                match event {
                    Event::Changed(document, change) => {
                        waiting.push((document, change));
                        if waiting.len() >= BATCH {
                            ledger.add_changes(&mut waiting)?;
                        }
                    }
                    Event::Counts(_) => ledger.add_changes(&mut waiting)?,
                    Event::Dropped(document) => {
                        waiting.retain(|(own, _)| *own != document);
                        ledger.drop_changes(document)?;
                    }
                }
            }
            Ok(())
        })?;
        let mut followed = chain.finish();
        if cancel.is_cancelled() {
            followed.state = State::Unread;
        }
        Ok(followed)
    }

    /// Takes as listed what the last run stored, and what it could not store.
    fn start_from_state(&mut self) -> Result<(), SyncError> {
        self.ledger.db().execute("DELETE FROM listed", [])?;
        let listed = &mut self.listed;
        self.ledger.each(|entry, _| {
            listed.insert(entry.id);
            Ok(())
        })?;
        let mut debts = self.ledger.debts()?.into_iter().map(|wanted| (0, wanted)).collect();
        self.relate(&mut debts)
    }

    /// Applies the last change of each resource.
    fn apply_changes(&mut self) -> Result<(), SyncError> {
        let skipped = self.audit.counts.skipped;
        let mut after = 0;
        loop {
            let page = self.ledger.last_changes(after, BATCH)?;
            let Some(last) = page.last() else { break };
            after = last.seq;
            let mut present = Vec::new();
            for Last { wanted, is_deleted, asks, .. } in page {
                match (asks, is_deleted) {
                    (true, _) => self.set_unknown(&wanted)?,
                    (false, true) => self.set_deleted(&wanted)?,
                    (false, false) => present.push((0, wanted)),
                }
            }
            self.relate(&mut present)?;
        }
        self.audit.counts.skipped = skipped;
        Ok(())
    }

    fn set_deleted(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        self.ledger.db().prepare_cached("DELETE FROM listed WHERE uri=?1")?.execute([&wanted.uri])?;
        if let Some(held) = self.ledger.find(&wanted.uri)? {
            self.listed.remove(held.id);
        }
        Ok(())
    }

    /// The Change Lists do not tell whether the resource was deleted.
    fn set_unknown(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        let held = self.ledger.find(&wanted.uri)?.map(|held| held.id);
        if let Some(held) = held {
            self.listed.insert(held);
        }
        let sql = "INSERT OR REPLACE INTO listed(uri, document, id, relation, wanted) VALUES(?1, 0, ?2, ?3, ?4)";
        let (relation, text) = (serde_json::to_string(&Relation::Nothing)?, serde_json::to_string(wanted)?);
        self.ledger.db().prepare_cached(sql)?.execute(params![wanted.uri, held, relation, text])?;
        Ok(())
    }
}
