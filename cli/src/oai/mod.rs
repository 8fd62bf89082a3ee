//! `resourcesync oai`: harvests OAI-PMH repositories.

mod dry_run;
mod get;
mod harvest;
mod identify;
mod labels;
mod list;
mod many;
mod one;
mod progress;
mod session;
mod summary;
mod table;

use crate::{arguments::OaiCommand, error::CliError};

/// Runs it.
pub(crate) fn run(command: &OaiCommand) -> Result<i32, CliError> {
    match command {
        OaiCommand::Identify(arguments) => identify::run(arguments),
        OaiCommand::List(arguments) => list::run(arguments),
        OaiCommand::Get(arguments) => get::run(arguments),
        OaiCommand::Harvest(arguments) => harvest::run(arguments),
    }
}
