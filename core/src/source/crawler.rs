//! A walk over a whole Source: told what arrived, it says what to fetch next, and in the end what it found.

mod links;
mod outcome;
mod response_reader;
mod start;

use alloc::{
    collections::{BTreeMap, VecDeque},
    string::{String, ToString},
    vec::Vec,
};

pub use response_reader::{Visit, Visited};

use self::{response_reader::What, start::Begin};
use super::{Fetch, Following, Had, Held, Method, Missed, Purpose, Resources, State, Web};
use crate::{
    report::{Report, Via},
    validate::{Options, Outcome, Source, Validation},
    value::key,
};

/// Answers waited for at the same time, at most.
const OPEN: usize = 64;

/// What a walk wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// This; several may be under way, and answered in any order.
    Fetch(Fetch),
    /// Nothing before something that is under way is answered.
    Wait,
    /// Nothing more.
    Done,
}

/// A walk over a whole Source.
///
/// It reads nothing itself. Ask with [`Walk::poll`] what to fetch, give each answer to a [`Visit`] and what comes of that to
/// [`Walk::handle`]. Answers are taken in the order in which they were asked for, so the report does not depend on which came first.
///
/// ```
/// use resourcesync::api::{Following, Missed, Next, Options, Response, Visit, Visited, Walk};
///
/// let web = |uri: &str| match uri {
///     "http://example.com/list.xml" => Some("<urlset/>"),
///     _ => None,
/// };
/// let options = Options::default();
/// let mut walk = Walk::new(options.clone(), Following::from(["http://example.com/list.xml"]));
/// while let Next::Fetch(fetch) = walk.poll() {
///     let visited = match web(&fetch.uri) {
///         Some(body) => {
///             let mut visit = Visit::new(&options, &fetch, Response::found(&fetch.uri));
///             visit.push(body.as_bytes());
///             visit.finish()
///         }
///         None => Visited::missed(&fetch, Missed::Missing { reason: "no such file".into() }),
///     };
///     walk.handle(visited);
/// }
/// let report = walk.finish();
/// assert_eq!(report.inputs[0].name, "http://example.com/list.xml");
/// assert!(report.diagnostics.iter().any(|found| found.code == "GEN-03"));
/// ```
#[derive(Debug)]
pub struct Walk {
    options: Options,
    following: Following,
    web: Web,
    /// What became of the documents, by node.
    outcomes: BTreeMap<usize, Outcome>,
    queue: VecDeque<Task>,
    /// What notifications name, by URI and the notification: looked at when everything else led nowhere further.
    named: Vec<(String, usize)>,
    /// Resources come when all documents have.
    resources: VecDeque<Task>,
    open: BTreeMap<u64, Task>,
    /// Answers that came before their turn.
    early: BTreeMap<u64, Visited>,
    next: u64,
    turn: u64,
    /// Documents asked for.
    asked: u64,
    begins: Vec<Begin>,
    /// True once hosts were asked for what nobody linked to.
    probed: bool,
    stopped: bool,
}

/// Something to fetch.
#[derive(Debug)]
struct Task {
    node: usize,
    purpose: Purpose,
    /// The start that this may be the beginning of.
    begin: Option<usize>,
    probe: bool,
    hash: Option<String>,
    media_type: Option<String>,
    encoding: Option<String>,
    method: Method,
}

impl Walk {
    /// At the starts.
    pub fn new(options: Options, following: Following) -> Walk {
        let begins = following.start.iter().map(|start| Begin::new(start)).collect();
        let mut walk = Walk {
            options,
            following,
            web: Web::default(),
            outcomes: BTreeMap::new(),
            queue: VecDeque::new(),
            named: Vec::new(),
            resources: VecDeque::new(),
            open: BTreeMap::new(),
            early: BTreeMap::new(),
            next: 0,
            turn: 0,
            asked: 0,
            begins,
            probed: false,
            stopped: false,
        };
        (0..walk.begins.len()).for_each(|begin| walk.try_next(begin));
        walk
    }

    /// What to fetch next.
    pub fn poll(&mut self) -> Next {
        if self.open.len() >= OPEN {
            return Next::Wait;
        }
        loop {
            let Some(task) = self.queue.pop_front() else {
                if !self.open.is_empty() {
                    return Next::Wait;
                }
                let named = core::mem::take(&mut self.named);
                if !named.is_empty() {
                    for (uri, from) in named {
                        self.want(&uri, Some(from), Via::Loc, Task::new(Purpose::Document));
                    }
                    continue;
                }
                if !core::mem::replace(&mut self.probed, true) {
                    self.probe_hosts();
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
                    None => return Next::Done,
                }
            };
            let Some(node) = self.web.nodes.get_mut(task.node) else { continue };
            if task.is_head_of_topic() {
                return self.ask(task);
            }
            if !matches!(node.state, State::Known) {
                self.begun(&task, true);
                continue;
            }
            if self.asked >= self.following.documents {
                node.state = State::OverBudget;
                self.begun(&task, true);
                continue;
            }
            self.asked = self.asked.saturating_add(1);
            return self.ask(task);
        }
    }

    fn ask(&mut self, task: Task) -> Next {
        let id = self.next;
        self.next = id.saturating_add(1);
        let node = self.web.nodes.get(task.node);
        let parent = node.and_then(|node| self.web.nodes.get(node.from?)).map(|parent| parent.uri.clone());
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
            probe: task.probe,
            sample: match self.following.resources {
                Resources::None => 0,
                Resources::Some(most) => most,
                Resources::All => u64::MAX,
            },
        };
        self.open.insert(id, task);
        Next::Fetch(fetch)
    }

    /// Takes what came of a fetch, in any order.
    pub fn handle(&mut self, visited: Visited) {
        if !self.open.contains_key(&visited.id) {
            return;
        }
        self.early.insert(visited.id, visited);
        while let Some(visited) = self.early.remove(&self.turn) {
            self.turn = self.turn.saturating_add(1);
            if let Some(task) = self.open.remove(&visited.id) {
                self.take(task, visited.what);
            }
        }
    }

    fn take(&mut self, task: Task, what: What) {
        let Some(node) = self.web.nodes.get_mut(task.node) else { return };
        // While it was under way, another URI turned out to lead here.
        if let State::Same(_) = &node.state {
            return self.begun(&task, true);
        }
        let source = Source { name: node.uri.clone(), uri: Some(node.uri.clone()), via: node.via };
        let is_resource = task.purpose == Purpose::Resource;
        if task.is_head_of_topic() {
            match what {
                What::Had(response, ..) => drop(self.web.heads.insert(task.node, Ok(response))),
                What::Missed(Missed::Missing { reason }) => drop(self.web.heads.insert(task.node, Err(reason))),
                What::Interrupted(_) => self.stopped = true,
                // The topic was had; that it could not be asked again says nothing of it.
                What::Missed(_) => {}
            }
            return;
        }
        let held = match what {
            // Some servers do not know how to be asked for the headers alone.
            What::Missed(Missed::Failed { .. }) if is_resource && task.method == Method::Head => {
                self.resources.push_front(Task { method: Method::Get, ..task });
                return;
            }
            What::Missed(missed) => return self.missed(&task, missed, source),
            What::Interrupted(outcome) => {
                self.stopped = true;
                self.outcomes.insert(task.node, outcome);
                node.state = State::Failed("interrupted".to_string());
                return;
            }
            What::Had(response, held, outcome) => (response, held, outcome),
        };
        let (response, held, outcome) = held;
        if !is_resource && let Some(other) = self.web.moved(task.node, &response.uri) {
            if let Some(node) = self.web.nodes.get_mut(task.node) {
                node.state = State::Same(other);
            }
            return self.begun(&task, true);
        }
        let mut held = held;
        if let Held::Document(memo) | Held::Topic(Some(memo), _) = &mut held {
            self.web.keep(memo);
        }
        let leads = self.follow(task.node, &held, &response);
        // Subscribers may ask for the headers alone.
        if matches!(held, Held::Topic(..)) && response.status == 200 && response.headers.is_some() {
            let (node, method) = (task.node, Method::Head);
            self.queue.push_back(Task { node, method, ..Task::new(Purpose::Topic) });
        }
        // From now on its tasks have it.
        if let Held::Document(memo) = &mut held {
            memo.sample = Vec::new();
        }
        if let Some(outcome) = outcome {
            self.outcomes.insert(task.node, outcome);
        }
        if let Some(node) = self.web.nodes.get_mut(task.node) {
            node.state = State::Had(alloc::boxed::Box::new(Had { response, held }));
        }
        self.begun(&task, leads);
    }

    fn missed(&mut self, task: &Task, missed: Missed, source: Source) {
        let is_named =
            task.begin.and_then(|begin| self.begins.get(begin)).is_some_and(|begin| begin.is_only(&source.name));
        let (state, reason, is_told) = match missed {
            Missed::Missing { reason } => (State::Missing(reason.clone()), reason, is_named),
            Missed::LeftOut { reason } => (State::LeftOut(reason.clone()), reason, is_named),
            Missed::Failed { reason } => (State::Failed(reason.clone()), reason, !task.probe),
        };
        if let (Some(begin), State::LeftOut(_) | State::Failed(_)) =
            (task.begin.and_then(|begin| self.begins.get_mut(begin)), &state)
        {
            begin.doubt = Some(reason.clone());
        }
        if is_told {
            self.outcomes.insert(task.node, Validation::new(&self.options, source).unreadable(&reason));
        }
        if let Some(node) = self.web.nodes.get_mut(task.node) {
            node.state = state;
        }
        self.begun(task, is_named);
    }

    /// Puts a URI on the list of what to fetch, if it is not known yet.
    fn want(&mut self, uri: &str, from: Option<usize>, via: Via, task: Task) -> usize {
        let (node, is_new) = self.web.reach(uri, from, via);
        if is_new || task.begin.is_some() {
            self.queue.push_back(Task { node, ..task });
        }
        node
    }

    /// The report.
    pub fn finish(self) -> Report {
        self.report()
    }

    /// The report of a walk that the user stopped.
    pub fn interrupted(mut self) -> Report {
        self.stopped = true;
        for (id, visited) in core::mem::take(&mut self.early) {
            if let Some(task) = self.open.remove(&id) {
                self.take(task, visited.what);
            }
        }
        self.report()
    }

    /// Documents and packages that were had so far, and the entries in them.
    pub fn progress(&self) -> (u64, u64) {
        let entries = self.outcomes.values().map(|outcome| outcome.entries).fold(0, u64::saturating_add);
        (self.outcomes.len() as u64, entries)
    }
}

impl Task {
    /// True for the second question to a topic.
    fn is_head_of_topic(&self) -> bool {
        self.purpose == Purpose::Topic && self.method == Method::Head
    }

    fn new(purpose: Purpose) -> Task {
        Task {
            node: 0,
            purpose,
            begin: None,
            probe: false,
            hash: None,
            media_type: None,
            encoding: None,
            method: Method::Get,
        }
    }
}

/// True if two URIs are one.
fn same(one: &str, other: &str) -> bool {
    key(one) == key(other)
}
