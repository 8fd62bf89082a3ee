//! Receives the documents of a publication of changes, before they are moved to their places.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Write},
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
    /// A package, which may be large, with its length.
    package: Option<(BufWriter<File>, u64)>,
}

/// The extension of packages.
const PACKAGE: &str = ".zip";

impl<'a, D: Disk> Staging<'a, D> {
    pub(crate) fn new(disk: &'a D, folder: &'a Path) -> Staging<'a, D> {
        Staging { disk, folder, files: BTreeMap::new(), open: Default::default(), package: None }
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
        if path.ends_with(PACKAGE) {
            let file = self.disk.open(&self.folder.join(format!("{PUBLIC}{path}")))?;
            self.package = Some((BufWriter::with_capacity(128 << 10, file), 0));
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.package {
            Some((file, length)) => {
                *length = length.saturating_add(bytes.len() as u64);
                file.write_all(bytes)?;
            }
            None => self.open.1.extend_from_slice(bytes),
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        let (path, bytes) = std::mem::take(&mut self.open);
        if let Some((file, length)) = self.package.take() {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            self.disk.sync_file(&file)?;
            self.files.insert(path, FileRecord { length, lines: None, sha256: None });
            return Ok(());
        }
        if !path.ends_with(PACKED) {
            return self.put(&path, &bytes);
        }
        // Without name and time, so that output is reproducible.
        let mut packed = GzBuilder::new().write(Vec::new(), Compression::default());
        packed.write_all(&bytes)?;
        self.put(&path, &packed.finish()?)
    }
}
