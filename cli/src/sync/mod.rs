//! `resourcesync sync` and `resourcesync audit`: keep a copy of a Source, and check it.

mod audit;
mod inventory;
mod keep;
mod log;
mod many;
mod once;
mod outcome;
mod progress;
mod single;
mod target;
pub(crate) mod words;

use resourcesync_client::destination::SyncError;

#[cfg(feature = "hub")]
pub(crate) use self::once::limits;
pub(crate) use self::{audit::run as audit, inventory::run as inventory};
use crate::{arguments::Sync, error::CliError, outputs, settings::ConfigFile};

/// Runs `sync`: of one copy, or of those of a configuration.
pub(crate) fn run(arguments: &Sync, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    if let Some(file) = &arguments.printing.output {
        outputs::check(file)?;
    }
    if arguments.targets.is_empty() { many::run(arguments, config) } else { single::run(arguments) }
}

impl From<SyncError> for CliError {
    fn from(error: SyncError) -> CliError {
        CliError::new(error.to_string())
    }
}
