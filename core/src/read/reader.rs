//! The reader: bytes are pushed in, items come out.

use super::parts::{Parts, Step};
use crate::{
    limits::Limits,
    model::{Entry, Item},
    span::{Place, Span},
    xml::{Cut, EncodingNote, Fault, Xml},
};

/// What reading yields.
#[derive(Debug)]
pub enum ReadEvent<'a> {
    /// A part of the document.
    Item(Item<'a>),
    /// The document is in an encoding that is worth a word, but can be read.
    Encoding(EncodingNote, Span),
    /// The document cannot be read further. Nothing follows.
    Fault(Fault),
}

/// Reads one document.
///
/// [`Reader::feed`] it bytes in windows of any size, then [`Reader::end`] it. Where more than the events is needed,
/// [`push`](Reader::push) a window, take events by [`next`](Reader::next) until there are none, push the next; then
/// [`finish`](Reader::finish) and take the rest. Memory does not grow with the document.
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
    finished: bool,
    ended: bool,
}

/// Bytes taken at a time: the window of the tokenizer.
const WINDOW: usize = 64 << 10;

impl Reader {
    /// At the beginning of a document. Foreign elements are passed over.
    pub fn new(limits: &Limits) -> Reader {
        Reader { xml: Xml::new(limits), parts: Parts::new(limits, false), finished: false, ended: false }
    }

    /// Keeps foreign elements, so that the document can be written again.
    pub fn keeping(limits: &Limits) -> Reader {
        Reader { parts: Parts::new(limits, true), ..Reader::new(limits) }
    }

    /// Reads by the tokenizer that needs no std, wherever it runs; for comparing the two.
    #[doc(hidden)]
    pub fn with_slice_feed(limits: &Limits) -> Reader {
        Reader { xml: Xml::with_slice_feed(limits), ..Reader::new(limits) }
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

    /// Bytes in windows that [`Reader::push`] takes whole.
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

    /// Says that no more bytes will come.
    pub fn finish(&mut self) {
        self.xml.finish();
        self.finished = true;
    }

    /// True after `finish`.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// How far reading has come.
    pub fn position(&self) -> Place {
        self.xml.position()
    }

    /// The excerpt around a span, while it is buffered.
    pub fn excerpt(&self, span: &Span) -> Cut {
        self.xml.excerpt(span)
    }

    /// Takes away the entry that was read last, for callers that keep it: no copy has to be made.
    pub fn take_entry(&mut self) -> Entry {
        core::mem::take(&mut self.parts.entry)
    }

    /// The next item; `None` until more bytes are pushed, or at the end.
    #[allow(clippy::should_implement_trait)] // what it gives borrows from the reader
    pub fn next(&mut self) -> Option<ReadEvent<'_>> {
        if self.ended {
            return None;
        }
        if core::mem::take(&mut self.parts.root_namespace) {
            return self.parts.namespace.as_ref().map(|namespace| ReadEvent::Item(Item::Namespace(namespace)));
        }
        let step = loop {
            if self.parts.ignores_blanks() {
                self.xml.pass_blanks();
            }
            match self.xml.next_to(&mut self.parts) {
                Some(Step::Nothing) => {}
                Some(step) => break step,
                None if self.finished => {
                    if let Some(digest) = self.parts.extensions.take() {
                        return Some(ReadEvent::Item(Item::Extensions(digest)));
                    }
                    self.ended = true;
                    return Some(ReadEvent::Item(Item::End(self.xml.position().offset)));
                }
                None => return None,
            }
        };
        let parts = &mut self.parts;
        Some(ReadEvent::Item(match step {
            Step::Fault => {
                self.ended = true;
                return parts.fault.take().map(ReadEvent::Fault);
            }
            Step::Encoding => return parts.encoding.take().map(|(note, span)| ReadEvent::Encoding(note, span)),
            Step::Root => Item::Root(&parts.root),
            Step::Md => Item::Md(&parts.md),
            Step::Link => Item::Link(&parts.link),
            Step::Entry | Step::Nothing => Item::Entry(&parts.entry),
            Step::Other => Item::Other(parts.other.as_ref()?),
            Step::Namespace => Item::Namespace(parts.namespace.as_ref()?),
        }))
    }
}
