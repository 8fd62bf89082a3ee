//! `resourcesync rules`: prints all codes as a table or as JSON.

use resourcesync::report::catalogue::{table, to_json};
use resourcesync_client::catalogue;

use crate::{
    arguments::{Rules, RulesFormat},
    error::CliError,
    outputs,
};

/// Runs it.
pub(crate) fn run(arguments: &Rules) -> Result<i32, CliError> {
    let lang = match arguments.format {
        RulesFormat::Text => arguments.printing.terminal.language.for_people(),
        RulesFormat::Json => arguments.printing.terminal.language.for_programs(),
    };
    let rows = catalogue(lang).select(&arguments.select).map_err(|error| error.to_string())?;
    outputs::print(&match arguments.format {
        RulesFormat::Text => table(&rows, lang),
        RulesFormat::Json => to_json(&rows),
    })
}
