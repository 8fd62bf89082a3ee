//! What to publish, and how.

use std::{num::NonZeroUsize, path::PathBuf};

use resourcesync::{
    report::Selector,
    value::{Algorithm, Datetime, Uri},
};

use super::{Amount, Glob, Inventory, Rotate};

/// Where resources come from.
#[derive(Debug, Clone)]
pub enum Origin {
    /// The files below a folder.
    Folder(PathBuf),
    /// Resources that a program collected in a [`Spool`](super::Spool).
    Records(PathBuf),
    /// An inventory of resources.
    Inventory(Inventory),
}

/// Which resources there are, and what is listed of them.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Where they come from.
    pub origin: Origin,
    /// The base of the URIs of files; ends with a slash.
    pub base_uri: Uri,
    /// Digests to list.
    pub hash: Vec<Algorithm>,
    /// A file with media types by endings of names.
    pub type_map: Option<PathBuf>,
    /// Includes files and folders whose names begin with a dot.
    pub hidden: bool,
    /// Goes on without files that cannot be read; what was published of them stays.
    pub skip_unreadable: bool,
    /// Files read at the same time; all processors by default.
    pub jobs: Option<NonZeroUsize>,
}

impl Resources {
    /// The resources of an origin, with SHA-256 digests.
    #[must_use]
    pub fn new(origin: Origin, base_uri: Uri) -> Resources {
        Resources {
            origin,
            base_uri,
            hash: vec![Algorithm::Sha256],
            type_map: None,
            hidden: false,
            skip_unreadable: false,
            jobs: None,
        }
    }
}

/// Notification channels: each set has one for its changes and one for its documents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Channels {
    /// The hubs of all topics, at least one.
    pub hubs: Vec<Uri>,
    /// The base of the URIs of topics, if the published folder does not serve them; ends with a slash.
    pub topics_uri: Option<Uri>,
}

/// What to publish, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which resources there are.
    pub resources: Resources,
    /// The published folder.
    pub out: PathBuf,
    /// The URI at which the folder is published, if it is not the base of the resources.
    pub documents_uri: Option<Uri>,
    /// Sets of files: the first pattern that matches counts.
    pub sets: Vec<(String, Glob)>,
    /// A document that describes the Source; without it a page is written.
    pub describedby: Option<Uri>,
    /// Notification channels. What is to be announced is in the outbox afterwards; it is sent by [`notify`](crate::notify).
    pub channels: Option<Channels>,
    /// Publishes packages too.
    pub dump: bool,
    /// Writes the Resource Dump again.
    pub new_dump: bool,
    /// Compresses the documents with gzip.
    pub gzip: bool,
    /// When the open Change List is closed.
    pub rotate: Rotate,
    /// Closed Change Lists that stay published; all by default.
    pub keep: Option<NonZeroUsize>,
    /// Earlier generations that are kept.
    pub keep_generations: u64,
    /// The time of the run; now by default.
    pub at: Option<Datetime>,
    /// Findings that do not stop the run.
    pub ignore: Vec<Selector>,
    /// Reads every file again.
    pub rehash: bool,
    /// Publishes even if nothing changed.
    pub force: bool,
    /// Deletions that are allowed; by default 20, or a tenth of what is published, but not all of it.
    pub max_delete: Option<Amount>,
    /// Entries that there must be: exactly a number, or at least a part of what is published.
    pub expect_entries: Option<Amount>,
    /// Only reports what would change.
    pub dry_run: bool,
}

impl Options {
    /// The defaults of `resourcesync build`.
    #[must_use]
    pub fn new(resources: Resources, out: PathBuf) -> Options {
        Options {
            resources,
            out,
            documents_uri: None,
            sets: Vec::new(),
            describedby: None,
            channels: None,
            dump: false,
            new_dump: false,
            gzip: false,
            rotate: Rotate::default(),
            keep: None,
            keep_generations: 0,
            at: None,
            ignore: Vec::new(),
            rehash: false,
            force: false,
            max_delete: None,
            expect_entries: None,
            dry_run: false,
        }
    }

    /// The base of the documents' URIs.
    #[must_use]
    pub fn documents(&self) -> &Uri {
        self.documents_uri.as_ref().unwrap_or(&self.resources.base_uri)
    }
}
