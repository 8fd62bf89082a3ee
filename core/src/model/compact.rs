//! Entries in little more memory than their text takes, parsed again on access.

use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};

use super::{AnyField, Attribute, AttributeValue, Attributes, Child, Entry, EntryElement, Field, Link, Md, Name};
use crate::{
    span::{Place, Span},
    value::Value,
};

/// Entries that share one allocation. An entry is found by counting, so that only the beginning of each is stored.
const BLOCK: usize = 64;

/// The entries of a document in memory.
///
/// An [`Entry`] takes several times the memory of its text. Here it is stored as the text of its values and parsed on access. Positions are not
/// kept, except the line of the entry; what the standard does not define is kept unchanged.
///
/// ```
/// use resourcesync::{build::Resource, model::{CompactEntries, Entry}};
///
/// let entry = Entry::from(Resource::new("http://example.com/1".parse()?).length(8));
/// let mut entries = CompactEntries::default();
/// entries.push(&entry);
/// assert_eq!((entries.len(), entries.get(0), entries.get(1)), (1, Some(entry), None));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct CompactEntries {
    full: Vec<Block>,
    last: Block,
    /// Entries with parts that have no encoding.
    whole: BTreeMap<usize, Box<Entry>>,
}

#[derive(Debug, Clone, Default)]
struct Block {
    starts: Vec<u32>,
    bytes: Vec<u8>,
}

impl CompactEntries {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.full.len().saturating_mul(BLOCK).saturating_add(self.last.starts.len())
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds one at the end.
    pub fn push(&mut self, entry: &Entry) {
        let place = self.len();
        let start = self.last.bytes.len();
        // Far more than the entries of a block take.
        self.last.starts.push(u32::try_from(start).unwrap_or(u32::MAX));
        if u32::try_from(start).is_err() || !encode(entry, &mut self.last.bytes) {
            self.last.bytes.truncate(start);
            self.whole.insert(place, Box::new(entry.clone()));
        }
        if self.last.starts.len() == BLOCK {
            let mut block = core::mem::take(&mut self.last);
            block.bytes.shrink_to_fit();
            self.full.push(block);
        }
    }

    /// The entry at a place, from 0.
    pub fn get(&self, place: usize) -> Option<Entry> {
        if let Some(entry) = self.whole.get(&place) {
            return Some(Entry::clone(entry));
        }
        let block =
            self.full.get(place / BLOCK).or_else(|| (place / BLOCK == self.full.len()).then_some(&self.last))?;
        let start = *block.starts.get(place % BLOCK)?;
        let end = block.starts.get((place % BLOCK).saturating_add(1)).map_or(block.bytes.len(), |end| *end as usize);
        Some(decode(block.bytes.get(start as usize..end).unwrap_or_default()))
    }

    /// Bytes that are allocated for the text of the entries, apart from those that are kept as they are.
    pub fn text_bytes(&self) -> usize {
        let blocks = self.full.iter().chain([&self.last]);
        blocks.map(|block| block.bytes.capacity().saturating_add(block.starts.capacity().saturating_mul(4))).sum()
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}

impl PartialEq for CompactEntries {
    fn eq(&self, other: &CompactEntries) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for CompactEntries {}

impl FromIterator<Entry> for CompactEntries {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> CompactEntries {
        let mut compact = CompactEntries::default();
        entries.into_iter().for_each(|entry| compact.push(&entry));
        compact
    }
}

/// What follows: a value of an element, or an element with attributes. Attributes have the tags after these.
const LOC: u8 = 0;
const LASTMOD: u8 = 1;
const CHANGEFREQ: u8 = 2;
const PRIORITY: u8 = 3;
const MD: u8 = 4;
const LINK: u8 = 5;
const ATTRIBUTES: u8 = 6;

/// Appends an entry; false if it has parts that have no encoding.
fn encode(entry: &Entry, out: &mut Vec<u8>) -> bool {
    // Taken apart so that a new field cannot be forgotten.
    let Entry { element, number, span, attributes, loc, lastmod, changefreq, priority, md, links, others } = entry;
    out.push(u8::from(*element == EntryElement::Sitemap));
    push_number(out, *number);
    push_number(out, u64::from(span.start.line));
    attributes.is_empty()
        && others.is_empty()
        && push_children(out, LOC, loc)
        && push_children(out, LASTMOD, lastmod)
        && push_children(out, CHANGEFREQ, changefreq)
        && push_children(out, PRIORITY, priority)
        && md.iter().all(|md| md.content.is_none() && push_attributes(out, MD, &md.attributes))
        && links.iter().all(|link| link.content.is_none() && push_attributes(out, LINK, &link.attributes))
}

fn push_children<T: Value>(out: &mut Vec<u8>, tag: u8, children: &[Child<T>]) -> bool {
    children.iter().all(|child| {
        push_text(out, tag, &child.field.text());
        !child.cut && child.aside.is_none()
    })
}

fn push_attributes(out: &mut Vec<u8>, tag: u8, attributes: &Attributes) -> bool {
    out.push(tag);
    attributes.iter().all(|attribute| {
        let Some(name) = attribute.value.name() else { return false };
        push_text(out, ATTRIBUTES.saturating_add(name as u8), &attribute.text());
        attribute.prefix.is_none()
    })
}

fn push_text(out: &mut Vec<u8>, tag: u8, text: &str) {
    out.push(tag);
    push_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Seven bits a byte, the lowest first.
fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn decode(bytes: &[u8]) -> Entry {
    let mut rest = Encoded(bytes);
    let mut entry = Entry::default();
    if rest.byte() == Some(1) {
        entry.element = EntryElement::Sitemap;
    }
    entry.number = rest.number();
    let line = u32::try_from(rest.number()).unwrap_or_default();
    entry.span.start = Place { line, ..Place::default() };
    let mut is_link = false;
    while let Some(tag) = rest.byte() {
        match tag {
            LOC => entry.loc.push(rest.child()),
            LASTMOD => entry.lastmod.push(rest.child()),
            CHANGEFREQ => entry.changefreq.push(rest.child()),
            PRIORITY => entry.priority.push(rest.child()),
            MD => {
                entry.md.push(Md::default());
                is_link = false;
            }
            LINK => {
                entry.links.push(Link::default());
                is_link = true;
            }
            tag => {
                let text = rest.text();
                let name = Name::ALL.get(usize::from(tag.saturating_sub(ATTRIBUTES)));
                let link = entry.links.last_mut().filter(|_| is_link).map(|link| &mut link.attributes);
                let own = link.or_else(|| entry.md.last_mut().map(|md| &mut md.attributes));
                if let (Some(own), Some(name)) = (own, name) {
                    own.push(Attribute::new(AttributeValue::read(*name, text, Span::default())));
                }
            }
        }
    }
    entry
}

/// The encoding of an entry.
struct Encoded<'a>(&'a [u8]);

impl<'a> Encoded<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0_u64, 0_u32);
        while let Some(byte) = self.byte() {
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or_default();
            if byte < 0x80 {
                break;
            }
            shift = shift.saturating_add(7);
        }
        number
    }

    fn text(&mut self) -> &'a str {
        let length = usize::try_from(self.number()).unwrap_or(usize::MAX);
        let Some((text, rest)) = self.0.split_at_checked(length) else { return "" };
        self.0 = rest;
        core::str::from_utf8(text).unwrap_or_default()
    }

    fn child<T: Value>(&mut self) -> Child<T> {
        let field = Field::read(self.text(), Span::default());
        Child { field, span: Span::default(), aside: None, cut: false }
    }
}
