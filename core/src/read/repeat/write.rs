//! Writing the values and positions of a recognized entry over those of an entry with the same parts.

use super::{
    part::Part,
    piece::{Piece, Taken},
    position::{Point, Starts},
    slot::{Found, Slot},
};
use crate::{
    model::{AttributeValue, Attributes, Child, Entry, Field},
    span::{Place, Span},
    value::{Datetime, Length, MediaType, Uri, Value},
};

/// Writes pieces that were met, by their numbers, into an entry that has their parts; returns where the text after them starts.
/// `starts` is scratch.
pub(super) fn write(
    pieces: &[Piece],
    numbers: &[u8],
    (text, from): (&str, Place),
    taken: &[Taken],
    starts: &mut Starts,
    entry: &mut Entry,
) -> Place {
    let mut writer = Writer { text, taken, point: Point::at(from), starts };
    let Entry { span, loc, lastmod, changefreq, priority, md, links, .. } = entry;
    let (mut locs, mut lastmods, mut mds, mut links) =
        (loc.iter_mut(), lastmod.iter_mut(), md.iter_mut(), links.iter_mut());
    let (mut changefreqs, mut priorities) = (changefreq.iter_mut(), priority.iter_mut());
    for piece in numbers.iter().filter_map(|number| pieces.get(usize::from(*number))) {
        let values = writer.advance(piece);
        match &piece.part {
            Part::Open(_) => *span = writer.tag(piece),
            Part::Close => {}
            Part::Loc(_) => {
                let Some(child) = locs.next() else { continue };
                if let (Some(value), Some(segment)) = (values.first(), piece.segments.first()) {
                    set_uri(&mut child.field, segment.slot, *value, text);
                }
                writer.locate(piece, child);
            }
            Part::Lastmod(_) => {
                let Some(child) = lastmods.next() else { continue };
                if let Some(value) = values.first() {
                    set_time(&mut child.field, *value, text);
                }
                writer.locate(piece, child);
            }
            Part::Md(_) => {
                let Some(md) = mds.next() else { continue };
                writer.element(piece, values, &mut md.attributes, &mut md.span);
            }
            Part::Link(_) => {
                let Some(link) = links.next() else { continue };
                writer.element(piece, values, &mut link.attributes, &mut link.span);
            }
            Part::Changefreq(_) => {
                if let Some(child) = changefreqs.next() {
                    writer.locate(piece, child);
                }
            }
            Part::Priority(_) => {
                if let Some(child) = priorities.next() {
                    writer.locate(piece, child);
                }
            }
        }
    }
    writer.point.place()
}

struct Writer<'t, 's> {
    text: &'t str,
    /// The values of the next pieces.
    taken: &'t [Taken],
    /// Where the next piece starts.
    point: Point,
    /// Where the literals of the current piece start.
    starts: &'s mut Starts,
}

impl<'t> Writer<'t, '_> {
    /// Moves over a piece and returns its values.
    #[inline(always)] // so that the position is not written to memory
    fn advance(&mut self, piece: &Piece) -> &'t [Taken] {
        let (values, rest) = self.taken.split_at_checked(piece.values_count()).unwrap_or_default();
        self.taken = rest;
        let mut point = self.point;
        for (index, segment) in piece.segments.iter().enumerate() {
            self.starts.set(index, point);
            point = point.after(segment.distance).along(values.get(index).map_or(0, |value| value.length));
        }
        self.point = point;
        values
    }

    #[inline(always)] // as above
    fn tag(&self, piece: &Piece) -> Span {
        piece.tag.as_ref().map(|tag| tag.span(self.starts)).unwrap_or_default()
    }

    /// The positions of an element that holds text.
    #[inline]
    fn locate<T: Value>(&self, piece: &Piece, child: &mut Child<T>) {
        child.span = self.tag(piece);
        if let Some(mark) = piece.values.first() {
            mark.set(self.starts, &mut Span::default(), child.field.span_mut());
        }
    }

    /// An element with attributes.
    fn element(&self, piece: &Piece, values: &[Taken], attributes: &mut Attributes, span: &mut Span) {
        for (segment, value) in piece.segments.iter().zip(values) {
            if let Some(attribute) = attributes.at_mut(segment.attribute.into()) {
                set_attribute(&mut attribute.value, segment.slot, *value, self.text);
            }
        }
        *span = self.tag(piece);
        for (attribute, mark) in attributes.iter_mut().zip(&piece.values) {
            mark.set(self.starts, &mut attribute.whole, attribute.value.span_mut());
        }
    }
}

#[inline(always)] // it has one caller
fn set_attribute(attribute: &mut AttributeValue, slot: Slot, value: Taken, text: &str) {
    match (attribute, value.found) {
        (AttributeValue::Href(field), _) => set_uri(field, slot, value, text),
        (AttributeValue::Hash(field), _) => {
            if let (Slot::Digest(_, number), Some(hashes)) = (slot, field.exact_mut()) {
                let digits = text.as_bytes().get(value.at..value.at.wrapping_add(value.length));
                hashes.overwrite(number.into(), digits.unwrap_or_default());
            }
        }
        (AttributeValue::Length(field), Found::Length(length)) => *field.exact_mut() = Some(Length(length)),
        (AttributeValue::Length(field), _) => *field = read(value, text),
        (AttributeValue::Type(field), Found::Type(number)) => *field.exact_mut() = MediaType::numbered(number.into()),
        (AttributeValue::Type(field), _) => *field = read(value, text),
        (AttributeValue::Path(field), _) => *field = read(value, text),
        (
            AttributeValue::At(field)
            | AttributeValue::Completed(field)
            | AttributeValue::Datetime(field)
            | AttributeValue::From(field)
            | AttributeValue::Modified(field)
            | AttributeValue::Until(field),
            _,
        ) => set_time(field, value, text),
        // These are literal.
        (
            AttributeValue::Capability(_)
            | AttributeValue::Change(_)
            | AttributeValue::Encoding(_)
            | AttributeValue::Pri(_)
            | AttributeValue::Rel(_)
            | AttributeValue::Other(_),
            _,
        ) => {}
    }
}

#[inline]
fn set_uri(field: &mut Field<Uri>, slot: Slot, value: Taken, text: &str) {
    match (value.found, slot) {
        (Found::Uri(escaped), Slot::Uri(fixed)) => {
            let written = text.get(value.at.wrapping_sub(fixed.into())..value.at.wrapping_add(value.length));
            Uri::replace(field.exact_mut(), written.unwrap_or_default(), escaped);
        }
        (_, Slot::Uri(fixed)) => {
            let fixed = usize::from(fixed);
            let (at, length) = (value.at.wrapping_sub(fixed), value.length.wrapping_add(fixed));
            *field = read(Taken { at, length, ..value }, text);
        }
        _ => {}
    }
}

#[inline]
fn set_time(field: &mut Field<Datetime>, value: Taken, text: &str) {
    match value.found {
        Found::Time(seconds) => *field.exact_mut() = Some(Datetime::second(seconds)),
        _ => *field = read(value, text),
    }
}

/// A value that is not usual, or a path.
#[inline(never)] // seldom, or slow anyway
fn read<T: Value>(value: Taken, text: &str) -> Field<T> {
    Field::read(text.get(value.at..value.at.wrapping_add(value.length)).unwrap_or_default(), Span::default())
}
