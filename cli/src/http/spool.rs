//! A file without a name, for what a server gives only as a whole; it is gone when it is closed.

use std::{
    fs::{self, File, OpenOptions},
    hash::{BuildHasher, RandomState},
    io,
};

/// Makes one, in the folder of the system for such files.
pub(super) fn file() -> io::Result<File> {
    let number = RandomState::new().hash_one(std::process::id());
    let path = std::env::temp_dir().join(format!("resourcesync-{number:016x}"));
    // A name that is taken, by whomever, is an error and not a file to write to.
    let file = options().open(&path)?;
    #[cfg(unix)]
    fs::remove_file(&path)?;
    #[cfg(not(any(unix, windows)))]
    let _ = fs::remove_file(&path);
    Ok(file)
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.read(true).write(true).create_new(true).mode(0o600);
    options
}

#[cfg(windows)]
fn options() -> OpenOptions {
    use std::os::windows::fs::OpenOptionsExt;
    /// The system deletes it when the last handle is closed.
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    let mut options = File::options();
    options.read(true).write(true).create_new(true).custom_flags(DELETE_ON_CLOSE);
    options
}

#[cfg(not(any(unix, windows)))]
fn options() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    options
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::{Read, Seek, Write};

    use super::*;

    #[test]
    fn two_spools_are_two_files() {
        let (mut one, mut other) = (file().unwrap(), file().unwrap());
        one.write_all(b"one").unwrap();
        other.write_all(b"other").unwrap();
        one.rewind().unwrap();
        let mut text = String::new();
        one.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one");
    }
}
