//! One run, from the lock to the report.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::Path,
    sync::Arc,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use cap_std::{ambient_authority, fs::Dir};
use resourcesync::{
    diagnostic::{Arg, Reason},
    report::Lang,
    value::Datetime,
};
use resourcesync_sync::{
    Layout, Places, Survey, Wanted, catalogue,
    conclude::{Facts, Outcome, conclude},
    guard::Evidence,
    report::{
        Counts, Document, DocumentStatus, Doing, Done, FORMAT, Finding, HeldCounts, Item, ItemCode, Plan, PlanWhy,
        Report, Seen, Tool, VerifiedCounts,
    },
    survey::Findings,
    transfer::Verified,
};

use super::{
    Event, Options, SyncError,
    commit::Group,
    copies::{self, Copies, Look, OWN},
    ledger::{self, Ledger, Placing, Todo},
    list::Bits,
    options::{Phase, Progress},
    transfer::{Fetched, Fetcher, Job},
};
use crate::{
    cancel::Cancel,
    folder::Lock,
    http::Client,
    parallel::{self, Next},
    system::reason,
};

/// Rows of the plan read per query.
const AHEAD: usize = 256;

/// The Source of the copy in a folder, if there is one.
///
/// # Errors
///
/// If the state cannot be read.
pub fn source(folder: &Path) -> Result<Option<String>, SyncError> {
    let Some(ledger) = Ledger::read(&folder.join(OWN).join("state.sqlite"))? else { return Ok(None) };
    ledger.get("source")
}

/// The files of a copy.
pub(super) enum Files {
    /// Open for writing.
    Own(Box<Copies>),
    /// Open for reading, if they exist.
    Others(Option<Dir>),
}

impl Files {
    pub(super) fn look(&mut self, place: &str) -> io::Result<Option<Look>> {
        match self {
            Files::Own(copies) => copies.look(place),
            Files::Others(Some(root)) => Ok(copies::look_at(root, place)?.map(|(look, ..)| look)),
            Files::Others(None) => Ok(None),
        }
    }
}

/// One run.
pub(super) struct Run<'a, 'e> {
    pub(super) options: &'a Options,
    pub(super) client: Arc<Client>,
    pub(super) cancel: Cancel,
    pub(super) ledger: Ledger,
    pub(super) files: Files,
    pub(super) places: Places,
    pub(super) number: u64,
    pub(super) group: Group,
    /// Resources in staging, by their numbers.
    pub(super) wanted: HashMap<u64, Wanted>,
    pub(super) listed: Bits,
    pub(super) counts: Counts,
    pub(super) facts: Facts,
    /// Files that were changed by other programs.
    pub(super) changed: u64,
    pub(super) held_before: u64,
    on_event: &'e mut dyn FnMut(Event<'_>),
    verified: VerifiedCounts,
    bytes: u64,
    items: Vec<Item>,
    left_out: u64,
    findings: Vec<Finding>,
    no_digest: u64,
    transient: u64,
    /// Rows of the plan that were read.
    ahead: std::vec::IntoIter<Todo>,
    after: i64,
    begun: Instant,
    is_over_budget: bool,
    given: u64,
    total: u64,
}

/// Synchronizes a folder with a Source.
///
/// # Errors
///
/// If no run is possible: the folder or its state cannot be used, or it contains another copy. Later errors are in the report.
pub fn sync(
    uri: &str,
    folder: &Path,
    client: &Arc<Client>,
    options: &Options,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Report, SyncError> {
    let started = now();
    let (files, mut ledger, lock) = open(folder, options)?;
    if let Some(held) = ledger.get("source")?.filter(|held| held != uri) {
        return Err(SyncError::OtherSource { held });
    }
    let held = ledger.get("layout")?.and_then(|layout| Layout::find(&layout));
    if let Some((held, _)) = held.zip(options.layout).filter(|(held, wanted)| held != wanted) {
        return Err(SyncError::OtherLayout { held: held.as_str() });
    }
    let layout = held.or(options.layout).unwrap_or_default();
    let number = if options.dry_run {
        ledger.last_run()?.saturating_add(1)
    } else {
        let transaction = ledger.transaction()?;
        ledger::set(&transaction, "source", uri)?;
        ledger::set(&transaction, "layout", layout.as_str())?;
        transaction.commit()?;
        ledger.begin_run(&started)?
    };
    let held_before = ledger.totals()?.0;
    let mut run = Run {
        options,
        client: client.clone(),
        cancel: cancel.clone(),
        ledger,
        files,
        places: Places::new(layout, uri),
        number,
        group: Group::default(),
        wanted: HashMap::new(),
        listed: Bits::default(),
        counts: Counts::default(),
        facts: Facts::default(),
        changed: 0,
        held_before,
        on_event,
        verified: VerifiedCounts::default(),
        bytes: 0,
        items: Vec::new(),
        left_out: 0,
        findings: Vec::new(),
        no_digest: 0,
        transient: 0,
        ahead: Vec::new().into_iter(),
        after: 0,
        begun: Instant::now(),
        is_over_budget: false,
        given: 0,
        total: 0,
    };
    let mut report = run.blank(uri, started);
    if let Err(error) = run.go(uri, &mut report) {
        run.facts.failed = true;
        match error.reason() {
            Some(why) => run.find("SYN-15", [("reason", why.into())]),
            None => run.find("SYN-11", [("reason", Reason::other(error.to_string()).into())]),
        }
    }
    run.finish(&mut report);
    drop(lock);
    Ok(report)
}

/// The folder, its ledger, and the lock.
fn open(folder: &Path, options: &Options) -> Result<(Files, Ledger, Option<Lock>), SyncError> {
    if options.dry_run {
        let root = match Dir::open_ambient_dir(folder, ambient_authority()) {
            Ok(root) => Some(root),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let ledger = Ledger::read(&folder.join(OWN).join("state.sqlite"))?;
        return Ok((Files::Others(root), ledger.map_or_else(Ledger::empty, Ok)?, None));
    }
    let copies = Copies::open(folder)?;
    let lock = Lock::take(&copies.own_path())?;
    let ledger = Ledger::open(&copies.own_path().join("state.sqlite"))?;
    Ok((Files::Own(Box::new(copies)), ledger, Some(lock)))
}

impl Run<'_, '_> {
    fn go(&mut self, uri: &str, report: &mut Report) -> Result<(), SyncError> {
        if !self.options.dry_run {
            self.recover()?;
            self.held_before = self.ledger.totals()?.0;
        }
        let settled = self.ledger.get("settled")?;
        let is_settled = settled.as_deref() == Some(&self.settled()) && self.kept_is_fine()?;
        let polls = is_settled && !self.options.baseline && !self.options.accept_older;
        let remembered = self.ledger.remembered()?;
        let why = match (&settled, polls) {
            (None, _) => PlanWhy::FirstRun,
            (_, false) if self.options.baseline => PlanWhy::Requested,
            (_, false) => PlanWhy::Unfinished,
            (_, true) => PlanWhy::DocumentsChanged,
        };
        let mut survey = Survey::new(uri, remembered, polls, &self.options.limits);
        if self.options.accept_older {
            survey = survey.accepting_older();
        }
        let found = self.list(survey)?;
        self.note_documents(&found, report);
        let why = if found.is_unchanged { PlanWhy::NothingChanged } else { why };
        self.facts.lists_complete = found.lists_complete;
        self.facts.one_snapshot = found.mixed.is_none();
        self.facts.unreadable_entries = found.unreadable_entries;
        self.facts.older = !found.older.is_empty();
        if self.facts.older {
            // The lists are older than before: nothing of them is used.
            self.ledger.forget(None)?;
            return Ok(());
        }
        if found.is_unchanged {
            for wanted in self.ledger.debts()? {
                self.ledger.plan(0, "fetch", &wanted)?;
            }
            self.counts.unchanged = self.held_before;
        } else if !self.options.dry_run {
            // From here until the end, the recorded documents must not be relied on.
            let transaction = self.ledger.transaction()?;
            ledger::set(&transaction, "settled", "no")?;
            if found.lists_complete {
                transaction.execute("DELETE FROM debt", [])?;
            }
            transaction.commit()?;
        }
        let (requests, bytes) = self.ledger.planned()?;
        report.plan = Some(Plan { why, requests, bytes });
        self.total = requests;
        self.check_room(bytes)?;
        if self.options.dry_run {
            self.dry_run()?;
        } else {
            self.transfer()?;
        }
        if self.cancel.is_cancelled() {
            self.facts.interrupted = true;
        }
        self.counts.left = self.total.saturating_sub(self.given);
        let evidence = Evidence {
            lists_complete: found.lists_complete,
            one_snapshot: found.mixed.is_none(),
            unreadable_entries: found.unreadable_entries,
            listed: found.listed,
            transient_failures: self.transient,
            stopped: self.facts.interrupted || self.counts.left > 0,
        };
        if !found.is_unchanged {
            self.delete(evidence)?;
        }
        if self.options.dry_run {
            return Ok(());
        }
        self.settle(&found)
    }

    /// Records the state that lets the next run skip unchanged work.
    fn settle(&mut self, found: &Findings) -> Result<(), SyncError> {
        let is_whole = found.lists_complete
            && found.mixed.is_none()
            && found.unreadable_entries == 0
            && self.counts.left == 0
            && !self.facts.interrupted
            && self.facts.withheld.is_none_or(|why| why == resourcesync_sync::guard::Withheld::NotWanted);
        if is_whole && !found.is_unchanged {
            let settled = self.settled();
            let kept = self.counts.withheld;
            let transaction = self.ledger.transaction()?;
            ledger::set(&transaction, "documents", &serde_json::to_string(&found.remembered)?)?;
            ledger::set(&transaction, "settled", &settled)?;
            ledger::set(&transaction, "kept", &kept.to_string())?;
            transaction.commit()?;
        }
        Ok(())
    }

    /// The options that must be equal for the result of a run to be valid for the next one.
    fn settled(&self) -> String {
        if self.options.require_hash { "with-digests".to_owned() } else { "yes".to_owned() }
    }

    /// True unless resources that are no longer listed were kept and may now be deleted.
    fn kept_is_fine(&self) -> Result<bool, SyncError> {
        let kept = self.ledger.get("kept")?.unwrap_or_default();
        Ok(self.options.max_delete.is_none() || matches!(kept.as_str(), "" | "0"))
    }

    fn check_room(&mut self, bytes: u64) -> Result<(), SyncError> {
        let Files::Own(copies) = &self.files else { return Ok(()) };
        let needed = bytes.saturating_add(bytes / 20);
        match copies.room() {
            Some(room) if room < needed => Err(SyncError::Io(io::ErrorKind::StorageFull.into())),
            _ => Ok(()),
        }
    }

    pub(super) fn copies(&mut self) -> Result<&mut Copies, SyncError> {
        match &mut self.files {
            Files::Own(copies) => Ok(copies),
            Files::Others(_) => Err(SyncError::NotACopy),
        }
    }

    fn transfer(&mut self) -> Result<(), SyncError> {
        let fetcher = Fetcher {
            client: self.client.clone(),
            staging: self.copies()?.staging(),
            cancel: self.cancel.clone(),
            inflate_ratio: self.options.limits.inflate_ratio,
        };
        let workers = self.client.connections();
        let outcome = parallel::run(self, workers, || |job| fetcher.fetch(job));
        // Verified files are placed even if others failed.
        let committed = self.commit_all();
        outcome.and(committed)
    }

    /// Reports the plan.
    fn dry_run(&mut self) -> Result<(), SyncError> {
        while let Some(todo) = self.todo()? {
            self.given = self.given.saturating_add(1);
            let is_held = self.ledger.find(&todo.wanted.uri)?.is_some();
            let count = if is_held { &mut self.counts.updated } else { &mut self.counts.created };
            *count = count.saturating_add(1);
            if todo.action == "refuse" {
                self.refuse(&todo.wanted, is_held)?;
                continue;
            }
            let item = self.item(&todo.wanted, is_held, Done::Planned);
            self.report(item);
        }
        Ok(())
    }

    fn todo(&mut self) -> Result<Option<Todo>, SyncError> {
        if self.ahead.len() == 0 {
            self.ahead = self.ledger.todo(self.after, AHEAD)?.into_iter();
        }
        let todo = self.ahead.next();
        if let Some(todo) = &todo {
            self.after = todo.seq;
        }
        Ok(todo)
    }

    fn job(&mut self, todo: Todo) -> Result<Option<Job>, SyncError> {
        let Todo { action, wanted, .. } = todo;
        let held = self.ledger.find(&wanted.uri)?;
        if action == "refuse" {
            self.refuse(&wanted, held.is_some())?;
            return Ok(None);
        }
        let layout = self.places.of(&wanted.uri).unwrap_or_default();
        let place = held.as_ref().and_then(|held| held.path.clone()).unwrap_or(layout);
        let look = if place.is_empty() { None } else { self.copies()?.look(&place)? };
        let is_foreign = held.is_none() && look.is_some_and(|look| look.is_file);
        let hashes = action == "hash" || (is_foreign && self.options.adopt);
        let file = if hashes { self.copies()?.read(&place).ok() } else { None };
        let asks = action == "check" && look.is_some();
        let replaces = self.options.overwrite;
        if is_foreign && file.is_none() && !replaces {
            self.conflict_with(&wanted)?;
            return Ok(None);
        }
        Ok(Some(Job { wanted, held, place, asks, file, adopts: is_foreign, replaces }))
    }

    fn conflict_with(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        self.counts.conflicts = self.counts.conflicts.saturating_add(1);
        self.ledger.owe(wanted, ItemCode::Foreign, self.number)?;
        let mut item = self.item(wanted, false, Done::Conflict);
        item.code = Some(ItemCode::Foreign);
        self.report(item);
        Ok(())
    }

    fn refuse(&mut self, wanted: &Wanted, is_held: bool) -> Result<(), SyncError> {
        self.no_digest = self.no_digest.saturating_add(1);
        self.counts.failed = self.counts.failed.saturating_add(1);
        if !self.options.dry_run {
            self.ledger.owe(wanted, ItemCode::NoDigest, self.number)?;
        }
        let mut item = self.item(wanted, is_held, Done::Failed);
        item.code = Some(ItemCode::NoDigest);
        self.report(item);
        Ok(())
    }

    /// Processes the result of a job.
    fn take_fetched(&mut self, job: Job, fetched: Fetched) -> Result<(), SyncError> {
        let Job { wanted, held, place, .. } = job;
        let (is_held, run) = (held.is_some(), self.number);
        let id = held.as_ref().map_or(0, |held| held.id);
        let path = held.as_ref().and_then(|held| held.path.clone());
        let entry = |held, mtime| ledger::Entry { id, uri: wanted.uri.clone(), path, held, mtime };
        match fetched {
            Fetched::Staged { number, held, mtime, by, received } => {
                self.bytes = self.bytes.saturating_add(received);
                let count = match by {
                    Verified::Digest => &mut self.verified.digest,
                    Verified::Length => &mut self.verified.length,
                    Verified::Nothing => &mut self.verified.nothing,
                };
                *count = count.saturating_add(1);
                self.group.push(Placing { number, entry: entry(held, mtime) });
                self.wanted.insert(number, wanted);
                if self.group.is_due() {
                    self.commit()?;
                }
            }
            Fetched::Same => {
                self.counts.unchanged = self.counts.unchanged.saturating_add(1);
                self.ledger.verified(&wanted.uri, &wanted)?;
            }
            Fetched::Adopted { held, mtime } => {
                self.counts.adopted = self.counts.adopted.saturating_add(1);
                let placing = Placing { number: u64::MAX >> 1, entry: entry(held, mtime) };
                let transaction = self.ledger.transaction()?;
                ledger::placed(&transaction, &[placing], run)?;
                transaction.commit()?;
            }
            Fetched::Conflict => self.conflict_with(&wanted)?,
            Fetched::Deferred(seen) => {
                self.counts.deferred = self.counts.deferred.saturating_add(1);
                self.ledger.owe(&wanted, ItemCode::Newer, run)?;
                let mut item = self.item(&wanted, is_held, Done::Deferred);
                (item.code, item.actual, item.kept) = (Some(ItemCode::Newer), Some(seen), is_held);
                self.report(item);
            }
            Fetched::Failed(failure) => {
                self.counts.failed = self.counts.failed.saturating_add(1);
                if failure.is_transient {
                    self.transient = self.transient.saturating_add(1);
                }
                self.ledger.owe(&wanted, failure.code, run)?;
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
            Fetched::Interrupted => self.given = self.given.saturating_sub(1),
        }
        Ok(())
    }

    /// Counts a placed resource.
    pub(super) fn placed(&mut self, placing: &Placing) {
        let is_held = placing.entry.id != 0;
        let count = if is_held { &mut self.counts.updated } else { &mut self.counts.created };
        *count = count.saturating_add(1);
        if let Some(wanted) = self.wanted.remove(&placing.number) {
            let mut item = self.item(&wanted, is_held, Done::Done);
            if placing.entry.path.is_some() {
                item.path.clone_from(&placing.entry.path);
            }
            self.report(item);
        }
    }

    pub(super) fn item(&self, wanted: &Wanted, is_held: bool, result: Done) -> Item {
        let expected = Seen { hash: wanted.hash.clone(), length: wanted.length };
        Item {
            uri: wanted.uri.clone(),
            path: self.places.of(&wanted.uri),
            action: if is_held { Doing::Update } else { Doing::Create },
            result,
            code: None,
            cause: None,
            expected: (expected != Seen::default()).then_some(expected),
            actual: None,
            kept: false,
        }
    }

    /// Reports an item, and stores it for the report: items that need attention take precedence over completed
    /// ones.
    pub(super) fn report(&mut self, item: Item) {
        (self.on_event)(Event::Item(&item));
        let is_quiet = |item: &Item| matches!(item.result, Done::Done | Done::Planned) && item.action != Doing::Delete;
        if self.items.len() < self.options.max_listed {
            self.items.push(item);
            return;
        }
        self.left_out = self.left_out.saturating_add(1);
        if !is_quiet(&item)
            && let Some(quiet) = self.items.iter_mut().rev().find(|item| is_quiet(item))
        {
            *quiet = item;
        }
    }

    pub(super) fn progress(&mut self, phase: Phase, done: u64, total: Option<u64>, amount: u64) {
        (self.on_event)(Event::Progress(Progress { phase, done, total, amount }));
    }

    /// Adds a finding about the run.
    pub(super) fn find<const N: usize>(&mut self, code: &str, args: [(&str, Arg); N]) {
        let Some(row) = catalogue::Row::find(code) else { return };
        let args: BTreeMap<String, Arg> = args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        self.findings.push(Finding {
            code: row.id.to_owned(),
            severity: row.severity.as_str().to_owned(),
            message: row.message(&args, Lang::En),
            help: row.help(&args, Lang::En),
            args,
        });
    }

    fn note_documents(&mut self, found: &Findings, report: &mut Report) {
        report.as_of = found.remembered.as_of().map(str::to_owned);
        for read in &found.documents {
            let status = match &read.unread {
                Some(_) => DocumentStatus::Unread,
                None if found.is_unchanged => DocumentStatus::Unchanged,
                None => DocumentStatus::Read,
            };
            report.documents.push(Document {
                uri: read.uri.clone(),
                kind: read.kind.as_str().to_owned(),
                status,
                entries: read.entries,
                cause: read.unread.clone(),
            });
            if let Some(why) = &read.unread {
                self.find("SYN-16", [("uri", read.uri.as_str().into()), ("reason", why.clone().into())]);
            }
        }
        if let Some(index) = &found.mixed {
            self.find("SYN-05", [("uri", index.as_str().into())]);
        }
        if found.unreadable_entries > 0 {
            self.find("SYN-17", [("n", found.unreadable_entries.into())]);
        }
        for (uri, at, seen) in &found.older {
            self.find(
                "SYN-02",
                [("uri", uri.as_str().into()), ("at", at.as_str().into()), ("seen", seen.as_str().into())],
            );
        }
    }

    fn blank(&self, uri: &str, started: String) -> Report {
        Report {
            format: FORMAT.to_owned(),
            format_version: 1,
            tool: Tool { name: "resourcesync".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            run: resourcesync_sync::report::Run {
                number: self.number,
                dry_run: self.options.dry_run,
                outcome: Outcome::Failed,
                started,
                ended: String::new(),
            },
            source: uri.to_owned(),
            as_of: None,
            plan: None,
            documents: Vec::new(),
            held: HeldCounts::default(),
            counts: Counts::default(),
            verified: VerifiedCounts::default(),
            bytes: 0,
            withheld: None,
            items: Vec::new(),
            left_out: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Determines the outcome.
    fn finish(mut self, report: &mut Report) {
        let counts = self.counts;
        if counts.deferred > 0 {
            self.find("SYN-06", [("n", counts.deferred.into())]);
        }
        if counts.conflicts > 0 {
            self.find("SYN-09", [("n", counts.conflicts.into())]);
        }
        if self.changed > 0 {
            self.find("SYN-10", [("n", self.changed.into())]);
        }
        if self.no_digest > 0 {
            self.find("SYN-12", [("n", self.no_digest.into())]);
        }
        if self.is_over_budget {
            let limit =
                if self.options.max_bytes.is_some_and(|most| self.bytes >= most) { "max-bytes" } else { "max-time" };
            self.find("SYN-14", [("limit", limit.into()), ("n", counts.left.into())]);
        }
        self.facts.left = if self.options.dry_run { self.total } else { counts.left };
        self.facts.conflicts = counts.conflicts;
        // Debts that could not be counted are assumed to exist.
        self.facts.debts = self.ledger.debts().map_or(1, |debts| debts.len() as u64);
        if self.options.dry_run && counts.deleted > 0 {
            self.facts.left = self.facts.left.saturating_add(counts.deleted);
        }
        let outcome = conclude(&self.facts);
        report.run.ended = now();
        report.run.outcome = outcome;
        let (resources, bytes) = self.ledger.totals().unwrap_or_default();
        report.held = HeldCounts { resources, bytes };
        (report.counts, report.verified, report.bytes) = (counts, self.verified, self.bytes);
        report.withheld = self.facts.withheld;
        // Items that need attention come first.
        self.items.sort_by_key(|item| match (item.result, item.action) {
            (Done::Failed, _) => 0,
            (Done::Conflict, _) => 1,
            (Done::Deferred | Done::Withheld, _) => 2,
            (_, Doing::Delete) => 3,
            _ => 4,
        });
        report.items = std::mem::take(&mut self.items);
        report.left_out = self.left_out;
        if !self.options.dry_run {
            let number = self.number;
            if outcome == Outcome::InStep
                && let Ok(copies) = self.copies()
            {
                // The next run removes trash that cannot be removed now.
                let _ = copies.empty_trash(number);
            }
            let counts = serde_json::to_string(&counts).unwrap_or_default();
            if let Err(error) = self.ledger.end_run(number, &report.run.ended, outcome.as_str(), &counts) {
                report.run.outcome = Outcome::Failed;
                self.find("SYN-11", [("reason", Reason::other(error.to_string()).into())]);
            }
        }
        report.diagnostics = std::mem::take(&mut self.findings);
    }
}

impl parallel::Plan for Run<'_, '_> {
    type Job = Job;
    type Done = (Job, Fetched);
    type Error = SyncError;

    fn next(&mut self) -> Result<Next<Job>, SyncError> {
        loop {
            let is_late = self.options.max_time.is_some_and(|most| self.begun.elapsed() >= most);
            let is_enough = self.options.max_bytes.is_some_and(|most| self.bytes >= most);
            if self.cancel.is_cancelled() {
                return Ok(Next::Done);
            }
            let Some(todo) = self.todo()? else { return Ok(Next::Done) };
            if is_late || is_enough {
                self.is_over_budget = true;
                self.ahead = Vec::new().into_iter();
                self.after = i64::MAX;
                return Ok(Next::Done);
            }
            self.given = self.given.saturating_add(1);
            if let Some(job) = self.job(todo)? {
                return Ok(Next::Job(job));
            }
        }
    }

    fn take(&mut self, (job, fetched): (Job, Fetched)) -> Result<(), SyncError> {
        self.take_fetched(job, fetched)
    }

    fn tick(&mut self) {
        self.progress(Phase::Resources, self.given, Some(self.total), self.bytes);
    }
}

/// The current time, as in the report.
fn now() -> String {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX);
    Datetime::from_unix(seconds, 0).map(|now| now.to_string()).unwrap_or_default()
}
