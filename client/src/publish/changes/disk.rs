//! The operations on files of a publication of changes. Each may be the last one of a run that is killed.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use crate::{folder::Current, publish::known::move_to_place};

/// Performs them.
pub(crate) trait Disk {
    /// Writes a new file and syncs it to disk.
    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Creates a file that is too large to be written at once.
    fn open(&self, path: &Path) -> io::Result<File> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        File::create_new(path)
    }
    /// Syncs such a file to disk.
    fn sync_file(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }
    /// Syncs the names in a folder to disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Appends to a file and syncs it to disk.
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Cuts a file and syncs it to disk.
    fn cut(&self, path: &Path, length: u64) -> io::Result<()>;
    /// Moves a staged file to its place.
    fn place(&self, staged: &Path, name: &str, current: &Current) -> io::Result<()>;
    /// Removes a folder with its files.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The file system.
pub(crate) struct FileSystem;

impl Disk for FileSystem {
    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = File::create_new(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn cut(&self, path: &Path, length: u64) -> io::Result<()> {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(length)?;
        file.sync_all()
    }

    fn place(&self, staged: &Path, name: &str, current: &Current) -> io::Result<()> {
        move_to_place(staged, name, current)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir_all(path)
    }
}
