//! Excerpts around a span, from the buffer.

use alloc::string::String;

use memchr::{memchr2, memrchr2};

use crate::{
    span::Span,
    xml::{input::Input, position::scalars, text_buffer::floor},
};

/// No excerpt is longer.
const LENGTH: usize = 240;
/// So much of it may stand before the span.
const BEFORE: usize = 100;

/// An excerpt, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    /// Here it is.
    Ready(Snippet),
    /// Ask again when more bytes have come: the line may go on.
    Wait,
    /// Too far back; see [`HISTORY`](super::HISTORY).
    Gone,
}

/// A piece, of at most 240 bytes, of the line in which a span starts. It does not depend on how the input was cut.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// As it stands in the document, without line end. May hold tabs and control characters.
    pub text: String,
    /// The line of the document.
    pub line: u32,
    /// The column of the first character of `text`.
    pub column: u32,
    /// Where the span starts and ends in `text`, in characters; the end no farther than `text`.
    pub highlight: (u32, u32),
    /// The line has more before it.
    pub cut_left: bool,
    /// The line has more after it.
    pub cut_right: bool,
}

/// Cuts the excerpt of a span. The document begins at `first`, after a byte order mark.
pub(super) fn cut(input: &Input, span: &Span, first: u64) -> Cut {
    let text = input.text();
    let bytes = text.as_bytes();
    let index = |offset: u64| usize::try_from(offset.max(first).saturating_sub(input.base())).unwrap_or(usize::MAX);
    let start = index(span.start.offset);
    // The first character held may follow one that was dropped: it takes one more to know a line's start.
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
    // One byte more, to know whether the line goes on.
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
