//! URIs as a walk needs them: made absolute, compared, cut down to their host.

use alloc::string::{String, ToString};

use iri_string::types::{UriReferenceStr, UriStr};

use crate::value::{Reading, Uri, Value};

/// Where every host may be asked for its Source Description (Z39.99-2017 §6.3.2).
pub(crate) const WELL_KNOWN: &str = ".well-known/resourcesync";

/// A reference made absolute; `None` if it is none, or the base is no URI.
pub(crate) fn resolve(base: &str, reference: &str) -> Option<String> {
    let base = UriStr::new(base).ok()?.to_absolute();
    let reference = UriReferenceStr::new(reference.trim_ascii()).ok()?;
    Some(reference.resolve_against(base).to_string())
}

/// What a URI is known by: normalised, without its fragment.
pub(crate) fn key(uri: &str) -> String {
    let bare = uri.split('#').next().unwrap_or(uri);
    match Uri::read(bare) {
        Reading::Exact(uri) | Reading::Lenient(uri) => uri.normalized(),
        Reading::Malformed => bare.to_string(),
    }
}

/// Scheme and authority, with a slash: where the host can be asked about itself.
pub(crate) fn host(uri: &str) -> Option<String> {
    let uri = UriStr::new(uri).ok()?;
    Some(alloc::format!("{}://{}/", uri.scheme_str(), uri.authority_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_made_absolute() {
        assert_eq!(resolve("http://a.example/b/c?q#f", "../d").as_deref(), Some("http://a.example/d"));
        assert_eq!(resolve("http://a.example/b", "http://c.example/").as_deref(), Some("http://c.example/"));
        assert_eq!(resolve("http://a.example/b", "a b"), None);
    }

    #[test]
    fn spellings_of_one_uri_have_one_key() {
        assert_eq!(key("HTTP://A.example:80/%7eb#c"), key("http://a.example/~b"));
        assert_eq!(host("https://a.example:8443/b/c").as_deref(), Some("https://a.example:8443/"));
    }
}
