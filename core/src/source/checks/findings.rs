//! The input of the checks across documents, and their findings.

use alloc::{string::String, vec::Vec};

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
pub(in crate::source) struct Findings(pub(super) Vec<CrossFinding>);

impl Findings {
    pub(super) fn add(&mut self, node: usize, finding: Finding) {
        self.0.push(CrossFinding { node, finding, related: Vec::new() });
    }

    pub(super) fn extend(&mut self, node: usize, finding: Option<Finding>) {
        self.0.extend(finding.map(|finding| CrossFinding { node, finding, related: Vec::new() }));
    }

    pub(super) fn add_related(&mut self, node: usize, finding: Finding, related: (&'static str, usize, Span)) {
        self.0.push(CrossFinding { node, finding, related: alloc::vec![related] });
    }
}
