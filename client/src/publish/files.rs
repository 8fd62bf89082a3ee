//! Writes documents and packages into the folder of a generation.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::system::reason;
use flate2::{Compression, GzBuilder, write::GzEncoder};
use resourcesync::build::Store;

use super::Error;

/// The extension of documents.
pub(crate) const PLAIN: &str = ".xml";
/// The extension of compressed documents.
pub(crate) const PACKED: &str = ".xml.gz";

/// A folder into which files are written, one after the other.
pub(crate) struct Files {
    folder: PathBuf,
    open: Option<Open>,
}

enum Open {
    Plain(BufWriter<File>),
    Packed(Box<GzEncoder<BufWriter<File>>>),
}

impl Files {
    pub(crate) fn new(folder: PathBuf) -> Files {
        Files { folder, open: None }
    }
}

impl Store for Files {
    type Error = io::Error;

    fn begin(&mut self, path: &str) -> io::Result<()> {
        let place = place(&self.folder, path)?;
        let file = BufWriter::with_capacity(128 << 10, File::create_new(place)?);
        self.open = Some(match path.ends_with(PACKED) {
            // Without name and time, so that output is reproducible.
            true => Open::Packed(Box::new(GzBuilder::new().write(file, Compression::default()))),
            false => Open::Plain(file),
        });
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.open {
            Some(Open::Plain(file)) => file.write_all(bytes),
            Some(Open::Packed(file)) => file.write_all(bytes),
            None => Err(io::Error::other("no file was begun")),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some(Open::Plain(mut file)) => file.flush(),
            Some(Open::Packed(file)) => file.finish()?.flush(),
            None => Ok(()),
        }
    }
}

/// Returns the path of a file and creates its parent folders.
fn place(folder: &Path, path: &str) -> io::Result<PathBuf> {
    let place = folder.join(path);
    if let Some(above) = place.parent() {
        fs::create_dir_all(above)?;
    }
    Ok(place)
}

/// Adds files of the previous generation to the next one: by hard links, or as copies if that is not possible.
pub(crate) fn keep_all(old: &Path, new: &Path, paths: &[String]) -> Result<(), Error> {
    for path in paths {
        let keep = || -> io::Result<()> {
            let (from, to) = (old.join(path), place(new, path)?);
            fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))
        };
        keep()
            .map_err(|error| format!("{} could not be carried over: {}", old.join(path).display(), reason(&error)))?;
    }
    Ok(())
}
