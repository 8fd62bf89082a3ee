//! The options of `resourcesync merge`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use resourcesync::{diagnostic::Severity, report::Format};

use super::{Printing, examples, values};

/// `merge`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::MERGE)]
pub(crate) struct Merge {
    /// JSON reports of `validate`, in the order of their inputs
    ///
    /// All were created by this version, with the same profile, filters, limits and --max-per-rule, without --baseline. What
    /// is compared with each other belongs in one report: a dump and its packages, the files of a folder, a whole Source.
    #[arg(value_name = "REPORT", required_unless_present = "files_from", value_hint = ValueHint::FilePath)]
    pub(crate) reports: Vec<PathBuf>,
    /// Read the paths of reports from a file, one per line; `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Option<PathBuf>,
    /// Paths in --files-from are separated by NUL, as written by `find -print0`
    #[arg(short = '0', long, requires = "files_from")]
    pub(crate) null: bool,
    /// Output format [default: json]
    #[arg(long, value_name = "FORMAT", default_value = "json", hide_default_value = true, value_parser = values::format())]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// Exit with 1 if there are findings of this severity or above: error (default) or warning
    #[arg(long, value_name = "SEVERITY", value_parser = values::fail_on(), hide_possible_values = true)]
    pub(crate) fail_on: Option<Severity>,
}
