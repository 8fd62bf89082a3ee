//! Indexes and their members: entries, links and times.

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attributes, Entry, Field, Kind, Link, Name, Shape},
    rules::timed,
    source::{LinkGraph, href},
    span::Span,
    validate::DocumentSummary,
    value::Datetime,
};

/// Checks indexes and their members in both directions.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    for (node, summary) in graph.documents() {
        pointing(graph, node, summary, found);
        if summary.root.shape != Some(Shape::SitemapIndex) {
            continue;
        }
        for entry in &summary.members {
            let Some((member, own)) = entry.uri().and_then(|uri| graph.target(uri.as_str())) else { continue };
            match summary.kind {
                Kind::ResourceListIndex => {
                    for name in [Name::At, Name::Completed] {
                        same_times(Code::RLI_13, node, summary, entry, (member, own), name, found);
                    }
                }
                Kind::ChangeListIndex if own.kind == Kind::ChangeList => {
                    same_times(Code::CLI_16, node, summary, entry, (member, own), Name::From, found);
                    ending((Code::CLI_11, Code::CLI_17), node, summary, entry, (member, own), found);
                }
                Kind::ChangeDumpIndex if own.kind == Kind::ChangeDump && !is_told(summary, entry) => {
                    ending((Code::CDI_12, Code::CDI_12), node, summary, entry, (member, own), found);
                }
                _ => {}
            }
        }
    }
}

/// Checks that a document links to the index that lists it, and to no other.
fn pointing(graph: &LinkGraph, node: usize, summary: &DocumentSummary, found: &mut Findings) {
    let mut indexes = graph.indexes_of(node).filter(|(index, _)| *index != node);
    if summary.link("index").is_none() {
        // An index that lists a document of another capability is reported elsewhere (GEN-26, SDI-03).
        let groups = |index: usize| {
            let word = |summary: &DocumentSummary| {
                summary.head.as_ref().and_then(|head| head.attributes.capability()?.value().cloned())
            };
            graph.summary(index).is_some_and(|upper| word(upper) == word(summary))
        };
        let Some((index, entry)) = indexes.find(|(index, _)| groups(*index)) else { return };
        let code = match summary.kind {
            Kind::ResourceList => Code::RL_07,
            Kind::ResourceDump => Code::RD_07,
            Kind::ChangeList => Code::CL_07,
            Kind::ChangeDump => Code::CD_07,
            Kind::SourceDescription => Code::SD_14,
            Kind::CapabilityList => Code::GEN_29,
            _ => return,
        };
        let uri = graph.nodes.get(index).map_or("", |node| &node.uri);
        let finding = Finding::new(code).arg("uri", uri).arg("kind", summary.kind);
        let place = entry.loc.first().map_or(entry.span, |loc| loc.field.span());
        return found.add_related(node, summary.at_root(finding), ("listed", index, place));
    }
    for own in summary.links_of("index") {
        pointing_to(graph, (node, summary), own, found);
    }
}

/// Checks that this link leads to an index that lists the document.
fn pointing_to(
    graph: &LinkGraph,
    (node, summary): (usize, &DocumentSummary),
    (number, link): (u64, &Link),
    found: &mut Findings,
) {
    if let Some((target, kind)) = href(link).and_then(|uri| graph.foreign(uri)) {
        let finding = Finding::new(Code::LK_10).arg("uri", href(link).unwrap_or("")).arg("problem", "no-index");
        let finding = summary.at_link(finding.arg("kind", kind), number, link);
        return found.add_related(node, finding, ("found", target, Span::beginning()));
    }
    let Some((target, upper)) = href(link).and_then(|uri| graph.target(uri)) else { return };
    let problem = if upper.root.shape != Some(Shape::SitemapIndex) {
        "no-index"
    } else if upper.forgotten == 0 && graph.indexes_of(node).all(|(index, _)| index == node || index != target) {
        "lists-it-not"
    } else {
        return;
    };
    // A plain sitemap is reported elsewhere, and its entries are not kept.
    if upper.kind.is_plain() {
        return;
    }
    let finding =
        Finding::new(Code::LK_10).arg("uri", href(link).unwrap_or("")).arg("problem", problem).arg("kind", upper.kind);
    found.add(node, summary.at_link(finding, number, link));
}

/// Checks that a datetime of the entry is that of the member.
fn same_times(
    code: Code,
    node: usize,
    summary: &DocumentSummary,
    entry: &Entry,
    (member, own): (usize, &DocumentSummary),
    name: Name,
    found: &mut Findings,
) {
    let (Some(md), Some(head)) = (entry.first_md(), &own.head) else { return };
    let (Some(here), Some(there)) = (time(&md.attributes, name), time(&head.attributes, name)) else { return };
    let (Some(one), Some(other)) = (here.value(), there.value()) else { return };
    if one.start() == other.start() {
        return;
    }
    let uri = entry.uri().map_or("", |uri| uri.as_str());
    let finding = timed(code, !one.is_partial() && !other.is_partial())
        .arg("attribute", name.as_str())
        .arg("value", here.text().into_owned())
        .arg("expected", there.text().into_owned())
        .arg("kind", own.kind)
        .arg("uri", uri);
    found.add_related(node, summary.at_entry_md(finding, entry, name), ("member", member, there.span()));
}

/// True if the index alone shows that this entry should not be open (CDI-12).
fn is_told(summary: &DocumentSummary, entry: &Entry) -> bool {
    let Some(own) = entry.first_md().map(|md| &md.attributes) else { return false };
    let is_last = summary.members.last().is_some_and(|last| last.number == entry.number);
    own.from().is_some() && own.until().is_none() && (summary.is_closed() || !is_last)
}

/// Checks that the entry is closed exactly if the member is.
fn ending(
    (closed, open): (Code, Code),
    node: usize,
    summary: &DocumentSummary,
    entry: &Entry,
    (member, own): (usize, &DocumentSummary),
    found: &mut Findings,
) {
    let Some(head) = &own.head else { return };
    let here = entry.first_md().and_then(|md| md.attributes.until());
    let there = head.attributes.until();
    let uri = entry.uri().map_or("", |uri| uri.as_str());
    // One code covers all problems with the ends of Change Dumps.
    let finding = |code: Code, problem: &'static str| match code {
        Code::CDI_12 => Finding::new(code).arg("problem", problem).arg("uri", uri),
        _ => Finding::new(code).arg("uri", uri),
    };
    match (here, there) {
        (Some(_), Some(_)) if own.kind != Kind::ChangeList => {}
        (Some(_), Some(_)) => same_times(Code::CLI_16, node, summary, entry, (member, own), Name::Until, found),
        (None, Some(until)) => {
            let finding = finding(closed, "closed-member").arg("expected", until.text().into_owned());
            found.add_related(node, summary.at_entry_md(finding, entry, Name::Until), ("member", member, until.span()));
        }
        (Some(until), None) => {
            let finding = finding(open, "still-open-member").arg("value", until.text().into_owned());
            found.add_related(node, summary.at_entry_md(finding, entry, Name::Until), ("member", member, head.span));
        }
        (None, None) => {}
    }
}

fn time(attributes: &Attributes, name: Name) -> Option<&Field<Datetime>> {
    match name {
        Name::At => attributes.at(),
        Name::Completed => attributes.completed(),
        Name::From => attributes.from(),
        Name::Until => attributes.until(),
        _ => None,
    }
}
