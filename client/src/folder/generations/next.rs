//! The generation being built: it replaces the published one in a single step, or nothing changes.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use resourcesync::publish::STATE;
use serde::{Deserialize, Serialize};

use super::{Generations, MARK, PUBLISHED, remove};
use crate::folder::{FolderError, carry, exchange, write_atomic};

/// A published generation.
#[derive(Debug)]
pub struct Current {
    /// The published folder.
    pub public: PathBuf,
    /// The folder with its state.
    pub known: PathBuf,
}

/// The foreign files of the generation before, in the folder of its successor until what happened to them meanwhile was repeated.
const FOREIGN: &str = "foreign.json";

/// The foreign files of the generation before.
#[derive(Serialize, Deserialize)]
pub(super) struct Foreign {
    /// In the folder of this generation.
    old: u64,
    /// Its other files.
    own: BTreeSet<String>,
    carried: Vec<carry::Carried>,
}

/// A generation being built. If it is dropped, nothing changes.
#[derive(Debug)]
pub struct Next<'a> {
    pub(super) generations: &'a Generations,
    /// The folder for its state.
    pub folder: PathBuf,
    /// Files of the current generation that are not carried over.
    pub(super) own: Option<BTreeSet<String>>,
}

impl Generations {
    /// Repeats what a run that was killed right after the exchange could not.
    pub(super) fn carry_left(&self) {
        let text = fs::read(self.known(self.current).join(FOREIGN)).unwrap_or_default();
        if let Ok(foreign) = serde_json::from_slice(&text) {
            carry_late(self, self.current, &foreign);
        }
    }

    /// The published generation.
    #[must_use]
    pub fn current(&self) -> Option<Current> {
        (self.current > 0).then(|| Current { public: self.out.clone(), known: self.known(self.current) })
    }

    /// Starts the next generation.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn begin(&self) -> Result<Next<'_>, FolderError> {
        let folder = self.prepare()?;
        Ok(Next { generations: self, folder, own: None })
    }

    /// Replaces the state of the current generation with a prepared folder. What is published, and the generation before it, stay where they
    /// are.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn replace_state(&self, next: Next<'_>) -> Result<(), FolderError> {
        let known = self.known(self.current);
        remove(&next.public())?;
        let replaced = || -> io::Result<()> {
            exchange::sync(&next.folder)?;
            fs::create_dir_all(&known)?;
            let names = |folder: &Path| -> io::Result<BTreeSet<OsString>> {
                fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
            };
            // A run that is killed before this file is there again is repeated.
            let old = names(&known)?.into_iter().filter(|name| name != "public" && name != STATE);
            for name in [STATE.into()].into_iter().chain(old) {
                let place = known.join(name);
                match fs::remove_file(&place) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(_) if place.is_dir() => fs::remove_dir_all(&place)?,
                    outcome => outcome?,
                }
            }
            let new = names(&next.folder)?.into_iter().filter(|name| name != STATE);
            for name in new.chain([STATE.into()]) {
                fs::rename(next.folder.join(&name), known.join(name))?;
            }
            #[cfg(unix)]
            fs::File::open(&known)?.sync_all()?;
            Ok(())
        };
        replaced().map_err(|error| FolderError::io("the state could not be replaced in", &known, error))
    }
}

impl Next<'_> {
    /// The folder that will be published.
    #[must_use]
    pub fn public(&self) -> PathBuf {
        self.folder.join("public")
    }

    /// Carries over foreign files of the published folder: everything except these files of the current generation.
    pub fn carry_over(&mut self, own: impl IntoIterator<Item = String>) {
        self.own = Some(own.into_iter().chain([MARK.to_owned()]).collect());
    }

    /// Replaces the current generation with this one, and returns it.
    ///
    /// # Errors
    ///
    /// If a file to carry over has the name of a new one, something is mounted below the published folder, or an operation fails; the current
    /// generation then stays.
    pub fn publish(mut self) -> Result<Current, FolderError> {
        let Generations { out, state_folder, current, .. } = self.generations;
        let number = current.saturating_add(1);
        let foreign = self.exchange(number)?;
        // The new generation is published: what fails from here on is made up for by the next run.
        let _ = write_atomic(&state_folder.join(PUBLISHED), format!("{number}\n").as_bytes());
        let known = self.generations.known(number);
        if let Some(foreign) = foreign {
            carry_late(self.generations, number, &foreign);
        }
        let _ = self.generations.clear(number);
        Ok(Current { public: out.clone(), known })
    }

    /// Exchanges the folders; the foreign files of the one that was published until now.
    pub(super) fn exchange(&mut self, number: u64) -> Result<Option<Foreign>, FolderError> {
        let Generations { out, state_folder, current, .. } = self.generations;
        let known = self.generations.known(number);
        if carry::is_mounted(out) {
            let error = io::Error::new(io::ErrorKind::CrossesDevices, "this folder is mounted");
            return Err(FolderError::Mounted { out: out.clone(), error });
        }
        if known.exists() {
            let error = io::Error::from(io::ErrorKind::AlreadyExists);
            return Err(FolderError::io("a folder that was not made here is in the way; move it away:", &known, error));
        }
        let foreign = match self.own.take().filter(|_| *current > 0) {
            Some(own) => {
                let carried = carry::carry_over(out, &self.public(), &|name| own.contains(name))?;
                let old = if self.generations.is_linked() { *current } else { number };
                Some(Foreign { old, own, carried })
            }
            None => None,
        };
        let swapped = || -> io::Result<()> {
            fs::write(self.public().join(MARK), format!("{number}\n"))?;
            if out.exists() {
                carry::same_access(out, &self.public())?;
            }
            // Names that are not UTF-8 cannot be recorded.
            if let Some(text) = foreign.as_ref().and_then(|foreign| serde_json::to_vec(foreign).ok()) {
                fs::write(self.folder.join(FOREIGN), text)?;
            }
            exchange::sync(&self.folder)?;
            fs::rename(&self.folder, &known)?;
            exchange::swap(&known.join("public"), out, state_folder)
        };
        swapped().map_err(|error| FolderError::io("the new generation could not take the place of", out, error))?;
        Ok(foreign)
    }

    /// Moves the result to the output as a plain folder, without generations.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn release(self) -> Result<(), FolderError> {
        let out = &self.generations.out;
        let released = || -> io::Result<()> {
            exchange::sync(&self.public())?;
            if out.exists() {
                fs::remove_dir(out)?;
            }
            fs::rename(self.public(), out)
        };
        released().map_err(|error| FolderError::io("what was made could not take the place of", out, error))
    }
}

/// Repeats what happened to foreign files until the folders were exchanged.
fn carry_late(generations: &Generations, number: u64, Foreign { old, own, carried }: &Foreign) {
    let old = generations.known(*old).join("public");
    carry::carry_late(&old, &generations.out, carried, &|name| own.contains(name));
    let _ = fs::remove_file(generations.known(number).join(FOREIGN));
}

impl Drop for Next<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
