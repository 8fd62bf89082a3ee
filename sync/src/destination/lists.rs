//! What the Resource Lists make of each resource.

use resourcesync::value::Datetime;

use super::{
    files::Files,
    listing::Listing,
    settings::{PlanChoice, Reading},
    state::{Destination, ListedFor, Phase},
};
use crate::{
    bits::Bits,
    decide::{Action, Requirements, decide},
    ledger::{Ledger, StoredResource},
    listed_resource::ListedResource,
    report::PlanKind,
    survey::{Event, Findings, Survey},
};

/// Entries per batch of decisions, sorted by URI.
const BATCH: usize = 1_000;

impl Destination {
    /// Reads the Resource Lists, or checks whether they have changed.
    pub(super) fn survey<L: Ledger>(&self, polls: bool, ledger: &L) -> Result<Phase, L::Error> {
        let survey = self.surveying(polls, ledger)?;
        Ok(Phase::Listing(Listing::new(survey).into(), ListedFor::Lists))
    }

    pub(super) fn surveying<L: Ledger>(&self, polls: bool, ledger: &L) -> Result<Survey, L::Error> {
        let (remembered, Reading { plan, accept_older, limits, .. }) = (ledger.remembered()?, &self.settings.reading);
        let survey = Survey::new(&self.source.uri, remembered, polls, self.now.seconds, limits)
            .selecting(&self.source.sets)
            .having_reached(&ledger.checkpoints()?);
        let survey = if self.source.checks_dates { survey.checking_dates() } else { survey };
        let survey = if *plan == PlanChoice::Dump { survey.by_dumps() } else { survey };
        Ok(if *accept_older { survey.accepting_older() } else { survey })
    }

    pub(super) fn take_listed<L: Ledger, F: Files<L>>(
        &mut self,
        listing: &mut Listing,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<(), L::Error> {
        for event in listing.survey.events() {
            match event {
                Event::Listed(document, resource) => {
                    listing.entries = listing.entries.saturating_add(1);
                    if let Some(set) = listing.survey.set_of(document) {
                        listing.has_sets = true;
                        ledger.note_listing(document, set, &resource.uri)?;
                    }
                    listing.waiting.push((document, resource));
                    if listing.waiting.len() >= BATCH {
                        self.decide_all(listing, ledger, files)?;
                    }
                }
                Event::Counts(_) => self.decide_all(listing, ledger, files)?,
                Event::Dropped(document) => {
                    listing.waiting.retain(|(own, _)| *own != document);
                    ledger.forget_plan(Some(document))?;
                    ledger.forget_listings(Some(document))?;
                    ledger.forget_related(Some(document))?;
                }
                Event::Restarted => {
                    listing.waiting.clear();
                    listing.entries = 0;
                    ledger.forget_plan(None)?;
                    ledger.forget_listings(None)?;
                    ledger.forget_related(None)?;
                    self.compared.listed = Bits::default();
                    (self.record.counts.unchanged, self.record.counts.skipped) = (0, 0);
                }
            }
        }
        Ok(())
    }

    /// Takes the end of the documents.
    pub(super) fn end_listing<L: Ledger, F: Files<L>>(
        &mut self,
        mut listing: Listing,
        is_late: bool,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Findings, L::Error> {
        self.note_end(is_late);
        self.decide_all(&mut listing, ledger, files)?;
        Ok(listing.survey.finish())
    }

    /// Decides about a batch.
    fn decide_all<L: Ledger, F: Files<L>>(
        &mut self,
        listing: &mut Listing,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<(), L::Error> {
        // Stable: the later of two entries with the same URI counts (RL-13).
        listing.waiting.sort_by(|(_, one), (_, other)| one.uri.cmp(&other.uri));
        ledger.begin_batch()?;
        for (document, mut resource) in listing.waiting.drain(..) {
            self.note_listed(document, &resource, ledger)?;
            let stored = ledger.find(&resource.uri)?;
            if !self.selector.selects_listed(&resource, stored.is_some()) {
                self.skip(&resource, ledger)?;
                continue;
            }
            if !self.settings.dry_run {
                ledger.pass_on(&resource)?;
            }
            self.note_version(&resource, ledger)?;
            self.note_related(PlanKind::List, document, &resource, ledger)?;
            let mut action = self.action(&resource, stored.as_ref(), ledger, files)?;
            let is_shared = listing.has_sets && ledger.is_shared(&resource.uri)?;
            let other = if is_shared { self.other_listed(&resource, stored.as_ref(), ledger)? } else { None };
            if let Some(other) = other.filter(|other| other.differs(&resource)) {
                let is_earlier = |(own, other): (Datetime, Datetime)| own.start() < other.start();
                if resource.modified().zip(other.modified()).is_some_and(is_earlier) {
                    resource = other;
                }
                (resource.only_at_loc, action) = (true, Action::Fetch);
            }
            let is_first = stored.as_ref().is_some_and(|stored| self.compared.listed.insert(stored.id));
            let is_planned = is_shared && ledger.planned_of(&resource.uri)?.is_some();
            match action {
                Action::Keep if is_first => {
                    self.record.counts.unchanged = self.record.counts.unchanged.saturating_add(1);
                }
                // By what another set lists it is not known to be the same.
                Action::Keep if is_planned => {}
                Action::Keep => drop(ledger.unplan(&resource.uri)?),
                action => {
                    let was_kept = is_shared && stored.is_some() && !is_first && !is_planned;
                    self.record.counts.unchanged = self.record.counts.unchanged.saturating_sub(u64::from(was_kept));
                    ledger.plan(document, action, &resource)?;
                }
            }
        }
        ledger.end_batch()
    }

    /// What another set lists of a resource that several list. If it is in another state there, the lists may be of different times, so only
    /// the server of the resource shows which is the later one.
    fn other_listed<L: Ledger>(
        &self,
        resource: &ListedResource,
        stored: Option<&StoredResource>,
        ledger: &L,
    ) -> Result<Option<ListedResource>, L::Error> {
        let kept = || stored.filter(|stored| self.compared.listed.contains(stored.id)).map(StoredResource::listed);
        Ok(ledger.planned_of(&resource.uri)?.map(|planned| planned.resource).or_else(kept))
    }

    /// The action for a listed resource.
    pub(super) fn action<L: Ledger, F: Files<L>>(
        &self,
        resource: &ListedResource,
        stored: Option<&StoredResource>,
        ledger: &L,
        files: &mut F,
    ) -> Result<Action, L::Error> {
        let required = Requirements { digest: self.settings.require_hash, known_at: self.compared.known_at };
        let Some(stored) = stored else { return Ok(decide(resource, None, required)) };
        let local = self.compare(stored, ledger, files)?;
        Ok(decide(resource, Some((&stored.state, local)), required))
    }
}
