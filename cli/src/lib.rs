//! The `resourcesync` command as a function: arguments in, reports and an exit status out.
//!
//! The program only calls [`run`]; packages in other languages call it in the same way.

mod arguments;
mod build;
mod completions;
mod error;
mod explain;
mod extract;
mod fix;
mod help;
#[cfg(feature = "hub")]
mod hub;
mod inputs;
mod interrupt;
mod limits;
mod list;
#[cfg(feature = "hub")]
mod listen;
mod locale;
mod manual;
mod merge;
mod notify;
mod oai;
mod outputs;
mod progress;
mod rules;
mod serve;
mod settings;
mod status;
mod sync;
mod validate;
mod words;

use std::{ffi::OsString, path::PathBuf};

use arguments::{Cli, Command, Printing};
use clap::{ArgMatches, ColorChoice, FromArgMatches};
use error::CliError;
pub use settings::check_configuration;

/// Runs the command with these arguments, starting with the name of the program, and returns its exit status.
///
/// Results go to standard output, everything else to standard error. The status is 1 if a finding reaches `--fail-on`; else 2 if anything is
/// undetermined, unreadable, unwritten or interrupted, or the usage is wrong; else 0.
///
/// ```
/// assert_eq!(resourcesync_cli::run(["resourcesync".into(), "validate".into(), "no-such-file.xml".into(), "--quiet".into()]), 2);
/// ```
#[must_use]
pub fn run(args: impl IntoIterator<Item = OsString>) -> i32 {
    interrupt::outlive_file_limit();
    let (matches, config) = match settings::read(args.into_iter().collect()) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return error::usage(&error),
    };
    color(&matches);
    // Subcommands that are not wrapped write to several files, or have no end.
    let result = match cli.command {
        Command::Validate(arguments) => {
            // `--format` and `--output` are paired by position, which only the matches contain.
            matches
                .subcommand_matches("validate")
                .map_or(Ok(status::VALID), |matches| validate::run(*arguments, matches, config.as_ref()))
        }
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Build(arguments) => into(&arguments.printing, &[], || build::run(&arguments)),
        Command::Notify(arguments) => into(&arguments.printing, &arguments.paths, || notify::run(&arguments)),
        #[cfg(feature = "hub")]
        Command::Hub(arguments) => hub::run(&arguments, config.as_ref()),
        #[cfg(feature = "hub")]
        Command::Listen(arguments) => listen::run(&arguments),
        Command::Dump(arguments) => into(&arguments.printing, &[], || build::dump(&arguments)),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Diff(arguments) => build::diff(&arguments),
        Command::Fix(arguments) => fix::run(&arguments),
        Command::List(arguments) => {
            into(&arguments.common.printing, std::slice::from_ref(&arguments.package), || list::run(&arguments))
        }
        Command::Extract(arguments) => {
            into(&arguments.common.printing, std::slice::from_ref(&arguments.package), || extract::run(&arguments))
        }
        Command::Sync(arguments) => sync::run(&arguments, config.as_ref()),
        Command::Audit(arguments) => sync::audit(&arguments),
        Command::Inventory(arguments) => into(&arguments.printing, &[], || sync::inventory(&arguments)),
        Command::Explain(arguments) => into(&arguments.printing, &[], || explain::run(&arguments)),
        Command::Rules(arguments) => into(&arguments.printing, &[], || rules::run(&arguments)),
        Command::Oai(arguments) => {
            let own = matches.subcommand_matches("oai").unwrap_or(&matches);
            oai::run(&arguments.command, own, config.as_ref())
        }
        Command::Completions(arguments) => completions::run(arguments.shell),
        Command::Help(arguments) => help::run(&arguments),
        Command::Man(arguments) => manual::run(&arguments.names),
    };
    result.unwrap_or_else(|error| error.report())
}

/// Runs a subcommand with its output at the place of `--output`.
fn into(printing: &Printing, inputs: &[PathBuf], run: impl FnOnce() -> Result<i32, CliError>) -> Result<i32, CliError> {
    outputs::redirected(printing.output.as_deref(), inputs, run)
}

/// Applies `--color` of the subcommand to everything that is coloured.
fn color(matches: &ArgMatches) {
    let mut leaf = matches;
    while let Some((_, inner)) = leaf.subcommand() {
        leaf = inner;
    }
    match leaf.try_get_one::<ColorChoice>("color") {
        Ok(Some(ColorChoice::Always)) => anstream::ColorChoice::Always,
        Ok(Some(ColorChoice::Never)) => anstream::ColorChoice::Never,
        _ => anstream::ColorChoice::Auto,
    }
    .write_global();
}
