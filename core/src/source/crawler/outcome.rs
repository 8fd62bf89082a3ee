//! The end of a walk: what the documents show together, and the report.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use super::{Walk, response_reader::plain};
use crate::{
    diagnostic::Sink,
    model::Kind,
    report::{self, Collector, Related, Report, Via},
    source::{self, Across, Held, State},
    validate::{Outcome, Run, Source, Validation},
};

impl Walk {
    pub(super) fn report(mut self) -> Report {
        let lost = self.lost();
        self.web.tie();
        let found = source::check(&self.web, &source::Beside { lost: &lost, earlier: self.following.earlier.as_ref() });
        let sets = source::summaries(&self.web);
        self.tell_resources(&found);
        let mut run = Run::new(&self.options);
        let mut inputs: BTreeMap<usize, u64> = BTreeMap::new();
        // Where findings about a node's document go: those about a package are about the manifest in it.
        let mut documents: BTreeMap<usize, u64> = BTreeMap::new();
        let mut left_out: u64 = 0;
        for node in 0..self.web.nodes.len() {
            let parent = self.web.nodes.get(node).and_then(|node| inputs.get(&node.from?)).copied();
            if let Some(topic) = self.unheard(node) {
                run.skip(topic, "a notification channel is asked over HTTP, and there is none here");
                continue;
            }
            match self.outcome(node) {
                Some(outcome) => {
                    let has_manifest = !outcome.inside.is_empty();
                    let id = run.put(outcome, parent);
                    inputs.insert(node, id);
                    documents.insert(node, id.saturating_add(has_manifest.into()));
                }
                None => {
                    let Some((source, reason)) = self.reason(node) else { continue };
                    // As many as could have been looked at; all of them are counted where they are linked.
                    left_out = left_out.saturating_add(1);
                    if left_out <= self.following.documents.max(100) {
                        run.leave_out(source, Kind::Unknown, parent, &reason);
                    }
                }
            }
        }
        for (node, found) in by_node(found) {
            // Everything is reported where it was linked, and that has been read.
            let Some(id) = documents.get(&node).copied() else { continue };
            run.across(id, self.checked(node, found, &documents));
        }
        for (node, summary) in sets {
            if let Some(input) = inputs.get(&node) {
                run.set(report::Set { input: *input, ..summary });
            }
        }
        if self.stopped {
            run.stopped("interrupt");
        }
        run.finish()
    }

    /// A resource that was read and has findings of its own is an input.
    fn tell_resources(&mut self, found: &[Across]) {
        for across in found {
            let Some(node) = self.web.nodes.get(across.node) else { continue };
            let is_resource = matches!(&node.state, State::Had(had) if matches!(had.held, Held::Resource(_)));
            if is_resource {
                let source = Source { name: node.uri.clone(), uri: Some(node.uri.clone()), via: node.via };
                self.outcomes.entry(across.node).or_insert_with(|| plain(source, Kind::Unknown, 0));
            }
        }
    }

    /// Starts that led nowhere, each with something in the report to say it at.
    fn lost(&mut self) -> Vec<(usize, String)> {
        let mut lost = Vec::new();
        let is_empty = self.is_empty();
        for begin in &self.begins {
            if begin.led != Some(false) && !is_empty {
                continue;
            }
            let node = begin.last.unwrap_or_else(|| self.web.reach(&begin.named, None, Via::Argument).0);
            let source = Source { uri: Some(begin.named.clone()), ..Source::named(begin.named.clone()) };
            // Nobody knows what is where it was not to be had.
            let told =
                begin.doubt.as_deref().map(|reason| Validation::new(&self.options, source.clone()).unreadable(reason));
            let is_known = told.is_none();
            self.outcomes.entry(node).or_insert_with(|| told.unwrap_or_else(|| plain(source, Kind::Unknown, 0)));
            if is_known {
                lost.push((node, begin.named.clone()));
            }
        }
        lost
    }

    /// True if all that was met was had or is certainly not there, and nothing of it belongs to ResourceSync: what a
    /// `robots.txt` leads to may be plain sitemaps alone.
    fn is_empty(&self) -> bool {
        let is_sure = |state: &State| matches!(state, State::Had(_) | State::Missing(_) | State::Same(_));
        let is_plain = |kind: Kind| matches!(kind, Kind::Unknown | Kind::Sitemap);
        !self.stopped
            && self.web.nodes.iter().all(|node| is_sure(&node.state))
            && self.web.documents().all(|(_, memo)| is_plain(memo.kind) && memo.complete)
    }

    /// A topic without headers and body, of which there is nothing to say.
    fn unheard(&self, node: usize) -> Option<String> {
        let had = self
            .web
            .had(node)
            .filter(|had| matches!(had.held, Held::Topic(None, 0)) && had.response.headers.is_none())?;
        self.web.nodes.get(node).filter(|_| had.response.is_success()).map(|node| node.uri.clone())
    }

    /// The outcome of a node, with what is remembered of it.
    fn outcome(&mut self, node: usize) -> Option<Outcome> {
        let mut outcome = self.outcomes.remove(&node)?;
        let closed = self.web.memo(node).filter(|memo| memo.closed().is_some());
        outcome.incomplete |= self.web.memo(node).is_some_and(|memo| memo.forgotten > 0);
        outcome.memo = closed.map(|memo| alloc::boxed::Box::new(memo.as_closed()));
        Some(outcome)
    }

    /// Why a node was not looked at, if that has to be told.
    fn reason(&self, node: usize) -> Option<(Source, String)> {
        let node = self.web.nodes.get(node)?;
        let reason = match &node.state {
            State::LeftOut(reason) => reason.clone(),
            State::OverBudget => "the budget of documents was used up".to_string(),
            State::Known if self.stopped => "the walk was stopped".to_string(),
            _ => return None,
        };
        node.from?;
        Some((Source { name: node.uri.clone(), uri: Some(node.uri.clone()), via: node.via }, reason))
    }

    /// Findings of one input, counted and put into words.
    fn checked(&self, node: usize, found: Vec<Across>, inputs: &BTreeMap<usize, u64>) -> report::Checked {
        let mut collector = Collector::new(&self.options.selection, self.options.max_per_rule);
        let mut diagnostics = Vec::new();
        for Across { finding, related, .. } in found {
            collector.found(finding);
            for (finding, severity) in collector.take_fresh() {
                let memo = self.web.memo(node);
                let excerpt = finding.span.and_then(|span| memo?.excerpt(&span));
                let mut diagnostic = report::diagnostic(&finding, severity, excerpt);
                diagnostic.related.extend(related.iter().filter_map(|(role, node, span)| {
                    Some(Related { role: role.to_string(), input: *inputs.get(node)?, span: (*span).into() })
                }));
                diagnostics.push(diagnostic);
            }
        }
        collector.finish(diagnostics)
    }
}

fn by_node(found: Vec<Across>) -> BTreeMap<usize, Vec<Across>> {
    let mut nodes: BTreeMap<usize, Vec<Across>> = BTreeMap::new();
    for across in found {
        nodes.entry(across.node).or_default().push(across);
    }
    nodes
}
