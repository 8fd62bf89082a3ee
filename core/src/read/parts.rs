//! Puts events together into the parts of a document.

use alloc::{boxed::Box, vec::Vec};

use super::{capture::Capture, namespace::Spaces, text::Gathering};
use crate::{
    limits::Limits,
    model::{
        Attribute, Attributes, Element, Entry, EntryElement, ForeignAttribute, Inside, Link, Md, Name, Namespace, Root,
        Shape, Space, Value,
    },
    span::Span,
    xml::{Event, Start},
};

/// What has just been completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Nothing,
    Root,
    Md,
    Link,
    Other,
    Namespace,
    Entry,
}

/// Where reading stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum At {
    /// Before or after the root.
    #[default]
    Outside,
    /// Directly below the root.
    Root,
    /// Directly inside an entry.
    Entry,
    /// Inside an `rs:md`, of the entry in hand or of the root.
    Md(bool),
    /// Inside an `rs:ln`, likewise.
    Link(bool),
    /// Inside an element that holds text.
    Text(Text),
}

/// The elements that hold text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

impl Text {
    fn find(local: &str) -> Option<Text> {
        match local {
            "loc" => Some(Text::Loc),
            "lastmod" => Some(Text::Lastmod),
            "changefreq" => Some(Text::Changefreq),
            "priority" => Some(Text::Priority),
            _ => None,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Text::Loc => "loc",
            Text::Lastmod => "lastmod",
            Text::Changefreq => "changefreq",
            Text::Priority => "priority",
        }
    }
}

/// The parts in hand.
#[derive(Debug, Default)]
pub(super) struct Parts {
    limits: Limits,
    /// Whether foreign elements are kept.
    keep: bool,
    at: At,
    /// Open elements that are passed over.
    skipped: u32,
    spaces: Spaces,
    gathering: Gathering,
    capture: Option<Capture>,
    /// Links of the root so far.
    links: u32,
    entries: u64,
    pub(super) root: Root,
    pub(super) md: Md,
    pub(super) link: Link,
    pub(super) other: Option<Element>,
    pub(super) namespace: Option<Namespace>,
    pub(super) entry: Entry,
    /// A namespace to be told of after the root.
    pub(super) root_namespace: bool,
}

impl Parts {
    pub(super) fn new(limits: &Limits, keep: bool) -> Parts {
        Parts { limits: limits.clone(), keep, ..Parts::default() }
    }

    pub(super) fn take(&mut self, event: Event<'_>) -> Step {
        match event {
            Event::Start(start) => self.start(&start),
            Event::Text { text, span, cut, .. } => self.text(&text, span, cut),
            Event::End { .. } => self.end(),
            Event::Aside { span, .. } => {
                if let (At::Text(_), 0) = (self.at, self.skipped) {
                    self.gathering.aside(span);
                }
                Step::Nothing
            }
            Event::Encoding(..) | Event::Fault(_) => Step::Nothing,
        }
    }

    fn start(&mut self, start: &Start<'_>) -> Step {
        if self.skipped > 0 {
            self.skipped = self.skipped.saturating_add(1);
            if let Some(capture) = &mut self.capture {
                capture.start(start);
            }
            return Step::Nothing;
        }
        if self.at == At::Outside {
            return self.start_root(start);
        }
        let meaning = self.spaces.of(start.namespace);
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

    fn start_root(&mut self, start: &Start<'_>) -> Step {
        let shape = match start.local {
            "urlset" => Some(Shape::UrlSet),
            "sitemapindex" => Some(Shape::SitemapIndex),
            _ => None,
        };
        self.root = Root {
            local: start.local.into(),
            namespace: start.namespace.into(),
            shape,
            span: start.span,
            attributes: self.attributes(start),
        };
        self.at = At::Root;
        if shape.is_none() {
            // Not one of ours: read on for well-formedness only.
            self.skipped = 1;
        } else if start.namespace != super::SITEMAP {
            self.spaces.adopt(start.namespace);
            self.spaces.first(start.namespace);
            self.namespace = Some(strange_namespace(start, super::SITEMAP));
            self.root_namespace = true;
        }
        Step::Root
    }

    fn start_part(&mut self, start: &Start<'_>, space: Space) {
        match (self.at, space, start.local) {
            (At::Root, Space::Sitemap, "url" | "sitemap") => {
                self.entries = self.entries.saturating_add(1);
                self.entry.clear();
                self.entry.element = if start.local == "url" { EntryElement::Url } else { EntryElement::Sitemap };
                self.entry.number = self.entries;
                self.entry.span = start.span;
                self.entry.attributes = self.attributes(start);
                self.at = At::Entry;
            }
            (At::Root | At::Entry, Space::ResourceSync, "md") => {
                self.md = Md { span: start.span, ..Md::default() };
                read_attributes(&mut self.md.attributes, &self.spaces, start);
                self.at = At::Md(self.at == At::Entry);
            }
            (At::Root | At::Entry, Space::ResourceSync, "ln") => {
                self.link = Link { span: start.span, ..Link::default() };
                read_attributes(&mut self.link.attributes, &self.spaces, start);
                self.at = At::Link(self.at == At::Entry);
            }
            (At::Entry, Space::Sitemap, local) => match Text::find(local) {
                Some(text) => {
                    self.gathering.begin(start.span);
                    self.at = At::Text(text);
                }
                None => self.start_other(start, space),
            },
            _ => self.start_other(start, space),
        }
    }

    fn start_other(&mut self, start: &Start<'_>, space: Space) {
        self.skipped = 1;
        if self.note_content(start.span) {
            return;
        }
        let inside = match self.at {
            At::Entry => Inside::Entry,
            At::Text(text) => Inside::Text(text.as_str()),
            _ => Inside::Root,
        };
        if space != Space::Foreign || self.keep {
            self.other = Some(Element {
                space,
                prefix: start.prefix.into(),
                local: start.local.into(),
                namespace: start.namespace.into(),
                inside,
                span: start.span,
                xml: None,
            });
        }
        if self.keep {
            let mut capture = Capture::new(self.limits.extension_bytes as usize);
            capture.start(start);
            self.capture = Some(capture);
        }
    }

    /// True inside `rs:md` and `rs:ln`, where there should be nothing.
    fn note_content(&mut self, span: Span) -> bool {
        match self.at {
            At::Md(_) => self.md.content.get_or_insert(span),
            At::Link(_) => self.link.content.get_or_insert(span),
            _ => return false,
        };
        true
    }

    fn text(&mut self, text: &str, span: Span, cut: bool) -> Step {
        if self.skipped > 0 {
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
        let inside = if self.at == At::Entry { Inside::Entry } else { Inside::Root };
        let (prefix, namespace, local) = ("".into(), "".into(), "#text".into());
        let xml = (self.keep && !cut).then(|| crate::write::character_data(text).into());
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
            At::Md(false) => {
                self.at = At::Root;
                Step::Md
            }
            At::Link(false) => {
                self.at = At::Root;
                self.links = self.links.saturating_add(1);
                if self.links as usize <= limit.saturating_add(1) { Step::Link } else { Step::Nothing }
            }
            At::Md(true) => {
                self.at = At::Entry;
                push(&mut self.entry.md, core::mem::take(&mut self.md), limit);
                Step::Nothing
            }
            At::Link(true) => {
                self.at = At::Entry;
                push(&mut self.entry.links, core::mem::take(&mut self.link), limit);
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

    fn end_skipped(&mut self) -> Step {
        self.skipped = self.skipped.saturating_sub(1);
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

    /// The attributes of the root or an entry, where the standard has none.
    fn attributes(&self, start: &Start<'_>) -> Vec<Attribute> {
        start.attributes().map(|attribute| foreign(&attribute)).collect()
    }
}

/// Adds one, up to one beyond the limit: the one beyond is what the rule for the limit sees.
fn push<T>(list: &mut Vec<T>, item: T, limit: usize) {
    if list.len() <= limit {
        list.push(item);
    }
}

fn strange_namespace(start: &Start<'_>, meant: &'static str) -> Namespace {
    Namespace { written: start.namespace.into(), meant, element: start.local.into(), span: start.span }
}

fn read_attributes(attributes: &mut Attributes, spaces: &Spaces, start: &Start<'_>) {
    for attribute in start.attributes() {
        let known = Name::find(attribute.local).filter(|_| {
            attribute.namespace.is_empty() || spaces.of(attribute.namespace).space == Space::ResourceSync
        });
        attributes.push(match known {
            Some(name) => Attribute {
                value: Value::read(name, &attribute.value, attribute.span),
                prefix: (!attribute.prefix.is_empty()).then(|| attribute.prefix.into()),
                whole: attribute.whole,
            },
            None => foreign(&attribute),
        });
    }
}

fn foreign(attribute: &crate::xml::Attribute<'_>) -> Attribute {
    let prefix: Box<str> = attribute.prefix.into();
    Attribute {
        prefix: (!prefix.is_empty()).then(|| prefix.clone()),
        value: Value::Other(Box::new(ForeignAttribute {
            prefix,
            local: attribute.local.into(),
            namespace: attribute.namespace.into(),
            text: attribute.value.as_ref().into(),
            span: attribute.span,
        })),
        whole: attribute.whole,
    }
}
