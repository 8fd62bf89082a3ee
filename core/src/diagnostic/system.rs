//! Errors of the system as reasons, the same on every platform where possible.

use std::io;

use super::{Reason, ReasonCode};

impl From<&io::Error> for Reason {
    /// The reason of an error of the system, without its number.
    ///
    /// ```
    /// use resourcesync::diagnostic::Reason;
    ///
    /// let error = std::fs::File::open("no such file").unwrap_err();
    /// assert_eq!(Reason::from(&error).to_string(), "no such file or folder");
    /// ```
    fn from(error: &io::Error) -> Reason {
        let code = match error.kind() {
            io::ErrorKind::NotFound => ReasonCode::NoSuchPath,
            io::ErrorKind::PermissionDenied => ReasonCode::PermissionDenied,
            io::ErrorKind::IsADirectory => ReasonCode::IsFolder,
            io::ErrorKind::NotADirectory => ReasonCode::NotFolder,
            io::ErrorKind::StorageFull => ReasonCode::NoSpace,
            io::ErrorKind::QuotaExceeded => ReasonCode::Quota,
            io::ErrorKind::ReadOnlyFilesystem => ReasonCode::ReadOnly,
            io::ErrorKind::InvalidFilename => ReasonCode::InvalidFileName,
            _ => {
                let text = std::string::ToString::to_string(error);
                let end = text.rfind(" (os error ").unwrap_or(text.len());
                return Reason::other(text.get(..end).unwrap_or(&text));
            }
        };
        Reason::new(code)
    }
}
