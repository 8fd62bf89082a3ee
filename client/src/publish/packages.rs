//! The packages of a set: a Resource Dump, kept until a new one is requested, and Change Dumps.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use crate::{folder::Next, system::reason};
use resourcesync::{
    build::{CapabilityEntry, DumpHistory, PackageRecord, Publication},
    value::{Capability, Datetime, Uri},
};

use super::Error;
use super::{
    change::Change,
    entry,
    files::{self, Files},
    generation::{Before, Publishing},
    grouped::{Grouped, lines},
    record::Record,
    source::Source,
};

const WINDOW: usize = 128 << 10;

/// Writes packages, set by set.
pub(crate) struct Packages<'a> {
    source: &'a Source<'a>,
    inventory: PathBuf,
    window: Vec<u8>,
}

impl<'a> Packages<'a> {
    /// For the resources of an inventory.
    pub(crate) fn new(source: &'a Source<'a>, inventory: &Path) -> Packages<'a> {
        Packages { source, inventory: inventory.to_owned(), window: vec![0; WINDOW] }
    }

    /// Writes the packages of a set, with its new changes; returns the files of its Resource Dump if that was
    /// kept.
    pub(crate) fn write(
        &mut self,
        publication: &mut Publication<Files>,
        set: &str,
        changes: &Path,
        first: Option<&Datetime>,
        (site, before, next): (&Publishing<'_>, Option<&Before<'_>>, &Next<'_>),
    ) -> Result<Option<Vec<String>>, Error> {
        let old = before.and_then(|before| Some((before, before.state.sets.get(set)?.dump.as_ref()?)));
        let old = old.filter(|_| !site.new_dump);
        match old {
            Some((before, dump)) => {
                let public = &before.current.public;
                dump.files.iter().try_for_each(|file| before.state.check_file(public, file, false))?;
                files::keep_all(&before.current.public, &next.public(), &dump.files)?;
                let uri = format!("{}{}resourcedump{}", site.documents, prefix(set), site.suffix);
                let uri = Uri::from_iri(&uri).map_err(|error| Error::new(error.to_string()))?;
                publication.announce(CapabilityEntry::new(Capability::ResourceDump, uri))?;
            }
            None => self.resource_dump(publication, set)?,
        }
        let mut history = old.map_or_else(|| DumpHistory::since(site.at.clone()), |(_, dump)| dump.history.clone());
        retain(&mut history, first);
        publication.begin_change_dump(history)?;
        for change in lines::<Change>(changes)? {
            let change = change?;
            publication.push(entry::change(&change))?;
            if change.change != "deleted" {
                self.bitstream(&change.record, publication)?;
            }
        }
        Ok(old.map(|(_, dump)| dump.files.clone()))
    }

    /// Writes the Resource Dump of a set.
    pub(crate) fn resource_dump(&mut self, publication: &mut Publication<Files>, set: &str) -> Result<(), Error> {
        publication.begin_resource_dump()?;
        let mut resources = Grouped::new(lines::<Record>(&self.inventory)?);
        while let Some(record) = resources.next(set)? {
            publication.push(entry::resource(&record))?;
            self.bitstream(&record, publication)?;
        }
        Ok(())
    }

    /// The bytes of a resource. The publication compares them with the listed metadata.
    fn bitstream(&mut self, record: &Record, publication: &mut Publication<Files>) -> Result<(), Error> {
        let path = self.source.file(record).ok_or_else(|| {
            Error::new(format!("{} has no `path`; packages need the files of all resources", record.uri))
        })?;
        let said = |error: &io::Error| Error::new(format!("{} could not be read: {}", path.display(), reason(error)));
        let mut file = File::open(&path).map_err(|error| said(&error))?;
        loop {
            if self.source.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            match file.read(&mut self.window) {
                Ok(0) => return Ok(()),
                Ok(length) => publication.write(self.window.get(..length).unwrap_or(&[]))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(said(&error)),
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

/// The folder of the documents of a set.
pub(crate) fn prefix(set: &str) -> String {
    if set.is_empty() { String::new() } else { format!("{set}/") }
}
