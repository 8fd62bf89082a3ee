//! Writes the new inventory, and the changes since the old one.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use resourcesync::publish::{Change, Compared, Listed, Pair, Update};

use super::{
    Error, Event, OnEvent, Warning,
    compare::pairs,
    grouped::unwritten,
    known::Known,
    metadata::{Completed, Metadata},
    moment::Times,
    new_inventory::NewInventory,
};
use crate::{parallel::ordered, sort::Sorter};

/// Maximum errors reported individually.
const SAID: u64 = 20;

/// Pairs that are compared at once.
const BATCH: usize = 256;

/// The paths of a run.
pub(crate) struct Paths<'a> {
    /// What is published.
    pub(crate) old: Option<&'a Known>,
    /// The folder for the new inventory and temporary files.
    pub(crate) work: &'a Path,
    /// Private folders.
    pub(crate) own: Vec<PathBuf>,
}

/// The result.
pub(crate) struct Gathered<'a> {
    pub(crate) update: Update,
    /// Number of resources that could not be read.
    pub(crate) skipped: u64,
    /// The changes, by set and moment.
    pub(crate) changes: Sorter<Change>,
    /// What is published from now on.
    pub(crate) inventory: NewInventory<'a>,
}

/// Joins both inventories. Without an old one nothing counts as changed.
pub(crate) fn gather<'a>(
    filling: &Metadata<'_, '_>,
    places: Paths<'a>,
    times: &Times<'_>,
    jobs: NonZeroUsize,
    event: OnEvent<'_>,
) -> Result<Gathered<'a>, Error> {
    let Paths { old, work, own } = places;
    let sorted = filling.source.records(own, work, event)?;
    let fresh = sorted.map(|record| record.map_err(|error| unwritten(work, &error)));
    let known = old.map(Known::records).transpose()?;
    let mut inventory = NewInventory::new(old, work);
    let (mut update, mut skipped, mut changes) = (Update::default(), 0_u64, Sorter::new(work, "changes"));
    let mut failed = 0_u64;
    let mut take = |filled: Result<Completed, Error>| {
        event(Event::Resource);
        let compared = match filled {
            Ok(Completed::Identical(record)) => {
                inventory.same(&record)?;
                update.add(Compared::Same(record), times.before, times.now);
                return Ok(());
            }
            Ok(Completed::Compared(compared)) => compared,
            Ok(Completed::Skipped(old, why)) => {
                if filling.source.cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                skipped = skipped.saturating_add(1);
                event(Event::Warning(&Warning::Skipped(why)));
                old.map_or(Compared::Refused(None), Compared::Same)
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
        let Listed { resource, change } = update.add(compared, times.before, times.now);
        inventory.differs(resource.as_ref())?;
        if let Some(change) = change {
            let size = change.record.size();
            changes.push(change, size).map_err(|error| unwritten(work, &error))?;
        }
        Ok(())
    };
    ordered(
        batches(pairs(known.into_iter().flatten(), fresh, filling.source.name()), |pair| filling.reads_file(pair)),
        jobs,
        |batch: Vec<Pair>| batch.into_iter().map(|pair| filling.fill(pair)).collect::<Vec<_>>(),
        |batch| batch.into_iter().try_for_each(&mut take),
    )?;
    if failed > 0 {
        return Err(format!("resources that could not be read: {failed}; nothing was published").into());
    }
    if update.kept > 0 {
        let (kept, unknown) = (update.kept, filling.source.unknown());
        event(Event::Warning(&Warning::Kept { kept, unknown }));
    }
    Ok(Gathered { update, skipped, changes, inventory })
}

/// Batches of pairs: a file is read in one of its own, and comparing alone would cost less than passing each pair to a thread.
fn batches(
    pairs: impl Iterator<Item = Result<Pair, Error>>,
    reads_file: impl Fn(&Pair) -> bool,
) -> impl Iterator<Item = Result<Vec<Pair>, Error>> {
    let mut pairs = pairs.peekable();
    std::iter::from_fn(move || {
        let first = match pairs.next()? {
            Ok(first) => first,
            Err(error) => return Some(Err(error)),
        };
        let (is_alone, mut batch) = (reads_file(&first), vec![first]);
        while !is_alone && batch.len() < BATCH {
            match pairs.next_if(|pair| pair.as_ref().is_ok_and(|pair| !reads_file(pair))) {
                Some(Ok(pair)) => batch.push(pair),
                _ => break,
            }
        }
        Some(Ok(batch))
    })
}
