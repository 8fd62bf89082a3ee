//! Builds the plan: reads the documents of the Source, and decides about each listed resource.

use std::time::Instant;

use resourcesync_sync::{
    Action, Survey, Wanted, decide,
    decide::Requirements,
    record::Limit,
    survey::{Event, Findings},
};

use super::{SyncError, bits::Bits, documents::read, options::Phase, run::Run};

/// Entries per batch of decisions, sorted by URI.
const BATCH: usize = 1_000;

impl Run<'_, '_> {
    /// When the time of this run is over.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.begun.checked_add(self.options.max_time?)
    }

    /// Reads all documents and writes the plan to the ledger.
    pub(super) fn list(&mut self, mut survey: Survey) -> Result<Findings, SyncError> {
        let mut waiting: Vec<(u32, Wanted)> = Vec::new();
        let mut entries = 0;
        let (client, cancel) = (self.documents.clone(), self.cancel.clone());
        let is_whole = read(&client, &cancel, self.deadline(), &mut survey, &mut |survey, documents| {
            self.take(survey, &mut waiting, &mut entries)?;
            self.progress(Phase::Documents, documents, None, entries);
            Ok(())
        })?;
        if !is_whole {
            self.record.limited(Limit::Time);
        }
        if self.cancel.is_cancelled() {
            self.record.facts.interrupted = true;
        }
        self.decide(&mut waiting)?;
        Ok(survey.finish())
    }

    fn take(
        &mut self,
        survey: &mut Survey,
        waiting: &mut Vec<(u32, Wanted)>,
        entries: &mut u64,
    ) -> Result<(), SyncError> {
        for event in survey.events() {
            match event {
                Event::Listed(document, wanted) => {
                    *entries = entries.saturating_add(1);
                    if let Some(set) = survey.set_of(document) {
                        self.ledger.own(document, set, &wanted.uri)?;
                    }
                    waiting.push((document, wanted));
                    if waiting.len() >= BATCH {
                        self.decide(waiting)?;
                    }
                }
                Event::Counts(_) => self.decide(waiting)?,
                Event::Dropped(document) => {
                    waiting.retain(|(own, _)| *own != document);
                    self.ledger.forget(Some(document))?;
                    self.ledger.disown(Some(document))?;
                }
                Event::Restarted => {
                    waiting.clear();
                    *entries = 0;
                    self.ledger.forget(None)?;
                    self.ledger.disown(None)?;
                    self.listed = Bits::default();
                    (self.record.counts.unchanged, self.record.counts.skipped) = (0, 0);
                }
            }
        }
        Ok(())
    }

    /// Passes over what is not selected: it is not fetched, and what is held of it is not deleted.
    pub(super) fn skip(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        self.record.counts.skipped = self.record.counts.skipped.saturating_add(1);
        if let Some(entry) = self.ledger.find(&wanted.uri)? {
            self.listed.insert(entry.id);
        }
        Ok(())
    }

    /// Decides about a batch.
    fn decide(&mut self, waiting: &mut Vec<(u32, Wanted)>) -> Result<(), SyncError> {
        // Stable: the later of two entries with the same URI counts (RL-13).
        waiting.sort_by(|(_, one), (_, other)| one.uri.cmp(&other.uri));
        for (document, wanted) in waiting.drain(..) {
            if !self.selector.selects(&wanted) {
                self.skip(&wanted)?;
                continue;
            }
            let required = Requirements { digest: self.options.require_hash };
            let Some(entry) = self.ledger.find(&wanted.uri)? else {
                let action = decide(&wanted, None, required);
                self.ledger.plan(document, action, &wanted)?;
                continue;
            };
            let place = entry.path.clone().or_else(|| self.places.of(&wanted.uri)).unwrap_or_default();
            let local = self.local(&place, &entry)?;
            let is_first = self.listed.insert(entry.id);
            match decide(&wanted, Some((&entry.held, local)), required) {
                Action::Keep if is_first => {
                    self.record.counts.unchanged = self.record.counts.unchanged.saturating_add(1)
                }
                Action::Keep => drop(self.ledger.unplan(&wanted.uri)?),
                action => self.ledger.plan(document, action, &wanted)?,
            }
        }
        Ok(())
    }
}
