//! How far a run is, for whoever waits for it.

use std::time::Duration;

/// How often a run reports its progress.
pub const TICK: Duration = Duration::from_millis(100);

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub bytes: u64,
    /// Bytes of all inputs; 0 where that is not known.
    pub total: u64,
    /// Finished inputs.
    pub inputs: usize,
    /// Entries in those.
    pub entries: u64,
}

/// Called about every [`TICK`], on the thread that waits for the run.
pub type OnProgress<'t> = dyn FnMut(&Progress) + 't;
