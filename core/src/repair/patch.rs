//! Applies repairs to the text and preserves everything else: comments, layout, line endings.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::ops::Range;

use super::log::Edit;
use crate::{model::Document, span::Span, xml::escape};

/// A range of the text and its replacement.
struct Change {
    range: Range<usize>,
    text: String,
}

/// The text with these edits; `None` if they cannot be applied independently. `read` is the document parsed from the
/// text.
pub(super) fn patch(source: &str, read: &Document, edits: &[Edit]) -> Option<String> {
    let mut changes = Vec::new();
    let mut order: Option<&[usize]> = None;
    for edit in edits {
        match edit {
            Edit::Text(span, after) => changes.push(value(source, range(span)?, after)?),
            Edit::Unprefix(whole, length) => {
                let start = range(whole)?.start;
                changes.push(Change { range: start..start.checked_add(*length)?, text: String::new() });
            }
            Edit::Namespace(written, meant) => changes.extend(namespace(source, written, meant)?),
            Edit::Raise(span) => changes.extend(raise(source, read, span)?),
            Edit::Permute(places) => order = Some(places),
        }
    }
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    match order {
        None => apply(source, 0..source.len(), &changes),
        Some(order) => permute(source, read, &changes, order),
    }
}

fn range(span: &Span) -> Option<Range<usize>> {
    Some(usize::try_from(span.start.offset).ok()?..usize::try_from(span.end.offset).ok()?)
}

/// A value, between its quotes or tags.
fn value(source: &str, range: Range<usize>, after: &str) -> Option<Change> {
    let single = source.get(..range.start)?.ends_with('\'');
    let text = escape(after);
    Some(Change { range, text: if single { text.replace('\'', "&apos;") } else { text } })
}

/// Every declaration of a namespace name.
fn namespace(source: &str, written: &str, meant: &str) -> Option<Vec<Change>> {
    if written.is_empty() {
        return None;
    }
    let mut changes = Vec::new();
    for quote in ['"', '\''] {
        let declared = format!("={quote}{}{quote}", escape(written));
        for (at, found) in source.match_indices(&declared) {
            let end = at.checked_add(found.len())?;
            changes.push(Change { range: at..end, text: format!("={quote}{meant}{quote}") });
        }
    }
    (!changes.is_empty()).then_some(changes)
}

/// Moves an empty element before the first entry.
fn raise(source: &str, read: &Document, span: &Span) -> Option<[Change; 2]> {
    let range = range(span)?;
    let element = source.get(range.clone())?;
    let first = usize::try_from(read.entries.first()?.span.start.offset).ok()?;
    let line = source.get(..first)?.rsplit(['\n', '\r']).next()?;
    let indent = if line.trim().is_empty() { format!("\n{line}") } else { String::new() };
    let text = format!("{element}{indent}");
    element.ends_with("/>").then(|| [Change { range: first..first, text }, Change { range, text: String::new() }])
}

/// A part of the text with its replacements.
fn apply(source: &str, part: Range<usize>, changes: &[Change]) -> Option<String> {
    let mut out = String::with_capacity(part.len());
    let mut at = part.start;
    for change in changes.iter().filter(|change| part.start <= change.range.start && change.range.end <= part.end) {
        // Overlapping edits cannot be applied independently.
        out.push_str(source.get(at..change.range.start)?);
        out.push_str(&change.text);
        at = change.range.end;
    }
    out.push_str(source.get(at..part.end)?);
    Some(out)
}

/// Reorders the entries; text between them is not moved.
fn permute(source: &str, read: &Document, changes: &[Change], order: &[usize]) -> Option<String> {
    let mut starts: Vec<usize> =
        read.entries.iter().map(|entry| usize::try_from(entry.span.start.offset).ok()).collect::<Option<_>>()?;
    let end = source.rfind("</")?;
    starts.push(end);
    let ranges = starts.windows(2).map(|pair| match pair {
        [from, to] => Some(*from..*to),
        _ => None,
    });
    let ranges: Vec<Range<usize>> = ranges.collect::<Option<_>>()?;
    let outer = [0..*starts.first()?, end..source.len()];
    if changes.iter().any(|change| {
        !ranges.iter().chain(&outer).any(|part| part.start <= change.range.start && change.range.end <= part.end)
    }) {
        return None;
    }
    let entry = |stretch: &Range<usize>| {
        let length = source.get(stretch.clone())?.trim_end().len();
        Some(stretch.start..stretch.start.checked_add(length)?)
    };
    let [before, after] = outer;
    let mut out = apply(source, before, changes)?;
    for (place, from) in ranges.iter().zip(order) {
        out.push_str(&apply(source, entry(ranges.get(*from)?)?, changes)?);
        out.push_str(source.get(entry(place)?.end..place.end)?);
    }
    out.push_str(&apply(source, after, changes)?);
    Some(out.to_string())
}
