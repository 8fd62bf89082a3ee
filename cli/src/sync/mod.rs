//! `resourcesync sync` and `resourcesync audit`: keep a copy of a Source, and check it.

mod audit;
mod progress;
mod words;

use std::{io::Write, path::Path};

use resourcesync::limits::Limits;
use resourcesync_client::{
    destination::{self, Event, Options, SyncError},
    http::Recordings,
};
use resourcesync_sync::{
    conclude::Outcome,
    guard::MaxDelete,
    report::{DocumentStatus, Report},
};

pub(crate) use self::audit::run as audit;
use self::progress::Progress;
use crate::{
    arguments::{Durability, Sync, SyncFormat},
    error::CliError,
    interrupt::Interrupt,
    outputs,
    settings::{self, Http},
    status,
};

/// Runs `sync`.
pub(crate) fn run(arguments: &Sync) -> Result<i32, CliError> {
    if let Some(file) = &arguments.output {
        outputs::check(file)?;
    }
    let (uri, folder) = target(arguments)?;
    let interrupt = Interrupt::listen();
    let (options, http) = options(arguments);
    let servers = &arguments.servers;
    let ratio = options.limits.inflate_ratio;
    let urls = [uri.clone()];
    let client = settings::client_with(servers, Recordings::default(), &http, ratio, &urls, interrupt.cancel())?;
    let mut progress = Progress::new(arguments.quiet, arguments.language.for_people());
    let mut lines = String::new();
    let is_lines = arguments.format == SyncFormat::Ndjson;
    let is_shown = is_lines && arguments.output.is_none();
    let report = destination::sync(&uri, folder, &client, &options, interrupt.cancel(), &mut |event| match event {
        Event::Progress(far) => progress.show(&far),
        Event::Item(item) if is_lines => {
            let line = line("item", item);
            if is_shown {
                // If the reader closed the pipe, the run continues without output.
                let _ = std::io::stdout().write_all(line.as_bytes());
            } else {
                lines.push_str(&line);
            }
        }
        Event::Item(_) => {}
    });
    progress.end();
    let report = report?;
    let text = match arguments.format {
        SyncFormat::Text => words::report(&report, arguments.language.for_people()),
        SyncFormat::Json => {
            serde_json::to_string_pretty(&report).map(|json| json + "\n").map_err(|error| error.to_string())?
        }
        SyncFormat::Ndjson => lines + &line("report", &report),
    };
    let status = status_of(&report);
    match &arguments.output {
        Some(file) => outputs::to_file(file, text.as_bytes())?,
        None if arguments.quiet && arguments.format == SyncFormat::Text && status == status::VALID => {}
        None => drop(outputs::print(&text)?),
    }
    Ok(status)
}

/// A line of JSON.
fn line(kind: &str, value: &impl serde::Serialize) -> String {
    let value = serde_json::json!({ "type": kind, kind: value });
    format!("{value}\n")
}

/// The Source and the folder.
fn target(arguments: &Sync) -> Result<(String, &Path), CliError> {
    match arguments.targets.as_slice() {
        [uri, folder] => {
            if !uri.contains("://") {
                return Err(format!("`{uri}` is not a URI; expected: resourcesync sync [URI] DIR").into());
            }
            Ok((uri.clone(), Path::new(folder)))
        }
        [folder] if folder.contains("://") => Err("expected a folder: resourcesync sync URI DIR".into()),
        [folder] => {
            let folder = Path::new(folder);
            let source = destination::source(folder)?;
            let missing = || format!("{} is no copy of a Source yet; name its URI", folder.display());
            Ok((source.ok_or_else(missing)?, folder))
        }
        _ => Err("expected: resourcesync sync [URI] DIR".into()),
    }
}

fn options(arguments: &Sync) -> (Options, Http) {
    let mut http = Http::default();
    let mut limits = Limits::default();
    for (name, value) in &arguments.limit {
        // Unknown names and values out of range were rejected by the argument parser.
        let _ = limits.set(name, *value) || http.limits.set(name, *value);
    }
    let max_delete = arguments.max_delete.or(Some(MaxDelete::Auto)).filter(|_| !arguments.no_delete);
    let options = Options {
        layout: arguments.layout,
        adopt: arguments.adopt,
        overwrite: arguments.overwrite,
        baseline: arguments.baseline,
        dry_run: arguments.dry_run,
        max_delete,
        require_hash: arguments.require_hash,
        accept_older: arguments.accept_older,
        max_bytes: arguments.max_bytes,
        max_time: arguments.max_time,
        durable: arguments.durability == Durability::Group,
        max_listed: arguments.max_listed,
        limits,
    };
    (options, http)
}

fn status_of(report: &Report) -> i32 {
    let is_read = report.documents.iter().all(|document| document.status != DocumentStatus::Unread);
    let is_planned = report.run.dry_run
        && report.run.outcome == Outcome::Incomplete
        && report.plan.is_some()
        && report.withheld.is_none()
        && report.counts.failed == 0
        && report.diagnostics.is_empty()
        && is_read;
    match report.run.outcome {
        Outcome::InStep => status::VALID,
        Outcome::Refused => status::FOUND,
        _ if is_planned => status::VALID,
        _ => status::UNSURE,
    }
}

impl From<SyncError> for CliError {
    fn from(error: SyncError) -> CliError {
        CliError::new(error.to_string())
    }
}
