//! Publishes to a folder: a generation driven by a program, or the resources of a program.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use resourcesync::{
    build::{Accepted, ChangeHistory, DumpHistory, Store},
    diagnostic::Severity,
    report::Selector,
    value::Datetime,
};
use resourcesync_client::{
    Cancel,
    publish::{self, Error, Event, FolderStore, Origin, Outcome, Resources, SetHistory, Spool},
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    builder::to_entry,
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
}

/// The options of publishing.
#[derive(Deserialize)]
struct Wanted {
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
    gzip: bool,
    force: bool,
    ignore: Vec<String>,
}

#[pymethods]
impl Records {
    #[new]
    fn new(options: &Options) -> PyResult<Records> {
        let inner = Spool::new(options.of_builders()).map_err(|error| failed(&error))?;
        Ok(Records { inner, fail_on: options.fail_on })
    }

    fn push(&mut self, entry: &Bound<'_, PyAny>, set: &str) -> PyResult<()> {
        self.inner.push(to_entry(entry)?, set).map_err(|error| failed(&error))
    }

    /// Publishes them; returns the result and the warnings, as JSON.
    fn publish(&mut self, py: Python<'_>, wanted: &str) -> PyResult<String> {
        let wanted: Wanted =
            serde_json::from_str(wanted).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let file = self.inner.finish().map_err(|error| failed(&error))?;
        let mut options = options(wanted, file)?;
        options.fail_on = self.fail_on;
        let (cancel, mut warnings) = (Cancel::default(), Vec::new());
        let outcome = py.detach(|| {
            publish::publish(&options, &cancel, &mut |event| match event {
                Event::Warning(words) | Event::Unreadable(words) => warnings.push(words.to_owned()),
                _ => {}
            })
        });
        let done = match outcome.map_err(|error| failed(&error))? {
            Outcome::Published(done) => json!({
                "at": done.at.to_string(), "changed": true, "resources": done.resources, "changes": done.changes,
                "written": done.written, "kept": done.kept, "warnings": warnings, "accepted": done.accepted,
            }),
            Outcome::Unchanged(since) => json!({
                "at": since.to_string(), "changed": false, "resources": self.inner.len(), "changes": {},
                "written": [], "kept": [], "warnings": warnings, "accepted": Accepted::default(),
            }),
            _ => json!(null),
        };
        Ok(done.to_string())
    }
}

fn options(wanted: Wanted, file: &Path) -> PyResult<publish::Options> {
    fn parsed<T: std::str::FromStr<Err = String>>(name: &str, text: Option<String>) -> PyResult<Option<T>> {
        let wrong = |text: &str, expected: String| misuse(format!("{name}: `{text}` is not {expected}"));
        text.map(|text| text.parse().map_err(|expected| wrong(&text, expected))).transpose()
    }
    let selector = |text: &String| text.parse::<Selector>().map_err(|error| misuse(format!("ignore: {error}")));
    let at = wanted.at.map(|at| at.parse::<Datetime>().map_err(|error| misuse(format!("`{at}`: {error}"))));
    let mut resources = Resources::new(Origin::Records(file.to_owned()), uri(&wanted.base)?);
    resources.hash.clear();
    let mut options = publish::Options::new(resources, wanted.folder);
    options.documents_uri = wanted.documents.as_deref().map(uri).transpose()?;
    options.describedby = wanted.describedby.as_deref().map(uri).transpose()?;
    options.at = at.transpose()?;
    options.max_delete = parsed("max_delete", wanted.max_delete)?;
    options.expect_entries = parsed("expect_entries", wanted.expect_entries)?;
    options.rotate = parsed("rotate", wanted.rotate)?.unwrap_or_default();
    options.keep = wanted.keep;
    options.keep_generations = wanted.keep_generations;
    options.gzip = wanted.gzip;
    options.force = wanted.force;
    options.ignore = wanted.ignore.iter().map(selector).collect::<PyResult<_>>()?;
    Ok(options)
}

/// The exception for an error.
fn failed(error: &Error) -> PyErr {
    match error {
        Error::Refused(found) => refused(found),
        Error::Guarded(_) => publish_failed("guard_error", &error.to_string()),
        _ => publish_failed("publish_error", &error.to_string()),
    }
}
