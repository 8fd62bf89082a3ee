//! Entries as the columns of Arrow record batches: buffers that pyarrow uses without copying.

use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};
use resourcesync::{
    api,
    diagnostic::{Reason, ReasonCode},
    model::{self, AnyField, Field, Item, Kind, Shape},
    value::{self, Algorithm, to_hex},
};

use resourcesync_sync::stream::{self, Slice, SliceReader};

use crate::{
    error::{misuse, unread, unreadable},
    options::{Options, filter_of},
};

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

/// The columns of entries, in their order.
const NAMES: [&str; 18] = [
    "index",
    "uri",
    "lastmod",
    "change",
    "datetime",
    "length",
    "type",
    "encoding",
    "path",
    "at",
    "completed",
    "from",
    "until",
    "md5",
    "sha1",
    "sha256",
    "hashes",
    "links",
];

/// Which columns are built.
#[derive(Clone, Copy)]
struct Wanted([bool; NAMES.len()]);

impl Wanted {
    fn new(names: Option<Vec<String>>) -> Wanted {
        Wanted(NAMES.map(|name| names.as_ref().is_none_or(|names| names.iter().any(|own| own == name))))
    }
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
    /// Adds an entry. If `signed`, numbers that do not fit a signed type are absent.
    fn push(&mut self, entry: &model::Entry, Wanted(wanted): Wanted, signed: bool) {
        let md = entry.first_md().map(|md| &md.attributes);
        let fits = |number: &u64| !signed || i64::try_from(*number).is_ok();
        let moment_of = |field: Option<&Field<value::Datetime>>| field.and_then(moment);
        let hashes = md.and_then(|md| md.hash()?.value());
        let digest = |algorithm| hashes.and_then(|hashes| hashes.get(algorithm)).map(to_hex);
        self.rows += 1;
        for (at, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted) {
            match at {
                0 => self.index.push(Some(entry.number).filter(fits).map(u64::to_le_bytes)),
                // The beginning of a URI is another URI.
                1 => {
                    self.uri.push(entry.loc.first().filter(|loc| !loc.cut).map(|loc| loc.field.text()).as_deref());
                }
                2 => self.lastmod.push(moment_of(entry.lastmod.first().map(|child| &child.field))),
                3 => self.change.push(md.and_then(|md| md.change()?.value()).map(|change| change.as_str())),
                4 => self.datetime.push(moment_of(md.and_then(|md| md.datetime()))),
                5 => {
                    let length = md.and_then(|md| md.length()?.value()).map(|length| length.0);
                    self.length.push(length.filter(fits).map(u64::to_le_bytes));
                }
                6 => self
                    .media_type
                    .push(md.and_then(|md| md.media_type()?.value()).map(|media_type| media_type.as_str())),
                7 => self.encoding.push(md.and_then(|md| md.encoding()?.value()).map(ToString::to_string).as_deref()),
                8 => self.path.push(md.and_then(|md| md.path()?.value()).map(|path| path.as_str())),
                9 => self.at.push(moment_of(md.and_then(|md| md.at()))),
                10 => self.completed.push(moment_of(md.and_then(|md| md.completed()))),
                11 => self.from.push(moment_of(md.and_then(|md| md.from()))),
                12 => self.until.push(moment_of(md.and_then(|md| md.until()))),
                13 => self.md5.push(digest(&Algorithm::Md5).as_deref()),
                14 => self.sha1.push(digest(&Algorithm::Sha1).as_deref()),
                15 => self.sha256.push(digest(&Algorithm::Sha256).as_deref()),
                16 => {
                    for hash in hashes.into_iter().flat_map(|hashes| hashes.iter()) {
                        self.algorithm.push(Some(hash.algorithm.as_str()));
                        self.digest.push(Some(&to_hex(&hash.digest)));
                    }
                    push_end(&mut self.hash_ends, self.algorithm.valid.rows);
                }
                _ => self.push_links(entry),
            }
        }
    }

    /// The bytes of the texts.
    fn bytes(&self) -> usize {
        let Batch { uri, change, media_type, encoding, path, md5, sha1, sha256, .. } = self;
        let Batch { algorithm, digest, rel, href, link_type, .. } = self;
        let own = [uri, change, media_type, encoding, path, md5, sha1, sha256, algorithm, digest, rel, href, link_type];
        own.into_iter().map(|texts| texts.text.len()).sum()
    }

    fn push_links(&mut self, entry: &model::Entry) {
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
    wanted: Wanted,
    signed: bool,
    shape: Option<Shape>,
    kind: Option<Kind>,
    /// The entries that are wanted, if not all of them.
    slice: Option<(Slice, SliceReader)>,
    /// Which changes are wanted.
    filter: api::PlanFilter,
    has_begun: bool,
    /// The rows whose URI is beyond the limit.
    cut: u64,
}

#[pymethods]
impl Columns {
    /// All columns, or those with these names; `signed` if numbers are int64; `slice` if only some entries are wanted, `filter` if only
    /// changes from a moment on are.
    #[new]
    #[pyo3(signature = (options, names=None, signed=false, slice=None, filter="{}"))]
    fn new(
        options: &Options,
        names: Option<Vec<String>>,
        signed: bool,
        slice: Option<&str>,
        filter: &str,
    ) -> PyResult<Columns> {
        let filter = filter_of(filter)?;
        let slice = slice.map(serde_json::from_str::<Slice>).transpose().map_err(|error| misuse(error.to_string()))?;
        Ok(Columns {
            reading: api::ItemReader::new(&options.inner.limits),
            batch: Batch::default(),
            wanted: Wanted::new(names),
            signed,
            shape: None,
            kind: None,
            slice: slice.map(|slice| (slice.clone(), SliceReader::new(slice))),
            filter,
            has_begun: false,
            cut: 0,
        })
    }

    /// Pushes a chunk, or `None` for the end; returns the number of waiting rows.
    fn push(&mut self, py: Python<'_>, piece: Option<&[u8]>) -> PyResult<usize> {
        let Columns { reading, batch, wanted, signed, shape, kind, slice, filter, has_begun, cut } = self;
        // Streams read lists as a Destination does, which skips blanks before the document.
        let piece = match piece {
            Some(piece) if slice.is_some() && !*has_begun => Some(piece.trim_ascii_start()),
            piece => piece,
        };
        *has_begun |= piece.is_some_and(|piece| !piece.is_empty());
        let read = py.detach(|| {
            let mut take = |item: Item<'_>| match item {
                Item::Root(root) => *shape = root.shape,
                Item::Md(md) if kind.is_none() => {
                    let capability = md.attributes.capability().and_then(|field| field.value());
                    *kind = shape.zip(capability).map(|(shape, capability)| Kind::from_parts(shape, capability));
                }
                Item::Entry(entry) if slice.as_mut().is_none_or(|(_, slice)| slice.take(entry)) => {
                    let changed = entry.first_md().and_then(|md| md.attributes.datetime()?.value());
                    if changed.is_none_or(|changed| filter.reaches(changed)) {
                        batch.push(entry, *wanted, *signed);
                        *cut += u64::from(entry.loc.first().is_some_and(|loc| loc.cut));
                    }
                }
                _ => {}
            };
            match piece {
                Some(piece) => reading.push(piece, &mut take),
                None => reading.finish(&mut take),
            }
        });
        read.map_err(|fault| unreadable("document_error", &fault))?;
        Ok(self.batch.rows)
    }

    /// The number of waiting rows.
    fn rows(&self) -> usize {
        self.batch.rows
    }

    /// The bytes of the texts of the waiting rows.
    fn text_bytes(&self) -> usize {
        self.batch.bytes()
    }

    /// True if all entries of the slice were read. Without a slice the document has to be read to its end.
    fn is_over(&self) -> bool {
        self.slice.as_ref().is_some_and(|(_, slice)| slice.is_over())
    }

    /// Raises an exception if the list does not begin with the entries that it had when the slice was made, or, without one, if the document is
    /// not of the kind that it should be, or has URIs beyond the limit.
    fn check(&self, uri: &str, expected: Option<&str>) -> PyResult<()> {
        let expected = expected.and_then(Kind::find).filter(|expected| self.kind != Some(*expected));
        let reason = match (&self.slice, expected, self.kind) {
            (Some((slice, reader)), ..) if !reader.is_same() => return Err(unread(stream::lost(slice))),
            (None, None, _) if self.cut > 0 => {
                let words = format!("[LIM-07] {uri}: `loc` is beyond the limit value_bytes in {} entries", self.cut);
                return Err(unread(words));
            }
            (Some(_), ..) | (None, None, _) => return Ok(()),
            (None, Some(_), None) => {
                let kind = if self.shape.is_some() { Kind::Sitemap } else { Kind::Unknown };
                Reason::new(ReasonCode::NotDocument).arg("kind", kind)
            }
            (None, Some(expected), Some(kind)) => {
                Reason::new(ReasonCode::OtherKind).arg("kind", kind).arg("expected", expected)
            }
        };
        Err(unread(format!("[INP-01] {uri}: {reason}")))
    }

    /// The kind of the document, once its head was read.
    fn kind(&self) -> Option<&'static str> {
        self.kind.map(Kind::as_str)
    }

    /// The waiting rows: the length and the buffers of each column.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut batch = std::mem::take(&mut self.batch);
        let columns = PyDict::new(py);
        for (at, name) in NAMES.into_iter().enumerate().filter(|(at, _)| self.wanted.0[*at]) {
            let own = match at {
                0 => batch.index.take(py),
                1 => batch.uri.take(py),
                2 => batch.lastmod.take(py),
                3 => batch.change.take(py),
                4 => batch.datetime.take(py),
                5 => batch.length.take(py),
                6 => batch.media_type.take(py),
                7 => batch.encoding.take(py),
                8 => batch.path.take(py),
                9 => batch.at.take(py),
                10 => batch.completed.take(py),
                11 => batch.from.take(py),
                12 => batch.until.take(py),
                13 => batch.md5.take(py),
                14 => batch.sha1.take(py),
                15 => batch.sha256.take(py),
                16 => {
                    columns.set_item("algorithm", batch.algorithm.take(py))?;
                    columns.set_item("digest", batch.digest.take(py))?;
                    (batch.rows, vec![bytes(py, &starts(&batch.hash_ends))])
                }
                _ => {
                    columns.set_item("rel", batch.rel.take(py))?;
                    columns.set_item("href", batch.href.take(py))?;
                    columns.set_item("link_type", batch.link_type.take(py))?;
                    columns.set_item("modified", batch.modified.take(py))?;
                    (batch.rows, vec![bytes(py, &starts(&batch.link_ends))])
                }
            };
            columns.set_item(name, own)?;
        }
        Ok(columns)
    }
}
