//! Random events, and their publication.

use std::path::{Path, PathBuf};

use resourcesync::{
    publish::{Event, Record, Snapshot},
    value::Uri,
};

use super::{
    disk::Disk,
    reader::Truth,
    run::publish_on,
    stated::{Changes, Events},
};
use crate::{
    cancel::Cancel,
    publish::{Error, Options, Origin, Resources, Rotate},
};

const URIS: u64 = 12;

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A batch, and what holds after it.
pub(super) fn events(random: &mut Random, truth: &Truth) -> (Vec<Event>, Truth) {
    let (mut events, mut after) = (Vec::new(), truth.clone());
    for _ in 0..=random.below(4) {
        let (uri, length) = (format!("https://example.com/{}", random.below(URIS)), 1 + random.below(3));
        let verb = ["upsert", "created", "updated", "deleted"][usize::try_from(random.below(4)).unwrap()];
        match verb {
            "deleted" => drop(after.remove(&uri)),
            _ => drop(after.insert(uri.clone(), length)),
        }
        let record = Record { uri, length: Some(length), ..Record::default() };
        events.push(Event { verb: verb.parse().unwrap(), datetime: None, record });
    }
    (events, after)
}

/// Publishes a batch at a second of that day; a list is closed at four changes.
pub(super) fn publish(
    out: &Path,
    at: u64,
    disk: &impl Disk,
    events: Vec<Event>,
    snapshot: Option<Snapshot>,
) -> Result<(), Error> {
    let options = |_: Option<&resourcesync::publish::State>| {
        let base: Uri = "https://example.com/".parse().unwrap();
        let resources = Resources::new(Origin::Folder(PathBuf::from(".")), base);
        let mut options = Options::new(resources, out.to_owned());
        options.at = format!("2024-05-01T{:02}:{:02}:{:02}Z", at / 3600, at / 60 % 60, at % 60).parse().ok();
        options.rotate = Some(Rotate::Changes(4));
        Ok(options)
    };
    let changes = Changes { events: Events::Stated(events), strict: false, snapshot, wait: std::time::Duration::ZERO };
    publish_on(disk, out, &changes, &options, &Cancel::default(), &mut |_| {}).map(drop)
}
