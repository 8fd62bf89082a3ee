//! One run, from the lock to the report.

use std::{collections::HashMap, io, path::Path, sync::Arc, time::Instant};

use resourcesync_sync::{
    Action, Checkpoint, Local, Places, Survey, Wanted,
    chain::{FollowedSets, State, earliest, is_behind},
    conclude::Outcome,
    guard::Evidence,
    record::Record,
    report::{Plan, PlanKind, PlanWhy, Report},
    survey::Findings,
};

use super::{
    Event, Options, PlanChoice, SyncError,
    bits::Bits,
    budget::Budget,
    clock::{now, seconds},
    commit::Group,
    copies::{Copies, Look, Part},
    files::Files,
    fixed::Fixed,
    ledger::{Entry, Ledger, Settled},
    open::{Opened, open, state_of},
    queue::Queue,
    selection::Selector,
    store::Keep,
    transfer::{Fetched, Job},
};
use crate::{cancel::Cancel, folder::FolderError, http::Client};

/// Seconds after which a Source Description is requested again.
const DAY: i64 = 86_400;

/// One run.
pub(super) struct Run<'a, 'e> {
    pub(super) options: &'a Options,
    pub(super) client: Arc<Client>,
    /// Requests documents.
    pub(super) documents: Arc<Client>,
    pub(super) selector: Selector,
    pub(super) cancel: Cancel,
    pub(super) ledger: Ledger,
    pub(super) files: Files,
    pub(super) places: Places,
    pub(super) number: u64,
    pub(super) group: Group,
    /// Resources in staging, by their numbers.
    pub(super) wanted: HashMap<u64, Wanted>,
    /// What earlier runs received of resources, by URI.
    pub(super) parts: HashMap<String, Part>,
    pub(super) listed: Bits,
    /// What Change Lists state as deleted.
    pub(super) marked_deleted: Bits,
    /// True in a run that compares with the Resource Lists.
    pub(super) compares_lists: bool,
    /// True while resources with other bytes than listed are collected, to be looked up again.
    pub(super) looks_again: bool,
    pub(super) changed_meanwhile: Vec<(Job, Fetched)>,
    pub(super) record: Record,
    pub(super) on_event: &'e mut dyn FnMut(Event<'_>),
    pub(super) budget: Arc<Budget>,
    pub(super) queue: Queue,
    pub(super) begun: Instant,
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
    match open(folder, options, cancel) {
        Err(SyncError::Folder(FolderError::Locked(_))) => Ok(locked(uri, folder, options, started)),
        opened => Ok(sync_opened(opened?, started, uri, client, options, cancel, on_event)?.0),
    }
}

/// The same with what was opened, which is still locked afterwards.
pub(super) fn sync_opened(
    opened: Opened,
    started: String,
    uri: &str,
    client: &Arc<Client>,
    options: &Options,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<(Report, Opened), SyncError> {
    let Opened { files, mut ledger, locks, notified } = opened;
    let rebuilding;
    let mut options = options;
    if options.rebuild {
        rebuilding = Options { adopt: true, overwrite: true, ..options.clone() };
        options = &rebuilding;
    }
    let fixed = Fixed::bound(&ledger)?.unwrap_or_default();
    let goal = fixed.with(uri, options)?;
    let is_renamed = options.relayout && fixed.is_laid_out_otherwise(&goal);
    ledger.check_keep(&options.keep)?;
    if is_renamed && matches!(options.keep, Keep::Store(_)) {
        return Err(SyncError::OtherLayout { held: "of the first run" });
    }
    if let (Some(state), Files::Own(copies)) = (&options.state, &files) {
        let own = copies.own_path().display().to_string();
        match ledger.get("folder")? {
            Some(other) if other != own => {
                return Err(SyncError::OtherFolder { state: state.display().to_string(), held: other });
            }
            _ => ledger.put("folder", &own)?,
        }
    }
    let number = if options.dry_run {
        ledger.last_run()?.saturating_add(1)
    } else {
        ledger.keep_in(&options.keep)?;
        if is_renamed {
            fixed.begin_relayout(&goal, &mut ledger)?;
        } else {
            goal.write(&mut ledger)?;
        }
        let after = match &files {
            Files::Own(copies) => copies.last_trash()?,
            Files::Others(..) => 0,
        };
        ledger.begin_run(&started, after)?
    };
    let stored_before = ledger.totals()?.0;
    let mut run = Run {
        options,
        client: client.clone(),
        documents: options.documents.clone().unwrap_or_else(|| client.clone()),
        selector: Selector::new(&options.selection),
        cancel: cancel.clone(),
        ledger,
        files,
        places: goal.places(),
        number,
        group: Group::default(),
        wanted: HashMap::new(),
        parts: HashMap::new(),
        listed: Bits::default(),
        marked_deleted: Bits::default(),
        compares_lists: false,
        looks_again: false,
        changed_meanwhile: Vec::new(),
        record: Record::new(Report::begin(number, options.dry_run, uri, started), options.max_listed, stored_before),
        on_event,
        budget: Arc::new(Budget::new(options.max_bytes)),
        queue: Queue::default(),
        begun: Instant::now(),
    };
    let ran = match notified {
        Some(changes) => run.apply_notified(&changes),
        None => run.go(uri, &goal),
    };
    if let Err(error) = ran {
        run.record.facts.failed = true;
        match error.reason() {
            Some(why) => run.record.find("SYN-15", [("reason", why.into())]),
            None => run.record.find("SYN-11", [("reason", error.of_state().into())]),
        }
    }
    let (report, ledger, files) = run.finish();
    Ok((report, Opened { files, ledger, locks, notified: None }))
}

/// The report where another run is at work.
fn locked(uri: &str, folder: &Path, options: &Options, started: String) -> Report {
    let mut report = Report::begin(0, options.dry_run, uri, started);
    report.run.outcome = Outcome::Locked;
    report.run.ended = now();
    let held = Ledger::read(&state_of(folder, options.state.as_deref()));
    if let Ok(Some(totals)) = held.and_then(|held| held.map(|held| held.totals()).transpose()) {
        (report.held.resources, report.held.bytes) = totals;
    }
    report
}

impl Run<'_, '_> {
    fn go(&mut self, uri: &str, goal: &Fixed) -> Result<(), SyncError> {
        if !self.options.dry_run {
            self.recover()?;
            self.relayout()?;
            self.record.stored_before = self.ledger.totals()?.0;
        }
        let settled = self.ledger.get("settled")?;
        let before = self.ledger.checkpoints()?;
        let is_settled =
            settled.as_deref() == Some(&self.options.settled()) && !before.is_empty() && self.kept_is_fine()?;
        let mut polls = is_settled && !self.options.baseline && !self.options.accept_older;
        let mut why = match (&settled, polls) {
            (None, _) => PlanWhy::FirstRun,
            (_, false) if self.options.baseline => PlanWhy::Requested,
            (_, false) => PlanWhy::Unfinished,
            (_, true) => PlanWhy::DocumentsChanged,
        };
        let is_usable = polls && before.iter().all(Checkpoint::is_usable);
        // Only newer Resource Lists show what no Change List contains.
        let has_hole = before.iter().any(|before| before.hole.is_some());
        if is_usable && self.options.plan != PlanChoice::List && !has_hole {
            if self.options.plan == PlanChoice::Auto && self.is_description_due(&before)? {
                let survey = self.surveying(uri, goal, true)?.checking_descriptions();
                let found = self.list(survey)?;
                if !found.is_unchanged {
                    return self.by_lists(&found, PlanWhy::DocumentsChanged, &before);
                }
                self.record.note_documents(&found);
                if before.len() == 1 && !self.options.dry_run {
                    self.ledger.put("described", &seconds().to_string())?;
                }
            }
            let followed = self.follow(&before, false)?;
            why = match followed.state {
                State::Gap if self.options.plan == PlanChoice::Auto => PlanWhy::Gap,
                State::Absent => PlanWhy::NoChangeLists,
                _ if self.confirm(&followed)? && self.options.plan == PlanChoice::Auto => PlanWhy::Unfinished,
                _ => return self.by_changes(followed),
            };
            polls = false;
        }
        let mut found = self.survey(uri, goal, polls)?;
        if found.is_unchanged && is_usable {
            let followed = self.follow(&before, false)?;
            let lacks = self.confirm(&followed)?;
            if followed.state != State::Gap && followed.state != State::Absent && !lacks {
                self.record.note_documents(&found);
                return self.by_changes(followed);
            }
            why = match followed.state {
                State::Gap => PlanWhy::Gap,
                State::Absent => PlanWhy::NoChangeLists,
                _ => PlanWhy::Unfinished,
            };
            found = self.survey(uri, goal, false)?;
        }
        self.by_lists(&found, why, &before)
    }

    /// Reads the Resource Lists, or checks whether they have changed.
    fn survey(&mut self, uri: &str, goal: &Fixed, polls: bool) -> Result<Findings, SyncError> {
        let survey = self.surveying(uri, goal, polls)?;
        self.list(survey)
    }

    fn surveying(&self, uri: &str, goal: &Fixed, polls: bool) -> Result<Survey, SyncError> {
        let remembered = self.ledger.remembered()?;
        let survey = Survey::new(uri, remembered, polls, seconds(), &self.options.limits)
            .selecting(&goal.sets)
            .having_reached(&self.ledger.checkpoints()?);
        Ok(if self.options.accept_older { survey.accepting_older() } else { survey })
    }

    /// True if the Source Description is to be requested before Change Lists are followed: each time if it names several Capability Lists, of
    /// which one may vanish, and else once a day.
    fn is_description_due(&self, before: &[Checkpoint]) -> Result<bool, SyncError> {
        let last = self.ledger.get("described")?.and_then(|text| text.parse().ok());
        let is_recent = |last: i64| (0..DAY).contains(&seconds().saturating_sub(last));
        Ok(before.len() > 1 || !last.is_some_and(is_recent))
    }

    /// A run that compares with the Resource Lists, and then processes the changes since.
    fn by_lists(&mut self, found: &Findings, why: PlanWhy, before: &[Checkpoint]) -> Result<(), SyncError> {
        self.record.note_documents(found);
        let why = if found.is_unchanged { PlanWhy::NothingChanged } else { why };
        self.record.facts.lists_complete = found.lists_complete;
        self.record.facts.one_snapshot = found.mixed.is_none();
        self.record.facts.unreadable_entries = found.unreadable_entries;
        self.record.facts.older = !found.older.is_empty();
        self.record.report.as_of = found.remembered.as_of().map(str::to_owned);
        self.record.report.poll_after = found.fresh_for;
        if self.record.facts.older {
            // The lists are older than before: nothing of them is used.
            self.check_age();
            self.ledger.forget(None)?;
            return Ok(());
        }
        let mut followed = None;
        if found.is_unchanged {
            for wanted in self.ledger.retries()? {
                self.ledger.plan(0, Action::Fetch, &wanted)?;
            }
            self.record.counts.unchanged = self.record.stored_before;
        } else {
            self.compares_lists = true;
            let checkpoints: Vec<Checkpoint> =
                found.sets.iter().map(|set| self.checkpoint_of(set, found.date, before)).collect();
            let is_usable = !checkpoints.is_empty() && checkpoints.iter().all(Checkpoint::is_usable);
            if found.lists_complete && found.mixed.is_none() && is_usable {
                followed = Some(self.follow(&checkpoints, true)?);
            }
            if !self.options.accept_older && is_behind(&checkpoints, followed.as_ref(), before) {
                return self.wait_for_lists(followed.as_ref(), before);
            }
            if let Some(followed) = &followed {
                self.record.note_read(followed.documents());
                self.record.facts.lists_complete &= followed.state != State::Unread;
                self.record.facts.gap = followed.state == State::Gap;
                self.record.facts.older = followed.state == State::Older;
                self.record.facts.unreadable_entries =
                    self.record.facts.unreadable_entries.saturating_add(followed.unreadable_entries());
                self.record.report.as_of = followed.as_of();
                self.record.report.poll_after = followed.fresh_for();
            }
            if self.record.facts.older {
                self.ledger.forget(None)?;
                return Ok(());
            }
            if !self.options.dry_run && (self.record.facts.lists_complete || found.listed > 0) {
                // From here until the end, the recorded documents must not be relied on.
                self.ledger.unsettle(self.record.facts.lists_complete)?;
            }
            self.apply_changes(PlanKind::List)?;
            followed.get_or_insert_with(|| FollowedSets::none(checkpoints));
        }
        self.check_age();
        let (requests, bytes) = self.ledger.planned()?;
        self.record.report.plan = Some(Plan { kind: PlanKind::List, why, requests, bytes });
        let followed = self.carry_out(PlanKind::List, followed, bytes)?;
        if !found.is_unchanged {
            self.delete_stated()?;
            self.delete(Evidence {
                lists_complete: self.record.facts.lists_complete,
                one_snapshot: found.mixed.is_none() && found.rewritten.is_empty(),
                unreadable_entries: self
                    .record
                    .facts
                    .unreadable_entries
                    .saturating_add(self.record.failures.unanswered),
                listed: found.listed,
                transient_failures: self.record.failures.transient,
                stopped: self.record.facts.interrupted || self.record.counts.left > 0,
            })?;
        }
        if self.options.dry_run {
            return Ok(());
        }
        self.settle(found, followed.as_ref())
    }

    /// Keeps the copy as it is until there are newer Resource Lists; only debts are tried again.
    fn wait_for_lists(&mut self, followed: Option<&FollowedSets>, before: &[Checkpoint]) -> Result<(), SyncError> {
        if let Some(followed) = followed {
            self.record.note_read(followed.documents());
            self.record.facts.older = followed.state == State::Older;
        }
        self.record.report.as_of = earliest(before.iter().map(Checkpoint::proven));
        if !self.record.has(&["SYN-02", "SYN-04"]) {
            self.record.find_gap(self.record.report.as_of.clone(), None);
        }
        self.check_age();
        self.record.facts.gap = true;
        self.ledger.forget(None)?;
        self.record.counts.skipped = 0;
        self.record.counts.unchanged = self.record.stored_before;
        for wanted in self.ledger.retries()? {
            self.ledger.plan(0, Action::Fetch, &wanted)?;
        }
        let (requests, bytes) = self.ledger.planned()?;
        self.record.report.plan = Some(Plan { kind: PlanKind::Changes, why: PlanWhy::Gap, requests, bytes });
        self.carry_out(PlanKind::Changes, None, bytes)?;
        Ok(())
    }

    /// Records the state that lets the next run skip unchanged work.
    fn settle(&mut self, found: &Findings, followed: Option<&FollowedSets>) -> Result<(), SyncError> {
        // The next run reads the lists again where only they show which sets list a resource.
        let is_unclear = followed.is_some_and(|followed| followed.is_unclear);
        if self.record.may_settle() && !found.is_unchanged && !is_unclear {
            let settled = self.options.settled();
            let checkpoints = followed.map(|followed| &*followed.checkpoints).unwrap_or_default();
            let (documents, described, kept) = (&found.remembered, seconds(), self.record.counts.withheld);
            self.ledger.settle(&Settled { documents, checkpoints, options: &settled, described, kept })?;
        }
        Ok(())
    }

    /// True unless resources that are no longer listed were kept and may now be deleted.
    fn kept_is_fine(&self) -> Result<bool, SyncError> {
        let kept = self.ledger.get("kept")?.unwrap_or_default();
        Ok(self.options.max_delete.is_none() || matches!(kept.as_str(), "" | "0"))
    }

    /// Notes that the newest list is older than the user allows, if it is.
    pub(super) fn check_age(&mut self) {
        if let Some(most) = self.options.max_age {
            self.record.check_age(most.as_secs(), seconds());
        }
    }

    /// The file of a resource, compared with its record.
    pub(super) fn local(&mut self, place: &str, entry: &Entry) -> Result<Local, SyncError> {
        let local = Look::compare(self.files.look(place)?, entry.held.size, entry.mtime);
        let is_acknowledged = local == Local::Missing
            && matches!(self.files.keep(), Keep::UntilDone)
            && self.ledger.is_acknowledged(&entry.uri)?;
        Ok(if is_acknowledged { Local::Intact } else { local })
    }

    pub(super) fn check_room(&mut self, bytes: u64) -> Result<(), SyncError> {
        let Files::Own(copies) = &self.files else { return Ok(()) };
        let needed = bytes.saturating_add(bytes / 20);
        match copies.room() {
            Some(room) if room < needed => Err(SyncError::Io(io::ErrorKind::StorageFull.into())),
            _ => Ok(()),
        }
    }

    pub(super) fn copies(&mut self) -> Result<&mut Copies, SyncError> {
        self.files.own()
    }
}
