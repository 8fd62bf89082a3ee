//! `resourcesync oai`: harvests OAI-PMH repositories.

mod bridge;
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
mod validate;

use clap::ArgMatches;

use crate::{arguments::OaiCommand, error::CliError, outputs, settings::ConfigFile};

/// Runs it.
pub(crate) fn run(command: &OaiCommand, matches: &ArgMatches, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let run: Box<dyn FnOnce() -> Result<i32, CliError>> = match command {
        OaiCommand::Identify(arguments) => Box::new(|| identify::run(arguments)),
        OaiCommand::List(arguments) => Box::new(|| list::run(arguments)),
        OaiCommand::Get(arguments) => Box::new(|| get::run(arguments)),
        OaiCommand::Harvest(arguments) => Box::new(|| harvest::run(arguments)),
        OaiCommand::Bridge(arguments) => Box::new(|| bridge::run(arguments)),
        // `--format` and `--output` are paired by position, which only the matches contain.
        OaiCommand::Validate(arguments) => {
            let own = matches.subcommand_matches("validate").unwrap_or(matches);
            return validate::run(arguments, own, config);
        }
    };
    outputs::redirected(command.printing().output.as_deref(), &[], run)
}
