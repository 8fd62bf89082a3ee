//! The inputs in a folder, in an order that does not depend on the file system.

use std::{
    ffi::OsStr,
    fs::{self, DirEntry},
    io,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::{InputOrigin, counts_in_folder},
    diagnostic::{Reason, ReasonCode},
    report::Via,
};

use super::step::{Input, ReadFrom, Step};
use crate::{cancel::Cancel, system::reason};

/// A file or folder still to be visited.
struct Found {
    path: PathBuf,
    /// Its name in the report, with `/` as separator on every platform.
    name: String,
    is_folder: bool,
}

/// The paths below a folder, with `/` as separator, of files that are inputs by their names, in the order of [`walk`]; also of
/// files and folders that are not followed or cannot be read.
pub(crate) fn documents(root: &Path, cancel: &Cancel) -> Vec<String> {
    let mut steps = Vec::new();
    walk(root, "", &mut steps, cancel);
    let name = |step: Step| match step {
        Step::Read(input) => Some(input.origin.name),
        Step::Skip { name, .. } => Some(name),
        Step::EndFolder { .. } => None,
    };
    steps.into_iter().filter_map(name).map(|name| name.trim_start_matches('/').to_owned()).collect()
}

/// Adds the files in a folder, recursively, sorted by name with files and folders mixed. Ends early when the run is
/// cancelled.
pub(super) fn walk(path: &Path, name: &str, steps: &mut Vec<Step>, cancel: &Cancel) {
    // A link must not make anything outside the folder part of a report.
    let root = fs::canonicalize(path);
    let mut waiting = vec![Found { path: path.to_owned(), name: trimmed(name).to_owned(), is_folder: true }];
    while let Some(found) = waiting.pop() {
        if cancel.is_cancelled() {
            return;
        }
        if !found.is_folder {
            steps.extend(file(&found.path, found.name, root.as_deref().ok()));
            continue;
        }
        match inside(&found) {
            Ok(mut below) => {
                // A stack: the last one is visited first.
                below.sort_by(|one, other| other.path.cmp(&one.path));
                waiting.append(&mut below);
            }
            Err(error) => steps.push(Step::Read(Input {
                origin: origin(found.name),
                from: ReadFrom::Nowhere(reason(&error)),
                size: 0,
            })),
        }
    }
}

fn origin(name: String) -> InputOrigin {
    InputOrigin { name, uri: None, via: Via::Folder }
}

fn trimmed(name: &str) -> &str {
    name.trim_end_matches(std::path::is_separator)
}

fn inside(folder: &Found) -> io::Result<Vec<Found>> {
    fs::read_dir(&folder.path)?
        .map(|entry: io::Result<DirEntry>| {
            let entry = entry?;
            let name = format!("{}/{}", folder.name, entry.file_name().to_string_lossy());
            // A link to a folder is treated as a file: it is not followed.
            Ok(Found { path: entry.path(), name, is_folder: entry.file_type()?.is_dir() })
        })
        .collect()
}

/// The step for something that is not a folder, if its name is that of an input.
fn file(path: &Path, name: String, root: Option<&Path>) -> Option<Step> {
    let skip = |reason| Some(Step::Skip { name: name.clone(), reason });
    let meta = fs::metadata(path);
    if meta.as_ref().is_ok_and(fs::Metadata::is_dir) {
        return skip(Reason::new(ReasonCode::FolderLink));
    }
    if !counts_in_folder(&slashed(path)) {
        return None;
    }
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    let is_inside = || fs::canonicalize(path).is_ok_and(|target| root.is_some_and(|root| target.starts_with(root)));
    match meta {
        Ok(_) if is_link && !is_inside() => skip(Reason::new(ReasonCode::LinkOutOfFolder)),
        Ok(meta) if meta.is_file() => {
            Some(Step::Read(Input { origin: origin(name), from: ReadFrom::File(path.to_owned()), size: meta.len() }))
        }
        Ok(_) => skip(Reason::new(ReasonCode::NotRegularFile)),
        Err(error) => {
            Some(Step::Read(Input { origin: origin(name), from: ReadFrom::Nowhere(reason(&error)), size: 0 }))
        }
    }
}

/// The part of a path that decides whether it is an input: its name and that of the parent folder, separated
/// by `/`.
fn slashed(path: &Path) -> String {
    let name = |part: Option<&OsStr>| part.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    [name(path.parent().and_then(Path::file_name)), name(path.file_name())].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_double_separators() {
        assert_eq!(trimmed("dir//"), "dir");
        assert_eq!(trimmed("/"), "");
    }
}
