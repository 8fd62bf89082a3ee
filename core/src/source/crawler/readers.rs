//! Creates the readers for the responses of a crawl.

use alloc::sync::Arc;

use super::ResponseReader;
use crate::{
    package::Verification,
    report::Via,
    source::{Fetch, PackageDepth, Response},
    validate::Options,
};

/// Creates the readers of responses. It is independent of the crawler, so that workers can share it.
#[derive(Debug, Clone)]
pub struct Readers {
    options: Arc<Options>,
    /// The options for packages.
    of_packages: Arc<Options>,
    /// True if lists are read only until they begin to list resources.
    heads_only: bool,
}

impl Readers {
    pub(super) fn new(options: &Options, depth: PackageDepth, heads_only: bool) -> Readers {
        let no_fixity = options.no_fixity || depth == PackageDepth::Structure;
        Readers {
            options: Arc::new(options.clone()),
            of_packages: Arc::new(Options { no_fixity, ..options.clone() }),
            heads_only,
        }
    }

    /// Creates a reader for the body of a response.
    pub fn reader(&self, fetch: &Fetch, response: Response) -> ResponseReader<'static> {
        ResponseReader::new(Options::clone(&self.options), fetch, response, self.heads_only)
    }

    /// What the parcels of this crawl have in common.
    pub(super) fn run(&self) -> u64 {
        self.of_packages.run_in_parcels()
    }

    /// Creates the verification of a package of `size` bytes, for [`FetchOutcome::package`](super::FetchOutcome::package). It
    /// compares with the listed metadata, to the depth set by the options of the crawl.
    pub fn verification(&self, fetch: &Fetch, size: u64) -> Verification<'static> {
        let verification = Verification::new(Options::clone(&self.of_packages), fetch.origin(), size).with_summary();
        // A package found in a folder is not listed by a dump.
        if fetch.via == Via::Folder {
            return verification;
        }
        verification.with_media_type(fetch.media_type.clone()).with_digests(&fetch.hashes())
    }
}
