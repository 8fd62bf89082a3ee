//! The crawl of a whole Source as a state machine: it returns fetches, takes the responses, and returns the report.

mod candidates;
mod files;
mod gaps;
mod links;
mod outcome;
mod parcel;
mod plan;
mod readers;
mod response_reader;
mod start;

use alloc::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    string::String,
    vec::Vec,
};

pub use readers::Readers;
pub use response_reader::{FetchOutcome, ResponseReader};

use self::{response_reader::Ending, start::Start};
use super::{
    Content, CrawlOptions, Fetch, FetchError, Fetched, Leaf, LinkGraph, Method, NodeState, Purpose, Resources,
};
use crate::{
    diagnostic::{Code, Reason, ReasonCode},
    report::{Checked, Report, Via},
    validate::{InputOrigin, Options, Outcome, Validation},
};

/// The next step of a crawl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrawlStep {
    /// Perform this fetch. Several may be in progress at the same time.
    Fetch(Fetch),
    /// Wait for the outcome of a fetch in progress.
    Wait,
    /// The crawl is complete.
    Done,
}

/// The crawl of a whole Source.
///
/// It does no I/O:
///
/// 1. Call [`Crawler::poll`]. It returns the next fetch, or that one in progress must finish first, or that the crawl is
///    complete.
/// 2. Pass the body of the response to a [`ResponseReader`], a package to a [`Verification`](crate::package::Verification), both from
///    [`Crawler::readers`].
/// 3. Pass the [`FetchOutcome`] to [`Crawler::handle`], in any order. The report does not depend on the order.
///
/// ```
/// use resourcesync::{
///     api::{CrawlOptions, CrawlStep, Crawler, FetchError, FetchOutcome, Options, Response},
///     diagnostic::{Reason, ReasonCode},
/// };
///
/// let graph = |uri: &str| match uri {
///     "http://example.com/list.xml" => Some("<urlset/>"),
///     _ => None,
/// };
/// let mut crawler = Crawler::new(Options::default(), CrawlOptions::from(["http://example.com/list.xml"]));
/// let readers = crawler.readers();
/// while let CrawlStep::Fetch(fetch) = crawler.poll() {
///     let outcome = match graph(&fetch.uri) {
///         Some(body) => {
///             let mut reader = readers.reader(&fetch, Response::found(&fetch.uri));
///             reader.push(body.as_bytes());
///             reader.finish()
///         }
///         None => FetchOutcome::failed(&fetch, FetchError::NotFound { reason: Reason::new(ReasonCode::NoSuchFile) }),
///     };
///     crawler.handle(outcome);
/// }
/// let report = crawler.finish();
/// assert_eq!(report.inputs[0].name, "http://example.com/list.xml");
/// assert!(report.diagnostics.iter().any(|found| found.code == "GEN-03"));
/// ```
#[derive(Debug)]
pub struct Crawler {
    options: Options,
    crawl: CrawlOptions,
    graph: LinkGraph,
    /// The outcomes of documents, by node.
    outcomes: BTreeMap<usize, Outcome>,
    queue: VecDeque<Task>,
    /// The documents named by notifications, fetched last.
    named: Vec<(String, usize)>,
    /// Resources, fetched after all documents.
    resources: VecDeque<Task>,
    open: BTreeMap<u64, Task>,
    /// Outcomes that arrived out of order.
    early: BTreeMap<u64, FetchOutcome>,
    next: u64,
    turn: u64,
    /// Documents requested.
    asked: u64,
    starts: Vec<Start>,
    /// The hosts to which starts redirected.
    led: BTreeSet<String>,
    /// Whether the well-known URIs of hosts have been tried.
    probed: bool,
    /// The number of URIs found from the starts, set when unlinked documents are fetched.
    linked: Option<usize>,
    stopped: bool,
    /// The digests listed for packages.
    digests: BTreeMap<usize, BTreeSet<String>>,
    /// The lists and packages found, if the crawl plans instead of reading them.
    leaves: Option<VecDeque<Leaf>>,
}

/// Something to fetch.
#[derive(Debug)]
struct Task {
    node: usize,
    purpose: Purpose,
    /// The start for which this is a candidate.
    start: Option<usize>,
    probe: bool,
    hash: Option<String>,
    media_type: Option<String>,
    length: Option<u64>,
    encoding: Option<String>,
    method: Method,
}

impl Crawler {
    /// Creates a crawl from the starts of `crawl`.
    pub fn new(options: Options, crawl: CrawlOptions) -> Crawler {
        let starts = crawl.start.iter().map(|start| Start::new(start)).collect();
        let graph = LinkGraph::seeded(options.seed);
        let mut crawler = Crawler {
            options,
            crawl,
            graph,
            outcomes: BTreeMap::new(),
            queue: VecDeque::new(),
            named: Vec::new(),
            resources: VecDeque::new(),
            open: BTreeMap::new(),
            early: BTreeMap::new(),
            next: 0,
            turn: 0,
            asked: 0,
            starts,
            led: BTreeSet::new(),
            probed: false,
            linked: None,
            stopped: false,
            digests: BTreeMap::new(),
            leaves: None,
        };
        (0..crawler.starts.len()).for_each(|start| crawler.try_next(start));
        crawler
    }

    /// The next step.
    pub fn poll(&mut self) -> CrawlStep {
        if self.open.len() >= self.crawl.open.max(1) {
            return CrawlStep::Wait;
        }
        loop {
            let Some(mut task) = self.queue.pop_front() else {
                if !self.open.is_empty() {
                    return CrawlStep::Wait;
                }
                let named = core::mem::take(&mut self.named);
                if !named.is_empty() {
                    for (uri, from) in named {
                        self.want(&uri, Some(from), Via::Loc, Task::new(Purpose::Document));
                    }
                    continue;
                }
                if self.resume() {
                    continue;
                }
                if !core::mem::replace(&mut self.probed, true) {
                    self.probe_hosts();
                    continue;
                }
                if self.linked.is_none() {
                    self.want_files();
                    continue;
                }
                match self.resources.pop_front() {
                    Some(mut task) => {
                        task.hash = self.hashes(task.node);
                        if task.hash.is_some() {
                            task.method = Method::Get;
                        }
                        return self.ask(task);
                    }
                    None => return CrawlStep::Done,
                }
            };
            // Of all dumps that list it.
            task.hash = self.digests.get(&task.node).map(joined).or(task.hash);
            let Some(node) = self.graph.nodes.get_mut(task.node) else { continue };
            if task.is_head_of_topic() {
                return self.ask(task);
            }
            if !matches!(node.state, NodeState::Known) {
                self.begun(&task, true);
                continue;
            }
            // A few probes for each host cost little, and count once they lead to something.
            if !task.probe {
                if self.asked >= self.crawl.documents {
                    node.state = NodeState::OverBudget;
                    self.plan_failed(&task, &Reason::new(ReasonCode::DocumentLimit));
                    self.begun(&task, true);
                    continue;
                }
                self.asked = self.asked.saturating_add(1);
            }
            return self.ask(task);
        }
    }

    fn ask(&mut self, task: Task) -> CrawlStep {
        let id = self.next;
        self.next = id.saturating_add(1);
        let node = self.graph.nodes.get(task.node);
        let parent = node.and_then(|node| self.graph.nodes.get(node.from?)).map(|parent| parent.uri.clone());
        let fetch = Fetch {
            id,
            uri: node.map(|node| node.uri.clone()).unwrap_or_default(),
            purpose: task.purpose,
            method: task.method,
            via: node.map_or(Via::Loc, |node| node.via),
            parent,
            hash: task.hash.clone(),
            encoding: task.encoding.clone(),
            media_type: task.media_type.clone(),
            length: task.length,
            probe: task.probe,
            sample: match self.crawl.resources {
                Resources::None => 0,
                Resources::Sample(most) => most,
                Resources::All => u64::MAX,
            },
            led: self.led(),
        };
        self.open.insert(id, task);
        CrawlStep::Fetch(fetch)
    }

    /// The readers of the responses.
    pub fn readers(&self) -> Readers {
        Readers::new(&self.options, self.crawl.packages, self.leaves.is_some())
    }

    /// Processes the outcome of a fetch, in any order.
    pub fn handle(&mut self, outcome: FetchOutcome) {
        if !self.open.contains_key(&outcome.id) {
            return;
        }
        // Of a fetch that was performed twice the first outcome counts.
        self.early.entry(outcome.id).or_insert(outcome);
        while let Some(outcome) = self.early.remove(&self.turn) {
            self.turn = self.turn.saturating_add(1);
            self.led.extend(outcome.led);
            if let Some(task) = self.open.remove(&outcome.id) {
                self.take(task, outcome.ending);
            }
        }
    }

    /// The hosts to which starts redirected, in order.
    pub(super) fn led(&self) -> Vec<String> {
        self.led.iter().cloned().collect()
    }

    fn take(&mut self, task: Task, ending: Ending) {
        let has_length = self.lists_length(task.node);
        let Some(node) = self.graph.nodes.get_mut(task.node) else { return };
        // In the meantime another URI was redirected here.
        if let NodeState::Same(_) = &node.state {
            return self.begun(&task, true);
        }
        let origin = InputOrigin { name: node.uri.clone(), uri: Some(node.uri.clone()), via: node.via };
        let is_resource = task.purpose == Purpose::Resource;
        if task.is_head_of_topic() {
            match ending {
                Ending::Fetched(response, ..) => drop(self.graph.heads.insert(task.node, Ok(response))),
                Ending::Error(FetchError::NotFound { reason }) => drop(self.graph.heads.insert(task.node, Err(reason))),
                Ending::Interrupted(_) => self.stopped = true,
                // The topic was already fetched; a failed second request is not a problem of the topic.
                Ending::Error(_) => {}
            }
            return;
        }
        // Some servers do not support HEAD, or do not tell the length.
        let is_left = match &ending {
            Ending::Error(FetchError::Failed { .. }) => true,
            Ending::Fetched(response, ..) => has_length && response.header("content-length").is_none(),
            _ => false,
        };
        if is_left && is_resource && task.method == Method::Head {
            self.resources.push_front(Task { method: Method::Get, ..task });
            return;
        }
        let content = match ending {
            Ending::Error(error) => return self.failed(&task, error, origin),
            Ending::Interrupted(outcome) => {
                self.stopped = true;
                self.outcomes.insert(task.node, outcome);
                node.state = NodeState::Failed(Reason::new(ReasonCode::Interrupted));
                return;
            }
            Ending::Fetched(response, content, outcome) => (response, content, outcome),
        };
        let (response, content, outcome) = content;
        if !is_resource && let Some(other) = self.graph.moved(task.node, &response.uri) {
            if let Some(node) = self.graph.nodes.get_mut(task.node) {
                node.state = NodeState::Same(other);
            }
            return self.begun(&task, true);
        }
        let mut content = content;
        let mut outcome = outcome;
        if self.is_sitemap_line(task.node) {
            outcome = outcome.map(|outcome| ordinary(&content, outcome));
        }
        let other = outcome.as_ref().filter(|outcome| outcome.foreign.is_some()).map(|outcome| outcome.kind);
        if let Some(kind) = other.filter(|_| task.purpose == Purpose::Document && is_linked(origin.via)) {
            content = Content::Foreign(kind);
        }
        if let Content::Document(summary) | Content::Topic(Some(summary), _) = &mut content {
            self.graph.keep(summary, self.options.limits.crawl_entries);
        }
        if let Content::Document(summary) = &content {
            self.plan_document(task.node, summary);
        }
        let leads = self.follow(task.node, &content, &response);
        self.asked = self.asked.saturating_add((task.probe && leads).into());
        if let Some(start) = task.start.and_then(|start| self.starts.get_mut(start)) {
            start.is_cut |= !leads && outcome.as_ref().is_some_and(is_cut);
        }
        // Subscribers may request only the headers.
        if matches!(content, Content::Topic(..)) && response.status == 200 && response.headers.is_some() {
            let (node, method) = (task.node, Method::Head);
            self.queue.push_back(Task { node, method, ..Task::new(Purpose::Topic) });
        }
        // From here on its tasks own it.
        if let Content::Document(summary) = &mut content {
            summary.sample = Vec::new();
        }
        if let Some(outcome) = outcome {
            self.outcomes.insert(task.node, outcome);
        }
        if let Some(node) = self.graph.nodes.get_mut(task.node) {
            node.state = NodeState::Fetched(alloc::boxed::Box::new(Fetched { response, content }));
        }
        self.begun(&task, leads);
    }

    fn failed(&mut self, task: &Task, error: FetchError, origin: InputOrigin) {
        let is_named =
            task.start.and_then(|start| self.starts.get(start)).is_some_and(|start| start.is_only(&origin.name));
        // Unlinked documents have no other position in the report.
        let is_found = origin.via == Via::Folder;
        let (state, reason, is_told) = match error {
            FetchError::NotFound { reason } => (NodeState::NotFound(reason.clone()), reason, is_named || is_found),
            FetchError::Skipped { reason } => (NodeState::Skipped(reason.clone()), reason, is_named),
            FetchError::Failed { reason } => (NodeState::Failed(reason.clone()), reason, !task.probe),
        };
        if let (Some(start), NodeState::Skipped(_) | NodeState::Failed(_)) =
            (task.start.and_then(|start| self.starts.get_mut(start)), &state)
        {
            start.unread.push((task.node, reason.clone()));
        }
        self.plan_failed(task, &reason);
        if is_told {
            self.outcomes.insert(task.node, Validation::new(&self.options, origin).unreadable(reason));
        }
        if let Some(node) = self.graph.nodes.get_mut(task.node) {
            node.state = state;
        }
        self.begun(task, is_named);
    }

    /// True for what only a `Sitemap:` line of a `robots.txt` leads to, which may have nothing to do with ResourceSync.
    fn is_sitemap_line(&self, node: usize) -> bool {
        let from = self.graph.nodes.get(node).filter(|node| node.via == Via::Discovery).and_then(|node| node.from);
        let from = from.and_then(|from| self.graph.fetched(from));
        matches!(from.map(|fetched| &fetched.content), Some(Content::Robots(_)))
    }

    /// Queues a URI, if it is new.
    fn want(&mut self, uri: &str, from: Option<usize>, via: Via, task: Task) -> usize {
        let (node, is_new) = self.graph.reach(uri, from, via);
        if is_new || task.start.is_some() {
            self.queue.push_back(Task { node, ..task });
        }
        node
    }

    /// Returns the report.
    pub fn finish(self) -> Report {
        self.report()
    }

    /// Returns the report of a crawl that the user interrupted.
    pub fn interrupted(mut self) -> Report {
        self.stopped = true;
        for (id, outcome) in core::mem::take(&mut self.early) {
            if let Some(task) = self.open.remove(&id) {
                self.take(task, outcome.ending);
            }
        }
        self.report()
    }

    /// The number of documents and packages fetched so far, and of their entries.
    pub fn progress(&self) -> (u64, u64) {
        let entries = self.outcomes.values().map(|outcome| outcome.entries).fold(0, u64::saturating_add);
        (self.outcomes.len() as u64, entries)
    }
}

impl Task {
    /// True for the second request to a topic.
    fn is_head_of_topic(&self) -> bool {
        self.purpose == Purpose::Topic && self.method == Method::Head
    }

    fn new(purpose: Purpose) -> Task {
        Task {
            node: 0,
            purpose,
            start: None,
            probe: false,
            hash: None,
            media_type: None,
            length: None,
            encoding: None,
            method: Method::Get,
        }
    }
}

/// Digests as one value of the attribute `hash`.
fn joined(hashes: &BTreeSet<String>) -> String {
    hashes.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// The outcome of an ordinary sitemap, whatever its format and its faults.
fn ordinary(content: &Content, outcome: Outcome) -> Outcome {
    match content {
        Content::Document(summary) if !summary.is_resource_sync() && !is_cut(&outcome) => {
            Outcome { incomplete: false, foreign: None, checked: Checked::default(), ..outcome }
        }
        _ => outcome,
    }
}

/// True if an input was not read to its end, so that nobody knows what else is in it.
fn is_cut(outcome: &Outcome) -> bool {
    outcome.checked.groups.keys().any(|(code, _)| *code == Code::INP_01 || code.is_limit())
}

/// True for what a link led to, so that not the target but the link is wrong where it is no document.
fn is_linked(via: Via) -> bool {
    matches!(via, Via::Loc | Via::Up | Via::Index | Via::Contents | Via::Discovery)
}
