//! Fetches from folders that mirror a Source: maps URIs to files, without network access.

#[cfg(unix)]
use std::os::unix::ffi::OsStringExt;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{self, File},
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    ptr,
    sync::{Mutex, PoisonError},
};

use resourcesync::{
    api::{Fetch, FetchError, Method, Mirror, Purpose, Response},
    diagnostic::{Reason, ReasonCode},
    report::Via,
};

use super::{Fetched, Fetcher};
use crate::{batch, cancel::Cancel, http::Attempts, meter::Meter, system::reason};

/// Fetches from folders, each of which mirrors the URIs below a base URI.
#[derive(Debug)]
pub struct FolderFetcher {
    /// A crawl starts in the first.
    folders: Vec<Folder>,
    jobs: NonZeroUsize,
    /// The linked URIs of files: a file may have several.
    linked: Mutex<BTreeMap<PathBuf, String>>,
}

#[derive(Debug)]
struct Folder {
    /// The canonical path, to detect paths that lead out of it.
    root: PathBuf,
    mirror: Mirror,
}

impl FolderFetcher {
    /// Creates a fetcher without folders, which reads up to `jobs` files concurrently.
    #[must_use]
    pub fn new(jobs: NonZeroUsize) -> FolderFetcher {
        FolderFetcher { folders: Vec::new(), jobs, linked: Mutex::default() }
    }

    /// Adds the folder at a path, which mirrors the URIs below `base`. A URI below several bases is mapped to the folder with
    /// the longest.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not a folder, or another one has this base.
    pub fn map(&mut self, path: &Path, base: &str) -> io::Result<()> {
        let root = fs::canonicalize(path)?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let mirror = Mirror::new(base);
        if self.folders.iter().any(|other| other.mirror.base() == mirror.base() && other.root != root) {
            return Err(io::Error::other(format!("{} has a folder already", mirror.base())));
        }
        self.folders.push(Folder { root, mirror });
        Ok(())
    }

    /// The default starting point.
    #[must_use]
    pub fn starts(&self) -> Vec<String> {
        let start = |Folder { root, mirror }: &Folder| {
            mirror.start(|path| root.join(path).is_file()).unwrap_or_else(|| mirror.base().to_owned())
        };
        self.folders.first().map(start).into_iter().collect()
    }

    /// The URIs of all documents and packages, recognized by their names. A file that is shadowed by another folder has none.
    #[must_use]
    pub fn files(&self, cancel: &Cancel) -> Vec<String> {
        let mut uris = Vec::new();
        for folder in &self.folders {
            for path in batch::documents(&folder.root, cancel) {
                let uri = folder.mirror.uri(&path);
                if self.folder(&uri).is_some_and(|own| ptr::eq(own, folder)) {
                    uris.push(uri);
                }
            }
        }
        uris
    }

    /// True if a URI is below one of the bases.
    #[must_use]
    pub fn covers(&self, uri: &str) -> bool {
        self.folder(uri).is_some()
    }

    /// The file of a URI.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn file(&self, uri: &str) -> Result<PathBuf, FetchError> {
        self.path(uri, false)
    }

    /// The folder of a URI.
    fn folder(&self, uri: &str) -> Option<&Folder> {
        let own = self.folders.iter().filter(|folder| folder.mirror.covers(uri));
        own.max_by_key(|folder| folder.mirror.base().len())
    }

    /// The file of a URI; `met` if it was found in the folder and nothing links to it.
    fn path(&self, uri: &str, met: bool) -> Result<PathBuf, FetchError> {
        let missing = |code| FetchError::NotFound { reason: Reason::new(code) };
        let skipped = |code| FetchError::Skipped { reason: Reason::new(code) };
        let Some(folder) = self.folder(uri) else {
            let bases: Vec<&str> = self.folders.iter().map(|folder| folder.mirror.base()).collect();
            let reason = Reason::new(ReasonCode::OutsideBase).arg("base", bases.join(", "));
            return Err(FetchError::Skipped { reason });
        };
        let mut path = folder.root.clone();
        for name in folder.mirror.raw_path(uri)? {
            // A single normal component on this platform as well.
            let name = os_name(name).filter(|name| Path::new(name).file_name() == Some(name));
            path.push(name.ok_or_else(|| missing(ReasonCode::InvalidFileName))?);
        }
        match fs::canonicalize(&path) {
            Ok(real) if !real.starts_with(&folder.root) => Err(skipped(ReasonCode::LinkOutOfFolder)),
            Ok(real) if met && real.is_dir() => Err(not_walked(&real)),
            Ok(real) if met && !real.is_file() => Err(skipped(ReasonCode::NotRegularFile)),
            Ok(real) if real.is_dir() => folder.index(&real),
            Ok(real) if real.is_file() => Ok(real),
            Ok(_) => Err(FetchError::Failed { reason: Reason::new(ReasonCode::NotRegularFile) }),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Err(missing(ReasonCode::NoSuchFile))
            }
            Err(error) => Err(FetchError::Failed { reason: reason(&error) }),
        }
    }

    /// Records the URI of a linked file. For a file found in the folder, returns the URI under which it is linked.
    fn linked(&self, path: &Path, uri: &str, met: bool) -> Option<String> {
        let mut linked = self.linked.lock().unwrap_or_else(PoisonError::into_inner);
        if met {
            return linked.get(path).cloned();
        }
        linked.entry(path.to_owned()).or_insert_with(|| uri.to_owned());
        None
    }
}

impl Folder {
    fn index(&self, folder: &Path) -> Result<PathBuf, FetchError> {
        let index = fs::canonicalize(folder.join(Mirror::index())).ok();
        index
            .filter(|index| index.is_file() && index.starts_with(&self.root))
            .ok_or_else(|| FetchError::NotFound { reason: Reason::new(ReasonCode::NoIndexPage) })
    }
}

/// A file name on this platform.
fn os_name(name: Vec<u8>) -> Option<OsString> {
    #[cfg(unix)]
    return Some(OsStringExt::from_vec(name));
    #[cfg(not(unix))]
    String::from_utf8(name).ok().map(OsString::from)
}

/// The reason why a folder was not visited: it is a symbolic link, or cannot be read.
fn not_walked(path: &Path) -> FetchError {
    match fs::read_dir(path) {
        Ok(_) => FetchError::Skipped { reason: Reason::new(ReasonCode::FolderLink) },
        Err(error) => FetchError::Failed { reason: reason(&error) },
    }
}

impl Fetcher for FolderFetcher {
    fn concurrency(&self) -> NonZeroUsize {
        self.jobs
    }

    fn fetch(&self, fetch: &Fetch, _: &mut Attempts, _: &Meter) -> Fetched {
        let met = fetch.via == Via::Folder;
        let path = match self.path(&fetch.uri, met) {
            Ok(path) => path,
            // A channel is not a document and is never mirrored.
            Err(_) if fetch.purpose == Purpose::Topic => {
                return Fetched::Body(Response::found(&fetch.uri), Box::new(io::empty()));
            }
            Err(error) => return Fetched::Error(error),
        };
        if let Some(uri) = self.linked(&path, &fetch.uri, met) {
            return Fetched::Body(Response::found(uri), Box::new(io::empty()));
        }
        let response = Response::found(&fetch.uri);
        let failed = |error: &io::Error| Fetched::Error(FetchError::Failed { reason: reason(error) });
        match (fetch.purpose, fetch.method) {
            (_, Method::Head) => Fetched::Body(response, Box::new(io::empty())),
            (Purpose::Package, _) => match File::open(&path).and_then(|file| Ok((file.metadata()?.len(), file))) {
                Ok((size, file)) => Fetched::Package(response, Box::new(file), size),
                Err(error) => failed(&error),
            },
            _ => match File::open(&path) {
                Ok(file) => Fetched::Body(response, Box::new(file)),
                Err(error) => failed(&error),
            },
        }
    }
}
