//! Publishes a whole Source to a store implemented in Python.

use std::path::PathBuf;

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use resourcesync::{
    build::{self, CapabilityEntry, ChangeHistory, DumpHistory, PublishError, Settings, Store},
    model::Shape,
    value::{Datetime, Uri},
};
use serde_json::json;

use crate::{
    builder::{moment, to_entry},
    error::{misuse, refused},
    options::Options,
};

/// A store implemented in Python, with `begin`, `write` and `end`.
pub(crate) struct PyStore(Py<PyAny>);

impl PyStore {
    fn call(&self, name: &str, argument: Option<Py<PyAny>>) -> PyResult<()> {
        Python::attach(|py| match argument {
            Some(argument) => self.0.call_method1(py, name, (argument,)),
            None => self.0.call_method0(py, name),
        })?;
        Ok(())
    }
}

impl Store for PyStore {
    type Error = PyErr;

    fn begin(&mut self, path: &str) -> PyResult<()> {
        let path = Python::attach(|py| path.into_pyobject(py).map(|path| path.into_any().unbind()))?;
        self.call("begin", Some(path))
    }

    fn write(&mut self, bytes: &[u8]) -> PyResult<()> {
        let bytes = Python::attach(|py| PyBytes::new(py, bytes).into_any().unbind());
        self.call("write", Some(bytes))
    }

    fn end(&mut self) -> PyResult<()> {
        self.call("end", None)
    }
}

/// A Source being published.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Publication {
    inner: Option<build::Publication<PyStore>>,
}

#[pymethods]
impl Publication {
    #[new]
    #[pyo3(signature = (store, base, at, options, *, describedby=None, max_document_entries=None, max_document_bytes=None,
        max_package_entries=None, max_package_bytes=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        store: Py<PyAny>,
        base: &str,
        at: &Bound<'_, PyAny>,
        options: &Options,
        describedby: Option<&str>,
        max_document_entries: Option<u64>,
        max_document_bytes: Option<u64>,
        max_package_entries: Option<u64>,
        max_package_bytes: Option<u64>,
    ) -> PyResult<Publication> {
        let mut settings = Settings::default();
        settings.options = options.of_builders();
        settings.describedby = describedby.map(uri).transpose()?;
        settings.max_document_entries = max_document_entries.unwrap_or(settings.max_document_entries);
        settings.max_document_bytes = max_document_bytes.unwrap_or(settings.max_document_bytes);
        settings.max_package_entries = max_package_entries.unwrap_or(settings.max_package_entries);
        settings.max_package_bytes = max_package_bytes.unwrap_or(settings.max_package_bytes);
        let inner = build::Publication::new(PyStore(store), uri(base)?, datetime(at)?, settings).map_err(failed)?;
        Ok(Publication { inner: Some(inner) })
    }

    #[pyo3(signature = (name, describedby=None))]
    fn set(&mut self, name: &str, describedby: Option<&str>) -> PyResult<()> {
        let describedby = describedby.map(uri).transpose()?;
        self.open()?.set(name, describedby).map_err(failed)
    }

    #[pyo3(signature = (expected=None))]
    fn begin_resource_list(&mut self, expected: Option<u64>) -> PyResult<()> {
        self.open()?.begin_resource_list(expected).map_err(failed)
    }

    #[pyo3(signature = (history, close=None))]
    fn begin_change_lists(&mut self, history: &str, close: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let history: ChangeHistory = read(history)?;
        let close = close.map(datetime).transpose()?;
        self.open()?.begin_change_lists(history, close).map_err(failed)
    }

    fn begin_resource_dump(&mut self) -> PyResult<()> {
        self.open()?.begin_resource_dump().map_err(failed)
    }

    fn begin_change_dump(&mut self, history: &str) -> PyResult<()> {
        let history: DumpHistory = read(history)?;
        self.open()?.begin_change_dump(history).map_err(failed)
    }

    fn push(&mut self, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        let entry = to_entry(entry)?.to_model(Shape::UrlSet);
        self.open()?.push(entry).map_err(failed)
    }

    fn write(&mut self, bytes: &[u8]) -> PyResult<()> {
        self.open()?.write(bytes).map_err(failed)
    }

    #[pyo3(signature = (capability, at, hub=None))]
    fn announce(&mut self, capability: &str, at: &str, hub: Option<&str>) -> PyResult<()> {
        let capability = capability.parse().map_err(|_| misuse(format!("`{capability}` is not a capability")))?;
        let entry = match hub {
            Some(hub) => CapabilityEntry::channel(capability, uri(at)?, uri(hub)?),
            None => CapabilityEntry::new(capability, uri(at)?),
        };
        self.open()?.announce(entry).map_err(failed)
    }

    /// Ends it; returns the result as JSON.
    fn finish(&mut self) -> PyResult<String> {
        let publication = self.inner.take().ok_or_else(over)?;
        let done = publication.finish().map_err(failed)?;
        let sets = done
            .sets
            .iter()
            .map(|set| json!({"name": set.name, "resources": set.resources, "changes": set.changes, "dump": set.dump}));
        let sets: Vec<_> = sets.collect();
        let (written, kept, accepted) = (done.written, done.kept, done.accepted);
        Ok(json!({"written": written, "kept": kept, "sets": sets, "accepted": accepted}).to_string())
    }
}

impl Publication {
    fn open(&mut self) -> PyResult<&mut build::Publication<PyStore>> {
        self.inner.as_mut().ok_or_else(over)
    }
}

/// Raises unless this is the JSON of a history.
#[pyfunction]
pub(crate) fn check_history(text: &str, is_dump: bool) -> PyResult<()> {
    let read = if is_dump { read::<DumpHistory>(text).map(drop) } else { read::<ChangeHistory>(text).map(drop) };
    read.map_err(|error| Python::attach(|py| misuse(format!("not the JSON of a history: {}", error.value(py)))))
}

/// The registered media type of a file of this name.
#[pyfunction]
pub(crate) fn media_type(path: PathBuf) -> Option<String> {
    resourcesync_client::publish::media_type(&path)
}

fn over() -> PyErr {
    misuse("this publication is finished".to_owned())
}

fn failed(error: PublishError<PyErr>) -> PyErr {
    match error {
        PublishError::Refused(error) => refused(&error),
        PublishError::Store(error) => error,
        PublishError::Misuse(words) => misuse(words.to_owned()),
    }
}

fn read<T: for<'de> serde::Deserialize<'de>>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))
}

pub(crate) fn uri(text: &str) -> PyResult<Uri> {
    text.parse().map_err(|error: resourcesync::value::ValueError| misuse(error.to_string()))
}

pub(crate) fn datetime(value: &Bound<'_, PyAny>) -> PyResult<Datetime> {
    let text = moment(value)?;
    text.parse().map_err(|error: resourcesync::value::DatetimeError| misuse(format!("`{text}`: {error}")))
}
