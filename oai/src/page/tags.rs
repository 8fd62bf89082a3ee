//! Scans the tags of an element that is known to be well-formed.

use alloc::vec::Vec;

use memchr::{memchr, memmem};

/// A piece of markup: the start tag, from its name on, and whether it is empty; or an end tag.
enum Tag<'a> {
    Start { inside: &'a [u8], is_empty: bool },
    End,
}

/// The tags of well-formed XML, in order; comments, CDATA and processing instructions are skipped.
struct Tags<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        loop {
            let start = memchr(b'<', self.rest)?;
            let rest = self.rest.get(start.saturating_add(1)..)?;
            let terminator: &[u8] = match rest {
                [b'!', b'-', ..] => b"-->",
                [b'!', ..] => b"]]>",
                [b'?', ..] => b"?>",
                [b'/', ..] => {
                    self.rest = rest;
                    return Some(Tag::End);
                }
                _ => {
                    let end = tag_end(rest)?;
                    let (inside, after) = rest.split_at_checked(end)?;
                    self.rest = after;
                    let is_empty = inside.ends_with(b"/");
                    return Some(Tag::Start { inside: inside.strip_suffix(b"/").unwrap_or(inside), is_empty });
                }
            };
            // `<!-->` is not a complete comment: the end delimiter must follow the start delimiter.
            let opener = if terminator == b"-->" { 3 } else { 1 };
            let body = rest.get(opener..)?;
            let end = memmem::find(body, terminator)?;
            self.rest = body.get(end.saturating_add(terminator.len())..)?;
        }
    }
}

/// The index of the `>` of a tag; quoted ones are ignored.
fn tag_end(tag: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let found = tag.get(at..)?.iter().position(|byte| matches!(byte, b'>' | b'"' | b'\''))?;
        let index = at.saturating_add(found);
        match tag.get(index)? {
            b'>' => return Some(index),
            quote => {
                let value = index.saturating_add(1);
                at = value.saturating_add(memchr(*quote, tag.get(value..)?)?).saturating_add(1);
            }
        }
    }
}

/// The names of the attributes of a tag, including namespace declarations.
fn attributes(inside: &[u8]) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = inside.get(length_of_name(inside)..).unwrap_or_default();
    while let Some(equals) = memchr(b'=', rest) {
        let (name, value) = rest.split_at_checked(equals).unwrap_or_default();
        names.extend(core::str::from_utf8(name.trim_ascii()));
        let value = value.get(1..).unwrap_or_default().trim_ascii_start();
        let quote = value.first().copied().unwrap_or_default();
        let Some(end) = value.get(1..).and_then(|value| memchr(quote, value)) else { break };
        rest = value.get(end.saturating_add(2)..).unwrap_or_default();
    }
    names
}

fn length_of_name(inside: &[u8]) -> usize {
    inside.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')).unwrap_or(inside.len())
}

/// The attributes of the root of an element, including namespace declarations.
pub(crate) fn root_attributes(raw: &[u8]) -> Vec<&str> {
    match (Tags { rest: raw }).next() {
        Some(Tag::Start { inside, .. }) => attributes(inside),
        _ => Vec::new(),
    }
}

/// The offset after the name of the root, which comments and processing instructions may precede.
pub(crate) fn name_end(raw: &[u8]) -> usize {
    let mut at = 0_usize;
    loop {
        let rest = raw.get(at..).unwrap_or_default();
        let (opener, terminator): (usize, &[u8]) = match rest {
            [b'<', b'!', ..] => (4, b"-->"),
            [b'<', b'?', ..] => (2, b"?>"),
            [b'<', ..] => {
                return at.saturating_add(1).saturating_add(length_of_name(rest.get(1..).unwrap_or_default()));
            }
            [] => return at,
            _ => {
                at = at.saturating_add(1);
                continue;
            }
        };
        let Some(end) = memmem::find(rest.get(opener..).unwrap_or_default(), terminator) else { return raw.len() };
        at = at.saturating_add(opener).saturating_add(end).saturating_add(terminator.len());
    }
}

/// True if an element without prefix is in the default namespace of the context.
pub(crate) fn needs_default(raw: &[u8]) -> bool {
    let mut depth = 0_usize;
    // The depth of the outermost element that declares a default namespace.
    let mut declared = None;
    for tag in (Tags { rest: raw }) {
        let Tag::Start { inside, is_empty } = tag else {
            depth = depth.saturating_sub(1);
            declared = declared.filter(|outer| *outer < depth);
            continue;
        };
        let is_own = memmem::find(inside, b"xmlns").is_some() && attributes(inside).contains(&"xmlns");
        let name = inside.get(..length_of_name(inside)).unwrap_or_default();
        if declared.is_none() && !is_own && memchr(b':', name).is_none() {
            return true;
        }
        if !is_empty {
            if is_own && declared.is_none() {
                declared = Some(depth);
            }
            depth = depth.saturating_add(1);
        }
    }
    false
}

/// True if the prefix with a colon occurs in a name or a value.
pub(crate) fn mentions(raw: &[u8], prefix: &str) -> bool {
    memmem::find_iter(raw, prefix.as_bytes()).any(|at| {
        let before = at.checked_sub(1).and_then(|before| raw.get(before)).copied().unwrap_or(b' ');
        let is_longer = before.is_ascii_alphanumeric() || before >= 0x80 || matches!(before, b'_' | b'-' | b'.');
        !is_longer && raw.get(at.saturating_add(prefix.len())) == Some(&b':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_namespace_is_needed_where_an_element_without_prefix_is_in_it() {
        for raw in [
            "<x/>",
            "<p:x xmlns:p='u'><y/></p:x>",
            "<p:x><y xmlns='u'><z/></y><w/></p:x>",
            "<p:x><y xmlns='u'/><w/></p:x>",
        ] {
            assert!(needs_default(raw.as_bytes()), "{raw}");
        }
        for raw in [
            "<x xmlns='u'><y/></x>",
            "<p:x><y xmlns='u'><z/><z>t</z></y></p:x>",
            "<p:x><!-- <y/> --><![CDATA[<y/>]]><?y <y/> ?></p:x>",
            "<p:x a='<y>' b=\"'<y>\"/>",
            "<p:x><!--><y/>--></p:x>",
        ] {
            assert!(!needs_default(raw.as_bytes()), "{raw}");
        }
    }

    #[test]
    fn attributes_are_named_whatever_their_values() {
        let raw = b"<a b = 'x=\"y\"'\n c:d=\"e='f'\"xmlns='&lt;'><g h='i'/></a>";
        assert_eq!(root_attributes(raw), ["b", "c:d", "xmlns"]);
        assert_eq!(name_end(b"<ab:c>"), 5);
        assert_eq!(name_end(b"<!--<a>--> <?b <c>?>\n<d/>"), 23);
    }

    #[test]
    fn a_prefix_is_mentioned_as_a_whole_word() {
        assert!(mentions(b"<x t='dc:y'/>", "dc"));
        assert!(mentions(b"<oai_dc:x>dc:y</oai_dc:x>", "dc"));
        assert!(!mentions(b"<oai_dc:x/>", "dc"));
        assert!(!mentions(b"<dcterms:x dc='y'/>", "dc"));
    }
}
