//! XML inside a page, unchanged and as a standalone document.

use alloc::{borrow::Cow, string::String, sync::Arc, vec::Vec};

use sha2::{Digest, Sha256};

use super::tags;
use crate::bytes::Bytes;

/// An element of a page: metadata, an `about` container, a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markup {
    /// The bytes as sent, converted to UTF-8 if necessary.
    pub raw: Bytes,
    /// The namespaces declared around it.
    pub scope: Arc<Scope>,
    /// The name of the element.
    pub root: Name,
    /// `xml:lang` of an element around it.
    pub lang: Option<String>,
    /// `xml:space` of an element around it.
    pub space: Option<String>,
}

/// The name of an element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Name {
    /// The part before the colon, or empty.
    pub prefix: String,
    /// The name without prefix.
    pub local: String,
    /// The namespace; empty for none.
    pub namespace: String,
}

/// Namespace declarations in scope: the default namespace first, then prefixes by code point, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope(Vec<(String, String)>);

impl Scope {
    /// The scope that results from declarations, outermost first.
    pub fn new<'a>(declared: impl Iterator<Item = (&'a str, &'a str)>) -> Scope {
        let mut scope: Vec<(String, String)> = Vec::new();
        for (prefix, uri) in declared {
            match scope.binary_search_by(|(own, _)| own.as_str().cmp(prefix)) {
                Ok(at) => {
                    if let Some((_, own)) = scope.get_mut(at) {
                        *own = uri.into();
                    }
                }
                Err(at) => scope.insert(at, (prefix.into(), uri.into())),
            }
        }
        scope.retain(|(_, uri)| !uri.is_empty());
        Scope(scope)
    }

    /// Prefixes and namespaces; the empty prefix is the default namespace.
    pub fn declarations(&self) -> &[(String, String)] {
        &self.0
    }

    /// The namespace of a prefix.
    pub fn bound(&self, prefix: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == prefix).map(|(_, uri)| uri.as_str())
    }
}

impl Markup {
    /// The element as a standalone document: [`Markup::raw`] with the required declarations of its ancestors added to its
    /// first tag.
    ///
    /// The name of the root is followed by the default namespace, then by the prefixes by code point: each that the root
    /// does not declare itself and that is used inside, including in values (`xsi:type="dcterms:W3CDTF"`), then by
    /// the inherited `xml:lang` and `xml:space`. Nothing else is changed, so that the digest of a record does not depend on
    /// the layout of the page around it.
    pub fn standalone(&self) -> Cow<'_, [u8]> {
        let raw: &[u8] = &self.raw;
        let mut added = String::new();
        let own = tags::root_attributes(raw);
        let declares = |prefix: &str| {
            own.iter().any(|name| match name.strip_prefix("xmlns") {
                Some("") => prefix.is_empty(),
                Some(declared) => !prefix.is_empty() && declared.strip_prefix(':') == Some(prefix),
                None => false,
            })
        };
        for (prefix, uri) in self.scope.declarations() {
            let is_used = if prefix.is_empty() { tags::needs_default(raw) } else { tags::mentions(raw, prefix) };
            if !is_used || declares(prefix) {
                continue;
            }
            let name = if prefix.is_empty() { "" } else { ":" };
            push_attribute(&mut added, &["xmlns", name, prefix], uri);
        }
        for (name, value) in [("xml:lang", &self.lang), ("xml:space", &self.space)] {
            if let Some(value) = value.as_ref().filter(|_| !own.contains(&name)) {
                push_attribute(&mut added, &[name], value);
            }
        }
        if added.is_empty() {
            return Cow::Borrowed(raw);
        }
        let (before, after) = raw.split_at_checked(tags::name_end(raw)).unwrap_or((raw, &[]));
        Cow::Owned([before, added.as_bytes(), after].concat())
    }

    /// The SHA-256 of the standalone form.
    pub fn sha256(&self) -> [u8; 32] {
        digest(&self.standalone())
    }
}

/// The SHA-256 of markup in its standalone form.
pub fn digest(standalone: &[u8]) -> [u8; 32] {
    Sha256::digest(standalone).into()
}

fn push_attribute(out: &mut String, name: &[&str], value: &str) {
    out.push(' ');
    name.iter().for_each(|part| out.push_str(part));
    out.push_str("=\"");
    for character in value.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn standalone(raw: &str, scope: &[(&str, &str)]) -> String {
        let markup = Markup {
            raw: raw.as_bytes().into(),
            scope: Arc::new(Scope::new(scope.iter().copied())),
            root: Name::default(),
            lang: Some("ja".into()),
            space: None,
        };
        String::from_utf8_lossy(&markup.standalone()).to_string()
    }

    #[test]
    fn what_is_used_from_around_is_declared() {
        let scope = [("", "urn:oai"), ("z", "urn:z"), ("a", "urn:a\"&"), ("dc", "urn:dc"), ("xsi", "urn:xsi")];
        for (raw, alone) in [
            ("<dc:x xml:lang='en'/>", "<dc:x xmlns:dc=\"urn:dc\" xml:lang='en'/>"),
            ("<x>a:b</x>", "<x xmlns=\"urn:oai\" xmlns:a=\"urn:a&quot;&amp;\" xml:lang=\"ja\">a:b</x>"),
            (
                "<dc:x\n xmlns:dc='urn:own' xsi:type='z:t'/>",
                "<dc:x xmlns:xsi=\"urn:xsi\" xmlns:z=\"urn:z\" xml:lang=\"ja\"\n xmlns:dc='urn:own' xsi:type='z:t'/>",
            ),
            ("<oai_dc:x xmlns:oai_dc='u'/>", "<oai_dc:x xml:lang=\"ja\" xmlns:oai_dc='u'/>"),
            ("<x xmlns=''/>", "<x xml:lang=\"ja\" xmlns=''/>"),
        ] {
            assert_eq!(standalone(raw, &scope), alone);
        }
    }

    #[test]
    fn a_declaration_further_in_hides_one_further_out() {
        let scope = Scope::new([("p", "urn:1"), ("", "urn:d"), ("p", "urn:2"), ("", "")].into_iter());
        assert_eq!(scope.declarations(), [("p".to_string(), "urn:2".to_string())]);
    }
}
