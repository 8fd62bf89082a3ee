//! A published folder as the store of a publication driven by a program: it publishes a new generation, or
//! nothing.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use resourcesync::{
    build::{ChangeHistory, DumpHistory, Store},
    publish::{Set, State},
    value::Datetime,
};

use super::{
    Error,
    files::{self, Files},
    known::Known,
    new_generation::announce,
    state_files,
};
use crate::folder::{Current, Generations};

/// Receives the files of the next generation of a published folder. If it is dropped before it is published, nothing changes.
pub struct FolderStore {
    generations: Generations,
    next: PathBuf,
    files: Files,
    before: Option<(Current, State)>,
}

/// The history of a set, which its next publication needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetHistory {
    /// Its Change Lists.
    pub changes: Option<ChangeHistory>,
    /// Its Change Dump.
    pub dump: Option<DumpHistory>,
}

impl FolderStore {
    /// Locks a folder that is new, empty or was published before, and starts its next generation.
    ///
    /// # Errors
    ///
    /// If another run has the lock, the folder is not empty and was not published here, its state is damaged, or an operation fails.
    pub fn open(out: &Path, keep_generations: u64) -> Result<FolderStore, Error> {
        let generations = Generations::open(out, keep_generations)?;
        let before = match generations.current() {
            Some(current) => {
                let state = Known::open(&current)?.ledger.state;
                state_files::check(&state, &current.known)?;
                // Payloads that a killed run published but did not add to the outbox are lost with its generation otherwise.
                announce(&generations, &current, &mut |_| {})?;
                Some((current, state))
            }
            None => None,
        };
        let next = generations.prepare()?;
        let files = Files::new(next.join("public"));
        Ok(FolderStore { generations, next, files, before })
    }

    /// The sets of the published generation, by name.
    #[must_use]
    pub fn previous(&self) -> BTreeMap<String, SetHistory> {
        let sets = self.before.iter().flat_map(|(_, state)| &state.sets);
        let history = |set: &Set| SetHistory {
            changes: Some(set.changes.clone()),
            dump: set.dump.as_ref().map(|dump| dump.history.clone()),
        };
        sets.map(|(name, set)| (name.clone(), history(set))).collect()
    }

    /// Publishes the received files, with the files of earlier generations that they refer to, and stores the histories of the
    /// sets.
    ///
    /// # Errors
    ///
    /// If a kept file is damaged, a foreign file has the name of a new one, or an operation fails; the published folder is then unchanged.
    pub fn publish(
        mut self,
        at: &Datetime,
        base: &str,
        kept: &[String],
        sets: impl IntoIterator<Item = (String, SetHistory)>,
    ) -> Result<(), Error> {
        let public = self.next.join("public");
        let mut state = State::new(at, (base, base, files::PLAIN), String::new());
        for (name, SetHistory { changes, dump }) in sets {
            state.add_set(name, changes, dump);
        }
        if let Some((current, before)) = &self.before {
            kept.iter().try_for_each(|file| state_files::check_file(before, &current.public, file, true))?;
            files::keep_all(&current.public, &public, kept)?;
        }
        self.files.end().map_err(|error| Error::new(error.to_string()))?;
        state_files::write(&mut state, &self.next, &public)?;
        let mut next = self.generations.begin()?;
        if let Some((_, before)) = &self.before {
            next.carry_over(before.files.keys().cloned());
        }
        Ok(next.publish().map(drop)?)
    }
}

impl Drop for FolderStore {
    fn drop(&mut self) {
        // A published generation leaves nothing here.
        let _ = fs::remove_dir_all(&self.next);
    }
}

impl Store for FolderStore {
    type Error = io::Error;

    fn begin(&mut self, path: &str) -> io::Result<()> {
        self.files.begin(path)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.files.write(bytes)
    }

    fn end(&mut self) -> io::Result<()> {
        self.files.end()
    }
}

impl std::fmt::Debug for FolderStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FolderStore").field("generations", &self.generations).finish_non_exhaustive()
    }
}
