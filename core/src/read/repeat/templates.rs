//! What was learnt from the entries of a document, and recognizing the next one by it.

use alloc::vec::Vec;

use super::{
    cut::cut,
    part::Part,
    piece::{Met, Piece, Values},
    position::Starts,
    ready::Ready,
    tree::{ROOT, Tree},
    write::write,
};
use crate::{
    limits::Limits,
    model::{AnyField, Entry},
    read::parts::Parts,
    rules::EntryShape,
    span::Place,
    xml::Xml,
};

/// Maximum pieces of a document.
const PIECES: usize = 64;
/// Maximum bytes of their literals, and maximum attributes in them.
const LITERALS: usize = 16 << 10;
const ATTRIBUTES: usize = 160;
/// Maximum bytes of an entry from which is learnt, and for whose end is waited.
const ENTRY: usize = 8 << 10;
/// Entries that may differ from all before. Another one is allowed for every fourth that was recognized, so that a document in which little
/// repeats costs little.
const MISSES: u32 = 256;
const HIT: u32 = 4;

/// The shapes of the entries of a document.
#[derive(Debug)]
pub(in crate::read) struct Templates {
    pieces: Vec<Piece>,
    tree: Tree,
    /// Maximum bytes of a piece and of a value, so that no limit of reading can be reached.
    limit: usize,
    /// Entries that may still differ; at 0 everything is read.
    misses: u32,
    /// Entries from which may still be learnt.
    lessons: u32,
    walk: Walk,
    ready: Ready,
    /// Scratch for the places of literals.
    starts: Starts,
}

/// An entry of which the first pieces were recognized.
#[derive(Debug, Default)]
struct Walk {
    /// Where it starts.
    from: Place,
    /// The node that was reached, and the pieces on the way.
    node: u16,
    pieces: Vec<u8>,
    taken: Values,
    /// The length of these pieces.
    reached: usize,
}

/// The result of an attempt to recognize an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::read) enum Attempt {
    /// It is in the parts.
    Entry(EntryShape),
    /// More bytes are needed to decide.
    Short,
    /// The next bytes must be read.
    Other,
}

impl Templates {
    /// Nothing was learnt yet.
    pub(in crate::read) fn new(limits: &Limits) -> Templates {
        Templates {
            pieces: Vec::new(),
            tree: Tree::default(),
            limit: limits.value_bytes.min(limits.tag_bytes) as usize,
            misses: MISSES,
            lessons: MISSES,
            walk: Walk::default(),
            ready: Ready::default(),
            starts: Starts::default(),
        }
    }

    /// Learns nothing and recognizes nothing.
    pub(in crate::read) fn stop(&mut self, entry: &mut Entry) {
        self.misses = 0;
        self.ready.take_back(entry);
    }

    /// The entry was taken.
    pub(in crate::read) fn forget_entry(&mut self) {
        self.ready.forget();
    }

    /// Recognizes the next entry, where one may start.
    #[inline]
    pub(in crate::read) fn attempt(&mut self, xml: &mut Xml, parts: &mut Parts) -> Attempt {
        if self.misses == 0 {
            return Attempt::Other;
        }
        let attempt = self.recognize(xml, parts);
        if attempt == Attempt::Other {
            self.ready.take_back(&mut parts.entry);
        }
        attempt
    }

    #[inline(always)] // it has one caller
    fn recognize(&mut self, xml: &mut Xml, parts: &mut Parts) -> Attempt {
        let Some(ahead) = xml.ahead() else { return Attempt::Other };
        let start = xml.next_place();
        if self.walk.from != start {
            self.walk.restart(start);
        }
        match self.meet(ahead.as_bytes()) {
            Met::Whole(length) => {
                let Templates { pieces, walk, ready, starts, .. } = self;
                parts.entries = parts.entries.saturating_add(1);
                ready.lend(walk.node, &mut parts.entry, || whole(pieces, &walk.pieces));
                parts.entry.number = parts.entries;
                let end = write(pieces, &walk.pieces, (ahead, start), &walk.taken.list, starts, &mut parts.entry);
                xml.pass(length, end);
                self.misses = self.misses.saturating_add(HIT).min(MISSES);
                Attempt::Entry(EntryShape { number: walk.node, is_usual: walk.taken.are_usual() })
            }
            Met::Short if xml.may_continue() && ahead.len() <= ENTRY => Attempt::Short,
            Met::Short | Met::Other => {
                // Nothing can be missed where nothing is known.
                self.misses = self.misses.saturating_sub(u32::from(!self.tree.is_empty()));
                self.walk.restart(start);
                Attempt::Other
            }
        }
    }

    /// Compares the next bytes with every shape.
    #[inline(always)] // it has one caller
    fn meet(&mut self, ahead: &[u8]) -> Met {
        let Templates { pieces, tree, walk, limit, .. } = self;
        let (mut node, mut reached) = (walk.node, walk.reached);
        let met = loop {
            let (before, first, mut is_short) = (walk.taken.list.len(), tree.first(node), false);
            let mut next = first;
            let found = loop {
                let number = tree.piece(next);
                let Some(piece) = pieces.get(usize::from(number)).filter(|_| next != ROOT) else { break None };
                match piece.meet(ahead, reached, *limit, &mut walk.taken) {
                    Met::Whole(end) => break Some((number, piece, end)),
                    met => is_short |= met == Met::Short,
                }
                walk.taken.list.truncate(before);
                next = tree.next(next);
            };
            let Some((number, piece, end)) = found else { break if is_short { Met::Short } else { Met::Other } };
            if next != first {
                tree.prefer(node, next);
            }
            walk.pieces.push(number);
            (node, reached) = (next, end);
            if matches!(piece.part, Part::Close) {
                break Met::Whole(end);
            }
        };
        (walk.node, walk.reached) = (node, reached);
        met
    }

    /// Learns from an entry that was just read; returns its shape if there is one.
    pub(in crate::read) fn learn(&mut self, xml: &Xml, entry: &Entry) -> Option<EntryShape> {
        if self.misses == 0 || self.lessons == 0 {
            return None;
        }
        self.lessons = self.lessons.saturating_sub(1);
        let text = xml.behind(self.walk.from.offset).filter(|text| text.len() <= ENTRY)?;
        let cut = cut(text, self.walk.from.offset, entry)?;
        let known = self.pieces.len();
        let mut numbers = Vec::new();
        for piece in cut {
            let number = self.pieces.iter().position(|known| known.is_same(&piece)).unwrap_or(self.pieces.len());
            numbers.push(u8::try_from(number).ok()?);
            if number == self.pieces.len() {
                self.pieces.push(piece);
            }
        }
        let shape = self.proven(&numbers, text, entry).filter(|_| self.is_within_bounds());
        let number = shape.and_then(|is_usual| Some((self.tree.insert(&numbers)?, is_usual)));
        if number.is_none() {
            self.pieces.truncate(known);
        }
        self.walk.restart(Place::default());
        number.map(|(number, is_usual)| EntryShape { number, is_usual })
    }

    /// Whether all values are usual, if these pieces give from the bytes of the entry what reading gave, with all positions.
    fn proven(&mut self, numbers: &[u8], text: &str, entry: &Entry) -> Option<bool> {
        let mut own = Entry { number: entry.number, ..whole(&self.pieces, numbers) };
        let (mut taken, mut end) = (Values::default(), 0);
        for number in numbers {
            let piece = self.pieces.get(usize::from(*number))?;
            let Met::Whole(met) = piece.meet(text.as_bytes(), end, self.limit, &mut taken) else { return None };
            end = met;
        }
        write(&self.pieces, numbers, (text, self.walk.from), &taken.list, &mut self.starts, &mut own);
        let is_same = end == text.len() && own == *entry && places(&own) == places(entry);
        is_same.then(|| taken.are_usual())
    }

    fn is_within_bounds(&self) -> bool {
        let literals = self.pieces.iter().map(Piece::bytes).fold(0, usize::saturating_add);
        let attributes = self.pieces.iter().map(|piece| piece.values.len()).fold(0, usize::saturating_add);
        self.pieces.len() <= PIECES && literals <= LITERALS && attributes <= ATTRIBUTES
    }
}

impl Walk {
    fn restart(&mut self, from: Place) {
        self.pieces.clear();
        self.taken.clear();
        (self.from, self.node, self.reached) = (from, ROOT, 0);
    }
}

/// An entry with the parts of these pieces.
fn whole(pieces: &[Piece], numbers: &[u8]) -> Entry {
    let mut entry = Entry::default();
    let own = numbers.iter().filter_map(|number| pieces.get(usize::from(*number)));
    own.for_each(|piece| piece.part.clone().join(&mut entry));
    entry
}

/// All positions in an entry; spans themselves always compare equal.
fn places(entry: &Entry) -> Vec<[Place; 2]> {
    let mut spans = alloc::vec![entry.span];
    entry.loc.iter().for_each(|child| spans.extend([child.span, child.field.span()]));
    entry.lastmod.iter().for_each(|child| spans.extend([child.span, child.field.span()]));
    entry.changefreq.iter().for_each(|child| spans.extend([child.span, child.field.span()]));
    entry.priority.iter().for_each(|child| spans.extend([child.span, child.field.span()]));
    let mds = entry.md.iter().map(|md| (md.span, &md.attributes));
    for (tag, attributes) in mds.chain(entry.links.iter().map(|link| (link.span, &link.attributes))) {
        spans.push(tag);
        attributes.iter().for_each(|attribute| spans.extend([attribute.whole, attribute.span()]));
    }
    spans.iter().map(|span| [span.start, span.end]).collect()
}
