//! The plan of a Source: which lists and packages it consists of, found without reading them.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{CrawlOptions, CrawlStep, Crawler, Fetch, FetchOutcome, Leaf, Purpose, Readers};
use crate::{diagnostic::Reason, model::Kind, package::Piece, report::Times, validate::Options};

/// A list or package of a Source, which one process reads as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedInput {
    /// The number of its Source.
    pub source: u64,
    /// Its place in the order in which one process would have found it.
    pub turn: u64,
    /// Its URI.
    pub uri: String,
    /// Its kind; with a problem the kind of what is missing, or unknown.
    pub kind: Kind,
    /// The URI of the Capability List of its set of resources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// The URI of the document that lists it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The listed length in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// The listed digests, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The listed media type of a package.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The times that are listed for it, or that it states.
    #[serde(default)]
    pub times: Times,
    /// The hosts to which the starts of its Source are known to redirect, such as `www.a.example:443`: they may be requested, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub led: Vec<String>,
    /// The piece of it, if it is a package that is divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<Piece>,
    /// Why it was not found, or what leads to more lists was not read completely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Reason>,
}

impl PlannedInput {
    /// What a crawl of the Source with this number fetches, to be divided among processes.
    pub fn of_fetch(source: u64, fetch: &Fetch) -> PlannedInput {
        let kind = if fetch.purpose == Purpose::Package { Kind::Package } else { Kind::Unknown };
        PlannedInput { kind, length: fetch.length, ..PlannedInput::new(source, fetch.id, fetch.uri.clone()) }
    }

    /// An input of which nothing is known but its URI.
    pub fn new(source: u64, turn: u64, uri: String) -> PlannedInput {
        PlannedInput {
            source,
            turn,
            uri,
            kind: Kind::Unknown,
            set: None,
            parent: None,
            length: None,
            hash: None,
            media_type: None,
            times: Times::default(),
            led: Vec::new(),
            piece: None,
            problem: None,
        }
    }

    /// True if the user specified it, so that it may redirect to another public host; false if a document lists it.
    pub fn is_start(&self) -> bool {
        self.parent.is_none()
    }
}

/// The next step of a planner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannerStep {
    /// Perform this fetch. Several may be in progress at the same time.
    Fetch(Fetch),
    /// A list or package was found.
    Input(PlannedInput),
    /// Wait for the outcome of a fetch in progress.
    Wait,
    /// The plan is complete.
    Done,
}

/// Plans a Source: fetches the documents that link to others, and returns the lists and packages below them, each once, in the order in which
/// a [`Crawler`] would visit them. Of a list that only a Capability List leads to, the head is read, since it may be an index.
///
/// It does no I/O, and is driven as a [`Crawler`] is. What could not be fetched, and a document that leads to others and was not read to its
/// end or is not what the link to it promises, is an input with the problem; so is a Source of which nothing is found.
///
/// ```
/// use resourcesync::api::{CrawlOptions, FetchOutcome, Options, PlannerStep, Response, SourcePlanner};
///
/// let index = br#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
///   <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
///   <sitemap><loc>http://example.com/1.xml</loc></sitemap><sitemap><loc>http://example.com/2.xml</loc></sitemap></sitemapindex>"#;
/// let mut planner = SourcePlanner::new(0, Options::default(), CrawlOptions::from(["http://example.com/index.xml"]));
/// let readers = planner.readers();
/// let mut planned = Vec::new();
/// loop {
///     match planner.poll() {
///         PlannerStep::Fetch(fetch) => {
///             let mut reader = readers.reader(&fetch, Response::found(&fetch.uri));
///             reader.push(index);
///             planner.handle(reader.finish());
///         }
///         PlannerStep::Input(input) => planned.push(input.uri),
///         _ => break,
///     }
/// }
/// assert_eq!(planned, ["http://example.com/1.xml", "http://example.com/2.xml"]);
/// ```
#[derive(Debug)]
pub struct SourcePlanner {
    source: u64,
    crawler: Crawler,
    turn: u64,
    is_done: bool,
}

impl SourcePlanner {
    /// Creates the planner of the Source with this number, from the starts of `crawl`.
    pub fn new(source: u64, options: Options, crawl: CrawlOptions) -> SourcePlanner {
        SourcePlanner { source, crawler: Crawler::planning(options, crawl), turn: 0, is_done: false }
    }

    /// The readers of the responses; they stop where a list begins to list resources.
    pub fn readers(&self) -> Readers {
        self.crawler.readers()
    }

    /// The next step.
    pub fn poll(&mut self) -> PlannerStep {
        loop {
            if let Some(leaf) = self.crawler.next_leaf() {
                return self.input(leaf);
            }
            return match self.crawler.poll() {
                CrawlStep::Fetch(fetch) => PlannerStep::Fetch(fetch),
                CrawlStep::Wait => PlannerStep::Wait,
                CrawlStep::Done if !self.is_done => {
                    self.is_done = true;
                    self.crawler.plan_gaps(self.turn == 0);
                    continue;
                }
                CrawlStep::Done => PlannerStep::Done,
            };
        }
    }

    /// Processes the outcome of a fetch, in any order.
    pub fn handle(&mut self, outcome: FetchOutcome) {
        self.crawler.handle(outcome);
    }

    fn input(&mut self, leaf: Leaf) -> PlannerStep {
        let turn = self.turn;
        self.turn = turn.saturating_add(1);
        let Leaf { uri, kind, set, parent, length, hash, media_type, times, problem } = leaf;
        PlannerStep::Input(PlannedInput {
            source: self.source,
            turn,
            uri,
            kind,
            set,
            parent,
            length,
            hash,
            media_type,
            times,
            led: self.crawler.led(),
            piece: None,
            problem,
        })
    }
}
