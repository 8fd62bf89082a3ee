//! A folder that mirrors a Source: maps URIs to files.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::FetchError;
use crate::{
    diagnostic::{Reason, ReasonCode},
    value::{Parsed, Uri, Value, percent_decoded_name, percent_encoded},
};

/// The file for folders and for URIs with a trailing slash.
const INDEX: &str = "index.html";
/// The paths tried as starting points, in this order.
const STARTS: [&str; 2] = [".well-known/resourcesync", "robots.txt"];

/// Maps the URIs below a base URI to the files of a folder.
///
/// ```
/// use resourcesync::api::Mirror;
///
/// let mirror = Mirror::new("https://example.com/data");
/// assert_eq!(mirror.path("https://example.com/data/a%20b/")?, ["a b", "index.html"]);
/// assert_eq!(mirror.uri("a b/1.xml"), "https://example.com/data/a%20b/1.xml");
/// assert!(mirror.path("https://example.com/data/%2e%2e/secret").is_err());
/// # Ok::<(), resourcesync::api::FetchError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    /// Normalized; ends with a slash.
    base: String,
}

impl Mirror {
    /// Creates a mirror of this base URI.
    pub fn new(base: &str) -> Mirror {
        let mut base = normalized(base);
        if !base.ends_with('/') {
            base.push('/');
        }
        Mirror { base }
    }

    /// The URI of the folder, with a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// True if a URI is below that of the folder.
    pub fn covers(&self, uri: &str) -> bool {
        normalized(uri).starts_with(&self.base)
    }

    /// The path of the file for a URI, as names from the folder down. If it is a folder, the file is
    /// [`index`](Mirror::index) in it.
    ///
    /// # Errors
    ///
    /// [`Skipped`](FetchError::Skipped) if the URI is not below the base or has a query, [`NotFound`](FetchError::NotFound) if its
    /// path has no file name, or one that is not UTF-8.
    pub fn path(&self, uri: &str) -> Result<Vec<String>, FetchError> {
        self.raw_path(uri)?.into_iter().map(|name| String::from_utf8(name).map_err(|_| no_name())).collect()
    }

    /// The same with names that need not be UTF-8, for file systems that have such names.
    ///
    /// # Errors
    ///
    /// As [`path`](Mirror::path). Names may contain anything but a slash and NUL: what else a platform does not allow, the driver has
    /// to refuse.
    pub fn raw_path(&self, uri: &str) -> Result<Vec<Vec<u8>>, FetchError> {
        let uri = normalized(uri.split('#').next().unwrap_or(uri));
        let Some(below) = uri.strip_prefix(&self.base) else {
            return Err(FetchError::Skipped { reason: Reason::new(ReasonCode::OutsideBase).arg("base", &self.base) });
        };
        if below.contains('?') {
            return Err(FetchError::Skipped { reason: Reason::new(ReasonCode::QueryInFolder) });
        }
        let names = below.split('/').filter(|segment| !segment.is_empty()).map(percent_decoded_name);
        let mut names = names.collect::<Option<Vec<Vec<u8>>>>().ok_or_else(no_name)?;
        if below.is_empty() || below.ends_with('/') {
            names.push(INDEX.into());
        }
        Ok(names)
    }

    /// The name of the file for a folder.
    pub fn index() -> &'static str {
        INDEX
    }

    /// The URI of the file at a path below the folder, with `/` as separator.
    pub fn uri(&self, path: &str) -> String {
        let segments: Vec<String> = path.split('/').map(percent_encoded).collect();
        format!("{}{}", self.base, segments.join("/"))
    }

    /// The starting point, given the paths of existing files, if there is one. A base that is a host is
    /// treated like any host.
    pub fn start(&self, has: impl Fn(&str) -> bool) -> Option<String> {
        let is_host = self.base.matches('/').count() == 3;
        let known = STARTS.into_iter().find(|path| has(path));
        match known {
            Some(path) if !is_host => Some(format!("{}{path}", self.base)),
            Some(_) => Some(self.base.clone()),
            None => has(INDEX).then(|| self.base.clone()),
        }
    }
}

fn no_name() -> FetchError {
    FetchError::NotFound { reason: Reason::new(ReasonCode::InvalidFileName) }
}

fn normalized(uri: &str) -> String {
    match Uri::read(uri) {
        Parsed::Exact(uri) | Parsed::Lenient(uri) => uri.normalized(),
        Parsed::Malformed => uri.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn a_uri_leads_to_a_file_below_the_folder_or_nowhere() {
        let mirror = Mirror::new("HTTPS://Example.com:443/data");
        assert_eq!(mirror.base(), "https://example.com/data/");
        for (uri, names) in [
            ("https://example.com/data/", vec!["index.html"]),
            ("https://example.com/data/a/b.xml#c", vec!["a", "b.xml"]),
            ("https://example.com/data//a//", vec!["a", "index.html"]),
            ("https://example.com/data/r%C3%A9s%201.xml", vec!["rés 1.xml"]),
            ("https://example.com/data/a%5Cb%3Ac:d", vec!["a\\b:c:d"]),
        ] {
            assert_eq!(mirror.path(uri).unwrap_or_default(), names, "{uri}");
        }
        for uri in ["https://example.com/other", "http://example.com/data/a", "https://example.com/data/a?b", "x"] {
            assert!(matches!(mirror.path(uri), Err(FetchError::Skipped { .. })), "{uri}");
        }
        for segment in ["%2e%2E", "a%2fb", "%00", "%2", "%zz", "%ff"] {
            let uri = format!("https://example.com/data/{segment}");
            assert!(!matches!(mirror.path(&uri), Ok(_) | Err(FetchError::Failed { .. })), "{uri}");
        }
    }

    #[test]
    fn a_name_need_not_be_utf_8() {
        let names = Mirror::new("https://example.com/").raw_path("https://example.com/%FF%FE.bin").unwrap_or_default();
        assert_eq!(names, [b"\xff\xfe.bin"]);
    }

    #[test]
    fn a_path_has_a_uri_that_leads_back_to_it() {
        let mirror = Mirror::new("https://example.com/");
        for path in ["a.xml", "a b/日本.txt", "100%/#1", "a+b&c=d;e"] {
            let names: Vec<&str> = path.split('/').collect();
            assert_eq!(mirror.path(&mirror.uri(path)).unwrap_or_default(), names, "{path}");
        }
    }

    #[test]
    fn a_source_is_looked_for_where_it_should_be() {
        let (host, folder) = (Mirror::new("https://example.com"), Mirror::new("https://example.com/data"));
        let start = |mirror: &Mirror, there: &[&str]| mirror.start(|path| there.contains(&path)).unwrap_or_default();
        let all = [".well-known/resourcesync", "robots.txt", "index.html"];
        assert_eq!(start(&host, &all), "https://example.com/");
        assert_eq!(start(&folder, &all), "https://example.com/data/.well-known/resourcesync");
        assert_eq!(start(&folder, &all[1..]), "https://example.com/data/robots.txt");
        assert_eq!(start(&folder, &all[2..]), "https://example.com/data/");
        assert_eq!((start(&folder, &[]), start(&host, &[])), (String::new(), String::new()));
    }
}
