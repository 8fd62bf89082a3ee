//! The documents: a Resource List of 50,000 entries as repositories publish them, the same on one line with an error in each, and one whose entries differ in their form.

use std::fmt::Write;

/// Entries of one list, as many as the standard allows.
pub const ENTRIES: usize = 50_000;

/// The layout of a list, and whether each entry is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One line per element.
    Lines,
    /// Everything on one line, with an invalid `length` in each entry.
    OneLineWrong,
    /// One line per element, and a host of its own for each entry, so that none repeats another.
    Strangers,
}

impl Layout {
    fn has_lines(self) -> bool {
        matches!(self, Layout::Lines | Layout::Strangers)
    }
}

/// A Resource List of 49 MB; lists of different numbers list different resources.
#[must_use]
pub fn list(number: usize, layout: Layout) -> String {
    let end = if layout.has_lines() { "\n" } else { "" };
    let mut text = head(end);
    let mut digits = Digits(number as u64 + 1);
    for entry in 0..ENTRIES {
        write_entry(&mut text, number * ENTRIES + entry, layout, &mut digits);
    }
    let _ = write!(text, "</urlset>{end}");
    text
}

fn head(end: &str) -> String {
    let mut text = String::with_capacity(51 << 20);
    let _ = write!(
        text,
        r#"<?xml version="1.0" encoding="UTF-8"?>{end}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">{end}<rs:ln rel="up" href="http://repository.example.com/resourcesync/capabilitylist.xml"/>{end}<rs:md capability="resourcelist" at="2024-05-01T09:00:00Z"/>{end}"#
    );
    text
}

/// A list whose entries have sixteen shapes, five media types, and URIs with escapes, in an order that does not repeat.
#[must_use]
pub fn mixed_list() -> String {
    const TYPES: [&str; 5] = ["application/pdf", "text/html", "image/tiff", "application/xml", "text/csv"];
    let (mut text, mut digits) = (head("\n"), Digits(1));
    for number in 0..ENTRIES {
        let shape = digits.next() >> 8;
        let has = |bit: u32| shape >> bit & 1 == 1;
        let base = format!(
            "https://repository.example.com/communities/sound%20archive/{:04}/items/{number:08}",
            number / 1000
        );
        let _ = writeln!(
            text,
            "  <url>\n    <loc>{base}/content%28{}%29?sequence=1&amp;version={}</loc>",
            number % 7,
            number % 3
        );
        if has(0) {
            let _ = writeln!(text, "    <lastmod>2024-04-{:02}T{:02}:30:00Z</lastmod>", number % 28 + 1, number % 24);
        }
        text.push_str("    <rs:md");
        if has(1) {
            text.push_str(" hash=\"sha-256:");
            digits.write(&mut text, 64);
            text.push('"');
        }
        let _ = writeln!(
            text,
            " length=\"{}\" type=\"{}\"/>",
            number * 37 + 1024,
            TYPES[(shape >> 4) as usize % TYPES.len()]
        );
        if has(2) {
            let _ = writeln!(
                text,
                "    <rs:ln rel=\"describedby\" href=\"{base}/metadata/oai_dc.xml?a=1&amp;b=2\" type=\"application/xml\"/>"
            );
        }
        if has(3) {
            let _ = writeln!(
                text,
                "    <rs:ln rel=\"duplicate\" pri=\"1\" href=\"https://mirror.example.org/{number}/\" modified=\"2024-04-01T00:00:00Z\"/>"
            );
        }
        text.push_str("  </url>\n");
    }
    text.push_str("</urlset>\n");
    text
}

/// Three digests and three links, about a thousand bytes.
fn write_entry(text: &mut String, number: usize, layout: Layout, digits: &mut Digits) {
    let (end, step) = if layout.has_lines() { ("\n", "  ") } else { ("", "") };
    let host =
        if layout == Layout::Strangers { format!("r{number}.example.com") } else { "repository.example.com".into() };
    let base = format!("{host}/communities/library/collections/{:04}/items/{number:08}", number / 1000);
    let wrong = if layout == Layout::OneLineWrong { "-" } else { "" };
    let (day, hour, minute) = (number % 28 + 1, number % 24, number % 60);
    let _ = write!(
        text,
        "{step}<url>{end}{step}{step}<loc>https://{base}/bitstreams/content.pdf?sequence={}&amp;version=1</loc>{end}\
         {step}{step}<lastmod>2024-04-{day:02}T{hour:02}:{minute:02}:00Z</lastmod>{end}{step}{step}<rs:md hash=\"md5:",
        number % 7
    );
    digits.write(text, 32);
    text.push_str(" sha-256:");
    digits.write(text, 64);
    text.push_str(" sha-512:");
    digits.write(text, 128);
    let break_ = if layout.has_lines() { "\n          " } else { " " };
    let _ = write!(
        text,
        "\"{break_}length=\"{wrong}{}\" type=\"application/pdf\"/>{end}\
         {step}{step}<rs:ln rel=\"describedby\" href=\"https://{base}/metadata/oai_dc/dublin-core.xml\" type=\"application/xml\" \
         modified=\"2024-04-{day:02}T13:00:00Z\"/>{end}\
         {step}{step}<rs:ln rel=\"collection\" href=\"https://repository.example.com/communities/library/collections/{:04}\"/>{end}\
         {step}{step}<rs:ln rel=\"canonical\" href=\"https://www.{base}/bitstreams/content.pdf\"/>{end}{step}</url>{end}",
        number * 37 + 1024,
        number / 1000,
    );
}

/// Deterministic pseudo-random hexadecimal digits.
struct Digits(u64);

impl Digits {
    fn write(&mut self, text: &mut String, count: usize) {
        for _ in 0..count / 16 {
            let _ = write!(text, "{:016x}", self.next());
        }
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }
}
