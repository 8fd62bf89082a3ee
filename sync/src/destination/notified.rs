//! Applies the changes of a notification at once, without reading lists. They are unconfirmed until a Change List has them: before that, no
//! run is in step.

use alloc::{collections::BTreeMap, vec::Vec};

use resourcesync::{model, value::key};

use super::{
    files::Files,
    settings::Settings,
    state::{After, Deletions, Destination, Phase, Transfers},
};
use crate::{
    change::{Change, nanoseconds},
    decide::Action,
    guard,
    ledger::Ledger,
};

/// Maximum resources with unconfirmed changes.
const MOST: u64 = 50_000;

/// The last change of each resource of a Change Notification, if all its entries can be used.
pub fn last_changes(entries: &[model::Entry]) -> Option<Vec<Change>> {
    let mut last = BTreeMap::new();
    for (entry, position) in entries.iter().zip(0..) {
        let change = Change::of(entry, position);
        change.nanoseconds()?;
        last.insert(change.resource.as_ref()?.uri.clone(), change);
    }
    Some(last.into_values().collect())
}

/// True if the copy has a state that these changes of a set continue, and they may be applied. `now` is in seconds since 1970.
///
/// # Errors
///
/// If the ledger fails.
pub fn is_certain<L: Ledger>(
    changes: &[Change],
    set: &str,
    settings: &Settings,
    now: i64,
    ledger: &L,
) -> Result<bool, L::Error> {
    if !settings.related.is_empty() {
        // What entries link to is only known to a run.
        return Ok(false);
    }
    let is_settled = ledger.settled()?.as_ref() == Some(&settings.settled) && ledger.retries()?.is_empty();
    // A change may concern resources that other sets list as well.
    let sets = ledger.checkpoints()?;
    let [before] = &*sets else { return Ok(false) };
    if !is_settled || !before.is_usable() || before.hole.is_some() || key(&before.set) != key(set) {
        return Ok(false);
    }
    let Some(as_of) = nanoseconds(before.proven()) else { return Ok(false) };
    // Changes that the lists have already may be followed by others there, and those of the future are not in order.
    let now = now.saturating_add(1).saturating_mul(1_000_000_000);
    let is_next = |change: &Change| change.nanoseconds().is_some_and(|at| at > as_of && at < now);
    let (unconfirmed, deleted) = ledger.unconfirmed()?;
    if unconfirmed.saturating_add(changes.len() as u64) > MOST || !changes.iter().all(is_next) {
        return Ok(false);
    }
    let mut all = deleted;
    for resource in changes.iter().filter(|change| change.is_deleted).filter_map(|change| change.resource.as_ref()) {
        all = all.saturating_add(u64::from(ledger.find(&resource.uri)?.is_some()));
    }
    // A limit of deletions holds for all since lists were read.
    let stored = ledger.totals()?.0.saturating_add(deleted);
    Ok(guard::stated_deletions(all, stored, false, settings.max_delete).is_ok())
}

impl Destination {
    /// Decides about the changes of a notification.
    pub(super) fn apply_notified<L: Ledger, F: Files<L>>(
        &mut self,
        changes: Vec<Change>,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Phase, L::Error> {
        self.source.is_notified = true;
        (self.record.facts.lists_complete, self.record.facts.one_snapshot) = (true, true);
        let before = ledger.checkpoints()?;
        self.record.report.as_of = before.first().and_then(|before| before.proven().map(Into::into));
        let mut deletions = Deletions::default();
        let mut touched = Vec::new();
        for change in &changes {
            let Some(resource) = &change.resource else { continue };
            let stored = ledger.find(&resource.uri)?;
            let is_selected =
                if change.is_deleted { self.selector.selects_uri(resource) } else { self.selector.selects(resource) };
            if !is_selected {
                self.skip(resource, ledger)?;
            } else if change.is_deleted {
                deletions.changes.extend(stored.is_some().then(|| change.clone()));
                deletions.due.extend(stored);
            } else {
                let action = self.action(resource, stored.as_ref(), ledger, files)?;
                if action != Action::Keep {
                    ledger.plan(0, action, resource)?;
                    touched.push(change);
                }
            }
        }
        let (requests, bytes) = ledger.planned()?;
        self.queue.expect(requests);
        ledger.note_unconfirmed(&touched, self.number, self.now.seconds)?;
        Ok(Phase::Transferring(Transfers { after: After::Notified(deletions), followed: None, bytes }))
    }

    /// Removes what the notification states as deleted, unless something failed.
    pub(super) fn remove_notified<L: Ledger>(
        &mut self,
        Deletions { due, changes }: Deletions,
        ledger: &mut L,
    ) -> Result<Phase, L::Error> {
        let counts = self.record.counts;
        let has_failed = [counts.failed, counts.deferred, counts.conflicts, counts.left].iter().any(|count| *count > 0);
        if has_failed || self.record.facts.interrupted || due.is_empty() {
            return Ok(Phase::Done);
        }
        let changes: Vec<&Change> = changes.iter().collect();
        ledger.note_unconfirmed(&changes, self.number, self.now.seconds)?;
        let after = After::Notified(Deletions::default());
        Ok(Phase::RemovingStated(due, Transfers { after, followed: None, bytes: 0 }))
    }
}
