//! Packages of dumps: fetched to staging, verified, and their members handed out in the same pass.

use std::{
    collections::HashMap,
    fs::File,
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    thread,
};

use resourcesync::api::{InputOrigin, Options, Outcome, Verification};
use resourcesync_sync::{
    destination::{Task, Transferred},
    package::Package,
    report::BytesFrom,
};

use super::{
    SyncError,
    fetch::{Fetcher, Members, Taken},
    run::Driver,
};
use crate::{meter::Meter, package::verify_taking};

impl Driver<'_, '_> {
    /// Takes resources of the plan from packages.
    pub(super) fn unpack(&mut self, fetcher: &Fetcher) -> Result<(), SyncError> {
        loop {
            let (now, is_spent) = (self.now(), self.budget.is_spent());
            let Some(package) = self.machine.next_package(now, is_spent, &self.ledger)? else { return Ok(()) };
            self.take_from(&package, fetcher)?;
        }
    }

    fn take_from(&mut self, package: &Package, fetcher: &Fetcher) -> Result<(), SyncError> {
        let part = self.folder.take_part(&package.resource.loc);
        let transferred = fetcher.transfer(&package.resource, None, part, BytesFrom::Package)?;
        if !self.machine.received_package(package, &transferred) {
            return Ok(());
        }
        let Transferred::Staged { number, .. } = transferred else { return Ok(()) };
        let file = fetcher.staging.read(number)?;
        let verified = self.verify(package, &file, fetcher);
        fetcher.staging.discard(number);
        let (outcome, files) = verified?;
        if self.cancel.is_cancelled() || !self.machine.is_sound(package, &outcome) {
            Taken::discard(files, &fetcher.staging);
            return Ok(());
        }
        for (task, transferred) in files {
            let number = match &transferred {
                Transferred::Staged { number, .. } => *number,
                _ => continue,
            };
            match self.machine.supplied(task, transferred, &mut self.ledger)? {
                Some(placed) => self.folder.push(placed, &mut self.ledger, &mut self.machine)?,
                None => fetcher.staging.discard(number),
            }
            self.tell();
        }
        Ok(())
    }

    /// Verifies a package, and writes the members that are wanted to staging.
    fn verify(
        &mut self,
        package: &Package,
        file: &File,
        fetcher: &Fetcher,
    ) -> Result<(Outcome, Vec<(Task, Transferred)>), SyncError> {
        let mut options = Options::default();
        options.limits = self.options.settings.reading.limits.clone();
        let size = file.metadata()?.len();
        let origin = InputOrigin::named(&package.resource.loc);
        let verification = Verification::new(&options, origin, size).with_contents();
        let taken = Arc::new(Mutex::new(Taken::default()));
        let mut failed = None;
        let jobs = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let meter = Meter::new(self.cancel);
        let verified = verify_taking(file, size, verification, jobs, &meter, &mut |verification| {
            let wanted = self.wanted(package, verification).unwrap_or_else(|error| {
                failed = Some(error);
                HashMap::new()
            });
            Members::new(wanted, fetcher.staging.clone(), &package.resource.loc, &taken)
        });
        let files = Taken::files(&taken, &fetcher.staging)?;
        match failed {
            None => Ok((verified.done.outcome, files)),
            Some(error) => Err(error),
        }
    }

    /// The transfers that members of a package take the place of, by their indexes; each member is one resource.
    fn wanted(&mut self, package: &Package, verification: &Verification<'_>) -> Result<HashMap<u32, Task>, SyncError> {
        let (mut wanted, package) = (HashMap::new(), package.confirmed(verification));
        for (index, member) in verification.listed_members() {
            let task = self.machine.wanted(&package, member, &self.ledger, &mut self.folder)?;
            if let Some(task) = task.filter(|task| self.client.check(&task.resource.loc).is_ok()) {
                wanted.entry(index).or_insert(task);
            }
        }
        Ok(wanted)
    }
}
