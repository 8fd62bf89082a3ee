//! `resourcesync merge`: merges JSON reports into the report of one run.

use std::path::{Path, PathBuf};

use resourcesync::{
    api::{MergeError, Merger},
    diagnostic::Severity,
    report::{Lang, render},
};

use crate::{
    arguments::Merge,
    error::CliError,
    inputs,
    outputs::{self, Output},
    settings::SHOWN,
    status, validate,
};

/// Runs it.
pub(crate) fn run(arguments: &Merge) -> Result<i32, CliError> {
    let paths = inputs::listed(&arguments.reports, arguments.files_from.as_deref(), arguments.null)?;
    outputs::redirected(arguments.printing.output.as_deref(), &paths, || merged(arguments, &paths))
}

fn merged(arguments: &Merge, paths: &[PathBuf]) -> Result<i32, CliError> {
    let terminal = &arguments.printing.terminal;
    let lang = terminal.language.for_people();
    let refused = |error: &MergeError| refused(error, paths, lang);
    let mut merger = Merger::new();
    for path in paths {
        merger.add(validate::report("report", path)?).map_err(|error| refused(&error))?;
    }
    let report = merger.finish().map_err(|error| refused(&error))?;
    let status = status::of(&report, arguments.fail_on.unwrap_or(Severity::Error));
    let is_quiet = terminal.quiet && status == status::VALID;
    let shown = report.run.options.max_per_rule.unwrap_or(SHOWN);
    let outputs = [Output { format: arguments.format, file: None }];
    let written = validate::write(&outputs, lang, shown, terminal.color, is_quiet, &|output, options| {
        output.write(&render(&report, output.format, options), options.color)
    });
    Ok(if written || status == status::FOUND { status } else { status::UNSURE })
}

/// The error with the name of the report.
fn refused(error: &MergeError, paths: &[PathBuf], lang: Lang) -> CliError {
    let problem = error.problem.message(lang);
    CliError::new(match (paths.get(error.report).map(|path| Path::display(path)), lang) {
        (Some(path), Lang::En) => format!("{path} cannot be merged: {problem}"),
        (Some(path), Lang::Ja) => format!("{path} は統合できません: {problem}"),
        (None, _) => problem,
    })
}
