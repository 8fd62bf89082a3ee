//! The options of `resourcesync fix`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{Plain, Terminal, examples, values};

/// `fix`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::FIX)]
pub(crate) struct Fix {
    /// The document, or `-` for standard input
    ///
    /// Compressed documents are not supported. The document is read into memory.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Write the repaired document to OUT; `-` is standard output
    ///
    /// The file is replaced atomically when it is complete.
    #[arg(long, short, value_name = "OUT", conflicts_with = "in_place", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Atomically replace FILE with the repaired document
    #[arg(long, short)]
    pub(crate) in_place: bool,
    /// Also show the diff; this is the default without --output and --in-place
    #[arg(long)]
    pub(crate) diff: bool,
    /// Time zone to add to datetimes without one: Z, +09:00, -03:30 …
    ///
    /// By default such datetimes are not changed, since the time zone is ambiguous.
    #[arg(long, value_name = "ZONE", value_parser = values::zone, allow_hyphen_values = true)]
    pub(crate) zone: Option<i16>,
    /// Output format: text (the diff), or json (repairs and remaining findings)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: Plain,
    /// Override a limit, e.g. document_bytes=2000000000; repeatable (see `resourcesync help limits`)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit)]
    pub(crate) limit: Vec<(&'static str, u64)>,
    #[command(flatten)]
    pub(crate) terminal: Terminal,
}
