//! The options of `resourcesync list` and `resourcesync extract`.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Args, ValueHint};

use super::{Http, Plain, Printing, examples, values};

/// `list`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::LIST)]
pub(crate) struct List {
    /// A dump package (ZIP): a file, a URL, or `-` for standard input
    #[arg(value_name = "PACKAGE", value_hint = ValueHint::FilePath)]
    pub(crate) package: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: ListFormat,
    /// Do not unpack the members; their state is then `unchecked`
    #[arg(long)]
    pub(crate) no_fixity: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Formats of `list`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ListFormat {
    /// One line for each member and each of its resources
    Text,
    /// All details, in the format described in docs/packages.md
    Json,
}

/// `extract`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::EXTRACT)]
pub(crate) struct Extract {
    /// A dump package (ZIP): a file, a URL, or `-` for standard input
    #[arg(value_name = "PACKAGE", value_hint = ValueHint::FilePath)]
    pub(crate) package: PathBuf,
    /// The folder to extract to; created if it does not exist
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Extract only bitstreams of resources with this URI; `*` matches any text; repeatable
    #[arg(long, value_name = "PATTERN")]
    pub(crate) uri: Vec<String>,
    /// Replace existing files
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Verify the package and print what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Output format: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The options of both.
#[derive(Debug, Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// Number of members to unpack in parallel [default: number of processors]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Override a limit, e.g. package_bytes=100000000000; repeatable (see `resourcesync help limits`)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit)]
    pub(crate) limit: Vec<(&'static str, u64)>,

    /// The options of HTTP.
    #[command(flatten)]
    pub(crate) http: Http,
}
