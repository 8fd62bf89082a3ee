//! An XML document as ranges of its text: what a patch changes is replaced there, and every other byte stays.

use std::ops::Range;

use resourcesync::{
    limits::Limits,
    span::Span,
    xml::{Event, Xml},
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// The number of the document itself, which contains the root element.
pub(super) const DOCUMENT: usize = 0;

/// A document.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

/// What is in a document.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The whole of it.
    pub(super) span: Range<usize>,
    /// Of an element, what is between its tags.
    pub(super) inner: Range<usize>,
    pub(super) parent: usize,
    pub(super) children: Vec<usize>,
}

/// The kind of a node.
#[derive(Debug)]
pub(super) enum Kind {
    Document,
    Element(Element),
    /// Characters, with CDATA sections among them, and their value.
    Text(String),
    Comment,
    Instruction,
}

/// An element.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) namespace: String,
    pub(super) local: String,
    /// The name as written.
    pub(super) name: String,
    /// The start tag.
    pub(super) tag: Range<usize>,
    /// True for `<x/>`.
    pub(super) is_empty: bool,
    pub(super) attributes: Vec<Attribute>,
    /// The namespace declarations of the tag: prefixes and namespaces.
    pub(super) declared: Vec<(String, String)>,
}

/// An attribute.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) namespace: String,
    pub(super) local: String,
    pub(super) value: String,
    /// The value as written, without quotes.
    pub(super) span: Range<usize>,
    /// From the name to the closing quote.
    pub(super) whole: Range<usize>,
}

fn range(span: Span) -> Range<usize> {
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    place(span.start.offset)..place(span.end.offset)
}

impl Tree {
    /// Reads a document in UTF-8; `None` if it is not well-formed, or larger than the limits of documents.
    pub(super) fn read(text: &str) -> Option<Tree> {
        let limits = Limits::default();
        let mut xml = Xml::new(&limits);
        let whole = 0..text.len();
        let document =
            Node { kind: Kind::Document, span: whole.clone(), inner: whole, parent: DOCUMENT, children: Vec::new() };
        let mut tree = Tree { nodes: vec![document] };
        let mut open = DOCUMENT;
        for window in text.as_bytes().chunks(WINDOW) {
            xml.push(window);
            tree.take(&mut xml, &mut open)?;
        }
        xml.finish();
        tree.take(&mut xml, &mut open)?;
        (open == DOCUMENT && tree.root().is_some()).then_some(tree)
    }

    fn take(&mut self, xml: &mut Xml, open: &mut usize) -> Option<()> {
        while let Some(event) = xml.next() {
            match event {
                Event::Start(start) => {
                    let name = |prefix: &str, local: &str| match prefix {
                        "" => local.to_owned(),
                        prefix => format!("{prefix}:{local}"),
                    };
                    let attributes = start.attributes().map(|attribute| Attribute {
                        namespace: attribute.namespace.to_owned(),
                        local: attribute.local.to_owned(),
                        value: attribute.value.into_owned(),
                        span: range(attribute.span),
                        whole: range(attribute.whole),
                    });
                    let declared = start.declarations();
                    let element = Element {
                        namespace: start.namespace.to_owned(),
                        local: start.local.to_owned(),
                        name: name(start.prefix, start.local),
                        tag: range(start.span),
                        is_empty: false,
                        attributes: attributes.collect(),
                        declared: declared.map(|one| (one.prefix.to_owned(), one.uri.into_owned())).collect(),
                    };
                    *open = self.add(*open, Kind::Element(element), range(start.span));
                }
                Event::End { span } => {
                    let end = range(span);
                    let node = self.nodes.get_mut(*open)?;
                    if let Kind::Element(element) = &mut node.kind {
                        element.is_empty = end.start < element.tag.end;
                        let last = if element.is_empty { element.tag.end } else { end.start };
                        (node.inner, node.span.end) = (element.tag.end..last, end.end);
                    }
                    *open = node.parent;
                }
                Event::Text { text, span, cut: false, .. } => {
                    let last = self.nodes.get(*open)?.children.last().copied();
                    match last.and_then(|last| self.nodes.get_mut(last)) {
                        Some(Node { kind: Kind::Text(value), span: own, .. }) => {
                            value.push_str(&text);
                            own.end = range(span).end;
                        }
                        _ => drop(self.add(*open, Kind::Text(text.into_owned()), range(span))),
                    }
                }
                Event::Aside { instruction, span } => {
                    let kind = if instruction.is_some() { Kind::Instruction } else { Kind::Comment };
                    self.add(*open, kind, range(span));
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn add(&mut self, parent: usize, kind: Kind, span: Range<usize>) -> usize {
        let number = self.nodes.len();
        self.nodes.push(Node { kind, inner: span.clone(), span, parent, children: Vec::new() });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(number);
        }
        number
    }

    /// The root element.
    pub(super) fn root(&self) -> Option<usize> {
        let children = &self.nodes.get(DOCUMENT)?.children;
        children.iter().copied().find(|child| self.element(*child).is_some())
    }

    /// The element with this number.
    pub(super) fn element(&self, number: usize) -> Option<&Element> {
        match &self.nodes.get(number)?.kind {
            Kind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The namespace of a prefix at an element.
    pub(super) fn namespace(&self, mut number: usize, prefix: &str) -> Option<&str> {
        loop {
            let declared = self.element(number)?.declared.iter().rev().find(|(own, _)| own == prefix);
            if let Some((_, namespace)) = declared {
                return Some(namespace);
            }
            number = self.nodes.get(number)?.parent;
        }
    }

    /// The characters of an element, without those of the elements in it.
    pub(super) fn text(&self, number: usize) -> String {
        let children = self.nodes.get(number).map(|node| node.children.as_slice()).unwrap_or_default();
        let texts = children.iter().filter_map(|child| match &self.nodes.get(*child)?.kind {
            Kind::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }
}
