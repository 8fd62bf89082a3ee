//! The reader, which parses pushed bytes into items.

use super::{
    parts::{At, Parts, Step},
    repeat::{Attempt, Templates},
};
use crate::{
    limits::Limits,
    model::{Entry, Item},
    rules::EntryShape,
    span::{Place, Span},
    xml::{Cut, EncodingNote, Fault, Xml},
};

/// A result of reading.
#[derive(Debug)]
pub enum ReadEvent<'a> {
    /// A part of the document.
    Item(Item<'a>),
    /// The document has an encoding that is reported but can be read.
    Encoding(EncodingNote, Span),
    /// The document cannot be read further. This is the last event.
    Fault(Fault),
}

/// Reads one document.
///
/// Call [`Reader::feed`] with bytes in windows of any size, then [`Reader::end`]. For access to the reader between
/// events, [`push`](Reader::push) a window, call [`next`](Reader::next) until it returns `None`, and push the next
/// window; then call [`finish`](Reader::finish) and `next` again. Memory does not grow with the document.
///
/// ```
/// use resourcesync::{limits::Limits, model::Item, read::{ReadEvent, Reader}};
///
/// let (mut reader, mut entries) = (Reader::new(&Limits::default()), 0);
/// let mut count = |event: ReadEvent<'_>| if let ReadEvent::Item(Item::Entry(_)) = event { entries += 1 };
/// reader.feed(br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://example.com/</loc></url></urlset>"#, &mut count);
/// reader.end(&mut count);
/// assert_eq!(entries, 1);
/// ```
#[derive(Debug)]
pub struct Reader {
    xml: Xml,
    parts: Parts,
    templates: Templates,
    finished: bool,
    ended: bool,
}

/// Maximum bytes per call: the window of the tokenizer.
const WINDOW: usize = 64 << 10;

impl Reader {
    /// Starts a document. Foreign elements are skipped.
    pub fn new(limits: &Limits) -> Reader {
        Reader {
            xml: Xml::new(limits),
            parts: Parts::new(limits, false),
            templates: Templates::new(limits),
            finished: false,
            ended: false,
        }
    }

    /// Keeps foreign elements, so that the document can be written again.
    pub fn keeping(limits: &Limits) -> Reader {
        Reader { parts: Parts::new(limits, true), ..Reader::new(limits) }
    }

    /// Reads every entry as if none repeated another: for tests, which compare both.
    #[doc(hidden)]
    #[must_use]
    pub fn without_templates(mut self) -> Reader {
        self.templates.stop(&mut self.parts.entry);
        self
    }

    /// Pushes bytes window by window and passes on each event.
    pub fn feed(&mut self, bytes: &[u8], take: &mut dyn FnMut(ReadEvent<'_>)) {
        for window in Reader::windows(bytes) {
            self.push(window);
            self.drain(take);
        }
    }

    /// Ends the document and passes on the last events.
    pub fn end(&mut self, take: &mut dyn FnMut(ReadEvent<'_>)) {
        self.finish();
        self.drain(take);
    }

    fn drain(&mut self, take: &mut dyn FnMut(ReadEvent<'_>)) {
        while let Some(event) = self.next() {
            take(event);
        }
    }

    /// Splits bytes into windows that [`Reader::push`] reads completely.
    pub(crate) fn windows(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
        bytes.chunks(WINDOW)
    }

    /// Takes the next window; at most the first 64 KiB of it are used. Returns how many bytes were taken.
    pub fn push(&mut self, bytes: &[u8]) -> usize {
        let window = bytes.get(..WINDOW).unwrap_or(bytes);
        if window.is_empty() {
            return 0;
        }
        self.xml.push(window);
        window.len()
    }

    /// Does not wait for the rest of an entry that may be like others: it does not come.
    pub(crate) fn expect_no_more(&mut self) {
        self.templates.stop(&mut self.parts.entry);
    }

    /// Ends the input.
    pub fn finish(&mut self) {
        self.xml.finish();
        self.finished = true;
    }

    /// True after `finish`.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The current position.
    pub fn position(&self) -> Place {
        self.xml.position()
    }

    /// The bytes read, in the encoding of the document once it was read to its end.
    pub(crate) fn bytes(&self) -> u64 {
        self.xml.bytes()
    }

    /// The excerpt around a span, while it is buffered.
    pub fn excerpt(&self, span: &Span) -> Cut {
        self.xml.excerpt(span)
    }

    /// True once the root declared the ResourceSync namespace, a near miss of it, or its usual prefix.
    pub(crate) fn announces_resource_sync(&self) -> bool {
        self.parts.announces
    }

    /// Takes the entry that was read last, without copying.
    pub fn take_entry(&mut self) -> Entry {
        self.templates.forget_entry();
        core::mem::take(&mut self.parts.entry)
    }

    /// The next item; `None` until more bytes are pushed, or at the end.
    #[allow(clippy::should_implement_trait)] // the result borrows from the reader
    pub fn next(&mut self) -> Option<ReadEvent<'_>> {
        self.next_shaped().map(|(event, _)| event)
    }

    /// As `next`, with the shape of an entry if others may have the same.
    pub(crate) fn next_shaped(&mut self) -> Option<(ReadEvent<'_>, Option<EntryShape>)> {
        if self.ended {
            return None;
        }
        if core::mem::take(&mut self.parts.root_namespace) {
            let namespace = self.parts.namespace.as_ref();
            return namespace.map(|namespace| (ReadEvent::Item(Item::Namespace(namespace)), None));
        }
        let step = loop {
            if cfg!(feature = "repeat") && self.parts.at == At::Root && self.parts.skipped == 0 {
                match self.templates.attempt(&mut self.xml, &mut self.parts) {
                    Attempt::Entry(shape) => {
                        return Some((ReadEvent::Item(Item::Entry(&self.parts.entry)), Some(shape)));
                    }
                    Attempt::Short => return None,
                    Attempt::Other => {}
                }
            }
            if self.parts.ignores_blanks() {
                self.xml.pass_blanks();
            }
            match self.xml.next_to(&mut self.parts) {
                Some(Step::Nothing) => {}
                Some(step) => break step,
                None if self.finished => return Some((self.end_of_document(), None)),
                None => return None,
            }
        };
        let parts = &mut self.parts;
        let item = match step {
            Step::Fault => {
                self.ended = true;
                return parts.fault.take().map(|fault| (ReadEvent::Fault(fault), None));
            }
            Step::Encoding => {
                return parts.encoding.take().map(|(note, span)| (ReadEvent::Encoding(note, span), None));
            }
            Step::Entry => {
                let is_enabled = cfg!(feature = "repeat");
                let shape = if is_enabled { self.templates.learn(&self.xml, &parts.entry) } else { None };
                return Some((ReadEvent::Item(Item::Entry(&parts.entry)), shape));
            }
            Step::Root => Item::Root(&parts.root),
            Step::Md => Item::Md(&parts.md),
            Step::Link => Item::Link(&parts.link),
            Step::Nothing => Item::Entry(&parts.entry),
            Step::Other => Item::Other(parts.other.as_ref()?),
            Step::Namespace => Item::Namespace(parts.namespace.as_ref()?),
        };
        Some((ReadEvent::Item(item), None))
    }

    /// What is left to say once everything was read.
    fn end_of_document(&mut self) -> ReadEvent<'_> {
        if let Some(digest) = self.parts.extensions.take() {
            return ReadEvent::Item(Item::Extensions(digest));
        }
        self.ended = true;
        ReadEvent::Item(Item::End(self.xml.bytes()))
    }
}
