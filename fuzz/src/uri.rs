//! URIs: normal forms are stable, and parsing and formatting round-trips.

use resourcesync::value::{BitstreamPath, Parsed, Uri, UriProblem, Value};

/// The text of a URI, and of a path in a package.
pub fn uri(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let _ = (Uri::problem(text), BitstreamPath::problem(text));
    if let Parsed::Exact(uri) | Parsed::Lenient(uri) = Uri::read(text) {
        let _ = (uri.scheme(), uri.is_http(), uri.authority(), uri.path());
        let normalized = uri.normalized();
        if let Parsed::Exact(again) | Parsed::Lenient(again) = Uri::read(&normalized) {
            assert_eq!(normalized, again.normalized(), "{text}");
        } else {
            // `c:./x` becomes `c:/x`, which is parsed as a file on a drive.
            assert_eq!(Uri::problem(&normalized), Some(UriProblem::LocalPath), "{text}");
        }
    }
    if let Parsed::Exact(path) | Parsed::Lenient(path) = BitstreamPath::read(text) {
        let written = path.to_string();
        assert!(
            matches!(BitstreamPath::read(&written), Parsed::Exact(again) | Parsed::Lenient(again) if again == path)
        );
    }
}
