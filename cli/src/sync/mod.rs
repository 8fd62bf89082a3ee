//! `resourcesync sync` and `resourcesync audit`: keep a copy of a Source, and check it.

mod audit;
mod inventory;
mod progress;
pub(crate) mod words;

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use resourcesync::{
    limits::Limits,
    report::{Lang, json_line},
};
use resourcesync_client::{
    destination::{self, Event, Options, SyncError},
    http::Recordings,
    reason,
};
use resourcesync_sync::{
    conclude::Outcome,
    report::{DocumentStatus, Report},
};

pub(crate) use self::{audit::run as audit, inventory::run as inventory};
use crate::{
    arguments::{Sync, SyncFormat},
    error::CliError,
    interrupt::Interrupt,
    outputs,
    progress::ProgressLine,
    settings::{self, Http},
    status,
};

/// Waits no longer for the documents of a Source to expire.
const A_DAY: Duration = Duration::from_secs(86_400);

/// Runs `sync`.
pub(crate) fn run(arguments: &Sync) -> Result<i32, CliError> {
    if let Some(file) = &arguments.printing.output {
        outputs::check(file)?;
    }
    let (limits, http) = limits(&arguments.limit, arguments.printing.terminal.language.for_people());
    let options =
        Options { settings: arguments.options.settings()?, state: arguments.state.clone(), ..Options::default() };
    let options = options.with(|run| run.reading.limits = limits);
    if let Some((uri, folder, why)) = damage(&arguments.targets, arguments.state.as_deref()) {
        if !options.settings.placing.rebuild {
            let report = destination::damaged(uri.unwrap_or_default(), options.settings.dry_run, &why);
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
        let (status, report) = once(arguments, options.clone(), &http, &uri, folder, &interrupt)?;
        let Some(least) = arguments.watch else { return Ok(status) };
        let expires = Duration::from_secs(report.poll_after.unwrap_or(0)).min(A_DAY);
        if !interrupt.cancel().sleep(least.max(expires)) {
            return Ok(status);
        }
    }
}

/// One run, and its report.
fn once(
    arguments: &Sync,
    mut options: Options,
    http: &Http,
    uri: &str,
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<(i32, Report), CliError> {
    // A client resolves each name once, so that each run has its own.
    let servers = &arguments.servers;
    let ratio = options.settings.reading.limits.inflate_ratio;
    let urls = [uri.to_owned()];
    let client = settings::client_with(servers, Recordings::default(), http, ratio, &urls, interrupt.cancel())?;
    if arguments.record.is_some() || arguments.replay.is_some() {
        let recordings = recordings(arguments)?;
        options.documents = Some(settings::client_with(servers, recordings, http, ratio, &urls, interrupt.cancel())?);
    }
    let mut log = arguments.log.as_deref().map(Log::open).transpose()?;
    let mut shown =
        ProgressLine::new(arguments.printing.terminal.quiet, arguments.printing.terminal.language.for_people());
    let mut lines = String::new();
    let is_lines = arguments.format == SyncFormat::Ndjson;
    let is_shown = is_lines && arguments.printing.output.is_none();
    let report = destination::sync(uri, folder, &client, &options, interrupt.cancel(), &mut |event| match event {
        Event::Progress(far) => shown.show(|_, lang| progress::text(&far, lang)),
        Event::Item(item) if is_lines || log.is_some() => {
            let line = line("item", item);
            if let Some(log) = &mut log {
                log.write(&line);
            }
            if !is_lines {
                return;
            }
            if is_shown {
                // If the reader closed the pipe, the run continues without output.
                let _ = std::io::stdout().write_all(line.as_bytes());
            } else {
                lines.push_str(&line);
            }
        }
        Event::Item(_) => {}
    });
    shown.end();
    let report = match report {
        Err(SyncError::State(why)) => destination::damaged(uri, options.settings.dry_run, &why),
        report => report?,
    };
    if let Some(mut log) = log {
        log.write(&line("report", &report));
        log.finish()?;
    }
    Ok((print(arguments, &report, &lines)?, report))
}

/// The URI and the folder of a copy whose state cannot be used, and why.
fn damage<'a>(targets: &'a [String], state: Option<&Path>) -> Option<(Option<&'a str>, &'a Path, String)> {
    let (uri, folder) = match targets {
        [folder] => (None, Path::new(folder)),
        [uri, folder] => (Some(uri.as_str()), Path::new(folder)),
        _ => return None,
    };
    match destination::source(folder, state) {
        Err(SyncError::State(why)) => Some((uri, folder, why)),
        _ => None,
    }
}

/// Prints a report after the lines of its items; the status of the command.
fn print(arguments: &Sync, report: &Report, lines: &str) -> Result<i32, CliError> {
    let text = match arguments.format {
        SyncFormat::Text => words::report(report, arguments.printing.terminal.language.for_people()),
        SyncFormat::Json => outputs::json(report)?,
        SyncFormat::Ndjson => lines.to_owned() + &line("report", report),
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

/// Every event of a run, appended to a file.
struct Log {
    path: PathBuf,
    file: BufWriter<File>,
    result: io::Result<()>,
}

impl Log {
    fn open(path: &Path) -> Result<Log, CliError> {
        let file = File::options().append(true).create(true).open(path);
        let file = file.map_err(|error| format!("{} cannot be written: {}", path.display(), reason(&error)))?;
        Ok(Log { path: path.to_owned(), file: BufWriter::new(file), result: Ok(()) })
    }

    fn write(&mut self, line: &str) {
        if self.result.is_ok() {
            self.result = self.file.write_all(line.as_bytes());
        }
    }

    fn finish(mut self) -> Result<(), CliError> {
        let written = self.result.and_then(|()| self.file.flush());
        written.map_err(|error| format!("{} could not be written: {}", self.path.display(), reason(&error)).into())
    }
}

fn recordings(arguments: &Sync) -> Result<Recordings, CliError> {
    let mut recordings = Recordings::default();
    if let Some(path) = &arguments.replay {
        recordings.replay(path).map_err(|error| format!("--replay: {error}"))?;
    }
    if let Some(path) = &arguments.record {
        recordings.record(path).map_err(|error| format!("--record: {error}"))?;
    }
    Ok(recordings)
}

/// A line of JSON.
fn line(kind: &str, value: &impl serde::Serialize) -> String {
    json_line(&serde_json::json!({ "type": kind, kind: value })).unwrap_or_default()
}

/// The Source and the folder.
fn target<'a>(targets: &'a [String], state: Option<&Path>, command: &str) -> Result<(String, &'a Path), CliError> {
    match targets {
        [uri, folder] => {
            if !uri.contains("://") {
                return Err(format!("`{uri}` is not a URI; expected: resourcesync {command} [URI] DIR").into());
            }
            Ok((uri.clone(), Path::new(folder)))
        }
        [folder] if folder.contains("://") => Err(format!("expected a folder: resourcesync {command} URI DIR").into()),
        [folder] => {
            let folder = Path::new(folder);
            let source = destination::source(folder, state)?;
            let missing = || format!("{} is no copy of a Source yet; name its URI", folder.display());
            Ok((source.ok_or_else(missing)?, folder))
        }
        _ => Err(format!("expected: resourcesync {command} [URI] DIR").into()),
    }
}

pub(crate) fn limits(list: &[(&'static str, u64)], lang: Lang) -> (Limits, Http) {
    let (mut limits, mut http) = (Limits::default(), Http::new(lang));
    // A number of the user is the rate.
    http.adapts = list.iter().all(|(name, _)| *name != "http_requests_per_second");
    for (name, value) in list {
        // Unknown names and values out of range were rejected by the argument parser.
        let _ = limits.set(name, *value) || http.limits.set(name, *value);
    }
    (limits, http)
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
