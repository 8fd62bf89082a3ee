//! Packages in files that several processes verify in pieces.

use std::{
    fs::File,
    num::NonZeroUsize,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use resourcesync::{
    api::{InputOrigin, Options, ParcelError, Piece, Run, Verification},
    diagnostic::Reason,
    report::Report,
};

use super::verify::{self, guarded};
use crate::{cancel::Cancel, meter::Meter};

/// Verifies one piece of the package at this path, and returns what was found of its members; `None` if they could not be read.
pub fn verify_piece(path: &Path, piece: Piece, options: &Options, cancel: &Cancel) -> Option<Vec<u8>> {
    let file = verify::open(path);
    let (origin, version) = identified(path, &file);
    let begin = |size| Verification::new(options, origin.clone(), size).with_version(version.clone()).with_piece(piece);
    guarded(&file, &begin, NonZeroUsize::MIN, &Meter::new(cancel)).parcel
}

/// The report on the package at this path. Members of pieces that were verified are not read again.
///
/// # Errors
///
/// If what was found of a piece is damaged, or was found in another run.
pub fn verify_pieces(
    path: &Path,
    pieces: &[Vec<u8>],
    options: &Options,
    cancel: &Cancel,
) -> Result<Report, ParcelError> {
    let pieces = || pieces.iter().map(Vec::as_slice);
    let file = verify::open(path);
    let (origin, version) = identified(path, &file);
    let plain = |size| Verification::new(options, origin.clone(), size).with_version(version.clone());
    plain(0).with_pieces(pieces())?;
    let begin = |size| plain(size).with_pieces(pieces()).unwrap_or_else(|_| plain(size));
    let verified = guarded(&file, &begin, NonZeroUsize::MIN, &Meter::new(cancel));
    let mut run = Run::new(options);
    run.add(verified.done.outcome);
    if verified.done.interrupted {
        run.stopped("interrupt");
    }
    Ok(run.finish())
}

/// How a file is named in reports, and what distinguishes it from its other versions.
fn identified(path: &Path, file: &Result<(File, u64), Reason>) -> (InputOrigin, String) {
    let modified = file.as_ref().ok().and_then(|(file, _)| file.metadata().and_then(|meta| meta.modified()).ok());
    let since = modified.unwrap_or(SystemTime::UNIX_EPOCH).duration_since(UNIX_EPOCH).unwrap_or_default();
    (InputOrigin::named(path.to_string_lossy()), since.as_nanos().to_string())
}
