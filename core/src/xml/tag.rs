//! Parses start tags.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, btree_map::Entry},
    vec::Vec,
};

use memchr::{memchr, memchr3};

use crate::{
    bytes::all,
    limits::Limits,
    xml::{
        detail::Detail,
        fault::{LimitKind, Problem},
        name::{self, Name},
        reference::{self, Reference},
    },
};

/// The parts of one start tag, as positions from its `<`.
#[derive(Debug, Default)]
pub(super) struct Tag {
    pub(super) name: Name,
    pub(super) binding: Option<u32>,
    pub(super) attributes: Vec<Raw>,
    /// True if an attribute has a prefix or declares a namespace, which few do.
    pub(super) prefixed: bool,
    /// `<x/>`.
    pub(super) empty: bool,
    /// The index after `>`.
    pub(super) end: usize,
}

/// One attribute or namespace declaration, as positions from the `<` of its tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw {
    pub(super) name: Name,
    pub(super) value: usize,
    pub(super) value_end: usize,
    /// The value needs no normalization.
    pub(super) literal: bool,
    pub(super) declaration: bool,
    pub(super) binding: Option<u32>,
}

/// More attributes than this are looked up instead of compared pairwise.
const PAIRS: usize = 16;

impl Tag {
    /// Parses a tag from `<` on. False if the text ends before the tag without an error.
    pub(super) fn read(&mut self, text: &str, limits: &Limits) -> Result<bool, Box<Problem>> {
        let bytes = text.as_bytes();
        self.attributes.clear();
        self.prefixed = false;
        self.binding = None;
        self.name = name::read(text, 1, limits.name_bytes)?;
        let mut at = self.name.end;
        loop {
            let next = blanks(bytes, at);
            match bytes.get(next) {
                None => return Ok(false),
                Some(b'>') => {
                    self.empty = false;
                    self.end = next.saturating_add(1);
                    break;
                }
                Some(b'/') => match name::character(text, next.saturating_add(1)) {
                    None => return Ok(false),
                    Some('>') => {
                        self.empty = true;
                        self.end = next.saturating_add(2);
                        break;
                    }
                    Some(_) => return Err(name::misplaced(Detail::UnexpectedCharacter, next, '/')),
                },
                Some(_) if next == at => return Err(self.unspaced(text, at)),
                Some(_) => {}
            }
            let Some(raw) = attribute(text, next, limits)? else { return Ok(false) };
            if self.attributes.len() >= limits.attributes as usize {
                let limit = limits.attributes.into();
                return Err(Problem::limit(LimitKind::Attributes, limit, raw.name.start, raw.name.end));
            }
            at = raw.value_end.saturating_add(1);
            self.prefixed |= raw.declaration | (raw.name.local != raw.name.start);
            self.attributes.push(raw);
        }
        self.twice(text)?;
        Ok(true)
    }

    /// Handles something other than white space after a name or a value.
    #[cold]
    fn unspaced(&self, text: &str, at: usize) -> Box<Problem> {
        let found = name::character(text, at).unwrap_or_default();
        if self.attributes.is_empty() {
            return name::misplaced(Detail::BadName, at, found);
        }
        if name::is_first(found) || found == ':' {
            return Problem::new(Detail::MissingSpace, at, at.saturating_add(found.len_utf8()));
        }
        name::misplaced(Detail::UnexpectedCharacter, at, found)
    }

    fn twice(&self, text: &str) -> Result<(), Box<Problem>> {
        let bytes = text.as_bytes();
        // Length, first and last letter nearly always distinguish all names, which saves pairwise comparison.
        let mut seen = 0_u64;
        let differs = |raw: &Raw| {
            let (start, last) = (raw.name.start, raw.name.end.saturating_sub(1));
            let (first, last) = (bytes.get(start).copied().unwrap_or(0), bytes.get(last).copied().unwrap_or(0));
            let mixed = last
                .wrapping_mul(5)
                .wrapping_add(first)
                .wrapping_add((raw.name.end.wrapping_sub(start) as u8).wrapping_mul(11));
            let bit = 1 << (mixed % 64);
            let new = seen & bit == 0;
            seen |= bit;
            new
        };
        if self.attributes.iter().all(differs) {
            return Ok(());
        }
        let name = |raw: &Raw| (Some((bytes.get(raw.name.start..raw.name.end).unwrap_or_default(), "")), 0);
        let Some((first, second)) = duplicate(&self.attributes, name) else { return Ok(()) };
        let problem = Problem::new(Detail::DuplicateAttribute, second.name.start, second.name.end);
        Err(problem.with("attribute", second.name.whole(text)).related(first.name.start, first.name.end))
    }

    /// Finds two attributes with the same expanded name, once the prefixes are resolved.
    pub(super) fn twice_by_namespace<'t>(
        &self,
        text: &'t str,
        namespace: impl Fn(u32) -> &'t str,
    ) -> Result<(), Box<Problem>> {
        if self.attributes.iter().filter(|raw| raw.binding.is_some()).nth(1).is_none() {
            return Ok(());
        }
        let key = |raw: &Raw| {
            let name = raw.binding.map(|binding| (raw.name.parts(text).1.as_bytes(), namespace(binding)));
            // Names without a prefix were compared before; their index makes them distinct.
            (name, if name.is_none() { raw.name.start } else { 0 })
        };
        let Some((first, second)) = duplicate(&self.attributes, key) else { return Ok(()) };
        let problem = Problem::new(Detail::DuplicateAttributeByNamespace, second.name.start, second.name.end)
            .with("attribute", second.name.whole(text))
            .with("other", first.name.whole(text));
        Err(problem.related(first.name.start, first.name.end))
    }
}

/// What makes an attribute distinct: a name and a namespace, or else a number. One type, so that looking it up is compiled once.
type Key<'t> = (Option<(&'t [u8], &'t str)>, usize);

/// The first attribute, in document order, that equals an earlier one, and the earliest such.
fn duplicate<'t>(all: &[Raw], key: impl Fn(&Raw) -> Key<'t>) -> Option<(Raw, Raw)> {
    if all.len() <= PAIRS {
        for (index, second) in all.iter().enumerate().skip(1) {
            let wanted = key(second);
            if let Some(first) = all.iter().take(index).find(|first| key(first) == wanted) {
                return Some((*first, *second));
            }
        }
        return None;
    }
    // A sort of the standard library is three times as large in the module for browsers.
    let mut seen: BTreeMap<Key<'t>, Raw> = BTreeMap::new();
    all.iter().find_map(|second| match seen.entry(key(second)) {
        Entry::Occupied(first) => Some((*first.get(), *second)),
        Entry::Vacant(place) => {
            place.insert(*second);
            None
        }
    })
}

/// The end of white space.
#[inline]
pub(super) fn blanks(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let blanks = rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
    from.saturating_add(blanks.unwrap_or(rest.len()))
}

/// Parses one attribute; `None` if the text ends inside it.
#[inline]
fn attribute(text: &str, from: usize, limits: &Limits) -> Result<Option<Raw>, Box<Problem>> {
    let bytes = text.as_bytes();
    let name = name::read(text, from, limits.name_bytes)?;
    // The common case is without white space.
    let (value, quote) = match bytes.get(name.end..) {
        Some([b'=', quote @ (b'"' | b'\''), ..]) => (name.end.saturating_add(2), *quote),
        _ => match opening(text, name)? {
            Some(opening) => opening,
            None => return Ok(None),
        },
    };
    let Some((value_end, literal)) = value_to(text, value, quote, name, limits)? else { return Ok(None) };
    let (whole, local) = (name.whole(text), name.local != name.start);
    let declaration =
        whole.starts_with("xmlns") && (whole.len() == 5 || (local && name.local.wrapping_sub(name.start) == 6));
    Ok(Some(Raw { name, value, value_end, literal, declaration, binding: None }))
}

/// The start of the value, and its quote; `None` if the text ends before.
#[cold]
fn opening(text: &str, name: Name) -> Result<Option<(usize, u8)>, Box<Problem>> {
    let bytes = text.as_bytes();
    let equals = blanks(bytes, name.end);
    match bytes.get(equals) {
        None => return Ok(None),
        Some(b'=') => {}
        Some(b'>' | b'/') => return Err(missing(text, Detail::MissingEquals, name, equals)),
        Some(_) if equals == name.end => {
            let found = name::character(text, equals).unwrap_or_default();
            return Err(name::misplaced(Detail::BadName, equals, found));
        }
        Some(_) => return Err(missing(text, Detail::MissingEquals, name, equals)),
    }
    let open = blanks(bytes, equals.saturating_add(1));
    match bytes.get(open) {
        None => Ok(None),
        Some(quote @ (b'"' | b'\'')) => Ok(Some((open.saturating_add(1), *quote))),
        Some(_) => Err(missing(text, Detail::MissingQuotes, name, open)),
    }
}

#[cold]
fn missing(text: &str, detail: Detail, name: Name, at: usize) -> Box<Problem> {
    let width = name::character(text, at).map_or(1, char::len_utf8);
    let problem = Problem::new(detail, at, at.saturating_add(width));
    problem.with("attribute", name.whole(text)).related(name.start, name.end)
}

/// The end of a value, and whether it needs no normalization; `None` if the text ends inside it.
#[inline(always)] // its result would go through memory, as that of `Xml::next`
fn value_to(
    text: &str,
    from: usize,
    quote: u8,
    name: Name,
    limits: &Limits,
) -> Result<Option<(usize, bool)>, Box<Problem>> {
    let bytes = text.as_bytes();
    if let Some(length) = memchr(quote, bytes.get(from..).unwrap_or_default()) {
        let end = from.saturating_add(length);
        // Nearly every value needs no normalization; testing that first made parsing tags a fifth faster. The minimum
        // of three is 0 for `<`, for `&` and for control characters: one comparison per byte instead of three.
        let literal = |byte: u8| (byte ^ b'<').min(byte ^ b'&').min(byte & 0xE0) != 0;
        if !too_long(from, end, limits) && all(bytes.get(from..end).unwrap_or_default(), literal) {
            return Ok(Some((end, true)));
        }
    }
    let (mut at, mut literal) = (from, true);
    let end = loop {
        let Some(found) = memchr3(quote, b'<', b'&', bytes.get(at..).unwrap_or_default()) else { break bytes.len() };
        at = at.saturating_add(found);
        match bytes.get(at) {
            Some(b'<') if !too_long(from, at, limits) => {
                let problem = Problem::new(Detail::LessThanInValue, at, at.saturating_add(1));
                return Err(problem.with("attribute", name.whole(text)).related(name.start, name.end));
            }
            Some(b'&') if !too_long(from, at, limits) => match reference::read(text, at, limits.name_bytes)? {
                Reference::Character(_, length) => {
                    literal = false;
                    at = at.saturating_add(length);
                }
                Reference::Unfinished => break bytes.len(),
            },
            _ => break at,
        }
    };
    if too_long(from, end, limits) {
        return Err(Problem::limit(LimitKind::ValueBytes, limits.value_bytes.into(), name.start, name.end));
    }
    literal = literal && all(bytes.get(from..end).unwrap_or_default(), |byte| byte >= b' ');
    Ok((end < bytes.len()).then_some((end, literal)))
}

fn too_long(from: usize, to: usize, limits: &Limits) -> bool {
    to.saturating_sub(from) > limits.value_bytes as usize
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::Tag;
    use crate::{
        limits::Limits,
        xml::{Detail, FaultKind},
    };

    fn detail(text: &str) -> Option<Detail> {
        match Tag::default().read(text, &Limits::default()) {
            Err(problem) => match problem.kind {
                FaultKind::NotWellFormed(detail) => Some(detail),
                _ => None,
            },
            Ok(_) => None,
        }
    }

    #[test]
    fn each_slip_in_a_tag_has_its_own_detail() {
        assert_eq!(detail("<a b='<'>"), Some(Detail::LessThanInValue));
        assert_eq!(detail("<a b=c>"), Some(Detail::MissingQuotes));
        assert_eq!(detail("<a b>"), Some(Detail::MissingEquals));
        assert_eq!(detail("<a b c='d'>"), Some(Detail::MissingEquals));
        assert_eq!(detail("<a b='c'd='e'>"), Some(Detail::MissingSpace));
        assert_eq!(detail("<a b='c' b='e'>"), Some(Detail::DuplicateAttribute));
        assert_eq!(detail("<a / >"), Some(Detail::UnexpectedCharacter));
        assert_eq!(detail("<a b='c'/d>"), Some(Detail::UnexpectedCharacter));
        assert_eq!(detail("<a,b>"), Some(Detail::BadName));
        assert_eq!(detail("<a b,c='d'>"), Some(Detail::BadName));
        assert_eq!(detail("<a b:c:d='d'>"), Some(Detail::NameColons));
        assert_eq!(detail("<a b = '&lt;>'\n c\t=\"'\"/>"), None);
    }

    #[test]
    fn a_cut_tag_is_unfinished_wherever_it_is_cut() {
        let whole = "<rs:md a = '&amp;b' xmlns:c=\"d\" />";
        for end in 1..whole.len() {
            assert!(matches!(Tag::default().read(&whole[..end], &Limits::default()), Ok(false)), "{end}");
        }
        assert!(matches!(Tag::default().read(whole, &Limits::default()), Ok(true)));
    }

    #[test]
    fn the_earliest_repetition_is_found_among_many_too() {
        let mut text = String::from("<a");
        for index in 0..40 {
            text.push_str(&format!(" n{index}='1'"));
        }
        text.push_str(" n7='1' n3='1' n7='2'>");
        let found = Tag::default().read(&text, &Limits::default()).err();
        let found = found.map(|problem| (problem.start, problem.related));
        assert_eq!(found, Some((text.rfind("n7='1'").unwrap_or(0), text.find("n7=").map(|at| (at, at + 2)))));
    }
}
