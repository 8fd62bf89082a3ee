//! Opens one package for its members.

use std::{io, num::NonZeroUsize, path::Path};

use resourcesync::{
    api::{Contents, InputOrigin, Options, Piece, Run, Unpack, Verification},
    diagnostic::{Reason, ReasonCode},
    report::{Diagnostic, Report, Via},
};

use super::{
    bytes::{self, Bytes, BytesError},
    spool,
    verify::{self, guarded},
};
use crate::{
    cancel::Cancel,
    meter::Meter,
    parallel,
    progress::{OnProgress, Progress},
    system::reason,
};

/// Where a package is.
pub enum Place<'a> {
    /// A file, or `-` for standard input.
    Path(&'a Path),
    /// Bytes from elsewhere, such as a server, with their number, or the reason why there are none.
    Bytes(InputOrigin, Result<Opened, Reason>),
}

/// The bytes of a package, and their number.
pub type Opened = (Box<dyn Bytes>, u64);

/// A verified package that can still be read.
pub struct OpenPackage {
    bytes: Option<Box<dyn Bytes>>,
    /// The report.
    pub report: Report,
    /// Its members.
    pub contents: Contents,
}

impl Place<'_> {
    fn open(self, limit: u64, cancel: &Cancel) -> (InputOrigin, Result<Opened, Reason>) {
        let boxed = |(file, size)| -> Opened { (Box::new(file), size) };
        match self {
            Place::Path(path) if path.as_os_str() == "-" => {
                let origin = InputOrigin { via: Via::Stdin, ..InputOrigin::named("-") };
                (origin, spool::read(io::stdin().lock(), limit, cancel).map(boxed))
            }
            Place::Path(path) => (InputOrigin::named(path.to_string_lossy()), verify::open(path).map(boxed)),
            Place::Bytes(origin, opened) => (origin, opened),
        }
    }
}

/// Verifies a piece of a package with `jobs` threads; members are then unpacked from the same bytes.
///
/// # Errors
///
/// [`ReasonCode::IsFolder`] if the path is that of a folder. Other read errors are in the report.
pub fn open(
    place: Place<'_>,
    piece: Piece,
    options: &Options,
    jobs: NonZeroUsize,
    cancel: &Cancel,
    on_progress: &mut OnProgress<'_>,
) -> Result<OpenPackage, Reason> {
    if matches!(&place, Place::Path(path) if path.is_dir()) {
        return Err(Reason::new(ReasonCode::IsFolder));
    }
    let (source, file) = place.open(options.limits.package_bytes, cancel);
    let begin = |size| Verification::new(options, source.clone(), size).with_contents().with_piece(piece);
    let meter = Meter::new(cancel);
    let total = file.as_ref().map_or(0, |(_, size)| *size);
    let verified = parallel::ticking(|| guarded(&file, &begin, jobs, &meter), &mut || {
        on_progress(&Progress { bytes: meter.read(), total, inputs: 0, entries: 0 })
    });
    let verified = verified.ok_or_else(|| Reason::new(ReasonCode::Bug))?;
    let mut run = Run::new(options);
    run.add(verified.done.outcome);
    if verified.done.interrupted {
        run.stopped("interrupt");
    }
    Ok(OpenPackage { bytes: file.ok().map(|(bytes, _)| bytes), report: run.finish(), contents: verified.contents })
}

/// Errors of unpacking a member.
#[derive(Debug)]
pub enum UnpackError {
    /// It does not match the archive or the manifest.
    Invalid(Box<Diagnostic>),
    /// The run was cancelled.
    Interrupted,
    /// It could not be read, or its content could not be written.
    Io(Reason),
}

impl OpenPackage {
    /// Unpacks a member, block by block. The bytes passed to `write` are verified only if this succeeds.
    ///
    /// # Errors
    ///
    /// If the member does not match the archive or the manifest, cannot be read, `write` fails, or the run is cancelled.
    pub fn unpack(
        &self,
        mut unpack: Unpack,
        meter: &Meter,
        write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), UnpackError> {
        let file = self.bytes.as_ref().ok_or_else(|| UnpackError::Io(Reason::new(ReasonCode::NotPackage)))?;
        let mut buffer = Vec::new();
        while let Some(range) = unpack.wants() {
            // At most one block, which fits in memory on every platform.
            buffer.resize(usize::try_from(range.end.saturating_sub(range.start)).unwrap_or_default(), 0);
            bytes::read(file, meter, range.start, &mut buffer).map_err(|failure| match failure {
                BytesError::Interrupted => UnpackError::Interrupted,
                BytesError::Failed(reason) => UnpackError::Io(reason),
            })?;
            meter.count(buffer.len());
            let mut written = Ok(());
            unpack.give(&buffer, &mut |bytes| {
                if written.is_ok() {
                    written = write(bytes);
                }
            });
            written.map_err(|error| UnpackError::Io(reason(&error)))?;
        }
        unpack.finish().map_err(UnpackError::Invalid)
    }
}
