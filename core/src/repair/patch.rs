//! Applies repairs to the text and preserves everything else: comments, layout, line endings.

use alloc::{format, string::String, vec::Vec};
use core::{cell::LazyCell, ops::Range};

use super::{
    log::Edit,
    markup::{asides, children, range, tags},
};
use crate::{limits::Limits, span::Span, xml::escape};

/// A range of the text and its replacement.
struct Change {
    range: Range<usize>,
    text: String,
}

/// The text with these edits; `None` if they cannot be applied independently. `starts` are the offsets of the entries in the text.
pub(super) fn patch(source: &str, starts: &[u64], edits: &[Edit], limits: &Limits) -> Option<String> {
    let starts: Vec<usize> = starts.iter().map(|start| usize::try_from(*start).ok()).collect::<Option<_>>()?;
    let asides = LazyCell::new(|| asides(source, limits));
    let (mut changes, mut order) = (Vec::new(), None);
    for edit in edits {
        match edit {
            Edit::Text(span, after) => changes.push(value(source, range(span)?, after, || &asides)?),
            Edit::Unprefix(whole, length) => {
                let start = range(whole)?.start;
                changes.push(Change { range: start..start.checked_add(*length)?, text: String::new() });
            }
            Edit::Namespace(written, meant) => changes.extend(namespace(source, written, meant, limits)?),
            Edit::Raise(span) => changes.extend(raise(source, *starts.first()?, span)?),
            Edit::Permute(places) => order = Some(places),
        }
    }
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    // Overlapping edits cannot be applied independently.
    if changes.windows(2).any(|two| matches!(two, [one, other] if one.range.end > other.range.start)) {
        return None;
    }
    match order {
        None => apply(source, 0..source.len(), &changes),
        Some(order) => permute(source, &starts, &changes, order, limits),
    }
}

/// A value, between its quotes or tags. What is in it and not of it follows it.
fn value<'a>(
    source: &str,
    range: Range<usize>,
    after: &str,
    asides: impl FnOnce() -> &'a [Range<usize>],
) -> Option<Change> {
    let single = source.get(..range.start)?.ends_with('\'');
    let mut text = escape(after);
    if single {
        text = text.replace('\'', "&apos;");
    }
    if source.get(range.clone())?.contains('<') {
        let asides = asides();
        let first = asides.partition_point(|aside| aside.start < range.start);
        for aside in asides.get(first..)?.iter().take_while(|aside| aside.end <= range.end) {
            text.push_str(source.get(aside.clone())?);
        }
    }
    Some(Change { range, text })
}

/// Every declaration of a namespace name.
fn namespace(source: &str, written: &str, meant: &str, limits: &Limits) -> Option<Vec<Change>> {
    if written.is_empty() {
        return None;
    }
    let mut changes = Vec::new();
    for tag in tags(source, limits) {
        let text = source.get(tag.clone())?;
        for quote in ['"', '\''] {
            let name = format!("{quote}{}{quote}", escape(written));
            for (at, found) in text.match_indices(&name).filter(|(at, _)| is_declared(text, *at)) {
                let start = tag.start.checked_add(at)?;
                let range = start..start.checked_add(found.len())?;
                changes.push(Change { range, text: format!("{quote}{meant}{quote}") });
            }
        }
    }
    (!changes.is_empty()).then_some(changes)
}

/// True if the value at this place in a tag declares a namespace.
fn is_declared(tag: &str, at: usize) -> bool {
    let attribute = tag.get(..at).and_then(|before| before.trim_end().strip_suffix('='));
    let name = attribute.and_then(|before| before.split_whitespace().next_back());
    name.is_some_and(|name| name == "xmlns" || name.starts_with("xmlns:"))
}

/// Moves an empty element before the first entry.
fn raise(source: &str, first: usize, span: &Span) -> Option<[Change; 2]> {
    let range = range(span)?;
    let element = source.get(range.clone())?;
    let line = source.get(..first)?.rsplit(['\n', '\r']).next()?;
    let indent = if line.trim().is_empty() { format!("\n{line}") } else { String::new() };
    let text = format!("{element}{indent}");
    element.ends_with("/>").then(|| [Change { range: first..first, text }, Change { range, text: String::new() }])
}

/// A part of the text with its replacements, which are sorted. What is inserted between two parts belongs to the first of them.
fn apply(source: &str, part: Range<usize>, changes: &[Change]) -> Option<String> {
    let mut out = String::with_capacity(part.len());
    let mut at = part.start;
    let first = changes.partition_point(|change| change.range.end <= part.start && part.start > 0);
    for change in changes.get(first..)?.iter().take_while(|change| change.range.start <= part.end) {
        if change.range.end > part.end {
            // What follows the part, unless it crosses its end.
            if change.range.start < part.end {
                return None;
            }
            break;
        }
        out.push_str(source.get(at..change.range.start)?);
        out.push_str(&change.text);
        at = change.range.end;
    }
    out.push_str(source.get(at..part.end)?);
    Some(out)
}

/// Reorders the entries with the comments before them; other text between them is not moved.
fn permute(source: &str, starts: &[usize], changes: &[Change], order: &[usize], limits: &Limits) -> Option<String> {
    let entries = entries(source, starts, changes, limits)?;
    let mut out = apply(source, 0..entries.first()?.start, changes)?;
    let next = entries.iter().skip(1).map(|entry| entry.start).chain([source.len()]);
    for ((place, next), from) in entries.iter().zip(next).zip(order) {
        out.push_str(&apply(source, entries.get(*from)?.clone(), changes)?);
        out.push_str(&apply(source, place.end..next, changes)?);
    }
    Some(out)
}

/// The entries that begin at these places, each with the comments before it. Those before the first one may be about the whole document:
/// they belong to it only if other entries have comments as well, and if no head is inserted behind them.
fn entries(source: &str, starts: &[usize], changes: &[Change], limits: &Limits) -> Option<Vec<Range<usize>>> {
    let mut children = children(source, limits);
    children.retain(|child| starts.binary_search(&child.range.start).is_ok());
    let others = children.get(1..)?;
    let has_own =
        others.iter().any(|child| child.comments.is_some()) && !changes.iter().any(|change| change.range.is_empty());
    let with_comments = children.iter().enumerate().map(|(number, child)| {
        let comments = child.comments.filter(|_| number > 0 || has_own);
        comments.unwrap_or(child.range.start)..child.range.end
    });
    let entries: Vec<Range<usize>> = with_comments.collect();
    (entries.len() == starts.len()).then_some(entries)
}
