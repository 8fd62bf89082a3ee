//! Entries that are stored as text.
#![allow(missing_docs, clippy::unwrap_used)]

use resourcesync::{
    limits::Limits,
    model::{CompactEntries, Entry},
    read,
};

const ORDINARY: &str = r#"<loc>http://example.com/{n}</loc><lastmod>2024-05-01T00:00:00Z</lastmod><rs:md length="8876" type="text/html"
    hash="sha-256:854f61290e2e197a11bc91063afce22e43f8ccc655237050ace766adc68dc784"/><rs:ln rel="duplicate" href="http://example.org/{n}"/>"#;
const ODD: &str = r#"<loc>http://example.com/ü</loc><loc> twice </loc><lastmod>yesterday</lastmod><changefreq>Daily</changefreq>
    <priority>7</priority><rs:md length="many" change="moved" x="1"/><rs:md/><rs:ln rel="a b" href="up" pri="0"/>text<x:y xmlns:x="x"/>"#;
const LOOSE: &str = r#"<loc> http://example.com/ü</loc><lastmod>2024-05-01 00:00:00</lastmod><changefreq>Daily</changefreq>
    <priority>.50</priority><rs:md length=" 08" change="Updated"/><rs:md hash="md5:x"/><rs:ln rel="a b" href="up" pri="0"/><rs:ln/>"#;

fn entries(list: &str) -> Vec<Entry> {
    let head = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">"#;
    read::document(format!("{head}{list}</urlset>").as_bytes(), &Limits::default(), &mut ()).unwrap().entries
}

fn list(count: usize, entry: impl Fn(usize) -> &'static str) -> String {
    (0..count).map(|n| format!("<url>{}</url>\n", entry(n).replace("{n}", &n.to_string()))).collect()
}

#[test]
fn entries_are_read_as_they_were_pushed() {
    let entries = entries(&list(200, |n| [ORDINARY, LOOSE, ODD][n % 7 % 3]));
    let compact: CompactEntries = entries.iter().cloned().collect();
    assert_eq!((compact.len(), compact.get(200)), (200, None));
    assert!(compact.iter().eq(entries.iter().cloned()));
    let line = |entry: &Entry| entry.span.start.line;
    assert!(compact.iter().map(|entry| line(&entry)).eq(entries.iter().map(line)));
    assert_eq!(compact, compact.clone());
    assert_ne!(compact, entries.into_iter().rev().collect());
}

#[test]
fn an_ordinary_entry_takes_little_more_than_its_text() {
    let compact: CompactEntries = entries(&list(64_000, |_| ORDINARY)).into_iter().collect();
    assert!(compact.text_bytes() / compact.len() < 250, "{}", compact.text_bytes() / compact.len());
}
