//! Reads events and compares them with what is published.

use resourcesync::{
    api::plain,
    build::BuildOptions,
    publish::{Batch, Compared, Event, EventTimes, EventVerb, Intake, Net, Pair, Record, Unexpected, check_set},
    value,
};

use super::stated::Events;
use crate::publish::{
    Error, OnEvent,
    known::{Known, Lookup},
    metadata::{Completed, Metadata},
    source::name_encoding,
};

/// Reads all events, and returns the changes.
pub(crate) fn apply(
    events: &Events,
    is_strict: bool,
    known: Option<&mut Known>,
    metadata: &Metadata<'_, '_>,
    times: &mut EventTimes,
    builders: &BuildOptions,
    event: OnEvent<'_>,
) -> Result<Net, Error> {
    let mut lookup = known.map(Known::lookup).transpose()?;
    let mut batch = Batch::new(is_strict);
    let mut add = |event: Event| add(&mut batch, lookup.as_mut(), metadata, event);
    match events {
        Events::None => {}
        Events::Stated(events) => events.iter().cloned().try_for_each(&mut add)?,
        Events::File(file) => {
            let recognized = file.read_events(&metadata.source.cancel, &mut add)?;
            name_encoding(file, recognized, event);
        }
    }
    let net = batch.finish(times).map_err(|error| Error::new(error.to_string()))?;
    let mut intake = Intake::new(builders.clone());
    for change in net.changes.iter().filter(|change| change.change != value::Change::Deleted) {
        let entry: plain::Entry = change.record.plain();
        intake.check(&entry).map_err(|refused| Error::Refused(Box::new(refused)))?;
    }
    Ok(net)
}

fn add(
    batch: &mut Batch,
    lookup: Option<&mut Lookup<'_>>,
    metadata: &Metadata<'_, '_>,
    event: Event,
) -> Result<(), Error> {
    let Event { verb, datetime, record } = event;
    check_set(&record.set)?;
    metadata.source.check_uri(&record)?;
    let record = match verb {
        EventVerb::Deleted => record,
        _ => completed(metadata, record)?,
    };
    let published = match lookup {
        Some(lookup) if !batch.has(&record.set, &record.uri) => lookup.find(&record.set, &record.uri)?,
        _ => None,
    };
    let line = record.line;
    let record = Record { line: 0, ..record };
    batch.push(Event { verb, datetime, record }, published).map_err(|unexpected| unfit(&unexpected, line))
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
