//! The XML reader, which turns bytes into events.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::{
    limits::Limits,
    span::{Place, Span},
    xml::{
        event::{EncodingNote, Event, Inside, Listener, Start},
        excerpt::{self, Cut},
        fault::Fault,
        input::{HISTORY, Input},
        markup_end::MarkupEnd,
        namespaces::Namespaces,
        position::PositionTracker,
        tag::Tag,
        text_buffer::TextBuffer,
    },
};

/// Reads XML incrementally, window by window.
///
/// Push a window (at most 64 KiB), read events until there are none, and push the next; at the end call [`Xml::finish`]
/// and read the rest. Memory does not grow with the document.
#[derive(Debug)]
pub struct Xml {
    pub(super) limits: Limits,
    pub(super) input: Input,
    pub(super) markup_end: MarkupEnd,
    /// The offset of reading in `input`.
    pub(super) at: usize,
    /// The position of `at`.
    pub(super) ruler: PositionTracker,
    /// Up to here `input` is ASCII without line endings.
    pub(super) plain: usize,
    pub(super) within: Within,
    /// Bytes after `at` that were already scanned.
    pub(super) looked: usize,
    /// The start of the current piece of markup or text.
    pub(super) begin: PositionTracker,
    /// The first characters of that markup, for `related`.
    pub(super) opener: Span,
    pub(super) gathered: TextBuffer,
    /// The target of the current processing instruction.
    pub(super) target: String,
    pub(super) tag: Tag,
    pub(super) namespaces: Namespaces,
    pub(super) open: Vec<Open>,
    /// The concatenated names of the open elements.
    pub(super) names: String,
    pub(super) root_seen: bool,
    /// The end event of `<x/>` is pending.
    pub(super) owed_end: bool,
    /// The declared encoding, if it differs from the actual one.
    pub(super) declared: Option<String>,
    pub(super) begun: bool,
    /// The offset of the first character.
    pub(super) first: u64,
    /// After a fault: where its span starts, in `input`.
    pub(super) stopped: Option<usize>,
    pub(super) position: Place,
}

/// An open element.
#[derive(Debug, Clone)]
pub(super) struct Open {
    /// The start of its name in `names`.
    pub(super) name: usize,
    /// The number of bindings before it.
    pub(super) bindings: usize,
    pub(super) name_span: Span,
}

/// The unfinished piece of markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    Nothing,
    StartTag,
    EndTag,
    Text,
    Cdata,
    Comment,
    /// A processing instruction before the end of its name.
    Target,
    Instruction,
    Declaration,
}

/// The result of a step. The texts of an event are still in the buffer; its span is from `begin` to `ruler`.
///
/// It is small, since moving spans and texts through every step took a fifth of the time.
pub(super) enum Step {
    /// A start tag at this index; true if ASCII on one line.
    Start(usize, bool),
    /// Text without references, between two indexes; true for CDATA.
    Raw(usize, usize, bool),
    /// Text in `gathered`; true for CDATA.
    TextBuffer(bool),
    End,
    Comment,
    Instruction,
    /// The declared encoding differs.
    Declared(Box<Span>),
    /// A byte order mark of UTF-16.
    Utf16,
    /// No event yet; continue.
    Again,
    /// More bytes are needed, or the document has ended.
    Enough,
}

/// A step, or the fault that ends everything.
pub(super) type Stepped = Result<Step, Box<Fault>>;

impl Xml {
    /// A reader at the start of a document.
    pub fn new(limits: &Limits) -> Xml {
        let ruler = PositionTracker::new();
        Xml {
            limits: limits.clone(),
            input: Input::new(limits.document_bytes),
            markup_end: MarkupEnd::default(),
            at: 0,
            ruler,
            plain: 0,
            within: Within::Nothing,
            looked: 0,
            begin: ruler,
            opener: Span::default(),
            gathered: TextBuffer::new(limits.value_bytes),
            target: String::new(),
            tag: Tag::default(),
            namespaces: Namespaces::new(),
            open: Vec::new(),
            names: String::new(),
            root_seen: false,
            owed_end: false,
            declared: None,
            begun: false,
            first: 0,
            stopped: None,
            position: ruler.place(),
        }
    }

    /// Adds the next bytes; preferably at most 64 KiB, and after all events so far were read.
    pub fn push(&mut self, bytes: &[u8]) {
        match self.stopped {
            Some(stopped) => self.input.push_after(bytes, stopped),
            None => {
                let dropped = self.input.push(bytes, self.at);
                self.at = self.at.saturating_sub(dropped);
                self.plain = self.plain.saturating_sub(dropped);
            }
        }
    }

    /// Ends the input.
    pub fn finish(&mut self) {
        self.input.finish();
    }

    /// The next event; `None` if more bytes are needed or the document has ended.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Event<'_>> {
        match self.said() {
            Some(Ok(step)) => self.event(step),
            Some(Err(fault)) => Some(Event::Fault(fault)),
            None => None,
        }
    }

    /// As `next`, with a callback, which avoids writing each event to memory and matching it again.
    #[inline(always)] // returning through memory took a twentieth of reading
    pub(crate) fn next_to<L: Listener>(&mut self, listener: &mut L) -> Option<L::Answer> {
        let step = match self.said()? {
            Ok(step) => step,
            Err(fault) => return Some(listener.fault(fault)),
        };
        Some(match step {
            Step::Start(from, plain) => listener.start(&self.start(from, plain)),
            Step::Raw(from, to, _) => listener.text(self.text_between(from, to), self.span(), false),
            Step::TextBuffer(_) => listener.text(self.gathered.text(), self.span(), self.gathered.cut()),
            Step::End => listener.end(),
            Step::Comment | Step::Instruction => listener.aside(self.span()),
            Step::Utf16 => listener.encoding(EncodingNote::Utf16, self.span()),
            Step::Declared(span) => listener.encoding(self.declared_note(), *span),
            Step::Again | Step::Enough => return None,
        })
    }

    /// Continues until there is an event.
    #[inline(always)] // as `next_to`
    pub(super) fn said(&mut self) -> Option<Result<Step, Fault>> {
        let step = loop {
            match self.step() {
                Ok(Step::Again) => {}
                Ok(Step::Enough) if self.input.read_on(self.at) => {}
                Ok(Step::Enough) => return None,
                Ok(step) => break step,
                Err(fault) => return Some(Err(self.stop(*fault))),
            }
        };
        self.position = self.ruler.place();
        Some(Ok(step))
    }

    /// The position after the last event; after a fault, its start.
    pub fn position(&self) -> Place {
        self.position
    }

    /// The bytes of the document up to the position, or all of it in its own encoding once it was read to its end.
    pub(crate) fn bytes(&self) -> u64 {
        let is_over = self.input.readable_offset() == self.position.offset;
        self.input.encoded().filter(|_| is_over).unwrap_or(self.position.offset)
    }

    /// The namespace bound to a prefix in the scope of the last start tag; the empty prefix is the default namespace.
    pub fn namespace(&self, prefix: &str) -> Option<&str> {
        self.namespaces.bound(prefix)
    }

    /// The line around the start of a span.
    pub fn excerpt(&self, span: &Span) -> Cut {
        if span.start.offset.saturating_add(HISTORY as u64) < self.position.offset {
            return Cut::Gone;
        }
        excerpt::cut(&self.input, span, self.first)
    }

    pub(super) fn event(&self, step: Step) -> Option<Event<'_>> {
        let span = self.span();
        Some(match step {
            Step::Start(from, plain) => Event::Start(self.start(from, plain)),
            Step::Raw(from, to, cdata) => {
                Event::Text { text: self.text_between(from, to).into(), span, cdata, cut: false }
            }
            Step::TextBuffer(cdata) => {
                Event::Text { text: self.gathered.text().into(), span, cdata, cut: self.gathered.cut() }
            }
            Step::End => Event::End { span },
            Step::Comment => Event::Aside { instruction: None, span },
            Step::Instruction => Event::Aside { instruction: Some(&self.target), span },
            Step::Utf16 => Event::Encoding(EncodingNote::Utf16, span),
            Step::Declared(span) => Event::Encoding(self.declared_note(), *span),
            Step::Again | Step::Enough => return None,
        })
    }

    #[inline(always)] // as `next_to`
    fn start(&self, from: usize, plain: bool) -> Start<'_> {
        let (text, tag) = (self.text_between(from, self.at), &self.tag);
        let (prefix, local) = tag.name.parts(text);
        let namespace = tag.binding.map_or("", |binding| self.namespaces.uri(binding));
        let inside = Inside { xml: self, text, plain, simple: plain || self.input.is_simple(from) };
        Start { prefix, local, namespace, span: self.span(), inside }
    }

    /// From the start of the last piece of markup or text to the current position.
    #[inline]
    fn span(&self) -> Span {
        Span::new(self.begin.place(), self.ruler.place())
    }

    #[inline]
    fn text_between(&self, from: usize, to: usize) -> &str {
        self.input.text().get(from..to).unwrap_or_default()
    }

    fn declared_note(&self) -> EncodingNote {
        EncodingNote::Declared(self.declared.clone().unwrap_or_default())
    }

    /// Advances; returns whether the bytes are ASCII on one line.
    #[inline(always)] // nearly always two additions
    pub(super) fn advance(&mut self, length: usize) -> bool {
        if length == 0 {
            return true;
        }
        let to = self.at.saturating_add(length);
        if to <= self.plain {
            self.ruler.advance_plain(length);
            self.at = to;
            return true;
        }
        if self.input.is_simple(self.at) && !self.ruler.is_after_cr() {
            let mut line_end = self.plain.max(self.at);
            let text = self.input.bytes(0);
            self.ruler.advance_lines(text, self.at, to, &mut line_end);
            (self.at, self.plain) = (to, line_end);
            return false;
        }
        let text = self.input.text().as_bytes();
        self.ruler.advance(text.get(self.at..to).unwrap_or_default());
        self.at = to;
        self.plain = self.input.plain(to);
        false
    }

    fn stop(&mut self, fault: Fault) -> Fault {
        let distance = fault.span.start.offset.saturating_sub(self.ruler.offset());
        self.stopped = Some(self.at.saturating_add(usize::try_from(distance).unwrap_or(0)));
        self.position = fault.span.start;
        fault
    }
}
