//! The resources shared by all subcommands of `oai`: an HTTP client, a clock, limits.

use std::{path::Path, sync::Arc, time::SystemTime};

use resourcesync_client::{
    Cancel,
    http::{Client, Limits as HttpLimits, Recordings},
    oai::{Clock, HarvestError, SkippingClock, SystemClock},
};
use resourcesync_oai::{harvest::Plan, limits::Limits, stamp::Datestamp};

use crate::{
    arguments::OaiCommon,
    error::CliError,
    inputs,
    settings::{self, Http},
};

/// The HTTP client and the clock for one repository.
pub(super) struct Session {
    pub(super) client: Arc<Client>,
    pub(super) clock: Box<dyn Clock + Send>,
}

impl Session {
    /// Creates a session for the repository at this URL; `contact` is the address for `From`, `pages` the recording of
    /// `--keep-pages`.
    pub(super) fn open(
        common: &OaiCommon,
        url: &str,
        contact: Option<&str>,
        pages: Option<Recordings>,
        cancel: &Cancel,
    ) -> Result<Session, CliError> {
        let from = common.servers.from.as_deref();
        if from.is_some_and(|from| Datestamp::read(from).stamp.is_some()) {
            return Err("--from takes your e-mail address; use --since for the OAI-PMH argument `from`".into());
        }
        if common.skip_waits && !is_local(url) {
            return Err("--skip-waits requires a loopback server".into());
        }
        let recordings = match pages {
            Some(pages) => pages,
            None => recordings(common)?,
        };
        let (oai, http) = limits(common);
        let own = Http { limits: http, ..Http::new(common.printing.terminal.language.for_people()) };
        let urls = [url.to_owned()];
        let mut servers = common.servers.clone();
        servers.from = contact.map(str::to_owned).or(servers.from);
        let client = settings::client_with(&servers, recordings, &own, oai.inflate_ratio, &urls, cancel)?;
        let clock: Box<dyn Clock + Send> =
            if common.skip_waits { Box::new(SkippingClock::default()) } else { Box::new(SystemClock) };
        Ok(Session { client, clock })
    }
}

fn recordings(common: &OaiCommon) -> Result<Recordings, CliError> {
    let mut recordings = Recordings::default();
    if let Some(path) = &common.replay {
        recordings.replay(path).map_err(|error| format!("--replay: {error}"))?;
    }
    if let Some(path) = &common.record {
        recordings.record(path).map_err(|error| format!("--record: {error}"))?;
    }
    Ok(recordings)
}

/// The limits of a harvest, and those of HTTP.
fn limits(common: &OaiCommon) -> (Limits, HttpLimits) {
    let (mut oai, mut http) = (Limits::default(), HttpLimits::default());
    for (name, value) in &common.limit {
        // Unknown names and values out of range were rejected by the argument parser.
        let _ = oai.set(name, *value) || http.set(name, *value);
    }
    // A page has its own limit.
    http.http_body_bytes = http.http_body_bytes.max(oai.oai_page_bytes);
    (oai, http)
}

/// A plan for this repository, with the options that all subcommands share.
pub(super) fn plan(common: &OaiCommon, url: &str) -> Plan {
    let mut plan = Plan::new(url);
    let (oai, http) = limits(common);
    plan.limits = oai;
    plan.delay = match common.delay {
        Some(delay) => delay,
        // A recording needs no pauses.
        None if common.replay.is_some() => 0,
        None => pause(http.http_requests_per_second),
    };
    plan.max_wait = common.max_wait;
    plan.post = common.post;
    plan.seed = seed();
    plan
}

/// Milliseconds between requests at this number per second; 0 for no limit.
fn pause(per_second: u64) -> u64 {
    if per_second == 0 { 0 } else { 1000_u64.div_ceil(per_second) }
}

/// A seed that differs between runs; its quality does not matter.
fn seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mixed = u128::from(std::process::id()).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ now.as_nanos();
    (mixed ^ (mixed >> 64)) as u64
}

/// True for a loopback server.
fn is_local(url: &str) -> bool {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    matches!(host, "127.0.0.1" | "localhost" | "[::1]")
}

/// True for a URL, false for a path.
pub(super) fn is_url(target: &str) -> bool {
    inputs::url(Path::new(target)).is_some()
}

impl From<HarvestError> for CliError {
    fn from(error: HarvestError) -> CliError {
        CliError::new(error.to_string())
    }
}
