//! Resources of a sitemap, of the sitemaps of an index, or of a plain list of URIs.

mod fetch;
mod read;

use std::{
    fmt,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use resourcesync::api::FetchError;

pub(crate) use self::fetch::fetch;

use super::{Error, Zone};
use crate::{
    crawl::FolderFetcher,
    http::{Attempts, Client, FetchedInput, Request, fetch as request, fetch_input},
    system::reason,
};

/// Where resources are listed, and where more is known of them.
#[derive(Debug, Clone)]
pub struct Sitemap {
    /// A file, or a URL; `-` is standard input.
    pub start: String,
    /// Folders with the files of sitemaps that an index lists.
    pub folders: Option<Arc<FolderFetcher>>,
    /// They also have the files of resources, from which lengths and digests are determined.
    pub with_files: bool,
    /// Sends requests: for the sitemaps, if `start` is a URL, and for resources.
    pub client: Option<Arc<Client>>,
    /// Requests the resources whose length or digests are unknown.
    pub fetch: bool,
    /// The time zone of times without one.
    pub zone: Option<Zone>,
}

/// A sitemap or list that is open.
struct Opened {
    input: Box<dyn Read>,
    /// Its end may be that of a program that failed.
    is_pipe: bool,
}

impl Sitemap {
    /// A sitemap without folders and requests.
    #[must_use]
    pub fn new(start: String) -> Sitemap {
        Sitemap { start, folders: None, with_files: false, client: None, fetch: false, zone: None }
    }

    /// True for a URL.
    #[must_use]
    pub fn is_url(start: &str) -> bool {
        start.contains("://")
    }

    /// The client that requests resources.
    pub(crate) fn resources(&self) -> Option<&Client> {
        self.client.as_deref().filter(|_| self.fetch)
    }

    /// Opens the start, or a sitemap that an index lists.
    fn open(&self, name: &str, is_start: bool) -> Result<Opened, Error> {
        let unread = |why: &dyn fmt::Display| Error::new(format!("{name} could not be read: {why}"));
        let file = |path: &Path| -> Result<Opened, Error> {
            let file = File::open(path).map_err(|error| unread(&reason(&error)))?;
            let is_pipe = !file.metadata().map_err(|error| unread(&reason(&error)))?.is_file();
            Ok(Opened { input: Box::new(file), is_pipe })
        };
        let of_body = |body| Opened { input: Box::new(body), is_pipe: false };
        if name == "-" && is_start {
            return Ok(Opened { input: Box::new(std::io::stdin().lock()), is_pipe: true });
        }
        if !Sitemap::is_url(name) && is_start {
            return file(name.as_ref());
        }
        if let Some(path) = self.file(name)? {
            return file(&path);
        }
        let client = self.client.as_ref().filter(|_| self.fetch || Sitemap::is_url(&self.start));
        let Some(client) = client else {
            return Err(format!(
                "{} is an index, and {name} is in no folder of --map\nhelp: name its folder with --map URI=DIR, or the URL of the index \
                 in place of its file",
                self.start
            )
            .into());
        };
        let mut attempts = Attempts::new(client);
        if is_start {
            return match fetch_input(client, name, true, &mut attempts) {
                Ok(FetchedInput::Document(body)) => Ok(of_body(body)),
                Ok(FetchedInput::Package(..)) => Err(format!("{name} is a package, not a sitemap").into()),
                Err(error) => Err(unread(&error)),
            };
        }
        let response = request(client, &Request::get(name), &mut attempts).map_err(|error| unread(&error))?;
        match response.status {
            200 | 203 => Ok(of_body(response.body)),
            status => Err(unread(&format!("the response has status {status}"))),
        }
    }

    /// The file of a URI; `None` if it is below none of the folders.
    fn file(&self, uri: &str) -> Result<Option<PathBuf>, Error> {
        let Some(folders) = self.folders.as_ref().filter(|folders| folders.covers(uri)) else { return Ok(None) };
        folders.file(uri).map(Some).map_err(|error| match error {
            FetchError::NotFound { reason } | FetchError::Skipped { reason } | FetchError::Failed { reason } => {
                Error::new(format!("{uri} is not in its folder (--map): {reason}"))
            }
        })
    }
}
