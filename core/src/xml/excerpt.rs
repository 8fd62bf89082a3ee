//! Excerpts around a span, from the buffer.

use alloc::string::String;

use memchr::{memchr2, memrchr2};

use crate::{
    span::Span,
    xml::{input::Input, position::scalars, text_buffer::floor},
};

/// Maximum bytes of an excerpt.
const LENGTH: usize = 240;
/// Maximum bytes of it before the span.
const BEFORE: usize = 100;

/// An excerpt, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    /// The excerpt.
    Ready(Snippet),
    /// More bytes are needed, since the line may continue.
    Wait,
    /// Too far back; see [`HISTORY`](super::HISTORY).
    Gone,
}

/// At most 240 bytes of the line in which a span starts, independent of how the input was split.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// The text as in the document, without line ending. May contain tabs and control characters.
    pub text: String,
    /// The line of the document.
    pub line: u32,
    /// The column of the first character of `text`.
    pub column: u32,
    /// The range of the span in `text`, in characters; truncated at the end of `text`.
    pub highlight: (u32, u32),
    /// The start of the line was truncated.
    pub cut_left: bool,
    /// The end of the line was truncated.
    pub cut_right: bool,
}

/// Extracts the excerpt of a span. The document starts at `first`, after a byte order mark.
pub(super) fn cut(input: &Input, span: &Span, first: u64) -> Cut {
    let text = input.text();
    let bytes = text.as_bytes();
    let index = |offset: u64| usize::try_from(offset.max(first).saturating_sub(input.base())).unwrap_or(usize::MAX);
    let start = index(span.start.offset);
    // The first buffered character may follow a dropped one, so the start of a line is known only from the
    // second.
    let begins = input.base() <= first;
    if span.start.offset.max(first) < input.base() || (!begins && start <= BEFORE) {
        return Cut::Gone;
    }
    let lowest = if begins { index(first) } else { 1 };
    let reach = start.saturating_sub(BEFORE).max(lowest);
    let before = bytes.get(reach..start.min(bytes.len())).unwrap_or_default();
    let left = match memrchr2(b'\n', b'\r', before) {
        Some(found) => reach.saturating_add(found).saturating_add(1),
        None => ceiling(text, reach),
    };
    let at_first = begins && left == lowest;
    let previous = left.checked_sub(1).and_then(|previous| bytes.get(previous));
    let cut_left = !at_first && !matches!(previous, Some(b'\n' | b'\r'));

    let farthest = left.saturating_add(LENGTH);
    // One more byte, to know whether the line continues.
    let ahead = bytes.get(start..farthest.saturating_add(1).min(bytes.len())).unwrap_or_default();
    let line_end = memchr2(b'\n', b'\r', ahead).map(|found| start.saturating_add(found));
    let (right, cut_right) = match line_end {
        Some(end) => (end, false),
        None if bytes.len() > farthest => (floor(text, farthest), true),
        None if !input.is_closed() => return Cut::Wait,
        None => (bytes.len(), false),
    };
    let count = |to: usize| scalars(bytes.get(left..to.min(right)).unwrap_or_default()) as u32;
    let end = index(span.end.offset).max(start);
    Cut::Ready(Snippet {
        text: text.get(left..right).unwrap_or_default().into(),
        line: span.start.line,
        column: span.start.column.saturating_sub(count(start)),
        highlight: (count(start), count(end)),
        cut_left,
        cut_right,
    })
}

/// The nearest start of a character at or after `index`.
fn ceiling(text: &str, index: usize) -> usize {
    (index..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}
