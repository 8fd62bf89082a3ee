//! All files to what another layout makes of their URIs.

use resourcesync_sync::{
    Local,
    ledger::{Resources, StoredResource},
    place,
};

use super::{copies::InTheWay, files::Files, look::Look, writing::Folder};
use crate::destination::{SyncError, ledger::Ledger};

/// Files renamed between two transactions.
const GROUP: usize = 256;

impl Folder {
    /// Renames files to what the layout makes of their URIs; a run that was killed meanwhile is completed.
    /// The number of files that something is in the way of.
    pub(in crate::destination) fn relayout(
        &mut self,
        ledger: &mut Ledger,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<u64, SyncError> {
        if ledger.get("relayout")?.is_none() {
            return Ok(0);
        }
        // A file may be in the way of another that moves away itself.
        let mut left = u64::MAX;
        loop {
            let now = self.relayout_once(ledger, is_cancelled)?;
            if now == 0 || now >= left {
                left = now;
                break;
            }
            left = now;
        }
        // What is in the way may be moved away until the next run.
        if left == 0 && !is_cancelled() {
            ledger.unset("relayout")?;
        }
        Ok(left)
    }

    /// Goes through all files once; the number of those that something is in the way of.
    fn relayout_once(&mut self, ledger: &mut Ledger, is_cancelled: &dyn Fn() -> bool) -> Result<u64, SyncError> {
        let (mut after, mut left) = (0, 0_u64);
        loop {
            let list = ledger.with_paths(after, GROUP)?;
            let Some(last) = list.last().filter(|_| !is_cancelled()) else { return Ok(left) };
            after = last.id;
            let mut moved = Vec::new();
            for stored in list {
                let (Some(from), Some(to)) = (stored.path.clone(), self.places.of(&stored.uri)) else { continue };
                match self.rename_to(&stored.uri, &from, to, ledger)? {
                    Some(path) => moved.push((stored.id, from, path)),
                    None => left = left.saturating_add(1),
                }
            }
            self.sync_folders()?;
            let paths: Vec<(i64, Option<&str>)> = moved.iter().map(|(id, _, path)| (*id, path.as_deref())).collect();
            ledger.set_paths(&paths)?;
            for (_, from, _) in &moved {
                self.copies()?.prune(from);
            }
        }
    }

    /// Renames a file; its path, where that is not what the layout makes of its URI. `None` if something is in the way.
    #[expect(clippy::option_option, reason = "no path is a path")]
    fn rename_to(
        &mut self,
        uri: &str,
        from: &str,
        mut to: String,
        ledger: &mut Ledger,
    ) -> Result<Option<Option<String>>, SyncError> {
        if from == to {
            return Ok(Some(None));
        }
        let is_ours = |stored: &StoredResource, look: Look| {
            Look::compare(Some(look), stored.state.size, stored.mtime) == Local::Intact
        };
        if self.copies()?.look(from)?.is_none_or(|look| !look.is_file) {
            // Renamed by a run that was killed, or lost: then it is fetched, to a place where nothing of others is.
            let found = ledger.find(uri)?;
            let names = [(to.clone(), None), (format!("{to}^"), Some(())), (place::aside(&to, uri), Some(()))];
            for (name, path) in names {
                let look = self.copies()?.look(&name)?.filter(|look| look.is_file);
                if found.as_ref().zip(look).is_some_and(|(found, look)| is_ours(found, look)) {
                    return Ok(Some(path.map(|()| name)));
                }
            }
            let is_free = self.copies()?.look(&to)?.is_none();
            return Ok(Some((!is_free).then(|| from.to_owned())));
        }
        while let Err(problem) = self.copies()?.make_way(&to) {
            let InTheWay::NoFolder(mut file) = problem else { return Err(problem.into()) };
            if let Some(other) = self.other_at(&file, ledger)? {
                file = other;
            }
            let Some(owner) = self.owner_of(&file, ledger)? else { return Ok(None) };
            if !self.step_aside(&owner, &file, ledger)? {
                return Ok(None);
            }
        }
        let mut path = None;
        if self.copies()?.look(&to)?.is_some_and(|look| look.is_folder) {
            to.push('^');
            path = Some(to.clone());
        }
        if from == to {
            return Ok(Some(path));
        }
        if let Some(look) = self.copies()?.look(&to)? {
            // Both names of one file: the file system takes them for the same.
            let found = ledger.find(uri)?;
            let Files::Own(copies) = &mut self.files else { return Err(SyncError::NotACopy) };
            if !(copies.folds()
                && copies.actual(&to)?.as_deref() == Some(from)
                && found.is_some_and(|found| is_ours(&found, look)))
            {
                let other = place::aside(&to, uri);
                if self.other_at(&to, ledger)?.is_none() || self.copies()?.look(&other)?.is_some() {
                    return Ok(None);
                }
                path = Some(other.clone());
                to = other;
            }
        }
        self.copies()?.move_file(from, &to)?;
        Ok(Some(path))
    }
}
