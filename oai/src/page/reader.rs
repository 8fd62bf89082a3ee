//! The page reader: takes bytes, returns pieces.

use alloc::{boxed::Box, string::String, sync::Arc, vec::Vec};
use core::fmt;

use resourcesync::{
    limits::Limits as XmlLimits,
    read::fault_text,
    span::{Place, Span},
    xml::{Context, Detail, Event, Fault, FaultKind, LimitKind, Xml},
};

use super::{
    Cut, Damage, Damaged, Ending, Piece, Sniffed, SniffedKind,
    assembly::{Assembly, LIST_DEPTH, Next},
    element::item_of,
    input::{Broken, Input, Oddity},
    recovery::{Finder, Found, identifier},
    repair::Origin,
    sniff::{HEAD, sniff},
};
use crate::{
    bytes::Bytes,
    catalogue::Code,
    limits::{Limits, PageLimit},
    note::Note,
};

/// Reads one page.
///
/// 1. [`push`](PageReader::push) the next bytes, best no more than 64 KiB at a time.
/// 2. Take pieces with [`next`](PageReader::next) until there are none.
/// 3. Again from 1; after the last bytes [`finish`](PageReader::finish), and take the rest. The last piece is [`Piece::End`].
///
/// What is held is one item of the list, and 64 KiB. Any way of cutting the bytes gives the same pieces.
///
/// ```
/// use resourcesync_oai::page::{Ending, PageReader, Piece};
///
/// let page = br#"<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate>
/// <request verb="ListIdentifiers">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier>
/// <datestamp>2025-11-20</datestamp></header></ListIdentifiers></OAI-PMH>"#;
/// let mut reader = PageReader::new(&Default::default());
/// reader.push(page);
/// reader.finish();
/// let mut identifiers = Vec::new();
/// while let Some(piece) = reader.next() {
///     match piece {
///         Piece::Header(header) => identifiers.push(header.identifier),
///         Piece::End(ending) => assert!(matches!(ending, Ending::Whole { .. })),
///         _ => {}
///     }
/// }
/// assert_eq!(identifiers, ["oai:a.example:1"]);
/// ```
pub struct PageReader {
    limits: Limits,
    xml_limits: XmlLimits,
    input: Input,
    broken: Option<Broken>,
    finished: bool,
    held: Held,
    xml: Xml,
    /// The list, for reading inside it.
    context: Option<Context>,
    origin: Option<Arc<Origin>>,
    assembly: Assembly,
    state: State,
    /// Damaged items since the last good one.
    damaged: u32,
    /// Just after the last item of the list, or the start tag of the list.
    resumable: Place,
    transcoded: Option<&'static str>,
}

/// The bytes of the page from the item on that is being read.
#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    /// The offset of the first of them.
    base: u64,
    /// How many of them the XML reader has.
    fed: usize,
}

enum State {
    Reading,
    /// Inside the markup that began at this depth.
    Markup(usize),
    /// Inside an element that means nothing, of this depth.
    Skipping(usize),
    /// Looking for the next item.
    Recovering(Box<Recovering>),
    /// It is something else: what, is decided when enough of it is there. Unless it is no page at all, the fault ends it.
    Naming(Option<Fault>),
    Ended,
}

struct Recovering {
    finder: Finder,
    start: Place,
    why: Damage,
    fault: Fault,
    number: u64,
    /// The first bytes of an item beyond the limit, of which no more is kept.
    kept: Option<Bytes>,
    /// Where the bytes begin that are still held.
    held_from: Place,
}

/// Bytes that the XML reader gets at a time, no more and no less before the end: how the page was pushed is not seen by anything.
const WINDOW: usize = 64 << 10;
/// Old bytes are dropped in portions, because what stays has to be moved.
const PORTION: usize = 256 << 10;
/// Bytes of a damaged item that are looked at in one piece, at least.
const LEAST_ROOM: usize = 64 << 10;
/// Bytes at the end of such a piece that belong to the next one too, so that no tag is cut.
const OVERLAP: u64 = 4 << 10;
/// Damaged items without a good one between them, after which a page is given up.
const DAMAGED_IN_A_ROW: u32 = 3;

impl PageReader {
    /// A reader at the start of a page.
    pub fn new(limits: &Limits) -> PageReader {
        PageReader::with_charset(limits, None)
    }

    /// The same, with the `charset` of the `Content-Type`. What the page declares itself wins.
    pub fn with_charset(limits: &Limits, charset: Option<&str>) -> PageReader {
        let mut xml_limits = XmlLimits::default();
        xml_limits.document_bytes = limits.oai_page_bytes;
        // The envelope: root, verb, record, metadata.
        xml_limits.depth = limits.oai_metadata_depth.saturating_add(4);
        xml_limits.value_bytes = xml_limits.value_bytes.max(limits.oai_token_bytes).max(limits.oai_header_values);
        PageReader {
            limits: limits.clone(),
            input: Input::new(charset),
            broken: None,
            finished: false,
            held: Held::default(),
            xml: Xml::new(&xml_limits),
            xml_limits,
            context: None,
            origin: None,
            assembly: Assembly::new(limits.clone()),
            state: State::Reading,
            damaged: 0,
            resumable: Place::default(),
            transcoded: None,
        }
    }

    /// A reader inside the list of a page, at the start of an item.
    pub(super) fn inside(origin: &Origin, place: Place) -> PageReader {
        let mut reader = PageReader::new(&origin.limits);
        reader.input = Input::utf8();
        reader.xml = Xml::inside(&reader.xml_limits, &origin.context, place);
        reader.context = Some(origin.context.clone());
        reader.assembly = Assembly::inside(origin);
        reader.resumable = place;
        reader
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.broken.is_none() {
            let pushed = self.input.push(bytes, self.limits.inflate_ratio, &mut self.held.bytes);
            self.took(pushed);
        }
    }

    /// No more bytes will come.
    pub fn finish(&mut self) {
        if self.broken.is_none() && !self.finished {
            let finished = self.input.finish(self.limits.inflate_ratio, &mut self.held.bytes);
            self.took(finished);
        }
        self.finished = true;
    }

    fn took(&mut self, result: Result<(), Broken>) {
        self.broken = result.err();
        for oddity in self.input.oddities() {
            let note = match oddity {
                Oddity::UnlabelledGzip => Note::new(Code::OAI_58).arg("coding", "gzip"),
                Oddity::BeforeDeclaration(bytes) => Note::new(Code::OAI_03).arg("bytes", bytes),
                Oddity::UnknownEncoding(name) => Note::new(Code::OAI_05).arg("encoding", name),
                Oddity::Transcoded(name) => Note::new(Code::OAI_05).arg("encoding", name),
            };
            self.assembly.note_once(note);
        }
        self.transcoded = self.input.transcoded();
    }

    /// The encoding that the page was read from, if it is not UTF-8. All that is returned is UTF-8.
    pub fn transcoded(&self) -> Option<&'static str> {
        self.transcoded
    }

    /// True once `</OAI-PMH>` was read: whatever follows, the page is whole.
    pub fn is_whole(&self) -> bool {
        self.assembly.ended
    }

    /// The next piece, or none: it takes more bytes, or the page has ended.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Piece> {
        loop {
            if let Some(piece) = self.assembly.pieces.pop_front() {
                return Some(piece);
            }
            if !self.step() {
                return self.assembly.pieces.pop_front();
            }
        }
    }

    /// Reads on. False if it takes more bytes, or the page has ended.
    fn step(&mut self) -> bool {
        match &mut self.state {
            State::Ended => return false,
            State::Recovering(_) => return self.recover(),
            State::Naming(_) => return self.name(),
            _ => {}
        }
        if let Some(limit) = self.assembly.limit {
            self.cut(Cut::Limit(limit));
            return true;
        }
        let next = match &self.state {
            State::Reading => match self.xml.next() {
                Some(Event::Start(start)) => Some(self.assembly.start(&start)),
                Some(Event::Text { text, cut, .. }) => {
                    self.assembly.text(&text, cut);
                    Some(Next::Event)
                }
                Some(Event::End { span }) => {
                    let next = self.assembly.end(span);
                    if next == Next::Item {
                        self.item(span);
                    }
                    Some(Next::Event)
                }
                Some(Event::Fault(fault)) => {
                    self.fault(fault);
                    return true;
                }
                Some(_) => Some(Next::Event),
                None => None,
            },
            State::Markup(depth) => match self.xml.skip(*depth) {
                Some(Event::End { span }) => {
                    let held = &self.held;
                    self.assembly.end_markup(span, |from, to| held.cut(from, to));
                    self.state = State::Reading;
                    Some(Next::Event)
                }
                Some(Event::Fault(fault)) => {
                    self.fault(fault);
                    return true;
                }
                _ => None,
            },
            State::Skipping(depth) => match self.xml.skip(*depth) {
                Some(Event::End { .. }) => {
                    self.state = State::Reading;
                    Some(Next::Event)
                }
                Some(Event::Fault(fault)) => {
                    self.fault(fault);
                    return true;
                }
                _ => None,
            },
            _ => None,
        };
        match next {
            Some(Next::Markup) => self.state = State::Markup(self.xml.depth()),
            Some(Next::Skip) => self.state = State::Skipping(self.xml.depth()),
            Some(Next::OtherRoot) => self.state = State::Naming(None),
            Some(_) => self.settle(),
            None => return self.feed(),
        }
        true
    }

    /// Between two items: where reading could be resumed.
    fn settle(&mut self) {
        if self.assembly.item.start.is_none() && self.assembly.list().is_some() && self.xml.depth() == LIST_DEPTH {
            self.resumable = self.xml.position();
            if self.context.is_none() {
                self.context = Some(self.xml.context(LIST_DEPTH));
            }
        }
    }

    /// Gives the XML reader more, if there is more. False if it takes more bytes, or the page has ended.
    fn feed(&mut self) -> bool {
        let from = match self.assembly.item.start {
            Some(start) => start.offset,
            None if self.assembly.list().is_some() => self.resumable.offset,
            None => self.xml.position().offset,
        };
        let read = self.held.fed_offset().saturating_sub(from);
        if self.assembly.item.start.is_some() && read > self.limits.oai_record_bytes {
            self.damaged_at_limit();
            return true;
        }
        self.held.drop_before(from);
        let is_all = self.finished || self.broken.is_some();
        if let Some(window) = self.held.window(is_all) {
            self.xml.push(window);
            return true;
        }
        if let Some(broken) = self.broken {
            self.break_off(broken);
            return true;
        }
        if !self.finished {
            return false;
        }
        self.xml.finish();
        match self.xml.next() {
            Some(Event::Fault(fault)) => self.end_with(fault),
            Some(_) => {}
            None if self.assembly.ended => self.whole(),
            None => self.state = State::Naming(None),
        }
        true
    }

    /// An item has ended.
    fn item(&mut self, end: Span) {
        let start = self.assembly.item.start.unwrap_or(end.start);
        if end.end.offset.saturating_sub(start.offset) > self.limits.oai_record_bytes {
            return self.damaged_at_limit();
        }
        let raw = self.held.cut(start.offset, end.end.offset);
        self.assembly.take_item(Span::new(start, end.end), raw);
        self.damaged = 0;
        self.resumable = end.end;
    }

    fn fault(&mut self, fault: Fault) {
        if self.assembly.ended {
            self.note_after_end(&fault);
            self.whole();
            return;
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
        // Where tags do not match, the end of this item is missing, and the next may have been read as part of it.
        let from = if is_structural(&fault) {
            start.offset.saturating_add(u64::from(is_in_item))
        } else {
            fault.span.start.offset.max(start.offset.saturating_add(u64::from(is_in_item)))
        };
        let finder = Finder::new(prefix, item, first, verb.as_str(), from);
        self.recover_from(finder, start, Damage::Fault(fault.clone()), fault);
    }

    /// The item that is being read is beyond the limit.
    fn damaged_at_limit(&mut self) {
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

    /// Looks for the next item. False if it takes more bytes.
    fn recover(&mut self) -> bool {
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
                // So long an item is not kept; what was opened in it and not closed hides nothing any more.
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

    /// Continues at an offset, where an item begins, or what follows the items.
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
            FaultKind::NotWellFormed(Detail::UndefinedEntity | Detail::Doctype) => Code::OAI_08,
            _ => Code::OAI_04,
        };
        let note = Note::new(code).at(fault.span);
        let note = match code {
            Code::OAI_05 => note.arg("encoding", "invalid UTF-8"),
            Code::OAI_08 => note,
            _ => note.arg("reason", why.reason()),
        };
        let note = match &identifier {
            Some(identifier) => note.of(identifier),
            None => note,
        };
        self.assembly.pieces.push_back(Piece::Note(note));
        let span = Span::new(start, place);
        let origin = self.origin();
        self.assembly.pieces.push_back(Piece::Damaged(Damaged { raw, why, identifier, number, span, origin }));
        self.damaged = self.damaged.saturating_add(1);
        let context = self.context.clone().filter(|_| self.damaged < DAMAGED_IN_A_ROW);
        let Some(context) = context else { return self.end_with(fault) };
        self.xml = Xml::inside(&self.xml_limits, &context, place);
        self.held.rewind(offset);
        self.resumable = place;
    }

    /// What is around the items of the list.
    fn origin(&mut self) -> Option<Arc<Origin>> {
        if self.origin.is_none() {
            let origin = self.context.clone().and_then(|context| self.assembly.origin(context));
            self.origin = origin.map(Arc::new);
        }
        self.origin.clone()
    }

    /// A note on what follows the page.
    fn note_after_end(&mut self, fault: &Fault) {
        self.assembly.note_once(Note::new(Code::OAI_04).at(fault.span).arg("reason", fault_text(fault)));
    }

    /// The page ends with a fault that nothing can be resumed after.
    fn end_with(&mut self, fault: Fault) {
        if self.assembly.ended {
            self.note_after_end(&fault);
            return self.whole();
        }
        let is_oai = self.assembly.verb.is_some() || self.xml.depth() > 0;
        let is_doctype = fault.kind == FaultKind::NotWellFormed(Detail::Doctype);
        if is_oai {
            self.cut_by(fault);
        } else {
            self.state = State::Naming(is_doctype.then_some(fault));
        }
    }

    fn cut_by(&mut self, fault: Fault) {
        if fault.kind == FaultKind::NotWellFormed(Detail::Doctype) {
            self.assembly.note_once(Note::new(Code::OAI_08).at(fault.span));
        }
        self.cut(Cut::Fault(fault));
    }

    /// Decides what it is that is no page. False if it takes more bytes.
    fn name(&mut self) -> bool {
        self.held.drop_all();
        let is_all = self.finished || self.broken.is_some();
        if self.input.quote().len() < HEAD && !is_all {
            return false;
        }
        let State::Naming(fault) = core::mem::replace(&mut self.state, State::Ended) else { return false };
        let sniffed = sniff(self.input.quote(), self.assembly.other_root.as_deref());
        match fault {
            Some(fault) if sniffed.kind != SniffedKind::Html => self.cut_by(fault),
            _ => self.end(Ending::NotOai(sniffed)),
        }
        true
    }

    /// The compressed body is damaged, or compressed with what is not read.
    fn break_off(&mut self, broken: Broken) {
        match broken {
            Broken::Packed(name) => {
                let kind = SniffedKind::Packed(name);
                self.end(Ending::NotOai(Sniffed { kind, first_line: String::new() }));
            }
            Broken::Gzip(problem) => self.cut(Cut::Gzip(problem)),
        }
    }

    fn cut(&mut self, cut: Cut) {
        if self.assembly.ended {
            return self.whole();
        }
        self.end(Ending::Cut(Box::new(cut)));
    }

    fn whole(&mut self) {
        let (sha256, bytes) = self.input.digest();
        // The rest of the body belongs to the digest.
        if self.finished || self.broken.is_some() {
            self.end(Ending::Whole { sha256, bytes });
        } else {
            self.held.drop_all();
            self.state = State::Reading;
        }
    }

    fn end(&mut self, ending: Ending) {
        self.assembly.pieces.push_back(Piece::End(ending));
        self.state = State::Ended;
        self.held = Held::default();
    }
}

impl fmt::Debug for PageReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageReader").field("position", &self.xml.position()).finish_non_exhaustive()
    }
}

impl Held {
    fn end(&self) -> u64 {
        self.base.saturating_add(self.bytes.len() as u64)
    }

    /// Just after the last byte that the XML reader has.
    fn fed_offset(&self) -> u64 {
        self.base.saturating_add(self.fed as u64)
    }

    fn index(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.bytes.len())
    }

    fn cut(&self, from: u64, to: u64) -> Bytes {
        self.bytes.get(self.index(from)..self.index(to)).unwrap_or_default().into()
    }

    /// The next bytes for the XML reader.
    fn window(&mut self, is_all: bool) -> Option<&[u8]> {
        let end = self.bytes.len().min(self.fed.saturating_add(WINDOW));
        let window = self.bytes.get(self.fed..end)?;
        if window.is_empty() || (window.len() < WINDOW && !is_all) {
            return None;
        }
        self.fed = end;
        Some(window)
    }

    fn drop_before(&mut self, offset: u64) {
        if self.index(offset) >= PORTION {
            self.drop_all_before(offset);
        }
    }

    fn drop_all_before(&mut self, offset: u64) {
        let index = self.index(offset);
        self.bytes.drain(..index);
        self.base = self.base.saturating_add(index as u64);
        self.fed = self.fed.saturating_sub(index);
    }

    fn drop_all(&mut self) {
        let end = self.end();
        self.drop_all_before(end);
    }

    /// The XML reader gets the bytes from this offset on again.
    fn rewind(&mut self, offset: u64) {
        self.fed = self.index(offset);
    }
}

/// Tags do not match: what was read since the item began may not be where it seems to be.
fn is_structural(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::NotWellFormed(Detail::MismatchedEnd | Detail::EndWithoutStart))
}

/// The place after bytes that may be anything, and begin where a character does.
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
