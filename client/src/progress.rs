//! The progress of a run.

use std::time::Duration;

/// The interval at which a run reports its progress.
pub const TICK: Duration = Duration::from_millis(100);

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub bytes: u64,
    /// Bytes of all inputs; 0 if unknown.
    pub total: u64,
    /// Finished inputs.
    pub inputs: usize,
    /// Entries in finished inputs.
    pub entries: u64,
}

/// Receives the progress about every [`TICK`], on the thread that called the run.
pub type OnProgress<'t> = dyn FnMut(&Progress) + 't;
