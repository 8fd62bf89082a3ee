//! Entries as the columns of Arrow record batches: buffers that pyarrow uses without copying.

use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};
use resourcesync::{
    api,
    model::{self, AnyField, Field, Item},
    value::{self, Algorithm, to_hex},
};

use crate::{error::unreadable, options::Options};

/// The validity bitmap: one bit per row.
#[derive(Default)]
struct Valid {
    bits: Vec<u8>,
    rows: usize,
}

impl Valid {
    fn push(&mut self, is_there: bool) {
        if self.rows.is_multiple_of(8) {
            self.bits.push(0);
        }
        if let (true, Some(last)) = (is_there, self.bits.last_mut()) {
            *last |= 1 << (self.rows % 8);
        }
        self.rows += 1;
    }
}

/// A column of 8-byte numbers.
#[derive(Default)]
struct Numbers {
    valid: Valid,
    values: Vec<u8>,
}

impl Numbers {
    fn push(&mut self, value: Option<[u8; 8]>) {
        self.valid.push(value.is_some());
        self.values.extend_from_slice(&value.unwrap_or_default());
    }

    fn take(&mut self, py: Python<'_>) -> (usize, Vec<Py<PyBytes>>) {
        let own = std::mem::take(self);
        (own.valid.rows, vec![bytes(py, &own.valid.bits), bytes(py, &own.values)])
    }
}

/// A column of texts.
#[derive(Default)]
struct Texts {
    valid: Valid,
    ends: Vec<u8>,
    text: Vec<u8>,
}

impl Texts {
    fn push(&mut self, text: Option<&str>) {
        self.valid.push(text.is_some());
        self.text.extend_from_slice(text.unwrap_or_default().as_bytes());
        push_end(&mut self.ends, self.text.len());
    }

    fn take(&mut self, py: Python<'_>) -> (usize, Vec<Py<PyBytes>>) {
        let own = std::mem::take(self);
        (own.valid.rows, vec![bytes(py, &own.valid.bits), bytes(py, &starts(&own.ends)), bytes(py, &own.text)])
    }
}

/// The end of each row. Batches are far smaller than the limit of two gigabytes.
fn push_end(ends: &mut Vec<u8>, end: usize) {
    ends.extend_from_slice(&i32::try_from(end).unwrap_or(i32::MAX).to_le_bytes());
}

/// Offsets start with 0.
fn starts(ends: &[u8]) -> Vec<u8> {
    [&[0; 4], ends].concat()
}

fn bytes(py: Python<'_>, content: &[u8]) -> Py<PyBytes> {
    PyBytes::new(py, content).unbind()
}

/// The columns of the next batch.
#[derive(Default)]
struct Batch {
    rows: usize,
    index: Numbers,
    uri: Texts,
    lastmod: Numbers,
    change: Texts,
    datetime: Numbers,
    length: Numbers,
    media_type: Texts,
    encoding: Texts,
    path: Texts,
    at: Numbers,
    completed: Numbers,
    from: Numbers,
    until: Numbers,
    md5: Texts,
    sha1: Texts,
    sha256: Texts,
    hash_ends: Vec<u8>,
    algorithm: Texts,
    digest: Texts,
    link_ends: Vec<u8>,
    rel: Texts,
    href: Texts,
    link_type: Texts,
    modified: Numbers,
}

impl Batch {
    fn push(&mut self, entry: &model::Entry) {
        let md = entry.first_md().map(|md| &md.attributes);
        self.rows += 1;
        self.index.push(Some(entry.number.to_le_bytes()));
        self.uri.push(entry.loc.first().map(|loc| loc.field.text()).as_deref());
        self.lastmod.push(entry.lastmod.first().and_then(|child| moment(&child.field)));
        self.change.push(md.and_then(|md| md.change()?.value()).map(|change| change.as_str()));
        self.datetime.push(md.and_then(|md| md.datetime()).and_then(moment));
        self.length.push(md.and_then(|md| md.length()?.value()).map(|length| length.0.to_le_bytes()));
        self.media_type.push(md.and_then(|md| md.media_type()?.value()).map(|media_type| media_type.as_str()));
        self.encoding.push(md.and_then(|md| md.encoding()?.value()).map(ToString::to_string).as_deref());
        self.path.push(md.and_then(|md| md.path()?.value()).map(|path| path.as_str()));
        self.at.push(md.and_then(|md| md.at()).and_then(moment));
        self.completed.push(md.and_then(|md| md.completed()).and_then(moment));
        self.from.push(md.and_then(|md| md.from()).and_then(moment));
        self.until.push(md.and_then(|md| md.until()).and_then(moment));
        let hashes = md.and_then(|md| md.hash()?.value());
        let digest = |algorithm| hashes.and_then(|hashes| hashes.get(algorithm)).map(to_hex);
        self.md5.push(digest(&Algorithm::Md5).as_deref());
        self.sha1.push(digest(&Algorithm::Sha1).as_deref());
        self.sha256.push(digest(&Algorithm::Sha256).as_deref());
        for hash in hashes.into_iter().flat_map(|hashes| hashes.iter()) {
            self.algorithm.push(Some(hash.algorithm.as_str()));
            self.digest.push(Some(&to_hex(&hash.digest)));
        }
        push_end(&mut self.hash_ends, self.algorithm.valid.rows);
        for link in &entry.links {
            let own = &link.attributes;
            self.rel.push(own.rel().map(|rel| rel.text()).as_deref());
            self.href.push(own.href().map(|href| href.text()).as_deref());
            self.link_type.push(own.media_type().and_then(|field| field.value()).map(|media_type| media_type.as_str()));
            self.modified.push(own.modified().and_then(moment));
        }
        push_end(&mut self.link_ends, self.rel.valid.rows);
    }
}

/// Microseconds since 1970; for a partial datetime of its start in UTC.
fn moment(field: &Field<value::Datetime>) -> Option<[u8; 8]> {
    let (seconds, nanoseconds) = field.value()?.to_unix();
    let microseconds = seconds.checked_mul(1_000_000)?.checked_add(i64::from(nanoseconds / 1000))?;
    Some(microseconds.to_le_bytes())
}

/// Converts chunks of a document to batches.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Columns {
    reading: api::ItemReader,
    batch: Batch,
}

#[pymethods]
impl Columns {
    #[new]
    fn new(options: &Options) -> Columns {
        Columns { reading: api::ItemReader::new(&options.inner.limits), batch: Batch::default() }
    }

    /// Pushes a chunk, or `None` for the end; returns the number of waiting rows.
    fn push(&mut self, py: Python<'_>, piece: Option<&[u8]>) -> PyResult<usize> {
        let Columns { reading, batch } = self;
        let read = py.detach(|| {
            let mut take = |item: Item<'_>| {
                if let Item::Entry(entry) = item {
                    batch.push(entry);
                }
            };
            match piece {
                Some(piece) => reading.push(piece, &mut take),
                None => reading.finish(&mut take),
            }
        });
        read.map_err(|fault| unreadable("document_error", &fault))?;
        Ok(self.batch.rows)
    }

    /// The waiting rows: the length and the buffers of each column.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut batch = std::mem::take(&mut self.batch);
        let columns = PyDict::new(py);
        columns.set_item("index", batch.index.take(py))?;
        columns.set_item("uri", batch.uri.take(py))?;
        columns.set_item("lastmod", batch.lastmod.take(py))?;
        columns.set_item("change", batch.change.take(py))?;
        columns.set_item("datetime", batch.datetime.take(py))?;
        columns.set_item("length", batch.length.take(py))?;
        columns.set_item("type", batch.media_type.take(py))?;
        columns.set_item("encoding", batch.encoding.take(py))?;
        columns.set_item("path", batch.path.take(py))?;
        columns.set_item("at", batch.at.take(py))?;
        columns.set_item("completed", batch.completed.take(py))?;
        columns.set_item("from", batch.from.take(py))?;
        columns.set_item("until", batch.until.take(py))?;
        columns.set_item("md5", batch.md5.take(py))?;
        columns.set_item("sha1", batch.sha1.take(py))?;
        columns.set_item("sha256", batch.sha256.take(py))?;
        columns.set_item("hashes", (batch.rows, vec![bytes(py, &starts(&batch.hash_ends))]))?;
        columns.set_item("algorithm", batch.algorithm.take(py))?;
        columns.set_item("digest", batch.digest.take(py))?;
        columns.set_item("links", (batch.rows, vec![bytes(py, &starts(&batch.link_ends))]))?;
        columns.set_item("rel", batch.rel.take(py))?;
        columns.set_item("href", batch.href.take(py))?;
        columns.set_item("link_type", batch.link_type.take(py))?;
        columns.set_item("modified", batch.modified.take(py))?;
        Ok(columns)
    }
}
