//! What the user decides about a run.

use alloc::string::String;
use core::time::Duration;

use resourcesync::limits::Limits;

use crate::{guard::MaxDelete, selection::Selection};

/// What the user decides about a run.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How documents are read.
    pub reading: Reading,
    /// Which of the listed resources are copied.
    pub selection: Selection,
    /// Accept no resource without a listed digest.
    pub require_hash: bool,
    /// Adopt existing files with the listed digests.
    pub adopt: bool,
    /// Replace foreign files.
    pub overwrite: bool,
    /// True if bytes are only kept until the program acknowledges their change.
    pub until_acknowledged: bool,
    /// How many resources may be deleted; `None` for none.
    pub max_delete: Option<MaxDelete>,
    /// Time after which no document is read and no transfer is started.
    pub max_time: Option<Duration>,
    /// Maximum items in the report.
    pub max_listed: usize,
    /// Write nothing.
    pub dry_run: bool,
    /// What must be equal for the result of a run to be valid for the next one, as the ledger records it.
    pub settled: String,
}

/// How documents are read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Whether Resource Lists or Change Lists are read.
    pub plan: PlanChoice,
    /// Compare everything, even if no document changed.
    pub full: bool,
    /// Accept lists that are older than earlier ones.
    pub accept_older: bool,
    /// The greatest age of the newest list.
    pub max_age: Option<Duration>,
    /// Limits of documents.
    pub limits: Limits,
}

/// The lists that a run reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PlanChoice {
    /// Change Lists where they continue the last run, else Resource Lists and the changes since.
    #[default]
    Auto,
    /// Resource Lists and the changes since, where the lists have changed.
    List,
    /// Change Lists only, after the first run; missing changes are reported and not made up for.
    Changes,
}

/// The clocks of a driver, and its user.
#[derive(Debug, Clone, Copy, Default)]
pub struct Now {
    /// Seconds since 1970.
    pub seconds: i64,
    /// The time since the run began.
    pub elapsed: Duration,
    /// True if the user has cancelled the run.
    pub is_cancelled: bool,
}
