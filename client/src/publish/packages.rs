//! The packages of a set: a Resource Dump, kept until a new one is requested, and Change Dumps.

use std::{
    io::{self, Read},
    mem,
    path::{Path, PathBuf},
    sync::mpsc::{SyncSender, sync_channel},
    thread,
};

use crate::{cancel::Cancel, folder::Next, parallel::ordered_by, system::reason};
use resourcesync::{
    build::{CapabilityEntry, Deflated, Deflater, DumpHistory, PackageRecord, Publication},
    publish::{Change, Record, prefix},
    value::{Capability, Change as Verb, Datetime, Uri},
};

use super::{
    Contents, Error, Event, OnEvent, Warning,
    bitstreams::{Bitstream, Bitstreams, IN_MEMORY},
    changed::{Changed, open},
    files::{self, Files},
    grouped::{Grouped, lines},
    publishing::{Before, Publishing},
    source::Source,
    state_files::check_file,
};

const WINDOW: usize = 128 << 10;
/// Groups that are read in advance.
const AHEAD: usize = 8;

/// Resources and bytes that are passed on together, since passing one on takes about as long as deflating it.
const GROUP: (usize, u64) = (32, 128 << 10);

/// The same in groups; an error ends them.
fn groups<T>(
    items: impl Iterator<Item = Result<T, Error>>,
    length: impl Fn(&T) -> u64,
) -> impl Iterator<Item = Result<Vec<T>, Error>> {
    let mut items = items.fuse();
    std::iter::from_fn(move || {
        let (mut group, mut bytes) = (Vec::new(), 0_u64);
        while group.len() < GROUP.0 && bytes < GROUP.1 {
            match items.next() {
                Some(Ok(item)) => {
                    bytes = bytes.saturating_add(length(&item));
                    group.push(item);
                }
                Some(Err(error)) => return Some(Err(error)),
                None => break,
            }
        }
        (!group.is_empty()).then_some(Ok(group))
    })
}

/// Resources with their bytes.
type Contained = Vec<(Record, Vec<u8>)>;

/// Reads bytes that are in no files in groups; ends when nobody takes them any more.
fn read_groups(contents: &dyn Contents, set: &str, cancel: &Cancel, give: &SyncSender<Result<Contained, Error>>) {
    let (mut group, mut bytes) = (Vec::new(), 0_u64);
    let read = contents.each(set, &|_| true, cancel, &mut |record, content| {
        bytes = bytes.saturating_add(content.len() as u64);
        group.push((record, content.to_vec()));
        if group.len() < GROUP.0 && bytes < GROUP.1 {
            return Ok(());
        }
        bytes = 0;
        give.send(Ok(mem::take(&mut group))).map_err(|_| Error::Cancelled)
    });
    // If it is not taken, whoever took the others has an error.
    let _ = give.send(read.map(|()| group));
}

/// A resource on its way into a package.
enum Member {
    Deflated(Box<Deflated>),
    /// It is written as it is read.
    Open(Bitstream<'static>),
    /// The same, and not opened yet: a copy of it takes place on the disk.
    Large(Record),
}

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
        match self.source.contents() {
            Some(contents) => self.add_contents(contents, publication, set, expected),
            None => self.add_files(publication, set),
        }
    }

    /// Adds bytes that are in no files: they are read, deflated and written at the same time.
    fn add_contents(
        &self,
        contents: &dyn Contents,
        publication: &mut Publication<Files>,
        set: &str,
        expected: u64,
    ) -> Result<(), Error> {
        let mut count = 0_u64;
        let worker = || {
            let mut deflater = Deflater::default();
            move |group: Contained| -> Vec<Deflated> {
                group.iter().map(|(record, bytes)| deflater.deflate(record.entry(), bytes)).collect()
            }
        };
        let cancel = &self.source.cancel;
        thread::scope(|scope| {
            let (give, given) = sync_channel(AHEAD);
            scope.spawn(move || read_groups(contents, set, cancel, &give));
            ordered_by(given.into_iter(), self.source.workers, worker, |group| {
                count = count.saturating_add(group.len() as u64);
                group.into_iter().try_for_each(|deflated| Ok::<_, Error>(publication.push_deflated(deflated)?))
            })
        })?;
        // INVARIANT: a Resource Dump has all resources, also where those of a run are only what changed.
        match count == expected {
            true => Ok(()),
            false => Err(format!("a Resource Dump of {expected} resources would have {count}").into()),
        }
    }

    /// Adds files: small ones are read and deflated at the same time.
    fn add_files(&mut self, publication: &mut Publication<Files>, set: &str) -> Result<(), Error> {
        let mut resources = Grouped::new(lines::<Record>(&self.inventory)?);
        let records = std::iter::from_fn(|| resources.next(set).transpose());
        let (bitstreams, source) = (self.bitstreams, self.source);
        let worker = || {
            let mut deflater = Deflater::default();
            let mut open = move |record: Record| -> Result<Member, Error> {
                if record.length.is_none_or(|length| length > IN_MEMORY) {
                    return Ok(Member::Large(record));
                }
                let Bitstream { record, mut bytes } = bitstreams.open(record)?;
                // It may have grown since it was listed.
                if record.length.is_none_or(|length| length > IN_MEMORY) {
                    return Ok(Member::Open(Bitstream { record, bytes }));
                }
                let mut content = Vec::new();
                bytes.read_to_end(&mut content).map_err(|error| unread(&error))?;
                Ok(Member::Deflated(Box::new(deflater.deflate(record.entry(), &content))))
            };
            move |group: Vec<Record>| -> Vec<Result<Member, Error>> { group.into_iter().map(&mut open).collect() }
        };
        let mut add = |member: Result<Member, Error>| -> Result<(), Error> {
            let opened = match member {
                Ok(Member::Deflated(deflated)) => return Ok(publication.push_deflated(*deflated)?),
                Ok(Member::Open(bitstream)) => Ok(bitstream),
                Ok(Member::Large(record)) => bitstreams.open(record),
                Err(error) => Err(error),
            };
            match opened {
                Ok(Bitstream { record, bytes }) => {
                    publication.push(record.entry())?;
                    self.feed(bytes, publication)
                }
                Err(_) if source.cancel.is_cancelled() => Err(Error::Cancelled),
                Err(Error::Unreadable(why)) if self.skip_unreadable => {
                    self.left_out.push(why);
                    Ok(())
                }
                Err(error) => Err(error),
            }
        };
        let length = |record: &Record| record.length.unwrap_or_default();
        ordered_by(groups(records, length), source.workers, worker, |group| group.into_iter().try_for_each(&mut add))
    }

    /// Warns of the files that were left out, and returns their number.
    pub(crate) fn warn(&self, event: OnEvent<'_>) -> u64 {
        for why in &self.left_out {
            event(Event::Warning(&Warning::LeftOut(why.clone())));
        }
        self.left_out.len() as u64
    }

    /// Adds the bytes of the resource that was pushed last.
    fn feed(&mut self, mut bytes: impl Read, publication: &mut Publication<Files>) -> Result<(), Error> {
        loop {
            if self.source.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            match bytes.read(&mut self.window) {
                Ok(0) => return Ok(()),
                Ok(length) => publication.write(self.window.get(..length).unwrap_or(&[]))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unread(&error)),
            }
        }
    }
}

fn unread(error: &io::Error) -> Error {
    format!("the copy of a file could not be read: {}", reason(error)).into()
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
