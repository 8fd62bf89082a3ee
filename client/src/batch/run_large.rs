//! A run with more findings than memory.

use std::{io, num::NonZeroUsize};

use resourcesync::api::Options;
use tempfile::TempDir;

use super::{
    kept::{Keep, LargeReport},
    run::drive,
    step::Step,
};
use crate::{cancel::Cancel, progress::OnProgress};

/// Validates everything as [`run`](super::run()), and keeps the findings on documents in temporary files.
///
/// # Errors
///
/// If they could not be written.
pub fn run_large(
    steps: &[Step],
    options: &Options,
    jobs: NonZeroUsize,
    cancel: &Cancel,
    on_progress: &mut OnProgress<'_>,
) -> io::Result<LargeReport> {
    let folder = TempDir::new()?;
    let keep = Keep::new(folder.path());
    let (report, numbers) = drive(steps, options, jobs, cancel, on_progress, Some(&keep));
    let lines = keep.finish()?;
    Ok(LargeReport::new(report, numbers, &lines, folder))
}
