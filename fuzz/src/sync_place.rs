//! The paths of a copy: safe names, distinct for different URIs, that lead back to their URIs.

use std::collections::BTreeMap;

use resourcesync::value::key;
use resourcesync_sync::{Layout, Map, Places};

/// The first byte chooses layout, scheme and folders; each line is a URI, and a path.
pub fn sync_place(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    let layout = Layout::ALL[usize::from(*first) % Layout::ALL.len()];
    let start = if first & 8 == 0 { "https://a.example/" } else { "http://a.example/" };
    let maps = if first & 16 == 0 { None } else { Map::new("http://a.example/files/", "data/x") };
    let places = Places::new(layout, start).with_maps(maps.into_iter().collect());
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    for line in text.lines() {
        if let Some(uri) = places.uri(line) {
            assert_eq!(places.of(&uri).as_deref(), Some(line));
        }
        let uri = key(line);
        let Some(place) = places.of(&uri) else { continue };
        safe(&place);
        if let Some(back) = places.uri(&place) {
            assert_eq!(back, uri);
        }
        assert!(layout == Layout::Uri || place.is_ascii() || first & 16 != 0, "{place}");
        let name = if layout == Layout::Portable { place.to_lowercase() } else { place };
        if let Some(other) = taken.insert(name, uri.clone()) {
            assert_eq!(other, uri);
        }
    }
}

fn safe(place: &str) {
    assert!(place.len() <= 4_000, "{place}");
    for part in place.split('/') {
        assert!(!["", ".", ".."].contains(&part) && part.len() <= 255, "{place}");
        assert!(!part.contains(['\\', '\0', ':', '*', '?', '"', '<', '>', '|']), "{place}");
        assert!(!part.chars().any(char::is_control), "{place}");
        assert!(!part.ends_with(['.', ' ']) && !part.to_ascii_lowercase().starts_with(".resourcesync"), "{place}");
    }
}
