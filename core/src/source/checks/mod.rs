//! Checks across documents.

mod consistency;
mod discovery;
mod downward;
mod findings;
mod history;
mod indexes;
mod links;
mod listing;
mod missing_index;
mod notifications;
mod packages;
mod regression;
mod resources;
mod topics;
mod unreachable;
mod upward;

use alloc::vec::Vec;

use self::findings::Findings;
pub(crate) use self::{
    downward::promise,
    findings::{CheckInput, CrossFinding},
};
use super::LinkGraph;

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
