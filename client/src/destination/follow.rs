//! Follows the Change Lists of the Source: the last change of each resource, and what is to be done about it.

use resourcesync_sync::{
    Action, Checkpoint, Wanted,
    chain::{FollowedSets, State},
    decide,
    decide::Requirements,
    guard,
    record::Limit,
    report::{Plan, PlanKind, PlanWhy},
    survey::Set,
};

use super::{
    Event, SyncError,
    clock::seconds,
    ledger::Last,
    options::{Phase, Progress},
    run::Run,
    sets::Following,
};

/// Rows of reduced changes read per query.
const PAGE: usize = 256;

impl Run<'_, '_> {
    /// Reads the Change Lists of each set since its checkpoint; the last change of each resource is in the ledger.
    pub(super) fn follow(&mut self, before: &[Checkpoint], is_after_baseline: bool) -> Result<FollowedSets, SyncError> {
        let following = Following {
            client: &self.documents.clone(),
            cancel: &self.cancel.clone(),
            deadline: self.deadline(),
            limits: &self.options.limits,
            accepts_older: self.options.accept_older,
            is_after_baseline,
            may_begin_later: is_after_baseline,
            compares_lists: self.compares_lists,
        };
        let on_event = &mut *self.on_event;
        let followed = following.follow(&mut self.ledger, before, &mut |done, amount| {
            on_event(Event::Progress(Progress { phase: Phase::Documents, done, total: None, amount }));
        })?;
        if followed.is_late {
            self.record.limited(Limit::Time);
        }
        if self.cancel.is_cancelled() {
            self.record.facts.interrupted = true;
        }
        let noted = self.record.report.diagnostics.len();
        for set in &followed.sets {
            self.record.note_chain(set);
        }
        if followed.is_unclear && followed.state == State::Gap {
            self.record.find_gap(followed.as_of(), None);
        }
        self.record.keep_later_gaps(noted);
        Ok(followed)
    }

    /// The checkpoint after the Resource Lists of a set have been compared; without Change Lists it cannot be followed.
    pub(super) fn checkpoint_of(&self, set: &Set, date: Option<i64>, before: &[Checkpoint]) -> Checkpoint {
        let clock = date.unwrap_or_else(seconds);
        let before = before.iter().find(|before| before.set == set.uri);
        let seen = match (self.options.accept_older, before) {
            (false, Some(before)) => before.seen.clone(),
            _ => resourcesync_sync::checkpoint::Seen::default(),
        };
        let as_of = set.at.clone().filter(|_| !set.is_timeless && !set.is_shared);
        let sources = if as_of.is_some() { set.changes.clone() } else { Vec::new() };
        Checkpoint { set: set.uri.clone(), as_of, sources, seen, consulted: clock, ..Checkpoint::default() }
    }

    /// A run that only processes changes.
    pub(super) fn by_changes(&mut self, followed: FollowedSets) -> Result<(), SyncError> {
        self.record.note_read(followed.documents());
        self.record.report.as_of = followed.as_of();
        self.record.report.poll_after = followed.fresh_for();
        self.check_age();
        self.record.facts.lists_complete = followed.state != State::Unread;
        self.record.facts.one_snapshot = true;
        self.record.facts.gap = followed.state == State::Gap;
        self.record.facts.older = followed.state == State::Older;
        self.record.facts.unreadable_entries = followed.unreadable_entries();
        self.record.counts.unchanged = self.record.stored_before;
        for wanted in self.ledger.retries()? {
            if self.ledger.find(&wanted.uri)?.is_some() {
                self.record.counts.unchanged = self.record.counts.unchanged.saturating_sub(1);
            }
            self.ledger.plan(0, Action::Fetch, &wanted)?;
        }
        self.apply_changes(PlanKind::Changes)?;
        let why = match followed.state {
            State::Unchanged => PlanWhy::NothingChanged,
            State::Continued => PlanWhy::OpenListContinues,
            State::Rewritten => PlanWhy::OpenListRewritten,
            State::Next => PlanWhy::NextList,
            State::Gap => PlanWhy::Gap,
            State::Absent => PlanWhy::NoChangeLists,
            State::Unread | State::Older => PlanWhy::DocumentsChanged,
        };
        let (requests, bytes) = self.ledger.planned()?;
        self.record.report.plan = Some(Plan { kind: PlanKind::Changes, why, requests, bytes });
        let followed = self.carry_out(PlanKind::Changes, Some(followed), bytes)?;
        self.delete_stated()?;
        let Some(followed) = followed.filter(|_| !self.options.dry_run) else { return Ok(()) };
        if followed.state.is_complete() && self.record.may_settle() {
            self.ledger.settle_changes(&followed.checkpoints, self.record.counts.withheld)?;
        }
        Ok(())
    }

    /// Transfers what is planned. Resources that changed meanwhile are looked up once more in the open Change Lists.
    pub(super) fn carry_out(
        &mut self,
        kind: PlanKind,
        mut followed: Option<FollowedSets>,
        bytes: u64,
    ) -> Result<Option<FollowedSets>, SyncError> {
        self.queue.expect(self.ledger.planned()?.0);
        self.check_room(bytes)?;
        if self.options.dry_run {
            self.dry_run()?;
            return Ok(followed);
        }
        self.looks_again = followed.as_ref().is_some_and(FollowedSets::is_open);
        self.transfer()?;
        self.looks_again = false;
        let changed = std::mem::take(&mut self.changed_meanwhile);
        if !changed.is_empty() {
            let before = followed.as_ref().map(|followed| followed.checkpoints.clone()).unwrap_or_default();
            let mut again = self.follow(&before, false)?;
            self.ledger.forget(None)?;
            self.queue.rewind();
            if again.state.is_complete() && !self.record.facts.interrupted {
                self.record.note_read(again.documents());
                self.record.facts.unreadable_entries =
                    self.record.facts.unreadable_entries.saturating_add(again.unreadable_entries());
                again.is_unclear |= followed.is_some_and(|followed| followed.is_unclear);
                self.apply_changes(kind)?;
                self.record.report.as_of = again.as_of();
                followed = Some(again);
            }
            for (job, fetched) in changed {
                if !self.ledger.is_replaced(&job.wanted.uri)? {
                    self.take_fetched(job, fetched)?;
                }
            }
            self.queue.expect(self.ledger.planned()?.0);
            self.transfer()?;
        }
        if self.cancel.is_cancelled() {
            self.record.facts.interrupted = true;
        }
        self.record.counts.left = self.queue.left();
        if self.record.counts.left == 0 && self.record.facts.lists_complete && !self.record.facts.interrupted {
            // Nothing lists them any more.
            let staging = self.copies()?.staging();
            self.parts.drain().for_each(|(_, part)| staging.discard(part.number));
        }
        Ok(followed)
    }

    /// Decides about the last change of each resource; it replaces what the Resource Lists made of it.
    pub(super) fn apply_changes(&mut self, kind: PlanKind) -> Result<(), SyncError> {
        let mut after = 0;
        loop {
            let page = self.ledger.last_changes(after, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.seq;
            for last in page {
                self.apply(kind, last)?;
            }
        }
    }

    fn apply(&mut self, kind: PlanKind, last: Last) -> Result<(), SyncError> {
        let Last { wanted, is_deleted, asks, .. } = last;
        let held = self.ledger.find(&wanted.uri)?;
        let was_planned = self.ledger.unplan(&wanted.uri)?;
        let is_counted = match (&held, kind) {
            (Some(_), PlanKind::Changes) => !was_planned,
            (Some(entry), PlanKind::List) => self.listed.contains(entry.id) && !was_planned,
            (None, _) => false,
        };
        if is_counted {
            self.record.counts.unchanged = self.record.counts.unchanged.saturating_sub(1);
        }
        let is_selected = if is_deleted { self.selector.selects_uri(&wanted) } else { self.selector.selects(&wanted) };
        if !is_selected {
            self.forget_retry(&wanted)?;
            return self.skip(&wanted);
        }
        if is_deleted && !asks {
            // What is stored is tried again until it is deleted: the next run may see other changes than this one.
            let Some(entry) = held else { return self.forget_retry(&wanted) };
            self.ledger.mark_deleted(&entry)?;
            self.marked_deleted.insert(entry.id);
            return Ok(());
        }
        if !self.options.dry_run {
            self.ledger.renew_retry(&wanted)?;
        }
        if let Some(entry) = &held {
            self.ledger.unmark_deleted(entry.id)?;
            self.marked_deleted.remove(entry.id);
            self.listed.insert(entry.id);
        }
        if asks {
            return self.ledger.plan(0, Action::Ask, &wanted);
        }
        let required = Requirements { digest: self.options.require_hash };
        let action = match &held {
            None => decide(&wanted, None, required),
            Some(entry) => {
                let place = entry.path.clone().or_else(|| self.places.of(&wanted.uri)).unwrap_or_default();
                let local = self.local(&place, entry)?;
                decide(&wanted, Some((&entry.held, local)), required)
            }
        };
        if action == Action::Keep {
            self.record.counts.unchanged = self.record.counts.unchanged.saturating_add(1);
            if !self.options.dry_run {
                self.ledger.listed_as(&wanted)?;
            }
            return self.forget_retry(&wanted);
        }
        self.ledger.plan(0, action, &wanted)
    }

    fn forget_retry(&self, wanted: &Wanted) -> Result<(), SyncError> {
        match self.options.dry_run {
            true => Ok(()),
            false => self.ledger.forget_retry(&wanted.uri),
        }
    }

    /// Deletes a resource that the Source no longer has, although the order of its changes is unknown.
    pub(super) fn gone(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        if let Some(entry) = self.ledger.find(&wanted.uri)? {
            self.ledger.mark_deleted(&entry)?;
            self.marked_deleted.insert(entry.id);
        }
        Ok(())
    }

    /// Moves what Change Lists state as deleted to the trash, if the guard allows it.
    pub(super) fn delete_stated(&mut self) -> Result<(), SyncError> {
        let due = self.ledger.marked_deleted()?;
        let is_stopped = self.record.facts.interrupted || self.record.counts.left > 0;
        let most = self.options.max_delete;
        match guard::stated_deletions(
            due.len() as u64,
            self.record.stored_before,
            is_stopped && !self.options.dry_run,
            most,
        ) {
            Err(why) => {
                let most = most.unwrap_or_default().of_stated(self.record.stored_before);
                self.record.withhold(why, due.len() as u64, most);
                Ok(())
            }
            Ok(()) => self.remove(&due),
        }
    }
}
