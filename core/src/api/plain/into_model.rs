//! From plain values to the open model; nothing is checked here.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{Attribute, Digests, Entry, Head, Link};
use crate::{
    build,
    model::{
        self, AttributeValue, Attributes, Child, Element, EntryElement, Field, ForeignAttribute, Inside, Md, Name,
        Shape, Space,
    },
    span::Span,
    value,
    xml::XML,
};

impl Head {
    /// The head as builders take it, and the attributes of the root element.
    pub fn to_model(&self) -> (model::Head, Vec<model::Attribute>) {
        let Head { capability, at, completed, from, until, links, attributes, elements, root_attributes } = self;
        let mut own = Attributes::default();
        set(&mut own, Name::Capability, capability);
        set(&mut own, Name::At, at);
        set(&mut own, Name::Completed, completed);
        set(&mut own, Name::From, from);
        set(&mut own, Name::Until, until);
        push_others(&mut own, attributes);
        let head = model::Head {
            md: Vec::from([Md { attributes: own, ..Md::default() }]),
            links: links.iter().map(Link::to_model).collect(),
            others: elements.iter().map(|xml| element(xml, Inside::Root)).collect(),
            namespaces: Vec::new(),
        };
        let mut root = Attributes::default();
        push_others(&mut root, root_attributes);
        (head, root.iter().cloned().collect())
    }
}

impl Entry {
    /// The entry as builders take it: a `url`, or a `sitemap` of an index.
    pub fn to_model(&self, shape: Shape) -> model::Entry {
        let Entry { uri, lastmod, changefreq, priority, links, elements, .. } = self;
        let Entry { change, datetime, capability, at, completed, from, until, .. } = self;
        let Entry { hashes, length, media_type, encoding, path, attributes, .. } = self;
        let mut own = Attributes::default();
        set(&mut own, Name::Capability, capability);
        set(&mut own, Name::Change, change);
        set(&mut own, Name::Datetime, datetime);
        set(&mut own, Name::At, at);
        set(&mut own, Name::Completed, completed);
        set(&mut own, Name::From, from);
        set(&mut own, Name::Until, until);
        set_representation(&mut own, hashes, length, media_type, encoding, path);
        push_others(&mut own, attributes);
        model::Entry {
            element: if shape == Shape::UrlSet { EntryElement::Url } else { EntryElement::Sitemap },
            loc: Vec::from([child(uri)]),
            lastmod: lastmod.iter().map(|text| child(text)).collect(),
            changefreq: changefreq.iter().map(|text| child(text)).collect(),
            priority: priority.iter().map(|text| child(text)).collect(),
            md: if own.is_empty() { Vec::new() } else { Vec::from([Md { attributes: own, ..Md::default() }]) },
            links: links.iter().map(Link::to_model).collect(),
            others: elements.iter().map(|xml| element(xml, Inside::Entry)).collect(),
            ..model::Entry::default()
        }
    }
}

impl Link {
    pub(crate) fn to_model(&self) -> model::Link {
        let Link { rel, href, pri, modified, hashes, length, media_type, encoding, path, attributes } = self;
        let mut own = Attributes::default();
        set(&mut own, Name::Rel, rel);
        set(&mut own, Name::Href, href);
        set(&mut own, Name::Pri, &pri.as_ref().map(ToString::to_string));
        set(&mut own, Name::Modified, modified);
        set_representation(&mut own, hashes, length, media_type, encoding, path);
        push_others(&mut own, attributes);
        model::Link { attributes: own, ..model::Link::default() }
    }
}

/// The entry of a document of some kind, with foreign elements parsed.
impl TryFrom<(&Entry, Shape)> for model::Entry {
    type Error = build::Refused;

    fn try_from((entry, shape): (&Entry, Shape)) -> Result<model::Entry, build::Refused> {
        build::read_again(&entry.to_model(shape))
    }
}

fn set(attributes: &mut Attributes, name: Name, text: &Option<String>) {
    if let Some(text) = text {
        attributes.set(AttributeValue::read(name, text, Span::default()));
    }
}

fn set_representation(
    own: &mut Attributes,
    hashes: &Digests,
    length: &Option<u64>,
    media_type: &Option<String>,
    encoding: &Option<String>,
    path: &Option<String>,
) {
    let digests: Vec<String> = hashes.iter().map(|(algorithm, digest)| format!("{algorithm}:{digest}")).collect();
    set(own, Name::Hash, &(!digests.is_empty()).then(|| digests.join(" ")));
    set(own, Name::Length, &length.as_ref().map(ToString::to_string));
    set(own, Name::Type, media_type);
    set(own, Name::Encoding, encoding);
    set(own, Name::Path, path);
}

fn child<T: value::Value>(text: &str) -> Child<T> {
    Child { field: Field::read(text, Span::default()), span: Span::default(), aside: None, cut: false }
}

/// The name is determined when the XML is read.
fn element(xml: &str, inside: Inside) -> Element {
    let (prefix, local, namespace) = ("".into(), "".into(), "".into());
    Element { space: Space::Foreign, prefix, local, namespace, inside, span: Span::default(), xml: Some(xml.into()) }
}

fn push_others(own: &mut Attributes, attributes: &[Attribute]) {
    for attribute in attributes {
        let Attribute { name, namespace, prefix, value } = attribute;
        let prefix: Box<str> = match (&**namespace, &**prefix) {
            ("", _) => "".into(),
            (XML, _) => "xml".into(),
            (namespace, prefix) if prefix.is_empty() || is_other(own, prefix, namespace) => {
                free(own, attributes).into()
            }
            (_, prefix) => prefix.into(),
        };
        let whole = Span::default();
        if let Some(known) = Name::find(name).filter(|_| namespace.is_empty()) {
            own.push(model::Attribute::new(AttributeValue::read(known, value, whole)));
            continue;
        }
        let (local, namespace, text) = (name.as_str().into(), namespace.as_str().into(), value.as_str().into());
        own.push(model::Attribute::new(AttributeValue::Other(Box::new(ForeignAttribute {
            prefix,
            local,
            namespace,
            text,
            span: whole,
        }))));
    }
}

/// True if the prefix is already bound to another namespace.
fn is_other(own: &Attributes, prefix: &str, namespace: &str) -> bool {
    own.iter().any(|attribute| match &attribute.value {
        AttributeValue::Other(other) => *other.prefix == *prefix && *other.namespace != *namespace,
        _ => false,
    })
}

/// A prefix that no other attribute uses.
fn free(own: &Attributes, attributes: &[Attribute]) -> String {
    let taken = |prefix: &str| {
        let given = attributes.iter().any(|attribute| attribute.prefix == prefix);
        given || own.iter().any(|attribute| attribute.prefix.as_deref() == Some(prefix))
    };
    (1_u32..).map(|number| format!("ns{number}")).find(|prefix| !taken(prefix)).unwrap_or_default()
}
