//! The reader: takes bytes, gives events.

use alloc::{boxed::Box, string::String, vec::Vec};

#[cfg(feature = "std")]
use crate::xml::feed_quick::QuickFeed;
use crate::{
    limits::Limits,
    span::{Place, Span},
    xml::{
        decode::Undecodable,
        detail::Detail,
        event::{EncodingNote, Event, Inside, Start},
        excerpt::{self, Cut},
        fault::{Arg, EncodingFault, Fault, FaultKind, LimitKind, Problem, named},
        feed::Feed,
        feed_slice::SliceFeed,
        gather::Gathered,
        input::{End, Input},
        namespaces::Namespaces,
        ruler::{self, Ruler},
        tag::Tag,
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
    pub(super) ruler: Ruler,
    /// Up to here `input` is ASCII without line ends.
    plain: usize,
    pub(super) within: Within,
    /// Bytes after `at` that the feed has seen, or that need not be looked at again.
    pub(super) looked: usize,
    /// Where the piece of markup or text that we are in starts.
    pub(super) begin: Ruler,
    /// The first characters of that markup, for `related`.
    pub(super) opener: Span,
    pub(super) gathered: Gathered,
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
    begun: bool,
    /// The offset of the first character.
    pub(super) first: u64,
    /// After a fault: where its span starts, in `input`.
    stopped: Option<usize>,
    position: Place,
}

/// An open element.
#[derive(Debug)]
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
    Gathered(bool),
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
        let ruler = Ruler::new();
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
            gathered: Gathered::new(limits.value_bytes),
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
            position: ruler.place,
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
        let step = loop {
            match self.step() {
                Ok(Step::Again) => {}
                Ok(Step::Enough) => return None,
                Ok(step) => break step,
                Err(fault) => return Some(Event::Fault(self.stop(*fault))),
            }
        };
        self.position = self.ruler.place;
        self.event(step)
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

    #[inline]
    fn event(&self, step: Step) -> Option<Event<'_>> {
        let span = Span::new(self.begin.place, self.ruler.place);
        let text = |from: usize, to: usize| self.input.text().get(from..to).unwrap_or_default();
        Some(match step {
            Step::Start(from, plain) => {
                let (text, tag) = (text(from, self.at), &self.tag);
                let (prefix, local) = tag.name.parts(text);
                let namespace = tag.binding.map_or("", |binding| self.namespaces.uri(binding));
                let name_span = self.open.last().map_or(span, |open| open.name_span);
                let inside = Inside { text, tag, namespaces: &self.namespaces, ruler: self.begin, plain };
                Event::Start(Start { prefix, local, namespace, span, name_span, inside })
            }
            Step::Raw(from, to, cdata) => Event::Text { text: text(from, to).into(), span, cdata, cut: false },
            Step::Gathered(cdata) => {
                Event::Text { text: self.gathered.text().into(), span, cdata, cut: self.gathered.cut() }
            }
            Step::End => Event::End { span },
            Step::Comment => Event::Aside { instruction: None, span },
            Step::Instruction => Event::Aside { instruction: Some(&self.target), span },
            Step::Utf16 => Event::Encoding(EncodingNote::Utf16, span),
            Step::Declared(span) => {
                Event::Encoding(EncodingNote::Declared(self.declared.clone().unwrap_or_default()), *span)
            }
            Step::Again | Step::Enough => return None,
        })
    }

    #[inline]
    fn step(&mut self) -> Stepped {
        if self.stopped.is_some() {
            return Ok(Step::Enough);
        }
        match self.within {
            Within::Nothing => self.between(),
            Within::StartTag => self.start_tag(),
            Within::EndTag => self.end_tag(),
            Within::Text => self.text(),
            Within::Cdata => self.cdata(),
            Within::Comment => self.comment(),
            Within::Target => self.target(),
            Within::Instruction => self.instruction(),
            Within::Declaration => self.declaration(),
        }
    }

    /// Between two pieces of markup.
    #[inline]
    fn between(&mut self) -> Stepped {
        if self.owed_end {
            self.owed_end = false;
            self.begin.place = back(self.ruler.place, 2);
            self.close();
            return Ok(Step::End);
        }
        if !self.begun {
            return self.begin_document();
        }
        let rest = self.input.rest(self.at);
        let bytes = rest.as_bytes();
        match bytes {
            [] => self.end_of_input(),
            [b'<', b'/', ..] => self.enter(Within::EndTag, 2),
            [b'<', b'?', ..] => self.enter(Within::Target, 2),
            [b'<', b'!', ..] => self.bang(),
            [b'<', _, ..] => self.enter(Within::StartTag, 1),
            [b'<'] => self.run_out(Detail::TruncatedTag, Some((0, 1))),
            _ if self.open.is_empty() => self.outside(),
            _ => {
                self.gathered.clear();
                self.enter(Within::Text, 0)
            }
        }
    }

    /// `<!` and what may follow it.
    fn bang(&mut self) -> Stepped {
        let bytes = self.input.rest(self.at).as_bytes();
        let known: [(&[u8], Option<Within>); 3] =
            [(b"<!--", Some(Within::Comment)), (b"<![CDATA[", Some(Within::Cdata)), (b"<!DOCTYPE", None)];
        for (word, within) in known {
            let length = word.len().min(bytes.len());
            let (head, start) = (bytes.get(..length).unwrap_or_default(), word.get(..length).unwrap_or_default());
            // HTML writes `<!doctype`; it is as little welcome.
            let same = head == start || (within.is_none() && head.eq_ignore_ascii_case(start));
            match within {
                _ if !same => continue,
                _ if length < word.len() => return self.run_out(Detail::TruncatedTag, Some((0, length))),
                None => return Err(self.fault(Problem::new(Detail::Doctype, 0, length))),
                Some(Within::Cdata) if self.open.is_empty() => {
                    let detail = if self.root_seen { Detail::ContentAfterRoot } else { Detail::TextBeforeRoot };
                    return Err(self.fault(Problem::new(detail, 0, length)));
                }
                Some(within) => {
                    self.gathered.clear();
                    self.enter(within, length)?;
                    self.advance(length);
                    return Ok(Step::Again);
                }
            }
        }
        Err(self.fault(Problem::new(Detail::BadMarkup, 0, 2)))
    }

    /// Remembers that something starts here, with so many characters that tell what it is.
    fn enter(&mut self, within: Within, opener: usize) -> Stepped {
        self.within = within;
        self.looked = 0;
        self.begin = self.ruler;
        self.opener = Span::new(self.ruler.place, self.ruler.ahead(opener));
        Ok(Step::Again)
    }

    /// Before the first character: a byte order mark, and what it says.
    fn begin_document(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        if rest.is_empty() && self.input.end == End::Open {
            return Ok(Step::Enough);
        }
        self.begun = true;
        if rest.starts_with('\u{FEFF}') {
            self.ruler.skip_mark();
            self.at = self.at.saturating_add(3);
            self.plain = self.at;
            self.first = 3;
        }
        if self.input.is_utf16() {
            return Ok(Step::Utf16);
        }
        Ok(Step::Again)
    }

    /// Nothing is left to read between two pieces of markup.
    fn end_of_input(&mut self) -> Stepped {
        if self.input.end != End::Finished {
            return self.run_out(Detail::NoRoot, None);
        }
        if !self.open.is_empty() {
            return self.unclosed();
        }
        if !self.root_seen {
            let empty = self.input.readable_offset() == self.first;
            return self.run_out(if empty { Detail::EmptyDocument } else { Detail::NoRoot }, None);
        }
        self.position = self.ruler.place;
        Ok(Step::Enough)
    }

    /// The input has ended, or could not be read on, in the middle of something; or more of it is to come.
    ///
    /// `opener`: what was begun, from `at` on.
    pub(super) fn run_out(&mut self, truncated: Detail, opener: Option<(usize, usize)>) -> Stepped {
        let rest = self.input.rest(self.at).len();
        let after = |bytes: usize| rest.saturating_add(bytes);
        let problem = match &self.input.end {
            End::Open => return Ok(Step::Enough),
            End::Finished => match opener {
                Some((start, end)) => Problem::new(truncated, rest, rest).related(start, end),
                None => Problem::new(truncated, rest, rest),
            },
            End::Illegal(character) => Problem::new(Detail::IllegalCharacter, rest, after(character.len_utf8()))
                .with("character", named(*character)),
            End::TooLong => {
                Problem::limit(LimitKind::DocumentBytes, self.limits.document_bytes, rest, rest)
            }
            End::Undecodable(Undecodable::Other(fault)) => Problem::encoding(*fault, rest, rest),
            End::Undecodable(Undecodable::Utf16(bytes)) => {
                Problem::new(Detail::InvalidUtf16, rest, rest).with("bytes", bytes.as_str())
            }
            End::Undecodable(Undecodable::Utf8(bytes, length)) => {
                let mut problem = Problem::new(Detail::InvalidUtf8, rest, after(*length)).with("bytes", bytes.as_str());
                if let Some(declared) = &self.declared {
                    problem.kind = FaultKind::Encoding(EncodingFault::Declared);
                    problem.args.push(("encoding", Arg::from(declared.as_str())));
                }
                problem
            }
        };
        Err(self.fault(problem))
    }

    /// The input has ended while elements are open.
    pub(super) fn unclosed(&mut self) -> Stepped {
        let Some(innermost) = self.open.last() else { return self.run_out(Detail::NoRoot, None) };
        if self.input.end != End::Finished {
            return self.run_out(Detail::TruncatedElement, None);
        }
        let element = self.names.get(innermost.name..).unwrap_or_default();
        let rest = self.input.rest(self.at).len();
        let problem = Problem::new(Detail::TruncatedElement, rest, rest)
            .with("element", element)
            .with("open", self.open.len() as u64);
        let related = innermost.name_span;
        let mut fault = self.fault(problem);
        fault.related = Some(related);
        Err(fault)
    }

    /// A problem from `at` on, as a fault.
    pub(super) fn fault(&self, problem: Box<Problem>) -> Box<Fault> {
        let span = |(start, end): (usize, usize)| Span::new(self.place(start), self.place(end));
        Box::new(Fault {
            kind: problem.kind,
            span: span((problem.start, problem.end)),
            related: problem.related.map(span).or((self.within != Within::Nothing && is_cut(problem.kind)).then_some(self.opener)),
            args: problem.args,
        })
    }

    /// The place so many bytes after `at`.
    fn place(&self, distance: usize) -> Place {
        let mut ruler = self.ruler;
        let ahead = self.input.text().as_bytes().get(self.at..).unwrap_or_default();
        match ahead.get(..distance) {
            Some(bytes) => ruler.advance(bytes),
            // Bytes that are no characters: each of them counts as one.
            None => {
                ruler.advance(ahead);
                ruler.place = ruler.ahead(distance.saturating_sub(ahead.len()));
            }
        }
        ruler.place
    }

    /// Moves on; says whether what was passed is ASCII on one line.
    #[inline]
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
        let text = self.input.text().as_bytes();
        self.ruler.advance(text.get(self.at..to).unwrap_or_default());
        self.at = to;
        self.plain = to.saturating_add(ruler::plain(text.get(to..self.input.readable()).unwrap_or_default()));
        false
    }

    fn stop(&mut self, fault: Fault) -> Fault {
        let distance = fault.span.start.offset.saturating_sub(self.ruler.place.offset);
        self.stopped = Some(self.at.saturating_add(usize::try_from(distance).unwrap_or(0)));
        self.position = fault.span.start;
        fault
    }
}

/// A place so many ASCII characters earlier on the line.
fn back(place: Place, by: u32) -> Place {
    let offset = place.offset.saturating_sub(by.into());
    Place { offset, line: place.line, column: place.column.saturating_sub(by) }
}

/// The document is cut: where the cut thing began is worth showing.
fn is_cut(kind: FaultKind) -> bool {
    use Detail::{TruncatedCdata, TruncatedComment, TruncatedInstruction, TruncatedTag};
    matches!(
        kind,
        FaultKind::NotWellFormed(TruncatedCdata | TruncatedComment | TruncatedInstruction | TruncatedTag)
    )
}
