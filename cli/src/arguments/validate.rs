//! The options of `resourcesync validate`.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Args, ValueHint};
use resourcesync::{
    api::{PackageDepth, Resources},
    diagnostic::Severity,
    model::Kind,
    report::{Format, Lang, Profile, Selector},
};

use super::{Http, examples, values};

const INPUT: &str = "Input";
const WHOLE: &str = "Whole Source";
const REPORT: &str = "Report";
const JUDGEMENT: &str = "Judgement";
const RUN: &str = "Run";

/// `validate`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::VALIDATE)]
pub(crate) struct Validate {
    /// Documents, gzip-packed documents, dump packages (ZIP), folders, URLs (http, https), or `-` for standard input
    ///
    /// A packed document and a package are recognised by their content, whatever their name. In a folder every .xml,
    /// .xml.gz and .zip is looked at, and `.well-known/resourcesync`; XML of other vocabularies and ZIP archives without a
    /// manifest are listed as skipped, a plain sitemap is legal. Symbolic links to folders are not followed. A Resource Dump
    /// or Change Dump and its packages given together are compared with each other, by file name. A package on standard input
    /// is kept in a temporary file until it is whole, since it is read from its end.
    #[arg(value_name = "PATH|URL", required_unless_present = "files_from", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Take paths from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = INPUT, value_hint = ValueHint::FilePath)]
    pub(crate) files_from: Option<PathBuf>,
    /// Paths of --files-from end with NUL, as `find -print0` writes them
    #[arg(short = '0', long, requires = "files_from", help_heading = INPUT)]
    pub(crate) null: bool,
    /// What to call the input in the report (standard input or a single file)
    #[arg(long, help_heading = INPUT)]
    pub(crate) name: Option<String>,
    /// The URI the input is published at (standard input or a single file)
    #[arg(long, value_parser = values::uri, help_heading = INPUT)]
    pub(crate) uri: Option<String>,

    /// Follow every link and check what no single document can show
    ///
    /// Begins at what is named (a Source Description, any other document, robots.txt, a page, a host), walks to every
    /// document and package, and compares them. With --base-uri, over a folder that mirrors the Source.
    #[arg(long, help_heading = WHOLE)]
    pub(crate) follow: bool,
    /// The URI that the folder stands for: a URI below it is the file of that path below the folder
    ///
    /// Nothing is asked of any network. A URI that ends with a slash is index.html there; what is not below is left out.
    #[arg(long, value_name = "URI", requires = "follow", value_parser = values::uri, help_heading = WHOLE)]
    pub(crate) base_uri: Option<String>,
    /// Begin at this URI instead of at the host; repeatable
    #[arg(long, value_name = "URI", requires = "base_uri", value_parser = values::uri, help_heading = WHOLE)]
    pub(crate) start: Vec<String>,
    /// Read resources too and compare them with what is said of them: none (default), a number of each Resource List, or all
    #[arg(long, value_name = "N", requires = "follow", default_value = "none", hide_default_value = true,
        value_parser = values::resources, help_heading = WHOLE)]
    pub(crate) resources: Resources,
    /// How far to verify packages met on the way: none, structure or full (default)
    #[arg(long, value_name = "DEPTH", requires = "follow", default_value = "full", hide_default_value = true,
        hide_possible_values = true, value_parser = values::packages(), help_heading = WHOLE)]
    pub(crate) packages: PackageDepth,
    /// Documents and packages to ask for at most
    #[arg(long, value_name = "N", requires = "follow", default_value = "10000", help_heading = WHOLE)]
    pub(crate) max_documents: u64,
    /// The report of an earlier walk: what was closed then must be the same now
    #[arg(long, value_name = "REPORT", requires = "follow", help_heading = WHOLE, value_hint = ValueHint::FilePath)]
    pub(crate) earlier: Option<PathBuf>,

    /// Format of a report; repeatable
    ///
    /// Each --output belongs to the --format before it. One format may go to standard output. If every --format has an
    /// --output, the text still goes to standard output (--quiet keeps it away when all is well). Machine formats
    /// are always English; --lang is for text, markdown, html and csv.
    #[arg(long, value_name = "FORMAT", value_parser = values::format(), help_heading = REPORT)]
    pub(crate) format: Vec<Format>,
    /// Write the --format before it to FILE instead of standard output; repeatable
    ///
    /// The file is written beside its place and moved there when it is complete.
    #[arg(long, short, value_name = "FILE", help_heading = REPORT, value_hint = ValueHint::FilePath)]
    pub(crate) output: Vec<PathBuf>,
    /// Language of the words: en or ja
    #[arg(long, value_name = "LANG", value_parser = values::lang(), hide_possible_values = true, help_heading = REPORT)]
    pub(crate) lang: Option<Lang>,
    /// Findings shown and stored for each code and input; 0 for all
    ///
    /// Without it the text shows 5 and reports store 100. Of all inputs together 10,000 are stored, errors before the rest,
    /// unless this is 0. Totals are exact in any case, and every format says what it left out.
    #[arg(long, value_name = "N", help_heading = REPORT)]
    pub(crate) max_per_rule: Option<u64>,
    /// Report only what a JSON report made earlier does not have
    ///
    /// Make it with --format json --max-per-rule 0: a report that stored less than it counted is refused.
    #[arg(long, value_name = "REPORT", help_heading = REPORT, value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,
    /// When to use colours: auto, always or never (NO_COLOR and CLICOLOR_FORCE are honoured)
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true,
        help_heading = REPORT)]
    pub(crate) color: clap::ColorChoice,
    /// No text on standard output when the exit status is 0, and no progress bar
    #[arg(long, short, help_heading = REPORT)]
    pub(crate) quiet: bool,

    /// The kind every document has to be
    #[arg(long, value_name = "KIND", value_parser = values::kind(), help_heading = JUDGEMENT)]
    pub(crate) expect: Option<Kind>,
    /// Do not unpack the members of packages: structure, manifest and declared lengths are checked, digests are not
    #[arg(long, help_heading = JUDGEMENT)]
    pub(crate) no_fixity: bool,
    /// How strict to be: standard or strict
    ///
    /// `strict` makes errors of what SHOULD be, and warnings of advice.
    #[arg(long, value_name = "PROFILE", value_parser = values::profile(), hide_possible_values = true, help_heading = JUDGEMENT)]
    pub(crate) profile: Option<Profile>,
    /// Report only these: codes, families (CL), rules (missing-at), XML-nn, `derived`
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::selector, help_heading = JUDGEMENT)]
    pub(crate) select: Vec<Selector>,
    /// Do not report these
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = values::selector, help_heading = JUDGEMENT)]
    pub(crate) ignore: Vec<Selector>,
    /// Make a code, family or rule an error, warning or info; repeatable
    #[arg(long, value_name = "CODE=LEVEL", value_delimiter = ',', value_parser = values::severity, help_heading = JUDGEMENT)]
    pub(crate) severity: Vec<(Selector, Severity)>,
    /// Exit with 1 from this severity on: error (default) or warning
    #[arg(long, value_name = "SEVERITY", value_parser = values::fail_on(), hide_possible_values = true, help_heading = JUDGEMENT)]
    pub(crate) fail_on: Option<Severity>,

    /// Use this configuration instead of looking for resourcesync.toml
    ///
    /// Without it, the first resourcesync.toml in the working folder or above is used; a folder with .git is the last one
    /// looked at. The command line wins over it.
    #[arg(long, value_name = "FILE", help_heading = RUN, value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Use no configuration
    #[arg(long, conflicts_with = "config", help_heading = RUN)]
    pub(crate) no_config: bool,
    /// Inputs validated at the same time; all processors by default
    #[arg(long, short, value_name = "N", help_heading = RUN)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Move a limit, as in document_bytes=2000000000; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit, help_heading = RUN, long_help = values::LIMIT_HELP.as_str())]
    pub(crate) limit: Vec<(&'static str, u64)>,

    /// How servers are asked.
    #[command(flatten)]
    pub(crate) http: Http,
}
