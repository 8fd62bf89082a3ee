//! Publications of changes that are killed at every operation, while a reader follows the Source.

use std::{
    cell::Cell,
    env, fs,
    io::{self, Write},
    path::Path,
    thread,
};

use resourcesync::publish::Snapshot;

use super::{
    disk::{Disk, FileSystem},
    random_events::{Random, events, publish},
    reader::{Truth, follow},
};
use crate::{folder::Current, publish::verify_state};

/// Random histories; more in a long run.
const HISTORIES: u64 = 200;
const STEPS: u64 = 6;

/// Ends the run before one of its operations; an append is cut. A reader follows the Source after each.
struct Killed<'a> {
    left: Cell<u64>,
    read: &'a dyn Fn(),
}

impl Killed<'_> {
    fn step(&self) -> io::Result<()> {
        (self.read)();
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(io::Error::other("killed")),
        }
    }
}

impl Disk for Killed<'_> {
    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, bytes)
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.step()
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let killed = self.step();
        let written = if killed.is_ok() { bytes } else { bytes.get(..bytes.len() / 2).unwrap() };
        fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(written)?;
        killed
    }

    fn cut(&self, path: &Path, length: u64) -> io::Result<()> {
        self.step()?;
        FileSystem.cut(path, length)
    }

    fn place(&self, staged: &Path, name: &str, current: &Current) -> io::Result<()> {
        self.step()?;
        FileSystem.place(staged, name, current)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        FileSystem.remove(path)
    }
}

fn history(folder: &Path, seed: u64) -> u64 {
    let (out, mut random) = (folder.join(format!("{seed}")), Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
    let (mut truth, mut killed) = (Truth::new(), 0);
    for step in 0..STEPS {
        let (batch, after) = events(&mut random, &truth);
        let snapshot = if random.below(6) == 0 { Snapshot::Now } else { Snapshot::Never };
        if step > 0 {
            let read = || {
                let found = follow(&out);
                assert!(found == truth || found == after, "history {seed}, step {step}: {found:?}");
            };
            let disk = Killed { left: Cell::new(random.below(16)), read: &read };
            let outcome = publish(&out, step * 2 + 1, &disk, batch.clone(), Some(snapshot));
            killed += u64::from(outcome.is_err());
            read();
        }
        // Sending the batch again is harmless, whatever became of it.
        let disk = Killed { left: Cell::new(u64::MAX), read: &|| {} };
        publish(&out, step * 2 + 2, &disk, batch, Some(snapshot)).unwrap();
        assert_eq!(follow(&out), after, "history {seed}, step {step}");
        let verified = verify_state(&out).unwrap();
        assert_eq!(verified.resources, after.len() as u64, "history {seed}, step {step}");
        truth = after;
    }
    killed
}

#[test]
fn a_publication_that_is_killed_at_any_operation_is_completed_or_withdrawn_and_readers_see_no_half_of_it() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let histories = env::var("HISTORIES").map_or(HISTORIES, |text| text.parse().unwrap());
    let killed: u64 = thread::scope(|scope| {
        let run =
            move |worker| (0..histories).filter(move |seed| seed % 4 == worker).map(|seed| history(folder, seed)).sum();
        let workers: Vec<_> = (0..4).map(|worker| scope.spawn(move || -> u64 { run(worker) })).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!(killed > histories, "{killed} runs were killed");
}
