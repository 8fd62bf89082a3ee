//! What only several documents can show, one idea a file.

mod links;

use alloc::vec::Vec;

use super::Web;
use crate::{diagnostic::Finding, report::Report, span::Span};

/// A finding about one document that takes others to see.
#[derive(Debug)]
pub(crate) struct Across {
    /// The document.
    pub(crate) node: usize,
    pub(crate) finding: Finding,
    /// Places in other documents: the part each plays, the document, where.
    pub(crate) related: Vec<(&'static str, usize, Span)>,
}

/// What is known beside the documents.
#[derive(Debug)]
pub(crate) struct Beside<'a> {
    /// Starts that led nowhere.
    pub(crate) lost: &'a [usize],
    /// The report of an earlier walk.
    pub(crate) earlier: Option<&'a Report>,
}

/// Takes findings as the checks make them.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Across>);

impl Findings {
    fn add(&mut self, node: usize, finding: Finding) {
        self.0.push(Across { node, finding, related: Vec::new() });
    }

    fn extend(&mut self, node: usize, finding: Option<Finding>) {
        self.0.extend(finding.map(|finding| Across { node, finding, related: Vec::new() }));
    }

    fn add_related(&mut self, node: usize, finding: Finding, related: (&'static str, usize, Span)) {
        self.0.push(Across { node, finding, related: alloc::vec![related] });
    }
}

/// Everything that the documents show together.
pub(crate) fn check(web: &Web, _beside: &Beside<'_>) -> Vec<Across> {
    let mut found = Findings::default();
    links::check(web, &mut found);
    found.0
}
