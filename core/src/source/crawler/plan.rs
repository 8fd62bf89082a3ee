//! Planning: a crawl that returns lists and packages instead of reading them.

use alloc::{collections::VecDeque, string::String};

use super::{
    Crawler, Task,
    links::{hash, length, media_type},
};
use crate::{
    diagnostic::{Reason, ReasonCode},
    model::{Entry, Kind},
    report::{Times, Via},
    source::{CrawlOptions, Leaf, NodeState, Resources, href},
    validate::{DocumentSummary, Options, times},
};

impl Crawler {
    /// Creates a crawl that plans.
    pub(in crate::source) fn planning(options: Options, crawl: CrawlOptions) -> Crawler {
        let mut crawler = Crawler::new(options, CrawlOptions { resources: Resources::None, ..crawl });
        crawler.leaves = Some(VecDeque::new());
        // Whether a host advertises its Source in every way does not matter for the plan.
        crawler.probed = true;
        crawler
    }

    /// The next list or package that was found.
    pub(in crate::source) fn next_leaf(&mut self) -> Option<Leaf> {
        self.leaves.as_mut()?.pop_front()
    }

    /// Once the crawl is complete: plans what it lacks; `is_empty` if nothing was planned before.
    pub(in crate::source) fn plan_gaps(&mut self, is_empty: bool) {
        let mut gaps = self.gaps();
        if is_empty && gaps.is_empty() {
            gaps.extend(self.nothing_found());
        }
        self.leaves.get_or_insert_default().extend(gaps);
    }

    /// The reason why nothing was found, if no document was.
    fn nothing_found(&self) -> Option<Leaf> {
        if self.graph.documents_and_manifests().any(|(_, summary)| summary.is_resource_sync()) {
            return None;
        }
        let unread = |state: &NodeState| match state {
            NodeState::Failed(reason) | NodeState::Skipped(reason) => Some(reason.clone()),
            _ => None,
        };
        let start = self.starts.first()?;
        // A document that was named has to be there; of a host any place may be empty.
        let absent = || {
            let node = self.graph.nodes.get(self.graph.find(&start.named).filter(|_| !start.is_host)?)?;
            match &node.state {
                NodeState::NotFound(reason) => Some(reason.clone()),
                _ => None,
            }
        };
        let reason = self.graph.nodes.iter().find_map(|node| unread(&node.state)).or_else(absent);
        Some(problem(start.named.clone(), reason.unwrap_or_else(|| Reason::new(ReasonCode::NotThere))))
    }

    /// Plans the target of an entry; false if it has to be fetched.
    pub(super) fn plan_entry(&mut self, node: usize, kind: Kind, entry: &Entry, uri: &str) -> bool {
        let (true, Some(kind)) = (self.leaves.is_some(), Leaf::listed_by(kind)) else { return false };
        if self.graph.reach(uri, Some(node), Via::Loc).1 {
            let md = entry.first_md();
            let leaf = Leaf {
                uri: uri.into(),
                kind,
                set: self.set_of(node),
                parent: self.uri(node),
                length: length(entry),
                hash: hash(entry),
                media_type: media_type(entry),
                times: md.map(times).unwrap_or_default(),
                problem: None,
            };
            self.leaves.get_or_insert_default().push_back(leaf);
        }
        true
    }

    /// True if a document lists a Capability List of which the plan is not.
    pub(super) fn is_other_set(&self, kind: Kind, entry: &Entry) -> bool {
        let is_wanted = || entry.uri().is_some_and(|uri| self.crawl.sets.contains(uri.as_str()));
        kind == Kind::SourceDescription && !self.crawl.sets.is_empty() && !is_wanted()
    }

    /// Plans a list whose head was read.
    pub(super) fn plan_document(&mut self, node: usize, summary: &DocumentSummary) {
        if self.leaves.is_none() || !Leaf::is_leaf(summary.kind) {
            return;
        }
        let from = self.graph.nodes.get(node).and_then(|node| node.from);
        let up = || summary.link("up").and_then(|(_, link)| href(link)).map(String::from);
        let leaf = Leaf {
            uri: self.uri(node).unwrap_or_default(),
            kind: summary.kind,
            set: from.and_then(|from| self.set_of(from)).or_else(up),
            parent: from.and_then(|from| self.uri(from)),
            length: None,
            hash: None,
            media_type: None,
            times: summary.times(),
            problem: None,
        };
        self.leaves.get_or_insert_default().push_back(leaf);
    }

    /// Plans what a link promised and could not be fetched.
    pub(super) fn plan_failed(&mut self, task: &Task, reason: &Reason) {
        if self.leaves.is_none() || task.start.is_some() || task.probe {
            return;
        }
        let from = self.graph.nodes.get(task.node).and_then(|node| node.from);
        let (set, parent) = (from.and_then(|from| self.set_of(from)), from.and_then(|from| self.uri(from)));
        let leaf = Leaf { set, parent, ..problem(self.uri(task.node).unwrap_or_default(), reason.clone()) };
        self.leaves.get_or_insert_default().push_back(leaf);
    }

    pub(super) fn uri(&self, node: usize) -> Option<String> {
        self.graph.nodes.get(node).map(|node| node.uri.clone())
    }

    /// The Capability List that a document was found from, or that it names.
    pub(super) fn set_of(&self, node: usize) -> Option<String> {
        let mut up = None;
        let mut at = Some(node);
        while let Some(node) = at {
            if let Some(summary) = self.graph.summary(node) {
                if summary.kind == Kind::CapabilityList {
                    return self.uri(node);
                }
                up = up.or_else(|| summary.link("up").and_then(|(_, link)| href(link)).map(String::from));
            }
            at = self.graph.nodes.get(node).and_then(|node| node.from);
        }
        up
    }
}

/// What could not be fetched or read.
pub(super) fn problem(uri: String, reason: Reason) -> Leaf {
    Leaf {
        uri,
        kind: Kind::Unknown,
        set: None,
        parent: None,
        length: None,
        hash: None,
        media_type: None,
        times: Times::default(),
        problem: Some(reason),
    }
}
