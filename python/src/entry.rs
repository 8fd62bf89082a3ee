//! An entry: `url` or `sitemap`, and its contents.

use pyo3::{
    PyClassInitializer,
    prelude::*,
    types::{PyDict, PyTuple},
};
use resourcesync::model::{self, AnyField, Inside};

use crate::{
    datetime::datetime,
    link::Link,
    metadata::{Metadata, mapping},
};

/// An entry with the metadata of its `rs:md`.
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
