//! An OAI-PMH page: pieces do not depend on the windows, metadata is kept byte for byte, and its standalone form is
//! well-formed.

use resourcesync::{
    limits::Limits as XmlLimits,
    xml::{Event, Xml},
};
use resourcesync_oai::{
    limits::Limits,
    page::{Markup, PageReader, Piece, Repair},
};

/// The first byte chooses the windows, the rest is the page.
pub fn oai_page(data: &[u8]) {
    let Some((window, page)) = data.split_first() else { return };
    let mut limits = Limits::default();
    // Low limits, so that the fuzzer reaches them.
    limits.oai_record_bytes = 8 << 10;
    limits.oai_metadata_depth = 32;
    limits.oai_header_values = 512;
    let (whole, transcoded) = pieces(page, usize::MAX, &limits);
    let (windowed, _) = pieces(page, usize::from(*window) + 1, &limits);
    assert_eq!(whole, windowed, "windows matter");
    assert!(matches!(whole.last(), Some(Piece::End(_))), "no end");
    let is_as_sent = !transcoded && !page.starts_with(&[0x1f, 0x8b]);
    for piece in &whole {
        match piece {
            Piece::Record(record) => {
                for markup in record.metadata.iter().chain(&record.about) {
                    assert!(!is_as_sent || contains(page, &markup.raw), "metadata that the page does not have");
                    well_formed(markup);
                }
            }
            Piece::Damaged(damaged) => {
                for repair in [Repair::None, Repair::Characters, Repair::All] {
                    damaged
                        .repair(repair)
                        .into_iter()
                        .flat_map(|own| own.record.metadata)
                        .for_each(|own| well_formed(&own));
                }
            }
            _ => {}
        }
    }
}

fn pieces(page: &[u8], window: usize, limits: &Limits) -> (Vec<Piece>, bool) {
    let mut reader = PageReader::new(limits);
    let mut pieces = Vec::new();
    for part in page.chunks(window) {
        reader.push(part);
        pieces.extend(std::iter::from_fn(|| reader.next()));
    }
    reader.finish();
    pieces.extend(std::iter::from_fn(|| reader.next()));
    (pieces, reader.transcoded().is_some())
}

fn contains(page: &[u8], part: &[u8]) -> bool {
    part.is_empty() || page.windows(part.len()).any(|window| window == part)
}

fn well_formed(markup: &Markup) {
    let mut xml = Xml::new(&XmlLimits::default());
    xml.push(&markup.standalone());
    xml.finish();
    while let Some(event) = xml.next() {
        assert!(!matches!(event, Event::Fault(_)), "{}", String::from_utf8_lossy(&markup.standalone()));
    }
}
