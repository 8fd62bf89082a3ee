//! The lists of the Source compared with the ledger: what differs, or has to be looked at, is kept in a table.

use std::sync::Arc;

use resourcesync_sync::{
    Survey, Wanted,
    audit::{Relation, relate},
    survey::{Event, Findings},
};

use super::Work;
use crate::{
    destination::{
        SyncError,
        bits::Bits,
        documents::read,
        options::{Phase, Progress},
    },
    http::Client,
};

/// Entries per batch, sorted by URI.
pub(super) const BATCH: usize = 1_000;

impl Work<'_> {
    /// Reads the lists.
    pub(super) fn list(&mut self, client: &Arc<Client>, mut survey: Survey) -> Result<Findings, SyncError> {
        self.ledger.begin_listing()?;
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
                        self.ledger.unlist_document(Some(document))?;
                        self.ledger.disown(Some(document))?;
                    }
                    Event::Restarted => {
                        waiting.clear();
                        entries = 0;
                        self.ledger.unlist_document(None)?;
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
                self.ledger.unlist(&wanted.uri)?;
                continue;
            }
            self.ledger.list(document, &wanted, held.map(|held| held.id), relation)?;
        }
        Ok(())
    }
}
