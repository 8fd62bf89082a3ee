//! `path`: the path of a bitstream in its package.

use alloc::{boxed::Box, format};
use core::fmt;

use super::{Parsed, Value};

use crate::named_enum;

/// A `path` that names one member of a package and nothing outside it (Z39.99-2017 §7, §11.2).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitstreamPath(Box<str>);

named_enum! {
    /// Why a text is not the path of a bitstream.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PathProblem {
        /// An empty text.
        Empty = "empty",
        /// No leading `/`.
        NotRooted = "not-rooted",
        /// Two slashes in a row.
        EmptySegment = "empty-segment",
        /// A segment `.`.
        DotSegment = "dot-segment",
        /// A segment `..`.
        ParentSegment = "parent-segment",
        /// A trailing slash: a directory.
        TrailingSlash = "trailing-slash",
        /// A backslash.
        Backslash = "backslash",
        /// A control character.
        Control = "control",
        /// The manifest itself.
        Manifest = "manifest",
    }
}

impl BitstreamPath {
    /// The path with its leading slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the member in the package: the path without its leading slash.
    pub fn member_name(&self) -> &str {
        self.0.strip_prefix('/').unwrap_or(&self.0)
    }

    /// Why a text is not a path; `None` if it is one. A missing leading slash takes precedence.
    pub fn problem(text: &str) -> Option<PathProblem> {
        let Some(rest) = text.strip_prefix('/') else {
            return Some(if text.is_empty() { PathProblem::Empty } else { PathProblem::NotRooted });
        };
        segments(rest)
    }
}

fn segments(rest: &str) -> Option<PathProblem> {
    if rest == "manifest.xml" {
        return Some(PathProblem::Manifest);
    }
    if rest.contains('\\') {
        return Some(PathProblem::Backslash);
    }
    if rest.chars().any(char::is_control) {
        return Some(PathProblem::Control);
    }
    if rest.is_empty() || rest.ends_with('/') {
        return Some(PathProblem::TrailingSlash);
    }
    rest.split('/').find_map(|segment| match segment {
        "" => Some(PathProblem::EmptySegment),
        "." => Some(PathProblem::DotSegment),
        ".." => Some(PathProblem::ParentSegment),
        _ => None,
    })
}

impl Value for BitstreamPath {
    fn read(text: &str) -> Parsed<BitstreamPath> {
        match BitstreamPath::problem(text) {
            None => Parsed::Exact(BitstreamPath(text.into())),
            Some(PathProblem::NotRooted) if segments(text).is_none() && text.as_bytes().get(1) != Some(&b':') => {
                Parsed::Lenient(BitstreamPath(format!("/{text}").into()))
            }
            Some(_) => Parsed::Malformed,
        }
    }
}

impl fmt::Display for BitstreamPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_inside_its_package() {
        for text in ["/res1", "/a/b c.pdf", "/日本語.txt", "/a%20b", "/..a", "/sub/manifest.xml", "/a/...", "/C:/x"]
        {
            assert_eq!(BitstreamPath::problem(text), None, "{text}");
        }
        for (text, problem) in [
            ("", PathProblem::Empty),
            ("res1", PathProblem::NotRooted),
            ("C:\\x", PathProblem::NotRooted),
            ("/", PathProblem::TrailingSlash),
            ("/a/", PathProblem::TrailingSlash),
            ("//a", PathProblem::EmptySegment),
            ("/a/./b", PathProblem::DotSegment),
            ("/../a", PathProblem::ParentSegment),
            ("/a\\b", PathProblem::Backslash),
            ("/a\u{0}b", PathProblem::Control),
            ("/manifest.xml", PathProblem::Manifest),
        ] {
            assert_eq!(BitstreamPath::problem(text), Some(problem), "{text}");
        }
    }

    #[test]
    fn only_a_missing_slash_is_forgiven() {
        assert_eq!(BitstreamPath::read("res/1"), Parsed::Lenient(BitstreamPath("/res/1".into())));
        for text in ["../res", "C:/x", "manifest.xml", "/a/../b"] {
            assert_eq!(BitstreamPath::read(text), Parsed::Malformed, "{text}");
        }
    }
}
