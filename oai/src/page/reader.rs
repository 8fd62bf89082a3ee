//! The page reader: takes bytes, returns pieces.

use alloc::{boxed::Box, sync::Arc};
use core::fmt;

use resourcesync::{
    limits::Limits as XmlLimits,
    span::{Place, Span},
    xml::{Context, Event, Fault, Xml},
};

use super::{
    Cut, Piece,
    assembly::{Assembly, LIST_DEPTH, Next},
    held::Held,
    input::{Broken, Input, Oddity},
    origin::Origin,
    recovery::Recovering,
};
use crate::{catalogue::Code, limits::Limits, note::Note};

/// Reads one page.
///
/// 1. [`push`](PageReader::push) the next bytes, preferably at most 64 KiB at a time.
/// 2. Call [`next`](PageReader::next) until it returns `None`.
/// 3. Repeat from 1; after the last bytes call [`finish`](PageReader::finish) and take the rest. The last piece is [`Piece::End`].
///
/// The memory use is one list item and 64 KiB. The pieces do not depend on how the bytes are split.
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
    pub(super) limits: Limits,
    pub(super) xml_limits: XmlLimits,
    pub(super) input: Input,
    pub(super) broken: Option<Broken>,
    pub(super) finished: bool,
    pub(super) held: Held,
    pub(super) xml: Xml,
    /// The list, for a reader that starts inside it.
    pub(super) context: Option<Context>,
    pub(super) origin: Option<Arc<Origin>>,
    pub(super) assembly: Assembly,
    pub(super) state: State,
    /// Damaged items since the last valid one.
    pub(super) damaged: u32,
    /// The offset after the last item of the list, or after the start tag of the list.
    pub(super) resumable: Place,
    pub(super) transcoded: Option<&'static str>,
}

pub(super) enum State {
    Reading,
    /// Inside markup that started at this depth.
    Markup(usize),
    /// Inside an unknown element at this depth.
    Skipping(usize),
    /// Searching for the next item.
    Recovering(Box<Recovering>),
    /// Not a page: the type is determined once enough bytes are available. If the response is a page after all, it ends
    /// with the fault.
    Naming(Option<Fault>),
    Ended,
}

impl PageReader {
    /// Creates a reader at the start of a page.
    pub fn new(limits: &Limits) -> PageReader {
        PageReader::with_charset(limits, None)
    }

    /// Like `new`, with the `charset` of the `Content-Type`. The declaration of the page takes precedence.
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

    /// Creates a reader inside the list of a page, at the start of an item.
    pub(super) fn inside(origin: &Origin, place: Place) -> PageReader {
        let mut reader = PageReader::new(&origin.limits);
        reader.input = Input::utf8();
        reader.xml = Xml::inside(&reader.xml_limits, &origin.context, place);
        reader.context = Some(origin.context.clone());
        reader.assembly = Assembly::inside(origin);
        reader.resumable = place;
        reader
    }

    /// Leaves the digest of the page to the caller, who may have a faster one: that of [`Ending::Whole`](super::Ending) is zeros.
    pub(crate) fn hash_elsewhere(&mut self) {
        self.input.digest = None;
    }

    /// Adds the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.broken.is_none() {
            let pushed = self.input.push(bytes, self.limits.inflate_ratio, &mut self.held.bytes);
            self.took(pushed);
        }
    }

    /// Marks the end of the bytes.
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

    /// The encoding of the page, if not UTF-8. All returned data is UTF-8.
    pub fn transcoded(&self) -> Option<&'static str> {
        self.transcoded
    }

    /// True once `</OAI-PMH>` has been read: the page is complete regardless of what follows.
    pub fn is_whole(&self) -> bool {
        self.assembly.ended
    }

    /// The next piece; `None` if more bytes are needed or the page has ended.
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

    /// Reads further. Returns false if more bytes are needed or the page has ended.
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
                Some(Event::Text { text, cut, span, .. }) => {
                    self.assembly.text(&text, cut);
                    let written = || self.held.part(span.start.offset, span.end.offset);
                    if self.assembly.is_in_container() && !written().trim_ascii().is_empty() {
                        self.assembly.text_between();
                    }
                    Some(Next::Event)
                }
                Some(Event::Aside { span, .. }) => {
                    self.assembly.aside(span);
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

    /// Between two items, where reading can be resumed.
    fn settle(&mut self) {
        if self.assembly.item.start.is_none() && self.assembly.list().is_some() && self.xml.depth() == LIST_DEPTH {
            self.resumable = self.xml.position();
            if self.context.is_none() {
                self.context = Some(self.xml.context(LIST_DEPTH));
            }
        }
    }

    /// Passes further bytes to the XML reader. Returns false if more bytes are needed or the page has ended.
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

    /// Handles the end of an item.
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
}

impl fmt::Debug for PageReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageReader").field("position", &self.xml.position()).finish_non_exhaustive()
    }
}
