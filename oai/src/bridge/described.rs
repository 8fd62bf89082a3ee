//! The values of an element in metadata, such as the URIs of what it describes.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};
use core::str::FromStr;

use resourcesync::{
    limits::Limits,
    xml::{Event, Xml},
};

use crate::page::KNOWN_PREFIXES;

/// The name of an element: its namespace and its local name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    namespace: String,
    local: String,
}

impl FromStr for Element {
    type Err = String;

    /// Reads `dc:identifier`, with a well-known prefix, or `{http://purl.org/dc/elements/1.1/}identifier`.
    fn from_str(text: &str) -> Result<Element, String> {
        let wrong = || {
            let known: Vec<&str> = KNOWN_PREFIXES.iter().map(|(prefix, _)| *prefix).collect();
            let known = known.join(", ");
            alloc::format!(
                "expected a name such as dc:identifier or {{http://purl.org/dc/elements/1.1/}}identifier; the prefixes are {known}"
            )
        };
        let (namespace, local) = match text.strip_prefix('{') {
            Some(rest) => rest.split_once('}').ok_or_else(wrong)?,
            None => {
                let (prefix, local) = text.split_once(':').ok_or_else(wrong)?;
                let known = KNOWN_PREFIXES.iter().find(|(known, _)| *known == prefix);
                (known.map(|(_, namespace)| *namespace).ok_or_else(wrong)?, local)
            }
        };
        match namespace.is_empty() || local.is_empty() || local.contains([':', '{', '}', ' ']) {
            true => Err(wrong()),
            false => Ok(Element { namespace: namespace.to_owned(), local: local.to_owned() }),
        }
    }
}

impl Element {
    /// The texts of all such elements in a document, without surrounding white space. What cannot be read ends the list.
    pub fn values(&self, document: &[u8]) -> Vec<String> {
        let mut xml = Xml::new(&Limits::default());
        xml.push(document);
        xml.finish();
        let (mut values, mut depth, mut inside) = (Vec::new(), 0_u64, None::<(u64, String)>);
        while let Some(event) = xml.next() {
            match event {
                Event::Start(start) => {
                    depth = depth.saturating_add(1);
                    if inside.is_none() && start.namespace == self.namespace && start.local == self.local {
                        inside = Some((depth, String::new()));
                    }
                }
                Event::Text { text, cut: false, .. } => {
                    if let Some((_, value)) = &mut inside {
                        value.push_str(&text);
                    }
                }
                Event::End { .. } => {
                    if let Some((_, value)) = inside.take_if(|(at, _)| *at == depth) {
                        values.push(value.trim().to_string());
                    }
                    depth = depth.saturating_sub(1);
                }
                Event::Fault(_) => break,
                _ => {}
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_namespace_and_not_by_prefix() {
        let document = br#"<r xmlns="http://purl.org/dc/elements/1.1/" xmlns:dc="urn:other">
            <identifier> https://a.example/1?a&amp;b </identifier><dc:identifier>no</dc:identifier>
            <x><identifier>http://<b/>a.example/2</identifier></x></r>"#;
        let values = ["https://a.example/1?a&b", "http://a.example/2"];
        for name in ["dc:identifier", "{http://purl.org/dc/elements/1.1/}identifier"] {
            assert_eq!(name.parse::<Element>().unwrap().values(document), values);
        }
        for name in ["identifier", "what:identifier", "{}x", "{urn:a", "dc:", "dc:a:b"] {
            assert!(name.parse::<Element>().is_err(), "{name}");
        }
    }
}
