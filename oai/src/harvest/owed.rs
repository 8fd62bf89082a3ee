//! Records that are owed: damaged when they were delivered, or listed and not held. A debt stays until the record was delivered
//! intact, or until the repository does not have it any more.

use alloc::vec::Vec;

use super::{
    Comparison, Handled, Harvest, Mark, Moment, Scope,
    answer::Answered,
    plan::Owed,
    state::{List, Queued, Stage},
    task::{Purpose, Task},
};
use crate::{catalogue::Code, note::Note};

impl Harvest {
    /// The number of records that this run may still request for being owed.
    pub(super) fn owed_budget(&self) -> u32 {
        self.plan.limits.oai_owed_requests.saturating_sub(self.state.owed_requests)
    }

    /// Requests records that are listed and not held, as far as the budget goes.
    pub(super) fn fetch_lacking(&mut self, scope: &Scope, comparison: &Comparison) {
        let wanted: Vec<Owed> = comparison
            .wanted
            .iter()
            .take(self.owed_budget() as usize)
            .map(|identifier| Owed {
                prefix: scope.prefix.clone(),
                set: scope.set.clone(),
                identifier: Some(identifier.clone()),
                is_new: false,
            })
            .collect();
        let own = |list: &&mut List| list.prefix == scope.prefix && list.set == scope.set;
        if let Some(list) = self.state.lists.iter_mut().find(own) {
            list.lacking = comparison.lacking.saturating_sub(wanted.len() as u64);
        }
        self.request_owed(&wanted);
        self.state.lacking.extend(wanted);
    }

    fn request_owed(&mut self, owed: &[Owed]) {
        for own in owed.iter().rev() {
            let Some(identifier) = &own.identifier else { continue };
            let task = Task { set: own.set.clone(), ..Task::get(Purpose::Owed, &own.prefix, identifier) };
            self.state.queue.push_front(Queued { task, by: None });
            self.state.owed_requests = self.state.owed_requests.saturating_add(1);
        }
    }

    /// Handles what the driver knows to be owed: before such records are requested, and afterwards.
    pub(super) fn owes(&mut self, owed: Option<Vec<Owed>>) {
        self.state.asks_owed = false;
        if let (Stage::Settling, Some(all)) = (self.state.stage, &owed) {
            let budget = self.owed_budget() as usize;
            // What came damaged in this run is requested in the next one, and what is listed was requested before.
            let is_open = |own: &&Owed| !own.is_new && own.identifier.is_some() && !self.is_lacking(own);
            let earlier = all.iter().filter(is_open);
            let requested: Vec<Owed> = earlier.take(budget).cloned().collect();
            self.request_owed(&requested);
        }
        self.state.owed = owed;
    }

    /// Handles the response for a record that is owed.
    pub(super) fn owed_answered(&mut self, answered: &Answered, handled: &mut Handled) {
        if !answered.outside.is_empty() {
            // It left the set.
            return self.settle(handled);
        }
        // A damaged one is known to the driver from now on.
        if answered.record.is_some() || answered.damaged > 0 {
            self.forget_lacking();
        }
    }

    /// The repository does not have the record any more.
    pub(super) fn settle(&mut self, handled: &mut Handled) {
        self.forget_lacking();
        let Some(task) = self.state.current.as_ref().map(|current| &current.task) else { return };
        if let (Some(prefix), Some(identifier)) = (task.prefix.clone(), task.identifier.clone()) {
            handled.marks.push(Mark::Settled { prefix, identifier });
        }
    }

    fn forget_lacking(&mut self) {
        let Some(task) = self.state.current.as_ref().map(|current| &current.task) else { return };
        let (prefix, identifier) = (task.prefix.clone(), task.identifier.clone());
        self.state.lacking.retain(|own| Some(&own.prefix) != prefix.as_ref() || own.identifier != identifier);
    }

    /// The records that are owed, as far as they have names.
    pub(super) fn owed(&self) -> impl Iterator<Item = &Owed> {
        let known = self.state.owed.as_ref().unwrap_or(&self.plan.owed).iter();
        let is_open = |own: &&Owed| own.is_new || own.identifier.is_some() || !self.is_compared(&own.prefix);
        known.filter(is_open).filter(|own| !self.is_lacking(own)).chain(&self.state.lacking)
    }

    fn is_lacking(&self, owed: &Owed) -> bool {
        self.state.lacking.iter().any(|own| own.prefix == owed.prefix && own.identifier == owed.identifier)
    }

    /// True if all that is listed in a format is held, or owed by its name.
    fn is_compared(&self, prefix: &str) -> bool {
        let mut lists = self.state.lists.iter().filter(|list| list.prefix == prefix).peekable();
        lists.peek().is_some() && lists.all(|list| list.reconciled)
    }

    /// Whether less is owed than is allowed.
    pub(super) fn tally(&mut self) {
        let allowed = self.plan.allow_quarantine;
        let is_new = |own: &&Owed| own.is_new;
        let quarantined = match &self.state.owed {
            Some(owed) => owed.iter().filter(is_new).count() as u64,
            None => self.state.quarantined.saturating_sub(self.state.damaged_headers),
        };
        let quarantined = quarantined.saturating_add(self.state.damaged_headers);
        let named: Vec<_> = self.owed().filter(|own| !own.is_new).map(|own| own.identifier.clone()).collect();
        let unnamed = self.state.lists.iter().map(|list| self.unnamed(list)).fold(0, u64::saturating_add);
        let owed = unnamed.saturating_add(named.len() as u64);
        let is_over = quarantined.saturating_add(owed) > allowed;
        if is_over && quarantined > 0 {
            self.suspect(Note::new(Code::OAI_68).arg("quarantined", quarantined).arg("allowed", allowed));
        }
        if owed > 0 {
            let note = Note::new(Code::OAI_70).arg("owed", owed);
            if is_over {
                self.suspect(note);
                self.state.reasons.name(Code::OAI_70, named.into_iter().flatten());
            } else {
                self.note(note);
                self.state.notes.name(Code::OAI_70, named.into_iter().flatten());
            }
        }
    }

    /// Records of a list that are owed besides those with names: of this run's comparison, else of the last one.
    fn unnamed(&self, list: &List) -> u64 {
        let earlier = self.plan.start(&list.prefix, list.set.as_deref()).map_or(0, |start| start.owed);
        if list.reconciled { list.lacking } else { earlier.max(list.lacking) }
    }

    /// When a list was last known to be held as listed, and how many records of it are owed.
    pub(super) fn reconciled_start(&self, list: &List) -> (Option<Moment>, u64) {
        let start = self.plan.start(&list.prefix, list.set.as_deref());
        let is_own = |own: &&Owed| own.prefix == list.prefix && own.set == list.set;
        let named = self.state.lacking.iter().filter(is_own).count() as u64;
        let owed = self.unnamed(list).saturating_add(named);
        let reconciled = match start {
            _ if owed > 0 || list.has_unnamed => None,
            _ if list.reconciled => Some(self.state.started),
            // All of it was delivered.
            None => Some(self.state.started),
            Some(start) => start.reconciled,
        };
        (reconciled, owed)
    }
}
