//! The packages of a set: a Resource Dump, kept until a new one is requested, and Change Dumps.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

use crate::{folder::Next, system::reason};
use resourcesync::{
    build::{CapabilityEntry, DumpHistory, PackageRecord, Publication},
    publish::{Change, Record, prefix},
    value::{Capability, Change as Verb, Datetime, Uri},
};

use super::{
    Error, Event, OnEvent, Warning,
    bitstreams::{Bitstream, Bitstreams},
    changed::{Changed, open},
    files::{self, Files},
    grouped::{Grouped, lines},
    publishing::{Before, Publishing},
    source::Source,
    state_files::check_file,
};

const WINDOW: usize = 128 << 10;

/// Writes packages, set by set.
pub(crate) struct Packages<'a> {
    source: &'a Source<'a>,
    bitstreams: &'a Bitstreams<'a>,
    inventory: PathBuf,
    window: Vec<u8>,
    /// Leaves out the files that cannot be read from a Resource Dump.
    skip_unreadable: bool,
    /// The reasons why files were left out.
    left_out: Vec<String>,
}

impl<'a> Packages<'a> {
    /// For the resources of an inventory.
    pub(crate) fn new(
        source: &'a Source<'a>,
        bitstreams: &'a Bitstreams<'a>,
        inventory: &Path,
        skip_unreadable: bool,
    ) -> Packages<'a> {
        let (inventory, window) = (inventory.to_owned(), vec![0; WINDOW]);
        Packages { source, bitstreams, inventory, window, skip_unreadable, left_out: Vec::new() }
    }

    /// Writes the packages of a set, with its new changes; returns the files of its Resource Dump if that was
    /// kept.
    pub(crate) fn write(
        &mut self,
        publication: &mut Publication<Files>,
        (set, resources): (&str, u64),
        changes: &Path,
        first: Option<&Datetime>,
        (site, before, next): (&Publishing<'_>, Option<&Before<'_>>, &Next<'_>),
    ) -> Result<Option<Vec<String>>, Error> {
        let old = before.and_then(|before| Some((before, before.state.sets.get(set)?.dump.as_ref()?)));
        let kept = old.filter(|_| !site.new_dump);
        match kept {
            Some((before, dump)) => {
                let public = &before.current.public;
                dump.files.iter().try_for_each(|file| check_file(before.state, public, file, false))?;
                files::keep_all(&before.current.public, &next.public(), &dump.files)?;
                let uri = format!("{}{}resourcedump{}", site.plan.documents, prefix(set), site.plan.suffix);
                let uri = Uri::from_iri(&uri).map_err(|error| Error::new(error.to_string()))?;
                publication.announce(CapabilityEntry::new(Capability::ResourceDump, uri))?;
            }
            None => self.resource_dump(publication, set, resources)?,
        }
        let Some((_, dump)) = old else {
            // Whoever starts with the first Resource Dump has the changes until now.
            publication.begin_change_dump(DumpHistory::since(site.plan.at.clone()))?;
            return Ok(None);
        };
        let mut history = dump.history.clone();
        retain(&mut history, first);
        publication.begin_change_dump(history)?;
        let mut changed = Changed::read(self.source, set, &next.folder, lines::<Change>(changes)?)?;
        for change in lines::<Change>(changes)? {
            let change = change?;
            if change.change == Verb::Deleted {
                publication.push(change.entry())?;
                continue;
            }
            let Bitstream { record, bytes } = open(&mut changed, self.bitstreams, change.record)?;
            publication.push(Change { record, ..change }.entry())?;
            self.feed(bytes, publication)?;
        }
        Ok(kept.map(|(_, dump)| dump.files.clone()))
    }

    /// Writes the Resource Dump of a set with this number of resources.
    pub(crate) fn resource_dump(
        &mut self,
        publication: &mut Publication<Files>,
        set: &str,
        expected: u64,
    ) -> Result<(), Error> {
        publication.begin_resource_dump()?;
        if let Some(contents) = self.source.contents() {
            let mut count = 0_u64;
            contents.each(set, &|_| true, &self.source.cancel, &mut |record, bytes| {
                publication.push(record.entry())?;
                count = count.saturating_add(1);
                Ok(publication.write(bytes)?)
            })?;
            // INVARIANT: a Resource Dump has all resources, also where those of a run are only what changed.
            return match count == expected {
                true => Ok(()),
                false => Err(format!("a Resource Dump of {expected} resources would have {count}").into()),
            };
        }
        let mut resources = Grouped::new(lines::<Record>(&self.inventory)?);
        while let Some(record) = resources.next(set)? {
            match self.bitstreams.open(record) {
                Ok(Bitstream { record, bytes }) => {
                    publication.push(record.entry())?;
                    self.feed(bytes, publication)?;
                }
                Err(_) if self.source.cancel.is_cancelled() => return Err(Error::Cancelled),
                Err(Error::Unreadable(why)) if self.skip_unreadable => self.left_out.push(why),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Warns of the files that were left out, and returns their number.
    pub(crate) fn warn(&self, event: OnEvent<'_>) -> u64 {
        for why in &self.left_out {
            event(Event::Warning(&Warning::LeftOut(why.clone())));
        }
        self.left_out.len() as u64
    }

    /// Adds the bytes of the resource that was pushed last.
    fn feed(&mut self, mut bytes: Box<dyn Read + '_>, publication: &mut Publication<Files>) -> Result<(), Error> {
        loop {
            if self.source.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            match bytes.read(&mut self.window) {
                Ok(0) => return Ok(()),
                Ok(length) => publication.write(self.window.get(..length).unwrap_or(&[]))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(format!("the copy of a file could not be read: {}", reason(&error)).into()),
            }
        }
    }
}

/// Drops packages of changes that are no longer in a Change List.
fn retain(history: &mut DumpHistory, first: Option<&Datetime>) {
    let Some(first) = first else { return };
    let is_old = |package: &&PackageRecord| package.until.start() <= first.start();
    let old = history.packages.iter().take_while(is_old).count();
    if let Some(last) = history.packages.drain(..old).next_back() {
        history.from = last.until;
    }
}
