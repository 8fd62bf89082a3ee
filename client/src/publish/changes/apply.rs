//! Reads events and compares them with what is published.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::plain,
    build::BuildOptions,
    publish::{Batch, Compared, Event, EventTimes, EventVerb, Intake, Net, Pair, Record, Unexpected, check_set},
    value,
};

use super::stated::Events;
use crate::publish::{
    Error, Event as Notice, OnEvent, Warning,
    known::{Known, Lookup},
    metadata::{Completed, Metadata},
    names,
    source::name_encoding,
};

/// Compares events with what is published.
pub(crate) struct Apply<'a, 'b> {
    pub(crate) metadata: &'a Metadata<'a, 'b>,
    pub(crate) builders: &'a BuildOptions,
    /// Private folders, which are not part of a folder.
    pub(crate) own: Vec<PathBuf>,
    pub(crate) is_strict: bool,
}

/// The changes, and the number of resources that could not be read.
pub(crate) struct Applied {
    pub(crate) net: Net,
    pub(crate) skipped: u64,
}

impl Apply<'_, '_> {
    /// Reads all events, and returns the changes.
    pub(crate) fn run(
        &self,
        events: &Events,
        known: Option<&mut Known>,
        times: &mut EventTimes,
        event: OnEvent<'_>,
    ) -> Result<Applied, Error> {
        let mut lookup = known.map(Known::lookup).transpose()?;
        let mut batch = Batch::new(self.is_strict);
        let mut skipped = 0;
        match events {
            Events::None => {}
            Events::Stated(events) => {
                events.iter().cloned().try_for_each(|event| self.add(&mut batch, lookup.as_mut(), event))?;
            }
            Events::File(file) => {
                let mut add = |event| self.add(&mut batch, lookup.as_mut(), event);
                let recognized = file.read_events(&self.metadata.source.cancel, &mut add)?;
                name_encoding(file, recognized, event);
            }
            Events::Folder(paths) => {
                for (path, noticed) in paths {
                    let found = self.found(path)?;
                    let gone = self.gone(path, &found, lookup.as_mut())?;
                    for (verb, record) in gone.into_iter().chain(found) {
                        let stated = Event { verb, datetime: Some(noticed.clone()), record };
                        match self.add(&mut batch, lookup.as_mut(), stated) {
                            Err(Error::Unreadable(why)) if self.metadata.skip_unreadable => {
                                skipped = u64::saturating_add(skipped, 1);
                                event(Notice::Warning(&Warning::Skipped(why)));
                            }
                            added => added?,
                        }
                    }
                }
            }
        }
        let net = batch.finish(times).map_err(|error| Error::new(error.to_string()))?;
        let mut intake = Intake::new(self.builders.clone());
        for change in net.changes.iter().filter(|change| change.change != value::Change::Deleted) {
            let entry: plain::Entry = change.record.plain();
            intake.check(&entry).map_err(|refused| Error::Refused(Box::new(refused)))?;
        }
        Ok(Applied { net, skipped })
    }

    fn add(&self, batch: &mut Batch, lookup: Option<&mut Lookup<'_>>, event: Event) -> Result<(), Error> {
        let Event { verb, datetime, record } = event;
        check_set(&record.set)?;
        self.metadata.source.check_uri(&record)?;
        let record = match verb {
            EventVerb::Deleted => record,
            _ => completed(self.metadata, record)?,
        };
        let published = match lookup {
            Some(lookup) if !batch.has(&record.set, &record.uri) => lookup.find(&record.set, &record.uri)?,
            _ => None,
        };
        let line = record.line;
        let record = Record { line: 0, ..record };
        batch.push(Event { verb, datetime, record }, published).map_err(|unexpected| unfit(&unexpected, line))
    }

    /// The resources at a path of the folder.
    fn found(&self, path: &Path) -> Result<Vec<(EventVerb, Record)>, Error> {
        let mut found = Vec::new();
        self.metadata.source.records_at(path, self.own.clone(), &mut |record| {
            found.push((EventVerb::Upsert, record));
            Ok(())
        })?;
        Ok(found)
    }

    /// What is published at a path of the folder, but was not found there.
    fn gone(
        &self,
        path: &Path,
        found: &[(EventVerb, Record)],
        lookup: Option<&mut Lookup<'_>>,
    ) -> Result<Vec<(EventVerb, Record)>, Error> {
        let Some(lookup) = lookup else { return Ok(Vec::new()) };
        let there: BTreeSet<(&str, &str)> = found.iter().map(|(_, record)| record.key()).collect();
        let published = lookup.below(&format!("{}{}", self.metadata.source.base(), names::encode(path)))?;
        let gone = published.into_iter().filter(|record| !there.contains(&record.key()));
        Ok(gone.map(|record| (EventVerb::Deleted, record)).collect())
    }
}

/// The resource with the metadata of its file.
fn completed(metadata: &Metadata<'_, '_>, record: Record) -> Result<Record, Error> {
    match metadata.fill(Pair::New(record))? {
        Completed::Compared(Compared::Created(record)) => Ok(record),
        Completed::Skipped(_, why) => Err(Error::Unreadable(why)),
        Completed::Compared(_) | Completed::Identical(_) => Err("a resource was not completed".into()),
    }
}

fn unfit(unexpected: &Unexpected, line: u64) -> Error {
    let (uri, is_known) = match unexpected {
        Unexpected::Known(uri) => (uri.clone(), true),
        Unexpected::Unknown(uri) => (uri.clone(), false),
    };
    Error::Unexpected { uri, is_known, line }
}
