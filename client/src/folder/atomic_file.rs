//! Writes a file atomically: under a temporary name, then renamed.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process,
};

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
    let temporary = temporary(&place)?;
    let outcome = create(&temporary, fill).and_then(|()| {
        // Keeps the permissions of the old file.
        if let Ok(meta) = fs::metadata(&place) {
            fs::set_permissions(&temporary, meta.permissions())?;
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

fn create(file: &Path, fill: Fill<'_>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create_new(file)?);
    fill(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Some file systems report a full disk only now.
    file.sync_all()
}

/// A unique temporary name in the same folder.
fn temporary(place: &Path) -> io::Result<PathBuf> {
    let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}", process::id()));
    Ok(place.with_file_name(hidden))
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
