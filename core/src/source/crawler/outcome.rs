//! The end of a crawl: the checks across documents, and the report.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use super::{Crawler, response_reader::plain};
use crate::{
    diagnostic::Reason,
    diagnostic::ReasonCode,
    diagnostic::Sink,
    model::Kind,
    report::{self, Collector, RelatedPlace, Report, Via},
    source::{self, Content, CrossFinding, NodeState},
    validate::{DocumentSummary, InputOrigin, Outcome, Run, Validation},
};

impl Crawler {
    pub(super) fn report(mut self) -> Report {
        let lost = self.lost();
        self.graph.tie();
        let unreachable = self.unreachable();
        let input = source::CheckInput { lost: &lost, unreachable: &unreachable, earlier: self.crawl.earlier.as_ref() };
        let found = source::check(&self.graph, &input);
        let sets = source::summaries(&self.graph);
        self.tell_resources(&found);
        self.acquit(&found);
        let has_documents = self.has_documents();
        let mut run = Run::new(&self.options);
        let mut inputs: BTreeMap<usize, u64> = BTreeMap::new();
        // The input for findings about a node's document; for a package the manifest in it.
        let mut documents: BTreeMap<usize, u64> = BTreeMap::new();
        let mut left_out: u64 = 0;
        for node in 0..self.graph.nodes.len() {
            let parent = self.graph.nodes.get(node).and_then(|node| inputs.get(&node.from?)).copied();
            if let Some(topic) = self.unheard(node) {
                run.skip(topic, Reason::new(ReasonCode::NoHttp));
                continue;
            }
            match self.outcome(node) {
                Some(Outcome { origin: InputOrigin { via: Via::Folder, name, .. }, foreign: Some(reason), .. }) => {
                    run.skip(name, reason);
                }
                Some(outcome) => {
                    let has_manifest = !outcome.inside.is_empty();
                    let id = run.add_below(outcome, parent);
                    inputs.insert(node, id);
                    documents.insert(node, id.saturating_add(has_manifest.into()));
                }
                None => {
                    if let Some((name, reason)) = self.passed_over(node, has_documents) {
                        run.skip(name, reason);
                        continue;
                    }
                    let Some((origin, reason)) = self.reason(node) else { continue };
                    // Limited to the number that could have been checked; all of them are counted at their
                    // links.
                    left_out = left_out.saturating_add(1);
                    if left_out <= self.crawl.documents.max(100) {
                        run.add_skipped(origin, Kind::Unknown, parent, reason);
                    }
                }
            }
        }
        for (node, found) in by_node(found) {
            // Every problem is reported at the link, and its document was read.
            let Some(id) = documents.get(&node).copied() else { continue };
            run.add_cross_findings(id, self.checked(node, found, &documents));
        }
        for (node, summary) in sets {
            if let Some(input) = inputs.get(&node) {
                run.set(report::ResourceSet { input: *input, ..summary });
            }
        }
        if self.stopped {
            run.stopped("interrupt");
        }
        if !has_documents {
            run.has_no_source();
        }
        run.finish()
    }

    /// A resource that was read and has findings of its own is an input.
    fn tell_resources(&mut self, found: &[CrossFinding]) {
        for across in found {
            let Some(node) = self.graph.nodes.get(across.node) else { continue };
            let is_resource =
                matches!(&node.state, NodeState::Fetched(fetched) if matches!(fetched.content, Content::Resource(_)));
            if is_resource {
                let origin = InputOrigin { name: node.uri.clone(), uri: Some(node.uri.clone()), via: node.via };
                self.outcomes.entry(across.node).or_insert_with(|| plain(origin, Kind::Unknown, 0));
            }
        }
    }

    /// What a link called a document, and is none, has no fault of its own once that is reported where the link is.
    fn acquit(&mut self, found: &[CrossFinding]) {
        let targets = found.iter().flat_map(|across| &across.related).map(|(_, node, _)| *node);
        for node in targets {
            let Some(Content::Foreign(kind)) = self.graph.fetched(node).map(|fetched| &fetched.content) else {
                continue;
            };
            if let Some(outcome) = self.outcomes.get_mut(&node) {
                *outcome = plain(outcome.origin.clone(), *kind, outcome.bytes);
            }
        }
    }

    /// Starts without a result, each with an input to report it for. What could not be read is reported as unreadable: only what is
    /// certainly absent shows that there is no Source.
    fn lost(&mut self) -> Vec<(usize, String)> {
        let mut lost = Vec::new();
        let has_documents = self.has_documents();
        let is_sure = self.is_sure();
        for start in &self.starts {
            let is_lost = !has_documents || start.led == Some(false);
            let uri = |node: usize| self.graph.nodes.get(node).map(|node| node.uri.clone()).unwrap_or_default();
            let unreadable = start.unreadable(!is_lost, uri);
            let is_known = unreadable.is_empty() && start.unread.is_empty() && !start.is_cut;
            for (node, reason) in unreadable {
                let uri = uri(node);
                let origin = InputOrigin { uri: Some(uri.clone()), ..InputOrigin::named(uri) };
                let told = || Validation::new(&self.options, origin).unreadable(reason);
                self.outcomes.entry(node).or_insert_with(told);
            }
            // Documents that were not requested may be those of the Source.
            if !is_lost || !is_known || !has_documents && !is_sure {
                continue;
            }
            let node = start.last.unwrap_or_else(|| self.graph.reach(&start.named, None, Via::Argument).0);
            let origin = InputOrigin { uri: Some(start.named.clone()), ..InputOrigin::named(start.named.clone()) };
            self.outcomes.entry(node).or_insert_with(|| plain(origin, Kind::Unknown, 0));
            lost.push((node, start.named.clone()));
        }
        lost
    }

    /// True if a ResourceSync document was read, or part of what may be one: a `robots.txt` may list only plain sitemaps.
    fn has_documents(&self) -> bool {
        self.graph.documents_and_manifests().any(|(_, summary)| !summary.kind.is_plain() || !summary.complete)
    }

    /// True if every URI was fetched or certainly does not exist.
    fn is_sure(&self) -> bool {
        let is_sure =
            |state: &NodeState| matches!(state, NodeState::Fetched(_) | NodeState::NotFound(_) | NodeState::Same(_));
        !self.stopped && self.graph.nodes.iter().all(|node| is_sure(&node.state))
    }

    /// A topic without headers and body, about which there is nothing to report.
    fn unheard(&self, node: usize) -> Option<String> {
        let fetched = self.graph.fetched(node).filter(|fetched| {
            matches!(fetched.content, Content::Topic(None, 0)) && fetched.response.headers.is_none()
        })?;
        self.graph.nodes.get(node).filter(|_| fetched.response.is_success()).map(|node| node.uri.clone())
    }

    /// The outcome of a node, with its summary.
    fn outcome(&mut self, node: usize) -> Option<Outcome> {
        let mut outcome = self.outcomes.remove(&node)?;
        let closed = self.graph.summary(node).filter(|summary| summary.closed().is_some());
        outcome.incomplete |= self.graph.summary(node).is_some_and(|summary| summary.forgotten > 0);
        outcome.times = self.graph.summary(node).map(DocumentSummary::times).unwrap_or_default();
        outcome.summary = closed.map(|summary| alloc::boxed::Box::new(summary.as_closed()));
        Some(outcome)
    }

    /// What is not read although nothing promised that it is a document, with the reason: a symbolic link in the folder that leads
    /// elsewhere, a `Sitemap:` line that leads to another host, another way to find a Source that was found.
    fn passed_over(&self, at: usize, has_documents: bool) -> Option<(String, Reason)> {
        let node = self.graph.nodes.get(at)?;
        let is_candidate = || self.starts.iter().any(|start| start.unread.iter().any(|(node, _)| *node == at));
        let reason = match &node.state {
            NodeState::Skipped(reason) if node.via == Via::Folder => reason,
            NodeState::Skipped(reason) if has_documents && self.is_sitemap_line(at) => reason,
            NodeState::Skipped(reason) | NodeState::Failed(reason) if has_documents && is_candidate() => reason,
            _ => return None,
        };
        Some((node.uri.clone(), reason.clone()))
    }

    /// The reason why a node was not checked, if it has to be reported.
    fn reason(&self, node: usize) -> Option<(InputOrigin, Reason)> {
        let node = self.graph.nodes.get(node)?;
        let reason = match &node.state {
            NodeState::Skipped(reason) => reason.clone(),
            NodeState::OverBudget => Reason::new(ReasonCode::DocumentLimit),
            NodeState::Known if self.stopped => Reason::new(ReasonCode::CrawlStopped),
            _ => return None,
        };
        if node.via != Via::Folder {
            node.from?;
        }
        Some((InputOrigin { name: node.uri.clone(), uri: Some(node.uri.clone()), via: node.via }, reason))
    }

    /// Counts and renders the findings of one input.
    fn checked(&self, node: usize, found: Vec<CrossFinding>, inputs: &BTreeMap<usize, u64>) -> report::Checked {
        let mut collector = Collector::new(&self.options.selection, self.options.max_per_rule);
        let mut diagnostics = Vec::new();
        for CrossFinding { finding, related, .. } in found {
            collector.found(finding);
            for (finding, severity) in collector.take_fresh() {
                let summary = self.graph.summary(node);
                let excerpt = finding.span.and_then(|span| summary?.excerpt(&span));
                let mut diagnostic = report::diagnostic(&finding, severity, excerpt);
                diagnostic.related.extend(related.iter().filter_map(|(role, node, span)| {
                    Some(RelatedPlace { role: role.to_string(), input: *inputs.get(node)?, span: (*span).into() })
                }));
                diagnostics.push(diagnostic);
            }
        }
        collector.finish(diagnostics)
    }
}

fn by_node(found: Vec<CrossFinding>) -> BTreeMap<usize, Vec<CrossFinding>> {
    let mut nodes: BTreeMap<usize, Vec<CrossFinding>> = BTreeMap::new();
    for across in found {
        nodes.entry(across.node).or_default().push(across);
    }
    nodes
}
