//! Memory does not grow with a document, except for 32 bytes per entry; oversized parts end at their limit.
//!
//! Allocations are counted; nothing is timed. Documents are generated window by window, so that only the memory of the
//! library is measured. Debug builds use smaller documents: memory that does not grow over 8 MiB does not grow over 256, as
//! `cargo test --release` shows.

use std::sync::{Mutex, MutexGuard, PoisonError};

use peak_alloc::PeakAlloc;
use resourcesync::{
    api::{InputOrigin, Options, Outcome, Validation},
    build::{Publication, Resource, Settings, Store},
    value::{Datetime, Uri},
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
/// The bytes of a nearly endless document.
const ENDLESS: usize = if cfg!(debug_assertions) { 8 * MIB } else { 256 * MIB };
/// The memory allowed regardless of size: windows, tags and texts up to their limits, and findings.
const CONSTANT: usize = 2 * MIB;
const AN_ENTRY: usize = 32;

const HEAD: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/><rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>"#;
const MANIFEST: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/><rs:md capability="resourcedump-manifest" at="2024-05-01T00:00:00Z"/>"#;

/// The counts are those of the whole process, also of what another test keeps or frees meanwhile: each test begins with this.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The peak memory while a document is read, and the result.
fn held(feed: impl FnOnce(&mut dyn FnMut(&str))) -> (usize, Outcome) {
    held_with(&Options::default(), feed)
}

fn held_with(options: &Options, feed: impl FnOnce(&mut dyn FnMut(&str))) -> (usize, Outcome) {
    let mut window = String::with_capacity(128 * KIB);
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let mut validation = Validation::new(options, InputOrigin::named("document.xml"));
    feed(&mut |text| {
        window.push_str(text);
        if window.len() >= 64 * KIB {
            validation.push(window.as_bytes());
            window.clear();
        }
    });
    validation.push(window.as_bytes());
    let outcome = validation.finish();
    (ALLOCATOR.peak_usage().saturating_sub(before), outcome)
}

/// A start, a part repeated up to a number of bytes, and an end.
fn endless(head: &str, body: &str, tail: &str) -> (usize, Outcome) {
    assert!(body.len() < 64 * KIB);
    held(|write| {
        write(head);
        (0..ENDLESS / body.len()).for_each(|_| write(body));
        write(tail);
    })
}

fn codes(outcome: &Outcome) -> Vec<&str> {
    outcome.checked.groups.keys().map(|(code, _)| code.id()).collect()
}

fn entries(head: &str, count: usize, entry: impl Fn(usize) -> String) -> usize {
    let (peak, outcome) = held(|write| {
        write(head);
        (0..count).for_each(|number| write(&entry(number)));
        write("</urlset>");
    });
    assert_eq!((outcome.entries, codes(&outcome)), (count as u64, vec![]));
    peak
}

#[test]
fn an_entry_costs_32_bytes() {
    let _alone = alone();
    let (few, many) = (5_000, 45_000);
    let list = |number| format!("<url><loc>http://example.com/{number}</loc></url>\n");
    let manifest = |number| {
        format!(r#"<url><loc>http://example.com/{number}</loc><rs:md type="text/plain" path="/{number}"/></url>"#)
    };
    for (head, entry) in [(HEAD, &list as &dyn Fn(usize) -> String), (MANIFEST, &manifest)] {
        let (small, large) = (entries(head, few, entry), entries(head, many, entry));
        // Chunks of the set of seen texts and the buffer of the reader fill up at different positions.
        assert!(large <= small + (many - few) * AN_ENTRY + 300 * KIB, "{small} → {large}");
        assert!(large <= CONSTANT + many * AN_ENTRY, "{large}");
    }
}

#[test]
fn entries_beyond_the_limit_are_not_remembered() {
    let _alone = alone();
    let mut options = Options::default();
    options.limits.entries = 10_000;
    let list = |number: u64| format!("<url><loc>http://example.com/{number}</loc></url>\n");
    let manifest = |number: u64| {
        format!(r#"<url><loc>http://example.com/{number}</loc><rs:md type="text/plain" path="/{number}"/></url>"#)
    };
    // Each of them wrong, and none with a place in the set of seen texts.
    let wrong = |number: u64| format!("<url><loc>{number}</loc></url>");
    for (head, entry) in [(HEAD, &list as &dyn Fn(u64) -> String), (MANIFEST, &manifest), (HEAD, &wrong)] {
        let read = |count: u64| {
            let (peak, outcome) = held_with(&options, |write| {
                write(head);
                (0..count).for_each(|number| write(&entry(number)));
                write("</urlset>");
            });
            assert!(codes(&outcome).contains(&"LIM-02") && outcome.incomplete, "{:?}", codes(&outcome));
            peak
        };
        let (few, many) = (read(20_000), read(100_000));
        // 32 bytes an entry would be 2.5 MB.
        assert!(many <= few + 64 * KIB, "{few} → {many}");
    }
}

#[test]
fn what_never_ends_takes_no_memory() {
    let _alone = alone();
    let url = format!("{HEAD}<url><loc>http://example.com/");
    for (name, head, body, tail) in [
        ("text", &*url, "0123456789abcdef", "</loc></url></urlset>"),
        ("text with references", &url, "a&amp;", "</loc></url></urlset>"),
        ("CDATA", &format!("{url}<![CDATA["), "]] >", "]]></loc></url></urlset>"),
        ("comment", &format!("{HEAD}<!--"), "- x", "--></urlset>"),
        ("comment in a value", &format!("{url}<!--"), "x", "--></loc></url></urlset>"),
        ("instruction", &format!("{HEAD}<?x "), "? >", "?></urlset>"),
        ("blanks", HEAD, " \r\n", "</urlset>"),
        ("blanks after the root", &format!("{HEAD}</urlset>"), "\n", ""),
        ("comments", HEAD, "<!-- x -->", "</urlset>"),
        ("foreign elements", HEAD, "<x y='z'>t</x>", "</urlset>"),
        ("foreign elements of an entry", &url, "</loc><x y='z'>t</x><loc>", "</loc></url></urlset>"),
        ("elements inside one another's place", HEAD, "<loc>x</loc>", "</urlset>"),
        (
            "links of one entry",
            &format!("{url}</loc>"),
            "<rs:ln rel='via' href='http://example.com/'/>",
            "</url></urlset>",
        ),
        ("links of the root", HEAD, "<rs:ln rel='up' href='http://example.com/'/>", "</urlset>"),
        ("texts of one entry", &url, "</loc><loc>", "</loc></url></urlset>"),
        ("findings on one line", HEAD, "<url><loc>relative</loc><rs:md hash='x'/></url>", "</urlset>"),
    ] {
        let (peak, outcome) = endless(head, body, tail);
        let remembered = usize::try_from(outcome.entries).unwrap_or(usize::MAX) * AN_ENTRY;
        assert!(peak <= CONSTANT + remembered, "{name}: {peak} bytes, {:?}", codes(&outcome));
        assert!(!codes(&outcome).contains(&"GEN-01"), "{name}: {:?}", outcome.checked.diagnostics);
    }
}

#[test]
fn what_is_too_long_or_too_much_ends_at_its_limit() {
    let _alone = alone();
    for (name, head, body, code) in [
        ("value", &*format!("{HEAD}<url><rs:md hash='"), "a", "LIM-07"),
        ("value of references", &format!("{HEAD}<url><rs:md hash='"), "&#x41;", "LIM-07"),
        ("name of an element", &format!("{HEAD}<a"), "a", "LIM-06"),
        ("name of an attribute", &format!("{HEAD}<url a"), "a", "LIM-06"),
        ("name of an instruction", &format!("{HEAD}<?a"), "a", "LIM-06"),
        ("name of a reference", &format!("{HEAD}<url><loc>&a"), "a", "LIM-06"),
        ("start tag", &format!("{HEAD}<url"), " \n", "LIM-08"),
        ("end tag", &format!("{HEAD}</urlset"), " ", "LIM-08"),
        ("declaration", "<?xml version='1.0'", " ", "LIM-08"),
        ("depth", HEAD, "<a>", "LIM-03"),
        ("digests", &format!("{HEAD}<url><loc>http://example.com/</loc><rs:md hash='"), "md5:0 ", "LIM-07"),
    ] {
        let (peak, outcome) = endless(head, body, "");
        assert!(peak <= CONSTANT, "{name}: {peak} bytes");
        assert!(codes(&outcome).contains(&code) && outcome.incomplete, "{name}: {:?}", codes(&outcome));
    }
}

#[test]
fn a_million_attributes_or_prefixes_end_at_their_limit() {
    let _alone = alone();
    for (attribute, code) in [("a", "LIM-04"), ("xmlns:a", "LIM-04")] {
        let (peak, outcome) = held(|write| {
            write("<urlset");
            (0..1_000_000).for_each(|number| write(&format!(" {attribute}{number}='x'")));
            write("/>");
        });
        assert!(peak <= CONSTANT, "{attribute}: {peak} bytes");
        assert!(codes(&outcome).contains(&code), "{attribute}: {:?}", codes(&outcome));
    }
}

/// Validates each file while it is written, without keeping it.
struct Validator<'a> {
    options: &'a Options,
    open: Option<Validation<'a>>,
    entries: u64,
    files: usize,
}

impl Store for Validator<'_> {
    type Error = String;

    fn begin(&mut self, path: &str) -> Result<(), String> {
        self.open = Some(Validation::new(self.options, InputOrigin::named(path)));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        if let Some(open) = &mut self.open {
            open.push(bytes);
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        let outcome = self.open.take().ok_or("no file is open")?.finish();
        self.entries += outcome.entries;
        self.files += 1;
        if codes(&outcome).is_empty() { Ok(()) } else { Err(format!("{}: {:?}", outcome.origin.name, codes(&outcome))) }
    }
}

/// The peak memory while a number of resources is published, with the files and entries written.
fn published(resources: u64) -> (usize, usize, u64) {
    let uri = |path: &str| format!("https://example.com/{path}").parse::<Uri>().expect("it is a URI");
    let at = Datetime::utc(2024, 5, 1, 0, 0, 0).expect("it is a moment");
    let mut settings = Settings::default();
    settings.describedby = Some(uri("about"));
    let options = Options::default();
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let mut store = Validator { options: &options, open: None, entries: 0, files: 0 };
    let mut publication = Publication::new(&mut store, uri(""), at, settings).expect("the base is right");
    publication.set("", Some(uri("about"))).expect("it is the first set");
    publication.begin_resource_list(Some(resources)).expect("the set is there");
    for number in 0..resources {
        publication.push(Resource::new(uri(&format!("{number:08}")))).expect("the resource is right");
    }
    publication.finish().expect("nothing is wrong");
    (ALLOCATOR.peak_usage().saturating_sub(before), store.files, store.entries)
}

#[test]
fn a_publication_holds_nothing_of_what_it_wrote() {
    let _alone = alone();
    let (lists, all) = if cfg!(debug_assertions) { (2, 4) } else { (2, 20) };
    let (few, ..) = published(lists * 50_000);
    let (many, files, entries) = published(all * 50_000);
    // The lists, their index, the Capability List, the Source Description; an entry for each resource and each of those listed.
    assert_eq!((files as u64, entries), (all + 3, all * 50_000 + all + 2));
    // The set of seen texts of one list, twice: in the builder and in the validator.
    assert!(many <= 2 * (CONSTANT + 50_000 * AN_ENTRY), "{many}");
    // A name for each list.
    assert!(many <= few + (all - lists) as usize * KIB + 64 * KIB, "{few} → {many}");
}
