//! One pass over a document in memory: by the library, and by the bare tokenizer as baseline.

use quick_xml::{Reader, events::Event};
use resourcesync::api::{InputOrigin, Options, validate};

/// Validates a document; returns the number of entries.
#[inline(never)] // instructions are counted by its name
pub fn whole(document: &str) -> u64 {
    validate(document.as_bytes(), InputOrigin::named("list.xml"), &Options::default()).summary.entries
}

/// A bare pass over the document that visits every attribute and lets quick-xml search for duplicates.
#[inline(never)] // as above
pub fn tokens(document: &str) -> u64 {
    let mut reader = Reader::from_str(document);
    let mut seen = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) | Err(_) => return seen,
            Ok(Event::Start(tag) | Event::Empty(tag)) => {
                seen += tag.attributes().flatten().map(|attribute| attribute.value.len() as u64).sum::<u64>();
            }
            Ok(_) => seen += 1,
        }
    }
}
