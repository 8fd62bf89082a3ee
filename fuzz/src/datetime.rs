//! Parsing and formatting a datetime round-trips.

use resourcesync::value::{Datetime, Parsed, Value};

/// The text of a datetime; its first eight bytes are seconds since 1970 as well.
pub fn datetime(data: &[u8]) {
    if let Some(seconds) = data.first_chunk() {
        from_unix(i64::from_le_bytes(*seconds));
    }
    let Ok(text) = str::from_utf8(data) else { return };
    let (value, exact) = match Datetime::read(text) {
        Parsed::Exact(value) => (value, true),
        Parsed::Lenient(value) => (value, false),
        Parsed::Malformed => {
            assert!(Datetime::problem(text).is_some(), "nothing said about `{text}`");
            return;
        }
    };
    let written = value.to_string();
    assert_eq!(exact, Datetime::problem(text).is_none(), "{text}");
    let Parsed::Exact(again) = Datetime::read(&written) else { panic!("`{text}` is written as `{written}`") };
    assert_eq!(value.start(), again.start(), "{text}");
    assert_eq!(value.precision(), again.precision(), "{text}");
    assert_eq!(written, again.to_string());
}

fn from_unix(seconds: i64) {
    let Some(value) = Datetime::from_unix(seconds, 0) else { return };
    assert!(value.is_complete_utc());
    assert_eq!(value.to_unix(), (seconds, 0));
    assert!(matches!(Datetime::read(&value.to_string()), Parsed::Exact(again) if again == value));
}
