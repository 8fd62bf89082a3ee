//! Documents that a builder accepts validate without a finding, and round-trip.

use proptest::{option::weighted, prelude::*, sample::select, string::string_regex};
use resourcesync::{
    api::{self, Builder, InputOrigin, Options, plain, validate},
    limits::Limits,
    model::{self, Kind, Shape},
    report::Verdict,
};

/// Mostly valid values, occasionally arbitrary ones.
fn text(likely: &'static [&'static str]) -> BoxedStrategy<String> {
    prop_oneof![
        30 => select(likely).prop_map(String::from),
        1 => any::<String>(),
        1 => string_regex("[ -~\\t\\r\\n<>&\"'\u{0}-\u{1f}\u{fff0}-\u{ffff}日本\u{e000}\u{202e}]{0,12}").unwrap(),
    ]
    .boxed()
}

fn some(likely: &'static [&'static str], probability: f64) -> BoxedStrategy<Option<String>> {
    weighted(probability, text(likely)).boxed()
}

const URIS: &[&str] = &[
    "http://example.com/1",
    "http://example.com/2?a=1&b=2",
    "https://example.com/%E6%97%A5#x",
    "http://example.com/4'5",
    "http://example.com/5.zip",
    "urn:isbn:1",
    " http://example.com/6 ",
    "http://example.com/日本",
];
const MOMENTS: &[&str] = &[
    "2024-05-01T00:00:00Z",
    "2024-05-02T00:00:00.5Z",
    "2024-05-03T09:00:00+09:00",
    "2024-05-04",
    "2024",
    "2024-05-05T00:00:00",
];
const TYPES: &[&str] =
    &["text/html", "application/zip", "text/html; charset=\"a b\"", "Text/HTML", "x/y", "application/xml"];
const PATHS: &[&str] = &["/1", "/a/b c.txt", "/日本", "/../x", "a", "/CON", "/\u{ff01}"];
const CODINGS: &[&str] = &["gzip", "gzip, br"];
const CAPABILITIES: &[&str] =
    &["capabilitylist", "resourcelist", "changelist", "resourcedump", "change-notification", "x"];
const RELATIONS: &[&str] = &[
    "up",
    "describedby",
    "index",
    "duplicate",
    "alternate",
    "canonical",
    "http://www.openarchives.org/rs/terms/patch",
    "describes",
    "profile",
    "memento",
    "timegate",
    "timemap",
    "collection",
    "via",
    "contents",
    "hub",
    "http://example.com/own",
];
const ELEMENTS: &[&str] = &[
    "<x xmlns='urn:x'/>",
    "<x:y xmlns:x=\"urn:x\">a<x:z b='c'/>&#9;</x:y>",
    "<y/>",
    "text",
    "<a>",
    "</url><url>",
    "<!-- c -->",
    "<loc xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>http://example.com/9</loc>",
];

fn digests() -> BoxedStrategy<plain::Digests> {
    let good = |algorithm: &'static str, digits: usize| {
        string_regex(&format!("[0-9a-f]{{{digits}}}")).unwrap().prop_map(move |digest| (algorithm.to_string(), digest))
    };
    let one = prop_oneof![
        8 => good("md5", 32),
        8 => good("sha-256", 64),
        1 => (text(&["md5", "SHA-256", "blake3"]), text(&["00", "ABCDEF", "1584ABDF8EBDC9802AC0C6A7402C03B6"])),
    ];
    prop_oneof![3 => Just(vec![]), 2 => prop::collection::vec(one, 1..3)]
        .prop_map(|list| list.into_iter().collect())
        .boxed()
}

fn attributes() -> BoxedStrategy<Vec<plain::Attribute>> {
    let one = (
        text(&["a", "b", "length", "rel", "href"]),
        select(
            &["", "urn:x", "urn:y", "http://www.w3.org/XML/1998/namespace", "http://www.openarchives.org/rs/terms/"][..],
        ),
        select(&["", "x", "rs", "xml", "xmlns", "1"][..]),
        text(&["", "value", "a & <b> \"c\""]),
    );
    let one = one.prop_map(|(name, namespace, prefix, value)| plain::Attribute {
        name,
        namespace: namespace.into(),
        prefix: prefix.into(),
        value,
    });
    prop_oneof![12 => Just(vec![]), 1 => prop::collection::vec(one, 1..3)].boxed()
}

fn elements() -> BoxedStrategy<Vec<String>> {
    prop_oneof![8 => Just(vec![]), 1 => prop::collection::vec(text(ELEMENTS), 1..3)].boxed()
}

fn link() -> BoxedStrategy<plain::Link> {
    let first =
        (some(RELATIONS, 0.98), some(URIS, 0.98), weighted(0.1, 0_u32..1_000_001), some(MOMENTS, 0.2), digests());
    let second = (weighted(0.2, any::<u64>()), some(TYPES, 0.4), some(CODINGS, 0.05), some(PATHS, 0.05), attributes());
    (first, second)
        .prop_map(|((rel, href, pri, modified, hashes), (length, media_type, encoding, path, attributes))| {
            plain::Link { rel, href, pri, modified, hashes, length, media_type, encoding, path, attributes }
        })
        .boxed()
}

fn links(upto: usize) -> BoxedStrategy<Vec<plain::Link>> {
    prop_oneof![3 => Just(vec![]), 1 => prop::collection::vec(link(), 1..=upto)].boxed()
}

fn usual(rel: &str) -> plain::Link {
    plain::Link { rel: Some(rel.into()), href: Some("http://example.com/x".into()), ..plain::Link::default() }
}

/// Mostly the values required by the kind, and arbitrary ones.
fn head(kind: Kind) -> BoxedStrategy<plain::Head> {
    let usual = match kind {
        Kind::SourceDescription => vec![usual("describedby")],
        Kind::SourceDescriptionIndex => vec![],
        Kind::CapabilityList => vec![usual("up"), usual("describedby")],
        _ => vec![usual("up")],
    };
    let name = kind.as_str();
    let snapshot = name.starts_with("resource-");
    let interval = name.starts_with("change-");
    let likely = |wanted: bool| if wanted { 0.99 } else { 0.01 };
    let often = |wanted: bool| if wanted { 0.3 } else { 0.01 };
    let until = if kind == Kind::ChangeNotification { 0.95 } else { often(interval) };
    let times = (
        some(&["2024-05-01T00:00:00Z"], likely(snapshot)),
        some(&["2024-05-06T00:00:00Z"], often(snapshot)),
        some(&["2024-05-01T00:00:00Z"], likely(interval)),
        some(&["2024-05-06T00:00:00Z"], until),
    );
    (times, prop_oneof![12 => Just(vec![]), 1 => links(2)], attributes(), elements(), attributes())
        .prop_map(move |((at, completed, from, until), more, attributes, elements, root_attributes)| plain::Head {
            capability: None,
            at,
            completed,
            from,
            until,
            links: usual.iter().cloned().chain(more).collect(),
            attributes,
            elements,
            root_attributes,
        })
        .boxed()
}

fn entry(kind: Kind) -> BoxedStrategy<plain::Entry> {
    use Kind as K;
    let changes =
        matches!(kind, K::ChangeList | K::ChangeDumpManifest | K::ChangeNotification | K::FrameworkNotification);
    let manifest = matches!(kind, K::ResourceDumpManifest | K::ChangeDumpManifest);
    let package = matches!(kind, K::ResourceDump | K::ChangeDump);
    let from = matches!(kind, K::ChangeListIndex | K::ChangeDump | K::ChangeDumpIndex);
    let capability = matches!(kind, K::SourceDescription | K::CapabilityList | K::FrameworkNotification);
    let bytes = manifest || package || changes && kind != K::FrameworkNotification || kind == K::ResourceList;
    let likely = |wanted: bool, otherwise: f64| if wanted { 0.98 } else { otherwise };
    let first = (
        text(URIS),
        some(MOMENTS, if capability { 0.02 } else { 0.2 }),
        some(&["daily", "Daily"], 0.03),
        some(&["0.5", "1.0"], 0.05),
        some(&["created", "updated", "deleted", "new"], likely(changes, 0.01)),
        some(MOMENTS, likely(changes, 0.01)),
        some(if kind == K::SourceDescription { &["capabilitylist"] } else { CAPABILITIES }, likely(capability, 0.01)),
    );
    let second = (
        some(MOMENTS, 0.02),
        some(MOMENTS, 0.02),
        some(&["2024-05-01T00:00:00Z", "2024-05-02T00:00:00Z"], likely(from, 0.01)),
        some(&["2024-05-02T00:00:00Z", "2024-05-03T00:00:00Z"], if from { 0.7 } else { 0.01 }),
    );
    let hashes = if bytes { digests() } else { Just(plain::Digests::default()).boxed() };
    let third = (
        hashes,
        weighted(
            if package {
                0.95
            } else if bytes {
                0.4
            } else {
                0.01
            },
            any::<u64>(),
        ),
        some(
            if package { &["application/zip"] } else { TYPES },
            likely(package || manifest, if bytes { 0.4 } else { 0.01 }),
        ),
        some(CODINGS, if bytes { 0.05 } else { 0.001 }),
        some(PATHS, likely(manifest, 0.01)),
    );
    let few = if bytes && !package { links(3) } else { prop_oneof![20 => Just(vec![]), 1 => links(1)].boxed() };
    (first, second, third, few, attributes(), elements())
        .prop_map(move |(first, second, third, mut links, attributes, elements)| {
            if kind == K::SourceDescription && links.is_empty() {
                links.push(usual("describedby"));
            }
            let (uri, lastmod, changefreq, priority, change, datetime, capability) = first;
            let ((at, completed, from, until), (hashes, length, media_type, encoding, path)) = (second, third);
            let mut entry = plain::Entry {
                uri,
                lastmod,
                changefreq,
                priority,
                change,
                datetime,
                capability,
                at,
                completed,
                from,
                until,
                hashes,
                length,
                media_type,
                encoding,
                path,
                links,
                attributes,
                elements,
            };
            if entry.change.as_deref() == Some("deleted") {
                let plain::Entry { hashes, length, media_type, path, .. } = &mut entry;
                (*hashes, *length, *media_type, *path) = (plain::Digests::default(), None, None, None);
            }
            entry
        })
        .boxed()
}

fn document() -> BoxedStrategy<(Kind, plain::Head, Vec<plain::Entry>)> {
    (0..15_usize)
        .prop_flat_map(|at| {
            let kind = Kind::ALL[at];
            (Just(kind), head(kind), prop::collection::vec(entry(kind), 0..12))
        })
        .boxed()
}

/// The value in the spelling of the standard.
fn canonical(entry: &plain::Entry, shape: Shape) -> plain::Entry {
    let entry = model::Entry::try_from((entry, shape)).unwrap();
    plain::Entry::from(&entry)
}

/// The number of accepted entries, and the total; `None` if the document itself was rejected.
fn build(kind: Kind, head: &plain::Head, entries: &[plain::Entry]) -> Option<usize> {
    let mut builder = Builder::from_plain(kind, head, &Options::default()).ok()?;
    let mut accepted = vec![];
    let mut text = String::new();
    for entry in entries {
        let before = (builder.entries(), builder.bytes());
        match builder.push_plain(entry) {
            Ok(()) => accepted.push(entry),
            Err(refused) => {
                assert_eq!((builder.entries(), builder.bytes()), before, "{refused}");
                assert!(!refused.to_string().is_empty());
            }
        }
        text += &builder.take();
    }
    text += &builder.finish().ok()?;

    let report = validate(text.as_bytes(), InputOrigin::named("built.xml"), &Options::default());
    assert_eq!((report.verdict, &report.diagnostics), (Verdict::Valid, &vec![]), "{text}");
    assert_eq!(report.inputs[0].kind, kind);
    let read = api::read(text.as_bytes(), &Limits::default()).unwrap();
    let shape = if text.contains("<sitemapindex") { Shape::SitemapIndex } else { Shape::UrlSet };
    let expected: Vec<_> = accepted.iter().map(|entry| canonical(entry, shape)).collect();
    assert_eq!(read.entries, expected, "{text}");

    // Reading and building it again gives the same document.
    let mut again = Builder::from_plain(kind, &read.head, &Options::default()).unwrap();
    read.entries.iter().for_each(|entry| again.push_plain(entry).unwrap());
    let again = api::read(again.finish().unwrap().as_bytes(), &Limits::default()).unwrap();
    assert_eq!(again, read);
    Some(accepted.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_builder_accepts_validates_and_reads_as_given((kind, head, entries) in document()) {
        build(kind, &head, &entries);
    }
}

#[test]
fn most_of_what_is_tried_is_accepted_of_each_kind() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    for kind in &Kind::ALL[..15] {
        let (mut documents, mut accepted) = (0, 0);
        for _ in 0..100 {
            let head = head(*kind).new_tree(&mut runner).unwrap().current();
            let entries = prop::collection::vec(entry(*kind), 3).new_tree(&mut runner).unwrap().current();
            if let Some(entries) = build(*kind, &head, &entries) {
                documents += 1;
                accepted += entries;
            }
        }
        assert!(documents > 20 && accepted > 10, "{}: {documents} documents, {accepted} entries", kind.as_str());
    }
}
