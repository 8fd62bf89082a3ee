//! The driver of a run: performs what the machine asks for, and returns the results to it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use resourcesync::limits::Limits;
use resourcesync_sync::{
    Action, Destination,
    conclude::Outcome,
    destination::{Broken, Input, Now, Output, Task, Transferred},
    documents::Documents,
    ledger::{Plan as _, Resources},
    listed_resource::Patch,
    report::{Report, StoredCounts},
};

use super::{
    Event, Options, SyncError,
    clock::{now, seconds},
    documents::{Reader, read},
    fetch::{Budget, Done, Fetcher, Job},
    folder::{Files, Folder, GROUP, Keep},
    handover,
    ledger::Ledger,
    open::{Opened, Prepared},
    options::{Phase, Progress},
    speed::Speed,
};
use crate::{
    cancel::Cancel,
    http::Client,
    parallel::{self, Next},
    patch::Format,
    system::reason,
};

/// Synchronizes what was opened, which is still locked afterwards.
pub(super) fn sync_opened(
    opened: Opened,
    started: String,
    uri: &str,
    client: &Arc<Client>,
    options: &Options,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<(Report, Opened), SyncError> {
    let (Prepared { machine, ledger, folder, run, .. }, locks) = opened.prepare(uri, started, options)?;
    let budget = Arc::new(Budget::new(options.settings.fetching.max_bytes));
    let mut driver = Driver {
        machine,
        ledger,
        folder,
        options,
        client,
        budget,
        cancel,
        on_event,
        speed: Speed::default(),
        begun: Instant::now(),
    };
    match driver.run() {
        Ok(()) => {}
        // Nothing was read yet, and only what a killed run had begun was changed.
        Err(SyncError::NoFiles) => return Err(SyncError::NoFiles),
        Err(error) => driver.machine.fail(match error.reason() {
            Some(why) => Broken::Folder(why),
            None => Broken::State(error.of_state()),
        }),
    }
    let (mut report, ledger, mut files) = driver.conclude(run);
    if options.saves_state
        && !options.settings.dry_run
        && let Err(error) = handover::save(&ledger, &mut files)
    {
        report.not_saved(error.of_state());
    }
    Ok((report, Opened { files, ledger, locks, notified: None }))
}

/// One run at work.
pub(super) struct Driver<'a, 'e> {
    pub(super) machine: Destination,
    pub(super) ledger: Ledger,
    pub(super) folder: Folder,
    pub(super) options: &'a Options,
    pub(super) client: &'a Arc<Client>,
    pub(super) budget: Arc<Budget>,
    pub(super) cancel: &'a Cancel,
    on_event: &'a mut (dyn FnMut(Event<'_>) + 'e),
    speed: Speed,
    begun: Instant,
}

impl Driver<'_, '_> {
    fn run(&mut self) -> Result<(), SyncError> {
        loop {
            let input = match self.machine.poll() {
                Output::Recover => self.recover()?,
                Output::Read => self.read()?,
                Output::Unpack(bytes) => self.unpack_all(bytes)?,
                Output::Transfer(bytes) => self.transfer(bytes)?,
                Output::Remove => self.remove()?,
                Output::Done if self.options.settings.dry_run => return Ok(()),
                Output::Done => return handover::finish(&self.ledger, self.folder.copies()?),
            };
            let now = self.now();
            let handled = self.machine.handle(now, input, &mut self.ledger, &mut self.folder);
            self.tell();
            handled?;
        }
    }

    /// Completes what a killed run has begun.
    fn recover(&mut self) -> Result<Input, SyncError> {
        let mut conflicts = 0;
        if !self.options.settings.dry_run {
            let changed = self.folder.recover(&mut self.ledger)?;
            self.machine.found_changed(changed);
        }
        if !matches!(self.options.keep, Keep::UntilDone) && !self.options.settings.reading.full {
            self.folder.check_files(&self.ledger)?;
        }
        if !self.options.settings.dry_run {
            conflicts = self.folder.relayout(&mut self.ledger, &|| self.cancel.is_cancelled())?;
        }
        Ok(Input::Recovered { stored: self.ledger.totals()?.0, conflicts })
    }

    fn read(&mut self) -> Result<Input, SyncError> {
        let deadline = self.options.settings.max_time.and_then(|most| self.begun.checked_add(most));
        let client = self.options.documents.as_ref().unwrap_or(self.client).clone();
        let cancel = self.cancel.clone();
        let is_whole = read(&client, &cancel, deadline, self)?;
        self.machine.measured(self.speed.rates(self.client.connections()));
        Ok(Input::Read { is_late: !is_whole })
    }

    fn transfer(&mut self, bytes: u64) -> Result<Input, SyncError> {
        self.folder.check_room(bytes)?;
        if self.options.settings.dry_run {
            self.check_plan()?;
            return Ok(Input::Transferred);
        }
        let keeps_versions = self.options.settings.fetching.keeps_versions;
        if self.machine.record().stored_before > 0 && (keeps_versions || self.ledger.planned()?.0 > 0) {
            self.ledger.index_digests()?;
        }
        let fetcher = self.fetcher()?;
        let workers = self.client.connections();
        let outcome = parallel::run(self, workers, || |job| fetcher.fetch(job));
        self.place_all(outcome)?;
        if self.machine.has_attempted_all() {
            self.folder.discard_parts()?;
        }
        Ok(Input::Transferred)
    }

    fn unpack_all(&mut self, bytes: u64) -> Result<Input, SyncError> {
        // Without room for packages beside what they contain, the resources are requested one by one.
        if self.folder.check_room(bytes).is_err() {
            return Ok(Input::Unpacked);
        }
        let fetcher = self.fetcher()?;
        let outcome = self.unpack(&fetcher);
        self.place_all(outcome)?;
        Ok(Input::Unpacked)
    }

    /// Places verified files, even if others failed.
    fn place_all(&mut self, outcome: Result<(), SyncError>) -> Result<(), SyncError> {
        let placed = self.folder.place_all(&mut self.ledger, &mut self.machine);
        let ended = outcome.and(placed);
        self.tell();
        if ended.is_err() {
            // The next run removes what cannot be removed now.
            let _ = self.folder.abandon(&self.ledger);
        }
        ended
    }

    fn fetcher(&mut self) -> Result<Fetcher, SyncError> {
        Ok(Fetcher {
            client: self.client.clone(),
            staging: self.folder.copies()?.staging(),
            budget: self.budget.clone(),
            cancel: self.cancel.clone(),
            inflate_ratio: self.options.settings.reading.limits.inflate_ratio,
            settings: self.options.settings.fetching.clone(),
        })
    }

    /// Reports the plan of a dry run.
    fn check_plan(&mut self) -> Result<(), SyncError> {
        while let Some(planned) = self.machine.next_planned(&self.ledger)? {
            let mirrors = self.machine.mirrors(planned.action, &planned.resource);
            let allowed = match mirrors.iter().any(|mirror| self.client.check(mirror).is_ok()) {
                true => Ok(()),
                false => self.client.check(&planned.resource.loc).map_err(|error| error.reason),
            };
            self.machine.planned(planned, allowed, &mut self.ledger)?;
            self.tell();
        }
        Ok(())
    }

    fn remove(&mut self) -> Result<Input, SyncError> {
        let due = self.machine.due();
        let total = Some(due.len() as u64);
        for group in due.chunks(GROUP) {
            if self.options.settings.dry_run {
                group.iter().for_each(|stored| self.machine.removed(stored));
                self.tell();
                continue;
            }
            let removed = self.folder.remove(group, &mut self.ledger, &mut self.machine);
            self.tell();
            removed?;
            let done = self.machine.record().counts.deleted;
            (self.on_event)(Event::Progress(Progress { phase: Phase::Deleting, done, total, amount: 0 }));
        }
        Ok(Input::Removed)
    }

    /// The job of a task; `None` if there is nothing to transfer.
    fn job(&mut self, mut task: Task) -> Result<Option<Job>, SyncError> {
        let is_allowed = self.client.check(&task.resource.loc).is_ok();
        if task.is_version {
            if !is_allowed {
                self.machine.version_transferred(task.resource, Transferred::NotAllowed, &mut self.ledger)?;
                return Ok(None);
            }
            let part = self.folder.take_part(&task.resource.loc);
            let has_other = part.is_none() && self.machine.record().stored_before > 0;
            let same = if has_other { self.folder.same_bytes(&task.resource, &self.ledger)? } else { None };
            return Ok(Some(Job { task, file: None, part, same, before: None }));
        }
        if task.resource.is_related && !is_allowed {
            self.machine.transferred(task, Transferred::NotAllowed, &mut self.ledger)?;
            return Ok(None);
        }
        task.mirrors.retain(|mirror| self.client.check(mirror).is_ok());
        let file = if task.compares_file { self.folder.found(&task.place) } else { None };
        if task.is_foreign && file.is_none() && !task.replaces {
            self.machine.transferred(task, Transferred::Conflict, &mut self.ledger)?;
            return Ok(None);
        }
        let part = self.folder.take_part(&task.resource.loc);
        let may_copy = task.action == Action::Fetch
            && !task.resource.is_asked()
            && part.is_none()
            && self.machine.record().stored_before > 0
            && is_allowed;
        let same = if may_copy { self.folder.same_bytes(&task.resource, &self.ledger)? } else { None };
        let has_program = |patch: &Patch| self.options.settings.fetching.program_of(patch).is_some();
        let is_known = |patch: &Patch| {
            (has_program(patch) || Format::of(&patch.essence()).is_some()) && self.client.check(&patch.uri).is_ok()
        };
        task.patch = task.patch.filter(is_known);
        let before = if task.patch.is_some() { self.folder.read(&task.place) } else { None };
        Ok(Some(Job { task, file, part, same, before }))
    }

    pub(super) fn tell(&mut self) {
        let on_event = &mut *self.on_event;
        self.machine.tell(&mut |item| on_event(Event::Item(item)));
    }

    pub(super) fn now(&self) -> Now {
        Now { seconds: seconds(), elapsed: self.begun.elapsed(), is_cancelled: self.cancel.is_cancelled() }
    }

    /// Ends the run; what it worked on can be used further.
    fn conclude(mut self, run: u64) -> (Report, Ledger, Files) {
        self.tell();
        let first = self.ledger.first_unreported(run).unwrap_or_default();
        let outcome = self.machine.conclude(&now(), &mut self.ledger, |error| error.of_state());
        if outcome == Outcome::InStep
            && !self.options.settings.dry_run
            && let Ok(copies) = self.folder.copies()
        {
            // The next run removes trash that cannot be removed now.
            let _ = copies.empty_trash(first, self.options.settings.placing.trash);
        }
        let (resources, bytes) = self.ledger.totals().unwrap_or_default();
        (self.machine.into_report(StoredCounts { resources, bytes }), self.ledger, self.folder.into_files())
    }
}

impl Reader for Driver<'_, '_> {
    fn machine(&mut self) -> Option<&mut dyn Documents> {
        self.machine.documents()
    }

    fn take(&mut self, documents: u64) -> Result<(), SyncError> {
        self.machine.take(&mut self.ledger, &mut self.folder)?;
        let (phase, amount) = (Phase::Documents, self.machine.entries());
        (self.on_event)(Event::Progress(Progress { phase, done: documents, total: None, amount }));
        Ok(())
    }

    fn limits(&self) -> Limits {
        self.options.settings.reading.limits.clone()
    }

    fn measure(&mut self, waited: Duration, bytes: u64, received: Duration) {
        self.speed.add(waited, bytes, received);
    }
}

impl parallel::Plan for Driver<'_, '_> {
    type Job = Job;
    type Done = Done;
    type Error = SyncError;

    fn next(&mut self) -> Result<Next<Job>, SyncError> {
        loop {
            let (now, is_spent) = (self.now(), self.budget.is_spent());
            let task = self.machine.next_task(now, is_spent, &mut self.ledger, &mut self.folder)?;
            let Some(task) = task else { return Ok(Next::Done) };
            if let Some(job) = self.job(task)? {
                return Ok(Next::Job(job));
            }
        }
    }

    fn take(&mut self, Done { task, fetched, failed_mirrors, failed_patch }: Done) -> Result<(), SyncError> {
        if let Some(reason) = failed_patch {
            self.machine.patch_failed(&task.resource, reason);
        }
        failed_mirrors.iter().for_each(|mirror| self.machine.mirror_failed(mirror));
        let transferred = match fetched {
            Ok(transferred) => transferred,
            Err(error) => {
                self.machine.unwritten(task, reason(&error));
                return Err(error.into());
            }
        };
        if task.is_version {
            let version = self.machine.version_transferred(task.resource, transferred, &mut self.ledger)?;
            if let Some(version) = version {
                self.folder.push_version(version, &mut self.ledger, &mut self.machine)?;
            }
            self.tell();
            return Ok(());
        }
        if let Some(placed) = self.machine.transferred(task, transferred, &mut self.ledger)? {
            self.folder.push(placed, &mut self.ledger, &mut self.machine)?;
        }
        self.tell();
        Ok(())
    }

    fn tick(&mut self) {
        let (done, total) = self.machine.attempted();
        let amount = self.machine.record().report.bytes;
        (self.on_event)(Event::Progress(Progress { phase: Phase::Resources, done, total: Some(total), amount }));
    }
}
