//! Resolution of relative references, and the well-known URI of a host.

use alloc::string::{String, ToString};

use iri_string::types::{UriReferenceStr, UriStr};

use crate::value::key;

/// The path of the Source Description on every host (Z39.99-2017 §6.3.2).
pub const WELL_KNOWN: &str = ".well-known/resourcesync";

/// A reference resolved against a base; `None` if it is not a reference or the base is not a URI.
pub fn resolve(base: &str, reference: &str) -> Option<String> {
    let base = UriStr::new(base).ok()?.to_absolute();
    let reference = UriReferenceStr::new(reference.trim_ascii()).ok()?;
    Some(reference.resolve_against(base).to_string())
}

/// Scheme and authority as in the key, with a slash: the root of the host.
pub fn host(uri: &str) -> Option<String> {
    let uri = key(uri);
    let uri = UriStr::new(&uri).ok()?;
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
    fn a_host_is_scheme_and_authority() {
        assert_eq!(host("https://a.example:8443/b/c").as_deref(), Some("https://a.example:8443/"));
        assert_eq!(host("HTTP://A.example:80").as_deref(), Some("http://a.example/"));
    }
}
