//! From a URI to its path, and back.

use alloc::{format, string::String, vec::Vec};

use resourcesync::value::to_hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    Layout, Map,
    segment::{self, decode, encode, folded, parts},
};

/// Maximum segments of a path; longer ones are named by their hash.
const SEGMENTS: usize = 60;
/// Maximum bytes of a path.
const BYTES: usize = 3_000;

/// The files of one copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// The layout.
    pub layout: Layout,
    /// The scheme of the start; hosts with this scheme are not marked.
    scheme: String,
    /// Folders of URI prefixes, the longest prefix first.
    #[serde(default)]
    maps: Vec<Map>,
}

/// An alternative path for a URI if the file system treats its path as that of another URI.
pub fn aside(place: &str, uri: &str) -> String {
    format!("{place}^~{}", digest(uri).get(..32).unwrap_or_default())
}

impl Places {
    /// Creates the places for a copy of the Source with this start.
    pub fn new(layout: Layout, start: &str) -> Places {
        let is_http = start.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"));
        Places { layout, scheme: if is_http { "http".into() } else { "https".into() }, maps: Vec::new() }
    }

    /// Sets folders for URI prefixes, which replace the folders of hosts. The folders must not overlap.
    #[must_use]
    pub fn with_maps(mut self, mut maps: Vec<Map>) -> Places {
        maps.sort_by_key(|map| core::cmp::Reverse(map.prefix.len()));
        self.maps = maps;
        self
    }

    /// The path of a URI in the form of [`key`](resourcesync::value::key), its parts separated by `/`; `None` for a URI that is not http
    /// or https or that contains a user.
    ///
    /// ```
    /// use resourcesync_sync::{Layout, Places};
    /// let places = Places::new(Layout::Uri, "https://example.com/");
    /// let place = places.of("https://example.com/r%C3%A9s/a%20b?x=1/2");
    /// assert_eq!(place.as_deref(), Some("example.com/rés/a b^3Fx=1^2F2"));
    /// assert_eq!(place.and_then(|place| places.uri(&place)).as_deref(), Some("https://example.com/r%C3%A9s/a%20b?x=1/2"));
    /// ```
    pub fn of(&self, uri: &str) -> Option<String> {
        let (scheme, authority, path, query) = parts(uri)?;
        if self.layout == Layout::Hash {
            return Some(hashed(uri, path));
        }
        let is_portable = self.layout == Layout::Portable;
        let map = self.maps.iter().find(|map| uri.starts_with(&map.prefix));
        let (mut place, path_below) = match map {
            Some(map) => {
                let above =
                    map.prefix.len().saturating_sub(scheme.len().saturating_add(3).saturating_add(authority.len()));
                (map.folder.clone(), path.get(above..).unwrap_or_default())
            }
            None => (self.host(scheme, authority, is_portable), path.get(1..).unwrap_or_default()),
        };
        let is_long_host = map.is_none() && place.len() > segment::LONGEST;
        let mut rest = path_below.split('/').peekable();
        let mut count: usize = place.split('/').count();
        while let Some(segment) = rest.next() {
            let is_last = rest.peek().is_none();
            let mut name = encode(segment, is_last, query.filter(|_| is_last), is_portable);
            if name.len() > segment::LONGEST {
                let mut end = segment::KEPT;
                while !name.is_char_boundary(end) {
                    end = end.saturating_sub(1);
                }
                name.truncate(end);
                name = format!("{name}^~{}", digest(uri).get(..32).unwrap_or_default());
            }
            place.push('/');
            place.push_str(&name);
            count = count.saturating_add(1);
        }
        let is_long = is_long_host || count > SEGMENTS || place.len() > BYTES;
        Some(if is_long { format!("^long/{}", hashed(uri, path)) } else { place })
    }

    /// The URI with this path; `None` if the path does not contain it, or does not have this layout.
    pub fn uri(&self, place: &str) -> Option<String> {
        if self.layout == Layout::Hash {
            return None;
        }
        let is_portable = self.layout == Layout::Portable;
        let below =
            |map: &Map| place.strip_prefix(&*map.folder)?.strip_prefix('/').map(|rest| (map.prefix.clone(), rest));
        if let Some((prefix, rest)) = self.maps.iter().find_map(below) {
            let uri = format!("{}{}", prefix.strip_suffix('/')?, below_of(rest, is_portable)?);
            return (self.of(&uri).as_deref() == Some(place)).then_some(uri);
        }
        let (host, rest) = place.split_once('/')?;
        let (host, scheme) = match host.split_once("^http") {
            Some((host, rest)) if rest.is_empty() || rest.starts_with('^') => (format!("{host}{rest}"), "http"),
            Some((host, rest)) => (format!("{host}{}", rest.strip_prefix('s')?), "https"),
            None => (host.into(), &*self.scheme),
        };
        let (host, port) = match host.rsplit_once('^') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !port.is_empty() => {
                (name, Some(port))
            }
            _ => (host.as_str(), None),
        };
        let host = host.strip_suffix("^host").unwrap_or(host);
        let mut uri = format!("{scheme}://{}", decode(host, is_portable)?.0);
        if let Some(port) = port {
            uri = format!("{uri}:{port}");
        }
        uri.push_str(&below_of(rest, is_portable)?);
        (self.of(&uri).as_deref() == Some(place)).then_some(uri)
    }

    fn host(&self, scheme: &str, authority: &str, is_portable: bool) -> String {
        let digits = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if digits(port) => (host, Some(port)),
            _ => (authority, None),
        };
        let mut name = segment::plain(host, is_portable);
        let first = |map: &Map| folded(map.folder.split('/').next().unwrap_or_default());
        if segment::is_special(host) || host.ends_with('.') || self.maps.iter().any(|map| first(map) == folded(&name)) {
            name.push_str("^host");
        }
        if scheme != self.scheme {
            name = format!("{name}^{scheme}");
        }
        match port {
            Some(port) => format!("{name}^{port}"),
            None => name,
        }
    }
}

/// Path and query of the names below the folder of a host.
fn below_of(place: &str, is_portable: bool) -> Option<String> {
    let mut path = String::new();
    let mut names = place.split('/').peekable();
    while let Some(name) = names.next() {
        let (segment, query) = decode(name, is_portable)?;
        path.push('/');
        path.push_str(&segment);
        if let Some(query) = query {
            path.push('?');
            path.push_str(&query);
            names.peek().is_none().then_some(())?;
        }
    }
    Some(path)
}

fn digest(uri: &str) -> String {
    to_hex(&Sha256::digest(uri.as_bytes()))
}

fn hashed(uri: &str, path: &str) -> String {
    let digest = digest(uri);
    let last = path.rsplit('/').next().unwrap_or("");
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ending = last.rsplit_once('.').map(|(_, ending)| ending);
    let ending = ending.filter(|ending| (1..=8).contains(&ending.len()) && ending.bytes().all(is_plain));
    let dot = ending.map(|ending| format!(".{ending}")).unwrap_or_default();
    let parts: Vec<&str> = [0..2, 2..4].into_iter().filter_map(|range| digest.get(range)).collect();
    format!("{}/{digest}{dot}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use alloc::{collections::BTreeMap, string::ToString};

    use proptest::prelude::*;
    use resourcesync::value::key;

    use super::*;

    fn place(layout: Layout, uri: &str) -> String {
        Places::new(layout, "https://a.example/").of(&key(uri)).unwrap_or_default()
    }

    #[test]
    fn names_are_those_of_the_table() {
        let cases = [
            ("https://a.example/b/c.txt", "a.example/b/c.txt", "a.example/b/c.txt"),
            ("https://A.example:8443/B", "a.example^8443/B", "a.example^8443/^b"),
            ("http://a.example/", "a.example^http/^index", "a.example^http/^-index"),
            ("http://a.example:81/x", "a.example^http^81/x", "a.example^http^81/x"),
            ("https://b.example./x", "b.example.^host/x", "b.example.^host/x"),
            ("https://../x", "..^host/x", "..^host/x"),
            ("https://a.example//b/", "a.example/^empty/b/^index", "a.example/^-empty/b/^-index"),
            ("https://a.example/Index", "a.example/Index", "a.example/^index"),
            ("https://a.example/%E6%97%A5%20b", "a.example/日 b", "a.example/%^e6%97%^a5 b"),
            ("https://a.example/%2F..%2F%00%25", "a.example/%2F..%2F%00%25", "a.example/%2^f..%2^f%00%25"),
            ("https://a.example/e%CC%81", "a.example/e%CC%81", "a.example/e%^c^c%81"),
            ("https://a.example/%E2%80%AE.txt", "a.example/%E2%80%AE.txt", "a.example/%^e2%80%^a^e.txt"),
            ("https://a.example/con.txt", "a.example/^63on.txt", "a.example/^63on.txt"),
            ("https://com1/a.", "com1^host/a^2E", "com1^host/a^2E"),
            (
                "https://a.example/.resourcesync/lock",
                "a.example/^2Eresourcesync/lock",
                "a.example/^2Eresourcesync/lock",
            ),
            ("https://a.example/a:b*?c/d?e", "a.example/a^3Ab^2A^3Fc^2Fd^3Fe", "a.example/a^3Ab^2A^3Fc^2Fd^3Fe"),
            ("https://[::1]/a", "[^3A^3A1]/a", "[^3A^3A1]/a"),
        ];
        for (uri, readable, portable) in cases {
            assert_eq!(place(Layout::Uri, uri), readable);
            assert_eq!(place(Layout::Portable, uri), portable);
        }
        assert!(place(Layout::Hash, "https://a.example/b.pdf").ends_with(".pdf"));
    }

    #[test]
    fn what_is_long_is_named_by_its_hash() {
        let long = place(Layout::Uri, &format!("https://a.example/{}", "x".repeat(300)));
        assert!(long.starts_with("a.example/xxx") && long.contains("^~") && long.len() < 220, "{long}");
        let deep = place(Layout::Uri, &format!("https://a.example/{}", "x/".repeat(80)));
        assert!(deep.starts_with("^long/"), "{deep}");
        let host = place(Layout::Uri, &format!("https://{}example/x", "a.".repeat(120)));
        assert!(host.starts_with("^long/"), "{host}");
        let wide = place(Layout::Uri, &format!("https://a.example/{}", "%E6%97%A5".repeat(100)));
        assert!(wide.contains("日^~"), "{wide}");
    }

    #[test]
    fn what_cannot_be_fetched_has_no_place() {
        let places = Places::new(Layout::Uri, "http://a.example/");
        for uri in [
            "urn:isbn:1",
            "ftp://a.example/b",
            "http://u@a.example/",
            "http://a.example/#b",
            "http:///b",
            "file:///etc",
        ] {
            assert_eq!(places.of(uri), None, "{uri}");
        }
    }

    #[test]
    fn folders_of_the_user_stand_for_the_beginnings_of_uris() {
        let map = |prefix: &str, folder: &str| Map::new(prefix, folder);
        let maps = ["https://a.example/files/=data", "https://a.example/files/b/=b.example"];
        let maps: Vec<Map> = maps.iter().filter_map(|text| text.split_once('=').and_then(|(a, b)| map(a, b))).collect();
        let places = Places::new(Layout::Uri, "https://a.example/").with_maps(maps);
        for (uri, place) in [
            ("https://a.example/files/x/y.txt", "data/x/y.txt"),
            ("https://a.example/files/", "data/^index"),
            ("https://a.example/files/?q", "data/^index^3Fq"),
            ("https://a.example/files/b/c", "b.example/c"),
            ("https://a.example/filesystem", "a.example/filesystem"),
            ("https://b.example/c", "b.example^host/c"),
        ] {
            assert_eq!(places.of(uri).as_deref(), Some(place), "{uri}");
            assert_eq!(places.uri(place).as_deref(), Some(uri));
        }
        for (prefix, folder) in [
            ("https://a.example/files", "data"),
            ("https://a.example/?x/", "data"),
            ("ftp://a.example/", "data"),
            ("https://a.example/", ""),
            ("https://a.example/", "../data"),
            ("https://a.example/", "/data"),
            ("https://a.example/", "a//b"),
            ("https://a.example/", "a^"),
            ("https://a.example/", ".resourcesync"),
            ("https://a.example/", "con"),
        ] {
            assert_eq!(map(prefix, folder), None, "{prefix}={folder}");
        }
        let of = |folder| map("https://a.example/", folder);
        assert_eq!(of("a/b").zip(of("A")).map(|(one, other)| one.overlaps(&other)), Some(true));
        assert_eq!(of("a/b").zip(of("a/bc")).map(|(one, other)| one.overlaps(&other)), Some(false));
    }

    #[test]
    fn names_that_some_file_systems_take_for_the_same_are_folded_alike() {
        for (one, other) in [("a/B", "A/b"), ("\u{e9}", "E\u{301}"), ("stra\u{df}e", "STRASSE")] {
            assert_eq!(folded(one), folded(other));
        }
        assert_ne!(aside("a/b", "https://a.example/a/b"), aside("a/b", "https://a.example/a/B"));
    }

    fn safe(place: &str) {
        for part in place.split('/') {
            assert!(!["", ".", ".."].contains(&part) && part.len() <= 255, "{place}");
            assert!(!part.contains(['\\', '\0', ':', '*', '?', '"', '<', '>', '|']), "{place}");
            assert!(!part.ends_with(['.', ' ']) && !part.to_ascii_lowercase().starts_with(".resourcesync"), "{place}");
        }
    }

    fn uris() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(alloc::vec![
            "/",
            "//",
            "a",
            "B",
            "index",
            "Index",
            "empty",
            "con",
            "com1",
            ".",
            "..",
            "%2E",
            "%2F",
            "%5C",
            "%00",
            "%20",
            "%C3%A9",
            "%C3%89",
            "e%CC%81",
            "%FF",
            "%E6%97%A5",
            "%EF%BC%8F",
            "%E2%80%AE",
            "?",
            ":",
            "*",
            "~",
            "%7E",
            ".resourcesync",
            "3F",
            "%",
            "-",
            "host",
            "http",
            "=",
            "&",
            "%F0%9F%98%80",
            "x.txt",
        ]);
        let host = prop::sample::select(alloc::vec![
            "a.example",
            "A.example",
            "com1",
            "a.example:81",
            "[::1]",
            "%41.b",
            "b.",
            ".."
        ]);
        let scheme = prop::sample::select(alloc::vec!["http", "https"]);
        (scheme, host, prop::collection::vec(piece, 0..8))
            .prop_map(|(scheme, host, pieces)| key(&format!("{scheme}://{host}/{}", pieces.concat())))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_uri_has_a_safe_name_that_leads_back_to_it(uri in uris()) {
            for layout in [Layout::Uri, Layout::Portable] {
                let places = Places::new(layout, "https://a.example/");
                if let Some(place) = places.of(&uri) {
                    safe(&place);
                    prop_assert_eq!(places.uri(&place), Some(uri.clone()));
                    prop_assert!(layout == Layout::Uri || place.is_ascii());
                }
            }
        }

        #[test]
        fn different_uris_have_different_names_also_where_case_does_not_count(list in prop::collection::vec(uris(), 2..40)) {
            let (mut readable, mut portable) = (BTreeMap::new(), BTreeMap::new());
            for uri in list {
                let name = place(Layout::Uri, &uri);
                let other = readable.insert(name.clone(), uri.clone());
                prop_assert!(name.is_empty() || other.is_none_or(|other| other == uri));
                let name = place(Layout::Portable, &uri).to_lowercase().to_string();
                let other = portable.insert(name.clone(), uri.clone());
                prop_assert!(name.is_empty() || other.is_none_or(|other| other == uri));
            }
        }
    }
}
