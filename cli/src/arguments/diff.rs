//! The options of `resourcesync diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use resourcesync::{diagnostic::Severity, value::Datetime};

use super::{Printing, examples, values};

const CHANGE_LIST: &str = "Change List";

/// `diff`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::DIFF)]
pub(crate) struct Diff {
    /// The old state: a Resource List, a folder of Resource Lists, or an inventory (.csv, .jsonl); `-` is standard input
    ///
    /// What standard input contains is detected by its start: `<` or gzip for a Resource List, `{` for JSON lines, anything else for CSV.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) old: PathBuf,
    /// The new state
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) new: PathBuf,

    /// Write a Change List that links to the Capability List at URI, instead of a line per change
    #[arg(long, value_name = "URI", value_parser = values::uri, help_heading = CHANGE_LIST)]
    pub(crate) up: Option<String>,
    /// Start of its interval [default: `at` of the old Resource List]
    #[arg(long, value_name = "DATETIME", value_parser = values::moment, requires = "up", help_heading = CHANGE_LIST)]
    pub(crate) since: Option<Datetime>,
    /// End of its interval; by default the list is open
    #[arg(long, value_name = "DATETIME", value_parser = values::moment, requires = "up", help_heading = CHANGE_LIST)]
    pub(crate) until: Option<Datetime>,
    /// Time of changes that `lastmod` does not determine [default: `at` of the new Resource List, or --until]
    #[arg(long, value_name = "DATETIME", value_parser = values::moment, requires = "up", help_heading = CHANGE_LIST)]
    pub(crate) at: Option<Datetime>,
    /// Refuse findings of this severity or above: error (default), warning or info; the others are reported
    #[arg(long, value_name = "SEVERITY", default_value = "error", hide_default_value = true, value_parser = values::refused(),
        hide_possible_values = true, help_heading = CHANGE_LIST)]
    pub(crate) fail_on: Severity,
    /// Output format: text, json (a report with all changed entries), or ndjson (one entry per line)
    ///
    /// With --up the entries are in the Change List, and json requires --output.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: DiffFormat,
    /// Exit with status 1 if there are changes
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// How changes are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// One line per change
    Text,
    /// A report with all changed entries
    Json,
    /// One entry per line, as JSON
    Ndjson,
}
