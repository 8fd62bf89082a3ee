//! What a plan lacks: documents that lead to lists, but were not read to their end, or are not what the links to them promise.

use alloc::{collections::BTreeMap, vec::Vec};

use super::{Crawler, plan::problem};
use crate::{
    diagnostic::{Code, Reason, ReasonCode},
    model::{Kind, Shape},
    source::{Content, Leaf, NodeState, promise},
    validate::{DocumentSummary, Outcome},
    value::{Capability, Uri},
};

impl Crawler {
    /// Once the crawl is complete, a problem for each document that would have led to more lists. What was not fetched is planned as a
    /// problem before.
    pub(super) fn gaps(&self) -> Vec<Leaf> {
        let promised = self.promised();
        let gap = |at: usize| {
            let node = self.graph.nodes.get(at)?;
            let NodeState::Fetched(fetched) = &node.state else { return None };
            let (kind, reason) = self.gap(at, &fetched.content, promised.get(&at).copied())?;
            let (set, parent) =
                (node.from.and_then(|from| self.set_of(from)), node.from.and_then(|from| self.uri(from)));
            Some(Leaf { kind, set, parent, ..problem(node.uri.clone(), reason) })
        };
        (0..self.graph.nodes.len()).filter_map(gap).collect()
    }

    /// The capabilities of the documents that entries lead to, as these announce them.
    fn promised(&self) -> BTreeMap<usize, &Capability> {
        let mut promised = BTreeMap::new();
        // What an index or a dump lists is planned, and not fetched.
        for (_, summary) in self.graph.documents().filter(|(_, summary)| Leaf::listed_by(summary.kind).is_none()) {
            for entry in &summary.members {
                let target = entry.uri().and_then(|uri| self.graph.find(Uri::as_str(uri)));
                if let (Some(target), Some((_, capability))) = (target, promise(summary, entry)) {
                    promised.entry(target).or_insert(capability);
                }
            }
        }
        promised
    }

    /// Why a document does not lead to everything that it should, and the kind of what is missing, if that is known.
    fn gap(&self, at: usize, content: &Content, promised: Option<&Capability>) -> Option<(Kind, Reason)> {
        let expected = promised.map_or(Kind::Unknown, |word| Kind::from_parts(Shape::UrlSet, word));
        let leads_to = |kind: Kind| Leaf::listed_by(kind).or(Leaf::is_leaf(kind).then_some(kind)).unwrap_or_default();
        let no_document = |kind: Kind| {
            let is_promised =
                self.graph.nodes.get(at).is_some_and(|node| node.from.is_some()) && !self.is_sitemap_line(at);
            is_promised.then(|| (leads_to(expected), Reason::new(ReasonCode::NotDocument).arg("kind", kind)))
        };
        let incomplete = || {
            let code = self.outcomes.get(&at).and_then(ended_by).unwrap_or(Code::INP_01);
            Reason::new(ReasonCode::NotReadToEnd).arg("code", code)
        };
        let summary = match content {
            Content::Document(summary) => summary,
            Content::Foreign(kind) => return no_document(*kind),
            Content::Robots(_) => {
                let is_cut = self.outcomes.get(&at).is_some_and(super::is_cut);
                return is_cut.then(|| (Kind::Unknown, incomplete()));
            }
            _ => return None,
        };
        let capability = summary.head.as_ref().and_then(|head| head.attributes.capability()?.value());
        if !Leaf::is_leaf(summary.kind) {
            let lacking = if summary.complete { not_kept(summary) } else { Some(incomplete()) };
            if let Some(reason) = lacking {
                return Some((leads_to(if summary.kind.is_plain() { expected } else { summary.kind }), reason));
            }
            if summary.head.is_none() {
                return no_document(summary.kind);
            }
        }
        let is_other = expected != Kind::Unknown && capability != promised;
        is_other.then(|| {
            let reason = Reason::new(ReasonCode::OtherKind).arg("kind", summary.kind).arg("expected", expected);
            (leads_to(expected), reason)
        })
    }
}

/// Why some entries of a document lead nowhere.
fn not_kept(summary: &DocumentSummary) -> Option<Reason> {
    let without_uri = summary.members.iter().filter(|entry| entry.uri().is_none()).count();
    match (summary.forgotten, without_uri) {
        (0, 0) => None,
        (0, count) => Some(Reason::new(ReasonCode::EntriesWithoutUri).arg("n", count)),
        (count, _) => Some(Reason::new(ReasonCode::EntriesNotKept).arg("n", count)),
    }
}

/// The code of what ended the reading of a document.
fn ended_by(outcome: &Outcome) -> Option<Code> {
    let ends = |code: &Code| matches!(*code, Code::GEN_01 | Code::GEN_22) || code.is_limit() || code.family() == "INP";
    outcome.checked.groups.keys().map(|(code, _)| *code).find(ends)
}
