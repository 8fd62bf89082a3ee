//! `validate --follow`: walks over a whole Source, fetching what the core asks for.

mod folder;
mod run;

use std::{io, num::NonZeroUsize};

use resourcesync::api::{Fetch, Following, Missed, Response};
use resourcesync_client::Cancel;

use self::folder::Folder;
pub(crate) use self::run::run;
use crate::{
    arguments::Validate,
    http::Web,
    inputs,
    packages::Bytes,
    settings::{self, Settings},
    trouble::Trouble,
    watch::Watch,
};

/// Something that can get what a walk asks for: a folder, a network, a recording.
pub(crate) trait Fetcher: Sync {
    /// How many may be got at a time.
    fn concurrency(&self) -> NonZeroUsize;

    /// How often a body that is lost on the way is asked for again.
    fn retries(&self) -> u64 {
        0
    }

    /// Gets one; called from several threads.
    fn fetch(&self, fetch: &Fetch, watch: &Watch) -> Got;
}

/// What came of a fetch.
pub(crate) enum Got {
    /// It answers; the bytes are still to be read.
    Body(Response, Box<dyn io::Read + Send>),
    /// It answers, and any of its bytes can be read: a package, and how many bytes it has.
    Package(Response, Box<dyn Bytes>, u64),
    /// It cannot be had.
    Missed(Missed),
}

/// Who fetches, and what is followed.
pub(crate) fn plan(
    arguments: &Validate,
    settings: &Settings,
    jobs: NonZeroUsize,
    cancel: &Cancel,
) -> Result<(Box<dyn Fetcher>, Following), Trouble> {
    let mut following = Following::default();
    following.documents = arguments.max_documents;
    following.resources = arguments.resources;
    following.packages = arguments.packages;
    let fetcher: Box<dyn Fetcher> = match &arguments.base_uri {
        Some(base) => {
            settings::without_urls(&arguments.http)?;
            let [folder] = arguments.paths.as_slice() else {
                return Err("--base-uri needs exactly one folder".into());
            };
            let folder = Folder::new(folder, base, jobs)?;
            following.start = if arguments.start.is_empty() { folder.starts() } else { arguments.start.clone() };
            Box::new(folder)
        }
        None => {
            let named = inputs::named(arguments)?;
            following.start = inputs::urls(&named);
            if following.start.len() < named.len() || named.is_empty() {
                return Err("--follow needs URLs, or a folder that mirrors a Source and --base-uri".into());
            }
            Box::new(Web(settings::client(&arguments.http, settings, &following.start, cancel)?))
        }
    };
    Ok((fetcher, following))
}
