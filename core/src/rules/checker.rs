//! The Checker: looks at items and reports, accepts items and moves on.

use alloc::{boxed::Box, vec::Vec};

use super::{ALL, Check, Code, Look, Memory, Profile, Step, table};
use crate::{
    diagnostic::{Finding, Sink},
    limits::Limits,
    model::{Attribute, Attributes, Element, Entry, Kind, Link, Md, Namespace, Root},
    span::Span,
};

/// One thing read from a document, in the order it was read.
#[derive(Debug, Clone, Copy)]
pub enum Item<'a> {
    /// The root element; always first.
    Root(&'a Root),
    /// An `rs:md` of the root.
    Md(&'a Md),
    /// An `rs:ln` of the root.
    Link(&'a Link),
    /// Any other element below the root.
    Other(&'a Element),
    /// A namespace name taken for one of the two.
    Namespace(&'a Namespace),
    /// An entry.
    Entry(&'a Entry),
    /// The end of the document, with its length in bytes.
    End(u64),
}

/// What the caller knows of the document before reading it.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The kind the user expects.
    pub expect: Option<Kind>,
    /// True where a sitemap that does not speak of ResourceSync is welcome.
    pub plain_sitemap: bool,
    /// The bounds of this run.
    pub limits: Limits,
}

/// Checks one document, item by item.
#[derive(Debug)]
pub struct Checker {
    phases: Phases,
    context: Context,
    kind: Option<Kind>,
    root: Root,
    memory: Memory,
    /// Items read before the kind was known.
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
enum Waiting {
    Link(Link),
    Other(Element),
    Entry(Box<Entry>),
}

impl Waiting {
    fn keep(item: Item<'_>) -> Option<Waiting> {
        match item {
            Item::Link(link) => Some(Waiting::Link(link.clone())),
            Item::Other(element) => Some(Waiting::Other(element.clone())),
            Item::Entry(entry) => Some(Waiting::Entry(Box::new(entry.clone()))),
            Item::Root(_) | Item::Md(_) | Item::Namespace(_) | Item::End(_) => None,
        }
    }

    fn item(&self) -> Item<'_> {
        match self {
            Waiting::Link(link) => Item::Link(link),
            Waiting::Other(element) => Item::Other(element),
            Waiting::Entry(entry) => Item::Entry(entry),
        }
    }
}

impl Checker {
    /// A Checker at the beginning of a document.
    pub fn new(context: Context) -> Checker {
        Checker {
            phases: Phases::new(),
            context,
            kind: None,
            root: Root::default(),
            memory: Memory::default(),
            waiting: Vec::new(),
        }
    }

    /// The kind of the document, once its head said so.
    pub fn kind(&self) -> Kind {
        self.kind.unwrap_or_default()
    }

    /// Entries accepted so far.
    pub fn entries(&self) -> u64 {
        self.memory.entries.saturating_add(self.waiting.iter().filter(|w| matches!(w, Waiting::Entry(_))).count() as u64)
    }

    /// Looks and moves on; keeps back what cannot be judged before the kind is known.
    pub fn take(&mut self, item: Item<'_>, sink: &mut dyn Sink) {
        if self.kind.is_none() {
            match item {
                Item::Md(md) => self.kind = Some(self.kind_by(md)),
                Item::End(_) => self.kind = Some(Kind::Sitemap),
                Item::Root(_) | Item::Namespace(_) => {}
                _ if self.waiting.len() < self.context.limits.late_head_entries as usize => {
                    return self.waiting.extend(Waiting::keep(item));
                }
                _ => {
                    let limit = self.context.limits.late_head_entries;
                    sink.found(Finding::new(Code::LIM_10).at(self.root.span).arg("limit", limit));
                    self.kind = Some(Kind::Unknown);
                }
            }
            if self.kind.is_some() {
                self.catch_up(item, sink);
                return;
            }
        }
        self.look(item, sink);
        self.accept(item);
    }

    /// The head is known: judges what was kept back, in the order it was read.
    fn catch_up(&mut self, item: Item<'_>, sink: &mut dyn Sink) {
        let waiting = core::mem::take(&mut self.waiting);
        let mut after = waiting.iter().skip_while(|waiting| !matches!(waiting, Waiting::Entry(_))).peekable();
        if let (true, Item::Md(md)) = (after.peek().is_some(), item) {
            let link = after.find_map(|waiting| if let Waiting::Link(link) = waiting { Some(link.span) } else { None });
            self.memory.late = Some(link.unwrap_or(md.span));
        }
        // The head's own values come first: entries are compared with them.
        if matches!(item, Item::Md(_)) {
            self.look(item, sink);
            self.accept(item);
        }
        for waiting in &waiting {
            self.look(waiting.item(), sink);
            self.accept(waiting.item());
        }
        if !matches!(item, Item::Md(_)) {
            self.look(item, sink);
            self.accept(item);
        }
    }

    fn kind_by(&self, md: &Md) -> Kind {
        let capability = md.attributes.capability().and_then(|capability| capability.value());
        match (self.root.shape, capability, self.context.expect) {
            (Some(shape), Some(capability), _) => Kind::from_parts(shape, capability),
            (_, None, Some(expected)) => expected,
            _ => Kind::Unknown,
        }
    }

    /// Reports what is wrong with an item, given what was accepted before; changes nothing.
    pub fn look(&self, item: Item<'_>, sink: &mut dyn Sink) {
        let root = if let Item::Root(root) = item { root } else { &self.root };
        let mut look = Look {
            profile: Profile::of(self.kind()),
            root,
            memory: &self.memory,
            limits: &self.context.limits,
            expect: self.context.expect,
            plain_sitemap: self.context.plain_sitemap,
            bytes: if let Item::End(bytes) = item { bytes } else { 0 },
            entry: None,
            step: Step::Own,
            sink,
        };
        let phases = &self.phases;
        match item {
            Item::Root(_) => phases.root.iter().for_each(|check| check(&mut look)),
            Item::Md(md) => {
                let number = self.memory.md_count.saturating_add(1);
                look.step = Step::Md(number);
                if number == 1 {
                    table::head(&mut look, md);
                    phases.head.iter().for_each(|check| check(&mut look, md));
                }
                phases.md(&mut look, md);
            }
            Item::Link(link) => {
                look.step = Step::Link(self.memory.links.len() as u64 + 1);
                table::root_link(&mut look, link);
                phases.link(&mut look, link);
            }
            Item::Other(element) => phases.element.iter().for_each(|check| check(&mut look, element)),
            Item::Namespace(namespace) => phases.namespace.iter().for_each(|check| check(&mut look, namespace)),
            Item::Entry(entry) => {
                look.entry = Some(entry);
                phases.entry(&mut look, entry);
            }
            Item::End(_) => {
                table::end(&mut look);
                phases.end.iter().for_each(|check| check(&mut look));
            }
        }
    }

    /// Moves on: the item is part of the document.
    pub fn accept(&mut self, item: Item<'_>) {
        match item {
            Item::Root(root) => self.root = root.clone(),
            Item::Md(md) => {
                self.memory.md_count = self.memory.md_count.saturating_add(1);
                if self.memory.md.is_none() {
                    self.memory.md = Some(md.clone());
                }
                self.note_late(md.span);
            }
            Item::Link(link) => {
                self.memory.links.push(link.clone());
                self.note_late(link.span);
            }
            Item::Entry(entry) => self.memory.accept(Profile::of(self.kind()), entry),
            Item::Other(_) | Item::Namespace(_) | Item::End(_) => {}
        }
    }

    fn note_late(&mut self, span: Span) {
        if self.memory.entries > 0 && self.memory.late.is_none() {
            self.memory.late = Some(span);
        }
    }
}

/// The checks of all rules, sorted by when they are asked.
#[derive(Debug, Default)]
pub(super) struct Phases {
    root: Vec<fn(&mut Look<'_>)>,
    head: Vec<fn(&mut Look<'_>, &Md)>,
    entry: Vec<fn(&mut Look<'_>, &Entry)>,
    md: Vec<fn(&mut Look<'_>, &Md)>,
    link: Vec<fn(&mut Look<'_>, &Link)>,
    attribute: Vec<fn(&mut Look<'_>, &Attribute)>,
    element: Vec<fn(&mut Look<'_>, &Element)>,
    namespace: Vec<fn(&mut Look<'_>, &Namespace)>,
    end: Vec<fn(&mut Look<'_>)>,
}

impl Phases {
    fn new() -> Phases {
        let mut phases = Phases::default();
        for check in ALL.iter().flat_map(|rule| rule.checks) {
            match *check {
                Check::Root(check) => phases.root.push(check),
                Check::Head(check) => phases.head.push(check),
                Check::Entry(check) => phases.entry.push(check),
                Check::Md(check) => phases.md.push(check),
                Check::Link(check) => phases.link.push(check),
                Check::Attribute(check) => phases.attribute.push(check),
                Check::Element(check) => phases.element.push(check),
                Check::Namespace(check) => phases.namespace.push(check),
                Check::End(check) => phases.end.push(check),
            }
        }
        phases
    }

    fn md(&self, look: &mut Look<'_>, md: &Md) {
        self.md.iter().for_each(|check| check(look, md));
        self.attributes(look, &md.attributes);
    }

    fn link(&self, look: &mut Look<'_>, link: &Link) {
        self.link.iter().for_each(|check| check(look, link));
        self.attributes(look, &link.attributes);
    }

    fn attributes(&self, look: &mut Look<'_>, attributes: &Attributes) {
        for attribute in attributes {
            self.attribute.iter().for_each(|check| check(look, attribute));
        }
    }

    fn entry(&self, look: &mut Look<'_>, entry: &Entry) {
        table::entry(look, entry);
        self.entry.iter().for_each(|check| check(look, entry));
        for (number, md) in (1..).zip(&entry.md) {
            look.step = Step::Md(number);
            if number == 1 {
                table::entry_md(look, md);
            }
            self.md(look, md);
        }
        for (number, link) in (1..).zip(&entry.links) {
            look.step = Step::Link(number);
            self.link(look, link);
        }
        look.step = Step::Own;
        for element in &entry.others {
            self.element.iter().for_each(|check| check(look, element));
        }
    }
}
