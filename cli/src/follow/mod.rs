//! `validate --follow`: walks over a whole Source, fetching what the core asks for.

mod folder;
mod run;

use std::{io, num::NonZeroUsize};

use resourcesync::api::{Fetch, Following, Missed, Response};

use self::folder::Folder;
pub(crate) use self::run::run;
use crate::{arguments::Validate, packages::Bytes, trouble::Trouble, watch::Watch};

/// Something that can get what a walk asks for: a folder, a network, a recording.
pub(crate) trait Fetcher: Sync {
    /// How many may be got at a time.
    fn concurrency(&self) -> NonZeroUsize;

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
pub(crate) fn plan(arguments: &Validate, jobs: NonZeroUsize) -> Result<(Box<dyn Fetcher>, Following), Trouble> {
    let mut following = Following::default();
    following.documents = arguments.max_documents;
    following.resources = arguments.resources;
    following.packages = arguments.packages;
    let Some(base) = &arguments.base_uri else {
        return Err("--follow needs --base-uri: this version walks over a folder that mirrors a Source".into());
    };
    let [folder] = arguments.paths.as_slice() else {
        return Err("--base-uri needs exactly one folder".into());
    };
    let folder = Folder::new(folder, base, jobs)?;
    following.start = match arguments.start.as_slice() {
        [] => folder.starts(),
        named => named.to_vec(),
    };
    Ok((Box::new(folder), following))
}
