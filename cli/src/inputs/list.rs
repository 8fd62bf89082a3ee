//! Reads a list of paths.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use resourcesync_client::reason;

use crate::error::CliError;

/// The paths in a file, or in standard input for `-`: one per line, or terminated by NUL.
pub(super) fn read(file: &Path, null: bool) -> Result<Vec<PathBuf>, CliError> {
    let mut bytes = Vec::new();
    let outcome = if is_dash(file) {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    outcome.map_err(|error| format!("the list {} could not be read: {}", file.display(), reason(&error)))?;
    split(&bytes, null).map(path).collect()
}

fn split(bytes: &[u8], null: bool) -> impl Iterator<Item = &[u8]> {
    let end = if null { 0 } else { b'\n' };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(move |byte| *byte == end);
    lines
        .map(move |line| if null { line } else { line.strip_suffix(b"\r").unwrap_or(line) })
        .filter(|line| !line.is_empty())
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not every name is a path")]
fn path(bytes: &[u8]) -> Result<PathBuf, CliError> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Result<PathBuf, CliError> {
    let text = std::str::from_utf8(bytes);
    text.map(PathBuf::from)
        .map_err(|_| format!("the list of paths is not UTF-8: `{}`", String::from_utf8_lossy(bytes)).into())
}

pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn lines_and_nul_ended_names_are_told_apart() {
        assert_eq!(split(b"\xef\xbb\xbfa.xml\r\n\nb c.xml", false).collect::<Vec<_>>(), [&b"a.xml"[..], b"b c.xml"]);
        assert_eq!(split(b"a\nb.xml\0c.xml\0", true).collect::<Vec<_>>(), [&b"a\nb.xml"[..], b"c.xml"]);
    }
}
