//! `resourcesync rules`: every code in a table, or everything about them as data.

use resourcesync::report::catalogue;

use crate::{
    arguments::{Rules, RulesFormat},
    error::CliError,
    outputs,
};

/// Runs it.
pub(crate) fn run(arguments: &Rules) -> Result<i32, CliError> {
    let rows = catalogue::rows(&arguments.select, arguments.lang);
    outputs::print(&match arguments.format {
        RulesFormat::Text => catalogue::table(&rows, arguments.lang),
        RulesFormat::Json => catalogue::to_json(&rows),
    })
}
