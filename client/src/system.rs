//! Why the system refused, in words that are the same on every platform where they can be.

use std::io;

/// The reason in one line, in lower case.
///
/// ```
/// let error = std::fs::File::open("no such file").unwrap_err();
/// assert_eq!(resourcesync_client::reason(&error), "no such file or folder");
/// ```
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::IsADirectory => "it is a folder",
        io::ErrorKind::NotADirectory => "a path component is not a folder",
        io::ErrorKind::StorageFull => "no space left on the device",
        io::ErrorKind::QuotaExceeded => "disk quota exceeded",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        io::ErrorKind::InvalidFilename => "invalid file name",
        _ => {
            let text = error.to_string();
            return match text.rfind(" (os error ") {
                Some(end) => text.get(..end).unwrap_or(&text).to_owned(),
                None => text,
            };
        }
    };
    words.to_owned()
}
