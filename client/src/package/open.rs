//! Opens one package for its members.

use std::{fs::File, num::NonZeroUsize, path::Path};

use resourcesync::{
    api::{Contents, InputOrigin, Options, Run, Unpack, Verification},
    report::{Report, Via},
};

use super::{
    bytes::{self, Failure},
    spool,
    verify::{self, guarded},
};
use crate::{
    cancel::Cancel,
    meter::Meter,
    parallel,
    progress::{OnProgress, Progress},
};

/// A package that was verified, and is still open.
#[derive(Debug)]
pub struct Opened {
    file: Option<File>,
    /// What was found.
    pub report: Report,
    /// Its members.
    pub contents: Contents,
}

/// Verifies the package, with so many threads; what is then unpacked comes from the same open file. `-` is standard input.
///
/// # Errors
///
/// In one line, if the path is that of a folder. What cannot be read is in the report.
pub fn open(
    path: &Path,
    options: &Options,
    jobs: NonZeroUsize,
    cancel: &Cancel,
    on_progress: &mut OnProgress<'_>,
) -> Result<Opened, String> {
    if path.is_dir() {
        return Err(format!("{} is a folder; name a package", path.display()));
    }
    let is_stdin = path.as_os_str() == "-";
    let via = if is_stdin { Via::Stdin } else { Via::Argument };
    let source = InputOrigin { via, ..InputOrigin::named(path.to_string_lossy()) };
    let file = if is_stdin { spool::stdin(options.limits.package_bytes, cancel) } else { verify::open(path) };
    let begin = |size| Verification::new(options, source.clone(), size).with_contents();
    let meter = Meter::new(cancel);
    let total = file.as_ref().map_or(0, |(_, size)| *size);
    let verified = parallel::ticking(|| guarded(&file, &begin, jobs, &meter), &mut || {
        on_progress(&Progress { bytes: meter.read(), total, inputs: 0, entries: 0 })
    });
    let verified = verified.ok_or("verifying the package failed; please report this as a bug")?;
    let mut run = Run::new(options);
    run.add(verified.done.outcome);
    if verified.done.interrupted {
        run.stopped("interrupt");
    }
    Ok(Opened { file: file.ok().map(|(file, _)| file), report: run.finish(), contents: verified.contents })
}

/// Why a member could not be unpacked.
#[derive(Debug)]
pub enum Failed {
    /// It is not what archive or manifest say, in the words of a finding.
    Untrue(String),
    /// The user wants the run to stop.
    Interrupted,
    /// It could not be read, or what it unpacked to could not be taken.
    Io(String),
}

impl Opened {
    /// Unpacks a member, block by block; what `take` got is to be relied on only if this succeeds.
    ///
    /// # Errors
    ///
    /// If the member is not what archive or manifest say, if it could not be read, if `take` fails, or if the run is stopped.
    pub fn unpack(
        &self,
        mut unpack: Unpack,
        meter: &Meter,
        take: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), Failed> {
        let file = self.file.as_ref().ok_or_else(|| Failed::Io("it is not open".to_owned()))?;
        let mut room = Vec::new();
        while let Some(range) = unpack.wants() {
            // At most a block, which every machine can address.
            room.resize(usize::try_from(range.end.saturating_sub(range.start)).unwrap_or_default(), 0);
            bytes::read(file, meter, range.start, &mut room).map_err(|failure| match failure {
                Failure::Interrupted => Failed::Interrupted,
                Failure::Refused(reason) => Failed::Io(reason.to_string()),
            })?;
            meter.count(room.len());
            let mut taken = Ok(());
            unpack.give(&room, &mut |bytes| {
                if taken.is_ok() {
                    taken = take(bytes);
                }
            });
            taken.map_err(Failed::Io)?;
        }
        unpack.finish().map_err(|found| Failed::Untrue(format!("{}: {}", found.code, found.message)))
    }
}
