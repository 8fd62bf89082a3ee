//! The repairs as a unified diff for `patch`.

use std::{borrow::Cow, ops::Range};

use resourcesync::report::visible;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops, udiff::UnifiedHunkHeader};

/// Lines up to which the smallest difference is searched. Its time grows with the square of the number of changed lines.
const SMALL: usize = 5_000;
/// Equal lines around a change.
const CONTEXT: usize = 3;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const CYAN: &str = "\u{1b}[36m";
const PLAIN: &str = "\u{1b}[0m";

/// The difference between two texts; empty if there is none. For a terminal, hidden characters are escaped; `patch` needs
/// the lines as they are.
pub(super) fn unified(name: &str, before: &str, after: &str, color: bool, is_shown: bool) -> String {
    if before == after {
        return String::new();
    }
    let (before, after): (Vec<&str>, Vec<&str>) = (lines(before), lines(after));
    let mut out = format!("--- {name}\n+++ {name}\n");
    let paint = |code: &'static str| if color { (code, PLAIN) } else { ("", "") };
    let mut put = |mark: char, code: Option<&'static str>, lines: &[&str], range: Range<usize>| {
        let (start, end) = code.map_or(("", ""), paint);
        for line in lines.get(range).unwrap_or(&[]) {
            let bare = line.strip_suffix('\n').unwrap_or(line);
            let missing = if bare.len() == line.len() { "\\ No newline at end of file\n" } else { "" };
            let bare = if is_shown { Cow::Owned(visible(bare)) } else { Cow::Borrowed(bare) };
            out.push_str(&format!("{start}{mark}{bare}{end}\n{missing}"));
        }
    };
    for hunk in group_diff_ops(operations(&before, &after), CONTEXT) {
        let header = UnifiedHunkHeader::new(&hunk).to_string() + "\n";
        put('@', Some(CYAN), &[header.strip_prefix('@').unwrap_or(&header)], 0..1);
        for operation in hunk {
            if let DiffOp::Equal { .. } = operation {
                put(' ', None, &before, operation.old_range());
            } else {
                put('-', Some(RED), &before, operation.old_range());
                put('+', Some(GREEN), &after, operation.new_range());
            }
        }
    }
    out
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// What to delete and to insert. Most repairs are within a line, so that the lines of a large document are compared in pairs.
fn operations(before: &[&str], after: &[&str]) -> Vec<DiffOp> {
    if before.len() <= SMALL {
        return capture_diff_slices(Algorithm::Myers, before, after);
    }
    if before.len() != after.len() {
        return capture_diff_slices(Algorithm::Patience, before, after);
    }
    let same: Vec<bool> = before.iter().zip(after).map(|(one, other)| one == other).collect();
    let mut at: usize = 0;
    let runs = same.chunk_by(|one, other| one == other).map(|run| {
        let (start, len) = (at, run.len());
        at = at.saturating_add(len);
        match run {
            [true, ..] => DiffOp::Equal { old_index: start, new_index: start, len },
            _ => DiffOp::Replace { old_index: start, old_len: len, new_index: start, new_len: len },
        }
    });
    runs.collect()
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn a_difference_names_lines_and_missing_line_ends() {
        assert_eq!(unified("a", "x\n", "x\n", false, false), "");
        let diff = unified("a.xml", "1\n2\n3", "1\nz\n3", false, false);
        let expected = "--- a.xml\n+++ a.xml\n@@ -1,3 +1,3 @@\n 1\n-2\n+z\n 3\n\\ No newline at end of file\n";
        assert_eq!(diff, expected);
    }

    #[test]
    fn a_large_document_is_compared_line_by_line() {
        let text = |mark: &str| -> String {
            (0..9_000).map(|number| format!("{number}{}\n", if number % 4_000 == 7 { mark } else { "" })).collect()
        };
        let (before, after) = (text(""), text("x"));
        let diff = unified("a", &before, &after, false, false);
        assert_eq!(diff.matches("@@ -").count(), 3);
        assert!(diff.contains("@@ -4005,7 +4005,7 @@\n 4004\n 4005\n 4006\n-4007\n+4007x\n 4008\n"), "{diff}");
        let longer = unified("a", &before, &format!("{after}y"), false, false);
        assert!(longer.ends_with("+y\n\\ No newline at end of file\n"), "{longer}");
    }

    #[test]
    fn a_terminal_gets_no_control_characters_and_patch_gets_all() {
        let diff = |is_shown| unified("a", "\u{9b}31m\u{202e}\n", "x\n", false, is_shown);
        assert!(diff(true).contains("-\\u{9b}31m\\u{202e}\n"));
        assert!(diff(false).contains("-\u{9b}31m\u{202e}\n"));
    }
}
