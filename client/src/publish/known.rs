//! The ledger of a published folder on disk.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use resourcesync::publish::{
    Block, BlockIndex, BlockIndexWriter, CHANGES, Change, Found, Group, INDEX, INVENTORY, LOG, Ledger, LogReader,
    Record, Recovery, STATE, merged, staged, staged_number,
};

use super::{
    Error,
    grouped::{Grouped, lines, unwritten},
    state_files::{self, damaged},
};
use crate::{
    folder::{Current, files_below, write_atomic},
    system::reason,
};

/// Values in the order of sets.
pub(crate) type Values<T> = Grouped<Box<dyn Iterator<Item = Result<T, Error>>>>;

/// The ledger of a generation.
pub(crate) struct Known {
    pub(crate) ledger: Ledger,
    folder: PathBuf,
    /// The length of the log.
    log: u64,
}

impl Known {
    /// Reads the state and the log of a generation, and completes or withdraws a publication that was killed.
    pub(crate) fn open(current: &Current) -> Result<Known, Error> {
        let folder = current.known.clone();
        let mut ledger = Ledger::new(state_files::read(&folder)?);
        let path = folder.join(LOG);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| damaged(&path, &reason(&error).to_string()))?,
        };
        let (mut reader, mut last) = (LogReader::new(&bytes), None::<Group>);
        for group in reader.by_ref() {
            let group = group.map_err(|why| damaged(&path, &why))?;
            last.replace(group).into_iter().for_each(|group| ledger.apply(group));
        }
        let left = staged_files(&folder).map_err(|error| unwritten(&folder, &error))?;
        let left = left.as_ref().map(|(number, files)| (*number, files.as_slice()));
        let recovery = Recovery::decide(&reader, last.as_ref(), left).map_err(|why| damaged(&path, &why))?;
        last.into_iter().for_each(|group| ledger.apply(group));
        let recovered = recover(&recovery, current, left.map(|(number, _)| number));
        recovered.map_err(|error| {
            format!("{} could not be completed after an interrupted run: {}", current.public.display(), reason(&error))
        })?;
        Ok(Known { ledger, log: reader.whole() as u64, folder })
    }

    /// The length of the log.
    pub(crate) fn log(&self) -> u64 {
        self.log
    }

    /// Compares all parts of the state with their digests.
    pub(crate) fn check(&self) -> Result<(), Error> {
        state_files::check_resources(&self.ledger.state, &self.folder)?;
        state_files::check(&self.ledger.state, &self.folder)
    }

    /// All published resources, in order.
    pub(crate) fn records(&self) -> Result<impl Iterator<Item = Result<Record, Error>> + use<>, Error> {
        Ok(merged(lines::<Record>(&self.folder.join(INVENTORY))?, self.ledger.overlay().clone()))
    }

    /// The changes in the open Change Lists, set by set.
    pub(crate) fn open_changes(&self) -> Result<Values<Change>, Error> {
        let mut file = Grouped::new(lines::<Change>(&self.folder.join(CHANGES))?);
        let sets =
            self.ledger.state.sets.keys().map(|set| (set.clone(), self.ledger.open(set).cloned().unwrap_or_default()));
        let mut sets = sets.collect::<Vec<_>>().into_iter();
        let mut current = sets.next().map(|(set, open)| (set, open.is_rotated, open.changes.into_iter()));
        let changes = std::iter::from_fn(move || {
            loop {
                let (set, is_rotated, changes) = current.as_mut()?;
                if !*is_rotated {
                    match file.next(set).transpose() {
                        Some(change) => return Some(change),
                        None => *is_rotated = true,
                    }
                }
                if let Some(change) = changes.next() {
                    return Some(Ok(change));
                }
                current = sets.next().map(|(set, open)| (set, open.is_rotated, open.changes.into_iter()));
            }
        });
        Ok(Grouped::new(Box::new(changes)))
    }

    /// Finds published resources.
    pub(crate) fn lookup(&mut self) -> Result<Lookup<'_>, Error> {
        state_files::check_resources(&self.ledger.state, &self.folder)?;
        if !self.ledger.state.parts.contains_key(INDEX) {
            self.index()?;
        }
        let path = self.folder.join(INDEX);
        state_files::check_part(&self.ledger.state, &self.folder, INDEX)?;
        let text = fs::read_to_string(&path).map_err(|error| damaged(&path, &reason(&error).to_string()))?;
        let index = BlockIndex::parse(&text).map_err(|why| damaged(&path, &why))?;
        let path = self.folder.join(INVENTORY);
        let file = File::open(&path).map_err(|error| damaged(&path, &reason(&error).to_string()))?;
        Ok(Lookup { ledger: &self.ledger, index, file, path })
    }

    /// Makes the index of a base without one, as earlier versions wrote it. The state names it in the end, so that a run that was killed
    /// begins again.
    fn index(&mut self) -> Result<(), Error> {
        state_files::check(&self.ledger.state, &self.folder)?;
        let mut index = BlockIndexWriter::default();
        for record in lines::<Record>(&self.folder.join(INVENTORY))? {
            let record = record?;
            let mut line = serde_json::to_vec(&record).map_err(|error| Error::new(error.to_string()))?;
            line.push(b'\n');
            index.push(&record, &line);
        }
        let path = self.folder.join(INDEX);
        write_atomic(&path, index.finish().as_bytes()).map_err(|error| unwritten(&path, &error))?;
        let found = state_files::record(&path).map_err(|error| unwritten(&path, &error))?;
        self.ledger.state.parts.insert(INDEX.to_owned(), found);
        let path = self.folder.join(STATE);
        let text = self.ledger.state.to_text().map_err(|error| Error::new(error.to_string()))?;
        write_atomic(&path, text.as_bytes()).map_err(|error| unwritten(&path, &error))
    }
}

/// The staged files, with the number of their publication.
fn staged_files(folder: &Path) -> io::Result<Option<(u64, Vec<String>)>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Some(number) = entry.file_name().to_str().and_then(staged_number) {
            return Ok(Some((number, files_below(&entry.path())?)));
        }
    }
    Ok(None)
}

fn recover(recovery: &Recovery, current: &Current, number: Option<u64>) -> io::Result<()> {
    let Some(folder) = number.map(|number| current.known.join(staged(number))) else { return Ok(()) };
    match recovery {
        Recovery::Nothing => return Ok(()),
        Recovery::Complete(places) => places.iter().try_for_each(|name| move_to_place(&folder, name, current))?,
        Recovery::Withdraw(length) => match OpenOptions::new().write(true).open(current.known.join(LOG)) {
            Ok(log) => {
                log.set_len(*length)?;
                log.sync_all()?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        },
    }
    fs::remove_dir_all(folder)
}

/// The place of a staged file: a document is published, any other file is part of the state.
pub(crate) fn place(name: &str, current: &Current) -> PathBuf {
    name.strip_prefix(PUBLIC).map_or_else(|| current.known.join(name), |path| current.public.join(path))
}

/// Moves a staged file to its place.
pub(crate) fn move_to_place(staged: &Path, name: &str, current: &Current) -> io::Result<()> {
    let place = place(name, current);
    if let Some(above) = place.parent() {
        fs::create_dir_all(above)?;
    }
    fs::rename(staged.join(name), place)
}

/// The folder of staged documents, with a slash.
pub(crate) const PUBLIC: &str = "public/";

/// Finds published resources, each in the log or in one block of the base.
pub(crate) struct Lookup<'a> {
    ledger: &'a Ledger,
    index: BlockIndex,
    file: File,
    path: PathBuf,
}

impl Lookup<'_> {
    pub(crate) fn find(&mut self, set: &str, uri: &str) -> Result<Option<Record>, Error> {
        if let Found::Here(record) = self.ledger.find(set, uri) {
            return Ok(record.cloned());
        }
        let Some(block) = self.index.locate(set, uri) else { return Ok(None) };
        let bytes =
            read_block(&mut self.file, block).map_err(|error| damaged(&self.path, &reason(&error).to_string()))?;
        block.find(&bytes, set, uri).map_err(|why| damaged(&self.path, &why))
    }

    /// The published resources whose URI is this or below it, in every set.
    pub(crate) fn below(&mut self, uri: &str) -> Result<Vec<Record>, Error> {
        let mut found = BTreeMap::new();
        for set in self.ledger.state.sets.keys() {
            for block in self.index.below(set, uri) {
                let bytes = read_block(&mut self.file, block);
                let bytes = bytes.map_err(|error| damaged(&self.path, &reason(&error).to_string()))?;
                let records = block.below(&bytes, set, uri).map_err(|why| damaged(&self.path, &why))?;
                found.extend(records.into_iter().map(|record| ((set.clone(), record.uri.clone()), record)));
            }
            for (uri, record) in self.ledger.below(set, uri) {
                let key = (set.clone(), uri.to_owned());
                match record {
                    Some(record) => drop(found.insert(key, record.clone())),
                    None => drop(found.remove(&key)),
                }
            }
        }
        Ok(found.into_values().collect())
    }
}

fn read_block(file: &mut File, block: &Block) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(block.offset))?;
    file.by_ref().take(block.length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
