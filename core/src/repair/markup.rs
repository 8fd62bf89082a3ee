//! Where the markup of a text is that was read as a document.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    limits::Limits,
    span::Span,
    xml::{Event, Xml},
};

/// Bytes that are read at a time.
const WINDOW: usize = 64 << 10;

/// An element of the root, with the comments that follow it on its line.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) range: Range<usize>,
    /// The start of the comments before it, if they begin on a line of their own.
    pub(super) comments: Option<usize>,
}

/// The elements of the root so far.
#[derive(Debug, Default)]
struct Children {
    all: Vec<Child>,
    depth: usize,
    /// The end of the last markup.
    end: usize,
    comments: Option<usize>,
}

/// The bytes of a span.
pub(super) fn range(span: &Span) -> Option<Range<usize>> {
    Some(usize::try_from(span.start.offset).ok()?..usize::try_from(span.end.offset).ok()?)
}

fn events(source: &str, limits: &Limits, take: &mut dyn FnMut(&Event<'_>)) {
    let mut xml = Xml::new(limits);
    for window in source.as_bytes().chunks(WINDOW) {
        xml.push(window);
        while let Some(event) = xml.next() {
            take(&event);
        }
    }
    xml.finish();
    while let Some(event) = xml.next() {
        take(&event);
    }
}

/// The start tags.
pub(super) fn tags(source: &str, limits: &Limits) -> Vec<Range<usize>> {
    let mut tags = Vec::new();
    events(source, limits, &mut |event| {
        if let Event::Start(start) = event {
            tags.extend(range(&start.span));
        }
    });
    tags
}

/// The comments and processing instructions, in order.
pub(super) fn asides(source: &str, limits: &Limits) -> Vec<Range<usize>> {
    let mut asides = Vec::new();
    events(source, limits, &mut |event| {
        if let Event::Aside { span, .. } = event {
            asides.extend(range(span));
        }
    });
    asides
}

/// The elements of the root, in order.
pub(super) fn children(source: &str, limits: &Limits) -> Vec<Child> {
    let mut children = Children::default();
    events(source, limits, &mut |event| children.take(source, event).unwrap_or_default());
    children.all
}

impl Children {
    fn take(&mut self, source: &str, event: &Event<'_>) -> Option<()> {
        match event {
            Event::Start(start) => self.start(range(&start.span)?),
            Event::End { span } => self.end(range(span)?.end),
            Event::Aside { instruction: None, span } => self.comment(source, range(span)?),
            Event::Aside { span, .. } => self.pass(range(span)?.end),
            _ => {}
        }
        Some(())
    }

    fn start(&mut self, range: Range<usize>) {
        let (end, comments) = (range.end, self.comments);
        if self.depth == 1 {
            self.all.push(Child { range, comments });
        }
        self.depth = self.depth.saturating_add(1);
        self.pass(end);
    }

    fn end(&mut self, end: usize) {
        self.depth = self.depth.saturating_sub(1);
        if let (1, Some(last)) = (self.depth, self.all.last_mut()) {
            last.range.end = end;
        }
        self.pass(end);
    }

    fn comment(&mut self, source: &str, range: Range<usize>) {
        let is_apart = source.get(self.end..range.start).is_some_and(|between| between.contains(['\n', '\r']));
        match self.all.last_mut() {
            // On the line on which an element ends it belongs to that.
            Some(last) if !is_apart && last.range.end == self.end => {
                last.range.end = range.end;
                self.end = range.end;
            }
            _ => self.comments = self.comments.or(is_apart.then_some(range.start)),
        }
    }

    fn pass(&mut self, end: usize) {
        (self.end, self.comments) = (end, None);
    }
}
