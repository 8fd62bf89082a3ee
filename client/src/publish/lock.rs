//! Locks a published folder, after another run if there is one.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::Error;
use crate::{
    cancel::Cancel,
    folder::{FolderError, Generations},
};

/// How often a lock is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// Locks a published folder; another run may take this long to end.
///
/// # Errors
///
/// As [`Generations::open`].
pub fn lock(out: &Path, keep: u64, wait: Duration, cancel: &Cancel) -> Result<Generations, Error> {
    let begun = Instant::now();
    loop {
        match Generations::open(out, keep) {
            Err(FolderError::Locked(_)) if begun.elapsed() < wait && !cancel.is_cancelled() => thread::sleep(PAUSE),
            opened => return Ok(opened?),
        }
    }
}
