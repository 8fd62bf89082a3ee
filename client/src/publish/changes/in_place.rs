//! A publication of changes that replaces the Change Lists of the published folder.
//!
//! The files are staged next to the log, then the publication is appended to the log, and then the files are moved to their places, one by
//! one. A run that is killed is completed or withdrawn by the next one ([`Known::open`]).

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use resourcesync::{
    build::Accepted,
    publish::{CHANGES, Change, ChangeDocuments, Group, LOG, Plan, staged},
    value::Change as Verb,
};
use resourcesync_notify::publication::{Announcements, Channels, PAYLOADS};

use super::{disk::Disk, staging::Staging};
use crate::{
    folder::{Current, FolderError},
    notify::PayloadFile,
    publish::{
        Error, Event, OnEvent,
        bitstreams::{Bitstream, Bitstreams},
        changed::{Changed, open},
        grouped::unwritten,
        known::{Known, PUBLIC, place},
        source::Source,
        state_files,
    },
};

const WINDOW: usize = 128 << 10;

/// What a publication of changes replaces.
pub(crate) struct InPlace<'a, D> {
    pub(crate) disk: &'a D,
    pub(crate) current: &'a Current,
    pub(crate) known: &'a Known,
    /// Where the bytes of changed resources come from, if there are only dumps.
    pub(crate) source: &'a Source<'a>,
    pub(crate) plan: &'a Plan,
    pub(crate) channels: Option<&'a Channels>,
    /// The journal with the changes.
    pub(crate) journal: Option<&'a str>,
}

/// What was published.
pub(crate) struct Replaced {
    pub(crate) written: Vec<String>,
    pub(crate) accepted: Accepted,
}

impl<D: Disk> InPlace<'_, D> {
    /// Publishes changes, which are in the order of their times; `None` if a whole generation is needed.
    pub(crate) fn publish(&self, changes: &[Change], event: OnEvent<'_>) -> Result<Option<Replaced>, Error> {
        let number = self.known.ledger.publications().saturating_add(1);
        let folder = self.current.known.join(staged(number));
        let failed = |error: io::Error| unwritten(&folder, &error);
        fs::create_dir_all(folder.join(PUBLIC)).map_err(failed)?;
        let withdrawn = Withdrawn { disk: self.disk, folder: Some(&folder) };
        let Some((group, accepted)) = self.stage(changes, &folder, event)? else { return Ok(None) };
        let bytes = group.to_bytes(number).map_err(|error| Error::new(error.to_string()))?;
        self.sync(&group, &folder).map_err(failed)?;
        let log = self.current.known.join(LOG);
        let appended = self.disk.append(&log, &bytes).and_then(|()| self.disk.sync_folder(&self.current.known));
        if let Err(error) = appended {
            // INVARIANT: the log is cut before the staged files are removed, by which the next run recognizes what is not whole.
            if self.disk.cut(&log, self.known.log()).is_err() {
                withdrawn.keep();
            }
            return Err(unwritten(&log, &error));
        }
        withdrawn.keep();
        let places = group.places.iter().map(|name| self.disk.place(&folder, name, self.current));
        let placed = places
            .collect::<io::Result<()>>()
            .and_then(|()| self.sync_parents(group.places.iter().map(|name| place(name, self.current)).collect()));
        placed.map_err(|error| {
            let why = crate::system::reason(&error);
            let public = self.current.public.display();
            Error::new(format!("{public} could not be replaced: {why}; the next run completes the publication"))
        })?;
        self.disk.remove(&folder).map_err(failed)?;
        let written = group.files.into_keys().collect();
        Ok(Some(Replaced { written, accepted }))
    }

    /// Writes the documents and payloads.
    fn stage(&self, changes: &[Change], folder: &Path, event: OnEvent<'_>) -> Result<Option<(Group, Accepted)>, Error> {
        let state = &self.known.ledger.state;
        state_files::check_part(state, &self.current.known, CHANGES)?;
        let mut sets: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
        for change in changes {
            event(Event::Listed(change));
            sets.entry(&change.record.set).or_default().push(change.clone());
        }
        let mut staging = Staging::new(self.disk, folder);
        let announcements = self.channels.map(|channels| {
            let payloads = PayloadFile::create(folder, &self.plan.at)?;
            Ok::<_, Error>((Announcements::new(channels, self.plan, Some(state)), payloads))
        });
        let mut announcements = announcements.transpose()?;
        let mut documents = ChangeDocuments::new(&mut staging, self.plan.clone(), state)?;
        let mut earlier = self.known.open_changes()?;
        for (set, changes) in &sets {
            if !self.plan.lists {
                self.dump((set, changes), folder, &mut documents)?;
                continue;
            }
            documents.set(set, changes.len() as u64)?;
            while let Some(change) = earlier.next(set)? {
                documents.change(&change)?;
            }
            changes.iter().try_for_each(|change| documents.change(change))?;
            if let (Some((announcements, payloads)), Some(list)) = (&mut announcements, documents.capability_list()) {
                announcements.set(set, list)?;
                for change in changes {
                    announcements.change(change)?.map_or(Ok(()), |payload| payloads.push(&payload))?;
                }
                announcements.end_set()?.map_or(Ok(()), |payload| payloads.push(&payload))?;
            }
        }
        let Some(mut written) = documents.finish()? else { return Ok(None) };
        let mut places: Vec<String> = written.places.iter().map(|path| format!("{PUBLIC}{path}")).collect();
        if let Some((announcements, mut payloads)) = announcements {
            let finished = announcements.finish_changes(&mut written)?;
            finished.payloads.iter().try_for_each(|payload| payloads.push(payload))?;
            payloads.finish()?;
            for (path, body) in finished.topics {
                let body = body.unwrap_or_default();
                staging.put(&path, body.as_bytes()).map_err(|error| unwritten(folder, &error))?;
                places.push(format!("{PUBLIC}{path}"));
            }
            places.push(PAYLOADS.to_owned());
        }
        for path in staging.files.keys().filter(|path| !state.files.contains_key(*path)) {
            if fs::symlink_metadata(place(&format!("{PUBLIC}{path}"), self.current)).is_ok() {
                let (out, name) = (self.current.public.clone(), PathBuf::from(path));
                return Err(Error::Folder(FolderError::Clash { out, name }));
            }
        }
        let group = Group {
            at: self.plan.at.to_string(),
            sets: written.sets,
            places,
            files: staging.files,
            journal: self.journal.map(str::to_owned),
            changes: sets.into_values().flatten().collect(),
        };
        Ok(Some((group, written.accepted)))
    }

    /// Adds the changes of a set to its Change Dump.
    fn dump(
        &self,
        (set, changes): (&str, &[Change]),
        folder: &Path,
        documents: &mut ChangeDocuments<&mut Staging<'_, D>>,
    ) -> Result<(), Error> {
        documents.dump(set)?;
        let bitstreams = Bitstreams::new(self.source, folder)?;
        let mut changed = Changed::read(self.source, set, folder, changes.iter().cloned().map(Ok))?;
        let mut window = vec![0; WINDOW];
        for change in changes {
            if self.source.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if change.change == Verb::Deleted {
                documents.change(change)?;
                continue;
            }
            let Bitstream { record, mut bytes } = open(&mut changed, &bitstreams, change.record.clone())?;
            documents.change(&Change { record, ..change.clone() })?;
            loop {
                match bytes.read(&mut window) {
                    Ok(0) => break,
                    Ok(length) => documents.write(window.get(..length).unwrap_or(&[]))?,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(unwritten(folder, &error)),
                }
            }
        }
        Ok(())
    }

    /// Syncs the names of the staged files.
    fn sync(&self, group: &Group, folder: &Path) -> io::Result<()> {
        let mut files: Vec<PathBuf> = group.places.iter().map(|name| folder.join(name)).collect();
        files.extend([folder.join(PUBLIC), folder.to_owned()]);
        self.sync_parents(files)
    }

    /// Syncs the folders that contain these files.
    fn sync_parents(&self, files: Vec<PathBuf>) -> io::Result<()> {
        let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        folders.into_iter().try_for_each(|folder| self.disk.sync_folder(folder))
    }
}

/// Staged files, which are removed unless they are part of the log.
struct Withdrawn<'a, D: Disk> {
    disk: &'a D,
    folder: Option<&'a Path>,
}

impl<D: Disk> Withdrawn<'_, D> {
    fn keep(mut self) {
        self.folder = None;
    }
}

impl<D: Disk> Drop for Withdrawn<'_, D> {
    fn drop(&mut self) {
        if let Some(folder) = self.folder {
            let _ = self.disk.remove(folder);
        }
    }
}
