//! The bytes of changed resources, for a Change Dump.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use resourcesync::{
    publish::{Change, Record},
    value::Change as Verb,
};

use super::{
    Error,
    bitstreams::{Bitstream, Bitstreams},
    source::Source,
};
use crate::system::reason;

/// The bytes of the changed resources of a set, in a temporary file: changes are in the order of their times, the resources are not.
pub(crate) struct Changed {
    folder: PathBuf,
    file: File,
    /// Where the bytes of a resource begin, and their number.
    places: HashMap<String, Option<(u64, u64)>>,
}

impl Changed {
    /// Reads the bytes of resources that were created or updated; `None` if resources have files.
    pub(crate) fn read(
        source: &Source<'_>,
        set: &str,
        folder: &Path,
        changes: impl Iterator<Item = Result<Change, Error>>,
    ) -> Result<Option<Changed>, Error> {
        let Some(contents) = source.contents() else { return Ok(None) };
        let mut places = HashMap::new();
        for change in changes {
            let change = change?;
            if change.change != Verb::Deleted {
                places.insert(change.record.uri, None);
            }
        }
        let failed = |error: io::Error| unwritten(folder, &error);
        let file = tempfile::tempfile_in(folder).map_err(failed)?;
        let (mut out, mut at) = (BufWriter::with_capacity(128 << 10, file), 0_u64);
        if !places.is_empty() {
            let known: HashSet<String> = places.keys().cloned().collect();
            contents.each(set, &|uri| known.contains(uri), &source.cancel, &mut |record, bytes| {
                out.write_all(bytes).map_err(failed)?;
                places.insert(record.uri, Some((at, bytes.len() as u64)));
                at = at.saturating_add(bytes.len() as u64);
                Ok(())
            })?;
        }
        let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok(Some(Changed { folder: folder.to_owned(), file, places }))
    }

    fn open(&mut self, record: Record) -> Result<Bitstream<'_>, Error> {
        let place = self.places.get(&record.uri).copied().flatten();
        let (at, length) = place.ok_or_else(|| Error::new(format!("the bytes of {} are missing", record.uri)))?;
        self.file.seek(SeekFrom::Start(at)).map_err(|error| unwritten(&self.folder, &error))?;
        Ok(Bitstream { record, bytes: Box::new((&mut self.file).take(length)) })
    }
}

/// The bytes of a changed resource, from where it has them.
pub(crate) fn open<'b>(
    changed: &'b mut Option<Changed>,
    bitstreams: &Bitstreams<'_>,
    record: Record,
) -> Result<Bitstream<'b>, Error> {
    match changed {
        Some(changed) => changed.open(record),
        None => bitstreams.open(record),
    }
}

fn unwritten(folder: &Path, error: &io::Error) -> Error {
    format!("a temporary file in {} could not be used: {}", folder.display(), reason(error)).into()
}
