//! Applies the changes of a notification at once, without reading lists. They are unconfirmed until a Change List has them: before that,
//! no run is in step.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use resourcesync::{
    limits::Limits,
    read,
    value::{Datetime, Parsed, Value, key},
};
use resourcesync_sync::{Action, Change, chain::FollowedSets, decide, decide::Requirements, guard, report::Report};

use super::{
    Event, Options, SyncError,
    clock::{now, seconds},
    fixed::Fixed,
    ledger::{Entry, Ledger},
    open::open,
    run::{Run, sync_opened},
};
use crate::{cancel::Cancel, folder::FolderError, http::Client};

/// Maximum resources with unconfirmed changes.
const MOST: u64 = 50_000;
/// How long a Change List may lack a change, because of caches in between, before everything is compared.
const PATIENCE: i64 = 600;

/// Applies the changes of a Change Notification that continues what was applied or pulled before. `set` is the Capability List of its set.
///
/// `None` if only the lists of the Source show what to do; then nothing has changed. Otherwise the report has what was done. It is never
/// in step, because that takes a list; if something failed, the lists have to be read as well.
///
/// # Errors
///
/// As [`sync`](super::sync).
#[expect(clippy::too_many_arguments, reason = "those of a run, and the notification")]
pub fn apply(
    uri: &str,
    set: &str,
    notification: &[u8],
    folder: &Path,
    client: &Arc<Client>,
    options: &Options,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Option<Report>, SyncError> {
    let Some(changes) = last_changes(notification, &options.limits) else { return Ok(None) };
    let started = now();
    let mut opened = match open(folder, options, cancel) {
        Err(SyncError::Folder(FolderError::Locked(_))) => return Ok(None),
        opened => opened?,
    };
    if options.dry_run || !is_certain(&opened.ledger, uri, set, options, &changes)? {
        return Ok(None);
    }
    opened.notified = Some(changes);
    Ok(Some(sync_opened(opened, started, uri, client, options, cancel, on_event)?.0))
}

/// The last change of each resource, if all entries can be used.
fn last_changes(notification: &[u8], limits: &Limits) -> Option<Vec<Change>> {
    let document = read::document(notification, limits, &mut ()).ok()?;
    let mut last = BTreeMap::new();
    for (entry, position) in document.entries.iter().zip(0..) {
        let change = Change::of(entry, position);
        change.nanoseconds()?;
        last.insert(change.wanted.as_ref()?.uri.clone(), change);
    }
    Some(last.into_values().collect())
}

/// True if the copy has a state that these changes continue, and they may be applied.
fn is_certain(ledger: &Ledger, uri: &str, set: &str, options: &Options, changes: &[Change]) -> Result<bool, SyncError> {
    let is_own = Fixed::bound(ledger)?.is_some_and(|fixed| fixed.source == uri);
    let is_settled = ledger.get("settled")?.is_some_and(|own| own == options.settled()) && ledger.retries()?.is_empty();
    // A change may concern resources that other sets list as well.
    let sets = ledger.checkpoints()?;
    let [before] = &*sets else { return Ok(false) };
    if !before.is_usable() || before.hole.is_some() {
        return Ok(false);
    }
    let Some(as_of) = before.proven().and_then(nanoseconds) else { return Ok(false) };
    // Changes that the lists have already may be followed by others there, and those of the future are not in order.
    let now = seconds().saturating_add(1).saturating_mul(1_000_000_000);
    let is_next = |change: &Change| change.nanoseconds().is_some_and(|at| at > as_of && at < now);
    let (unconfirmed, deleted) = ledger.unconfirmed()?;
    let is_room = unconfirmed.saturating_add(changes.len() as u64) <= MOST;
    if !is_own || !is_settled || !is_room || key(&before.set) != key(set) || !changes.iter().all(is_next) {
        return Ok(false);
    }
    let mut all = deleted;
    for change in changes.iter().filter(|change| change.is_deleted) {
        let Some(wanted) = &change.wanted else { continue };
        all = all.saturating_add(u64::from(ledger.find(&wanted.uri)?.is_some()));
    }
    // A limit of deletions holds for all since lists were read.
    let held = ledger.totals()?.0.saturating_add(deleted);
    Ok(guard::stated_deletions(all, held, false, options.max_delete).is_ok())
}

impl Run<'_, '_> {
    /// Applies the changes of a notification.
    pub(super) fn apply_notified(&mut self, changes: &[Change]) -> Result<(), SyncError> {
        self.recover()?;
        (self.record.facts.lists_complete, self.record.facts.one_snapshot) = (true, true);
        let before = self.ledger.checkpoints()?;
        self.record.report.as_of = before.first().and_then(|before| before.proven().map(str::to_owned));
        let (mut due, mut deleted) = (Vec::new(), Vec::new());
        let mut touched = Vec::new();
        for change in changes {
            let Some(wanted) = &change.wanted else { continue };
            let held = self.ledger.find(&wanted.uri)?;
            let is_selected =
                if change.is_deleted { self.selector.selects_uri(wanted) } else { self.selector.selects(wanted) };
            if !is_selected {
                self.skip(wanted)?;
                continue;
            }
            if change.is_deleted {
                if let Some(entry) = held {
                    due.push(entry);
                    deleted.push(change);
                }
                continue;
            }
            let required = Requirements { digest: self.options.require_hash };
            let action = match &held {
                None => decide(wanted, None, required),
                Some(entry) => {
                    let place = entry.path.clone().or_else(|| self.places.of(&wanted.uri)).unwrap_or_default();
                    let local = self.local(&place, entry)?;
                    decide(wanted, Some((&entry.held, local)), required)
                }
            };
            if action != Action::Keep {
                self.ledger.plan(0, action, wanted)?;
                touched.push(change);
            }
        }
        let (requests, bytes) = self.ledger.planned()?;
        self.queue.expect(requests);
        self.check_room(bytes)?;
        self.ledger.note_unconfirmed(&touched, self.number, seconds())?;
        let transferred = self.transfer();
        self.record.counts.left = self.queue.left();
        self.record.facts.interrupted |= self.cancel.is_cancelled();
        let counts = self.record.counts;
        let has_failed = [counts.failed, counts.deferred, counts.conflicts, counts.left].iter().any(|count| *count > 0);
        if transferred.is_ok() && !has_failed && !self.record.facts.interrupted {
            self.remove_notified(&due, &deleted)?;
        }
        self.ledger.forget_failed(self.number)?;
        transferred
    }

    fn remove_notified(&mut self, due: &[Entry], changes: &[&Change]) -> Result<(), SyncError> {
        if due.is_empty() {
            return Ok(());
        }
        self.ledger.note_unconfirmed(changes, self.number, seconds())?;
        self.remove(due)
    }

    /// Confirms the changes that the Change Lists have. True if these lack others that they should have by now, so that everything has to be
    /// compared.
    pub(super) fn confirm(&mut self, followed: &FollowedSets) -> Result<bool, SyncError> {
        if !followed.state.is_complete() || self.ledger.unconfirmed()?.0 == 0 {
            return Ok(false);
        }
        let as_of = followed.as_of().as_deref().and_then(nanoseconds);
        let late = seconds().saturating_sub(PATIENCE);
        let lacks = self.ledger.lacks_unconfirmed(as_of, late)?;
        if !self.options.dry_run {
            // These changes are processed by this run, or by the next one if it does not complete.
            self.ledger.confirm()?;
        }
        Ok(lacks)
    }
}

/// A time as written, in nanoseconds since 1970.
fn nanoseconds(text: &str) -> Option<i64> {
    let (Parsed::Exact(moment) | Parsed::Lenient(moment)) = Datetime::read(text) else { return None };
    let (seconds, nanoseconds) = moment.to_unix();
    Some(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds.into()))
}
