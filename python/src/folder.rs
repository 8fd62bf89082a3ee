//! Publishes to a folder: a generation driven by a program, or the resources of a program.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    time::Duration,
};

use pyo3::{
    exceptions::{PyInterruptedError, PyRuntimeError, PyValueError},
    prelude::*,
};
use resourcesync::{
    build::{Accepted, ChangeHistory, DumpHistory, Refused, Store},
    diagnostic::{Code, Finding, Reason, Severity},
    report::Selector,
    value::Datetime,
};
use resourcesync_client::{
    Cancel,
    folder::FolderError,
    http::{Client, ClientOptions, Credentials, Policy},
    notify::{self, OUTBOX, Outbox, OutboxError},
    publish::{
        self, Begun, Change, Channels, Collected, Dropped, Error, Event, FolderStore, Origin, Outcome, Resources,
        SetHistory, Spool,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    attended::attended,
    builder::to_entry,
    cancel::{Cancel as OwnCancel, given},
    error::{misuse, publish_failed, refused},
    options::Options,
    publishing::uri,
};

/// A folder that receives the next generation of a Source.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Generation {
    inner: Option<FolderStore>,
}

/// The result, as returned by `Publication.finish`.
#[derive(Deserialize)]
struct Published {
    kept: Vec<String>,
    sets: Vec<PublishedSet>,
}

#[derive(Deserialize)]
struct PublishedSet {
    name: String,
    changes: Option<ChangeHistory>,
    dump: Option<DumpHistory>,
}

#[pymethods]
impl Generation {
    #[new]
    fn new(folder: PathBuf, keep: u64) -> PyResult<Generation> {
        let inner = FolderStore::open(&folder, keep).map_err(|error| failed(&error))?;
        Ok(Generation { inner: Some(inner) })
    }

    fn begin(&mut self, path: &str) -> PyResult<()> {
        Ok(self.open()?.begin(path)?)
    }

    fn write(&mut self, bytes: &[u8]) -> PyResult<()> {
        Ok(self.open()?.write(bytes)?)
    }

    fn end(&mut self) -> PyResult<()> {
        Ok(self.open()?.end()?)
    }

    /// The histories of the published sets, as JSON.
    fn previous(&mut self) -> PyResult<String> {
        let sets = self.open()?.previous();
        let sets: BTreeMap<_, _> =
            sets.into_iter().map(|(name, set)| (name, json!({"changes": set.changes, "dump": set.dump}))).collect();
        serde_json::to_string(&sets).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Publishes the received files.
    fn publish(&mut self, py: Python<'_>, at: &str, base: &str, published: &str) -> PyResult<()> {
        let inner = self.inner.take().ok_or_else(|| misuse("this generation is finished".to_owned()))?;
        let published: Published =
            serde_json::from_str(published).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let at: Datetime = at.parse().map_err(|_| misuse(format!("`{at}` is not a datetime")))?;
        let sets =
            published.sets.into_iter().map(|PublishedSet { name, changes, dump }| (name, SetHistory { changes, dump }));
        py.detach(|| inner.publish(&at, base, &published.kept, sets)).map_err(|error| failed(&error))
    }

    /// Discards the received files.
    fn drop(&mut self) {
        self.inner = None;
    }
}

impl Generation {
    fn open(&mut self) -> PyResult<&mut FolderStore> {
        self.inner.as_mut().ok_or_else(|| misuse("this generation is finished".to_owned()))
    }
}

/// Collects resources before they are published.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Records {
    inner: Spool,
    fail_on: Severity,
    begun: Option<Run>,
}

/// A run whose folder is locked while its records are read.
struct Run {
    begun: Begun,
    options: publish::Options,
    is_sent: bool,
    credentials: Credentials,
    told: Told,
}

/// What a run told so far.
#[derive(Default)]
struct Told {
    warnings: Vec<String>,
    changes: Vec<Value>,
}

impl Told {
    fn note(&mut self, event: Event<'_>) {
        match event {
            Event::Warning(warning) => self.warnings.push(warning.to_string()),
            Event::Unreadable(words) => self.warnings.push(words.to_owned()),
            Event::Listed(change) => self.changes.push(listed(change)),
            _ => {}
        }
    }
}

/// The options of publishing.
#[derive(Deserialize)]
pub(crate) struct ListedResource {
    folder: PathBuf,
    base: String,
    documents: Option<String>,
    at: Option<String>,
    describedby: Option<String>,
    max_delete: Option<String>,
    expect_entries: Option<String>,
    rotate: Option<String>,
    keep: Option<NonZeroUsize>,
    keep_generations: u64,
    /// The hubs to notify; `None` if the options say nothing of them.
    hubs: Option<Vec<String>>,
    topics_uri: Option<String>,
    /// Continues the notification channels of earlier publications if no hubs are given.
    #[serde(default)]
    continued: bool,
    /// Header fields of requests to hubs, by origin and name.
    #[serde(default)]
    header: BTreeMap<String, BTreeMap<String, String>>,
    /// Sends the notifications at once.
    pub(crate) notify: bool,
    /// Seconds to wait for another run.
    pub(crate) wait: f64,
    gzip: bool,
    #[serde(default)]
    force: bool,
    ignore: Vec<String>,
}

impl ListedResource {
    /// The header fields of requests to hubs.
    pub(crate) fn credentials(&self) -> PyResult<Credentials> {
        let mut credentials = Credentials::default();
        for (origin, headers) in &self.header {
            for (name, value) in headers {
                credentials.header(origin, name, value).map_err(|error| misuse(format!("header: {error}")))?;
            }
        }
        Ok(credentials)
    }
}

#[pymethods]
impl Records {
    #[new]
    fn new(options: &Options) -> PyResult<Records> {
        let inner = Spool::new(options.of_builders()).map_err(|error| failed(&error))?;
        Ok(Records { inner, fail_on: options.fail_on, begun: None })
    }

    /// Locks the folder before the records are read, and publishes the events that were appended before. What is appended meanwhile is later
    /// than the records.
    #[pyo3(signature = (wanted, cancel=None))]
    fn begin(&mut self, py: Python<'_>, wanted: &str, cancel: Option<&OwnCancel>) -> PyResult<()> {
        let wanted: ListedResource =
            serde_json::from_str(wanted).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let (is_sent, is_continued, credentials) = (wanted.notify, wanted.continued, wanted.credentials()?);
        let mut options = options(wanted, Collected::default())?;
        if is_continued && options.channels.is_none() && !options.no_hub {
            options.channels = publish::remembered_channels(&options.out);
        }
        options.fail_on = self.fail_on;
        let (cancel, mut told) = (given(cancel), Told::default());
        let begun =
            attended(py, &cancel, [None, None], |_| Begun::begin(&options, &cancel, &mut |event| told.note(event)))?;
        let begun = begun.map_err(|error| failed(&error))?;
        self.begun = Some(Run { begun, options, is_sent, credentials, told });
        Ok(())
    }

    fn push(&mut self, entry: &Bound<'_, PyAny>, set: &str) -> PyResult<()> {
        match to_entry(entry) {
            Ok(entry) => self.inner.push(entry, set).map_err(|error| failed(&error)),
            // A value that no document can have; anything but a value is a mistake of the program.
            Err(error) if error.is_instance_of::<PyValueError>(entry.py()) => {
                let uri: String = entry.getattr("uri").and_then(|uri| uri.extract()).unwrap_or_default();
                self.inner.refuse(&uri, set).map_err(|error| failed(&error))?;
                let reason = Reason::other(error.value(entry.py()).to_string());
                Err(refused(&Refused::from(Finding::new(Code::INP_01).arg("reason", reason))))
            }
            Err(error) => Err(error),
        }
    }

    /// Ends a run that is not published, so that its folder is not locked any more.
    fn end(&mut self) {
        self.begun = None;
    }

    /// Publishes them; returns the result and the warnings, as JSON.
    #[pyo3(signature = (cancel=None))]
    fn publish(&mut self, py: Python<'_>, cancel: Option<&OwnCancel>) -> PyResult<String> {
        let run = self.begun.take().ok_or_else(|| misuse("this run has not begun, or is over".to_owned()))?;
        let Run { begun, mut options, is_sent, credentials, mut told } = run;
        options.resources.origin = Origin::Records(self.inner.finish().map_err(|error| failed(&error))?);
        let cancel = given(cancel);
        let outcome =
            attended(py, &cancel, [None, None], |_| begun.publish(&options, &cancel, &mut |event| told.note(event)))?;
        let outcome = outcome.map_err(|error| failed(&error))?;
        let Told { mut warnings, changes } = told;
        let waiting = match &options.channels {
            Some(_) => attended(py, &cancel, [None, None], |_| {
                let how = (is_sent, options.wait, credentials);
                send(&options.out, how, &cancel, &mut warnings)
            })??,
            None => 0,
        };
        let done = match outcome {
            Outcome::Published(done) => json!({
                "at": done.at.to_string(), "changed": true, "resources": done.resources, "counts": done.changes,
                "changes": changes, "written": done.written, "kept": done.kept, "withdrawn": done.withdrawn,
                "waiting": waiting, "warnings": warnings, "accepted": done.accepted,
            }),
            Outcome::Unchanged { since, resources, .. } => json!({
                "at": since.to_string(), "changed": false, "resources": resources, "counts": {}, "changes": [],
                "written": [], "kept": [], "withdrawn": [], "waiting": waiting, "warnings": warnings,
                "accepted": Accepted::default(),
            }),
            _ => return Err(PyInterruptedError::new_err("publishing was cancelled; the folder is unchanged")),
        };
        Ok(done.to_string())
    }
}

/// Sends the notifications that wait in the outbox of a published folder, with one attempt each unless they are sent later; returns the
/// number of those that still wait, at least one if another run is at work for longer than the time to wait.
pub(crate) fn send(
    out: &Path,
    (is_now, wait, credentials): (bool, Duration, Credentials),
    cancel: &Cancel,
    warnings: &mut Vec<String>,
) -> PyResult<usize> {
    let generations = match publish::lock(out, u64::MAX, wait, cancel) {
        Err(Error::Folder(FolderError::Locked(_))) => {
            warnings.push("another run is at work, so the notifications wait for the next one".to_owned());
            return Ok(1);
        }
        locked => locked.map_err(|error| failed(&error))?,
    };
    let unsent = |error: OutboxError| publish_failed("publish_error", &error.to_string());
    let mut outbox = Outbox::open(generations.state(OUTBOX), notify::Options::default()).map_err(unsent)?;
    let hubs: Vec<String> = outbox.publisher().undelivered().map(|left| left.delivery.hub).collect();
    if !is_now || hubs.is_empty() {
        return Ok(hubs.len());
    }
    let client = client(&hubs, credentials, cancel)?;
    let sent = outbox.send((&client, cancel), [], Duration::ZERO, |output| warnings.extend(output.warning()));
    sent.map_err(unsent)?;
    Ok(outbox.publisher().undelivered().count())
}

/// A client for the hubs that a program named.
fn client(hubs: &[String], credentials: Credentials, cancel: &Cancel) -> PyResult<Client> {
    let mut policy = Policy::default();
    policy.credentials = credentials;
    for hub in hubs {
        policy.start(hub).map_err(|error| misuse(format!("hubs: {error}")))?;
    }
    policy.proxy_of_environment().map_err(|error| misuse(format!("proxy: {error}")))?;
    let options = ClientOptions { cancel: cancel.clone(), ..ClientOptions::default() };
    Client::new(policy, options).map_err(|error| misuse(error.to_string()))
}

/// The notification channels of a publication.
fn channels(hubs: &[String], topics_uri: Option<&str>) -> PyResult<Option<Channels>> {
    let hubs = hubs.iter().map(|hub| uri(hub)).collect::<PyResult<Vec<_>>>()?;
    let topics_uri = topics_uri.map(uri).transpose()?;
    Ok((!hubs.is_empty()).then_some(Channels { hubs, topics_uri }))
}

/// A published change, as JSON.
pub(crate) fn listed(change: &Change) -> Value {
    json!([change.change.as_str(), &change.record.uri, &change.record.set, &change.datetime])
}

/// The options of the client.
pub(crate) fn options(wanted: ListedResource, records: Collected) -> PyResult<publish::Options> {
    fn parsed<T: std::str::FromStr<Err = String>>(name: &str, text: Option<String>) -> PyResult<Option<T>> {
        let wrong = |text: &str, expected: String| misuse(format!("{name}: `{text}` is not {expected}"));
        text.map(|text| text.parse().map_err(|expected| wrong(&text, expected))).transpose()
    }
    let selector = |text: &String| text.parse::<Selector>().map_err(|error| misuse(format!("ignore: {error}")));
    let at = wanted.at.map(|at| at.parse::<Datetime>().map_err(|error| misuse(format!("`{at}`: {error}"))));
    let mut resources = Resources::new(Origin::Records(records), uri(&wanted.base)?);
    resources.hash.clear();
    let mut options = publish::Options::new(resources, wanted.folder);
    options.documents_uri = wanted.documents.as_deref().map(uri).transpose()?;
    options.describedby = wanted.describedby.as_deref().map(uri).transpose()?;
    options.no_hub = wanted.hubs.as_ref().is_some_and(Vec::is_empty);
    options.channels = channels(&wanted.hubs.unwrap_or_default(), wanted.topics_uri.as_deref())?;
    options.at = at.transpose()?;
    options.wait = Duration::try_from_secs_f64(wanted.wait).map_err(|error| misuse(format!("wait: {error}")))?;
    options.max_delete = parsed("max_delete", wanted.max_delete)?;
    options.expect_entries = parsed("expect_entries", wanted.expect_entries)?;
    options.rotate = parsed("rotate", wanted.rotate)?;
    options.keep = wanted.keep;
    options.keep_generations = wanted.keep_generations;
    options.gzip = wanted.gzip;
    options.force = wanted.force;
    options.ignore = wanted.ignore.iter().map(selector).collect::<PyResult<_>>()?;
    Ok(options)
}

/// The exception for an error.
pub(crate) fn failed(error: &Error) -> PyErr {
    match error {
        Error::Refused(found) => refused(found),
        Error::Guarded(_) => publish_failed("guard_error", &error.to_string()),
        Error::Dropped(Dropped::Packages) => publish_failed(
            "publish_error",
            "the folder was published with packages by the command; continue with the command",
        ),
        _ => publish_failed("publish_error", &error.to_string()),
    }
}
