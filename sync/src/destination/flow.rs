//! What a run does, and what comes after it.

use alloc::{boxed::Box, vec::Vec};
use core::{mem, slice};

use super::{
    files::Files,
    listing::Listing,
    settings::{Now, PlanChoice, Reading},
    state::{After, Destination, FollowedFor, ListedFor, Phase, Transfers},
    task::{Task, Transferred},
};
use crate::{
    chain::{FollowedSets, State, earliest, is_behind},
    checkpoint::Checkpoint,
    decide::Action,
    documents::Documents,
    ledger::{Ledger, Settled, UNSETTLED},
    report::{Plan, PlanKind, PlanWhy},
    survey::Findings,
};

/// What the driver does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Complete what a killed run has begun.
    Recover,
    /// Request documents.
    Read,
    /// Make sure that there is room for this many bytes, and take resources from packages.
    Unpack(u64),
    /// Make sure that there is room for this many bytes, and transfer resources.
    Transfer(u64),
    /// Remove resources.
    Remove,
    /// Nothing: the run is over.
    Done,
}

/// The end of what the driver did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// What a killed run has begun is completed. `stored` resources are stored now; something is in the way of `conflicts` others, which could
    /// not be renamed.
    Recovered {
        /// Stored resources.
        stored: u64,
        /// Resources that could not be renamed.
        conflicts: u64,
    },
    /// The documents have been read; `is_late` is true if the time of the run ended that.
    Read {
        /// True if the time of the run is over.
        is_late: bool,
    },
    /// No package is read any more.
    Unpacked,
    /// No transfer is in progress any more.
    Transferred,
    /// All resources that were due are removed.
    Removed,
}

impl Destination {
    /// What the driver does next.
    pub fn poll(&self) -> Output {
        match &self.phase {
            Phase::Start(_) => Output::Recover,
            Phase::Listing(..) | Phase::Following(..) | Phase::ReadingDumps(..) => Output::Read,
            Phase::Unpacking(packed, transfers) => Output::Unpack(packed.saturating_add(transfers.bytes)),
            Phase::Transferring(transfers) => Output::Transfer(transfers.bytes),
            Phase::RemovingStated(..) | Phase::RemovingUnlisted(..) => Output::Remove,
            Phase::Done => Output::Done,
        }
    }

    /// Takes the end of what the driver did, and decides what comes after it.
    ///
    /// # Errors
    ///
    /// If the ledger or the files fail, which ends the run.
    pub fn handle<L: Ledger, F: Files<L>>(
        &mut self,
        now: Now,
        input: Input,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<(), L::Error> {
        self.now = now;
        self.phase = match (mem::replace(&mut self.phase, Phase::Done), input) {
            (Phase::Start(notified), Input::Recovered { stored, conflicts }) => {
                self.record.stored_before = stored;
                self.record.counts.conflicts = self.record.counts.conflicts.saturating_add(conflicts);
                match notified {
                    Some(changes) => self.apply_notified(changes, ledger, files)?,
                    None => self.start(ledger)?,
                }
            }
            (Phase::Listing(listing, purpose), Input::Read { is_late }) => {
                let found = self.end_listing(*listing, is_late, ledger, files)?;
                self.listed(Box::new(found), purpose, ledger, files)?
            }
            (Phase::Following(mut following, purpose), Input::Read { is_late }) => {
                following.end_set(is_late, now.is_cancelled, ledger)?;
                if following.documents().is_some() {
                    Phase::Following(following, purpose)
                } else {
                    let followed = following.finish(ledger)?;
                    self.note_followed(&followed);
                    self.followed(followed, purpose, ledger, files)?
                }
            }
            (Phase::ReadingDumps(dumps, transfers), Input::Read { is_late }) => {
                self.choose_packages(*dumps, is_late, transfers, ledger)?
            }
            (Phase::Unpacking(_, transfers), Input::Unpacked) => self.unpacked(transfers, ledger)?,
            (Phase::Transferring(transfers), Input::Transferred) => self.end_transfers(transfers, ledger)?,
            (Phase::RemovingStated(_, transfers), Input::Removed) => self.stated_removed(transfers, ledger)?,
            (Phase::RemovingUnlisted(_, transfers), Input::Removed) => self.settle(&transfers, ledger)?,
            (phase, _) => phase,
        };
        Ok(())
    }

    /// The machine that asks for documents; `None` unless documents are read.
    pub fn documents(&mut self) -> Option<&mut dyn Documents> {
        match &mut self.phase {
            Phase::Listing(listing, _) => Some(&mut listing.survey),
            Phase::Following(following, _) => following.documents(),
            Phase::ReadingDumps(dumps, _) => Some(&mut **dumps),
            _ => None,
        }
    }

    /// The number of entries that were read.
    pub fn entries(&self) -> u64 {
        match &self.phase {
            Phase::Listing(listing, _) => listing.entries,
            Phase::Following(following, _) => following.entries(),
            _ => 0,
        }
    }

    /// Processes what was received of documents.
    ///
    /// # Errors
    ///
    /// If the ledger or the files fail, which ends the run.
    pub fn take<L: Ledger, F: Files<L>>(&mut self, ledger: &mut L, files: &mut F) -> Result<(), L::Error> {
        let mut phase = mem::replace(&mut self.phase, Phase::Done);
        match &mut phase {
            Phase::Listing(listing, _) => self.take_listed(listing, ledger, files)?,
            Phase::Following(following, _) => {
                following.take(ledger, &mut |change, ledger| match &change.resource {
                    Some(resource) if !change.is_deleted => self.note_version(resource, ledger),
                    _ => Ok(()),
                })?;
            }
            _ => {}
        }
        self.phase = phase;
        Ok(())
    }

    /// Decides which documents are read first.
    fn start<L: Ledger>(&mut self, ledger: &mut L) -> Result<Phase, L::Error> {
        let settled = ledger.settled()?;
        let before = ledger.checkpoints()?;
        // Resources that were kept although they are no longer listed may be deleted now.
        let may_delete_kept = self.settings.max_delete.is_some() && ledger.kept()? > 0;
        let is_settled = settled.as_ref() == Some(&self.settings.settled) && !before.is_empty() && !may_delete_kept;
        let Reading { plan, full, accept_older, .. } = self.settings.reading;
        // What is missing may be in packages only, which are found by their dumps.
        // Links lead to related resources only.
        let is_listed_owed = ledger.retries()?.iter().any(|retry| !retry.is_related);
        let is_owed_by_packages = ledger.remembered()?.is_of_packages() && is_listed_owed;
        let polls = is_settled && !full && !accept_older && !is_owed_by_packages;
        let is_requested = matches!(plan, PlanChoice::List | PlanChoice::Dump);
        let has_looked = self.has_looked_today(ledger)?;
        self.source.checks_dates = is_requested || !has_looked;
        self.source.why = match (&settled, polls) {
            (None, _) => PlanWhy::FirstRun,
            (_, false) if full || accept_older || may_delete_kept => PlanWhy::Requested,
            (Some(own), false) if own != UNSETTLED && *own != self.settings.settled => PlanWhy::OptionsChanged,
            (_, false) => PlanWhy::Unfinished,
            (_, true) => PlanWhy::DocumentsChanged,
        };
        self.source.is_usable = polls && before.iter().all(Checkpoint::is_usable);
        // Only newer Resource Lists show what no Change List contains, and what a resource is that two sets state differently.
        let has_hole = before.iter().any(|before| before.hole.is_some());
        let is_single = before.len() == 1;
        let is_disputed = !is_single && is_listed_owed;
        let known = before.iter().map(Checkpoint::known_at).min();
        self.compared.known_at = if known.is_some() { known } else { ledger.begun()? };
        self.source.before = before;
        if !self.source.is_usable || is_requested || has_hole || is_disputed {
            let is_answered = ledger.remembered()?.answers(plan == PlanChoice::Dump);
            if polls && !is_answered {
                (self.source.why, self.source.reads_others) = (PlanWhy::OptionsChanged, true);
            }
            return self.survey(polls && is_answered, ledger);
        }
        // Of several Capability Lists one may vanish at any time.
        let is_due = !is_single || !has_looked;
        if plan == PlanChoice::Auto && is_due {
            let survey = self.surveying(true, ledger)?.checking_descriptions();
            return Ok(Phase::Listing(Box::new(Listing::new(survey)), ListedFor::Description));
        }
        self.follow(self.source.before.clone(), FollowedFor::Changes, ledger)
    }

    /// True if documents were requested without trusting their dates within a day.
    fn has_looked_today<L: Ledger>(&self, ledger: &L) -> Result<bool, L::Error> {
        let is_today = |seconds: i64| (0..86_400).contains(&self.now.seconds.saturating_sub(seconds));
        Ok(ledger.described()?.is_some_and(is_today))
    }

    /// Decides what comes after the documents.
    fn listed<L: Ledger, F: Files<L>>(
        &mut self,
        found: Box<Findings>,
        purpose: ListedFor,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Phase, L::Error> {
        let has_looked = found.is_unchanged || found.lists_complete;
        if has_looked && !self.settings.dry_run && !self.has_looked_today(ledger)? {
            ledger.put_described(self.now.seconds)?;
        }
        match purpose {
            ListedFor::Description if found.is_unchanged => {
                self.record.note_documents(&found);
                self.follow(self.source.before.clone(), FollowedFor::Changes, ledger)
            }
            ListedFor::Lists if found.is_unchanged && self.source.is_usable => {
                self.follow(self.source.before.clone(), FollowedFor::UnchangedLists(found), ledger)
            }
            ListedFor::Description => {
                self.source.why = PlanWhy::DocumentsChanged;
                self.by_lists(found, ledger, files)
            }
            ListedFor::Lists => self.by_lists(found, ledger, files),
        }
    }

    /// Decides what comes after the Change Lists.
    fn followed<L: Ledger, F: Files<L>>(
        &mut self,
        followed: FollowedSets,
        purpose: FollowedFor,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Phase, L::Error> {
        let is_auto = self.settings.reading.plan == PlanChoice::Auto;
        match purpose {
            FollowedFor::Changes => {
                self.source.why = match followed.state {
                    State::Gap if is_auto => PlanWhy::Gap,
                    State::Absent => PlanWhy::NoChangeLists,
                    _ if self.confirm(&followed, ledger)? && is_auto => PlanWhy::Unfinished,
                    _ => return self.by_changes(followed, ledger, files),
                };
                self.survey(false, ledger)
            }
            FollowedFor::UnchangedLists(found) => {
                let lacks = self.confirm(&followed, ledger)?;
                self.source.why = match followed.state {
                    State::Gap => PlanWhy::Gap,
                    State::Absent => PlanWhy::NoChangeLists,
                    _ if lacks => PlanWhy::Unfinished,
                    _ => {
                        self.record.note_documents(&found);
                        return self.by_changes(followed, ledger, files);
                    }
                };
                self.survey(false, ledger)
            }
            FollowedFor::Lists(found, checkpoints) => {
                self.compared_with_lists(found, checkpoints, Some(followed), ledger, files)
            }
            FollowedFor::LookedUp(transfers, changed) => self.looked_up(followed, transfers, changed, ledger, files),
        }
    }

    /// A run that compares with the Resource Lists, and then processes the changes since.
    fn by_lists<L: Ledger, F: Files<L>>(
        &mut self,
        found: Box<Findings>,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Phase, L::Error> {
        self.record.note_lists(&found);
        if self.record.facts.older {
            // Nothing of lists that are older than before is used.
            self.check_age();
            ledger.forget_plan(None)?;
            return Ok(Phase::Done);
        }
        if found.is_unchanged {
            self.source.why = PlanWhy::NothingChanged;
            self.plan_retries(ledger)?;
            return self.begin_transfers(After::Lists(found), PlanKind::List, self.source.why, None, ledger);
        }
        self.compared.is_by_lists = true;
        let checkpoints: Vec<Checkpoint> = found.sets.iter().map(|set| self.checkpoint_of(set, found.date)).collect();
        let is_usable = !checkpoints.is_empty() && checkpoints.iter().all(Checkpoint::is_usable);
        if found.lists_complete && found.mixed.is_none() && is_usable {
            return self.follow(checkpoints.clone(), FollowedFor::Lists(found, checkpoints), ledger);
        }
        self.compared_with_lists(found, checkpoints, None, ledger, files)
    }

    /// The same, once the changes since are known.
    fn compared_with_lists<L: Ledger, F: Files<L>>(
        &mut self,
        found: Box<Findings>,
        checkpoints: Vec<Checkpoint>,
        followed: Option<FollowedSets>,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Phase, L::Error> {
        let accepts_older = self.settings.reading.accept_older;
        if !accepts_older && is_behind(&checkpoints, followed.as_ref(), &self.source.before) {
            return self.wait_for_lists(&checkpoints, followed.as_ref(), ledger);
        }
        if let Some(followed) = &followed {
            self.record.note_changes(followed);
        }
        if self.record.facts.older {
            ledger.forget_plan(None)?;
            return Ok(Phase::Done);
        }
        if !self.settings.dry_run && (self.record.facts.lists_complete || found.listed > 0) {
            // From here until the end, the recorded documents must not be relied on.
            let begun = self.begun_at(&checkpoints);
            ledger.unsettle(self.record.facts.lists_complete, begun)?;
        }
        let has_hole =
            |followed: &FollowedSets| followed.checkpoints.iter().any(|checkpoint| checkpoint.hole.is_some());
        self.compared.lacks_changes = checkpoints.len() > 1 && followed.as_ref().is_some_and(has_hole);
        self.apply_changes(PlanKind::List, ledger, files)?;
        let followed = followed.unwrap_or_else(|| FollowedSets::none(checkpoints));
        self.begin_transfers(After::Lists(found), PlanKind::List, self.source.why, Some(followed), ledger)
    }

    /// The time of the Resource Lists with which a copy was begun, as long as no run was completed.
    fn begun_at(&self, lists: &[Checkpoint]) -> Option<i64> {
        let lists = lists.iter().map(Checkpoint::known_at).min().filter(|_| self.source.before.is_empty())?;
        match self.compared.known_at {
            Some(begun) => Some(lists.min(begun)),
            None => (self.record.stored_before == 0).then_some(lists),
        }
    }

    /// Keeps the copy as it is until there are newer Resource Lists. Only what could not be stored before is tried again.
    fn wait_for_lists<L: Ledger>(
        &mut self,
        lists: &[Checkpoint],
        followed: Option<&FollowedSets>,
        ledger: &mut L,
    ) -> Result<Phase, L::Error> {
        if let Some(followed) = followed {
            self.record.note_read(followed.documents());
            self.record.facts.older = followed.state == State::Older;
        }
        self.record.report.as_of = earliest(self.source.before.iter().map(Checkpoint::proven));
        let has_found = self.record.has(&["SYN-02", "SYN-04"]);
        let (kind, why) = match self.has_later_lists(lists) && followed.is_none() && !has_found {
            true => (PlanKind::List, PlanWhy::NothingChanged),
            false => {
                if !has_found {
                    self.record.find_gap(self.record.report.as_of.clone(), None);
                }
                self.record.facts.gap = true;
                (PlanKind::Changes, PlanWhy::Gap)
            }
        };
        ledger.forget_plan(None)?;
        self.record.counts.skipped = 0;
        self.plan_retries(ledger)?;
        self.begin_transfers(After::Waiting, kind, why, None, ledger)
    }

    /// True if the copy is of other lists than these, all of which are older: Resource Lists that are older than the dumps that the copy is of, or the
    /// reverse. They show no changes; nor are any missing.
    fn has_later_lists(&self, lists: &[Checkpoint]) -> bool {
        let is_older = |before: &Checkpoint| {
            let mut own = lists.iter().filter(|list| list.set == before.set);
            let list = own.next().filter(|list| list.hole.is_none());
            let is_of_lists = before.as_of == before.baseline && before.hole.is_none();
            is_of_lists && list.is_some_and(|list| is_behind(slice::from_ref(list), None, slice::from_ref(before)))
        };
        self.source.reads_others && self.source.before.len() == lists.len() && self.source.before.iter().all(is_older)
    }

    /// A run that only processes changes.
    fn by_changes<L: Ledger, F: Files<L>>(
        &mut self,
        followed: FollowedSets,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Phase, L::Error> {
        (self.record.facts.lists_complete, self.record.facts.one_snapshot) = (true, true);
        self.record.facts.unreadable_entries = 0;
        self.record.note_changes(&followed);
        self.plan_retries_of_stored(ledger)?;
        self.apply_changes(PlanKind::Changes, ledger, files)?;
        let why = match followed.state {
            State::Unchanged => PlanWhy::NothingChanged,
            State::Continued => PlanWhy::OpenListContinues,
            State::Rewritten => PlanWhy::OpenListRewritten,
            State::Next => PlanWhy::NextList,
            State::Gap => PlanWhy::Gap,
            State::Absent => PlanWhy::NoChangeLists,
            State::Unread | State::Older => PlanWhy::DocumentsChanged,
        };
        self.begin_transfers(After::Changes, PlanKind::Changes, why, Some(followed), ledger)
    }

    /// Plans what could not be stored before; everything else is unchanged.
    fn plan_retries<L: Ledger>(&mut self, ledger: &mut L) -> Result<(), L::Error> {
        self.record.counts.unchanged = self.record.stored_before;
        for mut resource in ledger.retries()? {
            if self.is_unrelated(&resource, ledger)? {
                self.forget_retry(&resource, ledger)?;
                continue;
            }
            // What is stored may lack a step before.
            resource.patch = None;
            let action = if resource.may_be_deleted { Action::Ask } else { Action::Fetch };
            ledger.plan(0, action, &resource)?;
        }
        Ok(())
    }

    /// The same where what is stored of it does not count as unchanged.
    fn plan_retries_of_stored<L: Ledger>(&mut self, ledger: &mut L) -> Result<(), L::Error> {
        self.plan_retries(ledger)?;
        for resource in ledger.retries()? {
            if ledger.find(&resource.uri)?.is_some() {
                self.record.counts.unchanged = self.record.counts.unchanged.saturating_sub(1);
            }
        }
        Ok(())
    }

    /// Begins the transfers of what is planned.
    fn begin_transfers<L: Ledger>(
        &mut self,
        after: After,
        kind: PlanKind,
        why: PlanWhy,
        followed: Option<FollowedSets>,
        ledger: &L,
    ) -> Result<Phase, L::Error> {
        self.check_age();
        let (requests, bytes) = ledger.planned()?;
        self.record.report.plan = Some(Plan { kind, why, requests, bytes, packages: None });
        self.note_places(&after, followed.as_ref());
        self.queue.expect(requests);
        if !self.settings.dry_run && followed.as_ref().is_some_and(FollowedSets::is_open) {
            self.changed_meanwhile = Some(Vec::new());
        }
        Ok(self.before_transfers(Transfers { after, followed, bytes }, requests))
    }

    /// Decides what comes after the transfers. Resources that changed meanwhile are looked up once more in the open Change Lists.
    fn end_transfers<L: Ledger>(&mut self, transfers: Transfers, ledger: &mut L) -> Result<Phase, L::Error> {
        if let Some(changed) = self.changed_meanwhile.take().filter(|changed| !changed.is_empty()) {
            let before = transfers.followed.as_ref().map(|followed| followed.checkpoints.clone());
            return self.follow(before.unwrap_or_default(), FollowedFor::LookedUp(transfers, changed), ledger);
        }
        let transfers = match self.look_into_packages(transfers, ledger)? {
            Ok(phase) => return Ok(phase),
            Err(transfers) => transfers,
        };
        if !self.settings.dry_run {
            self.record.facts.interrupted |= self.now.is_cancelled;
            self.record.counts.left = self.queue.left();
        }
        match transfers.after {
            After::Lists(ref found) if found.is_unchanged => self.settle(&transfers, ledger),
            After::Waiting => Ok(Phase::Done),
            After::Lists(_) | After::Changes => {
                self.end_related(transfers.kind(), ledger)?;
                let due = self.stated_deletions(ledger)?;
                Ok(Phase::RemovingStated(due, transfers))
            }
            After::Notified(deletions) => self.remove_notified(deletions, ledger),
        }
    }

    /// Takes what the Change Lists have of resources with other bytes than listed, and transfers these again.
    fn looked_up<L: Ledger, F: Files<L>>(
        &mut self,
        mut again: FollowedSets,
        mut transfers: Transfers,
        changed: Vec<(Task, Transferred)>,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Phase, L::Error> {
        ledger.forget_plan(None)?;
        self.queue.rewind();
        if again.state.is_complete() && !self.record.facts.interrupted {
            self.record.note_read(again.documents());
            self.record.add_unreadable(again.unreadable_entries());
            again.is_unclear |= transfers.followed.as_ref().is_some_and(|followed| followed.is_unclear);
            self.apply_changes(transfers.kind(), ledger, files)?;
            self.record.report.as_of = again.as_of();
            transfers.followed = Some(again);
        }
        for (task, transferred) in changed {
            if self.is_unrelated(&task.resource, ledger)? {
                self.forget_retry(&task.resource, ledger)?;
            } else if !ledger.has_change(&task.resource.uri)? {
                self.transferred(task, transferred, ledger)?;
            }
        }
        (_, transfers.bytes) = (self.queue.expect(ledger.planned()?.0), 0);
        Ok(Phase::Transferring(transfers))
    }

    /// Decides what comes after the deletions that Change Lists state.
    fn stated_removed<L: Ledger>(&mut self, transfers: Transfers, ledger: &mut L) -> Result<Phase, L::Error> {
        if let After::Lists(found) = &transfers.after {
            let due = self.unlisted(found, ledger)?;
            return Ok(Phase::RemovingUnlisted(due, transfers));
        }
        self.settle(&transfers, ledger)
    }

    /// Records the state that lets the next run skip unchanged work.
    fn settle<L: Ledger>(&mut self, transfers: &Transfers, ledger: &mut L) -> Result<Phase, L::Error> {
        let may_settle = !self.settings.dry_run && self.record.may_settle();
        let kept = self.record.counts.withheld;
        match (&transfers.after, &transfers.followed) {
            (After::Lists(found), followed) if may_settle && !found.is_unchanged => {
                let checkpoints = followed.as_ref().map(|followed| &*followed.checkpoints).unwrap_or_default();
                // The next run reads the lists again where only they show which sets list a resource; it does not go back behind this one.
                let is_unclear = followed.as_ref().is_some_and(|followed| followed.is_unclear);
                let (documents, options) =
                    (&found.remembered, if is_unclear { UNSETTLED } else { &*self.settings.settled });
                ledger.settle(&Settled { documents, checkpoints, options, described: self.now.seconds, kept })?;
            }
            (After::Changes, Some(followed)) if may_settle && followed.state.is_complete() => {
                ledger.settle_changes(&followed.checkpoints, kept)?;
            }
            _ => {}
        }
        Ok(Phase::Done)
    }
}
