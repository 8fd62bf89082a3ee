//! Receives the documents of a publication of changes, before they are moved to their places.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use flate2::{Compression, GzBuilder};
use resourcesync::{
    build::Store,
    publish::{FileDigest, FileRecord},
};

use super::disk::Disk;
use crate::publish::{files::PACKED, known::PUBLIC};

/// A folder with staged files.
pub(crate) struct Staging<'a, D> {
    pub(crate) disk: &'a D,
    pub(crate) folder: &'a Path,
    /// The documents so far.
    pub(crate) files: BTreeMap<String, FileRecord>,
    open: (String, Vec<u8>),
}

impl<'a, D: Disk> Staging<'a, D> {
    pub(crate) fn new(disk: &'a D, folder: &'a Path) -> Staging<'a, D> {
        Staging { disk, folder, files: BTreeMap::new(), open: Default::default() }
    }

    /// Adds a document.
    pub(crate) fn put(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let mut digest = FileDigest::default();
        digest.push(bytes);
        self.disk.create(&self.folder.join(format!("{PUBLIC}{path}")), bytes)?;
        self.files.insert(path.to_owned(), FileRecord { lines: None, ..digest.finish() });
        Ok(())
    }
}

impl<D: Disk> Store for Staging<'_, D> {
    type Error = io::Error;

    fn begin(&mut self, path: &str) -> io::Result<()> {
        self.open = (path.to_owned(), Vec::new());
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.open.1.extend_from_slice(bytes);
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        let (path, bytes) = std::mem::take(&mut self.open);
        if !path.ends_with(PACKED) {
            return self.put(&path, &bytes);
        }
        // Without name and time, so that output is reproducible.
        let mut packed = GzBuilder::new().write(Vec::new(), Compression::default());
        packed.write_all(&bytes)?;
        self.put(&path, &packed.finish()?)
    }
}
