//! Fetches from a folder that mirrors a Source: URIs are mapped to files, nothing is requested from a network.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::{Fetch, FetchError, Method, Mirror, Purpose, Response},
    diagnostic::{Reason, ReasonCode},
};

use super::{Fetched, Fetcher};
use crate::{http::Attempts, meter::Meter, system::reason};

/// Fetches from a folder that mirrors what is below a URI.
#[derive(Debug)]
pub struct FolderFetcher {
    /// Without symbolic links, to recognize paths that lead out of it.
    root: PathBuf,
    mirror: Mirror,
    jobs: NonZeroUsize,
}

impl FolderFetcher {
    /// For the folder at a path, which mirrors what is below `base`; `jobs` files are read at a time.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not a folder.
    pub fn new(path: &Path, base: &str, jobs: NonZeroUsize) -> io::Result<FolderFetcher> {
        let root = fs::canonicalize(path)?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(FolderFetcher { root, mirror: Mirror::new(base), jobs })
    }

    /// Where to begin unless a start is given.
    #[must_use]
    pub fn starts(&self) -> Vec<String> {
        let start = self.mirror.start(|path| self.root.join(path).is_file());
        vec![start.unwrap_or_else(|| self.mirror.base().to_owned())]
    }

    /// The file that a URI stands for.
    fn path(&self, uri: &str) -> Result<PathBuf, FetchError> {
        let missing = |code| FetchError::NotFound { reason: Reason::new(code) };
        let skipped = |code| FetchError::Skipped { reason: Reason::new(code) };
        let mut path = self.root.clone();
        for name in self.mirror.path(uri)? {
            // One plain component, on this platform too.
            let is_plain = Path::new(&name).file_name() == Some(OsStr::new(&name));
            path.push(Some(name).filter(|_| is_plain).ok_or_else(|| missing(ReasonCode::InvalidFileName))?);
        }
        match fs::canonicalize(&path) {
            Ok(real) if !real.starts_with(&self.root) => Err(skipped(ReasonCode::LinkOutOfFolder)),
            Ok(real) if real.is_dir() => self.index(&real),
            Ok(real) if real.is_file() => Ok(real),
            Ok(_) => Err(FetchError::Failed { reason: Reason::new(ReasonCode::NotRegularFile) }),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Err(missing(ReasonCode::NoSuchFile))
            }
            Err(error) => Err(FetchError::Failed { reason: reason(&error) }),
        }
    }

    fn index(&self, folder: &Path) -> Result<PathBuf, FetchError> {
        let index = fs::canonicalize(folder.join(Mirror::index())).ok();
        index
            .filter(|index| index.is_file() && index.starts_with(&self.root))
            .ok_or_else(|| FetchError::NotFound { reason: Reason::new(ReasonCode::NoIndexPage) })
    }
}

impl Fetcher for FolderFetcher {
    fn concurrency(&self) -> NonZeroUsize {
        self.jobs
    }

    fn fetch(&self, fetch: &Fetch, _: &mut Attempts, _: &Meter) -> Fetched {
        let path = match self.path(&fetch.uri) {
            Ok(path) => path,
            // A channel is no document, and nobody mirrors it.
            Err(_) if fetch.purpose == Purpose::Topic => {
                return Fetched::Body(Response::found(&fetch.uri), Box::new(io::empty()));
            }
            Err(error) => return Fetched::Error(error),
        };
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
