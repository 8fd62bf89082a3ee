//! A folder that mirrors a Source: URIs are mapped to files, nothing is asked of any network.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::{Fetch, FetchError, Method, Purpose, Response},
    diagnostic::{Reason, ReasonCode},
    value::{Parsed, Uri, Value},
};

use super::{Fetcher, Got};
use crate::{http::Attempts, meter::Meter, system::reason};

/// The folder and the URI it stands for.
#[derive(Debug)]
pub struct Folder {
    /// Without symbolic links, so that what leads out of it can be told.
    root: PathBuf,
    /// Ends with a slash.
    base: String,
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
        let mut base = normalized(base);
        if !base.ends_with('/') {
            base.push('/');
        }
        Ok(Folder { root, base, jobs })
    }

    /// Where to begin if the user does not say.
    #[must_use]
    pub fn starts(&self) -> Vec<String> {
        let is_host = self.base.matches('/').count() == 3;
        let places = [".well-known/resourcesync", "robots.txt"];
        let there = places.iter().find(|place| !is_host && self.root.join(place).is_file());
        vec![there.map_or_else(|| self.base.clone(), |place| format!("{}{place}", self.base))]
    }

    /// The file that a URI stands for.
    fn path(&self, uri: &str) -> Result<PathBuf, FetchError> {
        let missing = |code| FetchError::NotFound { reason: Reason::new(code) };
        let skipped = |code| FetchError::Skipped { reason: Reason::new(code) };
        let uri = normalized(uri.split('#').next().unwrap_or(uri));
        let Some(below) = uri.strip_prefix(&self.base) else {
            let reason = Reason::new(ReasonCode::OutsideBase).arg("base", &self.base);
            return Err(FetchError::Skipped { reason });
        };
        if below.contains('?') {
            return Err(skipped(ReasonCode::QueryInFolder));
        }
        let mut path = self.root.clone();
        for segment in below.split('/').filter(|segment| !segment.is_empty()) {
            let name = decoded(segment).ok_or_else(|| missing(ReasonCode::InvalidFileName))?;
            path.push(name);
        }
        if below.is_empty() || below.ends_with('/') {
            path.push("index.html");
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
        let index = fs::canonicalize(folder.join("index.html")).ok();
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

fn normalized(uri: &str) -> String {
    match Uri::read(uri) {
        Parsed::Exact(uri) | Parsed::Lenient(uri) => uri.normalized(),
        Parsed::Malformed => uri.to_owned(),
    }
}

/// A segment as a file name; `None` where it is none, or would lead elsewhere.
fn decoded(segment: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
        let value = digit()?.checked_mul(16)?.checked_add(digit()?)?;
        bytes.push(u8::try_from(value).ok()?);
    }
    let name = String::from_utf8(bytes).ok()?;
    let is_name = !name.contains(['/', '\\', '\0', ':']) && !["", ".", ".."].contains(&name.as_str());
    // One plain component, on this platform too.
    is_name.then(|| PathBuf::from(&name)).filter(|path| path.file_name() == Some(OsStr::new(&name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_one_name_or_none() {
        assert_eq!(decoded("r%C3%A9s%201.xml"), Some(PathBuf::from("rés 1.xml")));
        for bad in ["..", "%2e%2E", "a%2fb", "a%5Cb", "%00", "%zz", "%2", "", ".", "c:x", "%ff"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }
}
