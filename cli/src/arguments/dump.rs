//! The options of `resourcesync dump`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use resourcesync::{
    report::Selector,
    value::{Datetime, Uri},
};

use resourcesync_client::publish::DumpOptions;

use super::{Resources, examples, values};

const PACKAGES: &str = "Packages";

/// `dump`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::DUMP)]
pub(crate) struct Dump {
    /// Which resources there are.
    #[command(flatten)]
    pub(crate) resources: Resources,

    /// Where the packages and documents go: a new or empty folder
    #[arg(long, value_name = "DIR", help_heading = PACKAGES, value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// The URI at which --out is published, if not --base-uri
    #[arg(long, value_name = "URI", value_parser = values::base, help_heading = PACKAGES)]
    pub(crate) documents_uri: Option<Uri>,
    /// Bitstreams of a package, at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = PACKAGES)]
    pub(crate) package_entries: Option<u64>,
    /// Bytes of the bitstreams of a package, at most; a bitstream that is larger has a package of its own
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..), help_heading = PACKAGES)]
    pub(crate) package_bytes: Option<u64>,
    /// The time of the run instead of now, in UTC
    #[arg(long, value_name = "DATETIME", value_parser = values::moment, help_heading = PACKAGES)]
    pub(crate) at: Option<Datetime>,
    /// Write in spite of these findings: codes, families or rules
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::selector, help_heading = PACKAGES)]
    pub(crate) ignore: Vec<Selector>,
    /// Say only what is wrong
    #[arg(long, short, help_heading = PACKAGES)]
    pub(crate) quiet: bool,
}

impl Dump {
    /// What to package, and how.
    pub(crate) fn options(&self) -> DumpOptions {
        DumpOptions {
            resources: self.resources.options(),
            out: self.out.clone(),
            documents_uri: self.documents_uri.clone(),
            package_entries: self.package_entries,
            package_bytes: self.package_bytes,
            at: self.at.clone(),
            ignore: self.ignore.clone(),
        }
    }
}
