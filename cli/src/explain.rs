//! `resourcesync explain`: prints the explanation of a code or rule.

use resourcesync::report::catalogue::ExplanationError;
use resourcesync_client::catalogue;

use crate::{
    arguments::{Explain, ExplainFormat},
    error::CliError,
    outputs,
};

/// Runs it.
pub(crate) fn run(arguments: &Explain) -> Result<i32, CliError> {
    let lang = match arguments.format {
        ExplainFormat::Json => arguments.printing.terminal.language.for_programs(),
        ExplainFormat::Text | ExplainFormat::Markdown => arguments.printing.terminal.language.for_people(),
    };
    let explanation = catalogue(lang).explain(&arguments.name).map_err(|error| match &error {
        ExplanationError::Many(name) => format!("{error}; list them with: resourcesync rules --select {name}"),
        ExplanationError::Unknown(unknown) if unknown.suggestion.is_none() => {
            format!("{error}; `resourcesync rules` lists all")
        }
        ExplanationError::Unknown(_) => error.to_string(),
    })?;
    outputs::print(&match arguments.format {
        ExplainFormat::Text => explanation.to_text(),
        ExplainFormat::Markdown => explanation.to_markdown(),
        ExplainFormat::Json => explanation.to_json(),
    })
}
