//! Plans Sources, and opens and validates their documents one by one, for datasets.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Read,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::api::{self, CrawlOptions, Crawler, Division, Fetch, ParcelError, Piece, PlannedInput};
use resourcesync_client::{
    Cancel,
    batch::{self, Location, ReadFrom, Step},
    crawl::{self, HttpFetcher},
    destination,
    http::{self, Attempts, Client, FetchedInput},
    package::{self, Bytes, Opened},
    publish::Sitemap,
    reason,
};
use resourcesync_sync::stream::{self, Slice, Stream};
use serde::Deserialize;

use crate::{
    destination::{Servers, client_of, within},
    error::{misuse, unread},
    json::written,
    members::Members,
    options::Options,
    validate::json,
    watch::Watch,
};

/// What is requested, and how.
#[derive(Deserialize)]
struct Given {
    starts: Vec<String>,
    servers: Servers,
    limits: BTreeMap<String, u64>,
}

/// The documents of Sources: on servers that were named, and in folders.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Documents {
    client: Option<Arc<Client>>,
    options: api::Options,
}

#[pymethods]
impl Documents {
    #[new]
    fn new(given: &str, options: &Options) -> PyResult<Documents> {
        let Given { starts, servers, limits } =
            serde_json::from_str(given).map_err(|error| misuse(error.to_string()))?;
        let mut own = http::Limits::default();
        if let Some((name, value)) = limits.into_iter().find(|(name, value)| !own.set(name, *value)) {
            return Err(misuse(format!("limits: there is no limit `{name}`, or {value} does not fit it")));
        }
        let ratio = options.inner.limits.inflate_ratio;
        let starts: Vec<String> = starts.into_iter().filter(|start| Sitemap::is_url(start)).collect();
        let client = match starts.as_slice() {
            [] => None,
            starts => Some(client_of(starts, servers, own, false, within(ratio, &Cancel::default()))?),
        };
        Ok(Documents { client, options: options.inner.clone() })
    }

    /// The lists of the Source with this number, each as JSON: found from a URI, or the files of a folder.
    fn plan(&self, py: Python<'_>, source: u64, start: &str) -> PyResult<Vec<String>> {
        let planned = py.detach(|| match &self.client {
            Some(client) if Sitemap::is_url(start) => {
                let fetcher = HttpFetcher(Arc::clone(client));
                crawl::plan(&fetcher, source, CrawlOptions::from([start]), &self.options, &Cancel::default())
            }
            _ => Some(self.files(source, start)),
        });
        planned.unwrap_or_default().iter().map(written).collect()
    }

    /// Opens a document.
    fn open(&self, py: Python<'_>, uri: &str) -> PyResult<DocumentBody> {
        let body = py.detach(|| -> Result<Box<dyn Read + Send>, String> {
            match self.client.as_ref().filter(|_| Sitemap::is_url(uri)) {
                Some(client) => match http::fetch_input(client, uri, &mut Attempts::new(client)) {
                    Ok(FetchedInput::Document(body)) => Ok(Box::new(body)),
                    Ok(FetchedInput::Package(..)) => Err("it is a package".to_owned()),
                    Err(error) => Err(error.reason.to_string()),
                },
                None => match File::open(uri) {
                    Ok(file) => Ok(Box::new(file)),
                    Err(error) => Err(reason(&error).to_string()),
                },
            }
        });
        let body = body.map_err(|words| unread(format!("[INP-01] {uri}: {words}")))?;
        Ok(DocumentBody { uri: uri.to_owned(), body: Mutex::new(body) })
    }

    /// What is new in the Change Lists of a set since a position; both as JSON.
    fn advance(&self, py: Python<'_>, options: &str) -> PyResult<String> {
        let options = serde_json::from_str(options).map_err(|error| misuse(error.to_string()))?;
        let client = self.client.as_ref().ok_or_else(|| misuse("streams need URIs of Sources".to_owned()))?;
        let cancel = Cancel::default();
        let advance = py.detach(|| destination::advance(client, Stream::new(options), &cancel));
        written(&advance.map_err(|error| unread(error.to_string()))?)
    }

    /// The slice with the URI of a list that has its entries: its own, or one of `others`.
    fn locate(&self, py: Python<'_>, slice: &str, others: Vec<String>) -> PyResult<String> {
        let slice: Slice = serde_json::from_str(slice).map_err(|error| misuse(error.to_string()))?;
        let client = self.client.as_ref().ok_or_else(|| misuse("streams need URIs of Sources".to_owned()))?;
        let uris = std::iter::once(slice.uri.clone()).chain(others);
        let found = py.detach(|| uris.into_iter().find(|uri| destination::has_slice(client, uri, &slice)));
        match found {
            Some(uri) => written(&Slice { uri, ..slice }),
            None => Err(unread(stream::lost(&slice))),
        }
    }

    /// The members of a piece of a package, with their states; `None` if it is no package.
    #[pyo3(signature = (uri, piece=None))]
    fn members(&self, py: Python<'_>, uri: &str, piece: Option<&str>) -> PyResult<Option<Members>> {
        let piece = piece.map_or(Ok(Piece::WHOLE), serde_json::from_str).map_err(|error| misuse(error.to_string()))?;
        let members = py.detach(|| match self.package(uri)? {
            Some(opened) => {
                Members::new(opened, uri, piece, &self.options).map(Some).map_err(|error| error.to_string())
            }
            None => Ok(None),
        });
        members.map_err(|words| unread(format!("[INP-01] {uri}: {words}")))
    }

    /// Verifies a piece of a package that a crawl fetches; returns what was found, as a parcel for `perform`.
    fn perform_piece<'py>(
        &self,
        py: Python<'py>,
        fetch: &str,
        piece: &str,
        options: &Options,
        seed: u64,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let fetch: Fetch = serde_json::from_str(fetch).map_err(|error| misuse(error.to_string()))?;
        let piece: Piece = serde_json::from_str(piece).map_err(|error| misuse(error.to_string()))?;
        let client = self.client.as_ref().ok_or_else(|| misuse(format!("{} is no URL", fetch.uri)))?;
        let readers = Crawler::new(options.with_seed(seed), CrawlOptions::default()).readers();
        let parcel = py.detach(|| crawl::perform_piece(client, &readers, &fetch, piece, &Cancel::default()));
        Ok(parcel.map(|parcel| PyBytes::new(py, &parcel)))
    }

    /// Verifies a piece of the package in a file; returns what was found, as a parcel for `verify`.
    fn verify_piece<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        piece: &str,
        options: &Options,
        seed: u64,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let piece: Piece = serde_json::from_str(piece).map_err(|error| misuse(error.to_string()))?;
        let options = options.with_seed(seed);
        let parcel = py.detach(|| package::verify_piece(&path, piece, &options, &Cancel::default()));
        Ok(parcel.map(|parcel| PyBytes::new(py, &parcel)))
    }

    /// The report on the package in a file, with what was found of its pieces.
    fn verify<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        options: &Options,
        seed: u64,
        pieces: Vec<Vec<u8>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let options = options.with_seed(seed);
        let report = py.detach(|| package::verify_pieces(&path, &pieces, &options, &Cancel::default()));
        Ok(json(py, &report.map_err(|error| misuse(error.to_string()))?))
    }

    /// Performs a fetch of a crawl that another process drives, with what was found of the pieces of a package; returns its parcel.
    fn perform<'py>(
        &self,
        py: Python<'py>,
        fetch: &str,
        options: &Options,
        seed: u64,
        pieces: Vec<Vec<u8>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let fetch: Fetch = serde_json::from_str(fetch).map_err(|error| misuse(error.to_string()))?;
        let client = self.client.as_ref().ok_or_else(|| misuse(format!("{} is no URL", fetch.uri)))?;
        let readers = Crawler::new(options.with_seed(seed), CrawlOptions::default()).readers();
        let fetcher = HttpFetcher(Arc::clone(client));
        let outcome = py.detach(|| {
            let outcome = crawl::perform(&fetcher, readers.clone(), &fetch, &pieces, &Cancel::default())?;
            Ok(outcome.map(|outcome| readers.to_parcel(&outcome)))
        });
        let parcel = outcome.map_err(|error: ParcelError| misuse(error.to_string()))?;
        let parcel = parcel.ok_or_else(|| misuse("the fetch was cancelled".to_owned()))?;
        Ok(PyBytes::new(py, &parcel))
    }

    /// Validates a document or package by itself, as the command does; returns the report.
    fn validate<'py>(&self, py: Python<'py>, uri: &str) -> PyResult<Bound<'py, PyBytes>> {
        let location = match Sitemap::is_url(uri) {
            true => Location::Url(uri.to_owned()),
            false => Location::Path(PathBuf::from(uri)),
        };
        let cancel = Cancel::default();
        let mut watch = Watch::new(None, cancel.clone());
        let report = py.detach(|| {
            let steps = batch::steps(vec![location], None, None, self.client.as_ref(), &cancel);
            let steps = steps.unwrap_or_default();
            batch::run(&steps, &self.options, NonZeroUsize::MIN, &cancel, &mut |progress| {
                if watch.tick(progress) {
                    cancel.cancel();
                }
            })
        });
        watch.end(json(py, &report))
    }
}

impl Documents {
    /// The bytes of a package, and their number; `None` if it is a document.
    fn package(&self, uri: &str) -> Result<Option<Opened>, String> {
        if let Some(client) = self.client.as_ref().filter(|_| Sitemap::is_url(uri)) {
            return match http::fetch_input(client, uri, &mut Attempts::new(client)) {
                Ok(FetchedInput::Document(_)) => Ok(None),
                Ok(FetchedInput::Package(bytes, size)) => Ok(Some((bytes, size))),
                Err(error) => Err(error.reason.to_string()),
            };
        }
        let opened = || {
            let (mut file, mut head) = (File::open(uri)?, Vec::new());
            (&mut file).take(4).read_to_end(&mut head)?;
            let size = file.metadata()?.len();
            Ok((api::is_package(&head) || api::is_package_name(uri)).then(|| (Box::new(file) as Box<dyn Bytes>, size)))
        };
        opened().map_err(|error| reason(&error).to_string())
    }

    /// The documents and packages in a folder, or a file by itself.
    fn files(&self, source: u64, start: &str) -> Vec<PlannedInput> {
        let steps = batch::steps(vec![Location::Path(PathBuf::from(start))], None, None, None, &Cancel::default());
        let mut planned: Vec<PlannedInput> = Vec::new();
        for step in steps.unwrap_or_default() {
            let Step::Read(input) = step else { continue };
            let problem = match input.from {
                ReadFrom::Nowhere(reason) => Some(reason),
                _ => None,
            };
            planned.push(PlannedInput {
                parent: Path::new(start).is_dir().then(|| start.to_owned()),
                length: Some(input.size),
                problem,
                ..PlannedInput::new(source, planned.len() as u64, input.origin.name)
            });
        }
        planned
    }
}

/// The bytes of an open document.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct DocumentBody {
    uri: String,
    body: Mutex<Box<dyn Read + Send>>,
}

#[pymethods]
impl DocumentBody {
    /// The next bytes, at most this many; none at the end.
    fn read<'py>(&self, py: Python<'py>, most: usize) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            let mut bytes = vec![0; most];
            let mut body = self.body.lock().unwrap_or_else(PoisonError::into_inner);
            let length = body.read(&mut bytes)?;
            bytes.truncate(length);
            Ok(bytes)
        });
        match bytes {
            Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
            Err(error) => Err(unread(format!("[INP-01] {}: {}", self.uri, reason(&error)))),
        }
    }
}

/// Divides planned inputs among processes; both as JSON.
#[pyfunction]
pub(crate) fn divide(inputs: Vec<String>, division: &str) -> PyResult<Vec<String>> {
    let division: Division = serde_json::from_str(division).map_err(|error| misuse(error.to_string()))?;
    let inputs = inputs.iter().map(|input| serde_json::from_str(input)).collect::<Result<Vec<PlannedInput>, _>>();
    division.divide(inputs.map_err(|error| misuse(error.to_string()))?).iter().map(written).collect()
}
