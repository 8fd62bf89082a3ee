//! The packages of a set: a Resource Dump that stays until it is made anew, and Change Dumps.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use resourcesync::{
    build::{CapabilityEntry, DumpHistory, Publication},
    value::{Capability, Uri},
};
use resourcesync_client::{folder::Next, reason};

use super::{
    change::Change,
    entry,
    files::{self, Files},
    grouped::{Grouped, lines},
    publish::{Before, Failure, Publishing},
    record::Record,
    source::Source,
};
use crate::error::CliError;

const WINDOW: usize = 128 << 10;

/// Writes packages, set by set.
pub(super) struct Packages<'a> {
    source: &'a Source<'a>,
    inventory: PathBuf,
    window: Vec<u8>,
}

impl<'a> Packages<'a> {
    /// Of the resources in an inventory.
    pub(super) fn new(source: &'a Source<'a>, inventory: &Path) -> Packages<'a> {
        Packages { source, inventory: inventory.to_owned(), window: vec![0; WINDOW] }
    }

    /// Writes those of a set, with its new changes; gives the files of its Resource Dump where that was kept.
    pub(super) fn write(
        &mut self,
        publication: &mut Publication<Files>,
        set: &str,
        changes: &Path,
        (site, before, next): (&Publishing<'_>, Option<&Before<'_>>, &Next<'_>),
    ) -> Result<Option<Vec<String>>, Failure> {
        let old = before.and_then(|before| Some((before, before.state.sets.get(set)?.dump.as_ref()?)));
        let old = old.filter(|_| !site.new_dump);
        match old {
            Some((before, dump)) => {
                files::keep_all(&before.current.public, &next.public(), &dump.files)?;
                let uri = format!("{}{}resourcedump{}", site.documents, prefix(set), site.suffix);
                let uri = Uri::from_iri(&uri).map_err(|error| CliError::new(error.to_string()))?;
                publication.announce(CapabilityEntry::new(Capability::ResourceDump, uri))?;
            }
            None => self.resource_dump(publication, set)?,
        }
        let history = old.map_or_else(|| DumpHistory::since(site.at.clone()), |(_, dump)| dump.history.clone());
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
    pub(super) fn resource_dump(&mut self, publication: &mut Publication<Files>, set: &str) -> Result<(), Failure> {
        publication.begin_resource_dump()?;
        let mut resources = Grouped::new(lines::<Record>(&self.inventory)?);
        while let Some(record) = resources.next(set)? {
            publication.push(entry::resource(&record))?;
            self.bitstream(&record, publication)?;
        }
        Ok(())
    }

    /// The bytes of a resource. That they are those that were listed is checked by the publication.
    fn bitstream(&mut self, record: &Record, publication: &mut Publication<Files>) -> Result<(), Failure> {
        let path = self.source.file(record).ok_or_else(|| {
            CliError::new(format!("{} has no `path`; packages need the files of all resources", record.uri))
        })?;
        let said =
            |error: &io::Error| CliError::new(format!("{} could not be read: {}", path.display(), reason(error)));
        let mut file = File::open(&path).map_err(|error| said(&error))?;
        loop {
            if self.source.cancel.is_cancelled() {
                return Err(CliError::new("interrupted; nothing was published").into());
            }
            match file.read(&mut self.window) {
                Ok(0) => return Ok(()),
                Ok(length) => publication.write(self.window.get(..length).unwrap_or(&[]))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(said(&error).into()),
            }
        }
    }
}

/// Where the documents of a set lie.
pub(super) fn prefix(set: &str) -> String {
    if set.is_empty() { String::new() } else { format!("{set}/") }
}
