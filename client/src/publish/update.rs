//! Writes the new inventory, and the changes since the old one.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use resourcesync::{build::Effect, value::Change as Verb};

use super::{
    Error, Event, OnEvent, Warning,
    change::Change,
    compare::pairs,
    grouped::{Lines, lines, unwritten},
    metadata::{Compared, Metadata},
    moment::{Times, change_moment},
    record::Record,
};
use crate::{parallel::ordered, sort::Sorter};

/// Maximum errors reported individually.
const SAID: u64 = 20;

/// The paths of a run.
pub(crate) struct Paths<'a> {
    /// The inventory of the previous run.
    pub(crate) old: Option<&'a Path>,
    /// The new inventory.
    pub(crate) new: &'a Path,
    /// The folder for temporary files.
    pub(crate) work: &'a Path,
    /// Private folders.
    pub(crate) own: Vec<PathBuf>,
}

/// The result.
pub(crate) struct Update {
    /// Resources of each set.
    pub(crate) sets: BTreeMap<String, u64>,
    /// `created`, `updated`, `deleted`.
    pub(crate) counts: BTreeMap<&'static str, u64>,
    /// Number of resources that could not be read.
    pub(crate) skipped: u64,
    /// The changes, by set and moment.
    pub(crate) changes: Sorter<Change>,
}

impl Update {
    /// The effect of publishing; `again` if there is a previous generation.
    pub(crate) fn effect(&self, again: bool) -> Effect {
        let count = |verb: Verb| self.counts.get(verb.as_str()).copied().unwrap_or(0);
        let (resources, deleted) = (self.sets.values().sum::<u64>(), count(Verb::Deleted));
        let published = again.then(|| resources.saturating_sub(count(Verb::Created)).saturating_add(deleted));
        Effect { published, resources, deleted }
    }
}

/// Joins both inventories. Without an old one nothing counts as changed.
pub(crate) fn gather(
    filling: &Metadata<'_, '_>,
    places: Paths<'_>,
    times: &Times<'_>,
    jobs: NonZeroUsize,
    event: OnEvent<'_>,
) -> Result<Update, Error> {
    let Paths { old, new, work, own } = places;
    let sorted = filling.source.records(own, work, event)?;
    let fresh = sorted.map(|record| record.map_err(|error| unwritten(work, &error)));
    let known = old.map(lines::<Record>).transpose()?;
    let mut inventory = Lines::create(new.to_owned())?;
    let mut gathered =
        Update { sets: BTreeMap::new(), counts: BTreeMap::new(), skipped: 0, changes: Sorter::new(work, "changes") };
    let (mut failed, mut kept) = (0_u64, 0_u64);
    ordered(
        pairs(known.into_iter().flatten(), fresh, filling.source.name()),
        jobs,
        |pair| filling.fill(pair),
        |filled| {
            event(Event::Resource);
            let (verb, record) = match filled {
                Ok(Compared::Refused(None)) => return Ok(()),
                Ok(Compared::Refused(Some(record))) => (None, record),
                Ok(Compared::Kept(record)) => {
                    kept = kept.saturating_add(1);
                    (None, record)
                }
                Ok(Compared::Same(record)) => (None, record),
                Ok(Compared::Created(record)) => (Some(Verb::Created), record),
                Ok(Compared::Updated(record)) => (Some(Verb::Updated), record),
                Ok(Compared::Deleted(record)) => (Some(Verb::Deleted), record),
                Ok(Compared::Skipped(old, why)) => {
                    if filling.source.cancel.is_cancelled() {
                        return Err(Error::Cancelled);
                    }
                    gathered.skipped = gathered.skipped.saturating_add(1);
                    event(Event::Warning(&Warning::Skipped(why)));
                    match old {
                        Some(old) => (None, old),
                        None => return Ok(()),
                    }
                }
                Err(_) if filling.source.cancel.is_cancelled() => {
                    return Err(Error::Cancelled);
                }
                Err(Error::Unreadable(why)) => {
                    failed = failed.saturating_add(1);
                    if failed <= SAID {
                        event(Event::Unreadable(&why));
                    }
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
            if verb != Some(Verb::Deleted) {
                let count = gathered.sets.entry(record.set.clone()).or_default();
                *count = count.saturating_add(1);
                inventory.push(&record)?;
            }
            if let (Some(verb), true) = (verb, times.before.is_some()) {
                let count = gathered.counts.entry(verb.as_str()).or_default();
                *count = count.saturating_add(1);
                let (size, datetime) = (record.size(), change_moment(&record, &verb, times.before, times.now));
                gathered
                    .changes
                    .push(Change::new(verb, &datetime, record), size)
                    .map_err(|error| unwritten(work, &error))?;
            }
            Ok(())
        },
    )?;
    if failed > 0 {
        return Err(format!("{failed} resources could not be read; nothing was published").into());
    }
    if kept > 0 {
        let unknown = filling.source.unknown();
        event(Event::Warning(&Warning::Kept { kept, unknown }));
    }
    inventory.finish()?;
    Ok(gathered)
}
