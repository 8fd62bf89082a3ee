//! A folder that receives several files or none, accessed only by directory handles: no name leads out of it, and no symbolic
//! link in it is followed.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::{
    ambient_authority,
    fs::{Dir, File, OpenOptions},
};

use super::{
    FolderError,
    enter::enter,
    private_folder::{self, LOCK},
};

/// A folder that receives several files or none. They are written to a private subfolder, then moved to their places.
pub struct StagedFolder {
    path: PathBuf,
    root: Dir,
    staging: Dir,
    staging_name: OsString,
    /// Held while the private folder is in use; without it, a killed run left the folder.
    lock: Option<std::fs::File>,
    /// The number of files created.
    staged: u64,
    placed: Vec<Placed>,
    /// Folders that were created, each after its parent.
    made: Vec<String>,
    /// The parent folder of the last name, which is usually also that of the next one.
    last: Option<(String, Dir)>,
}

/// A file that was moved to its place.
struct Placed {
    name: String,
    is_new: bool,
}

/// The type of a directory entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Nothing.
    Nothing,
    /// A file of this length; `None` for a symbolic link, or something else that a file can replace.
    File(Option<u64>),
    /// A folder.
    Folder,
}

/// Opens a folder; `None` if it does not exist.
///
/// # Errors
///
/// If it cannot be opened.
pub fn open_folder(path: &Path) -> io::Result<Option<Dir>> {
    match Dir::open_ambient_dir(path, ambient_authority()) {
        Ok(root) => Ok(Some(root)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The type of the entry at a name below a folder.
///
/// # Errors
///
/// If a parent in the name is not a folder but, for example, a symbolic link.
pub fn existing(root: &Dir, name: &str) -> Result<Existing, FolderError> {
    let (folders, last) = split(name);
    let mut folder = None;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        match enter(folder.as_ref().unwrap_or(root), part) {
            Ok(inner) => folder = Some(inner),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Existing::Nothing),
            Err(error) => return Err(not_a_folder(part, error)),
        }
    }
    match folder.as_ref().unwrap_or(root).symlink_metadata(last) {
        Ok(meta) if meta.is_dir() => Ok(Existing::Folder),
        Ok(meta) => Ok(Existing::File(meta.is_file().then_some(meta.len()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Existing::Nothing),
        Err(error) => Err(error.into()),
    }
}

/// Opens a file below a folder to read it; no symbolic link is followed.
///
/// # Errors
///
/// If it cannot be opened.
pub fn open_file(root: &Dir, name: &str) -> io::Result<File> {
    let (folders, last) = split(name);
    let mut folder = root.try_clone()?;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        folder = enter(&folder, part)?;
    }
    folder.open_with(last, OpenOptions::new().read(true).follow(FollowSymlinks::No))
}

fn not_a_folder(part: &str, error: io::Error) -> FolderError {
    FolderError::NotFolder { name: part.to_owned(), error }
}

/// Splits a name into its parent folders and its last part.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

impl StagedFolder {
    /// Opens the folder, creating it if necessary, and creates the private folder in it.
    ///
    /// # Errors
    ///
    /// If one of them cannot be created or opened.
    pub fn open(path: &Path) -> io::Result<StagedFolder> {
        fs::create_dir_all(path)?;
        let root = Dir::open_ambient_dir(path, ambient_authority())?;
        private_folder::remove_leftovers(&root)?;
        let (staging, staging_name, lock) = private_folder::create(&root)?;
        let path = path.to_owned();
        let (placed, made) = (Vec::new(), Vec::new());
        Ok(StagedFolder { path, root, staging, staging_name, lock: Some(lock), staged: 0, placed, made, last: None })
    }

    /// Creates another file; its number is for [`StagedFolder::place`].
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub fn begin(&mut self) -> io::Result<(u64, File)> {
        let number = self.staged;
        let file =
            self.staging.open_with(number.to_string(), private_folder::options().write(true).create_new(true))?;
        self.staged = self.staged.saturating_add(1);
        Ok((number, file))
    }

    /// Moves a finished file to a name below the folder, with `/` as separator; parent folders are created. Without `overwrite`
    /// nothing is replaced, not even a file created concurrently.
    ///
    /// # Errors
    ///
    /// If a parent is not a folder, or the file cannot be moved.
    pub fn place(&mut self, number: u64, name: &str, overwrite: bool) -> Result<(), FolderError> {
        let (folders, last) = split(name);
        let folder = match self.last.take().filter(|(own, _)| own == folders) {
            Some((_, folder)) => folder,
            None => self.enter_all(folders)?,
        };
        let (_, folder) = &*self.last.insert((folders.to_owned(), folder));
        let number = number.to_string();
        let is_new = if overwrite {
            let is_new = folder.symlink_metadata(last).is_err();
            self.staging.rename(&number, folder, last).map(|()| is_new)
        } else {
            without_replacing(&self.staging, &number, folder, last).map(|()| true)
        };
        let is_new = is_new.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FolderError::Appeared(name.to_owned()),
            _ => error.into(),
        })?;
        self.placed.push(Placed { name: name.to_owned(), is_new });
        Ok(())
    }

    fn enter_all(&mut self, folders: &str) -> Result<Dir, FolderError> {
        let mut folder = self.root.try_clone()?;
        let mut so_far = String::new();
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            if !so_far.is_empty() {
                so_far.push('/');
            }
            so_far.push_str(part);
            match folder.create_dir(part) {
                Ok(()) => self.made.push(so_far.clone()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
            folder = enter(&folder, part).map_err(|error| not_a_folder(part, error))?;
        }
        Ok(folder)
    }

    /// Removes the private folder, once all files are at their places.
    pub fn finish(mut self) {
        self.clear();
    }

    /// Removes everything that was placed and created. Returns the number of replaced files, which cannot be
    /// restored.
    pub fn undo(mut self) -> usize {
        self.last = None;
        for placed in self.placed.iter().filter(|placed| placed.is_new) {
            let _ = self.remove(&placed.name, false);
        }
        for made in self.made.iter().rev() {
            // A folder that is no longer empty contains foreign files.
            let _ = self.remove(made, true);
        }
        let replaced = self.placed.iter().filter(|placed| !placed.is_new).count();
        self.clear();
        replaced
    }

    fn remove(&self, name: &str, is_folder: bool) -> io::Result<()> {
        let (folders, last) = split(name);
        let mut folder = self.root.try_clone()?;
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            folder = enter(&folder, part)?;
        }
        if is_folder { folder.remove_dir(last) } else { folder.remove_file(last) }
    }

    fn clear(&mut self) {
        for number in 0..self.staged {
            let _ = self.staging.remove_file(number.to_string());
        }
        // Windows does not remove an open file.
        self.lock = None;
        let _ = self.staging.remove_file(LOCK);
        // Some platforms cannot remove an open folder; leaving it does no harm.
        if let Ok(root) = self.root.try_clone() {
            let _ = root.remove_dir(&self.staging_name);
        }
    }

    /// Its path, for messages.
    #[must_use]
    pub fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

/// Moves a file by a hard link, which fails if the name exists.
fn without_replacing(from: &Dir, number: &str, to: &Dir, last: &str) -> io::Result<()> {
    match from.hard_link(number, to, last) {
        Ok(()) => from.remove_file(number),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Without hard links, only a check before the move is possible.
        Err(_) => match to.symlink_metadata(last) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => from.rename(number, to, last),
            Err(error) => Err(error),
        },
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{io::Write, os::unix::fs::symlink, process};

    use super::*;

    /// An empty folder of this name, and another one next to it.
    fn folders(name: &str) -> (PathBuf, PathBuf) {
        let base =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tmp").join(format!("{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&base);
        fs::create_dir_all(base.join("outside")).unwrap();
        (base.join("out"), base.join("outside"))
    }

    #[test]
    fn a_file_that_another_run_created_is_named() {
        let (out, _) = folders("staging-appeared");
        let mut target = StagedFolder::open(&out).unwrap();
        let number = staged(&mut target);
        fs::create_dir(out.join("a")).unwrap();
        fs::write(out.join("a/b.txt"), "other").unwrap();
        let error = target.place(number, "a/b.txt", false).unwrap_err();
        assert!(matches!(&error, FolderError::Appeared(name) if name == "a/b.txt"), "{error:?}");
        assert!(error.to_string().starts_with("another process created `a/b.txt`"), "{error}");
        target.undo();
        assert_eq!(fs::read_to_string(out.join("a/b.txt")).unwrap(), "other");
    }

    fn staged(target: &mut StagedFolder) -> u64 {
        let (number, mut file) = target.begin().unwrap();
        file.write_all(b"new").unwrap();
        number
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_link_that_appears_meanwhile_is_not_followed() {
        let (out, outside) = folders("target-link");
        let mut target = StagedFolder::open(&out).unwrap();
        let (one, other) = (staged(&mut target), staged(&mut target));
        target.place(one, "a/one", false).unwrap();
        symlink(&outside, out.join("b")).unwrap();
        let reason = target.place(other, "b/two", false).unwrap_err().to_string();
        assert!(reason.contains("`b` is no folder"), "{reason}");
        assert_eq!(target.undo(), 0);
        assert_eq!((names(&out), names(&outside)), (vec!["b".to_owned()], vec![]));
    }

    #[test]
    fn a_folder_that_is_exchanged_for_a_link_leads_nowhere_else() {
        let (out, outside) = folders("target-exchange");
        let mut target = StagedFolder::open(&out).unwrap();
        let (one, other) = (staged(&mut target), staged(&mut target));
        target.place(one, "a/one", false).unwrap();
        fs::rename(out.join("a"), out.join("moved")).unwrap();
        symlink(&outside, out.join("a")).unwrap();
        // The handle still refers to the folder that was opened.
        target.place(other, "a/two", false).unwrap();
        target.finish();
        assert_eq!((names(&out.join("moved")), names(&outside)), (vec!["one".to_owned(), "two".to_owned()], vec![]));
    }

    #[test]
    fn what_appears_meanwhile_is_not_replaced_and_the_rest_is_removed() {
        let (out, _) = folders("target-appears");
        let mut target = StagedFolder::open(&out).unwrap();
        let (one, other) = (staged(&mut target), staged(&mut target));
        target.place(one, "a/b/one", false).unwrap();
        fs::write(out.join("two"), "old").unwrap();
        target.place(other, "two", false).unwrap_err();
        assert_eq!(target.undo(), 0);
        assert_eq!(
            (names(&out), fs::read_to_string(out.join("two")).unwrap()),
            (vec!["two".to_owned()], "old".to_owned())
        );
    }

    #[test]
    fn a_link_at_the_place_itself_is_replaced_and_not_written_through() {
        let (out, outside) = folders("target-last");
        fs::create_dir(&out).unwrap();
        fs::write(outside.join("secret"), "old").unwrap();
        symlink(outside.join("secret"), out.join("a")).unwrap();
        let mut target = StagedFolder::open(&out).unwrap();
        let number = staged(&mut target);
        target.place(number, "a", true).unwrap();
        target.finish();
        assert!(!out.join("a").is_symlink());
        assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), "old");
        assert_eq!(names(&out), ["a"]);
    }
}
