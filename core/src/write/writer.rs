//! Writes the parts of a document, one after the other.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Write;

use crate::{
    model::{
        AnyField, Attribute, AttributeValue, Attributes, Child, Element, Entry, Inside, Link, Md, RESOURCESYNC, Root,
        SITEMAP,
    },
    value,
    xml::escape,
};

/// A document being written: a root, its parts and entries, its end.
///
/// Accepts any model, valid or not, and buffers only the output that was not taken yet.
#[derive(Debug)]
pub struct Writer {
    out: String,
    root: String,
    /// Prefixes that the root binds to other namespaces.
    taken: Vec<String>,
}

impl Writer {
    /// Writes the XML declaration and the root's start tag.
    pub fn new(root: &Root) -> Writer {
        let namespace = if root.namespace.is_empty() && root.local.is_empty() { SITEMAP } else { &root.namespace };
        let local = if root.local.is_empty() { "urlset" } else { &root.local };
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = write!(out, "<{local}");
        if !namespace.is_empty() {
            let _ = write!(out, " xmlns=\"{}\"", escape(namespace));
        }
        let taken: Vec<String> = foreign_prefixes(&root.attributes).map(String::from).collect();
        if !taken.iter().any(|prefix| prefix == "rs") {
            let _ = write!(out, "\n        xmlns:rs=\"{RESOURCESYNC}\"");
        }
        let rs = !taken.iter().any(|prefix| prefix == "rs");
        for attribute in &root.attributes {
            push_attribute(&mut out, attribute, rs);
        }
        out.push_str(">\n");
        Writer { out, root: local.to_string(), taken }
    }

    /// Writes an `rs:md` of the root.
    pub fn md(&mut self, md: &Md) {
        self.empty("  ", "md", &md.attributes, &[]);
    }

    /// Writes an `rs:ln` of the root.
    pub fn link(&mut self, link: &Link) {
        self.empty("  ", "ln", &link.attributes, &[]);
    }

    /// Writes any other element of the root.
    pub fn other(&mut self, element: &Element) {
        let _ = writeln!(self.out, "  {}", element.xml.as_deref().unwrap_or(""));
    }

    /// Writes an entry.
    pub fn entry(&mut self, entry: &Entry) {
        let (element, rs) = (entry.element.as_str(), self.is_bound());
        let _ = write!(self.out, "  <{element}");
        for attribute in &entry.attributes {
            push_attribute(&mut self.out, attribute, rs);
        }
        self.out.push_str(">\n");
        self.children("loc", &entry.loc, entry);
        self.children("lastmod", &entry.lastmod, entry);
        self.children("changefreq", &entry.changefreq, entry);
        self.children("priority", &entry.priority, entry);
        for md in &entry.md {
            self.empty("    ", "md", &md.attributes, &entry.attributes);
        }
        for link in &entry.links {
            self.empty("    ", "ln", &link.attributes, &entry.attributes);
        }
        for other in entry.others.iter().filter(|other| other.inside == Inside::Entry) {
            let _ = writeln!(self.out, "    {}", other.xml.as_deref().unwrap_or(""));
        }
        let _ = writeln!(self.out, "  </{element}>");
    }

    /// The output after the first `bytes` bytes of those not taken yet.
    pub(crate) fn since(&self, bytes: usize) -> &str {
        self.out.get(bytes..).unwrap_or("")
    }

    /// Removes the output after the first `bytes` bytes.
    pub(crate) fn forget_since(&mut self, bytes: usize) {
        self.out.truncate(bytes);
    }

    /// Returns the output written since the last call.
    pub fn take(&mut self) -> String {
        core::mem::take(&mut self.out)
    }

    /// Writes the end tag and returns the output that was not taken yet.
    pub fn finish(mut self) -> String {
        let _ = writeln!(self.out, "</{}>", self.root);
        self.out
    }

    fn children<T: value::Value>(&mut self, name: &'static str, children: &[Child<T>], entry: &Entry) {
        for (number, child) in children.iter().enumerate() {
            let _ = write!(self.out, "    <{name}>{}", escape(&child.field.text()));
            // Content of such an element goes into the first of them, since its owner is not recorded.
            for other in entry.others.iter().filter(|other| number == 0 && other.inside == Inside::Text(name)) {
                self.out.push_str(other.xml.as_deref().unwrap_or(""));
            }
            let _ = writeln!(self.out, "</{name}>");
        }
    }

    /// True if `rs` is bound to ResourceSync at the root.
    fn is_bound(&self) -> bool {
        !self.taken.iter().any(|prefix| prefix == "rs")
    }

    /// Writes an element of the ResourceSync namespace, with another prefix if `rs` is bound to something
    /// else.
    fn empty(&mut self, indent: &str, local: &str, attributes: &Attributes, outer: &[Attribute]) {
        let taken = |prefix: &str| {
            let inner = foreign_prefixes(attributes).chain(foreign_prefixes(outer));
            inner.chain(self.taken.iter().map(String::as_str)).any(|other| other == prefix)
        };
        if taken("rs") {
            let free = (1_u32..).map(|number| format!("rs{number}")).find(|prefix| !taken(prefix));
            let prefix = free.unwrap_or_default();
            let _ = write!(self.out, "{indent}<{prefix}:{local} xmlns:{prefix}=\"{RESOURCESYNC}\"");
        } else {
            let _ = write!(self.out, "{indent}<rs:{local}");
        }
        let rs = self.is_bound();
        for attribute in attributes {
            push_attribute(&mut self.out, attribute, rs);
        }
        self.out.push_str("/>\n");
    }
}

/// The prefixes of attributes that neither the standard nor XML defines.
fn foreign_prefixes<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> impl Iterator<Item = &'a str> {
    attributes.into_iter().filter_map(|attribute| match &attribute.value {
        AttributeValue::Other(other) if *other.namespace != *RESOURCESYNC => Some(&*other.prefix),
        _ => None,
    })
}

/// Writes an attribute and declares its prefix, except `rs` if the root binds it.
fn push_attribute(out: &mut String, attribute: &Attribute, rs_is_bound: bool) {
    let (local, text) = (attribute.local(), escape(&attribute.text()));
    let (prefix, namespace) = match (&attribute.value, &attribute.prefix) {
        (AttributeValue::Other(other), _) => (&*other.prefix, &*other.namespace),
        (_, Some(prefix)) => (&**prefix, RESOURCESYNC),
        (_, None) => ("", ""),
    };
    if !prefix.is_empty() && prefix != "xml" {
        let declaration = format!(" xmlns:{prefix}=");
        let tag = out.rfind('<').and_then(|start| out.get(start..)).unwrap_or("");
        let root = rs_is_bound && prefix == "rs" && namespace == RESOURCESYNC;
        if !root && !tag.contains(&declaration) {
            let _ = write!(out, "{declaration}\"{}\"", escape(namespace));
        }
    }
    let colon = if prefix.is_empty() { "" } else { ":" };
    let _ = write!(out, " {prefix}{colon}{local}=\"{text}\"");
}
