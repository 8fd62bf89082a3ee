//! The run of one copy, and its report.

use std::path::Path;

use resourcesync_client::destination::{self, Event};
use resourcesync_sync::report::Report;

use super::{
    log::Log,
    once::once,
    outcome::{is_followed, item_line, report_line, status_of},
    progress,
    target::{damage, target},
    words,
};
use crate::{
    arguments::{Sync, SyncFormat},
    error::CliError,
    interrupt::Interrupt,
    outputs,
    progress::ProgressLine,
    status,
};

/// Runs it, and again as long as it is to be followed.
pub(super) fn run(arguments: &Sync) -> Result<i32, CliError> {
    if let Some((uri, folder, why)) = damage(&arguments.targets, arguments.state.as_deref()) {
        let settings = arguments.options.settings()?;
        if !settings.placing.rebuild {
            let report = destination::damaged(uri.unwrap_or_default(), settings.dry_run, &why);
            return print(arguments, &report, "");
        }
        if uri.is_none() {
            let folder = folder.display();
            let words = format!(
                "the state of {folder} does not say what it is a copy of: resourcesync sync --rebuild URI {folder}"
            );
            return Err(words.into());
        }
    }
    let (uri, folder) = target(&arguments.targets, arguments.state.as_deref(), "sync")?;
    let interrupt = Interrupt::listen();
    loop {
        let (status, report) = one(arguments, &uri, folder, &interrupt)?;
        if !is_followed(arguments, report.poll_after, &interrupt) {
            return Ok(status);
        }
    }
}

/// One run, and its report.
fn one(arguments: &Sync, uri: &str, folder: &Path, interrupt: &Interrupt) -> Result<(i32, Report), CliError> {
    let log = arguments.log.as_deref().map(Log::open).transpose()?;
    let mut shown =
        ProgressLine::new(arguments.printing.terminal.quiet, arguments.printing.terminal.language.for_people());
    let (mut lines, mut written) = (String::new(), Ok(()));
    let is_lines = arguments.format == SyncFormat::Ndjson;
    let is_shown = is_lines && arguments.printing.output.is_none();
    let report = once(arguments, uri, folder, interrupt.cancel(), &mut |event| match event {
        Event::Progress(far) => shown.show(|_, lang| progress::text(&far, lang)),
        Event::Item(item) if is_lines || log.is_some() => {
            let line = item_line(item, None);
            if let Some(log) = &log {
                log.write(&line);
            }
            if is_shown {
                if written.is_ok() {
                    written = outputs::line(&line);
                }
            } else if is_lines {
                lines.push_str(&line);
            }
        }
        Event::Item(_) => {}
    });
    shown.end();
    let report = report?;
    if let Some(log) = log {
        log.write(&report_line(&report));
        log.finish()?;
    }
    written?;
    Ok((print(arguments, &report, &lines)?, report))
}

/// Prints a report after the lines of its items; the status of the command.
fn print(arguments: &Sync, report: &Report, lines: &str) -> Result<i32, CliError> {
    let text = match arguments.format {
        SyncFormat::Text => words::report(report, arguments.printing.terminal.language.for_people()),
        SyncFormat::Json => outputs::json(report)?,
        SyncFormat::Ndjson => lines.to_owned() + &report_line(report),
    };
    let status = status_of(report);
    match &arguments.printing.output {
        Some(file) => outputs::to_file(file, text.as_bytes())?,
        None if arguments.printing.terminal.quiet
            && arguments.format == SyncFormat::Text
            && status == status::VALID => {}
        None => drop(outputs::print(&text)?),
    }
    Ok(status)
}
