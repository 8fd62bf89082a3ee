//! Compares the identity of the files at two paths.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// True if both paths refer to the same file or folder, also through symbolic and hard links. A missing file is not the same as any
/// other.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(own), Ok(others)) => is_same(&own, &others) || is_same_path(one, other),
        _ => false,
    }
}

/// True if a file belongs to another user, who could have put it there; files of root are trusted. False where files have no owner.
#[must_use]
pub fn is_of_other_user(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let user = rustix::process::geteuid().as_raw();
        fs::metadata(file).is_ok_and(|meta| ![0, user].contains(&meta.uid()))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

/// The first of these paths that is the file, or a folder that contains it.
#[must_use]
pub fn input_of<'a>(file: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Option<&'a Path> {
    let place = fs::canonicalize(file).ok()?;
    let is_above = |input: &Path| fs::canonicalize(input).is_ok_and(|input| place.starts_with(input));
    inputs.into_iter().map(PathBuf::as_path).find(|input| is_same_file(file, input) || is_above(input))
}

fn is_same_path(one: &Path, other: &Path) -> bool {
    let places = fs::canonicalize(one).ok().zip(fs::canonicalize(other).ok());
    places.is_some_and(|(one, other)| one == other && (one.is_file() || one.is_dir()))
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    // Writing to devices such as /dev/null overwrites nothing.
    one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}
