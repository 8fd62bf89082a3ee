//! Reads one input item by item from pushed bytes, gzip-packed or not, without validation.

use alloc::{boxed::Box, vec::Vec};

use super::{
    fault_finding,
    sniff::{self, Sniffed},
};
use crate::{
    codec::{Gunzip, GunzipError},
    diagnostic::{Code, Finding},
    limits::Limits,
    model::{Entry, Item, Kind},
    read::{ReadEvent, Reader},
    report::{self, Diagnostic},
    xml::Cut,
};

/// Bytes of the magic number of gzip.
const MAGIC: usize = 2;

/// What is called for each item.
pub type OnItem<'t> = dyn FnMut(Item<'_>) + 't;

/// What is taken.
enum Taking<'a, 't> {
    /// Each item, to be looked at.
    Items(&'a mut OnItem<'t>),
    /// The entries, to be kept.
    Entries(&'a mut dyn FnMut(Entry)),
}

/// One input being read.
///
/// Push bytes in windows of any size, then finish; each item is handed to `take` as soon as it is complete. Memory does not grow
/// with the document. What keeps the rest from being read is told once, as the finding that validating it reports.
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
    ratio: u32,
    /// The first bytes, until it is known whether they are gzip.
    head: Vec<u8>,
    begun: bool,
    gunzip: Option<Box<Gunzip>>,
    document: Document,
}

impl ItemReader {
    /// At the beginning of an input. Foreign elements are passed over.
    pub fn new(limits: &Limits) -> ItemReader {
        ItemReader::with(limits, Reader::new(limits))
    }

    /// Keeps foreign elements, so that the document can be written again.
    pub fn keeping(limits: &Limits) -> ItemReader {
        ItemReader::with(limits, Reader::keeping(limits))
    }

    fn with(limits: &Limits, reader: Reader) -> ItemReader {
        let document =
            Document { reader, entries: limits.entries, head: Vec::new(), begun: false, over: false, unpacked: false };
        ItemReader { ratio: limits.inflate_ratio, head: Vec::new(), begun: false, gunzip: None, document }
    }

    /// Takes the next window.
    ///
    /// # Errors
    ///
    /// With what keeps the rest from being read: it is not well-formed, beyond a limit, damaged gzip, or no document at all.
    /// It is told once; whatever is pushed after it is passed over.
    pub fn push(&mut self, bytes: &[u8], take: &mut OnItem<'_>) -> Result<(), Box<Diagnostic>> {
        self.give(bytes, &mut Taking::Items(take))
    }

    /// Takes the next window and hands over the entries alone, to be kept: no copy is made of them.
    ///
    /// # Errors
    ///
    /// As [`ItemReader::push`].
    pub fn push_for_entries(&mut self, bytes: &[u8], take: &mut dyn FnMut(Entry)) -> Result<(), Box<Diagnostic>> {
        self.give(bytes, &mut Taking::Entries(take))
    }

    fn give(&mut self, bytes: &[u8], take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        if self.begun {
            return self.feed(bytes, take);
        }
        let (own, rest) = bytes.split_at_checked(MAGIC.saturating_sub(self.head.len())).unwrap_or((bytes, &[]));
        self.head.extend_from_slice(own);
        if self.head.len() < MAGIC {
            return Ok(());
        }
        self.begin(take)?;
        self.feed(rest, take)
    }

    /// Says that no more bytes will come.
    ///
    /// # Errors
    ///
    /// As [`ItemReader::push`].
    pub fn finish(&mut self, take: &mut OnItem<'_>) -> Result<(), Box<Diagnostic>> {
        self.end(&mut Taking::Items(take))
    }

    /// Says the same and hands over the last entries.
    ///
    /// # Errors
    ///
    /// As [`ItemReader::push`].
    pub fn finish_for_entries(&mut self, take: &mut dyn FnMut(Entry)) -> Result<(), Box<Diagnostic>> {
        self.end(&mut Taking::Entries(take))
    }

    fn end(&mut self, take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        if !self.begun {
            self.begin(take)?;
        }
        if let Some(mut gunzip) = self.gunzip.take() {
            self.unpack(&mut |unpacked| gunzip.finish(unpacked), take)?;
        }
        self.document.finish(take)
    }

    fn begin(&mut self, take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        self.begun = true;
        let head = core::mem::take(&mut self.head);
        if let Sniffed::Gzip = sniff::sniff(&head) {
            self.gunzip = Some(Box::new(Gunzip::new(self.ratio)));
            self.document.unpacked = true;
        }
        self.feed(&head, take)
    }

    fn feed(&mut self, bytes: &[u8], take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        let Some(mut gunzip) = self.gunzip.take() else { return self.document.push(bytes, take) };
        self.unpack(&mut |unpacked| gunzip.push(bytes, unpacked), take)?;
        self.gunzip = Some(gunzip);
        Ok(())
    }

    fn unpack(&mut self, unpack: &mut Unpack<'_>, take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        let mut read = Ok(());
        let unpacked = unpack(&mut |bytes| {
            if read.is_ok() {
                read = self.document.push(bytes, take);
            }
        });
        read?;
        unpacked.or_else(|problem| {
            self.document.refuse(match problem {
                GunzipError::Ratio => Finding::new(Code::LIM_11).arg("limit", self.ratio),
                _ => Finding::new(Code::INP_03).arg("problem", problem.as_str()),
            })
        })
    }
}

/// Unpacks something and hands on what comes of it.
type Unpack<'u> = dyn FnMut(&mut dyn FnMut(&[u8])) -> Result<(), GunzipError> + 'u;

/// The unpacked document.
#[derive(Debug)]
struct Document {
    reader: Reader,
    /// How many there may be.
    entries: u64,
    /// The first bytes, until there are enough to tell what they are.
    head: Vec<u8>,
    begun: bool,
    /// Nothing more is read.
    over: bool,
    /// True where the bytes come out of gzip.
    unpacked: bool,
}

impl Document {
    fn push(&mut self, bytes: &[u8], take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        if self.begun {
            return self.read(bytes, take);
        }
        let (own, rest) = bytes.split_at_checked(sniff::HEAD.saturating_sub(self.head.len())).unwrap_or((bytes, &[]));
        self.head.extend_from_slice(own);
        if self.head.len() < sniff::HEAD {
            return Ok(());
        }
        self.begin(take)?;
        self.read(rest, take)
    }

    fn finish(&mut self, take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        if !self.begun {
            self.begin(take)?;
        }
        if self.over {
            return Ok(());
        }
        self.reader.finish();
        self.drain(take)
    }

    /// Looks at the first bytes, then reads them.
    fn begin(&mut self, take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        self.begun = true;
        let head = core::mem::take(&mut self.head);
        let words = match sniff::sniff(&head) {
            Sniffed::Xml => return self.read(&head, take),
            Sniffed::Gzip if self.unpacked => "gzip inside gzip",
            Sniffed::Gzip => "a gzip file",
            Sniffed::Other(words, Kind::Package) if words != sniff::ZIP => {
                return self.refuse(Finding::new(Code::PKG_17).arg("looks", words));
            }
            Sniffed::Other(words, _) => words,
        };
        self.refuse(Finding::new(Code::INP_02).arg("looks", words))
    }

    fn read(&mut self, bytes: &[u8], take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
        let mut rest = bytes;
        while !rest.is_empty() && !self.over {
            let taken = self.reader.push(rest);
            rest = rest.get(taken..).unwrap_or(&[]);
            self.drain(take)?;
        }
        Ok(())
    }

    fn drain(&mut self, take: &mut Taking<'_, '_>) -> Result<(), Box<Diagnostic>> {
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
                // How a document is encoded is for validating it.
                ReadEvent::Encoding(..) => {}
                ReadEvent::Fault(fault) => return self.refuse(fault_finding(&fault)),
            }
        }
        Ok(())
    }

    fn refuse(&mut self, finding: Finding) -> Result<(), Box<Diagnostic>> {
        self.over = true;
        let excerpt = finding.span.and_then(|span| match self.reader.excerpt(&span) {
            Cut::Ready(excerpt) => Some(excerpt.into()),
            Cut::Wait | Cut::Gone => None,
        });
        let severity = finding.code.requirement().severity;
        Err(Box::new(report::diagnostic(&finding, severity, excerpt)))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString, vec};

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
        // What is pushed afterwards changes nothing.
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
