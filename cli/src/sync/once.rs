//! One run of a copy, with the options of its command line.

use std::path::Path;

use resourcesync::{limits::Limits, report::Lang};
use resourcesync_client::{
    Cancel,
    destination::{self, Event, Keep, Options, SyncError},
    http::Recordings,
};
use resourcesync_sync::report::Report;

use super::keep::keep;
use crate::{
    arguments::Sync,
    error::CliError,
    settings::{self, Http},
};

/// Runs it. What the state of a copy prevents is in the report.
pub(super) fn once(
    arguments: &Sync,
    uri: &str,
    folder: &Path,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Report, CliError> {
    let (limits, http) = limits(&arguments.limit, arguments.printing.terminal.language.for_people());
    let ratio = limits.inflate_ratio;
    // A client resolves each name once, so that each run has its own.
    let (servers, urls) = (&arguments.servers, [uri.to_owned()]);
    let client = settings::client_with(servers, Recordings::default(), &http, ratio, &urls, cancel)?;
    let (settings, state) = (arguments.options.settings()?, arguments.state.clone());
    let keep = keep(arguments.copies.as_deref(), folder, state.as_deref(), &client)?;
    let saves_state = arguments.save_state;
    if saves_state && matches!(keep, Keep::Folder) {
        return Err("--save-state saves the state in the object store of --copies".into());
    }
    let options = Options { settings, state, keep, saves_state, ..Options::default() };
    let mut options = options.with(|run| run.reading.limits = limits);
    if arguments.record.is_some() || arguments.replay.is_some() {
        let recordings = recordings(arguments)?;
        options.documents = Some(settings::client_with(servers, recordings, &http, ratio, &urls, cancel)?);
    }
    match destination::sync(uri, folder, &client, &options, cancel, on_event) {
        Err(SyncError::State(why)) => Ok(destination::damaged(uri, options.settings.dry_run, &why)),
        report => Ok(report?),
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

/// The limits of documents, and those of HTTP.
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
