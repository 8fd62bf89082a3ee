//! Both tokenizers give the same events for any bytes, however these are split.

use resourcesync::{limits::Limits, read::Reader};
use resourcesync_tests::told;

/// The first byte chooses the windows, the rest is the document.
pub fn xml(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    let limits = Limits::default();
    let whole = told(Reader::new(&limits), bytes, usize::MAX, &limits);
    let cut = usize::from(*cut) + 1;
    same("cut", &whole, &told(Reader::new(&limits), bytes, cut, &limits));
    same("bare", &whole, &told(Reader::with_slice_feed(&limits), bytes, usize::MAX, &limits));
    same("bare, cut", &whole, &told(Reader::with_slice_feed(&limits), bytes, cut, &limits));
}

fn same(how: &str, one: &[String], other: &[String]) {
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other, "{how}");
    }
    assert_eq!(one.len(), other.len(), "{how}");
}
