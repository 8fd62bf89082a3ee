//! The code frame of a finding: its excerpt, truncated to fit, and the marks below it.

use alloc::{string::String, vec::Vec};

use super::{Excerpt, escape::push_visible, width};

/// An excerpt with escaped characters; the finding is the middle part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Frame {
    pub before: String,
    pub marked: String,
    pub after: String,
    /// The start of the line was truncated.
    pub cut_left: bool,
    /// The end of the line was truncated.
    pub cut_right: bool,
}

/// Marks truncated text.
pub(super) const CUT: &str = "…";

struct Cell {
    text: String,
    width: usize,
}

impl Frame {
    /// The frame of an excerpt, with a maximum width in columns.
    pub(super) fn new(excerpt: &Excerpt, columns: Option<usize>) -> Frame {
        let cells: Vec<Cell> = excerpt.text.chars().map(cell).collect();
        let (from, to) = excerpt.highlight;
        let from = (from as usize).min(cells.len());
        let to = (to as usize).clamp(from, cells.len());
        let (left, right) = columns.map_or((0, cells.len()), |columns| fit(&cells, from, to, columns));
        let text = |from: usize, to: usize| cells.get(from..to).unwrap_or(&[]).iter().map(|cell| &*cell.text).collect();
        Frame {
            before: text(left, from),
            marked: text(from, to.min(right)),
            after: text(to.min(right), right),
            cut_left: excerpt.cut_left || left > 0,
            cut_right: excerpt.cut_right || right < cells.len(),
        }
    }

    /// Columns before the marks.
    pub(super) fn indent(&self) -> usize {
        let cut = if self.cut_left { width::of_text(CUT) } else { 0 };
        cut.saturating_add(width::of_text(&self.before))
    }

    /// The marks: at least one, so that an empty range is visible.
    pub(super) fn carets(&self) -> usize {
        width::of_text(&self.marked).max(1)
    }
}

fn cell(character: char) -> Cell {
    let mut text = String::new();
    push_visible(&mut text, if character == '\t' { ' ' } else { character });
    let width = width::of_text(&text);
    Cell { text, width }
}

/// The cells to show: as much as fits of the marked part, then of its surroundings, alternating between both
/// sides.
fn fit(cells: &[Cell], from: usize, to: usize, columns: usize) -> (usize, usize) {
    let total = cells.iter().map(|cell| cell.width).fold(0, usize::saturating_add);
    // Truncation takes a column on each side.
    let columns = columns.saturating_sub(2).max(20);
    if total <= columns {
        return (0, cells.len());
    }
    let mut room = columns;
    let mut take = |at: Option<usize>| {
        let width = at.and_then(|at| cells.get(at)).map(|cell| cell.width);
        let left = width.and_then(|width| room.checked_sub(width));
        room = left.unwrap_or(room);
        left.is_some()
    };
    let (mut left, mut right) = (from, from);
    while right < to && take(Some(right)) {
        right = right.saturating_add(1);
    }
    // Nothing follows a marked part that does not fit.
    let mut more_left = true;
    let mut more_right = right == to;
    while more_left || more_right {
        more_left = more_left && take(left.checked_sub(1));
        if more_left {
            left = left.saturating_sub(1);
        }
        more_right = more_right && take(Some(right));
        if more_right {
            right = right.saturating_add(1);
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, highlight: (u32, u32)) -> Excerpt {
        Excerpt { text: text.into(), line: 1, column: 1, highlight, cut_left: false, cut_right: false }
    }

    #[test]
    fn the_marks_stand_below_wide_tabbed_and_escaped_text() {
        let frame = Frame::new(&excerpt("\t題\u{202e}<b>x</b>", (3, 6)), None);
        assert_eq!(
            (frame.before.as_str(), frame.marked.as_str(), frame.after.as_str()),
            (" 題\\u{202e}", "<b>", "x</b>")
        );
        assert_eq!((frame.indent(), frame.carets()), (11, 3));
    }

    #[test]
    fn an_empty_place_gets_one_mark() {
        let frame = Frame::new(&excerpt("", (0, 0)), None);
        assert_eq!((frame.indent(), frame.carets()), (0, 1));
        assert_eq!(Frame::new(&excerpt("abc", (9, 4)), None).before, "abc");
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let text: String = (0..200).map(|at| char::from(b'a' + at % 26)).collect();
        let frame = Frame::new(&excerpt(&text, (100, 104)), Some(42));
        assert_eq!(frame.marked, &text[100..104]);
        assert_eq!((frame.before.len(), frame.after.len()), (18, 18));
        assert!(frame.cut_left && frame.cut_right);
        let frame = Frame::new(&excerpt(&text, (0, 200)), Some(42));
        assert_eq!((frame.before.len(), frame.marked.len(), frame.cut_left, frame.cut_right), (0, 40, false, true));
    }
}
