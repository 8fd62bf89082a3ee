//! All other values: parsing and formatting round-trips.

use resourcesync::value::{
    Capability, Change, Changefreq, Coding, Length, MediaType, Parsed, Pri, Relation, SitemapPriority, Value,
};

/// The text of any attribute.
pub fn words(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    again::<Capability>(text);
    again::<Change>(text);
    again::<Changefreq>(text);
    again::<Coding>(text);
    again::<Length>(text);
    again::<MediaType>(text);
    again::<Pri>(text);
    again::<Relation>(text);
    again::<SitemapPriority>(text);
    let _ = Capability::slip(text);
}

fn again<T: Value + PartialEq + core::fmt::Debug>(text: &str) {
    if let Parsed::Exact(value) | Parsed::Lenient(value) = T::read(text) {
        let written = value.to_string();
        match T::read(&written) {
            Parsed::Exact(again) | Parsed::Lenient(again) => assert_eq!(value, again, "`{text}`, `{written}`"),
            Parsed::Malformed => panic!("`{text}` is written as `{written}`"),
        }
    }
}
