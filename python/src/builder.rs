//! Builds documents from Python objects.

use pyo3::{
    exceptions::{PyTypeError, PyUnicodeEncodeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyDict, PyInt, PyMapping, PyString, PyTuple},
};
use resourcesync::{
    api::{
        self,
        plain::{self, Digests},
    },
    build::Accepted,
    model::Kind,
    value::{Parsed, SitemapPriority, Value},
};

use crate::{
    error::{misuse, refused},
    json::written,
    options::Options,
};

static WRITTEN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// A document being built.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Builder {
    inner: Option<api::Builder>,
    /// The findings of the finished document.
    accepted: Accepted,
}

#[pymethods]
impl Builder {
    /// Starts a document of a kind; the head is any object with the attributes of a head.
    #[new]
    fn new(kind: &str, head: &Bound<'_, PyAny>, options: &Options) -> PyResult<Builder> {
        let kind = Kind::parse(kind).map_err(PyValueError::new_err)?;
        let own = options.of_builders();
        let inner = api::Builder::from_plain(kind, &to_head(head)?, own).map_err(|error| refused(&error))?;
        Ok(Builder { inner: Some(inner), accepted: Accepted::default() })
    }

    /// Adds an entry, or raises without changing anything.
    fn push(&mut self, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        let entry = to_entry(entry)?;
        self.open()?.push_plain(&entry).map_err(|error| refused(&error))
    }

    /// Returns the output built since the last call.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.open()?.take().as_bytes()))
    }

    /// Ends the document and returns the output that was not taken yet.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let builder = self.inner.take().ok_or_else(finished)?;
        let rest = builder.finish_into(&mut self.accepted).map_err(|error| refused(&error))?;
        Ok(PyBytes::new(py, rest.as_bytes()))
    }

    /// The findings so far that did not cause rejection, as JSON.
    fn accepted(&self) -> PyResult<String> {
        written(self.inner.as_ref().map_or(&self.accepted, |builder| builder.accepted()))
    }
}

impl Builder {
    fn open(&mut self) -> PyResult<&mut api::Builder> {
        self.inner.as_mut().ok_or_else(finished)
    }
}

fn finished() -> PyErr {
    misuse("this document is finished; nothing can be added".to_owned())
}

/// Converts a head. Its class lists the attributes in `_says`.
pub(crate) fn to_head(head: &Bound<'_, PyAny>) -> PyResult<plain::Head> {
    let mut plain = plain::Head::default();
    says(head, &mut |name, value| {
        match name {
            "at" => plain.at = Some(moment(&value)?),
            "completed" => plain.completed = Some(moment(&value)?),
            "from_" => plain.from = Some(moment(&value)?),
            "until" => plain.until = Some(moment(&value)?),
            "extensions" => plain.elements = value.extract()?,
            rel => plain.links.push(to(rel, &value)?),
        }
        Ok(())
    })?;
    Ok(plain)
}

/// Converts an entry.
pub(crate) fn to_entry(entry: &Bound<'_, PyAny>) -> PyResult<plain::Entry> {
    let mut plain = plain::Entry::default();
    says(entry, &mut |name, value| {
        match name {
            "uri" => plain.uri = value.extract()?,
            "lastmod" => plain.lastmod = Some(moment(&value)?),
            "changefreq" => plain.changefreq = Some(value.extract()?),
            "priority" => plain.priority = Some(priority(&value)?),
            "change" => plain.change = Some(value.extract()?),
            "datetime" => plain.datetime = Some(moment(&value)?),
            "capability" => plain.capability = Some(value.extract()?),
            "at" => plain.at = Some(moment(&value)?),
            "completed" => plain.completed = Some(moment(&value)?),
            "from_" => plain.from = Some(moment(&value)?),
            "until" => plain.until = Some(moment(&value)?),
            "hashes" => plain.hashes = digests(&value)?,
            "length" => plain.length = Some(number(&value)?),
            "type" => plain.media_type = Some(value.extract()?),
            "encoding" => plain.encoding = Some(value.extract()?),
            "path" => plain.path = Some(text(&value)?),
            "links" => {
                for link in value.try_iter()? {
                    plain.links.push(to_link(&link?)?);
                }
            }
            "extensions" => plain.elements = value.extract()?,
            rel => plain.links.push(to(rel, &value)?),
        }
        Ok(())
    })?;
    Ok(plain)
}

/// Converts a link.
fn to_link(link: &Bound<'_, PyAny>) -> PyResult<plain::Link> {
    let mut plain = plain::Link::default();
    says(link, &mut |name, value| {
        match name {
            "rel" => plain.rel = Some(value.extract()?),
            "href" => plain.href = Some(value.extract()?),
            "pri" => plain.pri = Some(number(&value)?),
            "modified" => plain.modified = Some(moment(&value)?),
            "hashes" => plain.hashes = digests(&value)?,
            "length" => plain.length = Some(number(&value)?),
            "type" => plain.media_type = Some(value.extract()?),
            "encoding" => plain.encoding = Some(value.extract()?),
            "path" => plain.path = Some(text(&value)?),
            other => return Err(PyTypeError::new_err(format!("a link has no attribute {other}"))),
        }
        Ok(())
    })?;
    Ok(plain)
}

/// Calls back with each attribute by name, except `None`.
fn says<'py>(whole: &Bound<'py, PyAny>, take: &mut dyn FnMut(&str, Bound<'py, PyAny>) -> PyResult<()>) -> PyResult<()> {
    let names = whole.getattr_opt("_says")?.ok_or_else(|| {
        let name = whole.get_type().name().map_or_else(|_| String::from("it"), |name| name.to_string());
        PyTypeError::new_err(format!("{name} is not an entry; use resourcesync.Resource and the like"))
    })?;
    for name in names.cast::<PyTuple>()?.iter() {
        let name = name.cast::<PyString>()?;
        let value = whole.getattr(name)?;
        if value.is_none() && name == "uri" {
            let class = whole.get_type().name()?;
            return Err(misuse(format!("{class}.uri: expected a URI, not None")));
        }
        if !value.is_none() {
            let name = name.to_str()?;
            take(name, value).map_err(|error| at(whole, name, error))?;
        }
    }
    Ok(())
}

/// The exception for an invalid value, with the name of the attribute.
fn at(whole: &Bound<'_, PyAny>, name: &str, error: PyErr) -> PyErr {
    let py = whole.py();
    let class = whole.get_type().name().map_or_else(|_| String::new(), |class| format!("{class}."));
    if error.is_instance_of::<PyUnicodeEncodeError>(py) {
        let shown =
            whole.getattr(name).and_then(|value| value.repr()).map_or_else(|_| String::new(), |text| text.to_string());
        return misuse(format!("{class}{name}: {shown} has a lone surrogate, which no document can contain"));
    }
    let words = format!("{class}{name}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(words)
    } else if error.is_instance_of::<PyValueError>(py) {
        misuse(words)
    } else {
        error
    }
}

/// A whole number that is not negative.
fn number<'py, T: FromPyObject<'py, 'py>>(value: &'py Bound<'py, PyAny>) -> PyResult<T> {
    value.extract().map_err(|_| {
        if !value.is_instance_of::<PyInt>() {
            return PyTypeError::new_err(format!("expected a whole number, not {}", type_name(value)));
        }
        let is_negative = value.lt(0).unwrap_or_default();
        misuse(format!("{value} is {}", if is_negative { "negative" } else { "too large" }))
    })
}

/// A priority of the Sitemap protocol.
fn priority(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = if let Ok(number) = value.extract::<f64>() {
        // Never with an exponent, which Python writes for small numbers and the protocol does not know.
        if number.fract() == 0.0 { format!("{number:.1}") } else { number.to_string() }
    } else if value.is_instance_of::<PyString>() {
        text(value)?
    } else {
        return Err(PyTypeError::new_err(format!("expected a number, not {}", type_name(value))));
    };
    match SitemapPriority::read(&text) {
        Parsed::Malformed => Err(misuse(format!("{value} is not from 0.0 to 1.0"))),
        _ => Ok(text),
    }
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| String::from("this"), |name| name.to_string())
}

/// A link with its own attribute, such as `up` or `contents`.
fn to(rel: &str, href: &Bound<'_, PyAny>) -> PyResult<plain::Link> {
    Ok(plain::Link { rel: Some(rel.to_owned()), href: Some(href.extract()?), ..plain::Link::default() })
}

/// A moment as text.
pub(crate) fn moment(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    WRITTEN.import(value.py(), "resourcesync._values", "written")?.call1((value,))?.extract()
}

fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(value.str()?.to_str()?.to_owned())
}

fn digests(value: &Bound<'_, PyAny>) -> PyResult<Digests> {
    if let Ok(digests) = value.cast::<PyDict>() {
        return digests
            .iter()
            .map(|(algorithm, digest)| Ok((algorithm.extract::<String>()?, digest.extract::<String>()?)))
            .collect();
    }
    let items =
        value.cast::<PyMapping>().map_err(|_| PyTypeError::new_err("a mapping from algorithm to digest"))?.items()?;
    items.iter().map(|item| item.extract::<(String, String)>()).collect()
}
