//! An entry (`url` or `sitemap`) as a Python object.

use pyo3::{
    PyClassInitializer,
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict, PyTuple},
};
use resourcesync::{
    limits::Limits,
    model::{self, AnyField, Inside},
    read,
};

use crate::{
    datetime::datetime,
    link::Link,
    metadata::{Metadata, mapping},
    pickle::{Reduced, hash, pickled, texts},
};

/// An entry with the metadata of its `rs:md`. Entries with the same content are equal, wherever they are in a document.
#[pyclass(frozen, extends = Metadata, module = "resourcesync")]
pub(crate) struct Entry {
    /// The attributes of the first `rs:md` are moved out of it, into `Metadata`.
    inner: model::Entry,
}

impl Entry {
    pub(crate) fn make(py: Python<'_>, mut entry: model::Entry) -> PyResult<Py<Entry>> {
        let inner = entry.md.first_mut().map(|md| std::mem::take(&mut md.attributes)).unwrap_or_default();
        Py::new(py, PyClassInitializer::from(Metadata { inner }).add_subclass(Entry { inner: entry }))
    }

    /// The entry as it was read.
    pub(crate) fn model(&self, metadata: &Metadata) -> model::Entry {
        let mut entry = self.inner.clone();
        if let Some(md) = entry.md.first_mut() {
            md.attributes = metadata.inner.clone();
        }
        entry
    }
}

/// True if two entries have the same content, wherever they are in a document.
pub(crate) fn is_equal(a: &model::Entry, b: &model::Entry) -> bool {
    // Taken apart so that a new field cannot be forgotten.
    let model::Entry { element, number: _, span: _, attributes, loc, lastmod, changefreq, priority, md, links, others } =
        a;
    let kept =
        |others: &[model::Element]| others.iter().filter(|other| other.xml.is_some()).cloned().collect::<Vec<_>>();
    *element == b.element
        && *loc == b.loc
        && *md == b.md
        && *lastmod == b.lastmod
        && *changefreq == b.changefreq
        && *priority == b.priority
        && *links == b.links
        && *attributes == b.attributes
        && kept(others) == kept(&b.others)
}

/// Reads an entry that was pickled.
#[pyfunction]
pub(crate) fn restore_entry(py: Python<'_>, content: &[u8], index: u64, line: u32) -> PyResult<Py<Entry>> {
    let read = read::document(content, &Limits::default(), &mut ());
    let entry = read.ok().and_then(|document| document.entries.into_iter().next());
    let mut entry = entry.ok_or_else(|| PyValueError::new_err("not a pickled entry"))?;
    entry.number = index;
    entry.span.start.line = line;
    Entry::make(py, entry)
}

#[pymethods]
impl Entry {
    /// Its 1-based position in the document.
    #[getter]
    fn index(&self) -> u64 {
        self.inner.number
    }

    /// The line in which it starts, 1-based.
    #[getter]
    fn line(&self) -> u32 {
        self.inner.span.start.line
    }

    /// `url` or `sitemap`.
    #[getter]
    fn element(&self) -> &'static str {
        self.inner.element.as_str()
    }

    /// The URI in `loc`, if it is valid.
    #[getter]
    fn uri(&self) -> Option<&str> {
        self.inner.uri().map(|uri| uri.as_str())
    }

    /// The text of `loc`, as written.
    #[getter]
    fn loc(&self) -> Option<String> {
        self.inner.loc.first().map(|loc| loc.field.text().into_owned())
    }

    /// When it was last modified.
    #[getter]
    fn lastmod<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        datetime(py, self.inner.lastmod.first().map(|child| &child.field))
    }

    /// The declared frequency of changes.
    #[getter]
    fn changefreq(&self) -> Option<&'static str> {
        self.inner.changefreq.first()?.field.value().map(|changefreq| changefreq.as_str())
    }

    /// `priority` of the Sitemap protocol, from 0 to 1.
    #[getter]
    fn priority(&self) -> Option<f64> {
        self.inner.priority.first()?.field.value()?.as_str().parse().ok()
    }

    /// Its links, in the order written.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        links(py, &self.inner.links)
    }

    /// Elements in other namespaces as XML, if kept.
    #[getter]
    fn extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        extensions(py, &self.inner.others)
    }

    /// The text of the elements loc, lastmod, changefreq and priority as written; the first if one is repeated.
    #[getter]
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let texts = PyDict::new(py);
        let set =
            |name, text: Option<std::borrow::Cow<'_, str>>| text.map_or(Ok(()), |text| texts.set_item(name, text));
        set("loc", self.inner.loc.first().map(|child| child.field.text()))?;
        set("lastmod", self.inner.lastmod.first().map(|child| child.field.text()))?;
        set("changefreq", self.inner.changefreq.first().map(|child| child.field.text()))?;
        set("priority", self.inner.priority.first().map(|child| child.field.text()))?;
        Ok(texts)
    }

    /// Attributes of the entry element; the standard defines none.
    #[getter]
    fn element_attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        mapping(py, &self.inner.attributes)
    }

    fn __eq__(slf: &Bound<'_, Entry>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Entry>() else { return false };
        slf.as_super().get().inner == other.as_super().get().inner && is_equal(&slf.get().inner, &other.get().inner)
    }

    fn __hash__(slf: &Bound<'_, Entry>) -> u64 {
        let inner = &slf.get().inner;
        let loc = inner.loc.first().map(|loc| loc.field.text());
        let lastmod = inner.lastmod.first().map(|child| child.field.text());
        hash(&(loc, lastmod, texts(&slf.as_super().get().inner)))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Entry>) -> PyResult<Reduced<'py, (Bound<'py, PyBytes>, u64, u32)>> {
        let py = slf.py();
        let own = slf.get();
        let content = pickled(own.model(slf.as_super().get()))?;
        let restore = py.import("resourcesync._core")?.getattr("restore_entry")?;
        Ok((restore, (PyBytes::new(py, content.as_bytes()), own.inner.number, own.inner.span.start.line)))
    }

    fn __repr__(&self) -> String {
        let loc = self.inner.loc.first().map(|loc| loc.field.text().into_owned());
        format!("<resourcesync.Entry {} {}>", self.inner.number, loc.unwrap_or_default())
    }
}

pub(crate) fn links<'py>(py: Python<'py>, links: &[model::Link]) -> PyResult<Bound<'py, PyTuple>> {
    let links = links.iter().map(|link| Link::make(py, link)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, links)
}

pub(crate) fn extensions<'py>(py: Python<'py>, others: &[model::Element]) -> PyResult<Bound<'py, PyTuple>> {
    let is_own = |other: &&model::Element| matches!(other.inside, Inside::Root | Inside::Entry);
    let xml: Vec<&str> = others.iter().filter(is_own).filter_map(|other| other.xml.as_deref()).collect();
    PyTuple::new(py, xml)
}
