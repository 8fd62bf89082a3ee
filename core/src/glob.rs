//! Patterns of paths: `*` and `?` within a segment, `**` across segments.

use alloc::{borrow::ToOwned, format, vec, vec::Vec};

/// A pattern, matched against a relative path with `/` as separator.
#[derive(Debug, Clone)]
pub struct Glob(Vec<char>);

impl Glob {
    /// Parses a pattern. One without a slash is matched against the last segment, as in `.gitignore`.
    #[must_use]
    pub fn new(text: &str) -> Glob {
        let anchored = text.trim_start_matches('/');
        let text = if text.contains('/') { anchored.to_owned() } else { format!("**/{text}") };
        // The name of a folder stands for all its contents.
        Glob(if text.ends_with('/') { format!("{text}**") } else { text }.chars().collect())
    }

    /// True if a path matches.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let path: Vec<char> = path.chars().collect();
        // The set of reachable positions in the pattern: without backtracking, so no pattern is slow.
        let mut places = vec![false; self.0.len().saturating_add(1)];
        self.reach(&mut places, 0, true);
        for character in path {
            let mut next = vec![false; places.len()];
            for place in places.iter().enumerate().filter(|(_, reached)| **reached).map(|(place, _)| place) {
                self.step(place, character, &mut next);
            }
            let at_start = character == '/';
            for place in 0..next.len() {
                if next.get(place).copied().unwrap_or(false) {
                    self.reach(&mut next, place, at_start);
                }
            }
            places = next;
        }
        places.last().copied().unwrap_or(false)
    }

    fn is_double(&self, place: usize) -> bool {
        matches!(self.0.get(place..), Some(['*', '*', ..]))
    }

    /// Marks a position and those reachable from it without input.
    fn reach(&self, places: &mut [bool], place: usize, at_start: bool) {
        if let Some(reached) = places.get_mut(place) {
            *reached = true;
        }
        if self.is_double(place) {
            let after = place.saturating_add(2);
            self.reach(places, after, at_start);
            // `**/` also matches no folder at all.
            if at_start && self.0.get(after) == Some(&'/') {
                self.reach(places, after.saturating_add(1), at_start);
            }
        } else if self.0.get(place) == Some(&'*') {
            self.reach(places, place.saturating_add(1), at_start);
        }
    }

    fn step(&self, place: usize, character: char, next: &mut [bool]) {
        let mut mark = |place: usize| {
            if let Some(reached) = next.get_mut(place) {
                *reached = true;
            }
        };
        match self.0.get(place) {
            _ if self.is_double(place) => mark(place),
            Some('*') if character != '/' => mark(place),
            Some('?') if character != '/' => mark(place.saturating_add(1)),
            Some(own) if *own == character && !"*?".contains(*own) => mark(place.saturating_add(1)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn patterns_match_as_they_do_elsewhere() {
        for (pattern, path, expected) in [
            ("*.pdf", "a.pdf", true),
            ("*.pdf", "deep/er/a.pdf", true),
            ("*.pdf", "a.pdf.txt", false),
            ("theses/*", "theses/1", true),
            ("theses/*", "theses/2024/1", false),
            ("theses/**", "theses/2024/1", true),
            ("theses/", "theses/2024/1", true),
            ("/theses/**/*.xml", "theses/a.xml", true),
            ("/theses/**/*.xml", "theses/b/c/a.xml", true),
            ("/theses/**/*.xml", "my/theses/a.xml", false),
            ("**", "anything/at all", true),
            ("?.txt", "日.txt", true),
            ("a/?/b", "a///b", false),
            ("*", ".x", true),
        ] {
            assert_eq!(Glob::new(pattern).matches(path), expected, "{pattern} {path}");
        }
        assert!(!Glob::new(&"*a".repeat(200)).matches(&"a".repeat(150)));
    }
}
