//! Publishes single changes: events of any number of threads and processes, and their publication.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use pyo3::{
    exceptions::{PyInterruptedError, PyRuntimeError},
    prelude::*,
};
use resourcesync_client::publish::{
    self, Changes, Collected, Event, EventIntake, Events, Outcome, StatedChange, publish_changes, remembered_channels,
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    attended::attended,
    builder::to_entry,
    cancel::{Cancel, given},
    error::misuse,
    folder::{ListedResource, failed, listed, options, send},
    options::Options,
    publishing::{datetime, uri},
};

/// Checks events, and appends them to the journal of a folder.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct SourceEvents(Mutex<EventIntake>);

/// An event that was checked.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct SourceEvent(StatedChange);

#[pymethods]
impl SourceEvents {
    #[new]
    fn new(folder: PathBuf, documents: &str, options: &Options) -> PyResult<SourceEvents> {
        let intake = EventIntake::new(&folder, uri(documents)?, options.of_builders());
        intake.map(|intake| SourceEvents(Mutex::new(intake))).map_err(|error| failed(&error))
    }

    /// Checks an event.
    #[pyo3(signature = (change, resource, set, at=None))]
    fn event(
        &self,
        change: &str,
        resource: &Bound<'_, PyAny>,
        set: &str,
        at: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SourceEvent> {
        let verb = change.parse().map_err(|()| misuse(format!("`{change}` is not a change")))?;
        let (at, entry) = (at.map(datetime).transpose()?, to_entry(resource)?);
        let mut intake = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        intake.event(verb, at, entry, set).map(SourceEvent).map_err(|error| failed(&error))
    }

    /// Appends events together.
    #[expect(clippy::needless_pass_by_value, reason = "extracted from a list of Python")]
    fn append(&self, py: Python<'_>, events: Vec<PyRef<'_, SourceEvent>>) -> PyResult<()> {
        let events: Vec<StatedChange> = events.iter().map(|event| event.0.clone()).collect();
        let journal = self.0.lock().unwrap_or_else(PoisonError::into_inner).journal().clone();
        py.detach(|| journal.append(events)).map_err(|error| failed(&error))
    }

    /// True if events wait for a publication.
    fn is_pending(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).journal().is_pending()
    }
}

/// The options of publishing events.
#[derive(Deserialize)]
struct Wanted {
    #[serde(flatten)]
    listed: ListedResource,
    snapshot: Option<String>,
}

/// Publishes the events of the journal; returns the result and the warnings, as JSON.
#[pyfunction]
#[pyo3(signature = (wanted, builders, cancel=None))]
pub(crate) fn publish_events(
    py: Python<'_>,
    wanted: &str,
    builders: &Options,
    cancel: Option<&Cancel>,
) -> PyResult<String> {
    let wanted: Wanted = serde_json::from_str(wanted).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let snapshot = wanted.snapshot.map(|text| {
        text.parse().map_err(|expected: String| misuse(format!("snapshot: `{text}` is wrong; {expected}")))
    });
    let (snapshot, is_sent, credentials) = (snapshot.transpose()?, wanted.listed.notify, wanted.listed.credentials()?);
    let wait = Duration::try_from_secs_f64(wanted.listed.wait).map_err(|error| misuse(format!("wait: {error}")))?;
    let mut options = options(wanted.listed, Collected::default())?;
    options.fail_on = builders.fail_on;
    let (cancel, mut warnings, mut changes) = (given(cancel), Vec::new(), Vec::new());
    let stated = Changes { events: Events::None, strict: false, snapshot, wait };
    let outcome = attended(py, &cancel, [None, None], |_| {
        let continued = |_: Option<&publish::State>| Ok(options.clone());
        publish_changes(&options.out, &stated, &continued, &cancel, &mut |event| match event {
            Event::Warning(warning) => warnings.push(warning.to_string()),
            Event::Listed(change) => changes.push(listed(change)),
            _ => {}
        })
    })?;
    let outcome = outcome.map_err(|error| failed(&error))?;
    let is_notified = options.channels.is_some() || !options.no_hub && remembered_channels(&options.out).is_some();
    let waiting = match is_notified {
        true => attended(py, &cancel, [None, None], |_| {
            send(&options.out, (is_sent, wait, credentials), &cancel, &mut warnings)
        })??,
        false => 0,
    };
    let done = match outcome {
        Outcome::Published(done) => json!({
            "at": done.at.to_string(), "changed": true, "resources": done.resources, "counts": done.changes,
            "changes": changes, "written": done.written, "waiting": waiting, "warnings": warnings,
            "unchanged": done.events.map_or(0, |events| events.unchanged),
            "clamped": done.events.map_or(0, |events| events.clamped),
        }),
        Outcome::Unchanged { since, resources, events, .. } => json!({
            "at": since.to_string(), "changed": false, "resources": resources, "counts": {}, "changes": [],
            "written": [], "waiting": waiting, "warnings": warnings,
            "unchanged": events.map_or(0, |events| events.unchanged),
            "clamped": events.map_or(0, |events| events.clamped),
        }),
        _ => return Err(PyInterruptedError::new_err("publishing was cancelled; the folder is unchanged")),
    };
    Ok(done.to_string())
}
