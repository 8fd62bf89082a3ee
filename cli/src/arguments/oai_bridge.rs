//! The options of `resourcesync oai bridge`.

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{ArgGroup, Args, ValueHint};
use resourcesync::value::{Algorithm, Uri};
use resourcesync_client::{
    oai::bridge::BridgeOptions,
    publish::{Amount, Options, Origin, Resources, Rotate, Snapshot, sources_uri},
};
use resourcesync_oai::{
    bridge::{Element, Form},
    harvest::{self, MaxDelete},
};

use super::{Harvesting, Hubs, OaiCommon, Plain, examples, values};

const PUBLICATION: &str = "Publication";

/// `oai bridge`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::OAI_BRIDGE, groups = [ArgGroup::new("notified").multiple(true).args(["hub", "out"])])]
pub(crate) struct OaiBridge {
    /// The base URL of a repository, which is harvested first, or the folder of a store, whose records are published as they are
    #[arg(value_name = "URL|DIR", value_hint = ValueHint::AnyPath, required_unless_present = "repositories")]
    pub(crate) target: Option<String>,
    /// Publish the repositories of a CSV file with the columns url, prefix, set, contact: each as a Source in a folder of its own below
    /// --out, and one Source Description over them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "target")]
    pub(crate) repositories: Option<PathBuf>,
    /// The URI below which the records are served: each record is at its path in the store, such as records/oai_dc/…
    #[arg(long, value_name = "URI", value_parser = values::base)]
    pub(crate) base_uri: Uri,

    /// The folder for the documents: new, empty, or created by this command
    ///
    /// The state for the next run is kept next to it, in a folder with the suffix `.resourcesync`. The harvest of a URL is in its folder
    /// `harvest`.
    #[arg(long, value_name = "DIR", help_heading = PUBLICATION, value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
    /// What to publish: each record as a file (files), packages only (dump), or the GetRecord URLs of the repository, without digests
    /// (pointers)
    #[arg(long, value_name = "FORM", default_value = "files", value_parser = values::bridge_form(), help_heading = PUBLICATION,
        hide_possible_values = true)]
    pub(crate) form: Form,
    /// The URI at which --out is published [default: --base-uri]
    #[arg(long, value_name = "URI", value_parser = values::base, help_heading = PUBLICATION)]
    pub(crate) documents_uri: Option<Uri>,
    /// Link each record to the sets of its header
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) collections: bool,
    /// Link each record to what it describes: the http and https addresses in this element, e.g. dc:identifier
    #[arg(long, value_name = "NAME", help_heading = PUBLICATION)]
    pub(crate) describes: Option<Element>,
    /// Publish the records although the last harvest is not complete; the page of the Source says so
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) publish_incomplete: bool,
    /// Digests to list: md5, sha-1, sha-256, sha-384, sha-512, or none
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "sha-256", value_parser = values::algorithm,
        help_heading = PUBLICATION)]
    pub(crate) hash: Vec<Option<Algorithm>>,
    /// Also publish packages: a Resource Dump in the first run, a Change Dump in each run with changes
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) dump: bool,
    /// Withdraw the packages that earlier runs published with --dump
    #[arg(long, conflicts_with = "dump", help_heading = PUBLICATION)]
    pub(crate) no_dump: bool,
    /// Compress the documents with gzip
    #[arg(long, help_heading = PUBLICATION)]
    pub(crate) gzip: bool,
    /// Close the open Change List at N changes, or at an age such as 12h, 7d or 4w
    #[arg(long, value_name = "N|AGE", value_parser = values::rotate, help_heading = PUBLICATION)]
    pub(crate) rotate: Option<Rotate>,
    /// When to write the Resource Lists after changes: now, never, after an age such as 24h, or after N changes [default: now up to 50,000
    /// records, else once a day]
    #[arg(long, value_name = "WHEN", value_parser = values::snapshot, help_heading = PUBLICATION)]
    pub(crate) snapshot: Option<Snapshot>,
    /// Number of closed Change Lists to keep published, with the packages of their changes [default: all]
    #[arg(long, value_name = "N", help_heading = PUBLICATION)]
    pub(crate) keep: Option<NonZeroUsize>,
    /// Number of earlier generations to keep for a rollback
    #[arg(long, value_name = "N", default_value = "0", help_heading = PUBLICATION)]
    pub(crate) keep_generations: u64,
    /// Continue as a service: run again this long after the end of each run, or later if the repository asks for it [default: 1h]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, num_args = 0..=1, default_missing_value = "1h",
        require_equals = true, conflicts_with_all = ["max_time", "replay", "record"], help_heading = PUBLICATION)]
    pub(crate) watch: Option<Duration>,
    /// With --repositories: repositories harvested in parallel; requests to one host are sequential
    #[arg(long, value_name = "N", default_value = "8", requires = "repositories", help_heading = "Requests")]
    pub(crate) jobs: NonZeroUsize,
    /// Format of the result: text or json; with --repositories one line of JSON for each
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true, help_heading = PUBLICATION)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) harvesting: Harvesting,
    #[command(flatten)]
    pub(crate) common: OaiCommon,
    /// The options of notifications.
    #[command(flatten)]
    pub(crate) hubs: Hubs,
}

impl OaiBridge {
    /// The options for the client.
    pub(crate) fn options(&self) -> BridgeOptions {
        self.options_of(&self.base_uri, self.documents_uri.clone(), &self.out)
    }

    /// The same for a Source below, in the folder of this name.
    pub(crate) fn options_below(&self, name: &str) -> BridgeOptions {
        // The name of a folder consists of characters that need no encoding.
        let below = |uri: &Uri| format!("{uri}{name}/").parse().unwrap_or_else(|_| uri.clone());
        let documents = self.documents_uri.as_ref().map(below);
        let mut options = self.options_of(&below(&self.base_uri), documents, &self.out.join(name));
        options.publication.index = Some(sources_uri(self.documents_uri.as_ref().unwrap_or(&self.base_uri)));
        options
    }

    fn options_of(&self, base: &Uri, documents_uri: Option<Uri>, out: &Path) -> BridgeOptions {
        let mut resources = Resources::new(Origin::Records(Default::default()), base.clone());
        resources.hash = self.hash.iter().flatten().cloned().collect();
        let publication = Options {
            documents_uri,
            channels: self.hubs.channels(),
            no_hub: self.hubs.no_hub,
            dump: self.dump,
            no_dump: self.no_dump,
            gzip: self.gzip,
            rotate: self.rotate,
            keep: self.keep,
            keep_generations: self.keep_generations,
            max_delete: self.harvesting.max_delete.and_then(most),
            lenient_times: true,
            ..Options::new(resources, out.to_owned())
        };
        BridgeOptions {
            form: self.form,
            collections: self.collections,
            describes: self.describes.clone(),
            publish_incomplete: self.publish_incomplete,
            snapshot: self.snapshot,
            publication,
        }
    }
}

/// The limit of deletions of a harvest, for its publication.
fn most(max: MaxDelete) -> Option<Amount> {
    match max {
        MaxDelete::Default => None,
        MaxDelete::All => Some(Amount::Percent(100)),
        MaxDelete::Most(harvest::Amount::Count(count)) => Some(Amount::Number(count)),
        MaxDelete::Most(harvest::Amount::Percent(part)) => {
            Some(Amount::Percent(u8::try_from(part).unwrap_or(100).min(100)))
        }
    }
}
