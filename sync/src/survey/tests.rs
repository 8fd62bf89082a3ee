use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use proptest::prelude::*;
use resourcesync::diagnostic::{Reason, ReasonCode};

use super::*;

mod bounds;
mod dumps;
mod polls;
mod times;
mod ways;

/// 2020-09-13.
const NOW: i64 = 1_600_000_000;
const HEAD: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

fn document(root: &str, head: &str, entries: &[&str]) -> String {
    let element = if root == "urlset" { "url" } else { "sitemap" };
    let entries: String = entries.iter().map(|entry| format!("<{element}>{entry}</{element}>")).collect();
    format!("<{root} {HEAD}>{head}{entries}</{root}>")
}

fn list(at: &str, uris: &[&str]) -> String {
    let entries: Vec<String> = uris.iter().map(|uri| format!("<loc>{uri}</loc>")).collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    document("urlset", &format!(r#"<rs:md capability="resourcelist" at="{at}"/>"#), &entries)
}

fn index(members: &[&str]) -> String {
    let entries: Vec<String> = members.iter().map(|uri| format!("<loc>{uri}</loc>")).collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    document("sitemapindex", r#"<rs:md capability="resourcelist" at="2020-01-01T00:00:00Z"/>"#, &entries)
}

fn capabilities(lists: &[(&str, &str)]) -> String {
    let entries: Vec<String> = lists
        .iter()
        .map(|(uri, capability)| format!(r#"<loc>{uri}</loc><rs:md capability="{capability}"/>"#))
        .collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    document("urlset", r#"<rs:md capability="capabilitylist"/>"#, &entries)
}

fn description(lists: &[&str]) -> String {
    let entries: Vec<String> =
        lists.iter().map(|uri| format!(r#"<loc>{uri}</loc><rs:md capability="capabilitylist"/>"#)).collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    document("urlset", r#"<rs:md capability="description"/>"#, &entries)
}

/// A server: the successive responses for each URI; the last one repeats.
struct Server {
    pages: BTreeMap<String, Vec<Vec<u8>>>,
    log: Vec<String>,
    headers: BTreeMap<String, (String, String)>,
    /// False if no response has an `ETag`.
    has_tags: bool,
}

impl Server {
    fn new(pages: &[(&str, &str)]) -> Server {
        let pages = pages.iter().map(|(uri, page)| ((*uri).to_string(), vec![page.as_bytes().to_vec()])).collect();
        Server { pages, log: Vec::new(), headers: BTreeMap::new(), has_tags: true }
    }

    fn with(mut self, uri: &str, pages: &[&str]) -> Server {
        self.pages.insert(uri.to_string(), pages.iter().map(|page| page.as_bytes().to_vec()).collect());
        self
    }

    fn read(&mut self, survey: Survey, window: usize) -> (Findings, Vec<String>) {
        let (found, listed) = self.events(survey, window);
        (found, listed.into_iter().map(|resource| resource.uri).collect())
    }

    /// Runs a survey like a driver and returns the valid resources.
    fn events(&mut self, mut survey: Survey, window: usize) -> (Findings, Vec<ListedResource>) {
        let (mut listed, mut waiting) = (Vec::new(), Vec::new());
        while let Step::Read(request) = survey.next() {
            self.log.push(request.uri.clone());
            let Some(versions) = self.pages.get_mut(&request.uri) else {
                survey.answer(Head { uri: request.uri, status: 404, headers: Vec::new() });
                survey.push(b"not here");
                survey.end();
                continue;
            };
            let page = if versions.len() > 1 { versions.remove(0) } else { versions[0].clone() };
            let tag = format!("\"{}\"", resourcesync::value::to_hex(&page).len());
            let status = if request.etag.as_deref() == Some(tag.as_str()) { 304 } else { 200 };
            let mut headers: Vec<_> = self.has_tags.then(|| ("ETag".to_string(), tag)).into_iter().collect();
            headers.extend(self.headers.get(&request.uri).cloned());
            survey.answer(Head { uri: request.uri, status, headers });
            let page = if status == 304 { Vec::new() } else { page };
            page.chunks(window).for_each(|chunk| survey.push(chunk));
            survey.end();
            for event in survey.events() {
                match event {
                    Event::Listed(number, resource) => waiting.push((number, resource)),
                    Event::Counts(number) => {
                        let own = waiting.iter().filter(|(other, _)| *other == number);
                        listed.extend(own.map(|(_, resource)| resource.clone()));
                        waiting.clear();
                    }
                    Event::Dropped(_) => waiting.clear(),
                    Event::Restarted => {
                        listed.clear();
                        waiting.clear();
                    }
                }
            }
        }
        (survey.finish(), listed)
    }
}

const HOST: &str = "http://a.example/";

fn source() -> Server {
    Server::new(&[
        ("http://a.example/.well-known/resourcesync", &description(&["http://a.example/cap"])),
        (
            "http://a.example/cap",
            &capabilities(&[("http://a.example/new", "novelty"), ("http://a.example/list", "resourcelist")]),
        ),
        ("http://a.example/list", &list("2020-01-02T00:00:00Z", &["http://a.example/1", "http://A.example:80/2#x"])),
    ])
}

fn survey(start: &str) -> Survey {
    Survey::new(start, Remembered::default(), false, NOW, &Limits::default())
}

#[test]
fn a_host_leads_to_its_resources_and_unknown_capabilities_are_passed_over() {
    let mut server = source();
    let (found, listed) = server.read(survey(HOST), 7);
    assert_eq!(listed, ["http://a.example/1", "http://a.example/2"]);
    assert!(found.lists_complete && found.mixed.is_none());
    assert_eq!(found.remembered.as_of(), Some("2020-01-02T00:00:00Z"));
    assert_eq!(
        server.log,
        ["http://a.example/.well-known/resourcesync", "http://a.example/cap", "http://a.example/list"]
    );
}

#[test]
fn nothing_more_is_read_when_nothing_changed() {
    let mut server = source();
    let (found, _) = server.read(survey(HOST), 1024);
    server.log.clear();
    let again = Survey::new(HOST, found.remembered.clone(), true, NOW, &Limits::default());
    let (unchanged, listed) = server.read(again, 1024);
    assert!(unchanged.is_unchanged && unchanged.lists_complete && listed.is_empty());
    assert_eq!((server.log.len(), &unchanged.remembered), (3, &found.remembered));
    server.pages.insert(
        "http://a.example/list".to_string(),
        vec![list("2020-01-03T00:00:00Z", &["http://a.example/3"]).into_bytes()],
    );
    let again = Survey::new(HOST, found.remembered, true, NOW, &Limits::default());
    let (changed, listed) = server.read(again, 1024);
    assert!(!changed.is_unchanged && changed.lists_complete);
    assert_eq!(listed, ["http://a.example/3"]);
}

#[test]
fn every_way_of_discovery_leads_to_the_lists() {
    let page = r#"<html><head><link rel="resourcesync" href="/cap"></head></html>"#;
    let robots = "Sitemap: http://a.example/plain\nSitemap: http://a.example/list";
    let plain = document("urlset", "", &["<loc>http://a.example/9</loc>"]);
    let up = document(
        "urlset",
        r#"<rs:ln rel="up" href="http://a.example/cap"/><rs:md capability="resourcelist" at="2020-01-02T00:00:00Z"/>"#,
        &["<loc>http://a.example/1</loc>"],
    );
    let mut starts = vec![("http://a.example/cap", source()), ("http://a.example/.well-known/resourcesync", source())];
    starts.push(("http://a.example/page", source().with("http://a.example/page", &[page])));
    starts.push(("http://a.example/up", source().with("http://a.example/up", &[&up])));
    let mut by_robots =
        source().with("http://a.example/robots.txt", &[robots]).with("http://a.example/plain", &[&plain]);
    by_robots.pages.remove("http://a.example/.well-known/resourcesync");
    starts.push((HOST, by_robots));
    let mut by_header = source().with("http://a.example/x", &["anything"]);
    by_header.headers.insert(
        "http://a.example/x".to_string(),
        ("Link".to_string(), "</other>; rel=next, </cap>; rel=\"x resourcesync\"".to_string()),
    );
    starts.push(("http://a.example/x", by_header));
    for (start, mut server) in starts {
        let (found, listed) = server.read(survey(start), 100);
        assert_eq!(listed, ["http://a.example/1", "http://a.example/2"], "{start}");
        assert!(found.lists_complete, "{start}: {found:?}");
    }
}

#[test]
fn the_lists_of_the_only_set_are_not_told_apart() {
    let mut survey = survey("http://a.example/cap");
    let server = source();
    while let Step::Read(request) = survey.next() {
        survey.answer(Head { uri: request.uri.clone(), status: 200, headers: Vec::new() });
        survey.push(&server.pages[&request.uri][0]);
        survey.end();
        assert!((0..4).all(|number| survey.set_of(number).is_none()), "{}", request.uri);
    }
}

#[test]
fn an_ordinary_sitemap_is_no_resource_list() {
    let plain = document("urlset", "", &["<loc>http://a.example/9</loc>"]);
    let (found, listed) =
        Server::new(&[("http://a.example/plain", &plain)]).read(survey("http://a.example/plain"), 100);
    assert!(!found.lists_complete && listed.is_empty());
}

fn indexed(index_pages: &[&str]) -> Server {
    Server::new(&[
        ("http://a.example/m1", &list("2020-01-01T00:00:00Z", &["http://a.example/1"])),
        ("http://a.example/m2", &list("2020-01-01T00:00:00Z", &["http://a.example/2"])),
    ])
    .with("http://a.example/index", index_pages)
}

#[test]
fn members_of_an_index_are_one_set_if_the_index_stays_the_same() {
    let page = index(&["http://a.example/m1", "http://a.example/m2"]);
    let mut server = indexed(&[&page]);
    let (found, listed) = server.read(survey("http://a.example/index"), 64);
    assert_eq!(listed, ["http://a.example/1", "http://a.example/2"]);
    assert!(found.lists_complete && found.mixed.is_none());
    assert_eq!(server.log.iter().filter(|uri| uri.ends_with("index")).count(), 2);
}

#[test]
fn an_index_that_changes_meanwhile_is_read_again_and_at_last_given_up() {
    let (one, two) = (index(&["http://a.example/m1"]), index(&["http://a.example/m1", "http://a.example/m2"]));
    let (found, listed) = indexed(&[&one, &two]).read(survey("http://a.example/index"), 64);
    assert!(found.mixed.is_none() && found.lists_complete);
    assert_eq!(listed, ["http://a.example/1", "http://a.example/2"]);
    let (found, _) = indexed(&[&one, &two, &one, &two, &one, &two]).read(survey("http://a.example/index"), 64);
    assert_eq!(found.mixed.as_deref(), Some("http://a.example/index"));
}

#[test]
fn a_member_that_is_missing_or_no_list_leaves_the_set_unread() {
    let page = index(&["http://a.example/m1", "http://a.example/gone"]);
    let (found, listed) = indexed(&[&page]).read(survey("http://a.example/index"), 64);
    assert!(!found.lists_complete);
    assert_eq!(listed, ["http://a.example/1"]);
    let nested = index(&["http://a.example/m1", "http://a.example/inner"]);
    let mut server = indexed(&[&nested]).with("http://a.example/inner", &[&page]);
    assert!(!server.read(survey("http://a.example/index"), 64).0.lists_complete);
}

#[test]
fn an_index_that_is_served_as_a_urlset_is_followed_by_the_capability_of_its_entries() {
    let entry = |name: &str| format!(r#"<rs:md capability="resourcelist"/><loc>http://a.example/{name}</loc>"#);
    let page = |members: &[&str]| {
        let entries: Vec<String> = members.iter().map(|name| entry(name)).collect();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        document("urlset", r#"<rs:md capability="resourcelist" at="2020-01-01T00:00:00Z"/>"#, &entries)
    };
    let (one, both) = (page(&["m1"]), page(&["m1", "m2"]));
    let (found, listed) = indexed(&[&both]).read(survey("http://a.example/index"), 64);
    assert_eq!((listed, found.listed), (vec!["http://a.example/1".into(), "http://a.example/2".into()], 2));
    assert!(found.lists_complete && found.mixed.is_none());
    let (found, _) = indexed(&[&one, &both, &one, &both, &one, &both]).read(survey("http://a.example/index"), 64);
    assert_eq!(found.mixed.as_deref(), Some("http://a.example/index"));
    let nested = page(&["m1", "inner"]);
    let mut server = indexed(&[&nested]).with("http://a.example/inner", &[&both]);
    assert!(!server.read(survey("http://a.example/index"), 64).0.lists_complete);
}

#[test]
fn pages_of_a_list_are_one_list_if_they_stay_the_same() {
    let page = |next: &str, uri: &str| {
        let head =
            format!(r#"<rs:ln rel="next" href="{next}"/><rs:md capability="resourcelist" at="2020-01-01T00:00:00Z"/>"#);
        document("urlset", &head, &[&format!("<loc>{uri}</loc>")])
    };
    let first = page("http://a.example/p2", "http://a.example/1");
    let second = page("http://a.example/p3", "http://a.example/2");
    let third = list("2020-01-01T00:00:00Z", &["http://a.example/3"]);
    let pages = [("http://a.example/p2", &*second), ("http://a.example/p3", &third)];
    let mut server = Server::new(&pages).with("http://a.example/p1", &[&first]);
    let (found, listed) = server.read(survey("http://a.example/p1"), 64);
    assert_eq!(listed, ["http://a.example/1", "http://a.example/2", "http://a.example/3"]);
    assert!(found.lists_complete && found.mixed.is_none());
    let other = page("http://a.example/p2", "http://a.example/00");
    let moving = [&*first, &other, &first, &other, &first, &other];
    let mut server = Server::new(&pages).with("http://a.example/p1", &moving);
    assert!(server.read(survey("http://a.example/p1"), 64).0.mixed.is_some());
    let mut server = Server::new(&pages[..1]).with("http://a.example/p1", &[&first]);
    assert!(!server.read(survey("http://a.example/p1"), 64).0.lists_complete);
}

#[test]
fn blanks_before_the_xml_declaration_are_passed_over() {
    let page = format!("\r\n <?xml version=\"1.0\"?>{}", list("2020-01-01T00:00:00Z", &["http://a.example/1"]));
    for window in [1, 4, 1024] {
        let (found, listed) = Server::new(&[("http://a.example/l", &page)]).read(survey("http://a.example/l"), window);
        assert!(found.lists_complete && listed == ["http://a.example/1"], "{window}");
    }
}

#[test]
fn an_entry_without_loc_is_counted() {
    let page = document(
        "urlset",
        r#"<rs:md capability="resourcelist" at="2020-01-01"/>"#,
        &["<loc>no uri</loc>", "<loc>http://a.example/1</loc>"],
    );
    let (found, listed) = Server::new(&[("http://a.example/l", &page)]).read(survey("http://a.example/l"), 64);
    assert_eq!((found.unreadable_entries, found.listed, listed.len()), (1, 1, 1));
}

#[test]
fn an_older_list_is_not_used_unless_the_user_accepts_it() {
    let (found, _) = source().read(survey(HOST), 64);
    let old = list("2019-12-31T00:00:00Z", &["http://a.example/1"]);
    let again = || Survey::new(HOST, found.remembered.clone(), true, NOW, &Limits::default());
    let mut server = source().with("http://a.example/list", &[&old]);
    let (refused, _) = server.read(again(), 64);
    assert_eq!(refused.older.len(), 1);
    assert!(!refused.lists_complete);
    let (accepted, _) = server.read(again().accepting_older(), 64);
    assert!(accepted.older.is_empty() && accepted.lists_complete);
    // Known to the month, it may be a later one of that month.
    for (at, is_older) in [("2020-01", false), ("2020-01-01", true)] {
        let (found, _) =
            source().with("http://a.example/list", &[&list(at, &["http://a.example/1"])]).read(again(), 64);
        assert_eq!(!found.older.is_empty(), is_older, "{at}");
    }
}

#[test]
fn a_cut_document_lists_nothing_wherever_it_is_cut() {
    let uris = ["http://a.example/.well-known/resourcesync", "http://a.example/cap", "http://a.example/list"];
    for uri in uris {
        let whole = source().pages[uri][0].clone();
        for end in 0..whole.len() {
            let mut server = source();
            server.pages.insert(uri.to_string(), vec![whole[..end].to_vec()]);
            let (found, listed) = server.read(survey(HOST), 50);
            assert!(!found.lists_complete, "{uri} {end}");
            assert!(listed.is_empty(), "{uri} {end}");
        }
    }
}

#[test]
fn a_description_that_is_cut_is_not_passed_over_in_favour_of_robots_txt() {
    let uri = "http://a.example/.well-known/resourcesync";
    let whole = format!("<?xml version=\"1.0\"?>{}", description(&["http://a.example/cap"]));
    let robots = || source().with("http://a.example/robots.txt", &["Sitemap: http://a.example/list"]);
    for end in 0..whole.len() {
        let (found, listed) = robots().with(uri, &[&whole[..end]]).read(survey(HOST), 50);
        assert!(!found.lists_complete && listed.is_empty(), "{end}");
    }
    for page in ["<!DOCTYPE html><html>", "<?xml version=\"1.0\"?><html>", "no such page"] {
        let (found, listed) = robots().with(uri, &[page]).read(survey(HOST), 50);
        assert!(found.lists_complete && listed.len() == 2, "{page}");
    }
}

#[test]
fn a_body_that_breaks_off_lists_nothing() {
    let mut survey = survey("http://a.example/l");
    let page = list("2020-01-01T00:00:00Z", &["http://a.example/1"]);
    assert!(matches!(survey.next(), Step::Read(_)));
    survey.answer(Head { uri: "http://a.example/l".to_string(), status: 200, headers: Vec::new() });
    survey.push(page.as_bytes());
    survey.failed(Reason::new(ReasonCode::ConnectionClosed));
    assert!(survey.events().contains(&Event::Dropped(1)));
    assert_eq!(survey.next(), Step::Done);
    assert!(!survey.finish().lists_complete);
}

#[test]
fn a_body_that_broke_off_is_requested_again() {
    let mut survey = survey("http://a.example/l");
    let Step::Read(first) = survey.next() else { panic!() };
    survey.answer(Head { uri: first.uri.clone(), status: 200, headers: Vec::new() });
    survey.push(b"<urlset");
    survey.again();
    assert_eq!(survey.next(), Step::Read(first));
}

#[test]
fn digests_that_can_be_checked_are_kept_and_others_are_not() {
    let entry = r#"<loc>http://a.example/1</loc><lastmod>2020-01-01</lastmod><rs:md hash="blake3:00 md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="5" encoding="GZIP"/>"#;
    let page = document("urlset", r#"<rs:md capability="resourcelist" at="2020-01-01"/>"#, &[entry]);
    let (_, listed) = Server::new(&[("http://a.example/l", &page)]).events(survey("http://a.example/l"), 64);
    let resource = &listed[0];
    assert_eq!(resource.hash.as_deref(), Some("md5:1584abdf8ebdc9802ac0c6a7402c03b6"));
    assert_eq!(
        (resource.length, resource.encoding.as_deref(), resource.lastmod.as_deref()),
        (Some(5), Some("gzip"), Some("2020-01-01"))
    );
}

#[test]
fn what_is_listed_and_cannot_be_read_is_not_taken_for_nothing() {
    const MD5: &str = "1584abdf8ebdc9802ac0c6a7402c03b6";
    for (md, is_illegible) in [
        (format!(r#"hash="md5: {MD5}""#), true),
        (format!(r#"hash="md5:{MD5},sha-256:{MD5}""#), true),
        (format!(r#"hash="{MD5}""#), true),
        (format!(r#"hash="sha-256:{MD5}" length="5""#), true),
        (r#"hash="blake3:00""#.to_string(), true),
        (r#"length="5.0""#.to_string(), true),
        (format!(r#"hash="md5:{MD5}""#), false),
        (format!(r#"hash="blake3:00 md5:{MD5}" length="5""#), false),
        (r#"length="5""#.to_string(), false),
        (String::new(), false),
    ] {
        let entry = format!("<loc>http://a.example/1</loc><rs:md {md}/>");
        let page = document("urlset", r#"<rs:md capability="resourcelist" at="2020-01-01"/>"#, &[&entry]);
        let (_, listed) = Server::new(&[("http://a.example/l", &page)]).events(survey("http://a.example/l"), 64);
        assert_eq!(listed[0].is_illegible, is_illegible, "{md}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_chunking_reads_the_same(window in 1_usize..300) {
        let (one, other) = (source().read(survey(HOST), window), source().read(survey(HOST), 1 << 20));
        prop_assert_eq!(one, other);
    }

    #[test]
    fn whatever_a_source_contains_reading_it_ends(bytes in prop::collection::vec(any::<u8>(), 0..200), which in 0_usize..3) {
        let mut server = source();
        let uri = server.pages.keys().nth(which).cloned().unwrap_or_default();
        server.pages.insert(uri, vec![bytes]);
        prop_assert!(!server.read(survey(HOST), 64).0.lists_complete);
    }
}

#[test]
fn only_the_named_sets_are_read_and_one_that_is_not_there_is_unread() {
    let set = |name: &str| (format!("http://a.example/{name}"), format!("http://a.example/{name}/1"));
    let (one, two) = (set("one"), set("two"));
    let mut server = Server::new(&[("http://a.example/.well-known/resourcesync", &description(&[&one.0, &two.0]))]);
    for (uri, resource) in [&one, &two] {
        let list_uri = format!("{uri}/list");
        server = server.with(uri, &[&capabilities(&[(&list_uri, "resourcelist")])]);
        server = server.with(&list_uri, &[&list("2020-01-01T00:00:00Z", &[resource])]);
    }
    let (found, listed) = server.read(survey(HOST).selecting(core::slice::from_ref(&two.0)), 1024);
    assert!(found.lists_complete && listed == [two.1.as_str()], "{listed:?}");
    let (found, listed) = server.read(survey(HOST).selecting(&[two.0, "http://a.example/three".to_string()]), 1024);
    assert!(!found.lists_complete && listed == [two.1]);
    let unread: Vec<_> = found.documents.iter().filter(|read| read.unread.is_some()).map(|read| &*read.uri).collect();
    assert_eq!(unread, ["http://a.example/three"]);
}

#[test]
fn types_and_collections_are_those_of_the_entry() {
    let entry =
        r#"<loc>http://a.example/1</loc><rs:md type="text/plain"/><rs:ln rel="collection" href="http://a.example/c"/>"#;
    let page = document("urlset", r#"<rs:md capability="resourcelist" at="2020-01-01T00:00:00Z"/>"#, &[entry]);
    let mut server = Server::new(&[("http://a.example/list", &page)]);
    let (_, listed) = server.events(survey("http://a.example/list"), 1024);
    assert_eq!(listed[0].facets.media_type.as_deref(), Some("text/plain"));
    assert_eq!(listed[0].facets.collections, ["http://a.example/c"]);
}

#[test]
fn links_and_elements_that_are_not_understood_leave_the_resource_at_its_loc() {
    let entry = r#"<loc>http://a.example/1</loc><x:note xmlns:x="http://x.example/" x:a="1">text</x:note>
        <rs:md length="3" x:more="2" xmlns:x="http://x.example/"/>
        <rs:ln rel="http://x.example/rel" href="http://a.example/other"/>
        <rs:ln rel="http://www.openarchives.org/rs/terms/patch" type="application/x-unknown" href="http://a.example/patch"/>
        <rs:ln rel="duplicate" href="ftp://mirror.example/1" pri="1"/>"#;
    let page = document("urlset", r#"<rs:md capability="resourcelist" at="2020-01-01T00:00:00Z"/>"#, &[entry]);
    let mut server = Server::new(&[("http://a.example/list", &page)]);
    let (found, listed) = server.events(survey("http://a.example/list"), 1024);
    assert!(found.lists_complete);
    assert_eq!((listed.len(), &*listed[0].loc, listed[0].length), (1, "http://a.example/1", Some(3)));
    assert_eq!(server.log, ["http://a.example/list"]);
}

#[test]
fn a_list_that_is_found_again_by_what_it_leads_to_is_read() {
    let up = r#"<rs:ln rel="up" href="http://a.example/cap"/>"#;
    let head = r#"<rs:md capability="resourcelist" at="2020-01-02T00:00:00Z"/>"#;
    let entry = ["<loc>http://a.example/1</loc>"];
    let mut server = source().with("http://a.example/list", &[&document("urlset", &format!("{up}{head}"), &entry)]);
    let (found, listed) = server.read(survey("http://a.example/list"), 100);
    assert!(found.lists_complete && listed == ["http://a.example/1"], "{found:?}");
    assert_eq!(found.sets[0].uri, "http://a.example/cap");

    let page = index(&["http://a.example/m1", "http://a.example/m2"]);
    let link = r#"<rs:ln rel="index" href="http://a.example/index"/>"#;
    let mut server =
        indexed(&[&page]).with("http://a.example/m1", &[&document("urlset", &format!("{link}{head}"), &entry)]);
    let (found, listed) = server.read(survey("http://a.example/m1"), 100);
    assert!(found.lists_complete && listed == ["http://a.example/1", "http://a.example/2"], "{found:?} {listed:?}");
}

/// Two sets, of which the first names these lists.
fn two_sets(first: &[(&str, &str)]) -> Server {
    source()
        .with(
            "http://a.example/.well-known/resourcesync",
            &[&description(&["http://a.example/cap", "http://a.example/b"])],
        )
        .with("http://a.example/cap", &[&capabilities(first)])
        .with(
            "http://a.example/b",
            &[&capabilities(&[("http://a.example/b-list", "resourcelist"), ("http://a.example/b-new", "changelist")])],
        )
        .with("http://a.example/b-list", &[&list("2020-01-03T00:00:00Z", &["http://a.example/3"])])
}

#[test]
fn the_lists_of_several_sets_are_told_apart() {
    let own = ("http://a.example/list", "resourcelist");
    let server = two_sets(&[own]);
    let mut survey = survey(HOST);
    let mut sets = Vec::new();
    while let Step::Read(request) = survey.next() {
        let page = server.pages[&request.uri][0].clone();
        survey.answer(Head { uri: request.uri, status: 200, headers: Vec::new() });
        survey.push(&page);
        survey.end();
        for event in survey.events() {
            if let Event::Listed(number, resource) = event {
                sets.push((survey.set_of(number).unwrap().to_string(), resource.uri));
            }
        }
    }
    let pair = |set: &str, uri: &str| (format!("http://a.example/{set}"), format!("http://a.example/{uri}"));
    assert_eq!(sets, [pair("cap", "1"), pair("cap", "2"), pair("b", "3")]);
    let found = survey.finish();
    assert!(found.sets.iter().all(|set| !set.is_shared), "{:?}", found.sets);
    assert_eq!(found.remembered.as_of(), Some("2020-01-02T00:00:00Z"));

    let (found, _) = two_sets(&[own, own]).read(self::survey(HOST), 64);
    assert!(found.sets.iter().all(|set| !set.is_shared), "{:?}", found.sets);

    let shared = ("http://a.example/b-list", "resourcelist");
    let (found, _) =
        two_sets(&[own, shared]).read(Survey::new(HOST, Remembered::default(), false, NOW, &Limits::default()), 9);
    assert!(found.lists_complete && found.sets.iter().any(|set| set.is_shared), "{:?}", found.sets);
}

#[test]
fn lists_that_were_read_before_a_second_set_was_found_are_read_again() {
    let robots = "Sitemap: http://a.example/cap\nSitemap: http://a.example/deep";
    let mut server = two_sets(&[("http://a.example/list", "resourcelist")])
        .with("http://a.example/robots.txt", &[robots])
        .with(
            "http://a.example/deep",
            &[&document(
                "sitemapindex",
                r#"<rs:md capability="description"/>"#,
                &["<loc>http://a.example/deeper</loc>"],
            )],
        )
        .with("http://a.example/deeper", &[&description(&["http://a.example/b"])]);
    server.pages.remove("http://a.example/.well-known/resourcesync");
    let (found, listed) = server.read(survey(HOST), 100);
    assert_eq!(listed, ["http://a.example/1", "http://a.example/2", "http://a.example/3"], "{found:?}");
    assert_eq!(server.log.iter().filter(|uri| uri.ends_with("/list")).count(), 2, "{:?}", server.log);
}

#[test]
fn a_source_description_is_checked_alone() {
    let mut server = source();
    let (found, _) = server.read(survey(HOST), 100);
    server.log.clear();
    let check = || Survey::new(HOST, found.remembered.clone(), true, NOW, &Limits::default()).checking_descriptions();
    let (same, _) = server.read(check(), 100);
    assert!(same.is_unchanged && server.log == ["http://a.example/.well-known/resourcesync"], "{:?}", server.log);
    let mut server = two_sets(&[("http://a.example/list", "resourcelist")]);
    let (other, listed) = server.read(check(), 100);
    assert!(!other.is_unchanged && other.lists_complete && listed.len() == 3, "{other:?}");
}
