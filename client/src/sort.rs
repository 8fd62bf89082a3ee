//! Sorts more records than fit into memory: sorted runs on disk, merged.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, binary_heap::PeekMut},
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Write},
    mem,
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

/// Bytes of records in memory before a run is written.
const BUDGET: usize = 16 << 20;
/// Runs that are merged at the same time, each an open file.
const FAN: usize = 128;
/// Bytes of a record in addition to its text.
const OVERHEAD: usize = 64;

/// A record that can be sorted.
pub trait Sorted: Serialize + DeserializeOwned {
    /// The order of two records.
    fn order(&self, other: &Self) -> Ordering;
}

/// Collects records, up to 16 MiB of them in memory.
pub struct Sorter<T> {
    folder: PathBuf,
    held: Vec<T>,
    bytes: usize,
    budget: usize,
    fan: usize,
    runs: Vec<PathBuf>,
    /// The number of runs written so far, including merged ones.
    made: usize,
}

impl<T: Sorted> Sorter<T> {
    /// Creates a sorter that writes runs to this folder, with names that start with `name`.
    pub fn new(folder: &Path, name: &str) -> Sorter<T> {
        let (folder, held) = (folder.join(name), Vec::new());
        Sorter { folder, held, bytes: 0, budget: BUDGET, fan: FAN, runs: Vec::new(), made: 0 }
    }

    /// Adds a record; `size` is its approximate size in memory.
    ///
    /// # Errors
    ///
    /// If a run could not be written.
    pub fn push(&mut self, record: T, size: usize) -> io::Result<()> {
        self.bytes = self.bytes.saturating_add(size).saturating_add(OVERHEAD).saturating_add(size_of::<T>());
        self.held.push(record);
        if self.bytes < self.budget { Ok(()) } else { self.spill() }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.held.sort_by(T::order);
        let held = std::mem::take(&mut self.held);
        self.run(held.into_iter().map(Ok))?;
        self.bytes = 0;
        if self.runs.len() >= self.fan {
            let all = Merge::new(std::mem::take(&mut self.runs), Vec::new())?;
            self.run(all)?;
        }
        Ok(())
    }

    fn run(&mut self, records: impl Iterator<Item = io::Result<T>>) -> io::Result<()> {
        let path = self.folder.with_extension(format!("run{}", self.made));
        self.made = self.made.saturating_add(1);
        let mut run = BufWriter::new(File::create(&path)?);
        for record in records {
            serde_json::to_writer(&mut run, &record?)?;
            run.write_all(b"\n")?;
        }
        run.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.runs.push(path);
        Ok(())
    }

    /// All records in order.
    ///
    /// # Errors
    ///
    /// If a run could not be read.
    pub fn finish(mut self) -> io::Result<Merge<T>> {
        self.held.sort_by(T::order);
        Merge::new(self.runs, self.held)
    }
}

/// The source of sorted records.
enum Run<T> {
    File(BufReader<File>),
    Memory(std::vec::IntoIter<T>),
}

/// Records in order, equal ones in the order in which they were added. Its runs are removed when it is dropped.
pub struct Merge<T> {
    sources: Vec<Run<T>>,
    heap: BinaryHeap<Head<T>>,
    runs: Vec<PathBuf>,
}

struct Head<T> {
    record: T,
    place: usize,
}

impl<T: Sorted> Ord for Head<T> {
    /// Reversed: the heap returns the greatest first.
    fn cmp(&self, other: &Head<T>) -> Ordering {
        other.record.order(&self.record).then(other.place.cmp(&self.place))
    }
}

impl<T: Sorted> PartialOrd for Head<T> {
    fn partial_cmp(&self, other: &Head<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Sorted> PartialEq for Head<T> {
    fn eq(&self, other: &Head<T>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Sorted> Eq for Head<T> {}

impl<T: Sorted> Merge<T> {
    fn new(runs: Vec<PathBuf>, held: Vec<T>) -> io::Result<Merge<T>> {
        let mut sources = Vec::new();
        for path in &runs {
            sources.push(Run::File(BufReader::new(File::open(path)?)));
        }
        sources.push(Run::Memory(held.into_iter()));
        let mut merge = Merge { sources, heap: BinaryHeap::new(), runs };
        for (place, run) in merge.sources.iter_mut().enumerate() {
            merge.heap.extend(run.next()?.map(|record| Head { record, place }));
        }
        Ok(merge)
    }
}

impl<T: Sorted> Run<T> {
    fn next(&mut self) -> io::Result<Option<T>> {
        match self {
            Run::File(run) => next(run),
            Run::Memory(held) => Ok(held.next()),
        }
    }
}

impl<T: Sorted> Iterator for Merge<T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<io::Result<T>> {
        // The next record of the same run takes its place: that is cheaper than removing and adding one, above all if few runs overlap.
        let mut head = self.heap.peek_mut()?;
        match self.sources.get_mut(head.place).map_or(Ok(None), Run::next) {
            Ok(Some(record)) => Some(Ok(mem::replace(&mut head.record, record))),
            Ok(None) => Some(Ok(PeekMut::pop(head).record)),
            Err(error) => {
                PeekMut::pop(head);
                Some(Err(error))
            }
        }
    }
}

impl<T> Drop for Merge<T> {
    fn drop(&mut self) {
        self.runs.iter().for_each(|run| drop(fs::remove_file(run)));
    }
}

/// The next line of JSON.
///
/// # Errors
///
/// If it could not be read, or is not JSON of this type.
pub fn next<T: DeserializeOwned>(lines: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = String::new();
    if lines.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_str(&line)?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    impl Sorted for (u32, u32) {
        fn order(&self, other: &Self) -> Ordering {
            self.0.cmp(&other.0)
        }
    }

    #[test]
    fn what_spills_comes_back_sorted_and_equals_keep_their_order() {
        let folder = std::env::temp_dir().join(format!("resourcesync-sort-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut sorter = Sorter::new(&folder, "x");
        (sorter.budget, sorter.fan) = (2000, 4);
        let records: Vec<(u32, u32)> = (0..500).map(|number| (number * 7919 % 100, number)).collect();
        records.iter().for_each(|record| sorter.push(*record, 8).unwrap());
        assert!(sorter.made > 10 && sorter.runs.len() < 4, "runs are merged when they are many");
        let merged: Vec<(u32, u32)> = sorter.finish().unwrap().map(Result::unwrap).collect();
        let mut expected = records;
        expected.sort_by_key(|record| record.0);
        assert_eq!(merged, expected);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "runs are removed");
        fs::remove_dir(&folder).unwrap();
    }
}
