//! A reader that follows a Source without a pause while it is published.

use std::{
    fs, io,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use resourcesync::publish::Snapshot;

use super::{
    disk::{Disk, FileSystem},
    random_events::{Random, events, publish},
    reader::{Truth, follow},
};
use crate::folder::Current;

const PUBLICATIONS: u64 = 1_000;

/// The file system without syncs: nothing is killed.
struct Unsynced;

impl Disk for Unsynced {
    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, bytes)
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        FileSystem.append(path, bytes)
    }

    fn cut(&self, path: &Path, length: u64) -> io::Result<()> {
        FileSystem.cut(path, length)
    }

    fn place(&self, staged: &Path, name: &str, current: &Current) -> io::Result<()> {
        FileSystem.place(staged, name, current)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        FileSystem.remove(path)
    }
}

#[test]
fn a_reader_during_a_thousand_publications_always_finds_what_held_at_some_moment() {
    let temporary = tempfile::tempdir().unwrap();
    let (out, mut random) = (temporary.path().join("public"), Random(7));
    let (batch, first) = events(&mut random, &Truth::new());
    publish(&out, 0, &Unsynced, batch, None).unwrap();
    // The last publication that began; the reader finds one of those from the last that had ended on.
    let (begun, is_over) = (Mutex::new(vec![first.clone()]), AtomicBool::new(false));
    let read = || {
        let mut count = 0_u64;
        while !is_over.load(Ordering::Relaxed) {
            let from = begun.lock().unwrap().len().saturating_sub(2);
            let found = follow(&out);
            let held = begun.lock().unwrap();
            assert!(held[from..].contains(&found), "{found:?} is none of {} states", held.len() - from);
            count += 1;
        }
        count
    };
    let count = thread::scope(|scope| {
        let reader = scope.spawn(read);
        let mut truth = first;
        for at in 1..=PUBLICATIONS {
            let (batch, after) = events(&mut random, &truth);
            let snapshot = if random.below(40) == 0 { Snapshot::Now } else { Snapshot::Never };
            begun.lock().unwrap().push(after.clone());
            publish(&out, at, &Unsynced, batch, Some(snapshot)).unwrap();
            truth = after;
            if reader.is_finished() {
                break;
            }
        }
        is_over.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });
    assert!(count > 0 && begun.lock().unwrap().len() as u64 == PUBLICATIONS + 1, "{count} times");
}
