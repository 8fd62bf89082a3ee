//! Several Sources in one run: a copy for each, hosts in parallel, and one object of reports.

use std::sync::{Mutex, PoisonError};

use resourcesync_client::{
    Cancel,
    destination::{Event, no_run},
    http::per_host,
};
use resourcesync_sync::report::{Report, Reports};

use super::{
    log::Log,
    once::once,
    outcome::{is_followed, item_line, report_line, status_of},
    words,
};
use crate::{
    arguments::{Sync, SyncFormat},
    error::CliError,
    interrupt::Interrupt,
    outputs,
    progress::ProgressLine,
    settings::{ConfigFile, ConfiguredSource},
    status,
};

/// Runs the Sources of a configuration that the command line names.
pub(super) fn run(arguments: &Sync, config: Option<&ConfigFile>) -> Result<i32, CliError> {
    let expected = "expected: resourcesync sync [URI] DIR, or --config FILE with tables `[[source]]`";
    let Some(config) = config else { return Err(expected.into()) };
    let sources = config.sources()?;
    match (sources.is_empty(), config.is_named, &config.name) {
        (true, ..) => return Err(expected.into()),
        (false, true, _) => {}
        // It may have come with the working folder.
        (false, false, name) => {
            return Err(format!("the Sources of {name} are synchronized if it is named: --config {name}").into());
        }
    }
    let interrupt = Interrupt::listen();
    loop {
        let reports = round(arguments, &sources, interrupt.cancel())?;
        let poll_after = reports.iter().filter_map(|report| report.poll_after).min();
        let status = print(arguments, reports)?;
        if !is_followed(arguments, poll_after, &interrupt) {
            return Ok(status);
        }
    }
}

/// A run of each Source; their reports in the order of the configuration.
fn round(arguments: &Sync, sources: &[ConfiguredSource], cancel: &Cancel) -> Result<Vec<Report>, CliError> {
    let log = arguments.log.as_deref().map(Log::open).transpose()?;
    let lang = arguments.printing.terminal.language.for_people();
    let mut shown = ProgressLine::new(arguments.printing.terminal.quiet, lang);
    let is_lines = arguments.format == SyncFormat::Ndjson;
    let file = arguments.printing.output.as_ref().filter(|_| is_lines);
    let (lines, written) = (Mutex::new(String::new()), Mutex::new(Ok(())));
    let write = |line: &str| {
        if let Some(log) = &log {
            log.write(line);
        }
        if file.is_some() {
            lines.lock().unwrap_or_else(PoisonError::into_inner).push_str(line);
        } else if is_lines {
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            if written.is_ok() {
                *written = outputs::line(line);
            }
        }
    };
    let is_written = is_lines || log.is_some();
    let (mut reports, mut done) = (vec![None; sources.len()], 0_usize);
    per_host(
        sources.iter().collect(),
        |source| &source.uri,
        arguments.jobs,
        |(): &mut (), source: &ConfiguredSource| one(source, cancel, is_written.then_some(&write)),
        |position, report| {
            done = done.saturating_add(1);
            shown.show(|_, lang| words::sources(done, sources.len(), lang));
            reports.iter_mut().skip(position).take(1).for_each(|place| *place = Some(report.clone()));
        },
    );
    shown.end();
    log.map_or(Ok(()), Log::finish)?;
    written.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    if let Some(file) = file {
        outputs::to_file(file, lines.into_inner().unwrap_or_else(PoisonError::into_inner).as_bytes())?;
    }
    Ok(reports.into_iter().flatten().collect())
}

/// The run of one Source, which ends in a report whatever happens.
fn one(source: &ConfiguredSource, cancel: &Cancel, write: Option<&(dyn Fn(&str) + std::marker::Sync)>) -> Report {
    let ConfiguredSource { uri, folder, arguments } = source;
    let report = once(arguments, uri, folder, cancel, &mut |event| {
        if let (Event::Item(item), Some(write)) = (event, write) {
            write(&item_line(item, Some(uri)));
        }
    });
    let mut report = report.unwrap_or_else(|error| {
        let is_dry = arguments.options.settings().is_ok_and(|settings| settings.dry_run);
        no_run(uri, is_dry, &error.to_string())
    });
    report.folder = Some(folder.display().to_string());
    if let Some(write) = write {
        write(&report_line(&report));
    }
    report
}

/// Prints the reports; the status of the command.
fn print(arguments: &Sync, reports: Vec<Report>) -> Result<i32, CliError> {
    let terminal = &arguments.printing.terminal;
    let status = reports.iter().map(status_of).fold(status::VALID, status::worse);
    let text = match arguments.format {
        // The lines are written already.
        SyncFormat::Ndjson => return Ok(status),
        SyncFormat::Text => words::reports(&reports, terminal.language.for_people()),
        SyncFormat::Json => outputs::json(&Reports::from(reports))?,
    };
    match &arguments.printing.output {
        Some(file) => outputs::to_file(file, text.as_bytes())?,
        None if terminal.quiet && arguments.format == SyncFormat::Text && status == status::VALID => {}
        None => drop(outputs::print(&text)?),
    }
    Ok(status)
}
