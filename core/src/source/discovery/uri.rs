//! Resolution of relative references, and the well-known URI of a host.

use alloc::string::{String, ToString};

use iri_string::types::{UriReferenceStr, UriStr};

use crate::value::key;

/// The path of the Source Description on every host (Z39.99-2017 §6.3.2).
pub const WELL_KNOWN: &str = ".well-known/resourcesync";

/// A reference as a page writes it, resolved against a base: what is not ASCII is percent-encoded, as browsers do.
pub(crate) fn resolve_iri(base: &str, reference: &str) -> Option<String> {
    let mut encoded = String::new();
    for character in reference.chars() {
        if character.is_ascii() {
            encoded.push(character);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in character.encode_utf8(&mut bytes).bytes() {
            encoded.push_str(&alloc::format!("%{byte:02X}"));
        }
    }
    resolve(base, &encoded)
}

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
    fn what_is_not_ascii_is_encoded() {
        assert_eq!(resolve_iri("http://a.example/", "機/é").as_deref(), Some("http://a.example/%E6%A9%9F/%C3%A9"));
    }

    #[test]
    fn a_host_is_scheme_and_authority() {
        assert_eq!(host("https://a.example:8443/b/c").as_deref(), Some("https://a.example:8443/"));
        assert_eq!(host("HTTP://A.example:80").as_deref(), Some("http://a.example/"));
    }
}
