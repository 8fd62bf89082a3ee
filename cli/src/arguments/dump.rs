//! The options of `resourcesync dump`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueHint};
use resourcesync::{
    diagnostic::Severity,
    report::Selector,
    value::{Datetime, Uri},
};

use resourcesync_client::publish::DumpOptions;

use super::{Plain, Printing, Resources, examples, values};

const PACKAGES: &str = "Packages";

/// What a run reads; one of them.
const INPUTS: [&str; 4] = ["folder", "from_csv", "from_jsonl", "stdin"];

/// `dump`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::DUMP, group = ArgGroup::new("input").required(true).args(INPUTS))]
pub(crate) struct Dump {
    /// The resources.
    #[command(flatten)]
    pub(crate) resources: Resources,
    /// The URI at which DIR is published
    #[arg(long, value_name = "URI", value_parser = values::base)]
    pub(crate) base_uri: Uri,

    /// The folder for packages and documents: new or empty
    #[arg(long, value_name = "DIR", help_heading = PACKAGES, value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// The URI at which --out is published [default: --base-uri]
    #[arg(long, value_name = "URI", value_parser = values::base, help_heading = PACKAGES)]
    pub(crate) documents_uri: Option<Uri>,
    /// Maximum number of bitstreams per package
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = PACKAGES)]
    pub(crate) package_entries: Option<u64>,
    /// Maximum size of the bitstreams in a package; a larger bitstream gets its own package
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..), help_heading = PACKAGES)]
    pub(crate) package_bytes: Option<u64>,
    /// Use this time as the time of the run, in UTC
    #[arg(long, value_name = "DATETIME", value_parser = values::moment, help_heading = PACKAGES)]
    pub(crate) at: Option<Datetime>,
    /// Write despite findings of these codes, families or rules
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::selector, help_heading = PACKAGES)]
    pub(crate) ignore: Vec<Selector>,
    /// Refuse findings of this severity or above: error (default), warning or info; the others are reported
    #[arg(long, value_name = "SEVERITY", default_value = "error", hide_default_value = true, value_parser = values::refused(),
        hide_possible_values = true, help_heading = PACKAGES)]
    pub(crate) fail_on: Severity,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true, help_heading = PACKAGES)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

impl Dump {
    /// What to package, and how.
    pub(crate) fn options(&self) -> DumpOptions {
        DumpOptions {
            resources: self.resources.options(&self.base_uri),
            out: self.out.clone(),
            documents_uri: self.documents_uri.clone(),
            max_package_entries: self.package_entries,
            max_package_bytes: self.package_bytes,
            at: self.at.clone(),
            ignore: self.ignore.clone(),
            fail_on: self.fail_on,
        }
    }
}
