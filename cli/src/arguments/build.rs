//! The options of `resourcesync build`.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{ArgGroup, Args, ValueHint};
use resourcesync::{
    diagnostic::Severity,
    report::Selector,
    value::{Datetime, Uri},
};

use resourcesync_client::publish::{self, Amount, Glob, Rotate, State};

use super::{FromSitemap, Http, Hubs, Plain, Printing, Resources, Stated, WatchedFolder, examples, values};

const PUBLICATION: &str = "Publication";

/// What a run reads; at least one of them.
const INPUTS: [&str; 9] = [
    "folder",
    "from_csv",
    "from_jsonl",
    "stdin",
    "from_sitemap",
    "changes",
    "snapshot",
    "verify_state",
    "rebuild_state",
];

/// What has hubs: those that are given, or those of earlier runs.
const NOTIFIED: [&str; 3] = ["hub", "changes", "snapshot"];

/// `build`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::BUILD, groups = [
    ArgGroup::new("input").required(true).multiple(true).args(INPUTS),
    ArgGroup::new("notified").multiple(true).args(NOTIFIED),
])]
pub(crate) struct Build {
    /// The resources.
    #[command(flatten)]
    pub(crate) resources: Resources,
    /// The URI at which DIR is published; with --changes needed only in the first run
    #[arg(long, value_name = "URI", value_parser = values::base,
        required_unless_present_any = ["changes", "snapshot", "verify_state"])]
    pub(crate) base_uri: Option<Uri>,
    #[command(flatten)]
    pub(crate) sitemap: FromSitemap,
    /// Changes.
    #[command(flatten)]
    pub(crate) stated: Stated,
    #[command(flatten)]
    pub(crate) watched: WatchedFolder,

    /// The folder for the documents: new, empty, or created by this command
    ///
    /// The state for the next run is kept next to it, in a folder with the suffix `.resourcesync`, which must not be published.
    #[arg(long, value_name = "DIR", help_heading = PUBLICATION, value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// The URI at which --out is published [default: --base-uri]
    #[arg(long, value_name = "URI", value_parser = values::base, help_heading = PUBLICATION)]
    pub(crate) documents_uri: Option<Uri>,
    /// Publish matching files as a set; repeatable, the first match counts
    ///
    /// `*` and `?` match within a name, `**` matches across folders. A pattern without a slash is matched against the file
    /// name. Files that match no pattern are not published.
    #[arg(long, value_name = "NAME=GLOB", value_parser = values::set, help_heading = PUBLICATION)]
    pub(crate) set: Vec<(String, Glob)>,
    /// The URI of a document that describes the Source; by default a page `about.html` is written
    #[arg(long, value_name = "URI", value_parser = values::uri, help_heading = PUBLICATION)]
    pub(crate) describedby: Option<String>,
    /// Also publish packages: a Resource Dump in the first run, a Change Dump in each run with changes
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) dump: bool,
    /// Write a new Resource Dump; the Change Dump continues
    #[arg(long, requires = "dump", help_heading = PUBLICATION)]
    pub(crate) new_dump: bool,
    /// Withdraw the packages that earlier runs published with --dump
    #[arg(long, conflicts_with = "dump", help_heading = PUBLICATION)]
    pub(crate) no_dump: bool,
    /// Compress the documents with gzip
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) gzip: bool,
    /// Close the open Change List at N changes, or at an age such as 12h, 7d or 4w [default: 10000, with --changes 1000]
    #[arg(long, value_name = "N|AGE", value_parser = values::rotate, help_heading = PUBLICATION)]
    pub(crate) rotate: Option<Rotate>,
    /// Number of closed Change Lists to keep published, with the packages of their changes [default: all]
    #[arg(long, value_name = "N", help_heading = PUBLICATION)]
    pub(crate) keep: Option<NonZeroUsize>,
    /// Number of earlier generations to keep for a rollback
    #[arg(long, value_name = "N", default_value = "0", help_heading = PUBLICATION)]
    pub(crate) keep_generations: u64,
    /// Use this time as the time of the run, in UTC
    #[arg(long, value_name = "DATETIME", value_parser = values::moment, help_heading = PUBLICATION)]
    pub(crate) at: Option<Datetime>,
    /// Publish despite findings of these codes, families or rules, e.g. AT-13 (unregistered media types)
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::selector, help_heading = PUBLICATION)]
    pub(crate) ignore: Vec<Selector>,
    /// Refuse findings of this severity or above: error (default), warning or info; the others are reported
    #[arg(long, value_name = "SEVERITY", default_value = "error", hide_default_value = true, value_parser = values::refused(),
        hide_possible_values = true, help_heading = PUBLICATION)]
    pub(crate) fail_on: Severity,
    /// Maximum number of deletions, absolute or as a percentage of the published resources
    ///
    /// With more deletions nothing is published and the exit status is 1, since the input is probably incomplete. The default is 20
    /// or a tenth of the published resources, but never all of them.
    #[arg(long, value_name = "N|N%", help_heading = PUBLICATION)]
    pub(crate) max_delete: Option<Amount>,
    /// Required number of resources: exactly N, or at least N% of the published ones
    #[arg(long, value_name = "N|N%", help_heading = PUBLICATION)]
    pub(crate) expect_entries: Option<Amount>,
    /// Read every file again, even if its length and modification time have not changed
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) rehash: bool,
    /// Publish even if nothing has changed
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) force: bool,
    /// Check the state and the published documents against their digests, without publishing
    #[arg(long, help_heading = PUBLICATION, conflicts_with = "rebuild_state")]
    pub(crate) verify_state: bool,
    /// Rebuild a damaged or lost state from the published documents, without publishing
    #[arg(long, help_heading = PUBLICATION, conflicts_with = "dry_run")]
    pub(crate) rebuild_state: bool,
    /// List the changes without publishing them; what only the documents show, such as findings, is not checked
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) dry_run: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true, help_heading = PUBLICATION)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// The options of notifications.
    #[command(flatten)]
    pub(crate) hubs: Hubs,
    /// The options of HTTP requests.
    #[command(flatten)]
    pub(crate) http: Http,
}

impl Build {
    /// The options for the client.
    ///
    /// # Errors
    ///
    /// If there is no base URI.
    pub(crate) fn options(&self) -> Result<publish::Options, publish::Error> {
        self.continuing(None)
    }

    /// The options of a run that continues what a state describes.
    ///
    /// # Errors
    ///
    /// If there is no base URI.
    pub(crate) fn continuing(&self, state: Option<&State>) -> Result<publish::Options, publish::Error> {
        let published = |uri: fn(&State) -> &String| Uri::from_iri(uri(state?)).ok();
        let base = self.base_uri.clone().or_else(|| published(|state| &state.base_uri));
        let base = base.ok_or("--base-uri is required in the first run")?;
        let documents = self.documents_uri.clone().or_else(|| published(|state| &state.documents_uri));
        Ok(publish::Options {
            documents_uri: documents,
            sets: self.set.clone(),
            describedby: self.describedby.as_deref().and_then(|uri| Uri::from_iri(uri).ok()),
            channels: self.hubs.channels(),
            dump: self.dump,
            new_dump: self.new_dump,
            no_dump: self.no_dump,
            no_hub: self.hubs.no_hub,
            gzip: self.gzip || state.is_some_and(|state| state.suffix.ends_with(".gz")),
            rotate: self.rotate,
            keep: self.keep,
            keep_generations: self.keep_generations,
            at: self.at.clone(),
            ignore: self.ignore.clone(),
            fail_on: self.fail_on,
            rehash: self.rehash,
            force: self.force,
            max_delete: self.max_delete,
            expect_entries: self.expect_entries,
            dry_run: self.dry_run,
            wait: self.stated.wait.unwrap_or_default(),
            ..publish::Options::new(self.resources.options(&base), self.out.clone())
        })
    }
}
