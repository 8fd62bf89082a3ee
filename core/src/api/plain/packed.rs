//! Entries as text and numbers, from which a face makes the objects of its language.

use alloc::{vec, vec::Vec};

use super::from_model::{OF_ENTRY, OF_LINK, elements, hashes, length, namespace, others, pri, spelled};
use crate::{
    model::{self, Attributes, Child, Field},
    value::{Algorithm, Datetime, Hash, Value, push_hex},
};

/// Bytes of text in a part, after which the next one begins. A face decodes a text at once, and what it cuts out may keep all of it.
const PART: usize = 16 << 10;
/// Pairs of places for texts that repeat.
const PAIRS: usize = 32;
/// Bytes of the longest text that may repeat.
const REPEATED_BYTES: usize = 64;

/// Entries as text and numbers that say where in it their values are. A face cuts the fields of [`Entry`](super::Entry) out of it:
/// passing them one by one takes longer than reading the document.
///
/// - There are two texts: in the second one are links, other attributes and elements. So a program that keeps URIs, times and digests does not keep
///   those.
/// - The entries are in parts. A part is its ends in the texts and in the numbers, then its entries.
/// - A value is two numbers, its start and its end in the text of the part. Of a few texts that repeat, the face remembers the last one at each of
///   64 places: `-1 - place` is the text there, and `-65 - place` before a text puts it there.
/// - A length and a priority are two numbers, the low and the high 32 bits.
/// - An entry is its `uri`, then a number with a bit for each further field in order, the first one the lowest, which is set if it is
///   present; then these. A link is the same without the text before. An attribute is its name, bits for namespace and prefix, these, and its value.
/// - Digests, links, attributes and elements are how many there are, then one after the other. A digest is the place of its
///   algorithm in [`Algorithm::KNOWN`], from 1, or 0 and its name; then the digits.
#[derive(Debug)]
pub struct PackedEntries {
    /// The text that is written to, and the other one.
    text: Text,
    other: Text,
    numbers: Vec<i32>,
    /// Where the last part begins in the numbers.
    part: usize,
    /// The texts that the face remembers.
    repeated: Vec<Vec<u8>>,
    /// Which place of its pair the next text takes.
    turn: usize,
}

impl Default for PackedEntries {
    fn default() -> PackedEntries {
        PackedEntries {
            text: Text::default(),
            other: Text::default(),
            numbers: Vec::new(),
            part: 0,
            repeated: vec![Vec::new(); 2 * PAIRS],
            turn: 0,
        }
    }
}

impl PackedEntries {
    /// The values, in UTF-8.
    pub fn texts(&self) -> [&[u8]; 2] {
        [&self.text.bytes, &self.other.bytes]
    }

    /// Where they are.
    pub fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// Removes all entries. Later ones continue them: the texts that the face remembers stay.
    pub fn clear(&mut self) {
        self.text.bytes.clear();
        self.other.bytes.clear();
        self.numbers.clear();
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: &model::Entry) {
        if self.numbers.is_empty() || self.text.of_part().saturating_add(self.other.of_part()) >= PART {
            self.part = self.numbers.len();
            self.text.part = self.text.bytes.len();
            self.other.part = self.other.bytes.len();
            self.numbers.extend([0; 3]);
        }
        let none = Attributes::default();
        let own = entry.first_md().map_or(&none, |md| &md.attributes);
        match entry.loc.first() {
            Some(loc) => self.value(&loc.field),
            None => self.put(""),
        }
        let mut fields = Fields::of(self);
        fields.add(first(&entry.lastmod), PackedEntries::moment);
        fields.add(first(&entry.changefreq), PackedEntries::again);
        fields.add(first(&entry.priority), PackedEntries::again);
        fields.add(own.change(), PackedEntries::again);
        fields.add(own.datetime(), PackedEntries::moment);
        fields.add(own.capability(), PackedEntries::again);
        fields.add(own.at(), PackedEntries::moment);
        fields.add(own.completed(), PackedEntries::moment);
        fields.add(own.from(), PackedEntries::moment);
        fields.add(own.until(), PackedEntries::moment);
        fields.representation(own);
        fields.to.change();
        fields.several(|to| to.several(entry.links.iter(), PackedEntries::link));
        fields.several(|to| to.several(others(own, OF_ENTRY), PackedEntries::attribute));
        fields.several(|to| to.several(elements(&entry.others), PackedEntries::put));
        fields.end();
        self.change();
        let ends = [self.text.bytes.len(), self.other.bytes.len(), self.numbers.len()];
        for (place, end) in (self.part..).zip(ends) {
            // A few entries are far below 2 GiB.
            self.set(place, end as i32);
        }
    }

    /// Continues in the other text.
    fn change(&mut self) {
        core::mem::swap(&mut self.text, &mut self.other);
    }

    fn link(&mut self, link: &model::Link) {
        let own = &link.attributes;
        let mut fields = Fields::of(self);
        fields.add(own.rel(), PackedEntries::again);
        fields.add(own.href(), PackedEntries::value);
        fields.add(pri(own), |to, pri| to.number(pri.into()));
        fields.add(own.modified(), PackedEntries::moment);
        fields.representation(own);
        fields.several(|to| to.several(others(own, OF_LINK), PackedEntries::attribute));
        fields.end();
    }

    fn attribute(&mut self, attribute: &model::Attribute) {
        self.put(attribute.local());
        let present = |text: &&str| !text.is_empty();
        let mut fields = Fields::of(self);
        fields.add(Some(namespace(attribute)).filter(present), PackedEntries::put);
        fields.add(attribute.prefix.as_deref().filter(present), PackedEntries::put);
        fields.end();
        self.put(&attribute.text());
    }

    /// The first digest of each algorithm; returns how many there are.
    fn digests(&mut self, own: &Attributes) -> i32 {
        let Some(canonical) = own.hash().and_then(Field::value) else {
            return self.several(hashes(own).first(), |to, (algorithm, digest)| {
                to.numbers.push(0);
                to.put(algorithm);
                to.put(digest);
            });
        };
        let is_first = |(place, hash): &(usize, &Hash)| {
            canonical.iter().take(*place).all(|before| before.algorithm != hash.algorithm)
        };
        self.several(canonical.iter().enumerate().filter(is_first), |to, (_, hash)| {
            let known = Algorithm::KNOWN.iter().position(|known| *known == hash.algorithm);
            to.numbers.push(known.map_or(0, |place| place.saturating_add(1) as i32));
            if known.is_none() {
                to.put(hash.algorithm.as_str());
            }
            to.write(|text| push_hex(&hash.digest, text));
        })
    }

    /// Adds values one after the other; returns how many there are.
    fn several<T>(&mut self, values: impl Iterator<Item = T>, mut put: impl FnMut(&mut PackedEntries, T)) -> i32 {
        values.fold(0, |count: i32, value| {
            put(self, value);
            count.saturating_add(1)
        })
    }

    fn value<T: Value>(&mut self, field: &Field<T>) {
        self.put(&spelled(field));
    }

    /// A value that may be the same in many entries.
    fn again<T: Value>(&mut self, field: &Field<T>) {
        self.repeat(spelled(field).as_bytes());
    }

    fn moment(&mut self, field: &Field<Datetime>) {
        match field.value().and_then(Datetime::in_seconds) {
            Some(text) => self.repeat(&text),
            None => self.again(field),
        }
    }

    fn repeat(&mut self, text: &[u8]) {
        if text.len() > REPEATED_BYTES {
            return self.write(|all| all.extend_from_slice(text));
        }
        let first = pair_of(text).saturating_mul(2);
        for place in [first, first.saturating_add(1)] {
            if self.repeated.get(place).is_some_and(|known| known == text) && !text.is_empty() {
                return self.numbers.push(!(place as i32));
            }
        }
        self.turn ^= 1;
        let place = first.saturating_add(self.turn);
        if let Some(known) = self.repeated.get_mut(place) {
            known.clear();
            known.extend_from_slice(text);
        }
        self.numbers.push(!(place.saturating_add(2 * PAIRS) as i32));
        self.write(|all| all.extend_from_slice(text));
    }

    fn put(&mut self, text: &str) {
        self.write(|all| all.extend_from_slice(text.as_bytes()));
    }

    /// Adds the text that a function writes.
    fn write(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.of_part();
        write(&mut self.text.bytes);
        self.numbers.extend([start as i32, self.text.of_part() as i32]);
    }

    fn number(&mut self, number: u64) {
        self.numbers.extend([number as i32, (number >> 32) as i32]);
    }

    fn set(&mut self, place: usize, number: i32) {
        if let Some(place) = self.numbers.get_mut(place) {
            *place = number;
        }
    }
}

/// Values one after the other.
#[derive(Debug, Default)]
struct Text {
    bytes: Vec<u8>,
    /// Where those of the last part begin.
    part: usize,
}

impl Text {
    fn of_part(&self) -> usize {
        self.bytes.len().saturating_sub(self.part)
    }
}

/// Fields in order, of which bits say whether they are present.
struct Fields<'p> {
    to: &'p mut PackedEntries,
    /// The place of the bits.
    place: usize,
    bits: i32,
    /// The bit of the next field.
    next: i32,
}

impl Fields<'_> {
    fn of(to: &mut PackedEntries) -> Fields<'_> {
        let place = to.numbers.len();
        to.numbers.push(0);
        Fields { to, place, bits: 0, next: 1 }
    }

    fn add<T>(&mut self, value: Option<T>, put: impl FnOnce(&mut PackedEntries, T)) {
        if let Some(value) = value {
            put(self.to, value);
            self.bits |= self.next;
        }
        self.next <<= 1;
    }

    /// Several values, which are one field if there are any.
    fn several(&mut self, put: impl FnOnce(&mut PackedEntries) -> i32) {
        let place = self.to.numbers.len();
        self.to.numbers.push(0);
        match put(self.to) {
            0 => self.to.numbers.truncate(place),
            count => {
                self.to.set(place, count);
                self.bits |= self.next;
            }
        }
        self.next <<= 1;
    }

    /// Digests, length, media type, codings and path.
    fn representation(&mut self, own: &Attributes) {
        self.several(|to| to.digests(own));
        self.add(length(own), PackedEntries::number);
        self.add(own.media_type(), PackedEntries::again);
        self.add(own.encoding(), PackedEntries::again);
        self.add(own.path(), PackedEntries::value);
    }

    fn end(self) {
        self.to.set(self.place, self.bits);
    }
}

fn first<T>(children: &[Child<T>]) -> Option<&Field<T>> {
    children.first().map(|child| &child.field)
}

/// The pair of places of a text.
fn pair_of(text: &[u8]) -> usize {
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = text.as_chunks::<8>();
    let sum = words.iter().fold(0, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    let sum = match text.last_chunk::<8>() {
        Some(last) => mix(sum, u64::from_le_bytes(*last)),
        None => rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte))),
    };
    // The high bits depend on all others.
    (sum >> 59) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{limits::Limits, read};

    #[test]
    fn values_are_found_by_their_places() {
        let md5 = "1584abdf8ebdc9802ac0c6a7402c03b6";
        let list = alloc::format!(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/" xmlns:x="urn:x">
            <url><loc>http://example.com/1</loc><lastmod>2024-05-01</lastmod>
            <rs:md hash="md5:{md5} md5:{md5} crc:0a" length="4294967303" pri="5" x:a="é"/><rs:ln href="/r" pri="7"/></url>
            <url><rs:md hash="md5:1 md5:2" change="create"/></url></urlset>"#
        );
        let document = read::document(list.as_bytes(), &Limits::default(), &mut ()).unwrap();
        let mut packed = PackedEntries::default();
        document.entries.iter().for_each(|entry| packed.push(entry));

        let mut rest = packed.numbers().iter().copied();
        let mut number = || rest.next().unwrap();
        let [own, related] = packed.texts();
        fn text<'t>(text: &'t [u8], number: &mut impl FnMut() -> i32) -> &'t str {
            let from = match number() {
                remembered @ ..0 => {
                    assert!(remembered < -64, "nothing repeats");
                    number()
                }
                from => from,
            };
            str::from_utf8(&text[from as usize..number() as usize]).unwrap()
        }
        let ends = [own.len(), related.len(), packed.numbers().len()].map(|end| end as i32);
        assert_eq!([number(), number(), number()], ends);
        let lastmod = 1;
        let (hashes, length, links, attributes) = (1 << 10, 1 << 11, 1 << 15, 1 << 16);
        assert_eq!(text(own, &mut number), "http://example.com/1");
        assert_eq!(number(), lastmod | hashes | length | links | attributes);
        assert_eq!(text(own, &mut number), "2024-05-01");
        // The first of each algorithm; one that is not known has its name.
        assert_eq!((number(), number()), (2, 1));
        assert_eq!(text(own, &mut number), md5);
        assert_eq!((number(), text(own, &mut number)), (0, "crc"));
        assert_eq!(text(own, &mut number), "0a");
        assert_eq!((number(), number()), (7, 1));
        let (href, pri) = (1 << 1, 1 << 2);
        assert_eq!((number(), number()), (1, href | pri));
        assert_eq!(text(related, &mut number), "/r");
        assert_eq!((number(), number()), (7, 0));
        // The standard has `pri`, but only for links.
        assert_eq!((number(), text(related, &mut number), number()), (2, "pri", 0));
        assert_eq!(text(related, &mut number), "5");
        assert_eq!((text(related, &mut number), number()), ("a", 0b11));
        assert_eq!((text(related, &mut number), text(related, &mut number)), ("urn:x", "x"));
        assert_eq!(text(related, &mut number), "é");

        let change = 1 << 3;
        assert_eq!((text(own, &mut number), number()), ("", change | hashes));
        assert_eq!(text(own, &mut number), "created");
        // What is no digest is kept as written.
        assert_eq!((number(), number(), text(own, &mut number)), (1, 0, "md5"));
        assert_eq!(text(own, &mut number), "1");
        assert_eq!(rest.next(), None);
    }

    #[test]
    fn texts_that_repeat_are_given_once_and_parts_have_places_of_their_own() {
        let document = |type_: &str| {
            let list = alloc::format!(
                r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
                <url><loc>u</loc><rs:md type="{type_}"/></url></urlset>"#
            );
            read::document(list.as_bytes(), &Limits::default(), &mut ()).unwrap().entries.remove(0)
        };
        let (html, long) = (document("text/html"), document(&"x".repeat(REPEATED_BYTES + 1)));
        let mut packed = PackedEntries::default();
        packed.push(&html);
        let of_type = 1 << 12;
        let [10, 0, 9, 0, 1, has, place, 1, 10] = *packed.numbers() else { panic!("{packed:?}") };
        assert_eq!(has, of_type);
        // What comes later knows it.
        packed.clear();
        packed.push(&html);
        assert_eq!(packed.numbers(), [1, 0, 7, 0, 1, of_type, place + 64]);
        // A long one would take the place of others.
        (0..2).for_each(|_| packed.push(&long));
        assert_eq!(packed.numbers()[7..], [1, 2, of_type, 2, 67, 67, 68, of_type, 68, 133]);

        while packed.texts()[0].len() < PART {
            packed.push(&long);
        }
        let [end, length] = [packed.texts()[0].len(), packed.numbers().len()];
        packed.push(&html);
        assert_eq!(packed.numbers()[..3], [end as i32, 0, length as i32]);
        assert_eq!(packed.numbers()[length..], [end as i32 + 1, 0, length as i32 + 7, 0, 1, of_type, place + 64]);
    }

    #[test]
    fn each_text_has_a_place_and_two_of_a_pair_do_not_displace_each_other() {
        let texts: Vec<_> = (0..1000).map(|number| alloc::format!("2024-{number}")).collect();
        let pair: Vec<_> = texts.iter().filter(|text| pair_of(text.as_bytes()) == 5).take(3).collect();
        let [one, other, third] = pair[..] else { panic!("{pair:?}") };
        let mut packed = PackedEntries::default();
        for text in [one, other, one, other] {
            packed.repeat(text.as_bytes());
        }
        let given: Vec<_> = packed.numbers().iter().filter(|number| **number < 0).collect();
        assert_eq!((given.len(), packed.numbers().len()), (4, 8));
        packed.repeat(third.as_bytes());
        assert_eq!(packed.numbers().len(), 11);
        assert!(texts.iter().all(|text| pair_of(text.as_bytes()) < PAIRS));
    }
}
