//! Applies repairs to the text and preserves everything else: comments, layout, line endings.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::ops::Range;

use super::log::Edit;
use crate::{span::Span, xml::escape};

/// A range of the text and its replacement.
struct Change {
    range: Range<usize>,
    text: String,
}

/// The text with these edits; `None` if they cannot be applied independently. `starts` are the offsets of the entries in the text.
pub(super) fn patch(source: &str, starts: &[u64], edits: &[Edit]) -> Option<String> {
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
            Edit::Raise(span) => changes.extend(raise(source, starts, span)?),
            Edit::Permute(places) => order = Some(places),
        }
    }
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    match order {
        None => apply(source, 0..source.len(), &changes),
        Some(order) => permute(source, starts, &changes, order),
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
fn raise(source: &str, starts: &[u64], span: &Span) -> Option<[Change; 2]> {
    let range = range(span)?;
    let element = source.get(range.clone())?;
    let first = usize::try_from(*starts.first()?).ok()?;
    let line = source.get(..first)?.rsplit(['\n', '\r']).next()?;
    let indent = if line.trim().is_empty() { format!("\n{line}") } else { String::new() };
    let text = format!("{element}{indent}");
    element.ends_with("/>").then(|| [Change { range: first..first, text }, Change { range, text: String::new() }])
}

/// A part of the text with its replacements, which are sorted.
fn apply(source: &str, part: Range<usize>, changes: &[Change]) -> Option<String> {
    let mut out = String::with_capacity(part.len());
    let mut at = part.start;
    let first = changes.partition_point(|change| change.range.start < part.start);
    let own = changes.get(first..)?.iter().take_while(|change| change.range.start <= part.end);
    for change in own.filter(|change| change.range.end <= part.end) {
        // Overlapping edits cannot be applied independently.
        out.push_str(source.get(at..change.range.start)?);
        out.push_str(&change.text);
        at = change.range.end;
    }
    out.push_str(source.get(at..part.end)?);
    Some(out)
}

/// Reorders the entries; text between them is not moved.
fn permute(source: &str, starts: &[u64], changes: &[Change], order: &[usize]) -> Option<String> {
    let mut starts: Vec<usize> = starts.iter().map(|start| usize::try_from(*start).ok()).collect::<Option<_>>()?;
    let end = source.rfind("</")?;
    starts.push(end);
    let ranges = starts.windows(2).map(|pair| match pair {
        [from, to] => Some(*from..*to),
        _ => None,
    });
    let ranges: Vec<Range<usize>> = ranges.collect::<Option<_>>()?;
    let outer = [0..*starts.first()?, end..source.len()];
    let is_inside = |change: &Change| {
        let holds = |part: &Range<usize>| part.start <= change.range.start && change.range.end <= part.end;
        // INVARIANT: entries follow each other, so only the last one that begins before a change can contain it.
        let after = ranges.partition_point(|part| part.start <= change.range.start);
        outer.iter().any(holds) || after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(holds)
    };
    if !changes.iter().all(is_inside) {
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
