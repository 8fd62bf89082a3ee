//! The options of `resourcesync sync`, `resourcesync audit` and `resourcesync inventory`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueHint};
use resourcesync::value::Uri;
use resourcesync_sync::{Layout, Map, guard::MaxDelete};

use super::{Printing, Servers, examples, values};

const DELETIONS: &str = "Deletions";
const FILES: &str = "Files";
const SELECTION: &str = "Selection";

/// `sync`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::SYNC)]
pub(crate) struct Sync {
    /// The Source: a host, page, Source Description, Capability List or Resource List (later runs may omit it); and the folder
    #[arg(value_name = "[URI] DIR", num_args = 1..=2, required = true, value_hint = ValueHint::DirPath)]
    pub(crate) targets: Vec<String>,
    /// Read the documents, compare, and print what would be done; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Compare everything, even if no document changed; finds files that were changed or removed locally
    #[arg(long)]
    pub(crate) full: bool,
    /// Which lists to read after the first run: auto, list (Resource Lists, then the changes since) or changes (only Change Lists)
    #[arg(long, value_name = "PLAN", default_value = "auto", value_enum, hide_possible_values = true)]
    pub(crate) plan: PlanWord,
    /// Keep following the Source: run again as soon as its documents expire, at least this long after the last run [default: 5m]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, num_args = 0..=1, default_missing_value = "5m",
        require_equals = true, conflicts_with_all = ["dry_run", "full", "rebuild", "relayout", "replay"])]
    pub(crate) watch: Option<Duration>,
    /// Reject resources without a listed digest
    #[arg(long)]
    pub(crate) require_hash: bool,
    /// Accept lists and changes that are older than those of the previous run
    #[arg(long)]
    pub(crate) accept_older: bool,
    /// Report a Source whose newest list or change is older than this, as 30d (SYN-07)
    #[arg(long, value_name = "DURATION", value_parser = values::duration)]
    pub(crate) max_age: Option<Duration>,
    /// What to do with a resource that is newer than its list: refuse (keep the copy of before) or accept
    #[arg(long, value_name = "HOW", default_value = "refuse", value_enum, hide_possible_values = true)]
    pub(crate) newer: Newer,
    /// Wait this long for another run on the folder to end
    #[arg(long, value_name = "DURATION", value_parser = values::duration)]
    pub(crate) wait: Option<Duration>,

    /// Only this Capability List of the Source; repeatable; the first run decides
    #[arg(long, value_name = "URI", value_parser = values::uri, help_heading = SELECTION)]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) selected: Selected,

    /// Keep everything that is no longer listed
    #[arg(long, help_heading = DELETIONS, conflicts_with = "max_delete")]
    pub(crate) no_delete: bool,
    /// Maximum number of deletions per run: N or N% [default: 20, or 10% if that is more]
    #[arg(long, value_name = "N|N%", value_parser = values::deletions, help_heading = DELETIONS)]
    pub(crate) max_delete: Option<MaxDelete>,
    /// Keep deleted files at least this long, as 30d [default: until the next run that ends in step]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, help_heading = DELETIONS)]
    pub(crate) trash: Option<Duration>,

    /// How files are named: uri, portable or hash; the first run decides [default: uri]
    #[arg(long, value_name = "LAYOUT", value_parser = values::layout(), help_heading = FILES, hide_possible_values = true)]
    pub(crate) layout: Option<Layout>,
    /// A folder, below DIR, for the URIs that begin with a prefix; repeatable; the first run decides
    #[arg(long, value_name = "PREFIX=FOLDER", value_parser = values::place, help_heading = FILES)]
    pub(crate) place: Vec<Map>,
    /// Rename the files to another --layout or --place
    #[arg(long, help_heading = FILES, conflicts_with = "dry_run")]
    pub(crate) relayout: bool,
    /// Keep the state in this folder, as on another disk; name it in every run
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub(crate) state: Option<PathBuf>,
    /// Make the state again from the files and the lists; files that differ are fetched
    #[arg(long, help_heading = FILES, conflicts_with = "dry_run")]
    pub(crate) rebuild: bool,
    /// Take over files that are there already, if they have the listed digests
    #[arg(long, help_heading = FILES)]
    pub(crate) adopt: bool,
    /// Replace foreign files, which are moved to the trash
    #[arg(long, help_heading = FILES)]
    pub(crate) overwrite: bool,
    /// Sync files to disk: group (all files, in groups) or none
    #[arg(long, value_name = "HOW", default_value = "group", value_enum, help_heading = FILES, hide_possible_values = true)]
    pub(crate) durability: Durability,

    /// Stop fetching after N bytes; the next run continues
    #[arg(long, value_name = "N")]
    pub(crate) max_bytes: Option<u64>,
    /// Stop fetching after this time, e.g. 90s, 10m, 2h or 1d; the next run continues
    #[arg(long, value_name = "DURATION", value_parser = values::duration)]
    pub(crate) max_time: Option<Duration>,
    /// Output format: text, json, or ndjson with one line per resource
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: SyncFormat,
    /// Append a line of JSON for each resource, and the report, to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) log: Option<PathBuf>,
    /// Record the responses to requests for documents
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "replay")]
    pub(crate) record: Option<PathBuf>,
    /// Read the documents from a recording; resources are fetched as always
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) replay: Option<PathBuf>,
    /// Resources in the report; the rest are counted
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) max_listed: usize,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// Override a limit, e.g. http_requests_per_second=20; repeatable (see `resourcesync help limits`)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit)]
    pub(crate) limit: Vec<(&'static str, u64)>,
    #[command(flatten)]
    pub(crate) servers: Servers,
}

/// Which of the listed resources are meant.
#[derive(Debug, Args)]
pub(crate) struct Selected {
    /// Only resources whose path, or whole URI if it has `://`, matches; repeatable
    #[arg(long, value_name = "GLOB", help_heading = SELECTION)]
    pub(crate) include: Vec<String>,
    /// No resources whose path, or whole URI if it has `://`, matches; repeatable
    #[arg(long, value_name = "GLOB", help_heading = SELECTION)]
    pub(crate) exclude: Vec<String>,
    /// Only resources listed with this media type, as text/plain or image/*; repeatable
    #[arg(long = "type", value_name = "TYPE", help_heading = SELECTION)]
    pub(crate) media_type: Vec<String>,
    /// Only resources that link to this collection; repeatable
    #[arg(long, value_name = "URI", value_parser = values::uri, help_heading = SELECTION)]
    pub(crate) collection: Vec<String>,
    /// No resources with a greater listed length, in bytes
    #[arg(long, value_name = "N", help_heading = SELECTION)]
    pub(crate) max_length: Option<u64>,
}

/// The lists that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PlanWord {
    /// Change Lists where they continue the last run, else Resource Lists
    Auto,
    /// Resource Lists, then the changes since
    List,
    /// Only Change Lists; missing changes are reported
    Changes,
}

/// What happens to a resource that is newer than its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Newer {
    /// The copy of before is kept until a list describes the new one
    Refuse,
    /// It is stored without being verified
    Accept,
}

/// What survives a power failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Durability {
    /// Every file before it is placed
    Group,
    /// Never
    None,
}

/// Formats of `sync` and `audit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SyncFormat {
    /// For reading in a terminal
    Text,
    /// The report as JSON
    Json,
    /// One line of JSON per resource, then the report
    Ndjson,
}

/// `audit`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::AUDIT)]
pub(crate) struct Audit {
    /// The Source, which may be omitted, and the folder of the copy
    #[arg(value_name = "[URI] DIR", num_args = 1..=2, required = true, value_hint = ValueHint::DirPath)]
    pub(crate) targets: Vec<String>,
    /// Compare with the state of the copy only, without network access
    #[arg(long)]
    pub(crate) offline: bool,
    /// Compare size and time instead of reading the files
    #[arg(long)]
    pub(crate) quick: bool,
    /// Fetch resources of which neither digest nor length is listed, and compare their bytes; nothing is stored
    #[arg(long, conflicts_with = "offline")]
    pub(crate) download: bool,
    /// If there are differences, run `sync --full`, which also fetches damaged files again
    #[arg(long, conflicts_with = "offline")]
    pub(crate) repair: bool,
    /// The folder of the state, if `sync` was run with --state
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) state: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) selected: Selected,

    /// Output format: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: super::Plain,
    /// Differences in the report; the rest are counted
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) max_listed: usize,
    /// Also name the files that are not of the copy
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// Override a limit, e.g. http_requests_per_second=20; repeatable (see `resourcesync help limits`)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit)]
    pub(crate) limit: Vec<(&'static str, u64)>,
    #[command(flatten)]
    pub(crate) servers: Servers,
}

/// `inventory`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::INVENTORY)]
pub(crate) struct Inventory {
    /// The folder of the copy
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// The folder of the state, if `sync` was run with --state
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) state: Option<PathBuf>,
    /// Output format: jsonl or csv for `build`, sha256sum for `sha256sum --check`
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", value_enum, hide_possible_values = true)]
    pub(crate) format: InventoryFormat,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// Publish the files under this URI: it takes the place of DIR, and `via` links name the resources at their Source
    #[arg(long, value_name = "URI", value_parser = values::base)]
    pub(crate) base_uri: Option<Uri>,
    /// No `via` links
    #[arg(long, requires = "base_uri")]
    pub(crate) no_via: bool,
}

/// Formats of `inventory`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum InventoryFormat {
    /// A line of JSON for each resource
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
    /// Digests and file names
    Sha256sum,
}
