//! The reader: bytes in, events out.

use alloc::{boxed::Box, string::String, vec::Vec};

#[cfg(feature = "std")]
use crate::xml::feed_quick::QuickFeed;
use crate::{
    limits::Limits,
    span::{Place, Span},
    xml::{
        event::{EncodingNote, Event, Inside, Listener, Start},
        excerpt::{self, Cut},
        fault::Fault,
        feed::Feed,
        feed_slice::SliceFeed,
        input::Input,
        namespaces::Namespaces,
        position::PositionTracker,
        tag::Tag,
        text_buffer::TextBuffer,
    },
};

/// A span that starts no farther than this before [`Xml::position`] can still be cut out by [`Xml::excerpt`].
///
/// More than one 64 KiB window, even one of UTF-16, which grows when it is read: whoever is told [`Cut::Wait`] and asks
/// again after the next window is not too late.
pub const HISTORY: usize = 100 << 10;

/// Reads XML as it comes, window by window.
///
/// Push a window (64 KiB at most), take events until there are none, push the next; at last say [`Xml::finish`] and take
/// the rest. What is held does not grow with the document.
#[derive(Debug)]
pub struct Xml {
    pub(super) limits: Limits,
    pub(super) input: Input,
    pub(super) feed: Box<dyn Feed>,
    /// How far `input` has been read.
    pub(super) at: usize,
    /// The place of `at`.
    pub(super) ruler: PositionTracker,
    /// Up to here `input` is ASCII without line ends.
    pub(super) plain: usize,
    pub(super) within: Within,
    /// Bytes after `at` that the feed has seen, or that need not be looked at again.
    pub(super) looked: usize,
    /// Where the piece of markup or text that we are in starts.
    pub(super) begin: PositionTracker,
    /// The first characters of that markup, for `related`.
    pub(super) opener: Span,
    pub(super) gathered: TextBuffer,
    /// The target of the processing instruction that we are in.
    pub(super) target: String,
    pub(super) tag: Tag,
    pub(super) namespaces: Namespaces,
    pub(super) open: Vec<Open>,
    /// The names of the open elements, one after another.
    pub(super) names: String,
    pub(super) root_seen: bool,
    /// `<x/>` still owes its end.
    pub(super) owed_end: bool,
    /// What the declaration names, when it is not what the bytes are.
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
    /// Where its name starts in `names`.
    pub(super) name: usize,
    /// The bindings before it.
    pub(super) bindings: usize,
    pub(super) name_span: Span,
}

/// What we are in the middle of.
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

/// How a step ends. The texts of an event are still in their places; its span goes from `begin` to `ruler`.
///
/// Small on purpose: moving spans and texts through every step cost a fifth of the time.
pub(super) enum Step {
    /// A start tag that began at this index; all ASCII on one line or not.
    Start(usize, bool),
    /// Text that means what is written, from one index to another; CDATA or not.
    Raw(usize, usize, bool),
    /// Text in `gathered`; CDATA or not.
    TextBuffer(bool),
    End,
    Comment,
    Instruction,
    /// The declared encoding is another.
    Declared(Box<Span>),
    /// A byte order mark of UTF-16.
    Utf16,
    /// Something was done; go on.
    Again,
    /// More bytes are needed, or all is said.
    Enough,
}

/// A step, or the fault that ends everything.
pub(super) type Stepped = Result<Step, Box<Fault>>;

impl Xml {
    /// A reader at the start of a document.
    pub fn new(limits: &Limits) -> Xml {
        #[cfg(feature = "std")]
        let feed = Box::new(QuickFeed::default());
        #[cfg(not(feature = "std"))]
        let feed = Box::new(SliceFeed::default());
        Xml::with_feed(limits, feed)
    }

    /// The same with the tokenizer that works without `std`; for tests that compare the two.
    #[doc(hidden)]
    pub fn with_slice_feed(limits: &Limits) -> Xml {
        Xml::with_feed(limits, Box::new(SliceFeed::default()))
    }

    fn with_feed(limits: &Limits, feed: Box<dyn Feed>) -> Xml {
        let ruler = PositionTracker::new();
        Xml {
            limits: limits.clone(),
            input: Input::new(limits.document_bytes),
            feed,
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

    /// Takes the next bytes; best no more than 64 KiB, and after all events so far have been taken.
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

    /// No more bytes will come.
    pub fn finish(&mut self) {
        self.input.finish();
    }

    /// The next event, or none: it takes more bytes, or all is said.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Event<'_>> {
        match self.said() {
            Some(Ok(step)) => self.event(step),
            Some(Err(fault)) => Some(Event::Fault(fault)),
            None => None,
        }
    }

    /// As `next`, told to a listener: an event that may be any is written to memory, and asked again which it is.
    #[inline(always)] // what is given back through memory is waited for: a twentieth of reading
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

    /// Goes on until something is said.
    #[inline(always)] // as `next_to`
    pub(super) fn said(&mut self) -> Option<Result<Step, Fault>> {
        let step = loop {
            match self.step() {
                Ok(Step::Again) => {}
                Ok(Step::Enough) => return None,
                Ok(step) => break step,
                Err(fault) => return Some(Err(self.stop(*fault))),
            }
        };
        self.position = self.ruler.place();
        Some(Ok(step))
    }

    /// Just after the last event; after a clean end, the end of the document; after a fault, its start.
    pub fn position(&self) -> Place {
        self.position
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

    /// From where the last piece of markup or text began to where reading is.
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

    /// Moves on; says whether what was passed is ASCII on one line.
    #[inline(always)] // nearly always it is two additions
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
