//! XML patches (RFC 7351 with the operations of RFC 5261): what is added, replaced and removed is changed in place, and every other byte
//! stays.

use std::ops::Range;

use super::{
    selector::{Target, select},
    xml::{Element, Kind, Tree},
};

/// The greatest number of bytes of the document that are read: it is read again for each operation.
const EFFORT: usize = 256 << 20;

/// Applies a patch; `None` if one of the documents cannot be read, an operation is not understood or does not fit, or there are too many.
pub(super) fn apply(document: &str, patch: &str) -> Option<String> {
    let operations = Tree::read(patch)?;
    let root = operations.nodes.get(operations.root()?)?;
    let mut document = document.to_owned();
    let mut effort = EFFORT;
    for number in root.children.iter().copied() {
        let Some(element) = operations.element(number) else { continue };
        effort = effort.checked_sub(document.len())?;
        let tree = Tree::read(&document)?;
        let operation = Operation { text: patch, patch: &operations, number, element };
        let target = select(operation.attribute("sel")?, &tree, &operations, number)?;
        let (place, new) = match &*element.local {
            "add" => operation.add(&document, &tree, target)?,
            "replace" => operation.replace(&document, &tree, target)?,
            "remove" => (operation.remove(&document, &tree, target)?, String::new()),
            _ => return None,
        };
        document.get(place.clone())?;
        document.replace_range(place, &new);
    }
    Tree::read(&document).map(|_| document)
}

/// An element of a patch.
struct Operation<'p> {
    text: &'p str,
    patch: &'p Tree,
    number: usize,
    element: &'p Element,
}

impl Operation<'_> {
    fn attribute(&self, name: &str) -> Option<&str> {
        let own = self.element.attributes.iter().find(|own| own.namespace.is_empty() && own.local == name);
        own.map(|own| own.value.as_str())
    }

    /// Its content as written.
    fn content(&self) -> Option<&str> {
        self.text.get(self.patch.nodes.get(self.number)?.inner.clone())
    }

    fn value(&self) -> String {
        self.patch.text(self.number)
    }

    fn add(&self, document: &str, tree: &Tree, target: Target) -> Option<(Range<usize>, String)> {
        let Target::Node(number) = target else { return None };
        let node = tree.nodes.get(number)?;
        let at = |place: usize| place..place;
        let content = self.content()?.to_owned();
        match (self.attribute("type"), self.attribute("pos")) {
            (Some(attribute), None) => {
                let name = attribute.strip_prefix('@')?;
                let element = tree.element(number)?;
                let tag = document.get(element.tag.clone())?;
                let head = tag.strip_suffix("/>").or_else(|| tag.strip_suffix('>'))?.trim_end();
                let place = element.tag.start.checked_add(head.len())?;
                Some((at(place), format!(" {name}=\"{}\"", escaped(&self.value(), '"'))))
            }
            (None, Some("before")) => Some((at(node.span.start), content)),
            (None, Some("after")) => Some((at(node.span.end), content)),
            (None, position @ (None | Some("prepend"))) => {
                let element = tree.element(number)?;
                if element.is_empty {
                    let tag = document.get(element.tag.clone())?.strip_suffix("/>")?.trim_end();
                    return Some((element.tag.clone(), format!("{tag}>{content}</{}>", element.name)));
                }
                Some((at(if position.is_some() { node.inner.start } else { node.inner.end }), content))
            }
            _ => None,
        }
    }

    fn replace(&self, document: &str, tree: &Tree, target: Target) -> Option<(Range<usize>, String)> {
        match target {
            Target::Attribute(number, place) => {
                let span = tree.element(number)?.attributes.get(place)?.span.clone();
                let quote = document.get(..span.start)?.chars().next_back()?;
                Some((span, escaped(&self.value(), quote)))
            }
            Target::Node(number) => {
                let node = tree.nodes.get(number)?;
                if matches!(node.kind, Kind::Text(_)) {
                    return Some((node.span.clone(), self.content()?.to_owned()));
                }
                // One node takes the place of another of its kind; white space around it is that of the patch.
                let is_same = |child: &&usize| {
                    let child = self.patch.nodes.get(**child).map(|child| &child.kind);
                    matches!(
                        (child, &node.kind),
                        (Some(Kind::Element(_)), Kind::Element(_))
                            | (Some(Kind::Comment), Kind::Comment)
                            | (Some(Kind::Instruction), Kind::Instruction)
                    )
                };
                let mut children = self.patch.nodes.get(self.number)?.children.iter().filter(is_same);
                let (Some(child), None) = (children.next(), children.next()) else { return None };
                let new = self.text.get(self.patch.nodes.get(*child)?.span.clone())?;
                Some((node.span.clone(), new.to_owned()))
            }
        }
    }

    fn remove(&self, document: &str, tree: &Tree, target: Target) -> Option<Range<usize>> {
        let blank = |text: &str| text.len().saturating_sub(text.trim_end_matches([' ', '\t', '\r', '\n']).len());
        match target {
            Target::Attribute(number, place) => {
                let whole = tree.element(number)?.attributes.get(place)?.whole.clone();
                let before = blank(document.get(..whole.start)?);
                Some(whole.start.checked_sub(before)?..whole.end)
            }
            Target::Node(number) => {
                let node = tree.nodes.get(number)?;
                if Some(number) == tree.root() {
                    return None;
                }
                let siblings = &tree.nodes.get(node.parent)?.children;
                let place = siblings.iter().position(|sibling| *sibling == number)?;
                // Only white space is removed beside it.
                let white = |place: Option<usize>| {
                    let sibling = tree.nodes.get(*siblings.get(place?)?)?;
                    let Kind::Text(text) = &sibling.kind else { return None };
                    text.trim_matches([' ', '\t', '\r', '\n']).is_empty().then(|| sibling.span.clone())
                };
                let (before, after) = match self.attribute("ws") {
                    None => (false, false),
                    Some("before") => (true, false),
                    Some("after") => (false, true),
                    Some("both") => (true, true),
                    Some(_) => return None,
                };
                let start = if before { white(place.checked_sub(1))?.start } else { node.span.start };
                let end = if after { white(place.checked_add(1))?.end } else { node.span.end };
                Some(start..end)
            }
        }
    }
}

/// The value of an attribute in quotes.
fn escaped(value: &str, quote: char) -> String {
    let own = if quote == '\'' { "&apos;" } else { "&quot;" };
    value.replace('&', "&amp;").replace('<', "&lt;").replace(quote, own)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "<?xml version=\"1.0\"?>\n<doc xmlns:x='urn:x'>\n  <note id=\"a\" x:k='1'>One &amp; two</note>\n  <!-- c -->\n  <note id=\"b\"/>\n  <x:item>1</x:item>\n</doc>\n";

    fn patched(operations: &str) -> Option<String> {
        let patch = format!("<p:patch xmlns:p=\"urn:ietf:rfc:7351\" xmlns:y=\"urn:x\">{operations}</p:patch>");
        apply(DOCUMENT, &patch)
    }

    #[test]
    fn operations_change_what_they_name_and_nothing_else() {
        for (operation, from, to) in [
            (r#"<p:add sel="doc"><new/></p:add>"#, "</x:item>\n</doc>", "</x:item>\n<new/></doc>"),
            (r#"<p:add sel="/doc" pos="prepend">x</p:add>"#, "'urn:x'>\n", "'urn:x'>x\n"),
            (r#"<p:add sel="doc/note[2]" pos="before"><n/></p:add>"#, "  <note id=\"b\"/>", "  <n/><note id=\"b\"/>"),
            (r#"<p:add sel="doc/note[@id='b']" pos="after"> </p:add>"#, "<note id=\"b\"/>\n", "<note id=\"b\"/> \n"),
            (r#"<p:add sel="*/note[2]">t</p:add>"#, "<note id=\"b\"/>", "<note id=\"b\">t</note>"),
            (r#"<p:add sel="doc/note[2]" type="@z">&lt;"</p:add>"#, "id=\"b\"/>", "id=\"b\" z=\"&lt;&quot;\"/>"),
            (r#"<p:replace sel="doc/note[1]/@y:k">it's</p:replace>"#, "x:k='1'", "x:k='it&apos;s'"),
            (r#"<p:replace sel="doc/note[1]/text()">3</p:replace>"#, "One &amp; two", "3"),
            (r#"<p:replace sel="doc/y:item"> <x/> </p:replace>"#, "<x:item>1</x:item>", "<x/>"),
            (r#"<p:replace sel="doc/comment()"><!--d--></p:replace>"#, "<!-- c -->", "<!--d-->"),
            (r#"<p:remove sel="doc/note[1]/@id"/>"#, " id=\"a\"", ""),
            (r#"<p:remove sel="doc/comment()" ws="before"/>"#, "\n  <!-- c -->", ""),
            (r#"<p:remove sel="doc/*[3]" ws="both"/>"#, "\n  <x:item>1</x:item>\n", ""),
        ] {
            assert!(DOCUMENT.contains(from), "{from}");
            assert_eq!(patched(operation), Some(DOCUMENT.replacen(from, to, 1)), "{operation}");
        }
        // One after the other.
        let both = r#"<p:remove sel="doc/note[1]"/><p:add sel="doc/note[1]" type="@n">1</p:add>"#;
        assert!(patched(both).unwrap().contains("<note id=\"b\" n=\"1\"/>"));
    }

    #[test]
    fn what_does_not_fit_or_is_not_understood_ends_the_patch() {
        for operation in [
            r#"<p:remove sel="doc/note"/>"#,
            r#"<p:remove sel="doc/none"/>"#,
            r#"<p:remove sel="doc"/>"#,
            r#"<p:remove sel="doc/note[3]"/>"#,
            r#"<p:remove sel="doc/note[0]"/>"#,
            r#"<p:remove sel="doc//note[1]"/>"#,
            r#"<p:remove sel="id('a')"/>"#,
            r#"<p:remove sel="doc/note[last()]"/>"#,
            r#"<p:remove sel="doc/z:item"/>"#,
            r#"<p:remove sel="doc/item"/>"#,
            r#"<p:remove sel="doc/note[1]" ws="all"/>"#,
            r#"<p:remove sel="doc/note[1]/text()" ws="before"/>"#,
            r#"<p:remove/>"#,
            r#"<p:replace sel="doc/note[1]">text</p:replace>"#,
            r#"<p:replace sel="doc/note[1]"><a/><b/></p:replace>"#,
            r#"<p:add sel="doc/note[1]" type="namespace::z">urn:z</p:add>"#,
            r#"<p:add sel="doc/note[1]" type="@id">again</p:add>"#,
            r#"<p:add sel="doc" pos="after"><doc/></p:add>"#,
            r#"<p:move sel="doc"/>"#,
        ] {
            assert_eq!(patched(operation), None, "{operation}");
        }
        assert_eq!(apply("<a>", "<p/>"), None);
        assert_eq!(apply("<a/>", "p"), None);
    }
}
