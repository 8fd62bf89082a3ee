//! Errors of the system in the words of the command, without numbers.

use std::io;

use resourcesync::diagnostic::{Reason, ReasonCode};

/// The reason of a system error, in the words that the client has for it.
pub(crate) fn reason(error: &io::Error) -> Reason {
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
            let text = error.to_string();
            let end = text.rfind(" (os error ").unwrap_or(text.len());
            return Reason::other(text.get(..end).unwrap_or(&text));
        }
    };
    Reason::new(code)
}
