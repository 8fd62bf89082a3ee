//! Documents whose entries repeat each other, damaged.

use std::fmt::Write as _;

use resourcesync::limits::Limits;

use super::random::{Random, damage};

/// The capability, whether the root is an index, and the names of its datetimes.
const KINDS: &[(&str, bool, &[&str])] = &[
    ("resourcelist", false, &["at", "completed"]),
    ("resourcelist", false, &["at"]),
    ("changelist", false, &["from", "until"]),
    ("changelist", false, &["from"]),
    ("resourcedump", false, &["at"]),
    ("changedump", false, &["from", "until"]),
    ("resourcedump-manifest", false, &["at"]),
    ("changedump-manifest", false, &["from", "until"]),
    ("capabilitylist", false, &[]),
    ("description", false, &[]),
    ("change-notification", false, &["from", "until"]),
    ("framework-notification", false, &["from"]),
    ("resourcelist", true, &["at"]),
    ("resourcedump", true, &["at"]),
    ("changelist", true, &["from", "until"]),
    ("changedump", true, &["from"]),
    ("description", true, &[]),
    ("capabilitylist", true, &[]),
    ("changelist-x", false, &[]),
    ("", false, &[]),
];

/// The value of an attribute or the text of an element: fixed, or of a form of which each entry has another.
#[derive(Debug, Clone, Copy)]
enum Value {
    Fixed(&'static str),
    Uri(&'static str),
    Time,
    Hash(&'static [(&'static str, usize)]),
    Length,
    Type,
    Path,
}

/// A child of an entry: its name, its attributes or its text, and its layout.
#[derive(Debug, Clone)]
struct Child {
    name: &'static str,
    attributes: Vec<(&'static str, Value)>,
    text: Option<Value>,
    quote: char,
    space: &'static str,
    before: &'static str,
    end: &'static str,
}

const HOSTS: &[&str] = &[
    "http://example.com/",
    "https://h.example:8080/a/",
    "http://u@example.com/",
    "urn:x:",
    "http://example.com",
    "/x/",
];
const HASHES: &[&[(&str, usize)]] = &[
    &[("md5", 32)],
    &[("sha-1", 40)],
    &[("md5", 32), ("sha-256", 64)],
    &[("sha-256", 64), ("sha-256", 64)],
    &[("SHA-256", 64)],
    &[("blake3", 8)],
];
const RELATIONS: &[&str] = &[
    "describedby",
    "describes",
    "duplicate",
    "alternate",
    "canonical",
    "memento",
    "timegate",
    "via",
    "collection",
    "patch",
    "http://www.openarchives.org/rs/terms/patch",
    "contents",
    "hub",
    "up",
    "index",
    "nonsense",
    "Describedby",
    "self",
];
const TYPES: &[&str] =
    &["application/pdf", "text/html", "application/zip", "image/png", "text/nonsense", "application/xhtml+xml"];

/// The child of an entry with this number; `times` are the datetimes that the members of this kind of document have.
fn child(random: &mut Random, nth: usize, times: &[&'static str]) -> Child {
    let mut attributes = Vec::new();
    let mut text = None;
    let name = match (nth, random.below(10)) {
        (1, 0..=3) if times.len() > 1 => {
            attributes.extend(times.iter().map(|name| (*name, Value::Time)));
            "rs:md"
        }
        (0, _) => {
            text = Some(Value::Uri(HOSTS[random.below(6) * random.below(2)]));
            "loc"
        }
        (_, 0 | 1) => {
            text = Some(Value::Time);
            "lastmod"
        }
        (_, 2) => {
            text = Some(Value::Fixed(random.of(&["daily", "monthly", "sometimes"])));
            "changefreq"
        }
        (_, 3) => {
            text = Some(Value::Fixed(random.of(&["0.5", "1.0", "2"])));
            "priority"
        }
        (_, 4..=6) => {
            for _ in 0..=random.below(5) {
                attributes.push(match random.below(13) {
                    0 | 1 => ("hash", Value::Hash(random.of(HASHES))),
                    2 | 3 => ("length", Value::Length),
                    4 | 5 => ("type", Value::Type),
                    6 => ("change", Value::Fixed(random.of(&["created", "updated", "deleted", "Updated"]))),
                    7 => ("datetime", Value::Time),
                    8 => ("path", Value::Path),
                    9 => {
                        ("capability", Value::Fixed(random.of(&["resourcelist", "changelist", "capabilitylist", "x"])))
                    }
                    10 => ("encoding", Value::Fixed("gzip")),
                    11 => (random.of(&["from", "until", "at", "completed"]), Value::Time),
                    _ => (random.of(&["modified", "pri", "href", "nonsense"]), Value::Fixed("1")),
                });
            }
            "rs:md"
        }
        _ => {
            attributes.push(("rel", Value::Fixed(random.of(RELATIONS))));
            attributes.push(("href", Value::Uri(random.of(HOSTS))));
            for _ in 0..random.below(3) {
                attributes.push(match random.below(7) {
                    0 => ("modified", Value::Time),
                    1 => ("type", Value::Type),
                    2 => ("length", Value::Length),
                    3 => ("hash", Value::Hash(random.of(HASHES))),
                    4 => ("path", Value::Path),
                    _ => ("pri", Value::Fixed(random.of(&["1", "7", "0"]))),
                });
            }
            "rs:ln"
        }
    };
    let mut seen: Vec<&str> = Vec::new();
    attributes.retain(|(name, _)| {
        !seen.contains(name) && {
            seen.push(name);
            true
        }
    });
    let is_text = text.is_some();
    Child {
        name,
        attributes,
        text,
        quote: random.of(&['"', '"', '\'']),
        space: random.of(&[" ", " ", "\n    ", "  "]),
        before: random.of(&["\n  ", "\n  ", "", " "]),
        end: if is_text {
            random.of(&["", "", "", " ", "\n "])
        } else {
            random.of(&["/>", "/>", " />", "></x>", "> </x>"])
        },
    }
}

/// One value; rarely of another form than the usual one.
fn value(text: &mut String, value: Value, random: &mut Random, number: usize) {
    let odd = random.one_in(25);
    let shift = if random.one_in(6) { 0 } else { number };
    let _ = match value {
        Value::Fixed(fixed) => write!(text, "{fixed}{}", if odd && random.one_in(3) { "x" } else { "" }),
        Value::Uri(start) if odd => {
            let odd = random.of(&[
                "a b",
                "%41",
                "%4",
                "é",
                "?a=b&amp;c",
                "&amp;",
                "&#38;",
                "<",
                "#f",
                "#f#g",
                "",
                " ",
                "]]>",
                "&amp",
                "@",
                "'",
                "\"",
                "a&lt;",
            ]);
            write!(text, "{start}{odd}")
        }
        Value::Uri(start) => {
            let query = random.of(&["", "", "", "?s=1&amp;v=2", "%20x", ".zip"]);
            let long = random.of(&[0, 0, 0, 0, 3, 30]) * random.below(12) * random.below(2);
            write!(text, "{start}res/{shift}{:x<long$}{query}", "")
        }
        Value::Time if odd => {
            write!(
                text,
                "{}",
                random.of(&[
                    "2024-02-30T00:00:00Z",
                    "2024-02-28",
                    "2024-02-28T00:00:00",
                    "2024-02-28T00:00:00.5Z",
                    "2024-02-28T01:00:00+01:00",
                    "x",
                    "",
                    " 2024-02-28T00:00:00Z",
                    "2024-02-28T00:00:000Z",
                    "2024-02-28T00:00:60Z",
                    "2O24-02-28T00:00:00Z",
                    "2024-13-28T00:00:00Z",
                    "2024-02-28t00:00:00Z"
                ])
            )
        }
        Value::Time => write!(text, "2024-02-{:02}T00:00:{:02}Z", 1 + shift % 28, random.below(60)),
        Value::Hash(list) => {
            for (at, (name, digits)) in list.iter().enumerate() {
                let _ = write!(text, "{}{name}:", if at > 0 { " " } else { "" });
                let digits = if odd { digits + random.below(3) - 1 } else { *digits };
                for _ in 0..digits {
                    text.push(char::from(random.of(if odd {
                        b"0123456789abcdefABCDEF:g".as_slice()
                    } else {
                        b"0123456789abcdefF"
                    })));
                }
            }
            Ok(())
        }
        Value::Length if odd => write!(
            text,
            "{}",
            random.of(&[
                "-1",
                "",
                "+1",
                "1x",
                "18446744073709551615",
                "18446744073709551616",
                "0000000000000000000000000000001",
                " 7",
                "7 ",
                "&#49;",
                "9999999999999999999"
            ])
        ),
        Value::Length => write!(text, "{}", shift * 37),
        Value::Type => write!(
            text,
            "{}{}",
            random.of(&TYPES[..if odd { 6 } else { 3 }]),
            if odd { random.of(&["", ";a=b", " ", "x", "/"]) } else { "" }
        ),
        Value::Path if odd => {
            write!(text, "{}", random.of(&["x", "/../x", "/a//b", "/", "", "/manifest.xml", "/a\\b", "/a&amp;b", "/é"]))
        }
        Value::Path => write!(text, "/resources/{shift}.bin"),
    };
}

fn write_child(text: &mut String, child: &Child, random: &mut Random, number: usize) {
    let _ = write!(text, "{}<{}", child.before, child.name);
    for (name, one) in &child.attributes {
        let _ = write!(text, "{}{name}={}", child.space, child.quote);
        value(text, *one, random, number);
        text.push(child.quote);
    }
    match child.text {
        Some(own) => {
            let _ = write!(text, ">{}", child.end);
            value(text, own, random, number);
            let _ = write!(text, "{}</{}>", child.end, child.name);
        }
        None => text.push_str(&child.end.replace('x', child.name)),
    }
}

/// A document of any kind whose entries have few shapes, with some damage.
pub fn repetitive(random: &mut Random) -> Vec<u8> {
    let (capability, is_index, times) = random.of(KINDS);
    let (root, entry) = if is_index != random.one_in(40) { ("sitemapindex", "sitemap") } else { ("urlset", "url") };
    let mut text = String::from(random.of(&["", "<?xml version='1.0'?>", "\u{feff}"]));
    let _ = write!(
        text,
        r#"<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">"#
    );
    let is_late = random.one_in(20);
    let mut head = String::new();
    if !capability.is_empty() {
        let _ = write!(head, r#"<rs:ln rel="up" href="http://example.com/up.xml"/><rs:md capability="{capability}""#);
        for time in times {
            let _ = write!(head, r#" {time}="2024-02-{}T00:00:00Z""#, random.of(&["01", "14", "28"]));
        }
        head.push_str("/>");
    }
    if !is_late {
        text.push_str(&head);
    }
    let members: &[&str] = if is_index { times } else { &[] };
    let shapes: Vec<Vec<Child>> =
        (0..=random.below(3)).map(|_| (0..=random.below(4)).map(|nth| child(random, nth, members)).collect()).collect();
    let (open, before) = (random.of(&["", "", "", "", " ", " x='y'", "\n"]), random.of(&["\n", "", "\n  "]));
    for number in 0..3 + random.below(8) {
        let shape = &shapes[random.below(shapes.len())];
        let _ = write!(text, "{before}<{entry}{open}>");
        for own in shape {
            if random.one_in(60) {
                text.push_str(random.of(&[
                    "<!-- c -->",
                    "<x xmlns='urn:x'>1</x>",
                    "stray",
                    "<?p i?>",
                    "<![CDATA[ ]]>",
                    "<!-- -->\r\n",
                ]));
            }
            write_child(&mut text, own, random, number);
        }
        let _ = write!(text, "{before}</{entry}>");
        if random.one_in(30) {
            text.push_str(random.of(&[
                "<!-- c -->",
                "<x/>",
                "\r\n",
                "é",
                "<rs:md capability='changelist'/>",
                "<rs:ln rel='up' href='http://a/'/>",
                "<a:url xmlns:a='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
                "\r",
            ]));
        }
    }
    if is_late {
        text.push_str(&head);
    }
    let _ = write!(text, "{before}</{root}>");
    let mut bytes = text.into_bytes();
    if random.one_in(3) {
        for _ in 0..=random.below(2) {
            damage(&mut bytes, random);
        }
    }
    if random.one_in(40) {
        bytes = [0xff, 0xfe]
            .into_iter()
            .chain(String::from_utf8_lossy(&bytes).encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
    }
    bytes
}

/// Limits that entries may reach.
pub fn some_limits(random: &mut Random) -> Limits {
    let mut limits = Limits::default();
    if random.one_in(4) {
        let (name, value) = random.of(&[
            ("value_bytes", 20),
            ("value_bytes", 60),
            ("tag_bytes", 40),
            ("tag_bytes", 150),
            ("links", 1),
            ("links", 2),
            ("digests", 1),
            ("entries", 4),
            ("depth", 2),
            ("depth", 3),
            ("attributes", 2),
            ("document_bytes", 1_500),
            ("name_bytes", 5),
            ("late_head_entries", 2),
        ]);
        assert!(limits.set(name, value));
    }
    limits
}
