//! The members of a package that are resources of the plan: to files in staging while the package is verified.

use std::{
    collections::HashMap,
    io, mem,
    sync::{Arc, Mutex, PoisonError},
};

use resourcesync::api::MemberData;
use resourcesync_sync::{
    destination::{Task, Transferred},
    report::{BytesFrom, Origin},
};

use super::copying::Copying;
use crate::{destination::folder::Staging, package::TakeMembers};

/// The members that are wanted, and those that were taken.
#[derive(Debug)]
pub(in crate::destination) struct Members {
    staging: Arc<Staging>,
    /// The URI of the package.
    package: String,
    wanted: HashMap<u32, Task>,
    taken: Arc<Mutex<Taken>>,
}

/// Verified files that may be used once the whole package is sound, each with the index of its member.
#[derive(Debug, Default)]
pub(in crate::destination) struct Taken {
    files: Vec<(Task, Transferred)>,
    /// Why a file could not be written.
    failed: Option<io::Error>,
}

impl Members {
    pub(in crate::destination) fn new(
        wanted: HashMap<u32, Task>,
        staging: Arc<Staging>,
        package: &str,
        taken: &Arc<Mutex<Taken>>,
    ) -> Members {
        Members { staging, package: package.to_owned(), wanted, taken: taken.clone() }
    }

    fn end(&self, task: &Task, copying: Option<Copying>, is_sound: bool) -> io::Result<()> {
        let copying = copying.map_or_else(|| Copying::begin(&task.resource, &self.staging), Ok)?;
        if !is_sound {
            return copying.discard(&self.staging);
        }
        if let Some(transferred) =
            copying.end(&task.resource, Origin::at(BytesFrom::Package, &self.package), &self.staging)?
        {
            self.taken.lock().unwrap_or_else(PoisonError::into_inner).files.push((task.clone(), transferred));
        }
        Ok(())
    }

    fn failed(&self, error: io::Error) {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).failed.get_or_insert(error);
    }
}

impl TakeMembers for Members {
    type Open = Option<Copying>;

    fn take(&self, open: &mut Option<Copying>, index: u32, data: MemberData<'_>) {
        let Some(task) = self.wanted.get(&index) else { return };
        match data {
            MemberData::Bytes(bytes) => {
                if open.is_none() {
                    match Copying::begin(&task.resource, &self.staging) {
                        Ok(copying) => *open = Some(copying),
                        Err(error) => return self.failed(error),
                    }
                }
                if let Some(copying) = open {
                    copying.push(bytes);
                }
            }
            MemberData::End(is_sound) => {
                if let Err(error) = self.end(task, open.take(), is_sound) {
                    self.failed(error);
                }
            }
        }
    }
}

impl Taken {
    /// The files, or the error if one could not be written; then they are removed.
    pub(in crate::destination) fn files(
        taken: &Mutex<Taken>,
        staging: &Staging,
    ) -> io::Result<Vec<(Task, Transferred)>> {
        let Taken { files, failed } = mem::take(&mut *taken.lock().unwrap_or_else(PoisonError::into_inner));
        match failed {
            None => Ok(files),
            Some(error) => {
                Taken::discard(files, staging);
                Err(error)
            }
        }
    }

    /// Removes files that may not be used.
    pub(in crate::destination) fn discard(files: Vec<(Task, Transferred)>, staging: &Staging) {
        for (_, transferred) in files {
            if let Transferred::Staged { number, .. } = transferred {
                staging.discard(number);
            }
        }
    }
}
