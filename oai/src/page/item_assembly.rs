//! Assembles the items of a list, and their markup.

use alloc::{sync::Arc, vec::Vec};

use resourcesync::{
    span::{Place, Span},
    xml::Start,
};

use super::{
    Damage, Damaged, Header, MetadataFormat, Name, Piece, Record, Scope, SetEntry,
    assembly::{Assembly, LIST_DEPTH, Next},
    element::Element,
    item::{Asides, Item, Pending},
};
use crate::{bytes::Bytes, catalogue::Code, limits::PageLimit, note::Note, request::Verb};

impl Assembly {
    /// Starts an element whose bytes are kept.
    pub(super) fn begin_markup(&mut self, start: &Start<'_>) -> Next {
        let around: Vec<(&str, &str)> = start.declared_around().collect();
        // Items rarely contain declarations, so the scope is usually the same.
        let is_usual = around.len() == self.around_items;
        let scope = match &self.scope {
            Some(scope) if is_usual => scope.clone(),
            _ => Arc::new(Scope::new(around.iter().copied())),
        };
        if is_usual && self.scope.is_none() {
            self.scope = Some(scope.clone());
        }
        let inherited = |is_lang: bool| {
            self.inherited.iter().rev().find(|(_, own, _)| *own == is_lang).map(|(_, _, value)| value.clone())
        };
        let from = match core::mem::take(&mut self.item.asides) {
            Asides::From(from) => from,
            Asides::None | Asides::After => start.span.start.offset,
        };
        self.markup = Pending {
            from,
            to: 0,
            scope,
            root: Name { prefix: start.prefix.into(), local: start.local.into(), namespace: start.namespace.into() },
            lang: inherited(true),
            space: inherited(false),
        };
        Next::Markup
    }

    /// True directly inside `metadata` or `about`.
    pub(super) fn is_in_container(&self) -> bool {
        matches!(self.path.last(), Some(Element::Metadata | Element::About))
    }

    /// A comment or a processing instruction: those next to the root of metadata are a part of the document.
    pub(super) fn aside(&mut self, span: Span) {
        let root = match self.path.last() {
            Some(Element::Metadata) => self.item.metadata.as_mut(),
            Some(Element::About) => self.item.about.last_mut(),
            _ => return,
        };
        match (self.item.asides, root) {
            (Asides::None, _) => self.item.asides = Asides::From(span.start.offset),
            (Asides::After, Some(root)) => root.to = span.end.offset,
            (Asides::From(_) | Asides::After, _) => {}
        }
    }

    /// Text next to the root of metadata, where a document has none: what is beyond it does not belong to the document.
    pub(super) fn text_between(&mut self) {
        self.item.asides = Asides::None;
    }

    /// Ends the element.
    pub(super) fn end_markup(&mut self, end: Span, cut_now: impl FnOnce(u64, u64) -> Bytes) {
        let mut markup = core::mem::take(&mut self.markup);
        markup.to = end.end.offset;
        match self.path.last() {
            Some(Element::Metadata) => {
                if self.item.metadata.is_some() {
                    self.item.damage.get_or_insert(Damage::Several("element in metadata"));
                }
                self.item.metadata = Some(markup);
                self.item.asides = Asides::After;
            }
            Some(Element::About) if self.item.about.len() >= self.limits.oai_about as usize => {
                self.item.damage.get_or_insert(Damage::Limit(PageLimit::Abouts));
            }
            Some(Element::About) => {
                self.item.about.push(markup);
                self.item.asides = Asides::After;
            }
            Some(parent) => {
                let (from, parent) = (markup.from, *parent);
                let bytes = cut_now(markup.from, markup.to);
                let markup = markup.cut(&bytes, from);
                match parent {
                    Element::SetDescription => self.set.descriptions.push(markup),
                    Element::Description => self.identify.descriptions.push(markup),
                    _ => self.item.header.extra.push(markup),
                }
            }
            None => {}
        }
    }

    /// Returns the item that has just ended, with these bytes.
    pub(super) fn take_item(&mut self, span: Span, raw: Bytes) {
        let item = core::mem::take(&mut self.item);
        let (number, base) = (item.number, span.start.offset);
        self.item.number = number;
        let is_record = self.verb != Some(Verb::ListIdentifiers);
        let identifier = item.header.identifier.clone();
        let missing = match &item {
            _ if !item.has_header => Some("header"),
            _ if identifier.is_empty() => Some("identifier"),
            _ if is_record && item.metadata.is_none() && !item.header.is_deleted => Some("metadata"),
            _ => None,
        };
        if let Some(part) = missing {
            let note = Note::new(Code::OAI_42).at(span).arg("part", part);
            self.pieces.push_back(Piece::Note(if identifier.is_empty() { note } else { note.of(&identifier) }));
        }
        if let Some(why) = item.damage.or(missing.map(Damage::Missing)) {
            // Of several none is that of the record for certain.
            let is_one = !matches!(why, Damage::Several("identifier" | "header"));
            let identifier = Some(identifier).filter(|identifier| is_one && !identifier.is_empty());
            let damaged = Damaged { raw, why, identifier, number, span, origin: None, repaired: None };
            self.pieces.push_back(Piece::Damaged(damaged));
            return;
        }
        self.note_header(&item.header, item.datestamp_span, span);
        if !is_record {
            self.pieces.push_back(Piece::Header(item.header));
            return;
        }
        let has_content = item.has_metadata || !item.about.is_empty();
        if item.header.is_deleted && has_content {
            self.pieces.push_back(Piece::Note(Note::new(Code::OAI_39).at(span).of(&identifier)));
        }
        // Metadata sent with a deleted record is discarded.
        let metadata = item.metadata.filter(|_| !item.header.is_deleted).map(|markup| markup.cut(&raw, base));
        let about = item.about.into_iter().map(|markup| markup.cut(&raw, base)).collect();
        let record = Record { header: item.header, metadata, about, number, span, raw };
        self.pieces.push_back(Piece::Record(record));
    }

    fn note_header(&mut self, header: &Header, place: Span, span: Span) {
        match &header.datestamp {
            None => {
                let note = Note::new(Code::OAI_42).at(span).of(&header.identifier);
                self.pieces.push_back(Piece::Note(note.arg("part", "datestamp")));
            }
            Some(datestamp) if !datestamp.is_exact => {
                let note = Note::new(Code::OAI_32).at(place).of(&header.identifier);
                self.pieces.push_back(Piece::Note(note.arg("value", datestamp.text.as_str())));
            }
            Some(_) => {}
        }
    }

    pub(super) fn begin_item(&mut self, place: Place) {
        let number = self.count_item();
        self.item = Item { start: Some(place), number, ..Item::default() };
        self.set = SetEntry::default();
        self.format = MetadataFormat::default();
    }

    /// Discards the current item: all state inside the list is cleared.
    pub(super) fn abandon_item(&mut self) {
        self.path.truncate(LIST_DEPTH);
        self.inherited.retain(|(depth, ..)| *depth <= LIST_DEPTH);
        self.item = Item { number: self.item.number, ..Item::default() };
    }

    /// Starts the next item, or the rest of one.
    pub(super) fn count_item(&mut self) -> u64 {
        self.item.number = self.item.number.saturating_add(1);
        self.item.number
    }
}
