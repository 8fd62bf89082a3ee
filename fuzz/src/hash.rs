//! The parts of a hash list are in range and in order; parsing and formatting a list round-trips.

use resourcesync::value::{Hashes, Parsed, Value};

/// The text of a `hash` attribute.
pub fn hash(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut end = 0;
    for item in Hashes::items(text) {
        assert!(item.range.start >= end && item.range.end > item.range.start, "{text}");
        end = item.range.end;
        assert!(text.get(item.range.clone()).is_some(), "{text}");
        let _ = item.algorithm();
    }
    if let Parsed::Exact(hashes) | Parsed::Lenient(hashes) = Hashes::read(text) {
        let written = hashes.to_string();
        match Hashes::read(&written) {
            Parsed::Exact(again) | Parsed::Lenient(again) => assert_eq!(hashes, again, "{written}"),
            Parsed::Malformed => panic!("`{text}` is written as `{written}`"),
        }
    }
}
