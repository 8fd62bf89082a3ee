//! Errors of the library for object stores.

use std::io;

use object_store::Error;

/// An error of the library, without the queries of URLs: they may have signatures.
pub(super) fn failed(error: Error) -> io::Error {
    let kind = match error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    let text = error.to_string();
    let words = text.split(' ').map(|word| match word.split_once('?') {
        Some((url, _)) if url.contains("://") => url,
        _ => word,
    });
    io::Error::new(kind, words.collect::<Vec<_>>().join(" "))
}
