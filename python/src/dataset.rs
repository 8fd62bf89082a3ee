//! Plans Sources, and opens and validates their documents one by one, for datasets.

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::Read,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::{
    api::{self, CrawlOptions, Crawler, Division, Fetch, ParcelError, Piece, PlannedInput},
    diagnostic::{Reason, ReasonCode},
    model::Kind,
};
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
    options::{Options, filter_of},
    validate::json,
    watch::Watch,
};

/// How servers are requested.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    /// False if all Sources are folders and files.
    is_online: bool,
    servers: Servers,
    limits: BTreeMap<String, u64>,
}

/// The clients that are kept, each for one Source.
const CLIENTS: usize = 64;

/// The clients of Sources, by their starts and the hosts to which these lead.
type OfSources = HashMap<(String, Vec<String>), Arc<Client>>;

/// The documents of Sources: on servers that were named, and in folders.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Documents {
    client: Option<Arc<Client>>,
    of_sources: Mutex<OfSources>,
    options: api::Options,
}

#[pymethods]
impl Documents {
    #[new]
    fn new(given: &str, options: &Options) -> PyResult<Documents> {
        let Given { is_online, servers, limits } =
            serde_json::from_str(given).map_err(|error| misuse(error.to_string()))?;
        let mut own = http::Limits::default();
        if let Some((name, value)) = limits.into_iter().find(|(name, value)| !own.set(name, *value)) {
            return Err(misuse(format!("limits: there is no limit `{name}`, or {value} does not fit it")));
        }
        let ratio = options.inner.limits.inflate_ratio;
        let client = is_online.then(|| client_of(&[], servers, own, false, within(ratio, &Cancel::default())));
        Ok(Documents { client: client.transpose()?, of_sources: Mutex::default(), options: options.inner.clone() })
    }

    /// The lists of the Source with this number, as far as they are wanted, each as JSON: found from a URI, or the files of a folder.
    #[pyo3(signature = (source, start, filter="{}"))]
    fn plan(&self, py: Python<'_>, source: u64, start: &str, filter: &str) -> PyResult<Vec<String>> {
        let filter = filter_of(filter)?;
        let planned = py.detach(|| match self.client(start, &[]) {
            Ok(Some(client)) => {
                let fetcher = HttpFetcher(client);
                let mut crawl = CrawlOptions::from([start]);
                crawl.sets.clone_from(&filter.sets);
                crawl::plan(&fetcher, source, crawl, &self.options, &Cancel::default())
            }
            Ok(None) => Some(self.files(source, start)),
            Err(reason) => {
                let input = PlannedInput::new(source, 0, start.to_owned());
                Some(vec![PlannedInput { problem: Some(reason), ..input }])
            }
        });
        planned.unwrap_or_default().iter().filter(|input| filter.has(input)).map(written).collect()
    }

    /// Opens a planned document of the Source with this start.
    fn open(&self, py: Python<'_>, start: &str, input: &str) -> PyResult<DocumentBody> {
        let input = read_input(input)?;
        let uri = input.uri.clone();
        let body = py.detach(|| -> Result<Box<dyn Read + Send>, Reason> {
            let Some(client) = self.client(start, &input.led)? else {
                return match File::open(&uri) {
                    Ok(file) => Ok(Box::new(file)),
                    Err(error) => Err(reason(&error)),
                };
            };
            match http::fetch_input(&client, &uri, input.is_start(), &mut Attempts::new(&client)) {
                Ok(FetchedInput::Document(body)) => Ok(Box::new(body)),
                Ok(FetchedInput::Package(..)) => Err(Reason::new(ReasonCode::NotDocument).arg("kind", Kind::Package)),
                Err(error) => Err(error.reason),
            }
        });
        let body = body.map_err(|reason| unread(format!("[INP-01] {uri}: {reason}")))?;
        Ok(DocumentBody { uri, body: Mutex::new(body) })
    }

    /// What is new in the Change Lists of a set since a position; both as JSON. The set is of the Source with this start, which leads to these
    /// hosts.
    fn advance(&self, py: Python<'_>, start: &str, led: Vec<String>, options: &str) -> PyResult<String> {
        let options = serde_json::from_str(options).map_err(|error| misuse(error.to_string()))?;
        let client = self.online(start, &led)?;
        let cancel = Cancel::default();
        let stream = Stream::new(options, &self.options.limits);
        let advance = py.detach(|| destination::advance(&client, stream, &cancel));
        written(&advance.map_err(|error| unread(error.to_string()))?)
    }

    /// The slice with the URI of a list that has its entries: its own, or one of `others`.
    fn locate(
        &self,
        py: Python<'_>,
        start: &str,
        led: Vec<String>,
        slice: &str,
        others: Vec<String>,
    ) -> PyResult<String> {
        let slice: Slice = serde_json::from_str(slice).map_err(|error| misuse(error.to_string()))?;
        let client = self.online(start, &led)?;
        let uris = std::iter::once(slice.uri.clone()).chain(others);
        let found = py.detach(|| {
            let mut unreadable = None;
            for uri in uris {
                match destination::has_slice(&client, &uri, &slice, &self.options.limits) {
                    Ok(true) => return Ok(uri),
                    Ok(false) => {}
                    Err(reason) => unreadable = unreadable.or_else(|| Some(stream::unreadable(&uri, &reason))),
                }
            }
            // The entries may be in the list that cannot be read now.
            Err(unreadable.unwrap_or_else(|| stream::lost(&slice)))
        });
        written(&Slice { uri: found.map_err(unread)?, ..slice })
    }

    /// The members of a planned package, or of a piece of it, with their states; `None` if it is no package.
    fn members(&self, py: Python<'_>, start: &str, input: &str) -> PyResult<Option<Members>> {
        let input = read_input(input)?;
        let piece = input.piece.unwrap_or(Piece::WHOLE);
        let members = py.detach(|| match self.package(start, &input)? {
            Some(opened) => Members::new(opened, &input.uri, piece, &self.options).map(Some),
            None => Ok(None),
        });
        members.map_err(|reason| unread(format!("[INP-01] {}: {reason}", input.uri)))
    }

    /// Verifies a piece of a package that a crawl of the Source with this start fetches; returns what was found, as a parcel for `perform`.
    fn perform_piece<'py>(
        &self,
        py: Python<'py>,
        start: &str,
        fetch: &str,
        piece: &str,
        options: &Options,
        seed: u64,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let fetch: Fetch = serde_json::from_str(fetch).map_err(|error| misuse(error.to_string()))?;
        let piece: Piece = serde_json::from_str(piece).map_err(|error| misuse(error.to_string()))?;
        let client = self.online(start, &fetch.led)?;
        let readers = Crawler::new(options.with_seed(seed), CrawlOptions::default()).readers();
        let parcel = py.detach(|| crawl::perform_piece(&client, &readers, &fetch, piece, &Cancel::default()));
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

    /// Performs a fetch of a crawl of the Source with this start, which another process drives, with what was found of the pieces of a package;
    /// returns its parcel.
    fn perform<'py>(
        &self,
        py: Python<'py>,
        start: &str,
        fetch: &str,
        options: &Options,
        seed: u64,
        pieces: Vec<Vec<u8>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let fetch: Fetch = serde_json::from_str(fetch).map_err(|error| misuse(error.to_string()))?;
        let fetcher = HttpFetcher(self.online(start, &fetch.led)?);
        let readers = Crawler::new(options.with_seed(seed), CrawlOptions::default()).readers();
        let outcome = py.detach(|| {
            let outcome = crawl::perform(&fetcher, readers.clone(), &fetch, &pieces, &Cancel::default())?;
            Ok(outcome.map(|outcome| readers.to_parcel(&outcome)))
        });
        let parcel = outcome.map_err(|error: ParcelError| misuse(error.to_string()))?;
        let parcel = parcel.ok_or_else(|| misuse("the fetch was cancelled".to_owned()))?;
        Ok(PyBytes::new(py, &parcel))
    }

    /// Validates a planned document or package by itself, as the command does; returns the report. One with a problem is not requested again.
    fn validate<'py>(&self, py: Python<'py>, start: &str, input: &str) -> PyResult<Bound<'py, PyBytes>> {
        let input = read_input(input)?;
        let cancel = Cancel::default();
        let mut watch = Watch::new(None, cancel.clone());
        let report = py.detach(|| {
            let client = self.client(start, &input.led).unwrap_or_default();
            let location = match client {
                Some(_) => Location::Url(input.uri.clone()),
                None => Location::Path(PathBuf::from(&input.uri)),
            };
            let mut steps = batch::steps(vec![location], None, None, client.as_ref(), &cancel).unwrap_or_default();
            for step in &mut steps {
                let Step::Read(read) = step else { continue };
                if let Some(reason) = &input.problem {
                    read.from = ReadFrom::Nowhere(http::with_status_name(reason.clone()));
                } else if let ReadFrom::Url { is_start, .. } = &mut read.from {
                    *is_start = input.is_start();
                }
            }
            batch::run(&steps, &self.options, NonZeroUsize::MIN, &cancel, &mut |progress| {
                if watch.tick(progress) {
                    cancel.cancel();
                }
            })
        });
        watch.end(json(py, &report))
    }
}

fn read_input(input: &str) -> PyResult<PlannedInput> {
    serde_json::from_str(input).map_err(|error| misuse(error.to_string()))
}

impl Documents {
    /// The client for a Source, which leads to these hosts; `None` if it is a folder or file.
    fn client(&self, start: &str, led: &[String]) -> Result<Option<Arc<Client>>, Reason> {
        let Some(client) = self.client.as_ref().filter(|_| Sitemap::is_url(start)) else { return Ok(None) };
        let key = (start.to_owned(), led.to_vec());
        let known = || self.of_sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = known().get(&key) {
            return Ok(Some(own.clone()));
        }
        let own = Arc::new(client.for_source(start, led).map_err(|error| error.reason)?);
        let mut known = known();
        if known.len() >= CLIENTS {
            known.clear();
        }
        known.insert(key, own.clone());
        Ok(Some(own))
    }

    /// The client for a Source on a server.
    fn online(&self, start: &str, led: &[String]) -> PyResult<Arc<Client>> {
        let client = self.client(start, led).map_err(|reason| unread(format!("[INP-01] {start}: {reason}")))?;
        client.ok_or_else(|| misuse(format!("{start} is no URL")))
    }

    /// The bytes of a package, and their number; `None` if it is a document.
    fn package(&self, start: &str, input: &PlannedInput) -> Result<Option<Opened>, Reason> {
        if let Some(client) = self.client(start, &input.led)? {
            return match http::fetch_input(&client, &input.uri, input.is_start(), &mut Attempts::new(&client)) {
                Ok(FetchedInput::Document(_)) => Ok(None),
                Ok(FetchedInput::Package(bytes, size)) => Ok(Some((bytes, size))),
                Err(error) => Err(error.reason),
            };
        }
        let opened = || {
            let (mut file, mut head) = (File::open(&input.uri)?, Vec::new());
            (&mut file).take(4).read_to_end(&mut head)?;
            let size = file.metadata()?.len();
            let is_package = api::is_package(&head) || api::is_package_name(&input.uri);
            Ok(is_package.then(|| (Box::new(file) as Box<dyn Bytes>, size)))
        };
        opened().map_err(|error| reason(&error))
    }

    /// The documents and packages in a folder, or a file by itself.
    fn files(&self, source: u64, start: &str) -> Vec<PlannedInput> {
        let steps = batch::steps(vec![Location::Path(PathBuf::from(start))], None, None, None, &Cancel::default());
        let mut planned: Vec<PlannedInput> = Vec::new();
        for step in steps.unwrap_or_default() {
            let input = match step {
                Step::Read(input) => input,
                Step::Skip { name, reason } => {
                    let skipped = PlannedInput::new(source, planned.len() as u64, name);
                    planned.push(PlannedInput { problem: Some(reason), ..skipped });
                    continue;
                }
                Step::EndFolder { .. } => continue,
            };
            let problem = match input.from {
                ReadFrom::Nowhere(reason) => Some(reason),
                _ => None,
            };
            let name = &input.origin.name;
            planned.push(PlannedInput {
                kind: if api::is_package_name(name) { Kind::Package } else { Kind::Unknown },
                parent: Path::new(start).is_dir().then(|| start.to_owned()),
                length: Some(input.size),
                problem,
                ..PlannedInput::new(source, planned.len() as u64, name.clone())
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
