//! Writes the metadata of records: one file per record, or a file of JSON lines per run.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::mpsc::{SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use flate2::{Compression, GzBuilder};
use resourcesync_oai::bridge::place;

use super::{super::HarvestError, config::Storage};

/// The output for the metadata of a run.
pub(super) enum Output {
    Files(Files),
    Lines(Box<Lines>),
}

pub(super) struct Files {
    folder: PathBuf,
    /// Folders known to exist.
    made: BTreeSet<PathBuf>,
    written: bool,
}

pub(super) struct Lines {
    folder: PathBuf,
    name: String,
    /// Started with the first line.
    out: Option<Compressor>,
}

/// Compresses lines in a thread of its own, which takes longer than finding them.
struct Compressor {
    lines: Vec<u8>,
    /// Closed to end the thread.
    give: Option<SyncSender<Vec<u8>>>,
    thread: Option<JoinHandle<io::Result<File>>>,
}

/// The bytes that are handed over to it at a time, and how often that is done in advance.
const PORTION: usize = 256 << 10;
const AHEAD: usize = 4;

/// The temporary file, renamed when it is complete.
const NEXT: &str = "run/next";

impl Output {
    pub(super) fn new(folder: &Path, storage: Storage, run: u64) -> Output {
        let folder = folder.to_owned();
        match storage {
            Storage::Files => Output::Files(Files { folder, made: BTreeSet::new(), written: false }),
            Storage::Jsonl => {
                let name = format!("records-{run:06}.jsonl.gz");
                Output::Lines(Box::new(Lines { folder, name, out: None }))
            }
        }
    }

    /// Writes a record; returns its path.
    pub(super) fn write(&mut self, prefix: &str, identifier: &str, parts: &[Vec<u8>]) -> Result<String, HarvestError> {
        match self {
            Output::Files(files) => files.write(prefix, identifier, parts),
            Output::Lines(lines) => {
                let line = parts.first().map(Vec::as_slice).unwrap_or_default();
                lines.write(line).map_err(|error| HarvestError::write(lines.folder.join(NEXT), error))?;
                Ok(lines.name.clone())
            }
        }
    }

    /// Moves everything to its place and syncs it to disk.
    pub(super) fn finish(self) -> Result<(), HarvestError> {
        match self {
            Output::Files(files) if files.written => {
                let records = files.folder.join("records");
                sync(&records).map_err(|error| HarvestError::write(records, error))
            }
            Output::Files(_) => Ok(()),
            Output::Lines(lines) => {
                let Some(out) = lines.out else { return Ok(()) };
                let place = lines.folder.join(&lines.name);
                let next = lines.folder.join(NEXT);
                let moved = || -> io::Result<()> {
                    out.finish()?.sync_all()?;
                    fs::rename(&next, &place)
                };
                moved().map_err(|error| HarvestError::write(&place, error))
            }
        }
    }
}

impl Files {
    fn write(&mut self, prefix: &str, identifier: &str, parts: &[Vec<u8>]) -> Result<String, HarvestError> {
        let place = place(prefix, identifier);
        self.written = true;
        remove_about(&self.folder, &place, parts.len().saturating_sub(1))?;
        for (number, part) in parts.iter().enumerate() {
            let ending = if number == 0 { ".xml".to_owned() } else { format!(".about-{number}.xml") };
            let path = self.folder.join(format!("{place}{ending}"));
            if let Some(parent) = path.parent().filter(|parent| !self.made.contains(*parent)) {
                fs::create_dir_all(parent).map_err(|error| HarvestError::write(parent, error))?;
                self.made.insert(parent.to_owned());
            }
            let next = self.folder.join(NEXT);
            fs::write(&next, part)
                .and_then(|()| fs::rename(&next, &path))
                .map_err(|error| HarvestError::write(&path, error))?;
        }
        Ok(format!("{place}.xml"))
    }
}

impl Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let out = match &mut self.out {
            Some(out) => out,
            None => self.out.insert(Compressor::start(File::create(self.folder.join(NEXT))?)?),
        };
        out.write(line)
    }
}

impl Compressor {
    fn start(file: File) -> io::Result<Compressor> {
        let (give, taken) = sync_channel::<Vec<u8>>(AHEAD);
        let compress = move || {
            // Equal lines give an equal file, regardless of the time of writing.
            let mut out = GzBuilder::new().mtime(0).write(BufWriter::new(file), Compression::default());
            for lines in taken {
                out.write_all(&lines)?;
            }
            out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)
        };
        let thread = thread::Builder::new().name("compress".to_owned()).spawn(compress)?;
        Ok(Compressor { lines: Vec::with_capacity(PORTION), give: Some(give), thread: Some(thread) })
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.lines.extend_from_slice(line);
        if self.lines.len() < PORTION { Ok(()) } else { self.hand_over() }
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let lines = std::mem::replace(&mut self.lines, Vec::with_capacity(PORTION));
        match self.give.as_ref().map(|give| give.send(lines)) {
            Some(Ok(())) => Ok(()),
            // It ended, since it could not write.
            _ => self.end().map(|_| ()),
        }
    }

    /// Ends the thread; returns the complete file.
    fn finish(mut self) -> io::Result<File> {
        self.hand_over()?;
        self.end()
    }

    fn end(&mut self) -> io::Result<File> {
        self.give = None;
        let ended = self.thread.take().map(JoinHandle::join);
        ended.and_then(Result::ok).unwrap_or_else(|| Err(io::Error::other("the compressing thread has ended")))
    }
}

/// Nobody else writes to the file before the thread has ended.
impl Drop for Compressor {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Removes the files of a record.
pub(super) fn remove(folder: &Path, location: &str) -> Result<(), HarvestError> {
    let place = location.strip_suffix(".xml").unwrap_or(location);
    remove_about(folder, place, 0)?;
    remove_file(&folder.join(location)).map(|_| ())
}

/// Removes the `about` containers of a record from a number on.
fn remove_about(folder: &Path, place: &str, from: usize) -> Result<(), HarvestError> {
    let mut number = from.saturating_add(1);
    while remove_file(&folder.join(format!("{place}.about-{number}.xml")))? {
        number = number.saturating_add(1);
    }
    Ok(())
}

/// False if it did not exist.
pub(super) fn remove_file(path: &Path) -> Result<bool, HarvestError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(HarvestError::write(path, error)),
    }
}

/// Syncs the file system: one call for many files.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn sync(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sync(&path)?;
        } else {
            fs::OpenOptions::new().append(true).open(path)?.sync_all()?;
        }
    }
    Ok(())
}
