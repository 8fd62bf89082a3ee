//! Copies of files for packages. A file may change at any time; what is packaged is what its metadata describe.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use resourcesync::{
    api::plain::Digests,
    publish::Record,
    value::{Algorithm, to_hex},
};
use sha2::{Digest, Sha256};
use tempfile::SpooledTempFile;

use super::{
    Error,
    digests::{Fixed, Take, fix_into, in_order, lastmod},
    source::Source,
};
use crate::system::reason;

/// Copies that are larger are taken in a file.
pub(crate) const IN_MEMORY: u64 = 1 << 20;

/// Takes copies in the folder of a generation.
#[derive(Debug)]
pub(crate) struct Bitstreams<'a> {
    source: &'a Source<'a>,
    folder: PathBuf,
}

/// The bytes of a resource, with the metadata that describe them.
pub(crate) struct Bitstream<'b> {
    pub(crate) record: Record,
    pub(crate) bytes: Box<dyn Read + Send + 'b>,
}

impl<'a> Bitstreams<'a> {
    /// In a folder, of the resources of a run.
    pub(crate) fn new(source: &'a Source<'a>, folder: &Path) -> Result<Bitstreams<'a>, Error> {
        let folder = folder.join("bitstreams");
        fs::create_dir_all(&folder).map_err(|error| unwritten(&folder, &error))?;
        Ok(Bitstreams { source, folder })
    }

    /// Keeps a copy of the file of a resource until the run ends, and returns the resource with the metadata of the copy.
    pub(crate) fn keep(&self, record: Record) -> Result<Record, Error> {
        let Some(path) = self.source.file(&record) else { return Ok(record) };
        let place = self.place(&record);
        self.copy(record, &path, &mut Copy::new(|| File::create(&place)))
    }

    /// The bytes of a resource: those of its copy, if one was kept, or else of its file, which is read again if it changes meanwhile.
    pub(crate) fn open(&self, record: Record) -> Result<Bitstream<'static>, Error> {
        let path = self.source.file(&record).ok_or_else(|| {
            Error::new(format!("{} has no `path`; packages need the files of all resources", record.uri))
        })?;
        match File::open(self.place(&record)) {
            Ok(kept) => return Ok(Bitstream { record, bytes: Box::new(kept) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unwritten(&self.folder, &error)),
        }
        let mut copy = Copy::new(|| Ok(tempfile::spooled_tempfile_in(IN_MEMORY as usize, &self.folder)));
        let record = self.copy(record, &path, &mut copy)?;
        let mut bytes: SpooledTempFile = copy.to.ok_or_else(|| Error::new("nothing was read"))?;
        bytes.rewind().map_err(|error| unwritten(&self.folder, &error))?;
        Ok(Bitstream { record, bytes: Box::new(bytes) })
    }

    /// Copies a file, and returns its resource with the metadata of the copy.
    fn copy<W: Write>(
        &self,
        record: Record,
        path: &Path,
        copy: &mut Copy<W, impl FnMut() -> io::Result<W>>,
    ) -> Result<Record, Error> {
        let complaint = |why: String| Error::Unreadable(format!("{}: {why}", self.source.place(&record, path)));
        let algorithms: Vec<Algorithm> = record.hashes.iter().filter_map(|(name, _)| known(name)).collect();
        let fixed = fix_into(self.source.reading(path), &algorithms, &self.source.cancel, Some(copy));
        if let Some(error) = &copy.failed {
            return Err(unwritten(&self.folder, error));
        }
        let Fixed { length, stamp, hash } = fixed.map_err(complaint)?;
        let computed = in_order(&algorithms, &Digests::default(), hash.as_deref());
        let is_listed = |(name, digest): (&str, &str)| {
            computed.get(name).is_none_or(|computed| computed.eq_ignore_ascii_case(digest))
        };
        if record.length.is_none_or(|listed| listed == length) && record.hashes.iter().all(is_listed) {
            return Ok(Record { length: Some(length), ..record });
        }
        // A file that was read before has changed. The metadata of any other are those of an inventory.
        if record.modified.is_none() {
            return Err(complaint("its length or its digests are not those that the inventory states".to_owned()));
        }
        // Digests that cannot be computed are those of the earlier content.
        let hashes = computed;
        let modified = stamp.modified.and_then(lastmod).filter(|_| self.source.is_folder());
        let mut fresh = Record { length: Some(length), hashes, lastmod: modified.or(record.lastmod.clone()), ..record };
        stamp.set(&mut fresh);
        Ok(fresh)
    }

    /// Where the copy of a resource is kept.
    fn place(&self, record: &Record) -> PathBuf {
        let mut name = Sha256::new();
        name.update(&record.set);
        name.update([0]);
        name.update(&record.uri);
        self.folder.join(to_hex(&name.finalize()))
    }
}

/// An algorithm whose digests can be computed.
fn known(name: &str) -> Option<Algorithm> {
    Algorithm::KNOWN.into_iter().find(|known| known.as_str() == name)
}

impl Drop for Bitstreams<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The bytes of a file on their way into a copy.
struct Copy<W, F> {
    make: F,
    to: Option<W>,
    /// The copy could not be written.
    failed: Option<io::Error>,
}

impl<W: Write, F: FnMut() -> io::Result<W>> Copy<W, F> {
    fn new(make: F) -> Copy<W, F> {
        Copy { make, to: None, failed: None }
    }

    fn note(&mut self, outcome: io::Result<()>) -> io::Result<()> {
        outcome.map_err(|error| {
            let shown = io::Error::new(error.kind(), error.to_string());
            self.failed = Some(error);
            shown
        })
    }
}

impl<W: Write, F: FnMut() -> io::Result<W>> Take for Copy<W, F> {
    fn start(&mut self) -> io::Result<()> {
        let made = (self.make)().map(|to| self.to = Some(to));
        self.note(made)
    }

    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.to.as_mut().map_or(Ok(()), |to| to.write_all(bytes));
        self.note(written)
    }
}

fn unwritten(folder: &Path, error: &io::Error) -> Error {
    format!("a copy of a file could not be taken in {}: {}", folder.display(), reason(error)).into()
}
