//! Reads the values of a sorted file, set by set, and writes such files.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Seek, SeekFrom, Write},
    iter::Peekable,
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

use resourcesync::publish::{BlockIndexWriter, Change, INDEX, INVENTORY, Record};

use super::Error;
use crate::{sort, system::reason};

/// Something that belongs to a set.
pub(crate) trait HasSet {
    fn set(&self) -> &str;
}

impl HasSet for Record {
    fn set(&self) -> &str {
        &self.set
    }
}

impl HasSet for Change {
    fn set(&self) -> &str {
        &self.record.set
    }
}

/// Values sorted by set.
pub(crate) struct Grouped<I: Iterator>(Peekable<I>);

impl<T: HasSet, I: Iterator<Item = Result<T, Error>>> Grouped<I> {
    pub(crate) fn new(values: I) -> Grouped<I> {
        Grouped(values.peekable())
    }

    /// The next value of this set; unread values of earlier sets are skipped.
    pub(crate) fn next(&mut self, set: &str) -> Result<Option<T>, Error> {
        while self.0.next_if(|value| value.as_ref().is_ok_and(|value| value.set() < set)).is_some() {}
        self.0.next_if(|value| value.as_ref().map_or(true, |value| value.set() == set)).transpose()
    }
}

/// The values of a JSON Lines file; empty if it does not exist.
pub(crate) fn lines<T: DeserializeOwned>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<T, Error>> + use<T>, Error> {
    let said = {
        let shown = path.display().to_string();
        move |error: &io::Error| Error::new(format!("{shown} could not be read: {}", reason(error)))
    };
    let mut lines = match File::open(path) {
        Ok(file) => Some(BufReader::with_capacity(128 << 10, file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(said(&error)),
    };
    Ok(std::iter::from_fn(move || sort::next(lines.as_mut()?).map_err(|error| said(&error)).transpose()))
}

/// A JSON Lines file being written.
pub(crate) struct Lines {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Lines {
    pub(crate) fn create(path: PathBuf) -> Result<Lines, Error> {
        match File::create(&path) {
            Ok(file) => Ok(Lines { path, file: BufWriter::with_capacity(128 << 10, file) }),
            Err(error) => Err(unwritten(&path, &error)),
        }
    }

    pub(crate) fn push(&mut self, value: &impl Serialize) -> Result<(), Error> {
        let outcome = serde_json::to_writer(&mut self.file, value).map_err(io::Error::from);
        outcome.and_then(|()| self.file.write_all(b"\n")).map_err(|error| unwritten(&self.path, &error))
    }

    /// The bytes written.
    pub(crate) fn length(&mut self) -> Result<u64, Error> {
        self.file.stream_position().map_err(|error| unwritten(&self.path, &error))
    }

    /// Removes the lines from a position on.
    pub(crate) fn cut(&mut self, at: u64) -> Result<(), Error> {
        let cut = self.file.seek(SeekFrom::Start(at)).and_then(|at| self.file.get_mut().set_len(at));
        cut.map_err(|error| unwritten(&self.path, &error))
    }

    pub(crate) fn finish(mut self) -> Result<PathBuf, Error> {
        self.file.flush().map_err(|error| unwritten(&self.path, &error))?;
        Ok(self.path)
    }
}

/// The sorted inventory being written, with its index.
pub(crate) struct InventoryFile {
    path: PathBuf,
    file: BufWriter<File>,
    index: BlockIndexWriter,
    line: Vec<u8>,
}

impl InventoryFile {
    /// Creates it in a folder of a state.
    pub(crate) fn create(folder: &Path) -> Result<InventoryFile, Error> {
        let path = folder.join(INVENTORY);
        let file = File::create(&path).map_err(|error| unwritten(&path, &error))?;
        let file = BufWriter::with_capacity(128 << 10, file);
        Ok(InventoryFile { path, file, index: BlockIndexWriter::default(), line: Vec::new() })
    }

    pub(crate) fn push(&mut self, record: &Record) -> Result<(), Error> {
        self.line.clear();
        let outcome = serde_json::to_writer(&mut self.line, record).map_err(io::Error::from);
        self.line.push(b'\n');
        self.index.push(record, &self.line);
        outcome.and_then(|()| self.file.write_all(&self.line)).map_err(|error| unwritten(&self.path, &error))
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.file.flush().map_err(|error| unwritten(&self.path, &error))?;
        let path = self.path.with_file_name(INDEX);
        fs::write(&path, self.index.finish()).map_err(|error| unwritten(&path, &error))
    }
}

/// The error for a private file that could not be written.
pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Error {
    format!("{} could not be written: {}", path.display(), reason(error)).into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_come_set_by_set_and_others_are_passed_over() {
        let record = |set: &str| Ok(Record { set: set.to_owned(), ..Record::default() });
        let mut values = Grouped::new([record("a"), record("a"), record("b"), record("d")].into_iter());
        let mut count = |set| std::iter::from_fn(|| values.next(set).unwrap()).count();
        assert_eq!([count("a"), count("c"), count("d"), count("e")], [2, 0, 1, 0]);
    }
}
