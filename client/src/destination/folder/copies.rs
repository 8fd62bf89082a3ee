//! The folder of a copy, accessed only by directory handles: no name leads out of it, and no symbolic link in
//! it is followed.

use std::{
    fs,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
    sync::{Arc, MutexGuard},
    time::Duration,
};

use cap_fs_ext::DirExt;
use cap_std::{ambient_authority, fs::Dir};
use resourcesync_sync::{ledger::StoredResource, place};

use super::{
    look::{Look, in_place_of_time, open_file, parts, split},
    staging::{Staging, private_folder},
    store::{Beginning, CopyStore, Keep, Latest, holding},
};
use crate::destination::SyncError;

/// The private folder in the folder of the copy.
pub(in crate::destination) const OWN: &str = ".resourcesync";
/// Maximum open folders.
const OPEN: usize = 64;

/// The folder of a copy.
#[derive(Debug)]
pub(in crate::destination) struct Copies {
    root: Dir,
    own: Dir,
    staging: Arc<Staging>,
    path: PathBuf,
    /// True if the file system takes some names for the same.
    folds: bool,
    /// The most recently used folders, by path.
    open: Vec<(String, Dir)>,
    keep: Keep,
    /// Folders with renames that are not durable yet.
    touched: Vec<(String, Dir)>,
    /// True if the store is in use.
    is_begun: bool,
}

impl Drop for Copies {
    fn drop(&mut self) {
        if self.is_begun
            && let Some(mut store) = self.keep.used()
        {
            // The next run waits until its time is over.
            let _ = store.end();
        }
    }
}

/// Why a file cannot be placed.
#[derive(Debug)]
pub(in crate::destination) enum InTheWay {
    /// Something other than a folder is in the place of a folder.
    NoFolder(String),
    /// A system error.
    Io(io::Error),
}

impl From<InTheWay> for SyncError {
    fn from(problem: InTheWay) -> SyncError {
        match problem {
            InTheWay::Io(error) => SyncError::Io(error),
            InTheWay::NoFolder(_) => SyncError::Io(io::ErrorKind::NotADirectory.into()),
        }
    }
}

impl From<io::Error> for InTheWay {
    fn from(error: io::Error) -> InTheWay {
        InTheWay::Io(error)
    }
}

impl Copies {
    /// Opens the folder, and creates it if necessary.
    pub(in crate::destination) fn open(path: &Path, keep: Keep) -> io::Result<Copies> {
        fs::create_dir_all(path)?;
        let root = Dir::open_ambient_dir(path, ambient_authority())?;
        let own = private_folder(&root, OWN)?;
        let path = fs::canonicalize(path)?;
        let staging = Arc::new(Staging::open(&own, &path.join(OWN))?);
        let folds = keep.used().is_none() && staging.folds()?;
        Ok(Copies { root, own, staging, path, folds, keep, open: Vec::new(), touched: Vec::new(), is_begun: false })
    }

    /// Begins to use the store, until this value is dropped, if the run has the state that describes it.
    pub(in crate::destination) fn begin(&mut self, run: &Beginning<'_>) -> io::Result<Latest> {
        let latest = self.store()?.begin(run)?;
        self.is_begun = matches!(latest, Latest::Known(_));
        Ok(latest)
    }

    /// The store, if there is one.
    pub(in crate::destination) fn store(&self) -> io::Result<MutexGuard<'_, dyn CopyStore + 'static>> {
        self.keep.used().ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    /// True if the folder still has its path: another run may have exchanged it.
    pub(in crate::destination) fn is_in_place(&self) -> io::Result<bool> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let (own, there) = (self.root.dir_metadata()?, fs::metadata(&self.path)?);
            let own = (cap_std::fs::MetadataExt::dev(&own), cap_std::fs::MetadataExt::ino(&own));
            Ok(own == (there.dev(), there.ino()))
        }
        #[cfg(not(unix))]
        Ok(true)
    }

    /// The path of the private folder, for operations that need a path.
    pub(in crate::destination) fn own_path(&self) -> PathBuf {
        self.path.join(OWN)
    }

    /// True if the file system takes some names for the same: those that differ in case or in the form of Unicode.
    pub(in crate::destination) fn folds(&self) -> bool {
        self.folds
    }

    /// The path of what is at a place, as the file system has it.
    pub(in crate::destination) fn actual(&self, place: &str) -> io::Result<Option<String>> {
        let mut folder = self.root.try_clone()?;
        let mut actual = String::new();
        let mut rest = parts(place).peekable();
        while let Some(part) = rest.next() {
            let mut found = None;
            for entry in folder.entries()? {
                let name = entry?.file_name();
                let Some(name) = name.to_str() else { continue };
                if name == part || (found.is_none() && place::folded(name) == place::folded(part)) {
                    found = Some(name.to_owned());
                }
            }
            let Some(name) = found else { return Ok(None) };
            if rest.peek().is_some() {
                folder = folder.open_dir_nofollow(&name)?;
                actual = format!("{actual}{name}/");
            } else {
                actual.push_str(&name);
            }
        }
        Ok(Some(actual))
    }

    /// The folder for files that are not verified yet.
    pub(in crate::destination) fn staging(&self) -> Arc<Staging> {
        self.staging.clone()
    }

    /// Where the bytes are.
    pub(in crate::destination) fn keep(&self) -> &Keep {
        &self.keep
    }

    /// True if the bytes are in a store of the program.
    pub(in crate::destination) fn has_store(&self) -> bool {
        self.keep.used().is_some()
    }

    /// The file at a place; `None` also if a parent is not a folder.
    pub(in crate::destination) fn look(&mut self, place: &str) -> io::Result<Option<Look>> {
        if let Some(mut store) = self.keep.used() {
            return Ok(store.look(place)?.map(Look::stored));
        }
        let (folders, name) = split(place);
        let folder = match self.enter(folders, false) {
            Ok(folder) => folder,
            Err(InTheWay::NoFolder(_)) => return Ok(None),
            Err(InTheWay::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(InTheWay::Io(error)) => return Err(error),
        };
        match folder.symlink_metadata(name) {
            Ok(meta) => Ok(Some(Look::of(&meta))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens the file at a place for reading, if it is a regular file.
    pub(in crate::destination) fn read(&mut self, place: &str) -> io::Result<fs::File> {
        if let Some(mut store) = self.keep.used() {
            return spooled(&mut *store, place);
        }
        self.read_own(place)
    }

    /// Opens what is at a place, without copying it from the store.
    pub(in crate::destination) fn open_place(&mut self, place: &str) -> io::Result<Box<dyn Read + Send>> {
        if let Some(mut store) = self.keep.used() {
            return store.open(place);
        }
        Ok(Box::new(self.read(place)?))
    }

    /// Creates the parent folders of a place.
    pub(in crate::destination) fn make_way(&mut self, place: &str) -> Result<(), InTheWay> {
        if self.keep.used().is_some() {
            return Ok(());
        }
        self.enter_at(split(place).0, true).map(|_| ())
    }

    /// Renames a staged file to its place, replacing any existing file.
    pub(in crate::destination) fn place(&mut self, number: u64, place: &str) -> Result<(), InTheWay> {
        let (folders, name) = split(place);
        let index = self.enter_at(folders, true)?;
        if let Some((_, folder)) = self.open.get(index) {
            self.staging.rename(number, folder, name)?;
            self.touch(folders, index)?;
        }
        Ok(())
    }

    /// Renames a staged file to its place in the private folder, unless there is something; false if there is. Only the run that holds the lock
    /// writes there.
    pub(in crate::destination) fn place_new(&mut self, number: u64, place: &str) -> Result<bool, InTheWay> {
        let (folders, name) = split(place);
        let index = self.enter_at(folders, true)?;
        let Some((_, folder)) = self.open.get(index) else { return Ok(false) };
        match folder.symlink_metadata(name) {
            Ok(meta) if meta.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
            Ok(_) => return Ok(false),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            Err(_) => {}
        }
        self.staging.rename(number, folder, name)?;
        self.touch(folders, index)?;
        Ok(true)
    }

    /// Opens a file of the private folder.
    pub(in crate::destination) fn read_own(&mut self, place: &str) -> io::Result<fs::File> {
        let (folders, name) = split(place);
        let folder = self.enter(folders, false).map_err(|problem| match problem {
            InTheWay::NoFolder(_) => io::ErrorKind::NotADirectory.into(),
            InTheWay::Io(error) => error,
        })?;
        open_file(folder, name)
    }

    /// Passes a staged file to the store; what is recorded in place of its time. It stays in staging until it is recorded as held.
    pub(in crate::destination) fn put(
        &mut self,
        number: u64,
        placing: &StoredResource,
        place: String,
    ) -> io::Result<i64> {
        let file = self.staging.read(number)?;
        let version = self.store()?.put(&holding(placing.clone(), place), file)?;
        Ok(in_place_of_time(version))
    }

    /// Removes what is stored of a resource that was deleted; false if there is no store.
    pub(in crate::destination) fn remove_stored(&mut self, uri: &str, place: &str, run: u64) -> io::Result<bool> {
        match self.keep.used() {
            Some(mut store) => store.trash(uri, place, run).map(|()| true),
            None => Ok(false),
        }
    }

    /// Removes a file whose change is acknowledged.
    pub(in crate::destination) fn discard(&mut self, place: &str) -> io::Result<()> {
        let (folders, name) = split(place);
        match self.enter(folders, false) {
            Ok(folder) => match folder.remove_file(name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            },
            Err(InTheWay::Io(error)) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        self.prune(place);
        Ok(())
    }

    /// Renames a file in its folder.
    pub(in crate::destination) fn rename(&mut self, from: &str, to: &str) -> Result<(), InTheWay> {
        let (folders, name) = split(from);
        let index = self.enter_at(folders, false)?;
        if let Some((_, folder)) = self.open.get(index) {
            folder.rename(name, folder, split(to).1)?;
            self.touch(folders, index)?;
        }
        Ok(())
    }

    /// Gives a file another name, in another folder perhaps.
    pub(in crate::destination) fn move_file(&mut self, from: &str, to: &str) -> Result<(), InTheWay> {
        let (folders, name) = split(from);
        let old = self.enter_at(folders, false)?;
        self.touch(folders, old)?;
        let source = self.enter(folders, false)?.try_clone()?;
        let (folders, other) = split(to);
        let new = self.enter_at(folders, true)?;
        if let Some((_, folder)) = self.open.get(new) {
            source.rename(name, folder, other)?;
            self.touch(folders, new)?;
        }
        Ok(())
    }

    /// The number of the last run with files in the trash.
    pub(in crate::destination) fn last_trash(&self) -> io::Result<u64> {
        let mut last = self.keep.used().map_or(Ok(0), |mut store| store.last_trash())?;
        let Ok(trash) = self.own.open_dir_nofollow("trash") else { return Ok(last) };
        for entry in trash.entries()? {
            last = last.max(entry?.file_name().to_str().and_then(|name| name.parse().ok()).unwrap_or(0));
        }
        Ok(last)
    }

    /// Moves a file to the trash of a run; false if it does not exist.
    pub(in crate::destination) fn trash(&mut self, place: &str, run: u64) -> Result<bool, InTheWay> {
        let trash = private_folder(&self.own, "trash")?;
        let mut target = private_folder(&trash, &run.to_string())?;
        let (folders, name) = split(place);
        for part in parts(folders) {
            target = private_folder(&target, &free(&target, part, true)?)?;
        }
        let index = match self.enter_at(folders, false) {
            Ok(index) => index,
            Err(InTheWay::NoFolder(_)) => return Ok(false),
            Err(InTheWay::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let Some((_, folder)) = self.open.get(index) else { return Ok(false) };
        match folder.rename(name, &target, free(&target, name, false)?) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        // How long it is there counts from its last file.
        #[cfg(unix)]
        {
            use rustix::fs::{AtFlags, Timespec, Timestamps, UTIME_NOW, utimensat};
            let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
            let times = Timestamps { last_access: now, last_modification: now };
            utimensat(&trash, run.to_string(), &times, AtFlags::SYMLINK_NOFOLLOW).map_err(io::Error::from)?;
        }
        self.touch(folders, index)?;
        Ok(true)
    }

    /// Removes the parent folders of a place that are now empty.
    pub(in crate::destination) fn prune(&mut self, place: &str) {
        if self.keep.used().is_some() {
            return;
        }
        self.open.clear();
        let mut folders = split(place).0;
        while !folders.is_empty() {
            let (above, name) = split(folders);
            let Ok(folder) = self.enter(above, false) else { return };
            if folder.remove_dir(name).is_err() {
                return;
            }
            self.open.clear();
            folders = above;
        }
    }

    /// Removes the trash of earlier runs, unless it is kept for longer than it is there.
    pub(in crate::destination) fn empty_trash(&self, before: u64, keep: Option<Duration>) -> io::Result<()> {
        if let Some(mut store) = self.keep.used() {
            store.empty_trash(before, keep)?;
        }
        let Ok(trash) = self.own.open_dir_nofollow("trash") else { return Ok(()) };
        for entry in trash.entries()? {
            let entry = entry?;
            let name = entry.file_name();
            let age = entry.metadata()?.modified()?.into_std().elapsed().unwrap_or_default();
            if keep.is_some_and(|keep| age < keep) {
                continue;
            }
            if name.to_str().and_then(|name| name.parse::<u64>().ok()).is_some_and(|run| run < before) {
                trash.remove_dir_all(&name)?;
            }
        }
        Ok(())
    }

    /// Makes all renames durable.
    pub(in crate::destination) fn sync_folders(&mut self, is_durable: bool) -> io::Result<()> {
        for (_, folder) in self.touched.drain(..).filter(|_| is_durable) {
            #[cfg(unix)]
            rustix::fs::fsync(folder.open(".")?).map_err(io::Error::from)?;
            #[cfg(not(unix))]
            drop(folder);
        }
        Ok(())
    }

    /// The free space in bytes, if the system reports it.
    pub(in crate::destination) fn room(&self) -> Option<u64> {
        #[cfg(unix)]
        {
            if self.keep.used().is_some() {
                return None;
            }
            let room = rustix::fs::fstatvfs(&self.root).ok()?;
            room.f_bavail.checked_mul(room.f_frsize)
        }
        #[cfg(not(unix))]
        None
    }

    fn touch(&mut self, folders: &str, index: usize) -> io::Result<()> {
        if self.touched.iter().all(|(own, _)| own != folders)
            && let Some((_, folder)) = self.open.get(index)
        {
            self.touched.push((folders.to_owned(), folder.try_clone()?));
        }
        Ok(())
    }

    fn enter(&mut self, folders: &str, makes: bool) -> Result<&Dir, InTheWay> {
        let index = self.enter_at(folders, makes)?;
        Ok(self.open.get(index).map_or(&self.root, |(_, folder)| folder))
    }

    /// Opens the folder of a place; returns its index among the open folders.
    fn enter_at(&mut self, folders: &str, makes: bool) -> Result<usize, InTheWay> {
        if let Some(index) = self.open.iter().rposition(|(own, _)| own == folders) {
            // If a folder was replaced meanwhile, the handle still refers to the one that was opened.
            return Ok(index);
        }
        let mut folder = self.root.try_clone()?;
        let mut above = String::new();
        for part in parts(folders) {
            let made = if makes { folder.create_dir(part) } else { Ok(()) };
            let is_new = makes && made.is_ok();
            match made {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
                _ => {}
            }
            if is_new && self.touched.iter().all(|(own, _)| *own != above) {
                self.touched.push((above.clone(), folder.try_clone()?));
            }
            if !above.is_empty() {
                above.push('/');
            }
            above.push_str(part);
            let entered = folder.open_dir_nofollow(part);
            folder = match entered {
                Ok(inner) => inner,
                Err(error) if folder.symlink_metadata(part).is_ok_and(|meta| !meta.is_dir()) => {
                    let _ = error;
                    return Err(InTheWay::NoFolder(above));
                }
                Err(error) => return Err(error.into()),
            };
        }
        if self.open.len() >= OPEN {
            self.open.remove(0);
        }
        self.open.push((folders.to_owned(), folder));
        Ok(self.open.len().saturating_sub(1))
    }
}

/// The bytes of a store in an unnamed file, where they are hashed.
fn spooled(store: &mut dyn CopyStore, place: &str) -> io::Result<fs::File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut store.open(place)?, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// A name that is free in the trash, or that of a folder there: in one run a file and a folder may have had one name.
fn free(above: &Dir, name: &str, is_folder: bool) -> io::Result<String> {
    let mut name = name.to_owned();
    loop {
        match above.symlink_metadata(&name) {
            Ok(meta) if is_folder && meta.is_dir() => return Ok(name),
            Ok(_) => name.push('^'),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(name),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn copies(name: &str) -> (PathBuf, Copies) {
        let folder = std::env::temp_dir().join(format!("resourcesync-copies-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let copies = Copies::open(&folder, Keep::Folder).unwrap();
        (folder, copies)
    }

    #[test]
    fn files_and_folders_of_one_name_are_kept_apart_in_the_trash() {
        let (folder, mut copies) = copies("trash");
        for (place, in_the_trash) in [("a", "a"), ("a/b", "a^/b"), ("a/b", "a^/b^"), ("a/c/d", "a^/c/d")] {
            fs::create_dir_all(folder.join(place).parent().unwrap()).unwrap();
            fs::write(folder.join(place), in_the_trash).unwrap();
            assert!(copies.trash(place, 1).unwrap());
            fs::remove_dir_all(folder.join("a")).ok();
            copies.open.clear();
            let trashed = folder.join(OWN).join("trash/1").join(in_the_trash);
            assert_eq!(fs::read(trashed).unwrap(), in_the_trash.as_bytes());
        }
        assert_eq!(copies.last_trash().unwrap(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_path_of_a_file_is_as_the_file_system_has_it() {
        let (folder, copies) = copies("actual");
        fs::create_dir_all(folder.join("Host/Folder")).unwrap();
        fs::write(folder.join("Host/Folder/E\u{301}.txt"), "").unwrap();
        let actual = copies.actual("host/folder/\u{e9}.TXT").unwrap();
        assert_eq!(actual.as_deref(), Some("Host/Folder/E\u{301}.txt"));
        assert_eq!(copies.actual("host/folder/other").unwrap(), None);
        fs::remove_dir_all(folder).unwrap();
    }
}
