//! Cuts an entry that was read into pieces.

use alloc::vec::Vec;

use super::{
    part::Part,
    piece::{Piece, Segment},
    position::{Distance, Mark, SEGMENTS, TagMark, ValueMark},
    slot::{Slot, is_harmless},
};
use crate::{
    model::{AnyField, Attribute, AttributeValue, Attributes, Entry, EntryElement},
    span::Span,
    value::{Algorithm, Datetime, MediaType, Uri},
};

/// Maximum bytes of a fixed part of a URI.
const FIXED: usize = 255;

/// The pieces of an entry of which these are the bytes, with the white space before it, from `offset` on; `None` if something in it is not
/// what a piece can describe.
pub(super) fn cut(text: &str, offset: u64, entry: &Entry) -> Option<Vec<Piece>> {
    let bytes = text.as_bytes();
    // Namespaces declared inside would give the same bytes another meaning elsewhere.
    let is_plain = bytes.is_ascii() && !bytes.contains(&b'\r') && !text.contains("xmlns");
    if !is_plain || !entry.attributes.is_empty() || !entry.others.is_empty() {
        return None;
    }
    let mut cutter = Cutter { bytes, offset, from: 0 };
    let (start, end) = cutter.range(entry.span)?;
    cutter.blanks_to(start)?;
    let mut pieces = Vec::new();
    pieces.push(cutter.piece(Part::Open(entry.element), end, &[], Some(entry.span), &[])?);
    for (span, part) in parts(entry)? {
        let (start, end) = cutter.range(span)?;
        cutter.blanks_to(start)?;
        pieces.push(cutter.child(part, span, start, end)?);
    }
    let name = match entry.element {
        EntryElement::Url => "url",
        EntryElement::Sitemap => "sitemap",
    };
    let close = bytes.get(cutter.from..)?.trim_ascii_start().strip_prefix(b"</")?;
    let is_close = close.trim_ascii_end().strip_suffix(b">")?.trim_ascii_end().ends_with(name.as_bytes());
    if !is_close || close.iter().filter(|byte| **byte == b'>').count() != 1 {
        return None;
    }
    pieces.push(cutter.piece(Part::Close, bytes.len(), &[], None, &[])?);
    Some(pieces)
}

/// The children of an entry as they stand in the document; `None` if there is something else about one than its values.
fn parts(entry: &Entry) -> Option<Vec<(Span, Part)>> {
    let is_bare = |cut: bool, aside: Option<Span>| (!cut && aside.is_none()).then_some(());
    let is_plain = |attributes: &Attributes, content: Option<Span>| {
        let known = |one: &Attribute| one.prefix.is_none() && one.value.name().is_some();
        (content.is_none() && attributes.iter().all(known)).then_some(())
    };
    let mut parts: Vec<(Span, Part)> = Vec::new();
    // A sort of the standard library would be larger in the module for browsers than all of this file.
    let mut add = |span: Span, part: Part| {
        let after = parts.iter().position(|(other, _)| other.start.offset > span.start.offset);
        parts.insert(after.unwrap_or(parts.len()), (span, part));
    };
    for child in &entry.loc {
        is_bare(child.cut, child.aside)?;
        add(child.span, Part::Loc(child.clone()));
    }
    for child in &entry.lastmod {
        is_bare(child.cut, child.aside)?;
        add(child.span, Part::Lastmod(child.clone()));
    }
    for child in &entry.changefreq {
        is_bare(child.cut, child.aside)?;
        add(child.span, Part::Changefreq(child.clone()));
    }
    for child in &entry.priority {
        is_bare(child.cut, child.aside)?;
        add(child.span, Part::Priority(child.clone()));
    }
    for md in &entry.md {
        is_plain(&md.attributes, md.content)?;
        add(md.span, Part::Md(md.clone()));
    }
    for link in &entry.links {
        is_plain(&link.attributes, link.content)?;
        add(link.span, Part::Link(link.clone()));
    }
    Some(parts)
}

/// The slot for a written value, and the length of its fixed part.
type SlotOf<'a> = dyn Fn(&[u8]) -> Option<(Slot, usize)> + 'a;

/// The bytes of an entry, of which those before `from` are in pieces.
struct Cutter<'a> {
    bytes: &'a [u8],
    offset: u64,
    from: usize,
}

/// A slot in the bytes of an entry.
struct Place {
    from: usize,
    to: usize,
    slot: Slot,
    attribute: u8,
}

impl Cutter<'_> {
    /// A span as indexes.
    fn range(&self, span: Span) -> Option<(usize, usize)> {
        let index = |offset: u64| usize::try_from(offset.checked_sub(self.offset)?).ok();
        Some((index(span.start.offset)?, index(span.end.offset)?))
    }

    /// True if there is only white space before this index.
    fn blanks_to(&self, to: usize) -> Option<()> {
        self.bytes.get(self.from..to)?.trim_ascii().is_empty().then_some(())
    }

    /// The piece of an element whose start tag is here.
    fn child(&mut self, part: Part, tag: Span, start: usize, end: usize) -> Option<Piece> {
        let (mut places, mut spans) = (Vec::new(), Vec::new());
        let mut value = None;
        match &part {
            Part::Md(md) => self.attributes(&md.attributes, &mut places, &mut spans)?,
            Part::Link(link) => self.attributes(&link.attributes, &mut places, &mut spans)?,
            Part::Loc(child) => {
                let slot = |written: &[u8]| child.field.value().and_then(|uri| uri_slot(uri, written));
                value = Some(self.text(child.field.span(), &slot)?);
            }
            Part::Lastmod(child) => value = Some(self.text(child.field.span(), &|written| Some((time(written)?, 0)))?),
            Part::Changefreq(child) => value = Some(self.text(child.field.span(), &|_| None)?),
            Part::Priority(child) => value = Some(self.text(child.field.span(), &|_| None)?),
            Part::Open(_) | Part::Close => return None,
        }
        let to = self.element_end(start, end)?;
        if let Some((range, place)) = value {
            // Nothing but the value: with white space around it, its position depends on its references.
            let is_bare = range.0 == end && range.1 > end && self.bytes.get(range.1) == Some(&b'<');
            is_bare.then_some(())?;
            let span = part.text_span();
            spans.push((span, span));
            places.extend(place);
        } else if !self.bytes.get(start..end)?.ends_with(b"/>") {
            let content = self.bytes.get(end..to)?;
            content.get(..memchr::memchr(b'<', content)?)?.trim_ascii().is_empty().then_some(())?;
        }
        self.piece(part, to, &places, Some(tag), &spans)
    }

    /// The end of an element without children whose start tag is here.
    fn element_end(&self, start: usize, end: usize) -> Option<usize> {
        if self.bytes.get(start..end)?.ends_with(b"/>") {
            return Some(end);
        }
        let content = self.bytes.get(end..)?;
        let close = memchr::memchr(b'<', content)?;
        let tag = content.get(close..)?;
        tag.starts_with(b"</").then_some(())?;
        end.checked_add(close)?.checked_add(memchr::memchr(b'>', tag)?)?.checked_add(1)
    }

    /// The range of a value between tags, and the slot for it.
    fn text(&self, span: Span, slot: &SlotOf<'_>) -> Option<((usize, usize), Option<Place>)> {
        let (from, to) = self.range(span)?;
        let place = slot(self.bytes.get(from..to)?);
        let place = place.map(|(slot, fixed)| Place { from: from.saturating_add(fixed), to, slot, attribute: 0 });
        Some(((from, to), place))
    }

    fn attributes(
        &self,
        attributes: &Attributes,
        places: &mut Vec<Place>,
        spans: &mut Vec<(Span, Span)>,
    ) -> Option<()> {
        for (number, attribute) in attributes.iter().enumerate() {
            let span = attribute.span();
            spans.push((attribute.whole, span));
            let (from, to) = self.range(span)?;
            let written = self.bytes.get(from..to)?;
            let number = u8::try_from(number).ok()?;
            let one = |slot, fixed: usize| Place { from: from.saturating_add(fixed), to, slot, attribute: number };
            match &attribute.value {
                AttributeValue::Href(field) => {
                    let slot = field.value().and_then(|uri| uri_slot(uri, written));
                    places.extend(slot.map(|(slot, fixed)| one(slot, fixed)));
                }
                AttributeValue::At(_)
                | AttributeValue::Completed(_)
                | AttributeValue::Datetime(_)
                | AttributeValue::From(_)
                | AttributeValue::Modified(_)
                | AttributeValue::Until(_) => places.extend(time(written).map(|slot| one(slot, 0))),
                AttributeValue::Hash(field) if field.exact().is_some() => places.extend(digests(from, written, number)),
                AttributeValue::Length(_) => places.extend(is_harmless(written).then(|| one(Slot::Length, 0))),
                AttributeValue::Path(_) => places.extend(is_harmless(written).then(|| one(Slot::Path, 0))),
                AttributeValue::Type(field) => {
                    let is_common =
                        field.exact().is_some_and(|own| MediaType::common(own.as_str().as_bytes()).is_some());
                    places.extend(is_common.then(|| one(Slot::Type, 0)));
                }
                _ => {}
            }
        }
        Some(())
    }

    /// The piece up to an index, with these slots, and the positions of its tag and of its attributes or its text.
    fn piece(
        &mut self,
        mut part: Part,
        to: usize,
        places: &[Place],
        tag: Option<Span>,
        values: &[(Span, Span)],
    ) -> Option<Piece> {
        let mut segments = Vec::new();
        let mut literals = Literals { bytes: self.bytes, ranges: Vec::new() };
        let mut from = self.from;
        for place in places {
            // An empty value is literal: its start and its end are the same position.
            if place.from < place.to {
                let literal = literals.add(from, place.from)?;
                let close = *self.bytes.get(place.to)?;
                segments.push(literal.followed_by(place.slot, close, place.attribute));
                from = place.to;
            }
        }
        segments.push(literals.add(from, to)?.followed_by(Slot::End, 0, 0));
        (segments.len() <= SEGMENTS).then_some(())?;
        segments.iter().for_each(|segment| part.empty(segment.attribute, segment.slot));
        let tag = match tag {
            None => None,
            Some(tag) => {
                let (start, end) = self.range(tag)?;
                Some(TagMark { start: literals.mark(start)?, end: literals.mark(end)? })
            }
        };
        let mut marks = Vec::new();
        for (whole, value) in values {
            marks.push(literals.value_mark(self.range(*whole)?, self.range(*value)?)?);
        }
        self.from = to;
        Some(Piece { segments: segments.into(), tag, values: marks.into(), part })
    }
}

/// The literals of a piece, as ranges of the bytes of its entry.
struct Literals<'a> {
    bytes: &'a [u8],
    ranges: Vec<(usize, usize)>,
}

/// A literal and the distance over it.
struct Literal<'a>(&'a [u8], Distance);

impl Literal<'_> {
    fn followed_by(self, slot: Slot, close: u8, attribute: u8) -> Segment {
        Segment { literal: self.0.into(), distance: self.1, slot, close, attribute }
    }
}

impl<'a> Literals<'a> {
    fn add(&mut self, from: usize, to: usize) -> Option<Literal<'a>> {
        let literal = self.bytes.get(from..to)?;
        self.ranges.push((from, to));
        Some(Literal(literal, Distance::over(literal)?))
    }

    /// The position of a byte of a literal, or of the byte after it.
    fn mark(&self, index: usize) -> Option<Mark> {
        let literal = self.ranges.iter().position(|(from, to)| (*from..=*to).contains(&index))?;
        let distance = Distance::over(self.bytes.get(self.ranges.get(literal)?.0..index)?)?;
        Some(Mark { literal: u16::try_from(literal).ok()?, distance })
    }

    /// The position of an attribute, or of a text, which is its own name; `None` if it has several lines.
    fn value_mark(&self, whole: (usize, usize), value: (usize, usize)) -> Option<ValueMark> {
        let is_attribute = whole != value;
        let has_lines = self.bytes.get(whole.0..whole.1)?.contains(&b'\n');
        if has_lines || is_attribute && value.1.checked_add(1) != Some(whole.1) {
            return None;
        }
        let end = self.mark(value.1)?;
        Some(ValueMark {
            start: self.mark(whole.0)?,
            lead: u32::try_from(value.0.checked_sub(whole.0)?).ok()?,
            end_literal: end.literal,
            end: end.distance.bytes(),
        })
    }
}

/// The slot for a URI, and the length of its fixed part.
fn uri_slot(uri: &Uri, written: &[u8]) -> Option<(Slot, usize)> {
    // White space before it, for example, is not in the URI.
    let begins = |fixed: usize| uri.as_str().as_bytes().get(..fixed).is_some_and(|start| written.starts_with(start));
    let fixed = uri.fixed_part().filter(|fixed| *fixed <= FIXED && begins(*fixed));
    match fixed.filter(|fixed| written.get(*fixed..).is_some_and(|rest| Uri::variable_part(rest).0 == rest.len())) {
        Some(fixed) => Some((Slot::Uri(u16::try_from(fixed).ok()?), fixed)),
        None => is_harmless(written).then_some((Slot::Uri(0), 0)),
    }
}

fn time(written: &[u8]) -> Option<Slot> {
    let is_usual = Datetime::seconds_written(written).is_some();
    (is_usual || is_harmless(written)).then_some(Slot::Time)
}

/// The slots for the digests of a `hash`, if they stand as the standard writes them.
fn digests(from: usize, written: &[u8], attribute: u8) -> Vec<Place> {
    let mut places = Vec::new();
    let mut at = from;
    for (number, token) in written.split(|byte| *byte == b' ').enumerate() {
        let (Some(colon), Ok(number)) = (memchr::memchr(b':', token), u8::try_from(number)) else { return Vec::new() };
        let (name, digest) = token.split_at_checked(colon).unwrap_or_default();
        let known = Algorithm::KNOWN.iter().find(|known| known.as_str().as_bytes() == name);
        let digits = known.and_then(Algorithm::digits).filter(|digits| digest.len() == digits.saturating_add(1));
        let Some(digits) = digits.and_then(|digits| u16::try_from(digits).ok()) else { return Vec::new() };
        let (start, end) = (at.saturating_add(colon).saturating_add(1), at.saturating_add(token.len()));
        places.push(Place { from: start, to: end, slot: Slot::Digest(digits, number), attribute });
        at = end.saturating_add(1);
    }
    places
}
