//! What only several documents can show, one idea a file.

mod discovery;
mod downward;
mod earlier;
mod groups;
mod indexes;
mod links;
mod notifications;
mod packages;
mod resources;
mod topics;
mod uniform;
mod upward;

use alloc::{string::String, vec::Vec};

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
    /// Starts that led nowhere, as the user wrote them.
    pub(crate) lost: &'a [(usize, String)],
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
pub(crate) fn check(web: &Web, beside: &Beside<'_>) -> Vec<Across> {
    let mut found = Findings::default();
    links::check(web, &mut found);
    upward::check(web, &mut found);
    downward::check(web, &mut found);
    indexes::check(web, &mut found);
    groups::check(web, &mut found);
    uniform::check(web, &mut found);
    packages::check(web, &mut found);
    notifications::check(web, &mut found);
    topics::check(web, &mut found);
    discovery::check(web, beside, &mut found);
    resources::check(web, &mut found);
    if let Some(earlier) = beside.earlier {
        earlier::check(web, earlier, &mut found);
    }
    found.0
}
