//! What was learnt from the entries of a document, and recognizing the next one by it.

use alloc::vec::Vec;

use super::{
    cut::cut,
    part::{Lists, Part},
    piece::{Met, Piece, Taken},
    position::Point,
    slot::Found,
    tree::{ROOT, Tree},
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
    /// The pieces whose parts are in the entry, in order, and the number of that entry.
    held: Vec<u8>,
    held_by: u64,
    /// The end of their shape.
    shape: u16,
    /// Scratch for the places of literals.
    starts: Vec<Point>,
}

/// An entry of which the first pieces were recognized.
#[derive(Debug, Default)]
struct Walk {
    /// Where it starts.
    from: Place,
    nodes: Vec<u16>,
    taken: Vec<Taken>,
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
            held: Vec::new(),
            held_by: 0,
            shape: ROOT,
            starts: Vec::new(),
        }
    }

    /// Learns nothing and recognizes nothing.
    pub(in crate::read) fn stop(&mut self) {
        self.misses = 0;
    }

    /// The parts are not in the entry any more.
    pub(in crate::read) fn forget_entry(&mut self) {
        self.held.clear();
    }

    /// Recognizes the next entry, where one may start.
    #[inline]
    pub(in crate::read) fn attempt(&mut self, xml: &mut Xml, parts: &mut Parts) -> Attempt {
        if self.misses == 0 {
            return Attempt::Other;
        }
        let Some(ahead) = xml.ahead() else { return Attempt::Other };
        let start = xml.next_place();
        if self.walk.from != start {
            self.walk.restart(start);
        }
        if self.tree.is_empty() {
            return Attempt::Other;
        }
        match self.meet(ahead.as_bytes()) {
            Met::Whole(length) => {
                let number = parts.entries.saturating_add(1);
                self.hold(number, &mut parts.entry);
                parts.entry.number = number;
                let end = self.write(ahead, &mut parts.entry);
                xml.pass(length, end);
                parts.entries = number;
                self.misses = self.misses.saturating_add(HIT).min(MISSES);
                let is_usual = self.walk.taken.iter().all(|taken| taken.found != Found::Unusual);
                Attempt::Entry(EntryShape { number: self.shape, is_usual })
            }
            Met::Short if xml.may_continue() && ahead.len() <= ENTRY => Attempt::Short,
            Met::Short | Met::Other => {
                self.misses = self.misses.saturating_sub(1);
                self.walk.restart(start);
                Attempt::Other
            }
        }
    }

    /// Compares the next bytes with every shape.
    #[inline]
    fn meet(&mut self, ahead: &[u8]) -> Met {
        let Walk { nodes, taken, reached, .. } = &mut self.walk;
        loop {
            let node = nodes.last().copied().unwrap_or(ROOT);
            let before = taken.len();
            let (mut result, mut chosen) = (Met::Other, ROOT);
            for next in self.tree.after(node) {
                let Some(piece) = self.pieces.get(self.tree.piece(next)) else { break };
                let met = piece.meet(ahead, *reached, self.limit, taken);
                if let Met::Whole(_) = met {
                    (result, chosen) = (met, next);
                    break;
                }
                taken.truncate(before);
                if met == Met::Short {
                    result = met;
                }
            }
            let Met::Whole(end) = result else { return result };
            self.tree.prefer(node, chosen);
            nodes.push(chosen);
            *reached = end;
            if self.pieces.get(self.tree.piece(chosen)).is_some_and(|piece| matches!(piece.part, Part::Close)) {
                return result;
            }
        }
    }

    /// Brings the parts of the recognized shape into the entry, unless they are there from the one before.
    fn hold(&mut self, number: u64, entry: &mut Entry) {
        let shape = self.walk.nodes.last().copied().unwrap_or(ROOT);
        let are_there = !self.held.is_empty() && self.held_by.saturating_add(1) == number;
        self.held_by = number;
        if are_there && self.shape == shape {
            return;
        }
        if are_there {
            self.take_back(entry);
        }
        entry.clear();
        self.shape = shape;
        self.held.clear();
        for node in &self.walk.nodes {
            let number = self.tree.piece(*node);
            if let (Some(piece), Ok(number)) = (self.pieces.get_mut(number), u8::try_from(number)) {
                piece.take_part().join(entry);
                self.held.push(number);
            }
        }
    }

    /// Returns the parts of the entry to their pieces.
    fn take_back(&mut self, entry: &mut Entry) {
        let (mut locs, mut mds, mut links) = (entry.loc.drain(..), entry.md.drain(..), entry.links.drain(..));
        for piece in &self.held {
            let Some(piece) = self.pieces.get_mut(usize::from(*piece)) else { continue };
            let part = match piece.part {
                Part::Loc(_) => locs.next().map(Part::Loc),
                Part::Md(_) => mds.next().map(Part::Md),
                Part::Link(_) => links.next().map(Part::Link),
                _ => None,
            };
            if let Some(part) = part {
                piece.keep_part(part);
            }
        }
    }

    /// Writes the values and positions of the recognized entry into it; returns where it ends.
    fn write(&mut self, ahead: &str, entry: &mut Entry) -> Place {
        let (mut point, mut text) = (Point::at(self.walk.from), ahead);
        let mut taken = self.walk.taken.iter();
        let mut lists = Lists::of(entry);
        for node in &self.walk.nodes {
            if let Some(piece) = self.pieces.get(self.tree.piece(*node)) {
                (text, point) = piece.write(text, point, &mut taken, &mut self.starts, &mut lists);
            }
        }
        point.place()
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
        let mut own = Entry { number: entry.number, ..Entry::default() };
        let (mut taken, mut end) = (Vec::new(), 0);
        for number in numbers {
            let piece = self.pieces.get(usize::from(*number))?;
            let Met::Whole(met) = piece.meet(text.as_bytes(), end, self.limit, &mut taken) else { return None };
            end = met;
            piece.part.clone().join(&mut own);
        }
        let (mut values, mut rest, mut point) = (taken.iter(), text, Point::at(self.walk.from));
        let mut lists = Lists::of(&mut own);
        for number in numbers {
            let piece = self.pieces.get(usize::from(*number))?;
            (rest, point) = piece.write(rest, point, &mut values, &mut self.starts, &mut lists);
        }
        let is_same = end == text.len() && own == *entry && places(&own) == places(entry);
        is_same.then(|| taken.iter().all(|taken| taken.found != Found::Unusual))
    }

    fn is_within_bounds(&self) -> bool {
        let literals = self.pieces.iter().map(Piece::bytes).fold(0, usize::saturating_add);
        let attributes = self.pieces.iter().map(|piece| piece.values.len()).fold(0, usize::saturating_add);
        self.pieces.len() <= PIECES && literals <= LITERALS && attributes <= ATTRIBUTES
    }
}

impl Walk {
    fn restart(&mut self, from: Place) {
        self.nodes.clear();
        self.taken.clear();
        (self.from, self.reached) = (from, 0);
    }
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
