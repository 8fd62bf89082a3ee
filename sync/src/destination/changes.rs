//! What the last change of each resource makes of it.

use alloc::{string::String, vec::Vec};

use super::{
    files::Files,
    following::{Following, FollowingOptions},
    state::{Destination, FollowedFor, Phase},
};
use crate::{
    chain::{FollowedSets, State},
    change::nanoseconds,
    checkpoint::{Checkpoint, Seen},
    decide::Action,
    ledger::{Ledger, StoredResource},
    listed_resource::{ListedResource, moment},
    reduce::{LastChange, Presence},
    report::PlanKind,
    survey::{AHEAD, Set},
};

/// Changes read per call of the ledger.
const PAGE: usize = 256;
/// How long a Change List may lack a change of a notification, because of caches in between, before everything is compared, in seconds.
const PATIENCE: i64 = 600;

impl Destination {
    /// Reads the Change Lists of each set since its checkpoint.
    pub(super) fn follow<L: Ledger>(
        &self,
        before: Vec<Checkpoint>,
        purpose: FollowedFor,
        ledger: &mut L,
    ) -> Result<Phase, L::Error> {
        let is_after_baseline = matches!(purpose, FollowedFor::Lists(..));
        let options = FollowingOptions {
            accepts_older: self.settings.reading.accept_older,
            is_after_baseline,
            may_begin_later: is_after_baseline,
            compares_lists: self.compared.is_by_lists,
            checks_dates: self.source.checks_dates,
        };
        let limits = &self.settings.reading.limits;
        let following = Following::begin(before, options, self.now.seconds, limits, ledger)?;
        Ok(Phase::Following(following.into(), purpose))
    }

    /// Notes what is wrong with the Change Lists.
    pub(super) fn note_followed(&mut self, followed: &FollowedSets) {
        self.note_end(followed.is_late);
        let noted = self.record.report.diagnostics.len();
        for set in &followed.sets {
            self.record.note_chain(set);
        }
        if followed.is_unclear && followed.state == State::Gap {
            self.record.find_gap(followed.as_of(), None);
        }
        self.record.keep_later_gaps(noted);
    }

    /// The checkpoint after the Resource Lists of a set have been compared; without Change Lists it cannot be followed.
    pub(super) fn checkpoint_of(&self, set: &Set, date: Option<i64>) -> Checkpoint {
        let consulted = date.unwrap_or(self.now.seconds);
        let before = self.source.before.iter().find(|before| before.set == set.uri);
        let seen = match (self.settings.reading.accept_older, before) {
            (false, Some(before)) => before.seen.clone(),
            _ => Seen::default(),
        };
        let as_of = set.at.clone().filter(|_| !set.is_timeless && !set.is_shared);
        let sources = if as_of.is_some() { set.changes.clone() } else { Vec::new() };
        let dumps = set.change_dumps.clone();
        let is_past = |at: &String| moment(at).is_some_and(|at| at.to_unix().0 <= consulted.saturating_add(AHEAD));
        let baseline = as_of.clone().filter(is_past);
        Checkpoint { set: set.uri.clone(), as_of, baseline, sources, dumps, seen, consulted, ..Checkpoint::default() }
    }

    /// Decides about the last change of each resource, which replaces what the Resource Lists made of it, and then about related resources.
    pub(super) fn apply_changes<L: Ledger, F: Files<L>>(
        &mut self,
        kind: PlanKind,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<(), L::Error> {
        let mut after = 0;
        loop {
            let page = ledger.last_changes(after, PAGE)?;
            let Some((last, _)) = page.last() else { return self.apply_related(kind, ledger, files) };
            after = *last;
            for (_, change) in page {
                self.apply(kind, &change, ledger, files)?;
            }
        }
    }

    fn apply<L: Ledger, F: Files<L>>(
        &mut self,
        kind: PlanKind,
        change: &LastChange,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<(), L::Error> {
        let LastChange { resource, presence, .. } = change;
        if *presence != Presence::Deleted {
            self.note_listed(0, resource, ledger)?;
        }
        let stored = ledger.find(&resource.uri)?;
        let planned = ledger.unplan(&resource.uri)?;
        let is_kept =
            stored.as_ref().is_some_and(|stored| self.compared.listed.contains(stored.id)) && planned.is_none();
        let is_counted = match kind {
            PlanKind::Changes => stored.is_some() && planned.is_none(),
            PlanKind::List => is_kept,
        };
        // Without a time, or by a clock that is ahead, a change may be from before the lists that were just read; and where changes of another set are
        // missing, the resource may have moved there.
        let latest = self.now.seconds.saturating_add(AHEAD);
        let is_timed = change.datetime.as_deref().and_then(moment).is_some_and(|time| time.to_unix().0 <= latest);
        let may_be_listed = kind == PlanKind::List && (!is_timed || self.compared.lacks_changes);
        if is_counted {
            self.record.counts.unchanged = self.record.counts.unchanged.saturating_sub(1);
        }
        let is_selected = match presence {
            Presence::Deleted => {
                let is_own = |stored: &StoredResource| self.selector.selects_stored(&stored.listed());
                self.selector.selects_uri(resource) && stored.as_ref().is_none_or(is_own)
            }
            Presence::Present | Presence::Unknown => self.selector.selects_listed(resource, stored.is_some()),
        };
        let asks = may_be_listed && (is_kept || planned.is_some());
        if *presence == Presence::Deleted && (!asks || !is_selected) {
            self.note_unlisted(resource, ledger)?;
        }
        if !is_selected {
            self.forget_retry(resource, ledger)?;
            return self.skip(resource, ledger);
        }
        if *presence == Presence::Deleted {
            if asks {
                let as_stored = || stored.as_ref().map(StoredResource::listed);
                return planned.or_else(as_stored).map_or(Ok(()), |listed| ask(listed, ledger));
            }
            // What is stored is tried again until it is deleted: the next run may see other changes than this one.
            let Some(stored) = stored else { return self.forget_retry(resource, ledger) };
            return self.mark_deleted(&stored, ledger);
        }
        self.note_related(kind, 0, resource, ledger)?;
        if !self.settings.dry_run {
            ledger.renew_retry(resource)?;
            // A change need not repeat the links of the Resource List.
            if !resource.links.is_empty() {
                ledger.pass_on(resource)?;
            }
        }
        if let Some(stored) = &stored {
            ledger.unmark_deleted(stored.id)?;
            self.compared.marked_deleted.remove(stored.id);
            self.compared.listed.insert(stored.id);
        }
        let is_as_listed = match &planned {
            Some(planned) => {
                (&planned.hash, planned.length, &planned.lastmod)
                    == (&resource.hash, resource.length, &resource.lastmod)
            }
            None => is_kept,
        };
        if *presence == Presence::Unknown {
            return ask(resource.clone(), ledger);
        }
        // Another set may list a later state, in a list of a later time.
        let is_disputed = kind == PlanKind::List && !is_as_listed && ledger.is_shared(&resource.uri)?;
        let only_at_loc = may_be_listed || is_disputed;
        // It may be of the same second as the one that is stored, and only a digest shows that it is the same.
        let is_unproven = kind == PlanKind::Changes && planned.is_none() && resource.hash.is_none();
        let has_validator = stored.as_ref().is_some_and(|stored| stored.state.has_validator());
        let action = match self.action(resource, stored.as_ref(), ledger, files)? {
            Action::Keep if only_at_loc && !is_as_listed => Action::Fetch,
            Action::Keep if is_unproven => {
                if has_validator {
                    Action::Check
                } else {
                    Action::Fetch
                }
            }
            action => action,
        };
        if action == Action::Keep {
            self.record.counts.unchanged = self.record.counts.unchanged.saturating_add(1);
            if !self.settings.dry_run {
                ledger.listed_as(resource)?;
            }
            return self.forget_retry(resource, ledger);
        }
        // A patch leads from the state that was listed before, which is stored if nothing is tried again.
        let is_next = kind == PlanKind::Changes && stored.is_some() && planned.is_none();
        let patch = resource.patch.clone().filter(|_| is_next);
        ledger.plan(0, action, &ListedResource { only_at_loc, patch, ..resource.clone() })
    }

    pub(super) fn forget_retry<L: Ledger>(&self, resource: &ListedResource, ledger: &mut L) -> Result<(), L::Error> {
        if self.settings.dry_run { Ok(()) } else { ledger.forget_retry(&resource.uri) }
    }

    pub(super) fn mark_deleted<L: Ledger>(&mut self, stored: &StoredResource, ledger: &mut L) -> Result<(), L::Error> {
        ledger.mark_deleted(stored)?;
        self.compared.marked_deleted.insert(stored.id);
        Ok(())
    }

    /// Confirms the changes of notifications that the Change Lists have. True if these lack others that they should have by now, so that
    /// everything has to be compared.
    pub(super) fn confirm<L: Ledger>(&self, followed: &FollowedSets, ledger: &mut L) -> Result<bool, L::Error> {
        if !followed.state.is_complete() || ledger.unconfirmed()?.0 == 0 {
            return Ok(false);
        }
        let late = self.now.seconds.saturating_sub(PATIENCE);
        let lacks = ledger.lacks_unconfirmed(nanoseconds(followed.as_of().as_deref()), late)?;
        if !self.settings.dry_run {
            // These changes are processed by this run, or by the next one if it does not complete.
            ledger.confirm()?;
        }
        Ok(lacks)
    }
}

/// Plans to ask the server for a resource, also in later runs if it does not answer.
fn ask<L: Ledger>(listed: ListedResource, ledger: &mut L) -> Result<(), L::Error> {
    ledger.plan(0, Action::Ask, &ListedResource { may_be_deleted: true, ..listed })
}
