//! What is in the way of a file: a folder, a file of another resource, a file of others.

use resourcesync_sync::{
    Local,
    ledger::{Resources, StoredResource},
    place,
};

use super::{copies::InTheWay, look::Look, writing::Folder};
use crate::destination::{
    SyncError,
    ledger::{Ledger, Move},
};

/// Whether there is room for a verified file.
pub(super) enum Room {
    /// It gets this path, if it differs from that of the layout.
    Free(Option<String>),
    /// A foreign file is in the way.
    Foreign,
    /// A file of another resource is there, and at the path that it would get instead too.
    SameName,
}

impl Folder {
    /// Makes room at a place, without touching foreign files. `aside` takes the files that are to be moved to the trash first.
    pub(super) fn make_room(
        &mut self,
        stored: &StoredResource,
        place: &str,
        has_below: bool,
        aside: &mut Vec<Move>,
        ledger: &mut Ledger,
    ) -> Result<Room, SyncError> {
        let overwrites = self.options.overwrites;
        while let Err(problem) = self.copies()?.make_way(place) {
            let InTheWay::NoFolder(mut file) = problem else { return Err(problem.into()) };
            if let Some(other) = self.other_at(&file, ledger)? {
                file = other;
            }
            match self.owner_of(&file, ledger)? {
                // A file of this copy: `a` and `a/b` are both listed.
                Some(owner) => {
                    if !self.step_aside(&owner, &file, ledger)? {
                        return Ok(Room::Foreign);
                    }
                }
                None if overwrites => {
                    if let Some(look) = self.copies()?.look(&file)? {
                        self.trash_foreign(&file, look, ledger)?;
                    }
                }
                None => return Ok(Room::Foreign),
            }
        }
        let mut path = None;
        let mut look = self.copies()?.look(place)?;
        if has_below || look.is_some_and(|look| look.is_folder) {
            let other = format!("{place}^");
            look = self.copies()?.look(&other)?;
            path = Some(other);
        } else if stored.path.is_some() {
            path = Some(place.to_owned());
        }
        let place = path.as_deref().unwrap_or(place);
        let Some(look) = look else { return Ok(Room::Free(path)) };
        let found = ledger.find(&stored.uri)?;
        let compared = found.as_ref().map(|found| Look::compare(Some(look), found.state.size, found.mtime));
        let is_changed = match compared {
            Some(Local::Intact) => return Ok(Room::Free(path)),
            Some(_) => true,
            None if self.other_at(place, ledger)?.is_some() => {
                let other = place::aside(place, &stored.uri);
                let is_taken = self.copies()?.look(&other)?.is_some();
                return Ok(if is_taken { Room::SameName } else { Room::Free(Some(other)) });
            }
            None if overwrites => false,
            None => return Ok(Room::Foreign),
        };
        let uri = if is_changed { &*stored.uri } else { "" };
        aside.push(self.to_trash(uri, place, look, is_changed));
        Ok(Room::Free(path))
    }

    /// Moves a file of others that is in the way to the trash.
    fn trash_foreign(&mut self, file: &str, look: Look, ledger: &mut Ledger) -> Result<(), SyncError> {
        let run = self.options.run;
        let moving = self.to_trash("", file, look, false);
        ledger.announce(&[moving])?;
        self.copies()?.trash(file, run)?;
        Ok(())
    }

    /// The resource of a file of this copy that has the name of the layout.
    pub(super) fn owner_of(&self, file: &str, ledger: &Ledger) -> Result<Option<StoredResource>, SyncError> {
        let owner = self.places.uri(file).map(|uri| ledger.find(&uri)).transpose()?.flatten();
        Ok(owner.filter(|owner| owner.path.is_none()))
    }

    /// Renames the file of a resource so that a folder can have its name. False if a file of others is in the way.
    pub(super) fn step_aside(
        &mut self,
        owner: &StoredResource,
        file: &str,
        ledger: &mut Ledger,
    ) -> Result<bool, SyncError> {
        let other = format!("{file}^");
        let (now, taken) = (self.copies()?.look(file)?, self.copies()?.look(&other)?);
        let Some(look) = now else { return Ok(false) };
        match taken {
            Some(taken) if self.options.overwrites => self.trash_foreign(&other, taken, ledger)?,
            Some(_) => return Ok(false),
            None => {}
        }
        let (uri, place, target, run) = (owner.uri.clone(), file.to_owned(), Some(other.clone()), self.options.run);
        let (size, mtime) = (look.size, look.mtime);
        let moving = Move { uri, place, target, size, mtime, is_changed: false, is_done: false, run };
        ledger.announce(&[moving])?;
        self.copies()?.rename(file, &other)?;
        self.sync_folders()?;
        ledger.moved(&[(&owner.uri, &other)])?;
        Ok(true)
    }
}
