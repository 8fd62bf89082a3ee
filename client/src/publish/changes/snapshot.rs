//! A generation of what is published, with new changes.

use std::path::Path;

use resourcesync::{
    publish::{Change, Net, Overlay, Update, merged},
    value::Change as Verb,
};

use super::apply::Applied;
use crate::{
    publish::{
        Error, Event, OnEvent,
        grouped::{InventoryFile, unwritten},
        known::Known,
        new_generation::Contents,
        source::Source,
    },
    sort::Sorter,
};

/// Writes the inventory of a generation. Without an earlier one nothing counts as changed.
pub(crate) fn contents(
    known: Option<&Known>,
    Applied { net, skipped }: Applied,
    source: &Source<'_>,
    work: &Path,
    event: OnEvent<'_>,
) -> Result<Contents, Error> {
    let mut overlay = Overlay::default();
    net.changes.iter().for_each(|change| overlay.add(change));
    let mut update = Update::default();
    let mut inventory = InventoryFile::create(work)?;
    for record in merged(known.map(Known::records).transpose()?.into_iter().flatten(), overlay) {
        if source.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        event(Event::Resource);
        let record = record?;
        inventory.push(&record)?;
        let count = update.sets.entry(record.set).or_default();
        *count = count.saturating_add(1);
    }
    inventory.finish()?;
    let mut changes: Sorter<Change> = Sorter::new(work, "changes");
    if known.is_some() {
        update.counts = counts(&net);
        for change in net.changes {
            let size = change.record.size();
            changes.push(change, size).map_err(|error| unwritten(work, &error))?;
        }
    }
    Ok(Contents { update, changes, skipped, events: Some(net.counts) })
}

/// The changes by type.
pub(crate) fn counts(net: &Net) -> std::collections::BTreeMap<&'static str, u64> {
    let counts = [(Verb::Created, net.created), (Verb::Updated, net.updated), (Verb::Deleted, net.deleted)];
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(verb, count)| (verb.as_str(), count)).collect()
}
