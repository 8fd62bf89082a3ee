//! Opens folders without following symbolic links.

use std::io;

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;

/// Opens a folder that must not be a symbolic link.
pub(super) fn enter(folder: &Dir, part: &str) -> io::Result<Dir> {
    folder.open_dir_nofollow(part)
}
