//! A folder that mirrors a Source: URIs are mapped to files, nothing is asked of any network.

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

use super::{Fetcher, Got};
use crate::{http::Attempts, meter::Meter, system::reason};

/// The folder and the URI it stands for.
#[derive(Debug)]
pub struct Folder {
    /// Without symbolic links, so that what leads out of it can be told.
    root: PathBuf,
    mirror: Mirror,
    jobs: NonZeroUsize,
}

impl Folder {
    /// The folder at a path, mirroring what is below a URI.
    ///
    /// # Errors
    ///
    /// In one line, if it is no folder that can be read.
    pub fn new(path: &Path, base: &str, jobs: NonZeroUsize) -> Result<Folder, String> {
        let shown = path.display();
        let root =
            fs::canonicalize(path).map_err(|error| format!("the folder {shown} cannot be read: {}", reason(&error)))?;
        if !root.is_dir() {
            return Err(format!("{shown} is not a folder; --follow --base-uri walks over one"));
        }
        Ok(Folder { root, mirror: Mirror::new(base), jobs })
    }

    /// Where to begin if the user does not say.
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

impl Fetcher for Folder {
    fn concurrency(&self) -> NonZeroUsize {
        self.jobs
    }

    fn fetch(&self, fetch: &Fetch, _: &mut Attempts, _: &Meter) -> Got {
        let path = match self.path(&fetch.uri) {
            Ok(path) => path,
            // A channel is no document, and nobody mirrors it.
            Err(_) if fetch.purpose == Purpose::Topic => {
                return Got::Body(Response::found(&fetch.uri), Box::new(io::empty()));
            }
            Err(missed) => return Got::Missed(missed),
        };
        let response = Response::found(&fetch.uri);
        let failed = |error: &io::Error| Got::Missed(FetchError::Failed { reason: reason(error) });
        match (fetch.purpose, fetch.method) {
            (_, Method::Head) => Got::Body(response, Box::new(io::empty())),
            (Purpose::Package, _) => match File::open(&path).and_then(|file| Ok((file.metadata()?.len(), file))) {
                Ok((size, file)) => Got::Package(response, Box::new(file), size),
                Err(error) => failed(&error),
            },
            _ => match File::open(&path) {
                Ok(file) => Got::Body(response, Box::new(file)),
                Err(error) => failed(&error),
            },
        }
    }
}
