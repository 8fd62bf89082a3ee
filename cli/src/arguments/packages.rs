//! The options of `resourcesync list` and `resourcesync extract`.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Args, ValueHint};
use resourcesync::report::Lang;

use super::{examples, values};

/// `list`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::LIST)]
pub(crate) struct List {
    /// A dump package (ZIP), or `-` for one on standard input
    #[arg(value_name = "PACKAGE", value_hint = ValueHint::FilePath)]
    pub(crate) package: PathBuf,
    /// How to print it: a table, or everything as data
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: ListFormat,
    /// Do not unpack the members: what each turns out to be then stays unchecked
    #[arg(long)]
    pub(crate) no_fixity: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Formats of `list`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ListFormat {
    /// One line for each member and each resource that leads to it
    Text,
    /// Everything, in the shape that docs/packages.md describes
    Json,
}

/// `extract`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::EXTRACT)]
pub(crate) struct Extract {
    /// A dump package (ZIP), or `-` for one on standard input
    #[arg(value_name = "PACKAGE", value_hint = ValueHint::FilePath)]
    pub(crate) package: PathBuf,
    /// The folder to unpack into; made if it is not there
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Only the bitstreams of resources with this URI; `*` stands for any text; repeatable
    #[arg(long, value_name = "PATTERN")]
    pub(crate) uri: Vec<String>,
    /// Replace files that are there already
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Verify, and print what would be written, but write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What both have.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Language of the words: en or ja
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = values::lang(), hide_possible_values = true)]
    pub(crate) lang: Lang,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Members unpacked at the same time; all processors by default
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Move a limit, as in package_bytes=100000000000; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit, long_help = values::LIMIT_HELP.as_str())]
    pub(crate) limit: Vec<(&'static str, u64)>,
}
