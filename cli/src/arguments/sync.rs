//! The options of `resourcesync sync`, `resourcesync audit` and `resourcesync inventory`.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::{Args, ValueHint};
use resourcesync::value::Uri;

use super::{
    Printing, Servers,
    declared::{All, Declared, Selected},
    examples, values,
};

/// `sync`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::SYNC)]
pub(crate) struct Sync {
    /// The Source: a host, page, Source Description, Capability List, Resource List or Resource Dump (later runs may omit it); and the folder.
    /// Without both, the Sources of the file of --config
    #[arg(value_name = "[URI] DIR", num_args = 0..=2, value_hint = ValueHint::DirPath)]
    pub(crate) targets: Vec<String>,
    #[command(flatten)]
    pub(crate) options: Declared<All>,
    /// Keep following the Source: run again as soon as its documents expire, at least this long after the last run [default: 5m]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, num_args = 0..=1, default_missing_value = "5m",
        require_equals = true, conflicts_with_all = ["dry-run", "full", "rebuild", "relayout", "replay"])]
    pub(crate) watch: Option<Duration>,
    /// Keep the state in this folder, as on another disk; name it in every run
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Files")]
    pub(crate) state: Option<PathBuf>,
    /// Keep the bytes in an object store: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX; the first run decides
    #[arg(long, value_name = "URI", help_heading = "Files")]
    pub(crate) copies: Option<String>,
    /// Save the state in that object store, too: the next run can be on another machine, with an empty DIR
    #[arg(long, conflicts_with = "history", help_heading = "Files")]
    pub(crate) save_state: bool,
    /// Output format: text, json, or ndjson with one line per resource
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: SyncFormat,
    /// Append a line of JSON for each resource, and the report, to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) log: Option<PathBuf>,
    /// Record the responses to requests for documents, as an HTTP Archive (HAR)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "replay")]
    pub(crate) record: Option<PathBuf>,
    /// Read the documents from a recording; resources are fetched as always
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) replay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// Override a limit, e.g. http_requests_per_second=20; repeatable (see `resourcesync help limits`)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit)]
    pub(crate) limit: Vec<(&'static str, u64)>,
    /// Sources synchronized in parallel, those of one host one after the other; with --config
    #[arg(long, value_name = "N", default_value = "8")]
    pub(crate) jobs: NonZeroUsize,
    #[command(flatten)]
    pub(crate) servers: Servers,
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
    /// Also fetch the originals that `via` links name, if their hosts are allowed, and compare the bytes; nothing is stored
    #[arg(long, conflicts_with = "offline")]
    pub(crate) via: bool,
    /// If there are differences, run `sync --full`, which also fetches damaged files again
    #[arg(long, conflicts_with = "offline")]
    pub(crate) repair: bool,
    /// The folder of the state, if `sync` was run with --state
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) state: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) selected: Declared<Selected>,

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
