//! Writes a file atomically: under a temporary name, then renamed.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process,
};

use super::carry::same_access;

/// Characters of a name that a temporary name begins with; each may have four bytes, and a name at most 255.
const LONGEST: usize = 55;
/// Temporary names tried.
const TRIES: u32 = 100;

/// Checks whether a file can be written, without writing anything.
///
/// # Errors
///
/// If writing would certainly fail: the path is a folder, or its parent does not exist.
pub fn check_writable(file: &Path) -> io::Result<()> {
    match fs::metadata(file) {
        Ok(meta) if meta.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(()),
        Err(_) if fs::metadata(folder(file))?.is_dir() => Ok(()),
        Err(_) => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// Replaces the content of a file, or creates it. A pipe or device, which cannot be replaced, is written to.
///
/// # Errors
///
/// If it cannot be written; an existing file is then unchanged.
pub fn write_atomic(file: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomic_with(file, &mut |out| out.write_all(bytes))
}

/// The same, with content that `fill` writes piece by piece.
///
/// # Errors
///
/// If it cannot be written, and those of `fill`. The file is then unchanged.
pub fn write_atomic_with(file: &Path, fill: Fill<'_>) -> io::Result<()> {
    if fs::metadata(file).is_ok_and(|meta| !meta.is_file()) {
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(file)?);
        return fill(&mut out).and_then(|()| out.flush());
    }
    // The target of a symbolic link is replaced, not the link.
    let place = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let is_new = !place.exists();
    let (temporary, out) = create(&place, is_new)?;
    let outcome = filled(out, fill).and_then(|()| {
        if !is_new {
            same_access(&place, &temporary)?;
        }
        fs::rename(&temporary, &place)
    });
    if outcome.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    outcome
}

/// Writes the content of a file.
pub type Fill<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

fn filled(out: File, fill: Fill<'_>) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    fill(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Some file systems report a full disk only now.
    file.sync_all()
}

/// Creates a temporary file in the same folder. That of an existing file can be read only by this user until it has the permissions of that.
fn create(place: &Path, is_new: bool) -> io::Result<(PathBuf, File)> {
    let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
    let name: String = name.chars().take(LONGEST).collect();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if !is_new {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    // A killed run may have left others, also one that had the number of this process.
    for number in 0..TRIES {
        let temporary = place.with_file_name(format!(".{name}.{}{number:02}", process::id()));
        match options.open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return Ok((temporary, created?)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// True for the name of a temporary file that [`write`] left when its run was killed.
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let inner = name.strip_prefix('.').and_then(|name| name.rsplit_once('.'));
    inner.is_some_and(|(name, process)| !name.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit()))
}

fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
