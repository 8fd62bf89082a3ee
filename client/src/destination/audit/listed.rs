//! The lists of the Source compared with the ledger: what differs, or has to be looked at, is kept in a table.

use std::sync::Arc;

use resourcesync_sync::{
    ListedResource, Survey,
    audit::{Relation, relate},
    documents::Documents,
    ledger::{Plan, RelatedResources, Resources, Store},
    survey::{Event, Findings},
};

use super::{Listed, Work};
use crate::{
    destination::{
        SyncError,
        documents::{Reader, read},
        options::{Phase, Progress},
    },
    http::Client,
};

/// Entries per batch, sorted by URI.
pub(super) const BATCH: usize = 1_000;

impl Work<'_> {
    /// Reads the lists.
    pub(super) fn list(&mut self, client: &Arc<Client>, survey: Survey) -> Result<Findings, SyncError> {
        self.ledger.begin_listing()?;
        let cancel = self.cancel;
        let mut lists = Lists { work: self, survey, waiting: Vec::new(), entries: 0 };
        read(client, cancel, None, &mut lists)?;
        let Lists { work, survey, mut waiting, .. } = lists;
        work.relate(&mut waiting, true)?;
        Ok(survey.finish())
    }

    /// Compares a batch with the ledger. By its length alone, nothing is known of a change that no run has seen.
    pub(super) fn relate(&mut self, waiting: &mut Vec<(u32, ListedResource)>, was_seen: bool) -> Result<(), SyncError> {
        // Stable: the later of two entries with the same URI counts (RL-13).
        waiting.sort_by(|(_, one), (_, other)| one.uri.cmp(&other.uri));
        self.ledger.begin_batch()?;
        for (document, resource) in waiting.drain(..) {
            self.note_linked(document, &resource)?;
            let stored = self.ledger.find(&resource.uri)?;
            if let Some(stored) = &stored {
                self.listed.stored.insert(stored.id);
            }
            if !self.selector.selects_listed(&resource, stored.is_some()) {
                match &stored {
                    // Another set may list it in a state that is selected.
                    Some(stored) if self.listed.selected.contains(stored.id) => {}
                    Some(stored) => drop(self.listed.skipped.insert(stored.id)),
                    None => self.listed.skipped_others = self.listed.skipped_others.saturating_add(1),
                }
                continue;
            }
            if let Some(stored) = &stored {
                self.listed.selected.insert(stored.id);
                self.listed.skipped.remove(stored.id);
            }
            let relation = match stored.as_ref().map(|stored| relate(&resource, &stored.state)) {
                Some(Relation::Same) if !was_seen && resource.hash.is_none() => Relation::Nothing,
                relation => relation.unwrap_or(Relation::Other),
            };
            if relation != Relation::Other {
                self.note_original(document, &resource)?;
            }
            if relation == Relation::Same {
                self.ledger.unlist(&resource.uri)?;
                continue;
            }
            self.ledger.list(document, &resource, stored.map(|stored| stored.id), relation)?;
        }
        self.ledger.end_batch()
    }

    /// Notes what an entry links to and the copy has.
    fn note_linked(&mut self, document: u32, resource: &ListedResource) -> Result<(), SyncError> {
        if self.related.is_empty() || resource.is_related {
            return Ok(());
        }
        self.ledger.note_listed(document, &resource.uri)?;
        let is_selected = self.selector.selects(resource);
        for related in self.related.of(resource) {
            let is_compared = is_selected && self.selector.selects_related(&related);
            // What was stored with other options is compared as it is.
            if is_compared || self.ledger.find(&related.uri)?.is_some() {
                self.ledger.note_related(document, &resource.uri, &related)?;
            }
        }
        Ok(())
    }

    /// Compares the related resources that no list contains with the links to them. One that may not be requested need not be stored.
    pub(super) fn relate_linked(&mut self, client: &Client) -> Result<(), SyncError> {
        let mut after = 0;
        loop {
            let page = self.ledger.related_after(after, BATCH, true)?;
            let Some((last, _)) = page.last() else { return Ok(()) };
            after = *last;
            for (_, resource) in page {
                match self.ledger.find(&resource.uri)? {
                    Some(stored) => {
                        self.listed.stored.insert(stored.id);
                        match relate(&resource, &stored.state) {
                            Relation::Same => self.ledger.unlist(&resource.uri)?,
                            relation => self.ledger.list(0, &resource, Some(stored.id), relation)?,
                        }
                    }
                    None if client.check(&resource.loc).is_ok() => {
                        self.ledger.list(0, &resource, None, Relation::Other)?;
                    }
                    None => {}
                }
            }
        }
    }
}

/// The lists, as they are read.
struct Lists<'w, 'a> {
    work: &'w mut Work<'a>,
    survey: Survey,
    /// Entries that were not compared yet, with the numbers of their documents.
    waiting: Vec<(u32, ListedResource)>,
    entries: u64,
}

impl Reader for Lists<'_, '_> {
    fn machine(&mut self) -> Option<&mut dyn Documents> {
        Some(&mut self.survey)
    }

    fn take(&mut self, documents: u64) -> Result<(), SyncError> {
        for event in self.survey.events() {
            match event {
                Event::Listed(document, resource) => {
                    self.entries = self.entries.saturating_add(1);
                    if let Some(set) = self.survey.set_of(document) {
                        self.work.ledger.note_listing(document, set, &resource.uri)?;
                    }
                    self.waiting.push((document, resource));
                    if self.waiting.len() >= BATCH {
                        self.work.relate(&mut self.waiting, true)?;
                    }
                }
                Event::Counts(_) => self.work.relate(&mut self.waiting, true)?,
                Event::Dropped(document) => {
                    self.waiting.retain(|(own, _)| *own != document);
                    self.work.ledger.unlist_document(Some(document))?;
                    self.work.ledger.forget_related(Some(document))?;
                    self.work.ledger.forget_originals(Some(document))?;
                    self.work.ledger.forget_listings(Some(document))?;
                }
                Event::Restarted => {
                    self.waiting.clear();
                    self.entries = 0;
                    self.work.ledger.unlist_document(None)?;
                    self.work.ledger.forget_related(None)?;
                    self.work.ledger.forget_originals(None)?;
                    self.work.ledger.forget_listings(None)?;
                    self.work.listed = Listed::default();
                }
            }
        }
        let (phase, amount) = (Phase::Documents, self.entries);
        (self.work.on_progress)(Progress { phase, done: documents, total: None, amount });
        Ok(())
    }
}
