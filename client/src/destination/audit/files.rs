//! The files of a copy compared with what was verified when they were stored, the largest first.

use std::{
    io::{self, Read},
    num::NonZeroUsize,
    thread,
};

use cap_std::fs::Dir;
use resourcesync::{
    diagnostic::Reason,
    value::{Algorithm, Hashes},
};
use resourcesync_sync::{
    Places,
    audit::Sign,
    ledger::{Resources, StoredResource},
};

use super::Work;
use crate::{
    destination::{
        SyncError,
        fetch::{digests, sha256},
        folder::{Keep, Look, look_at, open_file},
        ledger::Ledger,
        options::{Phase, Progress},
    },
    parallel::{self, Next},
    system::reason,
};

/// Rows read per query.
const AHEAD: usize = 256;

/// A file as it is now.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) sign: Sign,
    pub(super) cause: Option<Reason>,
}

/// What comparing files needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Files<'a> {
    root: &'a Dir,
    keep: &'a Keep,
    places: &'a Places,
    is_quick: bool,
    run: u64,
}

impl<'a> Files<'a> {
    /// The digests of the file of a resource; `None` if there is none.
    pub(super) fn digests(
        &self,
        stored: &StoredResource,
        algorithms: impl Iterator<Item = Algorithm>,
    ) -> io::Result<Option<Hashes>> {
        let place = self.place_of(stored);
        if let Some(mut store) = self.keep.used() {
            return match store.look(&place)? {
                Some(_) => digests(&mut store.open(&place)?, algorithms).map(Some),
                None => Ok(None),
            };
        }
        let Some((_, folder, name)) = look_at(self.root, &place)? else { return Ok(None) };
        digests(&mut open_file(&folder, &name)?, algorithms).map(Some)
    }

    pub(super) fn place_of(&self, stored: &StoredResource) -> String {
        stored.path.clone().or_else(|| self.places.of(&stored.uri)).unwrap_or_default()
    }

    /// Compares the file of a resource.
    fn compare(&self, stored: &StoredResource) -> Local {
        match self.try_compare(stored) {
            Ok(sign) => Local { sign, cause: None },
            Err(error) => Local { sign: Sign::Unreadable, cause: Some(reason(&error)) },
        }
    }

    fn try_compare(&self, stored: &StoredResource) -> io::Result<Sign> {
        let place = self.place_of(stored);
        if let Some(mut store) = self.keep.used() {
            let Some(bytes) = store.look(&place)? else { return Ok(Sign::Missing) };
            return self.sign(Look::stored(bytes), stored, || store.open(&place));
        }
        let Some((look, folder, name)) = look_at(self.root, &place)? else {
            // What is kept until its change is acknowledged need not be there.
            return Ok(if matches!(self.keep, Keep::UntilDone) { Sign::Equal } else { Sign::Missing });
        };
        self.sign(look, stored, || Ok(Box::new(open_file(&folder, &name)?)))
    }

    /// Compares what is there with what was verified, by its digest unless the comparison is quick.
    fn sign(
        &self,
        look: Look,
        stored: &StoredResource,
        open: impl FnOnce() -> io::Result<Box<dyn Read + Send>>,
    ) -> io::Result<Sign> {
        let is_same = match self.is_quick {
            true => Look::compare(Some(look), stored.state.size, stored.mtime) == resourcesync_sync::Local::Intact,
            false => {
                look.is_file
                    && look.size == stored.state.size
                    && sha256(&digests(&mut open()?, [Algorithm::Sha256])?) == stored.state.sha256
            }
        };
        Ok(if is_same { Sign::Equal } else { Sign::Damaged })
    }

    /// The result of comparing a file; a file that a run recorded meanwhile is compared again.
    pub(super) fn local(&self, ledger: &Ledger, stored: &StoredResource, recorded_in: u64) -> Result<Local, SyncError> {
        if recorded_in > self.run {
            return Ok(self.compare(stored));
        }
        let problem = ledger.problem(stored.id)?;
        let (sign, cause) = problem.unwrap_or((Sign::Equal, None));
        Ok(Local { sign, cause })
    }
}

impl Work<'_> {
    pub(super) fn files(&self) -> Files<'_> {
        Files {
            root: &self.root,
            keep: &self.options.keep,
            places: &self.places,
            is_quick: self.options.quick,
            run: self.run,
        }
    }

    /// Compares all files, on all processors.
    pub(super) fn compare_files(&mut self) -> Result<(), SyncError> {
        self.ledger.begin_comparing()?;
        let total = self.ledger.totals()?.0;
        let files = Files {
            root: &self.root,
            keep: &self.options.keep,
            places: &self.places,
            is_quick: self.options.quick,
            run: self.run,
        };
        let mut plan = Plan {
            ledger: &self.ledger,
            ahead: Vec::new().into_iter(),
            after: 0,
            done: 0,
            bytes: 0,
            is_cancelled: &|| self.cancel.is_cancelled(),
            show: &mut |done, bytes| {
                (self.on_progress)(Progress { phase: Phase::Files, done, total: Some(total), amount: bytes });
            },
        };
        let workers = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        parallel::run(&mut plan, workers, || {
            |stored: StoredResource| {
                let local = files.compare(&stored);
                (stored, local)
            }
        })
    }
}

/// The files in their order.
struct Plan<'a> {
    ledger: &'a Ledger,
    ahead: std::vec::IntoIter<(i64, StoredResource)>,
    after: i64,
    done: u64,
    bytes: u64,
    is_cancelled: &'a dyn Fn() -> bool,
    show: &'a mut dyn FnMut(u64, u64),
}

impl parallel::Plan for Plan<'_> {
    type Job = StoredResource;
    type Done = (StoredResource, Local);
    type Error = SyncError;

    fn next(&mut self) -> Result<Next<StoredResource>, SyncError> {
        if (self.is_cancelled)() {
            return Ok(Next::Done);
        }
        if self.ahead.len() == 0 {
            self.ahead = self.ledger.to_compare(self.after, AHEAD)?.into_iter();
        }
        let Some((seq, stored)) = self.ahead.next() else { return Ok(Next::Done) };
        self.after = seq;
        Ok(Next::Job(stored))
    }

    fn take(&mut self, (stored, local): (StoredResource, Local)) -> Result<(), SyncError> {
        self.done = self.done.saturating_add(1);
        self.bytes = self.bytes.saturating_add(stored.state.size);
        if local.sign != Sign::Equal {
            self.ledger.note_problem(stored.id, local.sign, local.cause.as_ref())?;
        }
        Ok(())
    }

    fn tick(&mut self) {
        (self.show)(self.done, self.bytes);
    }
}
