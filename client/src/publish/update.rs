//! Writes the new inventory, and the changes since the old one.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use resourcesync::publish::{Change, Compared, Listed, Update};

use super::{
    Error, Event, OnEvent, Warning,
    compare::pairs,
    grouped::{InventoryFile, unwritten},
    known::Known,
    metadata::{Completed, Metadata},
    moment::Times,
};
use crate::{parallel::ordered, sort::Sorter};

/// Maximum errors reported individually.
const SAID: u64 = 20;

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
pub(crate) struct Gathered {
    pub(crate) update: Update,
    /// Number of resources that could not be read.
    pub(crate) skipped: u64,
    /// The changes, by set and moment.
    pub(crate) changes: Sorter<Change>,
}

/// Joins both inventories. Without an old one nothing counts as changed.
pub(crate) fn gather(
    filling: &Metadata<'_, '_>,
    places: Paths<'_>,
    times: &Times<'_>,
    jobs: NonZeroUsize,
    event: OnEvent<'_>,
) -> Result<Gathered, Error> {
    let Paths { old, work, own } = places;
    let sorted = filling.source.records(own, work, event)?;
    let fresh = sorted.map(|record| record.map_err(|error| unwritten(work, &error)));
    let known = old.map(Known::records).transpose()?;
    let mut inventory = InventoryFile::create(work)?;
    let mut gathered = Gathered { update: Update::default(), skipped: 0, changes: Sorter::new(work, "changes") };
    let mut failed = 0_u64;
    ordered(
        pairs(known.into_iter().flatten(), fresh, filling.source.name()),
        jobs,
        |pair| filling.fill(pair),
        |filled| {
            event(Event::Resource);
            let compared = match filled {
                Ok(Completed::Compared(compared)) => compared,
                Ok(Completed::Skipped(old, why)) => {
                    if filling.source.cancel.is_cancelled() {
                        return Err(Error::Cancelled);
                    }
                    gathered.skipped = gathered.skipped.saturating_add(1);
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
            let Listed { resource, change } = gathered.update.add(compared, times.before, times.now);
            if let Some(record) = resource {
                inventory.push(&record)?;
            }
            if let Some(change) = change {
                let size = change.record.size();
                gathered.changes.push(change, size).map_err(|error| unwritten(work, &error))?;
            }
            Ok(())
        },
    )?;
    if failed > 0 {
        return Err(format!("{failed} resources could not be read; nothing was published").into());
    }
    if gathered.update.kept > 0 {
        let (kept, unknown) = (gathered.update.kept, filling.source.unknown());
        event(Event::Warning(&Warning::Kept { kept, unknown }));
    }
    inventory.finish()?;
    Ok(gathered)
}
