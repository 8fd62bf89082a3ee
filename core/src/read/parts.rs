//! Assembles events into the parts of a document.

use alloc::vec::Vec;

use super::{
    capture::Capture,
    extensions::Extensions,
    namespace::{Spaces, strange_namespace},
    text::Gathering,
};
use crate::{
    limits::Limits,
    model::{Attribute, Element, Entry, Inside, Link, Md, Namespace, Root, Space},
    span::Span,
    xml::{EncodingNote, Fault, Listener, Start},
};

/// The part that was just completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Nothing,
    Root,
    Md,
    Link,
    Other,
    Namespace,
    Entry,
    Encoding,
    Fault,
}

/// The state of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum At {
    /// Before or after the root.
    #[default]
    Outside,
    /// Directly below the root.
    Root,
    /// Directly inside an entry.
    Entry,
    /// Inside an `rs:md`.
    Md(Of),
    /// Inside an `rs:ln`.
    Link(Of),
    /// Inside an element that holds text.
    Text(Text),
}

/// The owner of an `rs:md` or `rs:ln`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Root,
    /// The current entry; it is the last in its list.
    Entry,
    /// The current entry, but the limit was reached and the element is not kept.
    Beyond,
}

/// The elements that hold text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

impl Text {
    pub(super) fn find(local: &str) -> Option<Text> {
        match local {
            "loc" => Some(Text::Loc),
            "lastmod" => Some(Text::Lastmod),
            "changefreq" => Some(Text::Changefreq),
            "priority" => Some(Text::Priority),
            _ => None,
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Text::Loc => "loc",
            Text::Lastmod => "lastmod",
            Text::Changefreq => "changefreq",
            Text::Priority => "priority",
        }
    }
}

/// The current parts.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) limits: Limits,
    /// Whether foreign elements are kept.
    pub(super) keep: bool,
    pub(super) at: At,
    /// Number of open elements that are skipped.
    pub(super) skipped: u32,
    pub(super) spaces: Spaces,
    pub(super) gathering: Gathering,
    pub(super) capture: Option<Capture>,
    pub(super) extensions: Extensions,
    /// Links of the root so far.
    links: u32,
    pub(super) entries: u64,
    pub(super) root: Root,
    /// True if the root declares the ResourceSync namespace, a near miss of it, or its usual prefix.
    pub(super) announces: bool,
    pub(super) md: Md,
    pub(super) link: Link,
    pub(super) other: Option<Element>,
    pub(super) namespace: Option<Namespace>,
    pub(super) entry: Entry,
    pub(super) encoding: Option<(EncodingNote, Span)>,
    pub(super) fault: Option<Fault>,
    /// Empty attribute lists for reuse: allocating new ones took a fifteenth of reading.
    pub(super) spare: Vec<Vec<Attribute>>,
    /// A namespace to report after the root.
    pub(super) root_namespace: bool,
}

impl Parts {
    pub(super) fn new(limits: &Limits, keep: bool) -> Parts {
        Parts { limits: limits.clone(), keep, ..Parts::default() }
    }

    /// True where white space between elements is insignificant.
    #[inline]
    pub(super) fn ignores_blanks(&self) -> bool {
        if self.skipped > 0 { self.root.shape.is_none() } else { !matches!(self.at, At::Text(_)) }
    }

    /// True inside `rs:md` and `rs:ln`, where there should be nothing.
    pub(super) fn note_content(&mut self, span: Span) -> bool {
        let content = match self.at {
            At::Md(Of::Entry) => self.entry.md.last_mut().map(|md| &mut md.content),
            At::Link(Of::Entry) => self.entry.links.last_mut().map(|link| &mut link.content),
            At::Md(_) => Some(&mut self.md.content),
            At::Link(_) => Some(&mut self.link.content),
            _ => None,
        };
        content.map(|content| content.get_or_insert(span)).is_some()
    }

    /// The number of the current entry.
    pub(super) fn in_entry(&self) -> Option<u64> {
        let in_root = matches!(self.at, At::Outside | At::Root | At::Md(Of::Root) | At::Link(Of::Root));
        (!in_root).then_some(self.entries)
    }

    fn end_skipped(&mut self) -> Step {
        self.skipped = self.skipped.saturating_sub(1);
        if self.root.shape.is_some() {
            self.extensions.end();
        }
        if let Some(capture) = &mut self.capture {
            capture.end();
        }
        if self.skipped > 0 {
            return Step::Nothing;
        }
        if self.root.shape.is_none() {
            self.at = At::Outside;
            return Step::Nothing;
        }
        let xml = self.capture.take().and_then(Capture::finish);
        let Some(mut element) = self.other.take() else { return Step::Nothing };
        element.xml = xml;
        if element.inside == Inside::Root {
            self.other = Some(element);
            return Step::Other;
        }
        self.keep_other(element);
        Step::Nothing
    }

    fn keep_other(&mut self, element: Element) {
        push(&mut self.entry.others, element, self.limits.links as usize);
    }
}

impl Listener for Parts {
    type Answer = Step;

    fn start(&mut self, start: &Start<'_>) -> Step {
        if self.skipped > 0 {
            self.skipped = self.skipped.saturating_add(1);
            if self.root.shape.is_some() {
                self.extensions.start(start);
            }
            if let Some(capture) = &mut self.capture {
                capture.start(start);
            }
            return Step::Nothing;
        }
        if self.at == At::Outside {
            return self.start_root(start);
        }
        let meaning = self.spaces.of_element(start.namespace, start.local);
        let strange = meaning.meant.filter(|_| self.spaces.first(start.namespace));
        self.start_part(start, meaning.space);
        match strange {
            Some(meant) => {
                self.namespace = Some(strange_namespace(start, meant));
                Step::Namespace
            }
            None => Step::Nothing,
        }
    }

    fn text(&mut self, text: &str, span: Span, cut: bool) -> Step {
        if self.skipped > 0 {
            if self.root.shape.is_some() {
                self.extensions.text(text);
            }
            if let Some(capture) = &mut self.capture {
                capture.text(text, cut);
            }
            return Step::Nothing;
        }
        if let At::Text(_) = self.at {
            self.gathering.add(text, span, cut, self.limits.value_bytes as usize);
            return Step::Nothing;
        }
        if text.bytes().all(|byte| byte.is_ascii_whitespace()) || self.note_content(span) {
            return Step::Nothing;
        }
        self.extensions.begin(self.in_entry());
        self.extensions.text(text);
        self.extensions.end();
        let inside = if self.at == At::Entry { Inside::Entry } else { Inside::Root };
        let (prefix, namespace, local) = ("".into(), "".into(), "#text".into());
        let xml = (self.keep && !cut).then(|| crate::xml::character_data(text).into());
        let element = Element { space: Space::Foreign, prefix, local, namespace, inside, span, xml };
        if self.at == At::Entry {
            self.keep_other(element);
            return Step::Nothing;
        }
        self.other = Some(element);
        Step::Other
    }

    fn end(&mut self) -> Step {
        if self.skipped > 0 {
            return self.end_skipped();
        }
        let limit = self.limits.links as usize;
        match self.at {
            At::Outside => Step::Nothing,
            At::Root => {
                self.at = At::Outside;
                Step::Nothing
            }
            At::Entry => {
                self.at = At::Root;
                Step::Entry
            }
            At::Md(Of::Root) => {
                self.at = At::Root;
                Step::Md
            }
            At::Link(Of::Root) => {
                self.at = At::Root;
                self.links = self.links.saturating_add(1);
                if self.links as usize <= limit.saturating_add(1) { Step::Link } else { Step::Nothing }
            }
            At::Md(_) | At::Link(_) => {
                self.at = At::Entry;
                Step::Nothing
            }
            At::Text(text) => {
                self.at = At::Entry;
                let (entry, gathering) = (&mut self.entry, &self.gathering);
                match text {
                    Text::Loc => push(&mut entry.loc, gathering.value(), limit),
                    Text::Lastmod => push(&mut entry.lastmod, gathering.value(), limit),
                    Text::Changefreq => push(&mut entry.changefreq, gathering.value(), limit),
                    Text::Priority => push(&mut entry.priority, gathering.value(), limit),
                }
                Step::Nothing
            }
        }
    }

    fn aside(&mut self, span: Span) -> Step {
        if let (At::Text(_), 0) = (self.at, self.skipped) {
            self.gathering.aside(span);
        }
        Step::Nothing
    }

    fn encoding(&mut self, note: EncodingNote, span: Span) -> Step {
        self.encoding = Some((note, span));
        Step::Encoding
    }

    fn fault(&mut self, fault: Fault) -> Step {
        self.fault = Some(fault);
        Step::Fault
    }
}

/// Adds an element, up to one beyond the limit, so that the rule for the limit can detect it.
fn push<T>(list: &mut Vec<T>, item: T, limit: usize) {
    if list.len() <= limit {
        list.push(item);
    }
}
