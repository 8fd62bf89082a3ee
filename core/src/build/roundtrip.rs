//! Parses written documents again if it is not obvious that they are readable.

use alloc::{
    boxed::Box,
    string::{String, ToString},
};

use crate::{
    bytes,
    diagnostic::{Code, Finding},
    limits::Limits,
    model::{Attribute, AttributeValue, Attributes, Entry, Item, Name},
    read::{ReadEvent, Reader, fault_finding},
};

/// True if an entry certainly reads back unchanged: short, only plain characters, no foreign elements.
pub(super) fn is_plain(entry: &Entry, written: &str, limits: &Limits) -> bool {
    // Tab and carriage return are written as references. 0xEF may start U+FFFE or U+FFFF, which XML forbids.
    let legal = |byte: u8| ((byte >= b' ') | (byte == b'\n')) & (byte != 0xef);
    let short = written.len() <= limits.value_bytes.min(limits.tag_bytes) as usize;
    let attributes = entry.md.iter().map(|md| &md.attributes).chain(entry.links.iter().map(|link| &link.attributes));
    short
        && entry.attributes.is_empty()
        && entry.others.is_empty()
        && attributes.into_iter().all(is_standard)
        && bytes::all(written.as_bytes(), legal)
}

/// True if all attributes are defined by the standard, and none is repeated.
fn is_standard(attributes: &Attributes) -> bool {
    let mut seen = 0_u32;
    attributes.iter().all(|Attribute { value, prefix, .. }| {
        let bit = value.name().map_or(0, |name: Name| 1_u32 << (name as u32 & 31));
        let new = seen & bit == 0;
        seen |= bit;
        new && prefix.is_none() && !matches!(value, AttributeValue::Other(_))
    })
}

/// Reads a document in pieces and passes on its items; anything that ends reading is an error.
pub(super) fn read(pieces: &[&str], limits: &Limits, mut take: impl FnMut(Item<'_>)) -> Result<(), Box<Finding>> {
    let (mut reader, mut fault) = (Reader::keeping(limits), None);
    let mut take = |event: ReadEvent<'_>| match event {
        ReadEvent::Item(item) => take(item),
        // We write UTF-8.
        ReadEvent::Encoding(..) => {}
        ReadEvent::Fault(own) => fault = Some(Box::new(fault_finding(&own))),
    };
    pieces.iter().for_each(|piece| reader.feed(piece.as_bytes(), &mut take));
    reader.end(&mut take);
    fault.map_or(Ok(()), Err)
}

/// Reads a document that must have exactly one entry.
pub(super) fn entry(
    pieces: &[&str],
    limits: &Limits,
    mut namespace: impl FnMut(Item<'_>),
) -> Result<Entry, Box<Finding>> {
    let (mut own, mut more) = (None, None);
    read(pieces, limits, |item| match item {
        Item::Entry(entry) if own.is_none() => own = Some(entry.clone()),
        Item::Entry(entry) => more = Some(entry.element.as_str().to_string()),
        Item::Md(_) => more = Some("rs:md".into()),
        Item::Link(_) => more = Some("rs:ln".into()),
        Item::Other(element) => more = Some(element.local.to_string()),
        Item::Namespace(_) => namespace(item),
        Item::Root(_) | Item::Extensions(_) | Item::End(_) => {}
    })?;
    let misplaced = |element: String| Box::new(Finding::new(Code::GEN_24).arg("element", element).arg("inside", "url"));
    match (own, more) {
        (Some(entry), None) => Ok(entry),
        (_, more) => Err(misplaced(more.unwrap_or_default())),
    }
}
