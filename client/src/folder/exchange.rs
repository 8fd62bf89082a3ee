//! Replaces a folder with another one in a single step.

use std::{fs, io, path::Path};

/// Moves `new` to `out`, and the previous content of `out` to `new`. `scratch` is a folder in the same file
/// system for tests.
#[cfg(unix)]
pub(crate) fn swap(new: &Path, out: &Path, scratch: &Path) -> io::Result<()> {
    let meta = fs::symlink_metadata(out);
    if meta.as_ref().is_ok_and(fs::Metadata::is_symlink) {
        return link(new, out, scratch);
    }
    let is_there = meta.is_ok();
    match if is_there { exchange(new, out) } else { probe(scratch) } {
        Ok(()) if is_there => {}
        Ok(()) => fs::rename(new, out)?,
        // Only an empty folder may be missing for a short time.
        Err(error) if is_unsupported(&error) && (!is_there || fs::remove_dir(out).is_ok()) => link(new, out, scratch)?,
        Err(error) => return Err(error),
    }
    out.parent().map_or(Ok(()), |parent| fs::File::open(parent)?.sync_all())
}

#[cfg(unix)]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    {
        let _ = (one, other);
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(unix)]
fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

/// Checks whether folders can be exchanged in this file system.
#[cfg(unix)]
pub(crate) fn probe(scratch: &Path) -> io::Result<()> {
    let (one, other) = (scratch.join("one"), scratch.join("other"));
    fs::create_dir_all(&one)?;
    fs::create_dir_all(&other)?;
    let outcome = exchange(&one, &other);
    fs::remove_dir(one)?;
    fs::remove_dir(other)?;
    outcome
}

/// Replaces the link `out` with a link to `new`.
#[cfg(unix)]
fn link(new: &Path, out: &Path, scratch: &Path) -> io::Result<()> {
    // Relative, so that both can be moved together.
    let target = out.parent().and_then(|parent| new.strip_prefix(parent).ok()).unwrap_or(new);
    let place = scratch.join("link");
    let _ = fs::remove_file(&place);
    std::os::unix::fs::symlink(target, &place)?;
    fs::rename(&place, out)
}

/// Moves `new` to `out` on a platform without atomic exchange: in two steps, between which `out` does not
/// exist.
#[cfg(not(unix))]
pub(crate) fn swap(new: &Path, out: &Path, scratch: &Path) -> io::Result<()> {
    let replaced = scratch.join("replaced");
    if out.exists() {
        fs::rename(out, &replaced)?;
    }
    fs::rename(new, out)?;
    if replaced.exists() { fs::rename(replaced, new) } else { Ok(()) }
}

#[cfg(not(unix))]
pub(crate) fn probe(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Syncs the contents of a folder to disk.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        if meta.is_dir() {
            sync(&entry.path())?;
        } else if meta.is_file() && is_new(&meta) {
            fs::OpenOptions::new().append(true).open(entry.path())?.sync_all()?;
        }
    }
    #[cfg(unix)]
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}

/// False for a hard link to a file of an earlier generation.
#[cfg(unix)]
fn is_new(meta: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(meta) == 1
}

#[cfg(not(unix))]
fn is_new(_: &fs::Metadata) -> bool {
    true
}
