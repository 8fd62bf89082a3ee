//! A small web, and its crawl.

use std::collections::BTreeMap;

use resourcesync::{
    api::{
        CrawlOptions, CrawlStep, Crawler, Fetch, FetchError, FetchOutcome, Method, Options, PlannedInput, PlannerStep,
        Purpose, Readers, Response, SourcePlanner,
    },
    diagnostic::{Reason, ReasonCode},
    report::Report,
};

/// The content of each URI.
pub type Web = BTreeMap<String, Answer>;

/// The response of a URI.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A response; without headers it is not HTTP.
    Had {
        /// The status.
        status: u16,
        /// The header fields, in order.
        headers: Option<Vec<(String, String)>>,
        /// All bytes.
        body: Vec<u8>,
    },
    /// A redirect.
    Moved(String),
    /// No response.
    Failed(FetchError),
}

/// Maximum redirects.
const MOVES: usize = 10;

/// The report on a web, read in windows of this size; if `backwards`, the last of several open fetches is answered
/// first.
///
/// # Panics
///
/// If the crawler waits although no fetch is open.
pub fn crawl(web: &Web, options: &Options, crawl: CrawlOptions, window: usize, backwards: bool) -> Report {
    let mut crawler = Crawler::new(options.clone(), crawl);
    let (readers, mut open) = (crawler.readers(), Vec::new());
    loop {
        let fetch = match crawler.poll() {
            CrawlStep::Fetch(fetch) if backwards => {
                open.push(fetch);
                continue;
            }
            CrawlStep::Fetch(fetch) => fetch,
            CrawlStep::Wait => open.pop().expect("something is open"),
            CrawlStep::Done => return crawler.finish(),
        };
        let outcome = answer(web, &fetch, &readers, window);
        crawler.handle(outcome);
    }
}

/// The report of a crawl whose fetches are performed in rounds by other processes, which return parcels: the first attempt of every fetch
/// is lost, and parcels arrive in an order that `order` chooses, each of them twice.
///
/// # Panics
///
/// If a parcel is rejected.
pub fn crawl_in_rounds(web: &Web, options: &Options, crawl: CrawlOptions, order: u64) -> Report {
    in_rounds(web, options, crawl, order).0
}

/// The parcels of such a crawl.
///
/// # Panics
///
/// If a parcel is rejected.
pub fn parcels(web: &Web, options: &Options, crawl: CrawlOptions) -> Vec<Vec<u8>> {
    in_rounds(web, options, crawl, 1).1
}

fn in_rounds(web: &Web, options: &Options, mut crawl: CrawlOptions, order: u64) -> (Report, Vec<Vec<u8>>) {
    crawl.open = usize::MAX;
    let mut crawler = Crawler::new(options.clone(), crawl);
    let (readers, mut all, mut random) = (crawler.readers(), Vec::new(), order);
    loop {
        let mut round = Vec::new();
        let is_done = loop {
            match crawler.poll() {
                CrawlStep::Fetch(fetch) => round.push(fetch),
                CrawlStep::Wait => break false,
                CrawlStep::Done => break true,
            }
        };
        if is_done {
            return (crawler.finish(), all);
        }
        let mut parcels: Vec<Vec<u8>> = Vec::new();
        for fetch in &round {
            drop(answer(web, fetch, &readers, 997));
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(random >> 33).expect("31 bits") % (parcels.len() + 1);
            parcels.insert(at, readers.to_parcel(&answer(web, fetch, &readers, usize::MAX)));
        }
        for parcel in &parcels {
            for _ in 0..2 {
                crawler.handle(readers.from_parcel(parcel).expect("a parcel of this crawl"));
            }
        }
        all.extend(parcels);
    }
}

/// The plan of a Source, and the URIs that were fetched for it.
///
/// # Panics
///
/// If the planner waits although no fetch is open.
pub fn plan(web: &Web, options: &Options, crawl: CrawlOptions, backwards: bool) -> (Vec<PlannedInput>, Vec<String>) {
    let mut planner = SourcePlanner::new(3, options.clone(), crawl);
    let (readers, mut open, mut planned, mut fetched) = (planner.readers(), Vec::new(), Vec::new(), Vec::new());
    loop {
        let fetch = match planner.poll() {
            PlannerStep::Input(input) => {
                planned.push(input);
                continue;
            }
            PlannerStep::Fetch(fetch) => {
                fetched.push(fetch.uri.clone());
                open.push(fetch);
                if backwards {
                    continue;
                }
                open.pop().expect("it was pushed")
            }
            PlannerStep::Wait => open.pop().expect("something is open"),
            PlannerStep::Done => return (planned, fetched),
        };
        planner.handle(answer(web, &fetch, &readers, 64));
    }
}

fn answer(web: &Web, fetch: &Fetch, readers: &Readers, window: usize) -> FetchOutcome {
    let mut uri = &fetch.uri;
    for _ in 0..MOVES {
        let (status, headers, body) = match web.get(uri) {
            None => return missing(fetch),
            Some(Answer::Failed(error)) => return FetchOutcome::failed(fetch, error.clone()),
            Some(Answer::Moved(to)) => {
                uri = to;
                continue;
            }
            Some(Answer::Had { status, headers, body }) => (*status, headers.clone(), body.as_slice()),
        };
        let response = Response { uri: uri.clone(), status, headers, is_raw_body: true };
        let bytes = if fetch.method == Method::Head { &[] } else { body };
        return if fetch.purpose == Purpose::Package {
            package(bytes, fetch, response, readers)
        } else {
            read(bytes, fetch, response, readers, window)
        };
    }
    FetchOutcome::failed(fetch, FetchError::Failed { reason: Reason::new(ReasonCode::RedirectLoop) })
}

fn missing(fetch: &Fetch) -> FetchOutcome {
    FetchOutcome::failed(fetch, FetchError::NotFound { reason: Reason::new(ReasonCode::HttpStatus).arg("status", 404) })
}

fn package(bytes: &[u8], fetch: &Fetch, response: Response, readers: &Readers) -> FetchOutcome {
    let verification = readers.verification(fetch, bytes.len() as u64);
    let (outcome, package) = verification.run_for_known_package(&mut |offset, room| {
        let start = usize::try_from(offset).map_err(|_| Reason::new(ReasonCode::Truncated))?;
        room.copy_from_slice(bytes.get(start..start + room.len()).ok_or_else(|| Reason::new(ReasonCode::Truncated))?);
        Ok(())
    });
    FetchOutcome::package(fetch, response, outcome, package)
}

fn read(bytes: &[u8], fetch: &Fetch, response: Response, readers: &Readers, window: usize) -> FetchOutcome {
    let mut reader = readers.reader(fetch, response);
    for part in bytes.chunks(window.clamp(1, bytes.len().max(1))) {
        if reader.wants_more() {
            reader.push(part);
        }
    }
    reader.finish()
}
