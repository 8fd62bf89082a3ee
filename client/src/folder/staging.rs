//! The folder that is unpacked into, reached only by handles: no name leads out of it, and no link is followed in it.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process,
};

use cap_fs_ext::DirExt;
use cap_std::{
    ambient_authority,
    fs::{Dir, File, OpenOptions},
};

use crate::system::reason;

/// Folders for what is not finished yet that are tried before giving up: others may be left from runs that were killed.
const TRIES: u32 = 100;

/// The folder, and beside what is there already the files that are not finished yet.
pub struct Target {
    path: PathBuf,
    root: Dir,
    staging: Dir,
    staging_name: OsString,
    /// How many files were begun.
    staged: u64,
    placed: Vec<Placed>,
    /// Folders that were made, those above first.
    made: Vec<String>,
    /// The folder of the last name, which most often is that of the next.
    last: Option<(String, Dir)>,
}

/// A file at its place.
struct Placed {
    name: String,
    is_new: bool,
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum There {
    /// Nothing.
    Nothing,
    /// A file, or something else that a file can replace.
    File,
    /// A folder.
    Folder,
}

/// The folder, if it is there.
pub fn root(path: &Path) -> Result<Option<Dir>, String> {
    match Dir::open_ambient_dir(path, ambient_authority()) {
        Ok(root) => Ok(Some(root)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(reason(&error).to_string()),
    }
}

/// What is at the place of this name; fails where a folder would be needed and something else is, a link among them.
pub fn look(root: &Dir, name: &str) -> Result<There, String> {
    let (folders, last) = split(name);
    let mut folder = None;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        match enter(folder.as_ref().unwrap_or(root), part) {
            Ok(inner) => folder = Some(inner),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(There::Nothing),
            Err(error) => return Err(not_a_folder(part, &error)),
        }
    }
    match folder.as_ref().unwrap_or(root).symlink_metadata(last) {
        Ok(meta) if meta.is_dir() => Ok(There::Folder),
        Ok(_) => Ok(There::File),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(There::Nothing),
        Err(error) => Err(reason(&error).to_string()),
    }
}

/// Opens a folder that is one, and not a link to one.
fn enter(folder: &Dir, part: &str) -> io::Result<Dir> {
    folder.open_dir_nofollow(part)
}

fn not_a_folder(part: &str, error: &io::Error) -> String {
    format!("`{part}` is no folder that can be entered ({})", reason(error))
}

/// The folders of a name, and its last part.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

impl Target {
    /// Opens the folder, makes it if need be, and makes room in it for what is not finished yet.
    pub fn open(path: &Path) -> Result<Target, String> {
        fs::create_dir_all(path).map_err(|error| reason(&error).to_string())?;
        let root = Dir::open_ambient_dir(path, ambient_authority()).map_err(|error| reason(&error).to_string())?;
        let (staging, staging_name) = staging(&root).map_err(|error| reason(&error).to_string())?;
        let path = path.to_owned();
        let (placed, made) = (Vec::new(), Vec::new());
        Ok(Target { path, root, staging, staging_name, staged: 0, placed, made, last: None })
    }

    /// Begins another file; its number is for [`Target::place`].
    pub fn begin(&mut self) -> io::Result<(u64, File)> {
        let number = self.staged;
        let file = self.staging.open_with(number.to_string(), options().write(true).create_new(true))?;
        self.staged = self.staged.saturating_add(1);
        Ok((number, file))
    }

    /// Moves a finished file to its place, making folders on the way. Without `overwrite` nothing is replaced, not even what
    /// appeared a moment ago.
    pub fn place(&mut self, number: u64, name: &str, overwrite: bool) -> Result<(), String> {
        let (folders, last) = split(name);
        let is_at_hand = self.last.as_ref().is_some_and(|(own, _)| own == folders);
        if !is_at_hand {
            let folder = self.enter_all(folders)?;
            self.last = Some((folders.to_owned(), folder));
        }
        let Some((_, folder)) = &self.last else { return Err("its folder is gone".to_owned()) };
        let number = number.to_string();
        let is_new = if overwrite {
            let is_new = folder.symlink_metadata(last).is_err();
            self.staging.rename(&number, folder, last).map(|()| is_new)
        } else {
            without_replacing(&self.staging, &number, folder, last).map(|()| true)
        };
        let is_new = is_new.map_err(|error| reason(&error).to_string())?;
        self.placed.push(Placed { name: name.to_owned(), is_new });
        Ok(())
    }

    fn enter_all(&mut self, folders: &str) -> Result<Dir, String> {
        let mut folder = self.root.try_clone().map_err(|error| reason(&error).to_string())?;
        let mut so_far = String::new();
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            if !so_far.is_empty() {
                so_far.push('/');
            }
            so_far.push_str(part);
            match folder.create_dir(part) {
                Ok(()) => self.made.push(so_far.clone()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(reason(&error).to_string()),
            }
            folder = enter(&folder, part).map_err(|error| not_a_folder(part, &error))?;
        }
        Ok(folder)
    }

    /// All is at its place: takes away the room for unfinished files.
    pub fn finish(mut self) {
        self.clear();
    }

    /// Takes away again all that was written. What was replaced cannot be brought back: how many files that is.
    pub fn undo(mut self) -> usize {
        self.last = None;
        for placed in self.placed.iter().filter(|placed| placed.is_new) {
            let _ = self.remove(&placed.name, false);
        }
        for made in self.made.iter().rev() {
            // One that is no longer empty has something of others.
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
        // An open folder cannot be removed everywhere; nothing is lost if it stays.
        if let Ok(root) = self.root.try_clone() {
            let _ = root.remove_dir(&self.staging_name);
        }
    }

    /// For messages.
    pub fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

/// A folder of our own that nobody else can write to.
fn staging(root: &Dir) -> io::Result<(Dir, OsString)> {
    for number in 0..TRIES {
        let name = format!(".resourcesync-{}-{number}", process::id());
        match make_private(root, &name) {
            Ok(()) => return Ok((enter(root, &name)?, name.into())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(unix)]
fn make_private(root: &Dir, name: &str) -> io::Result<()> {
    use cap_std::fs::{DirBuilder, DirBuilderExt};
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    root.create_dir_with(name, &builder)
}

#[cfg(not(unix))]
fn make_private(root: &Dir, name: &str) -> io::Result<()> {
    root.create_dir(name)
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use cap_std::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.mode(0o644);
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    OpenOptions::new()
}

/// A second name for the file, given only if nothing has it, and then the first one taken away.
fn without_replacing(from: &Dir, number: &str, to: &Dir, last: &str) -> io::Result<()> {
    match from.hard_link(number, to, last) {
        Ok(()) => from.remove_file(number),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without second names: looking before moving is all that can be done.
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
    use std::{io::Write, os::unix::fs::symlink};

    use super::*;

    /// An empty folder of this name, and another one beside it.
    fn folders(name: &str) -> (PathBuf, PathBuf) {
        let base =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tmp").join(format!("{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&base);
        fs::create_dir_all(base.join("outside")).unwrap();
        (base.join("out"), base.join("outside"))
    }

    fn staged(target: &mut Target) -> u64 {
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
        let mut target = Target::open(&out).unwrap();
        let (one, other) = (staged(&mut target), staged(&mut target));
        target.place(one, "a/one", false).unwrap();
        symlink(&outside, out.join("b")).unwrap();
        let reason = target.place(other, "b/two", false).unwrap_err();
        assert!(reason.contains("`b` is no folder"), "{reason}");
        assert_eq!(target.undo(), 0);
        assert_eq!((names(&out), names(&outside)), (vec!["b".to_owned()], vec![]));
    }

    #[test]
    fn a_folder_that_is_exchanged_for_a_link_leads_nowhere_else() {
        let (out, outside) = folders("target-exchange");
        let mut target = Target::open(&out).unwrap();
        let (one, other) = (staged(&mut target), staged(&mut target));
        target.place(one, "a/one", false).unwrap();
        fs::rename(out.join("a"), out.join("moved")).unwrap();
        symlink(&outside, out.join("a")).unwrap();
        // The folder at hand is the one that was entered, wherever it is now.
        target.place(other, "a/two", false).unwrap();
        target.finish();
        assert_eq!((names(&out.join("moved")), names(&outside)), (vec!["one".to_owned(), "two".to_owned()], vec![]));
    }

    #[test]
    fn what_appears_meanwhile_is_not_replaced_and_the_rest_is_taken_away() {
        let (out, _) = folders("target-appears");
        let mut target = Target::open(&out).unwrap();
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
        let mut target = Target::open(&out).unwrap();
        let number = staged(&mut target);
        target.place(number, "a", true).unwrap();
        target.finish();
        assert!(!out.join("a").is_symlink());
        assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), "old");
        assert_eq!(names(&out), ["a"]);
    }
}
