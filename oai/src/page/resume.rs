//! Continues after a damaged item: finds the next one and stores the damaged one.

use alloc::{boxed::Box, string::String, sync::Arc, vec::Vec};

use resourcesync::{
    span::{Place, Span},
    xml::{Detail, Fault, FaultKind, LimitKind, Xml},
};

use super::{
    Cut, Damage, Damaged, Piece,
    element::item_of,
    origin::Origin,
    reader::{PageReader, State},
    recovery::{Finder, Found, Recovering, identifier},
};
use crate::{catalogue::Code, limits::PageLimit, note::Note};

/// The minimum number of bytes of a damaged item searched at a time.
const LEAST_ROOM: usize = 64 << 10;
/// The overlap of two such pieces in bytes, so that no tag is split.
const OVERLAP: u64 = 4 << 10;
/// The number of consecutive damaged items after which a page is abandoned.
const DAMAGED_IN_A_ROW: u32 = 3;

impl PageReader {
    pub(super) fn fault(&mut self, fault: Fault) {
        if self.assembly.ended {
            self.note_after_end(&fault);
            self.whole();
            return;
        }
        // Entities may be defined further up, and mean anything.
        if is_about_entities(&fault) {
            return self.end_with(fault);
        }
        let list = self.assembly.list().and_then(|(verb, prefix)| Some((verb, prefix, item_of(verb)?)));
        let is_in_item = self.assembly.item.start.is_some();
        let page_is_long = fault.kind == FaultKind::Limit(LimitKind::DocumentBytes);
        let had_item = is_in_item || self.assembly.item.number > 0;
        let Some((verb, prefix, (item, first))) = list.filter(|_| !page_is_long && had_item) else {
            return self.end_with(fault);
        };
        let start = self.assembly.item.start.unwrap_or(self.resumable);
        if is_in_item && fault.span.start.offset.saturating_sub(start.offset) > self.limits.oai_record_bytes {
            return self.damaged_at_limit();
        }
        // If tags do not match, the end of this item is missing, and the next one may have been read as part of
        // it.
        let from = if is_structural(&fault) {
            start.offset.saturating_add(u64::from(is_in_item))
        } else {
            fault.span.start.offset.max(start.offset.saturating_add(u64::from(is_in_item)))
        };
        let finder = Finder::new(prefix, item, first, verb.as_str(), from);
        self.recover_from(finder, start, Damage::Fault(fault.clone()), fault);
    }

    /// Handles an item that exceeds the limit.
    pub(super) fn damaged_at_limit(&mut self) {
        let start = self.assembly.item.start.unwrap_or_default();
        let kind = FaultKind::Limit(LimitKind::DocumentBytes);
        let fault = Fault { kind, span: Span::new(start, start), related: None, args: Vec::new() };
        let list = self.assembly.list().and_then(|(verb, prefix)| Some((verb, prefix, item_of(verb)?)));
        let Some((verb, prefix, (item, first))) = list else {
            return self.cut(Cut::Limit(PageLimit::RecordBytes));
        };
        let finder = Finder::new(prefix, item, first, verb.as_str(), start.offset.saturating_add(1));
        self.recover_from(finder, start, Damage::Limit(PageLimit::RecordBytes), fault);
    }

    fn recover_from(&mut self, finder: Finder, start: Place, why: Damage, fault: Fault) {
        let number =
            if self.assembly.item.start.is_some() { self.assembly.item.number } else { self.assembly.count_item() };
        self.assembly.abandon_item();
        self.held.drop_all_before(start.offset);
        self.state =
            State::Recovering(Box::new(Recovering { finder, start, why, fault, number, kept: None, held_from: start }));
    }

    /// Searches for the next item. Returns false if more bytes are needed.
    pub(super) fn recover(&mut self) -> bool {
        let State::Recovering(recovering) = &mut self.state else { return false };
        let limit = usize::try_from(self.limits.oai_record_bytes).unwrap_or(usize::MAX);
        let room = limit.max(LEAST_ROOM);
        let looked_at = self.held.bytes.get(..room.min(self.held.bytes.len())).unwrap_or_default();
        let is_full = self.held.bytes.len() >= room;
        let is_all = self.finished || self.broken.is_some();
        match recovering.finder.look(looked_at, self.held.base, is_full || is_all) {
            Found::At(offset) => self.resume(offset),
            Found::More => return false,
            Found::Nothing if is_full => {
                // Such a long item is not stored; unclosed constructs in it no longer hide following items.
                recovering.kept.get_or_insert_with(|| looked_at.get(..limit).unwrap_or(looked_at).into());
                recovering.finder.step_back(OVERLAP);
                let passed = self.held.index(recovering.finder.at());
                recovering.held_from = after(recovering.held_from, looked_at.get(..passed).unwrap_or_default());
                self.held.drop_all_before(recovering.finder.at());
            }
            Found::Nothing => {
                let fault = recovering.fault.clone();
                self.end_with(fault);
            }
        }
        true
    }

    /// Continues at an offset, at the start of an item or after the items.
    fn resume(&mut self, offset: u64) {
        let State::Recovering(recovering) = core::mem::replace(&mut self.state, State::Reading) else { return };
        let Recovering { start, why, fault, number, kept, held_from, .. } = *recovering;
        let place = after(held_from, &self.held.cut(self.held.base, offset));
        let end = start.offset.saturating_add(self.limits.oai_record_bytes).min(offset);
        let raw = kept.unwrap_or_else(|| self.held.cut(start.offset, end));
        let prefix = self.assembly.list().map(|(_, prefix)| String::from(prefix)).unwrap_or_default();
        let identifier = identifier(&raw, &prefix);
        let code = match fault.kind {
            FaultKind::NotWellFormed(Detail::InvalidUtf8) => Code::OAI_05,
            _ => Code::OAI_04,
        };
        let note = Note::new(code).at(fault.span);
        let note = match code {
            Code::OAI_05 => note.arg("encoding", "invalid UTF-8"),
            _ => note.arg("reason", why.reason()),
        };
        let note = match &identifier {
            Some(identifier) => note.of(identifier),
            None => note,
        };
        self.assembly.pieces.push_back(Piece::Note(note));
        let span = Span::new(start, place);
        let origin = self.origin();
        let damaged = Damaged { raw, why, identifier, number, span, origin, repaired: None };
        self.assembly.pieces.push_back(Piece::Damaged(damaged));
        self.damaged = self.damaged.saturating_add(1);
        let context = self.context.clone().filter(|_| self.damaged < DAMAGED_IN_A_ROW);
        let Some(context) = context else { return self.end_with(fault) };
        self.xml = Xml::inside(&self.xml_limits, &context, place);
        self.held.rewind(offset);
        self.resumable = place;
    }

    /// The context of the items of the list.
    fn origin(&mut self) -> Option<Arc<Origin>> {
        if self.origin.is_none() {
            let origin = self.context.clone().and_then(|context| self.assembly.origin(context));
            self.origin = origin.map(Arc::new);
        }
        self.origin.clone()
    }
}

/// True for a DOCTYPE, and for a reference to an entity that is not predefined.
pub(super) fn is_about_entities(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::NotWellFormed(Detail::UndefinedEntity | Detail::Doctype))
}

/// True if tags do not match, so that the structure read since the start of the item is unreliable.
fn is_structural(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::NotWellFormed(Detail::MismatchedEnd | Detail::EndWithoutStart))
}

/// The position after arbitrary bytes that start at a character boundary.
fn after(place: Place, bytes: &[u8]) -> Place {
    let breaks = |at: usize| match bytes.get(at) {
        Some(b'\n') => at.checked_sub(1).and_then(|before| bytes.get(before)) != Some(&b'\r'),
        Some(b'\r') => true,
        _ => false,
    };
    let lines = (0..bytes.len()).filter(|at| breaks(*at)).count();
    let line_start = memchr::memrchr2(b'\n', b'\r', bytes).map_or(0, |end| end.saturating_add(1));
    let characters = bytes.iter().skip(line_start).filter(|byte| **byte & 0xC0 != 0x80).count() as u32;
    Place {
        offset: place.offset.saturating_add(bytes.len() as u64),
        line: place.line.saturating_add(lines as u32),
        column: if lines == 0 { place.column.saturating_add(characters) } else { characters.saturating_add(1) },
    }
}
