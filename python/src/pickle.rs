//! Hashes of parts of documents, and parts as pickled.

use std::{
    hash::{BuildHasher, Hash, RandomState},
    sync::LazyLock,
};

use pyo3::{exceptions::PyValueError, prelude::*};
use resourcesync::{
    model::{self, Attributes, EntryElement, Root, SITEMAP, Shape},
    write,
};

/// Names and values of attributes, for hashing.
pub(crate) fn texts(attributes: &Attributes) -> Vec<(String, String)> {
    attributes.iter().map(|attribute| (attribute.local().to_owned(), attribute.text().into_owned())).collect()
}

/// A hash that inputs cannot predict.
pub(crate) fn hash(value: &impl Hash) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    STATE.hash_one(value)
}

/// An entry as a document, for pickling.
pub(crate) fn pickled(mut entry: model::Entry) -> PyResult<String> {
    let shape = match entry.element {
        EntryElement::Url => Shape::UrlSet,
        EntryElement::Sitemap => Shape::SitemapIndex,
    };
    entry.others.retain(|other| other.xml.is_some());
    let root = Root { local: shape.root().into(), namespace: SITEMAP.into(), shape: Some(shape), ..Root::default() };
    let document = model::Document { root, ..model::Document::default() };
    write::entries(&document, [entry]).map_err(|lost| PyValueError::new_err(lost.to_string()))
}

/// A function that restores a pickled object, and its arguments.
pub(crate) type Reduced<'py, A> = (Bound<'py, PyAny>, A);
