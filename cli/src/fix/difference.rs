//! The repairs as a unified diff for `patch`.

use std::borrow::Cow;

use resourcesync::report::visible;
use similar::{ChangeTag, TextDiff};

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
    let diff = TextDiff::from_lines(before, after);
    let mut out = format!("--- {name}\n+++ {name}\n");
    let paint = |code: &'static str| if color { (code, PLAIN) } else { ("", "") };
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let (start, end) = paint(CYAN);
        out.push_str(&format!("{start}{}{end}\n", hunk.header()));
        for change in hunk.iter_changes() {
            let (mark, (start, end)) = match change.tag() {
                ChangeTag::Delete => ('-', paint(RED)),
                ChangeTag::Insert => ('+', paint(GREEN)),
                ChangeTag::Equal => (' ', ("", "")),
            };
            let line = change.value();
            let bare = line.strip_suffix('\n').unwrap_or(line);
            let bare = if is_shown { Cow::Owned(visible(bare)) } else { Cow::Borrowed(bare) };
            out.push_str(&format!("{start}{mark}{bare}{end}\n"));
            if change.missing_newline() {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
    out
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
    fn a_terminal_gets_no_control_characters_and_patch_gets_all() {
        let diff = |is_shown| unified("a", "\u{9b}31m\u{202e}\n", "x\n", false, is_shown);
        assert!(diff(true).contains("-\\u{9b}31m\\u{202e}\n"));
        assert!(diff(false).contains("-\u{9b}31m\u{202e}\n"));
    }
}
