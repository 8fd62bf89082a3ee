//! The reader gives the same items and findings for any bytes, however these are split.

use resourcesync::{limits::Limits, read::Reader};
use resourcesync_tests::told;

/// The first byte chooses the windows, the rest is the document.
pub fn xml(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    let limits = Limits::default();
    let whole = told(Reader::new(&limits), bytes, usize::MAX, &limits);
    let cut = usize::from(*cut) + 1;
    let other = told(Reader::new(&limits), bytes, cut, &limits);
    for (one, other) in whole.iter().zip(&other) {
        assert_eq!(one, other);
    }
    assert_eq!(whole.len(), other.len());
}
