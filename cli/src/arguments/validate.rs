//! The options of `resourcesync validate`.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::{Args, ValueHint};
use resourcesync::{
    api::{PackageDepth, Resources},
    diagnostic::Severity,
    model::Kind,
    report::{Format, Profile, Selector},
};

use super::{Http, Terminal, examples, values};

const INPUT: &str = "Input";
const WHOLE: &str = "Whole Source";
const REPORT: &str = "Report";
const CHECKS: &str = "Checks";
const RUN: &str = "Run";

/// `validate`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::VALIDATE)]
pub(crate) struct Validate {
    /// Documents, gzip-compressed documents, dump packages (ZIP), folders, URLs (http, https), or `-` for standard input
    ///
    /// Compressed documents and packages are detected by content, not by name. In a folder every .xml, .xml.gz and .zip
    /// file and `.well-known/resourcesync` is looked at; what does not claim to be ResourceSync and is linked by no document of
    /// the folder is listed as skipped, with the reason. A plain sitemap is legal. Symbolic links to folders are not followed. If a Resource Dump or Change
    /// Dump and its packages are given together as files, each package is compared with the file of its name, in the folder most like that of its
    /// URI; of URLs, --follow compares them. A package on standard input is first stored in a temporary file, since it is read from its end.
    #[arg(value_name = "PATH|URL", required_unless_present_any = ["files_from", "map"], value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Read paths from a file, one per line; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = INPUT, value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Option<PathBuf>,
    /// Paths in --files-from are separated by NUL, as written by `find -print0`
    #[arg(short = '0', long, requires = "files_from", help_heading = INPUT)]
    pub(crate) null: bool,
    /// Display name of the input in the report (standard input or a single file)
    #[arg(long, help_heading = INPUT)]
    pub(crate) name: Option<String>,
    /// The URI at which the input is published (standard input or a single file)
    #[arg(long, value_parser = values::uri, help_heading = INPUT)]
    pub(crate) uri: Option<String>,

    /// Crawl the whole Source and check the consistency between its documents
    ///
    /// Starts at the given URL (a Source Description, any other document, robots.txt, a page, a host) and follows all links
    /// to documents and packages. With --base-uri it crawls a folder that mirrors the Source.
    #[arg(long, help_heading = WHOLE)]
    pub(crate) follow: bool,
    /// Crawl a folder offline: the URI that it is published at
    ///
    /// URIs below this URI map to files below the folder. A URI that ends with a slash maps to index.html. URIs elsewhere are
    /// skipped. Every document and package in the folder is checked, whether or not anything links to it.
    #[arg(long, value_name = "URI", requires = "follow", value_parser = values::uri, help_heading = WHOLE)]
    pub(crate) base_uri: Option<String>,
    /// Crawl several folders offline: a URI and the folder that is published there; repeatable
    ///
    /// Like --base-uri, for a Source in several folders: resources stored apart from the documents, or one folder per host.
    /// If several URIs match, the longest one applies. The crawl starts in the folder of --base-uri, or in the first one.
    #[arg(long, value_name = "URI=DIR", requires = "follow", value_parser = values::map, help_heading = WHOLE)]
    pub(crate) map: Vec<(String, PathBuf)>,
    /// Start at this URI instead of the host; repeatable
    #[arg(long, value_name = "URI", requires = "follow", value_parser = values::uri, help_heading = WHOLE)]
    pub(crate) start: Vec<String>,
    /// Also fetch resources and compare them with their metadata: none (default), a number per Resource List, or all
    #[arg(long, value_name = "N", requires = "follow", default_value = "none", hide_default_value = true,
        value_parser = values::resources, help_heading = WHOLE)]
    pub(crate) resources: Resources,
    /// How far to verify linked packages: none, structure or full (default)
    #[arg(long, value_name = "DEPTH", requires = "follow", default_value = "full", hide_default_value = true,
        hide_possible_values = true, value_parser = values::packages(), help_heading = WHOLE)]
    pub(crate) packages: PackageDepth,
    /// Maximum number of documents and packages to fetch
    #[arg(long, value_name = "N", requires = "follow", default_value = "10000", help_heading = WHOLE)]
    pub(crate) max_documents: u64,
    /// The JSON report of an earlier crawl; documents closed then must not have changed
    #[arg(long, value_name = "REPORT", requires = "follow", help_heading = WHOLE, value_hint = ValueHint::FilePath)]
    pub(crate) earlier: Option<PathBuf>,

    /// Report format; repeatable
    ///
    /// Each --output belongs to the --format before it. One format may go to standard output. If every --format has an
    /// --output, the text report is still printed (with --quiet only if the exit status is not 0). Machine-readable formats
    /// are always in English; --lang applies to text, markdown, html and csv.
    #[arg(long, value_name = "FORMAT", value_parser = values::format(), help_heading = REPORT)]
    pub(crate) format: Vec<Format>,
    /// Write the preceding --format to FILE instead of standard output; repeatable
    ///
    /// The file is replaced atomically when it is complete.
    #[arg(long, short, value_name = "FILE", help_heading = REPORT, value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,
    /// Maximum number of findings shown and stored per code and input; 0 for all
    ///
    /// By default the text shows 5 and reports store 100. Unless this is 0, a report stores at most 10,000 findings in total,
    /// errors first. Counts are always exact, and every format states how many findings it omits.
    #[arg(long, value_name = "N", help_heading = REPORT)]
    pub(crate) max_per_rule: Option<u64>,
    /// Report only findings that an earlier JSON report does not contain
    ///
    /// Create it with --format json --max-per-rule 0; reports with omitted findings are rejected.
    #[arg(long, value_name = "REPORT", help_heading = REPORT, value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) terminal: Terminal,

    /// The required kind of every document; every document of ResourceSync is a sitemap, too
    #[arg(long, value_name = "KIND", value_parser = values::kind(), help_heading = CHECKS)]
    pub(crate) expect: Option<Kind>,
    /// Do not unpack the members of packages; check structure, manifest and declared lengths, but not digests
    #[arg(long, help_heading = CHECKS)]
    pub(crate) no_fixity: bool,
    /// Profile: standard, strict or search-engines
    ///
    /// `strict` reports violations of SHOULD as errors, and advice as warnings. `search-engines` also reports what large search engines reject in
    /// a sitemap, or in a Resource List that robots.txt names (SEO).
    #[arg(long, value_name = "PROFILE", value_parser = values::profile(), hide_possible_values = true, help_heading = CHECKS)]
    pub(crate) profile: Option<Profile>,
    /// Report only these codes, families (CL), rules (missing-at), XML-nn, or `derived`
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::selector, help_heading = CHECKS)]
    pub(crate) select: Vec<Selector>,
    /// Do not report these codes, families, rules, XML-nn, or `derived`
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::selector, help_heading = CHECKS)]
    pub(crate) ignore: Vec<Selector>,
    /// Set the severity of a code, family or rule to error, warning or info; repeatable
    #[arg(long, value_name = "CODE=LEVEL", value_delimiter = ',', value_parser = values::severity, help_heading = CHECKS)]
    pub(crate) severity: Vec<(Selector, Severity)>,
    /// Exit with 1 if there are findings of this severity or above: error (default) or warning
    #[arg(long, value_name = "SEVERITY", value_parser = values::fail_on(), hide_possible_values = true, help_heading = CHECKS)]
    pub(crate) fail_on: Option<Severity>,

    /// Number of inputs to validate in parallel [default: number of processors]
    #[arg(long, short, value_name = "N", help_heading = RUN)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Stop after this time, e.g. 90s, 10m, 2h or 1d; what was not checked by then is undetermined
    #[arg(long, value_name = "DURATION", value_parser = values::duration, help_heading = RUN)]
    pub(crate) max_time: Option<Duration>,
    /// Override a limit, e.g. document_bytes=2000000000; repeatable (see `resourcesync help limits`)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit, help_heading = RUN)]
    pub(crate) limit: Vec<(&'static str, u64)>,

    /// The options of HTTP.
    #[command(flatten)]
    pub(crate) http: Http,
}
