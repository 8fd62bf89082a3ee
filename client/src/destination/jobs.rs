//! From the lines of the plan to transfers, and from their results to the ledger.

use std::{fs, time::Instant};

use resourcesync_sync::{
    Action, Local, Wanted,
    decide::has_bytes_of,
    record::Limit,
    report::{Done, ItemCode, Seen},
    transfer::Verified,
};

use super::{
    SyncError,
    copies::Look,
    ledger::{self, Placing, Todo},
    options::Phase,
    run::Run,
    transfer::{Fetched, Fetcher, Job},
};
use crate::{
    parallel::{self, Next},
    system::reason,
};

/// Resources with other bytes than listed that are looked up again in the Change Lists.
const LOOKED_UP: usize = 1_000;

impl Run<'_, '_> {
    /// Carries out the plan.
    pub(super) fn transfer(&mut self) -> Result<(), SyncError> {
        let fetcher = Fetcher {
            client: self.client.clone(),
            staging: self.copies()?.staging(),
            budget: self.budget.clone(),
            cancel: self.cancel.clone(),
            inflate_ratio: self.options.limits.inflate_ratio,
            accepts_newer: self.options.accept_newer,
        };
        if self.record.stored_before > 0 && self.ledger.planned()?.0 > 0 {
            self.ledger.index_digests()?;
        }
        let workers = self.client.connections();
        let outcome = parallel::run(self, workers, || |job| fetcher.fetch(job));
        // Verified files are placed even if others failed.
        let committed = self.commit_all();
        let ended = outcome.and(committed);
        if ended.is_err() {
            // The next run removes what cannot be removed now.
            let _ = self.abandon();
        }
        ended
    }

    /// Reports the plan.
    pub(super) fn dry_run(&mut self) -> Result<(), SyncError> {
        while let Some(todo) = self.queue.next(&self.ledger)? {
            self.queue.attempt();
            let is_held = self.ledger.find(&todo.wanted.uri)?.is_some();
            if let Err(error) = self.client.check(&todo.wanted.loc)
                && todo.action != Action::Hash
            {
                self.record.failures.unanswered = self.record.failures.unanswered.saturating_add(1);
                self.record.counts.failed = self.record.counts.failed.saturating_add(1);
                let mut item = self.item(&todo.wanted, is_held, Done::Failed);
                (item.code, item.cause, item.kept) = (Some(ItemCode::Unreadable), Some(error.reason), is_held);
                self.report(item);
                continue;
            }
            let count = if is_held { &mut self.record.counts.updated } else { &mut self.record.counts.created };
            *count = count.saturating_add(1);
            if todo.action == Action::Refuse {
                self.refuse(&todo.wanted, is_held)?;
                continue;
            }
            let item = self.item(&todo.wanted, is_held, Done::Planned);
            self.report(item);
        }
        Ok(())
    }

    fn job(&mut self, todo: Todo) -> Result<Option<Job>, SyncError> {
        let Todo { action, wanted, .. } = todo;
        let held = self.ledger.find(&wanted.uri)?;
        if action == Action::Refuse {
            self.refuse(&wanted, held.is_some())?;
            return Ok(None);
        }
        let layout = self.places.of(&wanted.uri).unwrap_or_default();
        let place = held.as_ref().and_then(|held| held.path.clone()).unwrap_or(layout);
        let look = if place.is_empty() { None } else { self.copies()?.look(&place)? };
        let is_file = held.is_none() && look.is_some_and(|look| look.is_file);
        // A file of another resource here is evaded when this one is placed.
        let is_foreign = is_file && self.other_at(&place)?.is_none();
        let hashes = action == Action::Hash || (is_foreign && self.options.adopt);
        let file = if hashes { self.copies()?.read(&place).ok() } else { None };
        let asks = action == Action::Check && look.is_some();
        let replaces = self.options.overwrite;
        if is_foreign && file.is_none() && !replaces {
            self.conflict_with(&wanted)?;
            return Ok(None);
        }
        let is_uncertain = action == Action::Ask;
        let part = self.parts.remove(&wanted.loc);
        let same = if action == Action::Fetch && part.is_none() { self.same_bytes(&wanted)? } else { None };
        Ok(Some(Job { wanted, held, place, asks, file, adopts: is_foreign, replaces, is_uncertain, part, same }))
    }

    /// The file of another resource that has the listed digests, as after a resource was renamed.
    fn same_bytes(&mut self, wanted: &Wanted) -> Result<Option<fs::File>, SyncError> {
        let may_be_stored = self.places.of(&wanted.uri).is_some() && self.client.check(&wanted.loc).is_ok();
        if self.record.stored_before == 0 || !may_be_stored || self.copies()?.has_store() {
            return Ok(None);
        }
        for entry in self.ledger.alike(wanted)? {
            let place = entry.path.clone().or_else(|| self.places.of(&entry.uri)).unwrap_or_default();
            let look = self.copies()?.look(&place)?;
            let is_intact = Look::compare(look, entry.held.size, entry.mtime) == Local::Intact;
            if is_intact
                && has_bytes_of(wanted, &entry.held)
                && let Ok(file) = self.copies()?.read(&place)
            {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    fn conflict_with(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        self.record.counts.conflicts = self.record.counts.conflicts.saturating_add(1);
        self.ledger.retry_later(wanted, ItemCode::Foreign, self.number)?;
        let mut item = self.item(wanted, false, Done::Conflict);
        item.code = Some(ItemCode::Foreign);
        self.report(item);
        Ok(())
    }

    fn refuse(&mut self, wanted: &Wanted, is_held: bool) -> Result<(), SyncError> {
        self.record.failures.no_digest = self.record.failures.no_digest.saturating_add(1);
        self.record.counts.failed = self.record.counts.failed.saturating_add(1);
        if !self.options.dry_run {
            self.ledger.retry_later(wanted, ItemCode::NoDigest, self.number)?;
        }
        let mut item = self.item(wanted, is_held, Done::Failed);
        item.code = Some(ItemCode::NoDigest);
        self.report(item);
        Ok(())
    }

    /// Processes the result of a job.
    pub(super) fn take_fetched(&mut self, job: Job, fetched: Fetched) -> Result<(), SyncError> {
        let is_other = match &fetched {
            Fetched::Deferred(_) => true,
            Fetched::Failed(failure) => matches!(failure.code, ItemCode::Digest | ItemCode::Length),
            _ => false,
        };
        if is_other && self.looks_again && self.changed_meanwhile.len() < LOOKED_UP {
            self.changed_meanwhile.push((job, fetched));
            return Ok(());
        }
        let Job { wanted, held, place, is_uncertain: job_asks, .. } = job;
        let (is_held, run) = (held.is_some(), self.number);
        let id = held.as_ref().map_or(0, |held| held.id);
        let path = held.as_ref().and_then(|held| held.path.clone());
        let entry = |held, mtime| ledger::Entry { id, uri: wanted.uri.clone(), path, held, mtime };
        match fetched {
            Fetched::Staged { number, held, mtime, by, received } => {
                self.record.report.bytes = self.record.report.bytes.saturating_add(received);
                let count = match by {
                    Verified::Digest => &mut self.record.report.verified.digest,
                    Verified::Length => &mut self.record.report.verified.length,
                    Verified::Nothing => &mut self.record.report.verified.nothing,
                };
                *count = count.saturating_add(1);
                self.group.push(Placing { number, entry: entry(held, mtime) });
                self.wanted.insert(number, wanted);
                if self.group.is_due() {
                    self.commit()?;
                }
            }
            Fetched::Same => {
                self.record.counts.unchanged = self.record.counts.unchanged.saturating_add(1);
                self.ledger.verified(&wanted.uri, &wanted)?;
            }
            Fetched::Adopted { held, mtime } => {
                self.record.counts.adopted = self.record.counts.adopted.saturating_add(1);
                self.ledger.adopted(entry(held, mtime), run)?;
            }
            Fetched::Conflict => self.conflict_with(&wanted)?,
            Fetched::Deferred(seen) => {
                self.record.counts.deferred = self.record.counts.deferred.saturating_add(1);
                self.ledger.retry_later(&wanted, ItemCode::Newer, run)?;
                let mut item = self.item(&wanted, is_held, Done::Deferred);
                (item.code, item.actual, item.kept) = (Some(ItemCode::Newer), Some(seen), is_held);
                self.report(item);
            }
            Fetched::Failed(failure) if job_asks && failure.code == ItemCode::Missing => self.gone(&wanted)?,
            Fetched::Failed(failure) => {
                self.record.counts.failed = self.record.counts.failed.saturating_add(1);
                if failure.is_transient {
                    self.record.failures.transient = self.record.failures.transient.saturating_add(1);
                } else if failure.is_unanswered {
                    self.record.failures.unanswered = self.record.failures.unanswered.saturating_add(1);
                }
                self.ledger.retry_later(&wanted, failure.code, run)?;
                let mut item = self.item(&wanted, is_held, Done::Failed);
                (item.code, item.cause, item.kept) = (Some(failure.code), failure.reason, is_held);
                item.actual = (failure.seen != Seen::default()).then_some(failure.seen);
                self.report(item);
            }
            Fetched::Unwritten(error) => {
                let mut item = self.item(&wanted, is_held, Done::Failed);
                (item.code, item.cause, item.kept) = (Some(ItemCode::NoSpace), Some(reason(&error)), is_held);
                item.path = Some(place);
                self.report(item);
                return Err(error.into());
            }
            Fetched::Unaffordable => {
                self.record.limited(Limit::Bytes);
                self.queue.give_up();
            }
            Fetched::Interrupted => self.queue.give_up(),
        }
        Ok(())
    }

    /// Counts a placed resource.
    pub(super) fn placed(&mut self, placing: &Placing) {
        let is_held = placing.entry.id != 0;
        let count = if is_held { &mut self.record.counts.updated } else { &mut self.record.counts.created };
        *count = count.saturating_add(1);
        if let Some(wanted) = self.wanted.remove(&placing.number) {
            let mut item = self.item(&wanted, is_held, Done::Done);
            if placing.entry.path.is_some() {
                item.path.clone_from(&placing.entry.path);
            }
            self.report(item);
        }
    }
}

impl parallel::Plan for Run<'_, '_> {
    type Job = Job;
    type Done = (Job, Fetched);
    type Error = SyncError;

    fn next(&mut self) -> Result<Next<Job>, SyncError> {
        loop {
            let is_late = self.deadline().is_some_and(|deadline| Instant::now() >= deadline);
            let is_enough = self.budget.is_spent();
            if self.cancel.is_cancelled() {
                return Ok(Next::Done);
            }
            let Some(todo) = self.queue.next(&self.ledger)? else { return Ok(Next::Done) };
            if is_late || is_enough {
                self.record.limited(if is_enough { Limit::Bytes } else { Limit::Time });
                self.queue.end();
                return Ok(Next::Done);
            }
            self.queue.attempt();
            if let Some(job) = self.job(todo)? {
                return Ok(Next::Job(job));
            }
        }
    }

    fn take(&mut self, (job, fetched): (Job, Fetched)) -> Result<(), SyncError> {
        self.take_fetched(job, fetched)
    }

    fn tick(&mut self) {
        self.progress(Phase::Resources, self.queue.attempted(), Some(self.queue.total()), self.record.report.bytes);
    }
}
