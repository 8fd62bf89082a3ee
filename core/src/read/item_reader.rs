//! Reads one input item by item from pushed bytes, optionally gzip-compressed, without validation.

use alloc::boxed::Box;

use super::{Input, Unpacked, fault_finding, sniff::ZIP};
use crate::{
    codec::GunzipError,
    diagnostic::{Code, Finding},
    limits::Limits,
    model::{Entry, Item, Kind},
    read::{ReadEvent, Reader},
    report::{self, Diagnostic},
    xml::Cut,
};

/// The callback for items.
pub type OnItem<'t> = dyn FnMut(Item<'_>) + 't;

/// The items passed on.
enum Taking<'a, 't> {
    /// Each item, by reference.
    Items(&'a mut OnItem<'t>),
    /// The entries, by value.
    Entries(&'a mut dyn FnMut(Entry)),
}

/// Reads one input.
///
/// Push bytes in windows of any size, then finish; each item is passed to `take` as soon as it is complete. Memory does not grow
/// with the document. An error that ends reading is reported once, as the finding of validation.
///
/// ```
/// use resourcesync::{limits::Limits, model::Item, read::ItemReader};
///
/// let mut uris = Vec::new();
/// let mut take = |item: Item<'_>| if let Item::Entry(entry) = item { uris.extend(entry.uri().map(ToString::to_string)) };
/// let mut reading = ItemReader::new(&Limits::default());
/// reading.push(br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://example.com/"#, &mut take)?;
/// reading.push(b"</loc></url></urlset>", &mut take)?;
/// reading.finish(&mut take)?;
/// assert_eq!(uris, ["http://example.com/"]);
/// # Ok::<(), Box<resourcesync::report::Diagnostic>>(())
/// ```
#[derive(Debug)]
pub struct ItemReader {
    input: Input,
    document: Document,
}

impl ItemReader {
    /// Starts an input. Foreign elements are skipped.
    pub fn new(limits: &Limits) -> ItemReader {
        ItemReader::with(limits, Reader::new(limits))
    }

    /// Keeps foreign elements, so that the document can be written again.
    pub fn keeping(limits: &Limits) -> ItemReader {
        ItemReader::with(limits, Reader::keeping(limits))
    }

    /// Reads every entry as if none repeated another: for tests, which compare both. Before any bytes.
    #[doc(hidden)]
    #[must_use]
    pub fn without_templates(mut self) -> ItemReader {
        self.document.reader = self.document.reader.without_templates();
        self
    }

    fn with(limits: &Limits, reader: Reader) -> ItemReader {
        let document = Document { reader, entries: limits.entries, ratio: limits.inflate_ratio, end: End::Open };
        ItemReader { input: Input::new(limits.inflate_ratio), document }
    }

    /// Reads the next window.
    ///
    /// # Errors
    ///
    /// If the rest cannot be read: not well-formed, over a limit, corrupt gzip, or not a document. The error is returned
    /// once; later input is ignored.
    pub fn push(&mut self, bytes: &[u8], take: &mut OnItem<'_>) -> Result<(), Box<Diagnostic>> {
        self.give(bytes, &mut Taking::Items(take))
    }

    /// Reads the next window and passes on only the entries, by value and without copying.
    ///
    /// # Errors
    ///
    /// As [`ItemReader::push`].
    pub fn push_for_entries(&mut self, bytes: &[u8], take: &mut dyn FnMut(Entry)) -> Result<(), Box<Diagnostic>> {
        self.give(bytes, &mut Taking::Entries(take))
    }

    fn give(&mut self, bytes: &[u8], take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        self.input.push(bytes, &mut Passing { document: &mut self.document, take });
        self.document.end.failure()
    }

    /// Ends the input.
    ///
    /// # Errors
    ///
    /// As [`ItemReader::push`].
    pub fn finish(&mut self, take: &mut OnItem<'_>) -> Result<(), Box<Diagnostic>> {
        self.end(&mut Taking::Items(take))
    }

    /// Ends the input and passes on the last entries.
    ///
    /// # Errors
    ///
    /// As [`ItemReader::push`].
    pub fn finish_for_entries(&mut self, take: &mut dyn FnMut(Entry)) -> Result<(), Box<Diagnostic>> {
        self.end(&mut Taking::Entries(take))
    }

    fn end(&mut self, take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        self.input.finish(&mut Passing { document: &mut self.document, take });
        if let End::Open = self.document.end {
            self.document.reader.finish();
            self.document.drain(take);
        }
        self.document.end.failure()
    }
}

/// The decompressed document.
#[derive(Debug)]
struct Document {
    reader: Reader,
    /// The maximum number of entries.
    entries: u64,
    ratio: u32,
    end: End,
}

#[derive(Debug)]
enum End {
    /// Reading continues.
    Open,
    /// The rest cannot be read.
    Failed(Box<Diagnostic>),
    /// The error was returned.
    Told,
}

impl End {
    fn failure(&mut self) -> Result<(), Box<Diagnostic>> {
        match core::mem::replace(self, End::Told) {
            End::Failed(diagnostic) => Err(diagnostic),
            other => {
                *self = other;
                Ok(())
            }
        }
    }
}

/// The document, and the receiver of its items.
struct Passing<'d, 'a, 't> {
    document: &'d mut Document,
    take: &'d mut Taking<'a, 't>,
}

impl Unpacked for Passing<'_, '_, '_> {
    fn begin(&mut self, _: &[u8], other: Option<(&'static str, Kind)>) {
        let Some((looks, kind)) = other else { return };
        let code = if kind == Kind::Package && looks != ZIP { Code::PKG_17 } else { Code::INP_02 };
        self.document.refuse(Finding::new(code).arg("looks", looks));
    }

    fn push(&mut self, bytes: &[u8]) {
        for window in Reader::windows(bytes) {
            if let End::Open = self.document.end {
                self.document.reader.push(window);
                self.document.drain(self.take);
            }
        }
    }

    fn broken(&mut self, error: GunzipError) {
        if let End::Open = self.document.end {
            self.document.reader.expect_no_more();
            self.document.drain(self.take);
        }
        // A fault in the decompressed bytes was already reported.
        if let End::Open = self.document.end {
            self.document.refuse(match error {
                GunzipError::Ratio => Finding::new(Code::LIM_11).arg("limit", self.document.ratio),
                _ => Finding::new(Code::INP_03).arg("problem", error.as_str()),
            });
        }
    }
}

impl Document {
    fn drain(&mut self, take: &mut Taking<'_, '_>) {
        while let Some(read) = self.reader.next() {
            match read {
                ReadEvent::Item(Item::Entry(entry)) if entry.number > self.entries => {
                    let finding = Finding::new(Code::LIM_02).arg("limit", self.entries).at(entry.span);
                    return self.refuse(finding);
                }
                ReadEvent::Item(item) => match take {
                    Taking::Items(take) => take(item),
                    Taking::Entries(take) => {
                        if matches!(item, Item::Entry(_)) {
                            take(self.reader.take_entry());
                        }
                    }
                },
                // Only validation reports the encoding.
                ReadEvent::Encoding(..) => {}
                ReadEvent::Fault(fault) => return self.refuse(fault_finding(&fault)),
            }
        }
    }

    fn refuse(&mut self, finding: Finding) {
        let excerpt = finding.span.and_then(|span| match self.reader.excerpt(&span) {
            Cut::Ready(excerpt) => Some(excerpt.into()),
            Cut::Wait | Cut::Gone => None,
        });
        let severity = finding.code.requirement().severity;
        self.end = End::Failed(Box::new(report::diagnostic(&finding, severity, excerpt)));
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString, vec, vec::Vec};

    use super::*;
    use crate::report::Point;

    const LIST: &[u8] =
        br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://example.com/1</loc></url>
        <url><loc>http://example.com/2</loc></url></urlset>"#;

    fn read(bytes: &[u8], window: usize) -> (Vec<alloc::string::String>, Option<Box<Diagnostic>>) {
        let mut items = vec![];
        let mut take = |item: Item<'_>| items.push(format!("{item:?}"));
        let mut reading = ItemReader::new(&Limits::default());
        let pushed = bytes.chunks(window).try_for_each(|window| reading.push(window, &mut take));
        let fault = pushed.and_then(|()| reading.finish(&mut take)).err();
        // Later input changes nothing.
        assert!(fault.is_none() || reading.push(b"<x", &mut take).is_ok());
        (items, fault)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        packed.extend(miniz_oxide::deflate::compress_to_vec(bytes, 6));
        packed.extend(crc32fast::hash(bytes).to_le_bytes());
        packed.extend((bytes.len() as u32).to_le_bytes());
        packed
    }

    #[test]
    fn any_way_of_cutting_and_packing_gives_the_same_items() {
        let (whole, fault) = read(LIST, usize::MAX);
        assert_eq!((whole.len(), fault), (4, None));
        let mut entries = vec![];
        let mut take = |entry: Entry| entries.push(format!("{:?}", Item::Entry(&entry)));
        let mut reading = ItemReader::new(&Limits::default());
        reading.push_for_entries(LIST, &mut take).unwrap();
        reading.finish_for_entries(&mut take).unwrap();
        assert_eq!(entries, whole.get(1..3).unwrap());
        for window in [1, 7, 100] {
            assert_eq!(read(LIST, window), (whole.clone(), None));
            assert_eq!(read(&gzip(LIST), window), (whole.clone(), None));
        }
    }

    #[test]
    fn what_stops_the_reader_is_told_once_and_after_what_came_before_it() {
        let broken = LIST.strip_suffix(b"</url></urlset>").unwrap();
        for window in [1, 1000] {
            let (items, fault) = read(broken, window);
            let fault = fault.unwrap();
            assert_eq!((items.len(), &*fault.code), (2, "GEN-01"));
            assert_eq!(fault.span.map(|span| span.start), Some(Point { line: 2, column: 45 }));
        }
        for (bytes, code) in [
            (&b"PK\x03\x04"[..], "INP-02"),
            (b"Rar!", "PKG-17"),
            (b"{}", "INP-02"),
            (b"", "GEN-01"),
            (b"\x1f\x8b", "INP-03"),
        ] {
            assert_eq!(read(bytes, 1).1.map(|fault| fault.code), Some(code.to_string()), "{bytes:?}");
        }
        assert_eq!(
            read(&gzip(&gzip(LIST)), 9).1.unwrap().message,
            "the input is not XML; it looks like gzip inside gzip"
        );
    }
}
