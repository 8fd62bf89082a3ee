//! `resourcesync man`: the manual page of the command or of one of its subcommands.

use clap_mangen::Man;

use resourcesync_client::reason;

use crate::{arguments, error::CliError, outputs};

/// Runs it.
pub(crate) fn run(subcommand: Option<&str>) -> Result<i32, CliError> {
    let mut command = arguments::command();
    command.build();
    let command = match subcommand {
        None => command,
        Some(name) => {
            let found = command.get_subcommands().find(|own| own.get_name() == name).cloned();
            // The name of a manual page, such as `resourcesync-validate`.
            let found = found.ok_or_else(|| format!("unknown subcommand `{name}`"))?;
            found.display_name(format!("resourcesync-{name}"))
        }
    };
    let mut page = Vec::new();
    let man = Man::new(command).source(concat!("resourcesync ", env!("CARGO_PKG_VERSION")));
    man.render(&mut page).map_err(|error| format!("the page could not be written: {}", reason(&error)))?;
    outputs::print(&String::from_utf8_lossy(&page))
}
