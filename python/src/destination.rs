//! Keeps a folder in step with a Source, and checks it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, mpsc::SyncSender},
    time::Instant,
};

use pyo3::prelude::*;
use resourcesync::limits::Limits;
use resourcesync_client::{
    Cancel,
    destination::{self, AuditOptions, Event, Keep, Options, Phase, Progress, SyncError, audit_with},
    http::{self, Client, ClientOptions, Policy},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    applied::PendingChanges,
    attended::{News, TICK, attended},
    cancel::{Cancel as OwnCancel, given},
    copies::{Calls, OwnCopies, failed},
    error::misuse,
    json::written,
    settings::settings,
};

/// What a run and an audit are given, with the names of the command.
#[derive(Deserialize)]
struct Given {
    run: Map<String, Value>,
    state: Option<PathBuf>,
    until_done: bool,
    limits: BTreeMap<String, u64>,
    servers: Servers,
}

/// What an audit is given.
#[derive(Deserialize)]
struct GivenAudit {
    offline: bool,
    quick: bool,
    download: bool,
    via: bool,
    foreign: bool,
    #[serde(flatten)]
    given: Given,
}

/// How servers are contacted.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Servers {
    allow_host: Vec<String>,
    /// Headers by origin and name.
    header: BTreeMap<String, BTreeMap<String, String>>,
    from: Option<String>,
    user_agent: Option<String>,
    robots: bool,
    proxy: Option<String>,
    ca_file: Option<PathBuf>,
}

/// Checks the options of a run.
#[pyfunction]
pub(crate) fn check_sync_options(options: &str) -> PyResult<()> {
    settings(&read::<Given>(options)?.run).map(drop)
}

/// Makes a folder hold what a Source lists; returns the report as JSON.
#[pyfunction]
#[pyo3(signature = (uri, folder, options, tell=None, on_item=None, copies=None, cancel=None))]
#[allow(clippy::too_many_arguments)] // they are keywords
pub(crate) fn sync_folder(
    py: Python<'_>,
    uri: Option<String>,
    folder: PathBuf,
    options: &str,
    tell: Option<Py<PyAny>>,
    on_item: Option<Py<PyAny>>,
    copies: Option<Py<PyAny>>,
    cancel: Option<&OwnCancel>,
) -> PyResult<String> {
    let cancel = given(cancel);
    let (uri, options, client, calls) = prepare(py, uri, &folder, options, copies, &cancel)?;
    let has_items = on_item.is_some();
    let stop = cancel.clone();
    let report = attended(py, &stop, [tell, on_item], move |news| {
        let _within = calls.within(news);
        let mut last = None;
        destination::sync(&uri, &folder, &client, &options, &cancel, &mut |event| {
            pass_on(news, has_items, &mut last, &event);
        })
    })?;
    written(&report.map_err(failed)?)
}

/// Makes a folder hold what a Source lists, or only opens it; returns the changes that were not acknowledged.
#[pyfunction]
#[pyo3(signature = (uri, folder, options, runs, tell=None, on_item=None, copies=None, cancel=None))]
#[allow(clippy::too_many_arguments)] // they are keywords
pub(crate) fn pending_changes(
    py: Python<'_>,
    uri: Option<String>,
    folder: PathBuf,
    options: &str,
    runs: bool,
    tell: Option<Py<PyAny>>,
    on_item: Option<Py<PyAny>>,
    copies: Option<Py<PyAny>>,
    cancel: Option<&OwnCancel>,
) -> PyResult<PendingChanges> {
    let cancel = given(cancel);
    let (uri, options, client, calls) = prepare(py, uri, &folder, options, copies, &cancel)?;
    let has_items = on_item.is_some();
    let stop = cancel.clone();
    let changes = attended(py, &stop, [tell, on_item], move |news| {
        let _within = calls.within(news);
        if !runs {
            return destination::pending(&folder, &options, &cancel);
        }
        let mut last = None;
        destination::changes(&uri, &folder, &client, &options, &cancel, &mut |event| {
            pass_on(news, has_items, &mut last, &event);
        })
    })?;
    Ok(PendingChanges::new(changes.map_err(failed)?))
}

/// What a run needs.
fn prepare(
    py: Python<'_>,
    uri: Option<String>,
    folder: &Path,
    options: &str,
    copies: Option<Py<PyAny>>,
    cancel: &Cancel,
) -> PyResult<(String, Options, Arc<Client>, Calls)> {
    let given: Given = read(options)?;
    let adapts = adapts(&given.limits);
    let (mut options, servers, limits) = run_options(given)?;
    let calls = Calls::default();
    if let Some(copies) = copies {
        options.keep = Keep::store(OwnCopies::new(copies, calls.clone()));
    }
    let uri = match uri {
        Some(uri) => uri,
        None => {
            let held = py.detach(|| destination::source(folder, options.state.as_deref())).map_err(failed)?;
            held.ok_or_else(|| failed(SyncError::NotACopy))?
        }
    };
    let client = client(&uri, servers, limits, adapts, within(options.settings.reading.limits.inflate_ratio, cancel))?;
    Ok((uri, options, client, calls))
}

/// Passes an event to the thread of the caller.
fn pass_on(news: &SyncSender<News>, has_items: bool, last: &mut Option<Instant>, event: &Event<'_>) {
    match event {
        Event::Progress(far) => send(news, last, far),
        Event::Item(item) if has_items => {
            // Values with string keys and without floats: serializing cannot fail.
            let _ = news.send(News::Item(serde_json::to_string(item).unwrap_or_default()));
        }
        Event::Item(_) => {}
    }
}

/// Compares a copy with its Source, or with its own state; returns the result as JSON.
#[pyfunction]
#[pyo3(signature = (uri, folder, options, tell=None, copies=None, cancel=None))]
pub(crate) fn audit_folder(
    py: Python<'_>,
    uri: Option<String>,
    folder: PathBuf,
    options: &str,
    tell: Option<Py<PyAny>>,
    copies: Option<Py<PyAny>>,
    cancel: Option<&OwnCancel>,
) -> PyResult<String> {
    let cancel = given(cancel);
    let GivenAudit { offline, quick, download, via, foreign, given } = read(options)?;
    let settings = settings(&given.run)?;
    let adapts = adapts(&given.limits);
    let (limits, own) = limits(given.limits)?;
    let held = py.detach(|| destination::source(&folder, given.state.as_deref())).map_err(failed)?;
    let held = held.ok_or_else(|| failed(SyncError::NotACopy))?;
    if uri.is_some_and(|uri| uri != held) {
        return Err(failed(SyncError::OtherSource { held }));
    }
    let client = match offline {
        true => None,
        false => Some(client(&held, given.servers, own, adapts, within(limits.inflate_ratio, &cancel))?),
    };
    let calls = Calls::default();
    let keep = match copies {
        Some(copies) => Keep::store(OwnCopies::new(copies, calls.clone())),
        None => keep(given.until_done),
    };
    let options = AuditOptions {
        keep,
        state: given.state,
        quick,
        download,
        via,
        selection: settings.selection,
        max_listed: settings.max_listed,
        names_foreign: foreign,
        limits,
    };
    let stop = cancel.clone();
    let audit = attended(py, &stop, [tell, None], move |news| {
        let _within = calls.within(news);
        let mut last = None;
        audit_with(&folder, client.as_ref(), &options, &cancel, &mut |far| send(news, &mut last, &far))
    })?;
    written(&audit.map_err(failed)?)
}

/// Reports progress, unless it was reported a moment ago.
fn send(news: &SyncSender<News>, last: &mut Option<Instant>, far: &Progress) {
    if last.is_none_or(|last| last.elapsed() >= TICK) {
        *last = Some(Instant::now());
        let _ = news.send(News::Progress(phase(far.phase), far.done, far.total, far.amount));
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Documents => "documents",
        Phase::Resources => "resources",
        Phase::Deleting => "deleting",
        Phase::Files => "files",
    }
}

fn run_options(given: Given) -> PyResult<(Options, Servers, http::Limits)> {
    let (limits, own) = limits(given.limits)?;
    let (settings, keep) = (settings(&given.run)?, keep(given.until_done));
    let options = Options { settings, state: given.state, keep, ..Options::default() };
    Ok((options.with(|run| run.reading.limits = limits), given.servers, own))
}

fn read<T: DeserializeOwned>(options: &str) -> PyResult<T> {
    serde_json::from_str(options).map_err(|error| misuse(error.to_string()))
}

fn keep(until_done: bool) -> Keep {
    if until_done { Keep::UntilDone } else { Keep::Folder }
}

fn limits(given: BTreeMap<String, u64>) -> PyResult<(Limits, http::Limits)> {
    let (mut limits, mut own) = (Limits::default(), http::Limits::default());
    for (name, value) in given {
        if !(limits.set(&name, value) || own.set(&name, value)) {
            return Err(misuse(format!("limits: there is no limit `{name}`, or {value} does not fit it")));
        }
    }
    Ok((limits, own))
}

/// True if the rate of requests follows how well a host responds: a number of the user is the rate.
fn adapts(limits: &BTreeMap<String, u64>) -> bool {
    !limits.contains_key("http_requests_per_second")
}

/// The options of a client with this limit that a run cancels.
pub(crate) fn within(inflate_ratio: u32, cancel: &Cancel) -> ClientOptions {
    ClientOptions { inflate_ratio, cancel: cancel.clone(), ..ClientOptions::default() }
}

/// A client for the host of a URI.
pub(crate) fn client(
    uri: &str,
    servers: Servers,
    limits: http::Limits,
    adapts: bool,
    options: ClientOptions,
) -> PyResult<Arc<Client>> {
    client_of(&[uri.to_owned()], servers, limits, adapts, options)
}

/// A client for the hosts of these URIs.
pub(crate) fn client_of(
    uris: &[String],
    servers: Servers,
    limits: http::Limits,
    adapts: bool,
    options: ClientOptions,
) -> PyResult<Arc<Client>> {
    let mut policy = Policy::default();
    policy.limits = limits;
    policy.adapts = adapts;
    uris.iter().try_for_each(|uri| policy.start(uri)).map_err(|error| failed(SyncError::Http(error)))?;
    for host in &servers.allow_host {
        policy.allow(host).map_err(|error| misuse(format!("allow_host: {error}")))?;
    }
    for (origin, headers) in &servers.header {
        for (name, value) in headers {
            policy.credentials.header(origin, name, value).map_err(|error| misuse(format!("header: {error}")))?;
        }
    }
    policy.from = servers.from.map(|text| header("from_", text)).transpose()?;
    policy.user_agent = servers.user_agent.map(|text| header("user_agent", text)).transpose()?;
    policy.robots = servers.robots;
    match servers.proxy.as_deref() {
        Some("none") => {}
        Some(url) => policy.proxy(url).map_err(|error| misuse(format!("proxy: {error}")))?,
        None => policy.proxy_of_environment().map_err(|error| misuse(format!("proxy: {error}")))?,
    }
    if let Some(path) = &servers.ca_file {
        policy.authorities = Some(std::fs::read(path)?);
    }
    Client::new(policy, options).map(Arc::new).map_err(|error| misuse(format!("ca_file: {error}")))
}

fn header(name: &str, text: String) -> PyResult<String> {
    if text.is_empty() || !text.bytes().all(|byte| matches!(byte, 0x20..=0x7e)) {
        return Err(misuse(format!("{name}: `{text}` is not valid in a header")));
    }
    Ok(text)
}
