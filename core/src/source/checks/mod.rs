//! Checks across documents.

mod consistency;
mod discovery;
mod downward;
mod history;
mod indexes;
mod links;
mod missing_index;
mod notifications;
mod packages;
mod regression;
mod resources;
mod topics;
mod unreachable;
mod upward;

use alloc::{string::String, vec::Vec};

use super::LinkGraph;
use crate::{diagnostic::Finding, report::Report, span::Span};

/// A finding about one document that depends on others.
#[derive(Debug)]
pub(crate) struct CrossFinding {
    /// The document.
    pub(crate) node: usize,
    pub(crate) finding: Finding,
    /// Positions in other documents: role, document, span.
    pub(crate) related: Vec<(&'static str, usize, Span)>,
}

/// Additional input of the checks.
#[derive(Debug)]
pub(crate) struct CheckInput<'a> {
    /// Starts without a result, as specified by the user.
    pub(crate) lost: &'a [(usize, String)],
    /// Documents in a folder that nothing links to.
    pub(crate) unreachable: &'a [usize],
    /// The report of an earlier crawl.
    pub(crate) earlier: Option<&'a Report>,
}

/// Receives the findings of the checks.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<CrossFinding>);

impl Findings {
    fn add(&mut self, node: usize, finding: Finding) {
        self.0.push(CrossFinding { node, finding, related: Vec::new() });
    }

    fn extend(&mut self, node: usize, finding: Option<Finding>) {
        self.0.extend(finding.map(|finding| CrossFinding { node, finding, related: Vec::new() }));
    }

    fn add_related(&mut self, node: usize, finding: Finding, related: (&'static str, usize, Span)) {
        self.0.push(CrossFinding { node, finding, related: alloc::vec![related] });
    }
}

/// Runs all checks across documents.
pub(crate) fn check(graph: &LinkGraph, input: &CheckInput<'_>) -> Vec<CrossFinding> {
    let mut found = Findings::default();
    links::check(graph, &mut found);
    upward::check(graph, &mut found);
    downward::check(graph, &mut found);
    indexes::check(graph, &mut found);
    missing_index::check(graph, &mut found);
    consistency::check(graph, &mut found);
    packages::check(graph, &mut found);
    notifications::check(graph, &mut found);
    topics::check(graph, &mut found);
    discovery::check(graph, input, &mut found);
    resources::check(graph, &mut found);
    unreachable::check(graph, input.unreachable, &mut found);
    if let Some(earlier) = input.earlier {
        regression::check(graph, earlier, &mut found);
    }
    found.0
}
