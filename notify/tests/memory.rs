//! A payload that expands, nests or does not end costs no more memory than its bytes and a constant.
//!
//! Allocations are counted; nothing is timed.

#![allow(clippy::unwrap_used)]

use peak_alloc::PeakAlloc;
use resourcesync_notify::payload::{Channel, Payload, validate};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;
/// The bytes of a payload that does not end.
const ENDLESS: usize = 8 * MIB;
/// Tags and texts up to their limits, and findings.
const CONSTANT: usize = 2 * MIB;

const HEAD: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="change-notification" from="2024-05-01T00:00:00Z" until="2024-05-01T00:05:00Z"/>"#;

/// Entities that would expand to a gigabyte.
fn bomb() -> String {
    let entities: String =
        (1..10).map(|level| format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10))).collect();
    format!("<!DOCTYPE urlset [<!ENTITY a0 \"{}\">{entities}]><urlset>&a9;</urlset>", "a".repeat(10))
}

fn endless(head: &str, part: &str) -> String {
    let mut text = String::with_capacity(ENDLESS + head.len() + part.len());
    text.push_str(head);
    while text.len() < ENDLESS {
        text.push_str(part);
    }
    text
}

#[test]
fn a_hostile_payload_costs_its_bytes_and_a_constant() {
    for (name, text) in [
        ("entities that expand", bomb()),
        ("a value without an end", endless("<urlset a=\"", "aaaaaaaa")),
        ("a text without an end", endless(&format!("{HEAD}<url><loc>"), "aaaaaaaa")),
        ("elements without an end", endless(HEAD, "<a>")),
        ("attributes without an end", endless("<urlset", " a='1'")),
        ("comments", endless(HEAD, "<!-- a comment -->")),
        ("wrong entries", endless(HEAD, "<url><loc>x</loc><rs:md change=\"moved\"/></url>")),
    ] {
        let bytes = text.into_bytes();
        ALLOCATOR.reset_peak_usage();
        let before = ALLOCATOR.current_usage();
        let report = validate(&bytes, Channel::ChangeNotification);
        assert!(ALLOCATOR.peak_usage() - before < CONSTANT, "{name}: {} bytes", ALLOCATOR.peak_usage() - before);
        drop(report);
        ALLOCATOR.reset_peak_usage();
        assert!(Payload::read(bytes, Channel::ChangeNotification).is_err(), "{name}");
        assert!(ALLOCATOR.peak_usage() < before + CONSTANT, "{name}");
    }
}
