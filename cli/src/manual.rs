//! `resourcesync man`: the manual page of the command or of one of its subcommands.

use clap_mangen::Man;

use resourcesync_client::reason;

use crate::{arguments, error::CliError, outputs};

/// Runs it.
pub(crate) fn run(names: &[String]) -> Result<i32, CliError> {
    let mut command = arguments::command();
    command.build();
    for name in names {
        command = command.find_subcommand(name).cloned().ok_or_else(|| format!("unknown subcommand `{name}`"))?;
    }
    // The name of a manual page, such as `resourcesync-oai-harvest`.
    let page = ["resourcesync"].into_iter().chain(names.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    let command = command.display_name(page);
    let mut page = Vec::new();
    let man = Man::new(command).source(concat!("resourcesync ", env!("CARGO_PKG_VERSION")));
    man.render(&mut page).map_err(|error| format!("the page could not be written: {}", reason(&error)))?;
    outputs::print(&String::from_utf8_lossy(&page))
}
