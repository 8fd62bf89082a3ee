//! The graph of a crawl: every URI found, its content, and the links to it.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet},
    string::String,
    sync::Arc,
    vec::Vec,
};

use super::{Response, discovery::Announcement, href, relates};
use crate::{
    diagnostic::Reason,
    model::{Entry, Kind, Shape},
    report::Via,
    rules::{KindProfile, KnownPackage, Level},
    validate::DocumentSummary,
    value::{Algorithm, Uri, key},
};

/// The whole graph.
#[derive(Debug, Default)]
pub(crate) struct LinkGraph {
    pub(crate) nodes: Vec<Node>,
    /// Of the hashes of resources.
    pub(crate) seed: u64,
    by_key: BTreeMap<String, usize>,
    /// Fetched resources, by URI and coding; there may also be a document at the same URI.
    by_resource: BTreeMap<(String, Option<String>), usize>,
    /// The lists and entries of each fetched resource, by its node.
    pub(crate) listed: BTreeMap<usize, Vec<(usize, Entry)>>,
    /// Entries kept, over all documents.
    kept: usize,
    /// The HEAD responses of topics, or the reasons for their absence.
    pub(crate) heads: BTreeMap<usize, Result<Response, Reason>>,
    /// For each document the documents that list it, with the index of the entry; built when all were read.
    above: BTreeMap<usize, Vec<(usize, usize)>>,
}

/// A URI.
#[derive(Debug)]
pub(crate) struct Node {
    /// As first written.
    pub(crate) uri: String,
    pub(crate) state: NodeState,
    /// How it was first found.
    pub(crate) from: Option<usize>,
    pub(crate) via: Via,
}

/// The state of a URI.
#[derive(Debug)]
pub(crate) enum NodeState {
    /// To be fetched.
    Known,
    Fetched(Box<Fetched>),
    NotFound(Reason),
    Skipped(Reason),
    OverBudget,
    Failed(Reason),
    /// It was redirected to another URI.
    Same(usize),
}

/// A response with its content.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) response: Response,
    pub(crate) content: Content,
}

/// The content of a response.
#[derive(Debug)]
pub(crate) enum Content {
    Document(DocumentSummary),
    Page(Vec<Announcement>),
    /// The `Sitemap:` lines of a `robots.txt`.
    Robots(Vec<String>),
    /// The topic of a channel, with the notification in its body and the length of that.
    Topic(Option<DocumentSummary>, u64),
    /// A package, with the summary of its manifest.
    Package(Arc<KnownPackage>, Option<DocumentSummary>),
    Resource(FetchedResource),
    /// Something else, where a link promised a document.
    Foreign(Kind),
}

/// A resource that was read.
#[derive(Debug)]
pub(crate) struct FetchedResource {
    /// Bytes received; `None` if they were decoded, or if only the headers were requested.
    pub(crate) length: Option<u64>,
    /// Computed digests: name and value.
    pub(crate) digests: Vec<(Algorithm, Vec<u8>)>,
}

impl LinkGraph {
    /// Nothing yet, with the seed of a run.
    pub(crate) fn seeded(seed: u64) -> LinkGraph {
        LinkGraph { seed, ..LinkGraph::default() }
    }

    /// Drops the entries of a document that exceed the limit on the entries of all documents.
    pub(crate) fn keep(&mut self, summary: &mut DocumentSummary, most: u64) {
        let room = usize::try_from(most).unwrap_or(usize::MAX).saturating_sub(self.kept);
        summary.forgotten = summary.forgotten.saturating_add(summary.members.len().saturating_sub(room) as u64);
        summary.members.truncate(room);
        self.kept = self.kept.saturating_add(summary.members.len());
    }

    /// True if entries that lead to documents were not kept. Then it is not known that nothing lists a document.
    pub(crate) fn forgot_documents(&self) -> bool {
        self.documents().any(|(_, summary)| summary.forgotten > 0 && KindProfile::of(summary.kind).lists_documents())
    }

    /// The node of a URI, created if there is none.
    pub(crate) fn reach(&mut self, uri: &str, from: Option<usize>, via: Via) -> (usize, bool) {
        let key = key(uri);
        if let Some(node) = self.by_key.get(&key) {
            return (*node, false);
        }
        let node = self.nodes.len();
        self.nodes.push(Node { uri: uri.into(), state: NodeState::Known, from, via });
        self.by_key.insert(key, node);
        (node, true)
    }

    /// The node of a resource in the coding that an entry lists, if this is the first entry that does.
    pub(crate) fn list(&mut self, uri: &str, coding: Option<String>, list: usize, entry: &Entry) -> Option<usize> {
        let fresh = self.nodes.len();
        let node = *self.by_resource.entry((key(uri), coding)).or_insert(fresh);
        self.listed.entry(node).or_default().push((list, entry.clone()));
        if node < fresh {
            return None;
        }
        self.nodes.push(Node { uri: uri.into(), state: NodeState::Known, from: Some(list), via: Via::Loc });
        Some(node)
    }

    /// Records that a node was redirected. Returns the node of the target if its document was already fetched; if it was only
    /// queued, it need not be fetched any more.
    pub(crate) fn moved(&mut self, node: usize, to: &str) -> Option<usize> {
        let key = key(to);
        let other = match self.by_key.get(&key) {
            None => {
                self.by_key.insert(key, node);
                return None;
            }
            Some(other) => self.settled(*other),
        };
        let state = self.nodes.get_mut(other).filter(|_| other != node).map(|node| &mut node.state)?;
        match state {
            NodeState::Fetched(_) => Some(other),
            NodeState::Known => {
                *state = NodeState::Same(node);
                None
            }
            _ => None,
        }
    }

    /// The node of a URI, after redirects.
    pub(crate) fn find(&self, uri: &str) -> Option<usize> {
        let node = *self.by_key.get(&key(uri))?;
        Some(self.settled(node))
    }

    /// The node itself, or the one it was redirected to.
    pub(crate) fn settled(&self, node: usize) -> usize {
        match self.nodes.get(node).map(|node| &node.state) {
            Some(NodeState::Same(other)) => *other,
            _ => node,
        }
    }

    /// The content of a node.
    pub(crate) fn fetched(&self, node: usize) -> Option<&Fetched> {
        match &self.nodes.get(node)?.state {
            NodeState::Fetched(fetched) => Some(fetched),
            _ => None,
        }
    }

    /// The summary of a node's document.
    pub(crate) fn summary(&self, node: usize) -> Option<&DocumentSummary> {
        match &self.fetched(node)?.content {
            Content::Document(summary) | Content::Topic(Some(summary), _) | Content::Package(_, Some(summary)) => {
                Some(summary)
            }
            _ => None,
        }
    }

    /// What a URI led to, if that is no document of ResourceSync: its node and what it is.
    pub(crate) fn foreign(&self, uri: &str) -> Option<(usize, Kind)> {
        let node = self.find(uri)?;
        match self.fetched(node)?.content {
            Content::Foreign(kind) => Some((node, kind)),
            _ => None,
        }
    }

    /// All fetched documents with their nodes, in the order of requests.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (usize, &DocumentSummary)> {
        self.nodes.iter().enumerate().filter_map(|(at, node)| match &node.state {
            NodeState::Fetched(fetched) => match &fetched.content {
                Content::Document(summary) | Content::Topic(Some(summary), _) => Some((at, summary)),
                _ => None,
            },
            _ => None,
        })
    }

    /// All documents, and the manifests in packages; a manifest has the node of its package.
    pub(crate) fn documents_and_manifests(&self) -> impl Iterator<Item = (usize, &DocumentSummary)> {
        (0..self.nodes.len()).filter_map(|node| Some((node, self.summary(node)?)))
    }

    /// All documents of a kind.
    pub(crate) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (usize, &DocumentSummary)> {
        self.documents().filter(move |(_, summary)| summary.kind == kind)
    }

    /// The node of a URI and the summary of the document there.
    pub(crate) fn target(&self, uri: &str) -> Option<(usize, &DocumentSummary)> {
        let node = self.find(uri)?;
        Some((node, self.summary(node)?))
    }

    /// Builds the index of which documents list which.
    pub(crate) fn tie(&mut self) {
        let mut above: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (node, summary) in self.documents().filter(|(_, summary)| summary.kind != Kind::FrameworkNotification) {
            for (at, entry) in summary.members.iter().enumerate() {
                let loc = entry.uri().map(Uri::as_str);
                let contents = entry.links.iter().filter(|link| relates(link, "contents")).filter_map(href);
                for target in loc.into_iter().chain(contents).filter_map(|uri| self.find(uri)) {
                    above.entry(target).or_default().push((node, at));
                }
            }
        }
        self.above = above;
    }

    /// True if a document lists another.
    pub(crate) fn lists(&self, document: usize, other: usize) -> bool {
        self.above.get(&other).is_some_and(|above| above.iter().any(|(own, _)| *own == document))
    }

    /// True if any other document lists it.
    pub(crate) fn is_listed(&self, node: usize) -> bool {
        self.above.get(&node).is_some_and(|above| above.iter().any(|(own, _)| *own != node))
    }

    /// The indexes that list a document, with the entries.
    pub(crate) fn indexes_of(&self, node: usize) -> impl Iterator<Item = (usize, &Entry)> {
        self.above.get(&node).into_iter().flatten().filter_map(|(index, at)| {
            let summary = self.summary(*index).filter(|summary| summary.root.shape == Some(Shape::SitemapIndex))?;
            Some((*index, summary.members.get(*at)?))
        })
    }

    /// Closed Change Lists that no document lists, with the interval and the entries of one that is listed: copies for those who read the open list that this one was.
    pub(crate) fn copies(&self) -> BTreeSet<usize> {
        let closed = self.of_kind(Kind::ChangeList).filter_map(|(node, summary)| {
            let head = &summary.head.as_ref()?.attributes;
            let interval = (head.from()?.value()?.start(), head.until()?.value()?.start());
            summary.complete.then_some((node, (interval, &summary.locs, &summary.events)))
        });
        let (listed, others): (Vec<_>, Vec<_>) = closed.partition(|(node, _)| self.is_listed(*node));
        let contents: BTreeSet<_> = listed.into_iter().map(|(_, content)| content).collect();
        others.into_iter().filter(|(_, content)| contents.contains(content)).map(|(node, _)| node).collect()
    }

    /// The first document of a kind among these.
    pub(crate) fn first_of(&self, nodes: &BTreeSet<usize>, kind: Kind) -> Option<(usize, &DocumentSummary)> {
        let own = |node: &usize| Some((*node, self.summary(*node).filter(|summary| summary.kind == kind)?));
        nodes.iter().find_map(own)
    }

    /// The Capability Lists that list a document, directly or through indexes and dumps.
    pub(crate) fn lists_above(&self, node: usize) -> BTreeSet<usize> {
        let (mut lists, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::new(), alloc::vec![node]);
        while let Some(at) = waiting.pop() {
            for (above, _) in self.above.get(&at).into_iter().flatten() {
                match self.summary(*above).map(|summary| KindProfile::of(summary.kind).level) {
                    Some(Level::Set) => {
                        lists.insert(*above);
                    }
                    Some(Level::Capability) if seen.insert(*above) => waiting.push(*above),
                    Some(Level::Capability | Level::Source) | None => {}
                }
            }
        }
        lists
    }
}
