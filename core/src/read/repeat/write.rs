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
    let (mut point, mut taken) = (Point::at(from), taken);
    let Entry { span, loc, lastmod, changefreq, priority, md, links, .. } = entry;
    let (mut locs, mut lastmods, mut mds, mut links) =
        (loc.iter_mut(), lastmod.iter_mut(), md.iter_mut(), links.iter_mut());
    let (mut changefreqs, mut priorities) = (changefreq.iter_mut(), priority.iter_mut());
    for piece in numbers.iter().filter_map(|number| pieces.get(usize::from(*number))) {
        let (values, rest) = taken.split_at_checked(piece.values_count()).unwrap_or_default();
        (point, taken) = (advance(piece, values, point, starts), rest);
        match &piece.part {
            Part::Open(_) => *span = tag(piece, starts),
            Part::Close => {}
            Part::Loc(_) => {
                let Some(child) = locs.next() else { continue };
                if let (Some(value), Some(segment)) = (values.first(), piece.segments.first()) {
                    set_uri(&mut child.field, segment.slot, value, text);
                }
                locate(piece, starts, child);
            }
            Part::Lastmod(_) => {
                let Some(child) = lastmods.next() else { continue };
                if let Some(value) = values.first() {
                    set_time(&mut child.field, value, text);
                }
                locate(piece, starts, child);
            }
            Part::Md(_) => {
                let Some(md) = mds.next() else { continue };
                set_attributes(piece, values, text, &mut md.attributes);
                md.span = tag(piece, starts);
                locate_attributes(piece, starts, &mut md.attributes);
            }
            Part::Link(_) => {
                let Some(link) = links.next() else { continue };
                set_attributes(piece, values, text, &mut link.attributes);
                link.span = tag(piece, starts);
                locate_attributes(piece, starts, &mut link.attributes);
            }
            Part::Changefreq(_) => {
                if let Some(child) = changefreqs.next() {
                    locate(piece, starts, child);
                }
            }
            Part::Priority(_) => {
                if let Some(child) = priorities.next() {
                    locate(piece, starts, child);
                }
            }
        }
    }
    point.place()
}

/// The position after a piece with these values; notes where its literals start.
#[inline(always)] // so that the position is not written to memory
fn advance(piece: &Piece, values: &[Taken], from: Point, starts: &mut Starts) -> Point {
    let mut point = from;
    for (index, (segment, value)) in piece.segments.iter().zip(values).enumerate() {
        starts.set(index, point);
        point = point.after(segment.distance).along(value.length);
    }
    starts.set(values.len(), point);
    piece.segments.last().map_or(point, |last| point.after(last.distance))
}

#[inline(always)] // so that it is written once
fn tag(piece: &Piece, starts: &Starts) -> Span {
    piece.tag.as_ref().map(|tag| tag.span(starts)).unwrap_or_default()
}

/// Sets the positions of an element that holds text.
#[inline]
fn locate<T: Value>(piece: &Piece, starts: &Starts, child: &mut Child<T>) {
    child.span = tag(piece, starts);
    if let Some(mark) = piece.values.first() {
        mark.set(starts, &mut Span::default(), child.field.span_mut());
    }
}

#[inline(never)] // as part of its caller it would be slower
fn locate_attributes(piece: &Piece, starts: &Starts, attributes: &mut Attributes) {
    for (attribute, mark) in attributes.iter_mut().zip(&piece.values) {
        mark.set(starts, &mut attribute.whole, attribute.value.span_mut());
    }
}

#[inline(never)] // as above
fn set_attributes(piece: &Piece, values: &[Taken], text: &str, attributes: &mut Attributes) {
    for (segment, value) in piece.segments.iter().zip(values) {
        if let Some(attribute) = attributes.at_mut(segment.attribute.into()) {
            set_attribute(&mut attribute.value, segment.slot, value, text);
        }
    }
}

#[inline(always)] // it has one caller
fn set_attribute(attribute: &mut AttributeValue, slot: Slot, value: &Taken, text: &str) {
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

#[inline(always)] // as `tag`
fn set_uri(field: &mut Field<Uri>, slot: Slot, value: &Taken, text: &str) {
    match (value.found, slot) {
        (Found::Uri(escaped), Slot::Uri(fixed)) => {
            let written = text.get(value.at.wrapping_sub(fixed.into())..value.at.wrapping_add(value.length));
            Uri::replace(field.exact_mut(), written.unwrap_or_default(), escaped);
        }
        (_, Slot::Uri(fixed)) => {
            let fixed = usize::from(fixed);
            let (at, length) = (value.at.wrapping_sub(fixed), value.length.wrapping_add(fixed));
            *field = read(&Taken { at, length, ..*value }, text);
        }
        _ => {}
    }
}

#[inline(always)] // as `tag`
fn set_time(field: &mut Field<Datetime>, value: &Taken, text: &str) {
    match value.found {
        Found::Time(seconds) => *field.exact_mut() = Some(Datetime::second(seconds)),
        _ => *field = read(value, text),
    }
}

/// A value that is not usual, or a path.
#[inline(never)] // seldom, or slow anyway
fn read<T: Value>(value: &Taken, text: &str) -> Field<T> {
    Field::read(text.get(value.at..value.at.wrapping_add(value.length)).unwrap_or_default(), Span::default())
}
