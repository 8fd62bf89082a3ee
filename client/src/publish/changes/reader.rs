//! A reader that follows a published Source, and fails if documents are missing, cut, or contradict each other.

use std::{collections::BTreeMap, fs, io, path::Path};

/// The published resources: the length of each.
pub(super) type Truth = BTreeMap<String, u64>;

fn between<'a>(text: &'a str, before: &str, after: char) -> Option<&'a str> {
    text.split(before).nth(1)?.split(after).next()
}

/// The resources of a list, with changes: URI, verb, time and length.
fn entries(text: &str) -> Vec<(String, String, String, u64)> {
    let entry = |entry: &str| {
        let text = |before| between(entry, before, '"').unwrap_or_default();
        let uri = between(entry, "<loc>", '<').unwrap().to_owned();
        (uri, text("change=\"").to_owned(), text("datetime=\"").to_owned(), text("length=\"").parse().unwrap_or(0))
    };
    text.split("<url>").skip(1).map(entry).collect()
}

/// Reads a document.
fn document(out: &Path, name: &str) -> io::Result<String> {
    let text = fs::read_to_string(out.join(name))?;
    assert!(text.ends_with("</urlset>\n") || text.ends_with("</sitemapindex>\n"), "half of {name}");
    Ok(text)
}

/// Reads a document that is always there.
fn known(out: &Path, name: &str) -> String {
    document(out, name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Follows the Source as a Destination does: the Resource List, and the changes after it, from the index to each list.
pub(super) fn follow(out: &Path) -> Truth {
    loop {
        if let Some(truth) = read(out) {
            return truth;
        }
    }
}

/// `None` if a listed document is gone, which is only right if the index is no longer the one that listed it.
fn read(out: &Path) -> Option<Truth> {
    let list = known(out, "resourcelist.xml");
    let at = between(&list, "at=\"", '"').unwrap().trim_end_matches('Z');
    let mut truth: Truth = entries(&list).into_iter().map(|(uri, _, _, length)| (uri, length)).collect();
    let index = known(out, "changelist.xml");
    let mut lists = vec![index.clone()];
    if index.contains("<sitemapindex") {
        lists.clear();
        for entry in index.split("<sitemap>").skip(1) {
            let name = between(entry, "<loc>https://example.com/", '<').unwrap();
            let Ok(list) = document(out, name) else {
                assert_ne!(known(out, "changelist.xml"), index, "{name} is listed, and gone");
                return None;
            };
            let head = list.split("<url>").next().unwrap();
            // A list may be closed after the index was read.
            if let Some(until) = between(entry, "until=\"", '"') {
                assert_eq!(Some(until), between(head, "until=\"", '"'), "{entry} {head}");
            }
            assert_eq!(between(entry, "from=\"", '"'), between(head, "from=\"", '"'));
            lists.push(list);
        }
    }
    let mut last = String::new();
    for (uri, verb, datetime, length) in lists.iter().flat_map(|list| entries(list)) {
        let datetime = datetime.trim_end_matches('Z').to_owned();
        assert!(last <= datetime, "{last} {datetime}");
        last.clone_from(&datetime);
        if datetime.as_str() <= at {
            continue;
        }
        match verb.as_str() {
            "deleted" => assert!(truth.remove(&uri).is_some(), "{uri} is deleted twice"),
            "created" => assert_eq!(truth.insert(uri.clone(), length), None, "{uri} is created twice"),
            _ => assert!(truth.insert(uri.clone(), length).is_some(), "{uri} is updated, but unknown"),
        }
    }
    Some(truth)
}
