//! What to publish, and how.

use std::{num::NonZeroUsize, path::PathBuf, sync::Arc, time::Duration};

use resourcesync::{
    diagnostic::Severity,
    report::Selector,
    value::{Algorithm, Datetime, Uri},
};
use resourcesync_notify::publication::Channels;

use super::{Amount, Contents, FileSelection, Glob, Inventory, Remembered, Rotate, Sitemap, Snapshot, State, Unlisted};

/// The origin of resources.
#[derive(Debug, Clone)]
pub enum Origin {
    /// The files below a folder.
    Folder(PathBuf),
    /// Resources that a program collected in a [`Spool`](super::Spool).
    Records(Collected),
    /// An inventory of resources.
    Inventory(Inventory),
    /// The resources of a sitemap.
    Sitemap(Sitemap),
    /// The files below a folder, described by the rows of a table that are matched by path.
    Table {
        /// The folder.
        folder: PathBuf,
        /// The table.
        inventory: Inventory,
        /// What becomes of files without a row; by default they are an error.
        unlisted: Option<Unlisted>,
    },
}

/// Resources that a program collected.
#[derive(Debug, Clone, Default)]
pub struct Collected {
    pub(crate) file: PathBuf,
    /// Rejected resources whose URI is unknown. Any published resource may be one of them, so none is deleted.
    pub(crate) unknown: u64,
}

/// The resources, and the metadata to list.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Their origin.
    pub origin: Origin,
    /// The base of the URIs of files; ends with a slash.
    pub base_uri: Uri,
    /// Digests to list.
    pub hash: Vec<Algorithm>,
    /// A file with media types by file extension.
    pub type_map: Option<PathBuf>,
    /// The files of a folder that are resources.
    pub files: FileSelection,
    /// Skips files that cannot be read; their published state is kept.
    pub skip_unreadable: bool,
    /// Number of files read concurrently; one per processor by default.
    pub jobs: Option<NonZeroUsize>,
    /// The bytes of resources without files, for packages.
    pub contents: Option<Arc<dyn Contents>>,
}

impl Resources {
    /// Creates the options for an origin, with SHA-256 digests.
    #[must_use]
    pub fn new(origin: Origin, base_uri: Uri) -> Resources {
        Resources {
            origin,
            base_uri,
            hash: vec![Algorithm::Sha256],
            type_map: None,
            files: FileSelection::default(),
            skip_unreadable: false,
            jobs: None,
            contents: None,
        }
    }
}

/// What to publish, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// The resources.
    pub resources: Resources,
    /// The published folder.
    pub out: PathBuf,
    /// The URI at which the folder is published, if it is not the base of the resources.
    pub documents_uri: Option<Uri>,
    /// Sets of files: the first matching pattern counts.
    pub sets: Vec<(String, Glob)>,
    /// A document that describes the Source; by default a page is generated.
    pub describedby: Option<Uri>,
    /// The Source Description Index that lists the Source, if one does.
    pub index: Option<Uri>,
    /// What the generated page says in addition, as HTML.
    pub about: Option<String>,
    /// Notification channels. Payloads are added to the outbox, and sent by [`notify`](crate::notify).
    pub channels: Option<Channels>,
    /// Publishes packages as well.
    pub dump: bool,
    /// Publishes Resource Lists and Change Lists; without them there are only packages, and `dump` is true.
    pub lists: bool,
    /// Writes the Resource Dump again.
    pub new_dump: bool,
    /// Withdraws the packages of earlier runs.
    pub no_dump: bool,
    /// Withdraws the notification channels of earlier runs.
    pub no_hub: bool,
    /// Compresses the documents with gzip.
    pub gzip: bool,
    /// When the open Change List is closed; by default at 10,000 changes, or 1,000 if changes are stated.
    pub rotate: Option<Rotate>,
    /// Number of closed Change Lists to keep; all by default.
    pub keep: Option<NonZeroUsize>,
    /// Number of earlier generations to keep.
    pub keep_generations: u64,
    /// The time of the run; now by default.
    pub at: Option<Datetime>,
    /// Stated changes are learnt of late: a time that cannot be that of a change of this run is replaced with that of the run.
    pub lenient_times: bool,
    /// Findings that do not stop the run.
    pub ignore: Vec<Selector>,
    /// The lowest severity of findings that stops the run; less severe ones are in the summary.
    pub fail_on: Severity,
    /// Reads every file again.
    pub rehash: bool,
    /// Publishes even if nothing changed.
    pub force: bool,
    /// Maximum deletions; by default 20, or a tenth of the published resources, but never all of them.
    pub max_delete: Option<Amount>,
    /// Required number of entries: an exact number, or a minimum percentage of the published resources.
    pub expect_entries: Option<Amount>,
    /// Only reports what would change.
    pub dry_run: bool,
    /// How long to wait for another run.
    pub wait: Duration,
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
            index: None,
            about: None,
            channels: None,
            dump: false,
            lists: true,
            new_dump: false,
            no_dump: false,
            no_hub: false,
            gzip: false,
            rotate: None,
            keep: None,
            keep_generations: 0,
            at: None,
            lenient_times: false,
            ignore: Vec::new(),
            fail_on: Severity::Info,
            rehash: false,
            force: false,
            max_delete: None,
            expect_entries: None,
            dry_run: false,
            wait: Duration::ZERO,
        }
    }

    /// Continues with the options of earlier runs, where others are not given.
    pub(crate) fn continue_with(&mut self, state: &State) {
        let Some(remembered) = &state.remembered else { return };
        let known = |name: &String| Algorithm::KNOWN.into_iter().find(|known| known.as_str() == name);
        let hash = remembered.hash.iter().filter_map(known).collect();
        self.resources.hash = hash;
        self.describedby = self.describedby.take().or_else(|| remembered.describedby.clone());
        self.dump |= remembered.dump && !self.no_dump;
        if self.channels.is_none() && !self.no_hub && !remembered.hubs.is_empty() {
            self.channels = Some(Channels { hubs: remembered.hubs.clone(), topics_uri: remembered.topics.clone() });
        }
        self.rotate = self.rotate.or_else(|| remembered.rotate.as_ref()?.parse().ok());
        self.keep = self.keep.or_else(|| NonZeroUsize::new(remembered.keep?));
        self.keep_generations = self.keep_generations.max(remembered.generations);
    }

    /// What later runs continue with.
    pub(crate) fn remembered(&self, snapshot: Option<Snapshot>) -> Remembered {
        let channels = self.channels.as_ref().filter(|channels| !channels.hubs.is_empty());
        Remembered {
            hash: self.resources.hash.iter().map(|algorithm| algorithm.as_str().to_owned()).collect(),
            describedby: self.describedby.clone(),
            dump: self.dump,
            hubs: channels.map(|channels| channels.hubs.clone()).unwrap_or_default(),
            topics: channels.and_then(|channels| channels.topics_uri.clone()),
            rotate: self.rotate.map(|rotate| rotate.to_string()),
            keep: self.keep.map(NonZeroUsize::get),
            generations: self.keep_generations,
            snapshot: snapshot.map(|snapshot| snapshot.to_string()),
        }
    }

    /// The base of the documents' URIs.
    #[must_use]
    pub fn documents(&self) -> &Uri {
        self.documents_uri.as_ref().unwrap_or(&self.resources.base_uri)
    }
}
