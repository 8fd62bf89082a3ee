//! The markup of a text that was read as a document: tags, and the elements of the root with the comments before them.

use alloc::vec::Vec;
use core::ops::Range;

/// Kinds of markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Start,
    Empty,
    End,
    Comment,
    /// A processing instruction, a CDATA section, or the like.
    Other,
}

/// Markup from `<` to its end. The text is well-formed.
#[derive(Debug)]
pub(super) struct Markup<'a> {
    source: &'a str,
    at: usize,
}

/// An element of the root, with the comments that follow it on its line.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) range: Range<usize>,
    /// The start of the comments before it, if they begin on a line of their own.
    pub(super) comments: Option<usize>,
}

impl<'a> Markup<'a> {
    pub(super) fn of(source: &'a str) -> Markup<'a> {
        Markup { source, at: 0 }
    }
}

impl Iterator for Markup<'_> {
    type Item = (Kind, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at.checked_add(self.source.get(self.at..)?.find('<')?)?;
        let text = self.source.get(start..)?;
        let until = |end: &str| text.find(end)?.checked_add(end.len());
        let (kind, length) = match text {
            _ if text.starts_with("<!--") => (Kind::Comment, until("-->")?),
            _ if text.starts_with("<![CDATA[") => (Kind::Other, until("]]>")?),
            _ if text.starts_with("<?") => (Kind::Other, until("?>")?),
            _ if text.starts_with("</") => (Kind::End, until(">")?),
            _ => {
                let length = tag(text)?;
                (if text.get(..length)?.ends_with("/>") { Kind::Empty } else { Kind::Start }, length)
            }
        };
        self.at = start.checked_add(length)?;
        Some((kind, start..self.at))
    }
}

/// The length of a tag; values may contain `>`.
fn tag(text: &str) -> Option<usize> {
    let mut quote = None;
    let end = text.find(|character| match quote {
        Some(open) => {
            quote = quote.filter(|_| character != open);
            false
        }
        None => {
            quote = Some(character).filter(|character| ['"', '\''].contains(character));
            character == '>'
        }
    });
    end?.checked_add(1)
}

/// The elements of the root, in order.
pub(super) fn children(source: &str) -> Vec<Child> {
    let mut children: Vec<Child> = Vec::new();
    let (mut depth, mut comments, mut before) = (0_usize, None, 0);
    for (kind, range) in Markup::of(source) {
        if kind == Kind::Comment {
            let is_apart = source.get(before..range.start).is_some_and(|between| between.contains(['\n', '\r']));
            match children.last_mut() {
                // On the line on which an element ends it belongs to that.
                Some(last) if !is_apart && last.range.end == before => {
                    last.range.end = range.end;
                    before = range.end;
                }
                _ => comments = comments.or(is_apart.then_some(range.start)),
            }
            continue;
        }
        before = range.end;
        if depth == 1 && matches!(kind, Kind::Start | Kind::Empty) {
            children.push(Child { range: range.clone(), comments });
        }
        match kind {
            Kind::Start => depth = depth.saturating_add(1),
            Kind::End => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let (Kind::End, 1, Some(last)) = (kind, depth, children.last_mut()) {
            last.range.end = range.end;
        }
        comments = None;
    }
    children
}
