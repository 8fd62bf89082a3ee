//! The options of `resourcesync build --from-sitemap`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::values;

const SITEMAPS: &str = "Sitemaps";

/// Resources of a sitemap.
#[derive(Debug, Args)]
pub(crate) struct FromSitemap {
    /// Read the resources from a sitemap, an index of sitemaps, or a list with one URI per line; `-` is standard input
    ///
    /// `lastmod` is taken from it. Length and digests are determined with --map or --fetch, otherwise they are not published.
    #[arg(long, value_name = "FILE|URL", help_heading = SITEMAPS, value_hint = ValueHint::AnyPath,
        conflicts_with_all = ["folder", "from_csv", "from_jsonl", "stdin", "changes", "snapshot", "end_marker", "allow_outside"])]
    pub(crate) from_sitemap: Option<String>,
    /// The folder in which the files of URIs below this URI are; repeatable
    ///
    /// URIs map to files as in `validate --map`. Sitemaps that an index lists are also looked for there.
    #[arg(long, value_name = "URI=DIR", requires = "from_sitemap", value_parser = values::map, help_heading = SITEMAPS)]
    pub(crate) map: Vec<(String, PathBuf)>,
    /// Request each resource for its length and digests, unless `lastmod` is that of the previous run
    ///
    /// Resources on other hosts than that of the URL, or of --base-uri, need --allow-host.
    #[arg(long, requires = "from_sitemap", help_heading = SITEMAPS)]
    pub(crate) fetch: bool,
}
