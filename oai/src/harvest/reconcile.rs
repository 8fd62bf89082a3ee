//! Compares what is held with what is listed: harvested records that are no longer listed, and listed ones that are not held.

use super::{
    Comparison, Handled, Harvest, Scope,
    answer::Answered,
    proof::{Action, Reconciliation},
    state::{Confirming, List, Queued},
    task::{Purpose, Task},
};
use crate::{catalogue::Code, note::Note, stamp::Stamp};

/// Missing records that are requested individually before all are treated as deleted.
const SAMPLE: u32 = 20;

impl Harvest {
    /// Handles the end of a list of identifiers. Once all of its intervals have ended, the driver compares it with its records:
    /// a record may have moved from one interval to the next.
    pub(super) fn compare(&mut self, task: &Task) {
        let is_part =
            |own: &Task| own.purpose == Purpose::Reconcile && own.prefix == task.prefix && own.set == task.set;
        if self.state.queue.iter().any(|queued| is_part(&queued.task)) {
            return;
        }
        let Some(list) = self.state.list(task) else { return };
        if list.unusable {
            return;
        }
        let before = list.first_response.unwrap_or(i64::MAX);
        let until = self.plan.until.map(|until| until.last_second().saturating_add(1));
        self.state.comparing = Some(Scope {
            prefix: task.prefix.clone().unwrap_or_default(),
            set: task.set.clone(),
            from: self.plan.since.map(Stamp::unix),
            before: until.map_or(before, |until| before.min(until)),
            sample: SAMPLE,
            wanted: self.owed_budget(),
        });
    }

    /// Handles the result of the comparison.
    pub(super) fn compared(&mut self, comparison: &Comparison, handled: &mut Handled) {
        let Some(scope) = self.state.comparing.take() else { return };
        handled.accepted = true;
        let Comparison { missing, total, lacking, .. } = *comparison;
        self.fetch_lacking(&scope, comparison);
        let mut result = Reconciliation {
            prefix: scope.prefix.clone(),
            set: scope.set.clone(),
            before: scope.before,
            missing,
            total,
            lacking,
            confirmed: 0,
            action: Action::Nothing,
        };
        if missing == 0 {
            return self.reconciled(result);
        }
        if self.plan.max_delete.refuses(missing, total) {
            result.action = Action::Refused;
            self.reconciled(result);
            return self.suspect(Note::new(Code::OAI_66).arg("missing", missing).arg("total", total));
        }
        let sample = comparison.sample.iter().take(SAMPLE as usize);
        let left = sample.len() as u32;
        for identifier in sample.rev() {
            let task = Task::get(Purpose::Confirm, &scope.prefix, identifier);
            self.state.queue.push_front(Queued { task, by: None });
        }
        let Scope { prefix, set, before, .. } = scope;
        self.state.confirming = Some(Confirming {
            prefix,
            set,
            before,
            missing,
            total,
            lacking,
            left,
            asked: left,
            gone: 0,
            left_set: 0,
            contradicted: None,
        });
        if left == 0 {
            self.decide();
        }
    }

    /// Handles a missing record that was returned.
    pub(super) fn confirmed(&mut self, answered: &Answered) {
        let Some(confirming) = &mut self.state.confirming else { return };
        match &answered.record {
            Some(header) if !header.is_deleted => match &confirming.set {
                Some(set) if !header.is_in(set) => confirming.left_set = confirming.left_set.saturating_add(1),
                _ => confirming.contradicted = Some(header.identifier.clone()),
            },
            // Deleted, or another record.
            _ => confirming.gone = confirming.gone.saturating_add(1),
        }
    }

    /// Handles a missing record that does not exist.
    pub(super) fn gone(&mut self) {
        if let Some(confirming) = &mut self.state.confirming {
            confirming.gone = confirming.gone.saturating_add(1);
        }
    }

    /// Handles the result for one of them.
    pub(super) fn confirm_next(&mut self) {
        let Some(confirming) = &mut self.state.confirming else { return };
        confirming.left = confirming.left.saturating_sub(1);
        if confirming.left == 0 || confirming.contradicted.is_some() {
            self.decide();
        }
    }

    fn decide(&mut self) {
        let Some(confirming) = self.state.confirming.take() else { return };
        self.state.queue.retain(|queued| queued.task.purpose != Purpose::Confirm);
        let Confirming { prefix, set, before, missing, total, lacking, asked, gone, left_set, contradicted, .. } =
            confirming;
        let confirmed = gone.saturating_add(left_set);
        // Of one without an answer nothing is known; why there is none was told.
        let is_unanswered = contradicted.is_none() && confirmed < u64::from(asked);
        let action = match (&contradicted, left_set, gone) {
            (Some(_), ..) => Action::Contradicted,
            _ if is_unanswered => Action::Contradicted,
            // Their state would be unknown.
            (None, 0, 0) => Action::Contradicted,
            // Some were deleted and some left the set: those that were not requested are kept.
            (None, 1.., _) => Action::LeftSet,
            (None, 0, _) => Action::Delete,
        };
        if action == Action::Contradicted && !is_unanswered {
            self.suspect(Note::new(Code::OAI_67).arg("identifier", contradicted.unwrap_or_default()));
        }
        self.reconciled(Reconciliation { prefix, set, before, missing, total, lacking, confirmed, action });
    }

    fn reconciled(&mut self, result: Reconciliation) {
        let is_settled = matches!(result.action, Action::Nothing | Action::Delete | Action::LeftSet);
        let own = |list: &&mut List| list.prefix == result.prefix && list.set == result.set;
        if let Some(list) = self.state.lists.iter_mut().find(own) {
            list.reconciled = is_settled;
        }
        self.state.reconciled.push(result);
    }
}
