//! Namespace declarations in scope (Namespaces in XML 1.0).

use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};

use crate::{
    limits::Limits,
    xml::{
        detail::Detail,
        fault::{LimitKind, Problem},
        name::Name,
        reference,
        tag::{Raw, Tag},
    },
};

/// The namespace that `xml` is always bound to.
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace that `xmlns` is always bound to.
pub const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

#[derive(Debug, Clone)]
pub(super) struct Namespaces {
    /// Prefixes and namespaces, one after another.
    text: String,
    bindings: Vec<Binding>,
}

#[derive(Debug, Clone, Copy)]
struct Binding {
    prefix: usize,
    uri: usize,
    end: usize,
}

impl Namespaces {
    pub(super) fn new() -> Namespaces {
        let mut namespaces = Namespaces { text: String::new(), bindings: Vec::new() };
        namespaces.add("xml", XML);
        namespaces
    }

    /// The number of bindings, as a mark for `back`.
    pub(super) fn mark(&self) -> usize {
        self.bindings.len()
    }

    /// Removes the bindings after the mark.
    #[inline]
    pub(super) fn back(&mut self, mark: usize) {
        if mark < self.bindings.len() {
            self.bindings.truncate(mark);
            self.text.truncate(self.bindings.last().map_or(0, |binding| binding.end));
        }
    }

    pub(super) fn uri(&self, binding: u32) -> &str {
        let found = self.bindings.get(binding as usize);
        found.and_then(|binding| self.text.get(binding.uri..binding.end)).unwrap_or_default()
    }

    /// The namespace of a prefix; `None` if it is unbound or undeclared.
    pub(super) fn bound(&self, prefix: &str) -> Option<&str> {
        self.find(prefix).map(|binding| self.uri(binding)).filter(|uri| !uri.is_empty())
    }

    /// All declarations, outermost first; without `xml`.
    pub(super) fn declared(&self) -> impl Iterator<Item = (&str, &str)> {
        let part = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        self.bindings
            .iter()
            .skip(1)
            .map(move |binding| (part(binding.prefix, binding.uri), part(binding.uri, binding.end)))
    }

    #[inline]
    fn find(&self, prefix: &str) -> Option<u32> {
        let wanted = |binding: &Binding| {
            // Lengths first, the cheapest test.
            binding.uri.saturating_sub(binding.prefix) == prefix.len()
                && self.text.get(binding.prefix..binding.uri) == Some(prefix)
        };
        self.bindings.iter().rposition(wanted).map(|index| index as u32)
    }

    fn add(&mut self, prefix: &str, uri: &str) {
        let prefix_at = self.text.len();
        self.text.push_str(prefix);
        let uri_at = self.text.len();
        self.text.push_str(uri);
        self.bindings.push(Binding { prefix: prefix_at, uri: uri_at, end: self.text.len() });
    }

    /// Adds the declarations of a tag and resolves its names.
    #[inline]
    pub(super) fn enter(&mut self, text: &str, tag: &mut Tag, limits: &Limits) -> Result<(), Box<Problem>> {
        if !tag.prefixed {
            tag.binding = self.bind(text, tag.name, true)?;
            return Ok(());
        }
        for raw in tag.attributes.iter().filter(|raw| raw.declaration) {
            self.declare(text, raw, limits)?;
        }
        tag.binding = self.bind(text, tag.name, true)?;
        for raw in tag.attributes.iter_mut().filter(|raw| !raw.declaration && raw.name.local != raw.name.start) {
            raw.binding = self.bind(text, raw.name, false)?;
        }
        Ok(())
    }

    /// Finds two attributes with the same expanded name. Separate from `enter`, which changes the scope.
    #[inline]
    pub(super) fn distinct<'t>(&'t self, text: &'t str, tag: &mut Tag) -> Result<(), Box<Problem>> {
        if !tag.prefixed {
            return Ok(());
        }
        tag.twice_by_namespace(text, |binding| self.uri(binding))
    }

    fn declare(&mut self, text: &str, raw: &Raw, limits: &Limits) -> Result<(), Box<Problem>> {
        let (prefix, local) = raw.name.parts(text);
        let prefix = if prefix.is_empty() { "" } else { local };
        let value = text.get(raw.value..raw.value_end).unwrap_or_default();
        let uri = if raw.literal { Cow::Borrowed(value) } else { Cow::Owned(reference::value(value)) };
        let name = |detail| Problem::new(detail, raw.name.start, raw.name.end).with("prefix", prefix);
        if prefix == "xmlns" || (prefix == "xml") != (uri == XML) || uri == XMLNS {
            if prefix == "xmlns" || prefix == "xml" {
                return Err(name(Detail::ReservedPrefix));
            }
            let problem = Problem::new(Detail::ReservedNamespace, raw.value, raw.value_end);
            return Err(problem.with("namespace", &*uri));
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(name(Detail::EmptyPrefixBinding));
        }
        // The predefined binding of `xml` does not count.
        if self.bindings.len() > limits.namespaces as usize {
            let limit = limits.namespaces.into();
            return Err(Problem::limit(LimitKind::Namespaces, limit, raw.name.start, raw.name.end));
        }
        self.add(prefix, &uri);
        Ok(())
    }

    #[inline(always)] // as `value_to` of tags
    fn bind(&self, text: &str, name: Name, element: bool) -> Result<Option<u32>, Box<Problem>> {
        let (prefix, _) = name.parts(text);
        if prefix.is_empty() {
            return Ok(if element { self.find("") } else { None });
        }
        let found = self.find(prefix);
        if found.is_some() {
            return Ok(found);
        }
        let detail = if prefix == "xmlns" { Detail::ReservedPrefix } else { Detail::UndeclaredPrefix };
        let end = name.local.saturating_sub(1);
        Err(Problem::new(detail, name.start, end).with("prefix", prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::{Namespaces, XML};
    use crate::{
        limits::Limits,
        xml::{Detail, FaultKind, tag::Tag},
    };

    fn detail(text: &str) -> Option<Detail> {
        let (mut tag, mut namespaces, limits) = (Tag::default(), Namespaces::new(), Limits::default());
        let read = tag.read(text, &limits).and_then(|_| namespaces.enter(text, &mut tag, &limits));
        match read.and_then(|()| namespaces.distinct(text, &mut tag)) {
            Err(problem) => match problem.kind {
                FaultKind::NotWellFormed(detail) => Some(detail),
                _ => None,
            },
            Ok(()) => None,
        }
    }

    #[test]
    fn what_is_reserved_stays_reserved() {
        assert_eq!(detail("<a xmlns:xml='http://www.w3.org/XML/1998/namespace' xml:id='x'/>"), None);
        assert_eq!(detail("<a xmlns:xml='urn:x'/>"), Some(Detail::ReservedPrefix));
        assert_eq!(detail("<a xmlns:xml=''/>"), Some(Detail::ReservedPrefix));
        assert_eq!(detail("<a xmlns:xmlns='urn:x'/>"), Some(Detail::ReservedPrefix));
        assert_eq!(detail("<a xmlns='http://www.w3.org/XML/1998/namespace'/>"), Some(Detail::ReservedNamespace));
        assert_eq!(detail("<a xmlns:b='http://www.w3.org/XML/1998/namespace'/>"), Some(Detail::ReservedNamespace));
        assert_eq!(detail("<a xmlns='http://www.w3.org/2000/xmlns/'/>"), Some(Detail::ReservedNamespace));
        assert_eq!(detail("<xmlns:a/>"), Some(Detail::ReservedPrefix));
        assert_eq!(detail("<a xmlns:b=''/>"), Some(Detail::EmptyPrefixBinding));
        assert_eq!(detail("<a xmlns=''/>"), None);
    }

    #[test]
    fn prefixes_are_declared_and_names_differ() {
        assert_eq!(detail("<a:b/>"), Some(Detail::UndeclaredPrefix));
        assert_eq!(detail("<b a:c='d'/>"), Some(Detail::UndeclaredPrefix));
        assert_eq!(detail("<b a:c='1' d:c='2' xmlns:a='u' xmlns:d='u'/>"), Some(Detail::DuplicateAttributeByNamespace));
        assert_eq!(detail("<b a:c='1' c='2' xmlns:a='u' xmlns='u'/>"), None);
    }

    #[test]
    fn going_back_forgets() {
        let mut namespaces = Namespaces::new();
        let mark = namespaces.mark();
        namespaces.add("a", "u");
        namespaces.add("a", "v");
        assert_eq!(namespaces.bound("a"), Some("v"));
        namespaces.back(mark);
        assert_eq!((namespaces.bound("a"), namespaces.bound("xml")), (None, Some(XML)));
    }
}
