//! `validate --follow`: crawls a Source over HTTP or in a folder.

use std::{io, num::NonZeroUsize};

use resourcesync::api::CrawlOptions;
use resourcesync_client::{
    Cancel,
    crawl::{Fetcher, FolderFetcher, HttpFetcher},
    reason,
};

use crate::{
    arguments::Validate,
    error::CliError,
    inputs,
    settings::{self, Settings},
};

/// The fetcher, and the options of the crawl.
pub(crate) fn plan(
    arguments: &Validate,
    settings: &Settings,
    jobs: NonZeroUsize,
    cancel: &Cancel,
) -> Result<(Box<dyn Fetcher>, CrawlOptions), CliError> {
    let mut following = CrawlOptions::default();
    following.documents = arguments.max_documents;
    following.resources = arguments.resources;
    following.packages = arguments.packages;
    let fetcher: Box<dyn Fetcher> = if arguments.base_uri.is_some() || !arguments.map.is_empty() {
        settings::without_urls(&arguments.http)?;
        let first = match (&arguments.base_uri, arguments.paths.as_slice()) {
            (Some(base), [folder]) => Some((base, folder)),
            (Some(_), _) => return Err("--base-uri needs exactly one folder".into()),
            (None, []) => None,
            (None, _) => return Err("a folder needs --base-uri; those of --map have their own".into()),
        };
        let mut fetcher = FolderFetcher::new(jobs);
        for (base, folder) in first.into_iter().chain(arguments.map.iter().map(|(base, folder)| (base, folder))) {
            fetcher.map(folder, base).map_err(|error| match error.kind() {
                io::ErrorKind::NotADirectory if folder.exists() => {
                    format!("{} is not a folder; --follow --base-uri requires one", folder.display())
                }
                _ => format!("the folder {} cannot be read: {}", folder.display(), reason(&error)),
            })?;
        }
        following.start = if arguments.start.is_empty() { fetcher.starts() } else { arguments.start.clone() };
        following.files = fetcher.files(cancel);
        Box::new(fetcher)
    } else {
        if !arguments.start.is_empty() {
            return Err("--start needs --base-uri or --map".into());
        }
        let named = inputs::named(arguments)?;
        following.start = inputs::urls(&named);
        if following.start.len() < named.len() || named.is_empty() {
            return Err("--follow needs URLs, or a folder that mirrors a Source and --base-uri".into());
        }
        Box::new(HttpFetcher(settings::client(
            &arguments.http,
            &settings.http,
            Some(settings.options.limits.inflate_ratio),
            &following.start,
            cancel,
        )?))
    };
    Ok((fetcher, following))
}
