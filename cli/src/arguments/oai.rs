//! The options of `resourcesync oai`.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::{ArgAction, Args, ValueHint};
use resourcesync::{
    diagnostic::Severity,
    report::{FamilySelector, Format, Lang, Profile},
};
use resourcesync_client::oai::Storage;
use resourcesync_oai::{
    harvest::{Amount, MaxDelete, OnLoop, Reconcile, Window},
    page::Repair,
    stamp::Stamp,
};

use super::{Printing, Servers, examples, values};

const SELECTION: &str = "Selection";
const STORE: &str = "Store";
const TRUST: &str = "Completeness";
const PACE: &str = "Requests";
const REPORT: &str = "Report";
const CHECKS: &str = "Checks";

/// The shared options.
#[derive(Debug, Default, Args)]
pub(crate) struct OaiCommon {
    /// Seconds between a response and the next request [default: from http_requests_per_second]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, help_heading = PACE)]
    pub(crate) delay: Option<u64>,
    /// Longest single wait in seconds, of any cause; the run ends before a longer one [default: 300]
    #[arg(long, value_name = "SECONDS", help_heading = PACE)]
    pub(crate) max_wait: Option<u64>,
    /// Stop after this time, e.g. 90s, 10m, 2h or 1d; the next run of a harvest continues
    #[arg(long, value_name = "DURATION", value_parser = values::duration, help_heading = PACE)]
    pub(crate) max_time: Option<Duration>,
    /// Send all requests as forms (POST)
    #[arg(long, help_heading = PACE)]
    pub(crate) post: bool,
    /// Override a limit, e.g. oai_record_bytes=100000000; repeatable (see `resourcesync help limits`)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::oai_limit)]
    pub(crate) limit: Vec<(&'static str, u64)>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// For tests against loopback servers: waits are counted, not slept
    #[arg(long, hide = true)]
    pub(crate) skip_waits: bool,
    #[command(flatten)]
    pub(crate) servers: Servers,
    /// Write every response to a recording, an HTTP Archive (HAR)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "replay", help_heading = super::http::HTTP)]
    pub(crate) record: Option<PathBuf>,
    /// Read every response from a recording, without network access
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = super::http::HTTP)]
    pub(crate) replay: Option<PathBuf>,
}

/// `oai identify`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::OAI_IDENTIFY)]
pub(crate) struct OaiIdentify {
    /// The base URL of the repository
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    /// Output format: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) common: OaiCommon,
}

/// Output formats of lists and descriptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Plain {
    /// For reading in a terminal
    #[default]
    Text,
    /// As JSON; lists as one value per line
    Json,
}

/// `oai list`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::OAI_LIST)]
pub(crate) struct OaiList {
    /// The base URL of the repository, or the folder of a store
    #[arg(value_name = "URL|DIR", value_hint = ValueHint::AnyPath)]
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) what: Listing,
    /// Metadata format of the identifiers
    #[arg(long, value_name = "PREFIX", default_value = "oai_dc")]
    pub(crate) prefix: String,
    /// Set of the identifiers
    #[arg(long, value_name = "SET")]
    pub(crate) set: Option<String>,
    /// Output format: tab-separated columns (text) or one JSON value per line (json)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) common: OaiCommon,
}

/// What is listed; identifiers by default.
#[derive(Debug, Clone, Copy, Args)]
#[group(multiple = false)]
pub(crate) struct Listing {
    /// Metadata formats
    #[arg(long)]
    pub(crate) formats: bool,
    /// Sets
    #[arg(long)]
    pub(crate) sets: bool,
    /// Identifiers, with datestamps and sets
    #[arg(long)]
    pub(crate) identifiers: bool,
    /// Of a store: only records that were deleted or left the set
    #[arg(long)]
    pub(crate) deleted: bool,
    /// Of a store: damaged records, with the reason
    #[arg(long)]
    pub(crate) quarantined: bool,
}

/// `oai get`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::OAI_GET)]
pub(crate) struct OaiGet {
    /// The base URL of the repository
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    /// Identifiers of the records
    #[arg(value_name = "IDENTIFIER", required = true)]
    pub(crate) identifiers: Vec<String>,
    /// Metadata format
    #[arg(long, value_name = "PREFIX", default_value = "oai_dc")]
    pub(crate) prefix: String,
    /// Add inherited namespace declarations, so that the metadata parses as a document of its own
    #[arg(long)]
    pub(crate) standalone: bool,
    /// Output format: the metadata (text), or header, metadata and about as one JSON value per line (json)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) common: OaiCommon,
}

/// `oai harvest`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::OAI_HARVEST)]
pub(crate) struct OaiHarvest {
    /// Base URLs of repositories, or the folders of stores to continue, or a folder that contains stores
    #[arg(value_name = "URL|DIR", value_hint = ValueHint::AnyPath, required_unless_present = "repositories")]
    pub(crate) targets: Vec<String>,
    /// Harvest the repositories of a CSV file with the columns url, prefix, set, contact
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "into", conflicts_with = "targets")]
    pub(crate) repositories: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) harvesting: Harvesting,
    /// Stop after N records
    #[arg(long, value_name = "N", help_heading = SELECTION)]
    pub(crate) max_records: Option<u64>,
    /// Store the records in this folder, one subfolder per repository if there are several
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = STORE)]
    pub(crate) into: Option<PathBuf>,
    /// One file per record (files), or lines of JSON (jsonl) [default: files]
    #[arg(long, value_name = "STORE", value_parser = values::storage(), help_heading = STORE, requires = "into")]
    pub(crate) store: Option<Storage>,
    /// Show the first list request, and harvest nothing
    #[arg(long, conflicts_with_all = ["keep_pages", "repositories"])]
    pub(crate) dry_run: bool,
    /// Format of the summary: text, json, csv or markdown
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: Tabular,
    /// Repositories harvested in parallel; requests to one host are sequential
    #[arg(long, value_name = "N", default_value = "8", help_heading = PACE)]
    pub(crate) jobs: NonZeroUsize,
    #[command(flatten)]
    pub(crate) common: OaiCommon,
}

/// What is harvested, and when a harvest is complete.
#[derive(Debug, Args)]
pub(crate) struct Harvesting {
    /// Metadata format; repeatable; `a|b` for the first one that is offered; `all` for every one [default: oai_dc]
    #[arg(long, value_name = "PREFIX", help_heading = SELECTION)]
    pub(crate) prefix: Vec<String>,
    /// Set; repeatable
    #[arg(long, value_name = "SET", help_heading = SELECTION)]
    pub(crate) set: Vec<String>,
    /// Only records changed since this day or second (the OAI-PMH argument `from`)
    #[arg(long, value_name = "DATE", value_parser = values::stamp, help_heading = SELECTION)]
    pub(crate) since: Option<Stamp>,
    /// Only records changed until this day or second
    #[arg(long, value_name = "DATE", value_parser = values::stamp, help_heading = SELECTION)]
    pub(crate) until: Option<Stamp>,
    /// Also store deleted records that were never harvested
    #[arg(long, help_heading = STORE)]
    pub(crate) tombstones: bool,
    /// Keep every response in a recording below pages/, for --replay
    #[arg(long, help_heading = STORE, conflicts_with_all = ["record", "replay"])]
    pub(crate) keep_pages: bool,

    /// Split lists by date: auto, none, year, month, week, day or hour
    #[arg(long, value_name = "LENGTH", default_value = "auto", value_parser = values::window(), help_heading = TRUST, hide_possible_values = true)]
    pub(crate) window: Window,
    /// Overlap with the previous harvest, e.g. 90s, 10m, 2h or 1d
    #[arg(long, value_name = "DURATION", value_parser = values::duration_seconds, help_heading = TRUST)]
    pub(crate) overlap: Option<u64>,
    /// How often to look for unreported deletions: auto, never, now, or a DURATION
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = values::reconcile, help_heading = TRUST)]
    pub(crate) reconcile: Reconcile,
    /// Maximum number of missing records that one run may delete: N, N% or all [default: 20 or 10%]
    #[arg(long, value_name = "N|N%|all", value_parser = values::max_delete, help_heading = TRUST)]
    pub(crate) max_delete: Option<MaxDelete>,
    /// Repair damaged records: none, characters or all
    #[arg(long, value_name = "WHAT", default_value = "none", value_parser = values::repair(), help_heading = TRUST, hide_possible_values = true)]
    pub(crate) repair: Repair,
    /// Maximum number of damaged or otherwise owed records in a complete harvest
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = TRUST)]
    pub(crate) allow_quarantine: u64,
    /// Maximum shortfall from completeListSize: N or N%
    #[arg(long, value_name = "N|N%", default_value = "0", value_parser = values::amount, help_heading = TRUST)]
    pub(crate) tolerance: Amount,
    /// What to do if a list never ends: stop, or window to split it by date
    #[arg(long, value_name = "WHAT", default_value = "stop", value_parser = values::on_loop(), help_heading = TRUST, hide_possible_values = true)]
    pub(crate) on_loop: OnLoop,
    /// Exit with 1 if a note has this severity: error or warning
    #[arg(long, value_name = "SEVERITY", value_parser = values::fail_on(), hide_possible_values = true)]
    pub(crate) fail_on: Option<Severity>,
}

/// Formats of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Tabular {
    /// For reading in a terminal
    Text,
    /// As JSON
    Json,
    /// For a spreadsheet
    Csv,
    /// For a web page or an issue
    Markdown,
}

impl OaiHarvest {
    /// The language of the summary.
    pub(crate) fn lang(&self) -> Lang {
        match self.format {
            Tabular::Json => self.common.printing.terminal.language.for_programs(),
            _ => self.common.printing.terminal.language.for_people(),
        }
    }
}

/// `oai validate`.
#[derive(Debug, Args)]
#[command(
    after_long_help = examples::OAI_VALIDATE,
    mut_arg("output", |arg| {
        arg.action(ArgAction::Append)
            .help("Write the preceding --format to FILE instead of standard output; repeatable")
            .long_help(None)
            .help_heading(REPORT)
    }),
    // Both methods are tried.
    mut_arg("post", |arg| arg.hide(true)),
)]
pub(crate) struct OaiValidate {
    /// The base URL of a repository, or files with responses (`-` for standard input), each checked by itself
    #[arg(value_name = "URL|FILE", value_hint = ValueHint::AnyPath, required = true)]
    pub(crate) targets: Vec<String>,

    /// Report format; repeatable
    ///
    /// Each --output belongs to the --format before it. Machine-readable formats are always in English; --lang applies to text,
    /// markdown, html and csv. `markdown` is a text to send to the operators of a repository.
    #[arg(long, value_name = "FORMAT", value_parser = values::format(), help_heading = REPORT)]
    pub(crate) format: Vec<Format>,
    /// Maximum number of findings shown and stored per code and response; 0 for all
    #[arg(long, value_name = "N", help_heading = REPORT)]
    pub(crate) max_per_rule: Option<u64>,
    /// Report only findings that an earlier JSON report does not contain
    ///
    /// Create it with --format json --max-per-rule 0; reports with omitted findings are rejected.
    #[arg(long, value_name = "REPORT", help_heading = REPORT, value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,

    /// Severity profile: standard or strict
    #[arg(long, value_name = "PROFILE", value_parser = values::oai_profile(), hide_possible_values = true, help_heading = CHECKS)]
    pub(crate) profile: Option<Profile>,
    /// Report only these codes, families (OAI), rules (admin-email), or `derived`
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::oai_selector, help_heading = CHECKS)]
    pub(crate) select: Vec<FamilySelector>,
    /// Do not report these codes, families, rules, or `derived`
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::oai_selector, help_heading = CHECKS)]
    pub(crate) ignore: Vec<FamilySelector>,
    /// Set the severity of a code, family or rule to error, warning or info; repeatable
    #[arg(long, value_name = "CODE=LEVEL", value_delimiter = ',', value_parser = values::oai_severity, help_heading = CHECKS)]
    pub(crate) severity: Vec<(FamilySelector, Severity)>,
    /// Exit with 1 if there are findings of this severity or above: error (default) or warning
    #[arg(long, value_name = "SEVERITY", value_parser = values::fail_on(), hide_possible_values = true, help_heading = CHECKS)]
    pub(crate) fail_on: Option<Severity>,

    #[command(flatten)]
    pub(crate) common: OaiCommon,
}
