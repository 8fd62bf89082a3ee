//! The options of every subcommand about its configuration file.

use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, ValueHint, value_parser};

/// The subcommands that a configuration cannot change.
const WITHOUT: &[&str] = &["completions", "man", "help"];

/// Adds the options to every other subcommand.
pub(super) fn add(mut command: Command) -> Command {
    if !command.has_subcommands() {
        return if WITHOUT.contains(&command.get_name()) { command } else { command.args([config(), no_config()]) };
    }
    let names: Vec<String> = command.get_subcommands().map(|own| own.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, add);
    }
    command
}

fn config() -> Arg {
    let help = "Use this configuration file instead of resourcesync.toml";
    let long = "By default the first resourcesync.toml in the working folder and its parents is used, up to the first \
                folder that contains .git. Options on the command line take precedence.";
    let arg = Arg::new("config").long("config").value_name("FILE").value_hint(ValueHint::FilePath);
    arg.value_parser(value_parser!(PathBuf)).help(help).long_help(format!("{help}\n\n{long}"))
}

fn no_config() -> Arg {
    Arg::new("no-config")
        .long("no-config")
        .action(ArgAction::SetTrue)
        .conflicts_with("config")
        .help("Use no configuration file")
}
