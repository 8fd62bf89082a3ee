//! Puts events together into the parts of a document.

use alloc::{boxed::Box, vec::Vec};

use super::{capture::Capture, namespace::Spaces, text::Gathering};
use crate::{
    limits::Limits,
    model::{
        Attribute, Attributes, Element, Entry, EntryElement, Field, ForeignAttribute, Inside, Layout, Link, Md, Name,
        Namespace, Root, Shape, Space, Value,
    },
    span::Span,
    value::Hashes,
    xml::{EncodingNote, Fault, Listener, Start},
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
    Encoding,
    Fault,
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
    /// Inside an `rs:md`.
    Md(Of),
    /// Inside an `rs:ln`.
    Link(Of),
    /// Inside an element that holds text.
    Text(Text),
}

/// To what an `rs:md` or `rs:ln` belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Root,
    /// The entry in hand; it is the last in its list.
    Entry,
    /// Also the entry, but there are more than are kept.
    Beyond,
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

/// Attribute lists kept for the next entry; few have more links.
const SPARE: usize = 8;

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
    pub(super) encoding: Option<(EncodingNote, Span)>,
    pub(super) fault: Option<Fault>,
    /// Emptied attribute lists of the last entry, for the next: making them anew took a fifteenth of reading.
    spare: Vec<Vec<Attribute>>,
    /// A namespace to be told of after the root.
    pub(super) root_namespace: bool,
}

impl Parts {
    pub(super) fn new(limits: &Limits, keep: bool) -> Parts {
        Parts { limits: limits.clone(), keep, ..Parts::default() }
    }

    /// True where white space between elements means nothing.
    #[inline]
    pub(super) fn ignores_blanks(&self) -> bool {
        if self.skipped > 0 { self.capture.is_none() } else { !matches!(self.at, At::Text(_)) }
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
                self.clear_entry();
                self.entry.element = if start.local == "url" { EntryElement::Url } else { EntryElement::Sitemap };
                self.entry.number = self.entries;
                self.entry.span = start.span;
                self.entry.attributes = self.attributes(start);
                self.at = At::Entry;
            }
            (At::Root | At::Entry, Space::ResourceSync, "md") => {
                let attributes = Attributes::reusing(self.spare.pop().unwrap_or_default());
                let md = Md { attributes, span: start.span, content: None };
                let of = self.of(self.entry.md.len());
                // First to its place, while it is empty.
                let md = match of {
                    Of::Entry => pushed(&mut self.entry.md, md),
                    Of::Root | Of::Beyond => {
                        self.md = md;
                        Some(&mut self.md)
                    }
                };
                md.into_iter().for_each(|md| read_attributes(&mut md.attributes, &self.spaces, start));
                self.at = At::Md(of);
            }
            (At::Root | At::Entry, Space::ResourceSync, "ln") => {
                let attributes = Attributes::reusing(self.spare.pop().unwrap_or_default());
                let link = Link { attributes, span: start.span, content: None };
                let of = self.of(self.entry.links.len());
                let link = match of {
                    Of::Entry => pushed(&mut self.entry.links, link),
                    Of::Root | Of::Beyond => {
                        self.link = link;
                        Some(&mut self.link)
                    }
                };
                link.into_iter().for_each(|link| read_attributes(&mut link.attributes, &self.spaces, start));
                self.at = At::Link(of);
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

    /// To what an `rs:md` or `rs:ln` belongs that begins, when the entry has so many.
    fn of(&self, entry_has: usize) -> Of {
        match self.at {
            At::Entry if entry_has <= self.limits.links as usize => Of::Entry,
            At::Entry => Of::Beyond,
            _ => Of::Root,
        }
    }

    fn clear_entry(&mut self) {
        let md = self.entry.md.drain(..).map(|md| md.attributes);
        let all = md.chain(self.entry.links.drain(..).map(|link| link.attributes));
        self.spare.extend(all.take(SPARE.saturating_sub(self.spare.len())).map(Attributes::emptied));
        self.entry.clear();
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
        // A foreign element is welcome beside a value, not inside it.
        if space != Space::Foreign || self.keep || matches!(inside, Inside::Text(_)) {
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
        let content = match self.at {
            At::Md(Of::Entry) => self.entry.md.last_mut().map(|md| &mut md.content),
            At::Link(Of::Entry) => self.entry.links.last_mut().map(|link| &mut link.content),
            At::Md(_) => Some(&mut self.md.content),
            At::Link(_) => Some(&mut self.link.content),
            _ => None,
        };
        content.map(|content| content.get_or_insert(span)).is_some()
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

impl Listener for Parts {
    type Answer = Step;

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

/// Adds one, up to one beyond the limit: the one beyond is what the rule for the limit sees.
fn push<T>(list: &mut Vec<T>, item: T, limit: usize) {
    if list.len() <= limit {
        list.push(item);
    }
}

fn pushed<T>(list: &mut Vec<T>, item: T) -> Option<&mut T> {
    list.push(item);
    list.last_mut()
}

fn strange_namespace(start: &Start<'_>, meant: &'static str) -> Namespace {
    Namespace { written: start.namespace.into(), meant, element: start.local.into(), span: start.span }
}

fn read_attributes(attributes: &mut Attributes, spaces: &Spaces, start: &Start<'_>) {
    let mut pieces = start.attributes();
    while let Some(piece) = pieces.piece() {
        let ((prefix, local), namespace) = (piece.name(), piece.namespace());
        let known =
            Name::find(local).filter(|_| namespace.is_empty() || spaces.of(namespace).space == Space::ResourceSync);
        let (whole, span) = pieces.spans(&piece);
        let value = piece.value();
        let Some(name) = known else {
            let source = piece.source();
            attributes.push(foreign(&crate::xml::Attribute { prefix, local, namespace, value, source, span, whole }));
            continue;
        };
        attributes.make(name, || {
            let prefix = (!prefix.is_empty()).then(|| prefix.into());
            let text = value;
            let value = Value::read(name, &text, span);
            let layout =
                if let Value::Hash(hash) = &value { layout(piece.source(), &text, hash) } else { Layout::default() };
            Attribute { value, prefix, whole, layout }
        });
    }
}

/// What it takes to find the parts of a value that its canonical spelling would shift.
fn layout(source: &str, text: &str, hash: &Field<Hashes>) -> Layout {
    // Of the length it would be written with, it has one blank between two digests and no other. To count is the cheaper way.
    let canonical = || hash.exact().is_some_and(|hashes| hashes.written_length() == text.len());
    let doubled = || text.contains("  ") || text.trim_ascii().len() != text.len();
    let plain = source == text && (canonical() || !doubled());
    if plain { Layout::default() } else { Layout::new(source, text) }
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
        layout: Layout::default(),
    }
}
