//! What the reader learns from entries that repeat each other changes no item, position, finding or byte of a report.

use resourcesync::limits::Limits;
use resourcesync_tests::repeated::{Of, compare};

/// The first byte chooses the windows, the second how often what follows the root is repeated, the rest is the document.
pub fn repeated(data: &[u8]) {
    let [cut, times, bytes @ ..] = data else { return };
    let document = repeat(bytes, usize::from(*times) % 4);
    for of in Of::ALL {
        if let Err(difference) = compare(of, &document, usize::from(*cut) + 1, &Limits::default()) {
            panic!("{difference}\n{}", String::from_utf8_lossy(&document));
        }
    }
}

/// The document with its entries several times.
fn repeat(bytes: &[u8], times: usize) -> Vec<u8> {
    let entry = |tag: &[u8]| bytes.windows(tag.len()).position(|window| window == tag);
    let start = entry(b"<url>").into_iter().chain(entry(b"<sitemap>")).min();
    let end = bytes.windows(2).rposition(|window| window == b"</");
    let (Some(start), Some(end)) = (start, end) else { return bytes.to_vec() };
    let Some(entries) = bytes.get(start..end) else { return bytes.to_vec() };
    [&bytes[..start], &entries.repeat(times), &bytes[start..]].concat()
}
