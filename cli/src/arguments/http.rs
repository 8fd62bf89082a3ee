//! The options of HTTP requests.

use std::path::PathBuf;

use clap::{Args, ValueHint};

pub(super) const HTTP: &str = "HTTP";

/// How documents are requested.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = HTTP)]
pub(crate) struct Http {
    #[command(flatten)]
    pub(crate) servers: Servers,

    /// Record every response, as an HTTP Archive (HAR)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["resume", "replay"])]
    pub(crate) record: Option<PathBuf>,
    /// Replay a recording, or another HAR file, offline; the report of a recording is identical
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["resume", "revalidate"])]
    pub(crate) replay: Option<PathBuf>,
    /// Continue an interrupted run: replay its recording, and record what is missing
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) resume: Option<PathBuf>,
    /// Revalidate recorded responses with conditional requests (ETag, Last-Modified)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) revalidate: Option<PathBuf>,
}

/// How servers are contacted, whatever is requested.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = HTTP)]
pub(crate) struct Servers {
    /// Also allow requests to this host, including private addresses: HOST, HOST:PORT, or `*` for every public host; repeatable
    ///
    /// By default requests go only to the hosts of the given URLs and to public hosts that these redirect to. A host without a
    /// port is allowed at ports 80 and 443 only.
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,
    /// Send a header to one origin, e.g. https://example.com=X-Key:env:MY_KEY; repeatable
    ///
    /// VALUE is the value itself, env:NAME to read an environment variable, or file:PATH to read a file. The header is sent to
    /// this origin only, and never displayed or recorded.
    #[arg(long, value_name = "ORIGIN=NAME:VALUE")]
    pub(crate) header: Vec<String>,
    /// Send a bearer token to one origin: ORIGIN=env:NAME or ORIGIN=file:PATH; repeatable
    #[arg(long, value_name = "ORIGIN=TOKEN")]
    pub(crate) token: Vec<String>,
    /// Contact e-mail address, sent in the From header
    #[arg(long, value_name = "ADDRESS", value_hint = ValueHint::EmailAddress)]
    pub(crate) from: Option<String>,
    /// The User-Agent header, instead of `resourcesync/VERSION (+ADDRESS)`, with the address of the project
    #[arg(long, value_name = "NAME")]
    pub(crate) user_agent: Option<String>,
    /// Do not fetch what robots.txt disallows
    #[arg(long)]
    pub(crate) robots: bool,
    /// Use this proxy, or `none` to ignore HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY
    #[arg(long, value_name = "URL")]
    pub(crate) proxy: Option<String>,
    /// Trust the certificates in this PEM file instead of those of the platform
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) ca_file: Option<PathBuf>,
}
