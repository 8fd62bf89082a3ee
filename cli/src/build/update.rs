//! Makes the new inventory, and the changes since the old one.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use resourcesync::value::{Change as Verb, Datetime};

use super::{
    change::Change,
    compare::pairs,
    grouped::{Lines, lines, unwritten},
    metadata::{Compared, Metadata},
    record::Record,
};
use crate::{
    error::{CliError, report_error},
    progress_bar::Passed,
};
use resourcesync_client::{parallel::ordered, sort::Sorter};

/// Complaints said one by one.
const SAID: u64 = 20;

/// Where a run reads and writes.
pub(super) struct Paths<'a> {
    /// The inventory of the run before.
    pub(super) old: Option<&'a Path>,
    /// The inventory that is made.
    pub(super) new: &'a Path,
    /// For what does not fit in memory.
    pub(super) work: &'a Path,
    /// Folders of ours.
    pub(super) own: Vec<PathBuf>,
}

/// What was found.
pub(super) struct Update {
    /// Resources of each set.
    pub(super) sets: BTreeMap<String, u64>,
    /// `created`, `updated`, `deleted`.
    pub(super) counts: BTreeMap<&'static str, u64>,
    /// The changes, by set and moment.
    pub(super) changes: Sorter<Change>,
}

/// Moments of the run before and of this one.
pub(super) struct Times<'a> {
    pub(super) before: Option<&'a Datetime>,
    pub(super) now: &'a Datetime,
}

/// Walks both inventories. Without an old one nothing counts as changed.
pub(super) fn gather(
    filling: &Metadata<'_, '_>,
    places: Paths<'_>,
    times: &Times<'_>,
    (jobs, quiet): (NonZeroUsize, bool),
) -> Result<Update, CliError> {
    let Paths { old, new, work, own } = places;
    let sorted = filling.source.records(own, work)?;
    let fresh = sorted.map(|record| record.map_err(|error| unwritten(work, &error)));
    let known = old.map(lines::<Record>).transpose()?;
    let mut inventory = Lines::create(new.to_owned())?;
    let mut gathered = Update { sets: BTreeMap::new(), counts: BTreeMap::new(), changes: Sorter::new(work, "changes") };
    let (mut failed, mut passed) = (0_u64, Passed::new(quiet));
    ordered(
        pairs(known.into_iter().flatten(), fresh),
        jobs,
        |pair| filling.fill(pair),
        |filled| {
            passed.one();
            let (verb, record) = match filled {
                Ok(Compared::Same(record)) => (None, record),
                Ok(Compared::Created(record)) => (Some(Verb::Created), record),
                Ok(Compared::Updated(record)) => (Some(Verb::Updated), record),
                Ok(Compared::Deleted(record)) => (Some(Verb::Deleted), record),
                Err(_) if filling.source.cancel.is_cancelled() => {
                    return Err("interrupted; nothing was published".into());
                }
                Err(why) => {
                    failed = failed.saturating_add(1);
                    if failed <= SAID {
                        report_error(&why);
                    }
                    return Ok(());
                }
            };
            if verb != Some(Verb::Deleted) {
                let count = gathered.sets.entry(record.set.clone()).or_default();
                *count = count.saturating_add(1);
                inventory.push(&record)?;
            }
            if let (Some(verb), true) = (verb, times.before.is_some()) {
                let count = gathered.counts.entry(verb.as_str()).or_default();
                *count = count.saturating_add(1);
                let (size, datetime) = (record.size(), moment(&record, verb, times));
                gathered
                    .changes
                    .push(Change::new(verb, &datetime, record), size)
                    .map_err(|error| unwritten(work, &error))?;
            }
            Ok(())
        },
    )?;
    if failed > 0 {
        return Err(format!("{failed} of the resources cannot be read; nothing was published").into());
    }
    inventory.finish()?;
    Ok(gathered)
}

/// When a change happened, as near as is known: the last modification if it lies between the two runs.
pub(super) fn moment(record: &Record, verb: Verb, times: &Times<'_>) -> String {
    let own = record.lastmod.as_ref().and_then(|lastmod| lastmod.parse::<Datetime>().ok());
    let within = own.filter(|own| {
        let after = times.before.is_some_and(|before| before.start() < own.start());
        verb != Verb::Deleted && after && own.start() <= times.now.start() && !own.is_partial()
    });
    let (seconds, _) = within.as_ref().unwrap_or(times.now).to_unix();
    Datetime::from_unix(seconds, 0).unwrap_or_else(|| times.now.clone()).to_string()
}
