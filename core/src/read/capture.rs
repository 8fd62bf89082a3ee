//! Captures a foreign element as self-contained XML.

use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::fmt::Write;

use crate::xml::Start;

/// An element being captured.
#[derive(Debug)]
pub(super) struct Capture {
    xml: String,
    /// Names of open elements as written, with the number of bindings in scope before each.
    open: Vec<(String, usize)>,
    bindings: Vec<(String, String)>,
    limit: usize,
    full: bool,
}

impl Capture {
    pub(super) fn new(limit: usize) -> Capture {
        Capture { xml: String::new(), open: Vec::new(), bindings: Vec::new(), limit, full: false }
    }

    pub(super) fn start(&mut self, start: &Start<'_>) {
        let name = qualified(start.prefix, start.local);
        let scope = self.bindings.len();
        let _ = write!(self.xml, "<{name}");
        self.bind(start.prefix, start.namespace);
        for attribute in start.attributes() {
            if !attribute.prefix.is_empty() && attribute.prefix != "xml" {
                self.bind(attribute.prefix, attribute.namespace);
            }
            let value = escape(&attribute.value);
            let _ = write!(self.xml, " {}=\"{value}\"", qualified(attribute.prefix, attribute.local));
        }
        self.xml.push('>');
        self.open.push((name, scope));
        self.full |= self.xml.len() > self.limit;
    }

    pub(super) fn text(&mut self, text: &str, cut: bool) {
        self.full |= cut || self.xml.len().saturating_add(text.len()) > self.limit;
        if !self.full {
            self.xml.push_str(&escape(text));
        }
    }

    /// Ends the innermost element.
    pub(super) fn end(&mut self) {
        if let Some((name, scope)) = self.open.pop() {
            let _ = write!(self.xml, "</{name}>");
            self.bindings.truncate(scope);
        }
        self.full |= self.xml.len() > self.limit;
    }

    /// The captured XML; `None` if it was too long.
    pub(super) fn finish(self) -> Option<Box<str>> {
        (!self.full).then(|| self.xml.into())
    }

    /// Declares a prefix unless it is already bound to this namespace inside the element.
    fn bind(&mut self, prefix: &str, namespace: &str) {
        let bound = self.bindings.iter().rev().find(|(seen, _)| seen == prefix).map(|(_, uri)| uri.as_str());
        if bound == Some(namespace) || prefix == "xml" {
            return;
        }
        let name = if prefix.is_empty() { String::from("xmlns") } else { format!("xmlns:{prefix}") };
        let _ = write!(self.xml, " {name}=\"{}\"", escape(namespace));
        self.bindings.push((prefix.into(), namespace.into()));
    }
}

fn qualified(prefix: &str, local: &str) -> String {
    if prefix.is_empty() { local.into() } else { format!("{prefix}:{local}") }
}

fn escape(text: &str) -> String {
    crate::xml::escape(text)
}
