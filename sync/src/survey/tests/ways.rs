//! The ways from a start to its lists, and what is no way.

use super::*;

fn unread(found: &Findings) -> Vec<&str> {
    found.documents.iter().filter(|read| read.unread.is_some()).map(|read| read.uri.trim_start_matches(HOST)).collect()
}

fn linked(rel: &str, href: &str, capability: &str) -> String {
    let head = format!(r#"<rs:ln rel="{rel}" href="{HOST}{href}"/><rs:md capability="{capability}" at="2020-01-01"/>"#);
    document("urlset", &head, &["<loc>http://a.example/7</loc>"])
}

#[test]
fn a_host_is_looked_for_at_its_well_known_places_and_then_at_its_page() {
    let mut server = Server::new(&[]);
    let (found, _) = server.read(survey(HOST), 64);
    assert_eq!(server.log, ["http://a.example/.well-known/resourcesync", "http://a.example/robots.txt", HOST]);
    assert_eq!((unread(&found), found.lists_complete), (vec![""], false));
    let mut server = Server::new(&[]).with("http://a.example/robots.txt", &["Sitemap: http://a.example/gone"]);
    let (found, _) = server.read(survey(HOST), 64);
    assert_eq!(server.log.len(), 4);
    assert_eq!(unread(&found), [""]);
    let mut server = Server::new(&[]);
    server.read(survey("http://a.example/page"), 64);
    assert_eq!(server.log, ["http://a.example/page"]);
}

#[test]
fn a_robots_txt_that_is_the_start_leads_to_its_sitemaps() {
    let robots = "Sitemap: http://a.example/plain\nSitemap: http://a.example/list\nSitemap: http://a.example/page";
    let plain = document("urlset", "", &["<loc>http://a.example/9</loc>"]);
    let mut server = source()
        .with("http://a.example/robots.txt", &[robots])
        .with("http://a.example/plain", &[&plain])
        .with("http://a.example/page", &["<html>"]);
    let (found, listed) = server.read(survey("http://a.example/robots.txt"), 64);
    assert_eq!(listed, ["http://a.example/1", "http://a.example/2"]);
    assert!(found.lists_complete, "{found:?}");
    server = server.with("http://a.example/robots.txt", &["Sitemap: http://a.example/plain"]);
    let (found, _) = server.read(survey("http://a.example/robots.txt"), 64);
    assert_eq!((unread(&found), found.lists_complete), (vec!["plain"], false));
}

#[test]
fn a_server_that_fails_is_not_passed_over_in_favour_of_the_next_place() {
    let mut survey = survey(HOST);
    assert!(matches!(survey.next(), Step::Read(_)));
    survey.answer(Head { uri: HOST.to_string(), status: 503, headers: Vec::new() });
    survey.end();
    assert_eq!(survey.next(), Step::Done);
    assert!(!survey.finish().lists_complete);
}

#[test]
fn a_member_given_as_the_start_leads_to_its_capability_list_or_its_index() {
    for capability in ["resourcelist", "changelist"] {
        let mut server = source().with("http://a.example/part", &[&linked("up", "cap", capability)]);
        let (found, listed) = server.read(survey("http://a.example/part"), 64);
        assert_eq!((listed.len(), found.lists_complete), (2, true), "{capability}");
    }
    let page = index(&["http://a.example/m1", "http://a.example/m2"]);
    let mut server = indexed(&[&page]).with("http://a.example/part", &[&linked("index", "index", "resourcelist")]);
    let (found, listed) = server.read(survey("http://a.example/part"), 64);
    assert_eq!((listed, found.lists_complete), (vec!["http://a.example/1".into(), "http://a.example/2".into()], true));
    // A member that a list leads to is read itself.
    let mut server = source().with("http://a.example/list", &[&linked("index", "elsewhere", "resourcelist")]);
    assert_eq!(server.read(survey(HOST), 64).1, ["http://a.example/7"]);
    let mut server = source().with("http://a.example/list", &[&linked("up", "elsewhere", "resourcelist")]);
    assert_eq!(server.read(survey(HOST), 64).1, ["http://a.example/7"]);
}

#[test]
fn a_change_list_is_no_start_without_its_capability_list() {
    let page = document("urlset", r#"<rs:md capability="changelist"/>"#, &["<loc>http://a.example/7</loc>"]);
    let (found, listed) = Server::new(&[("http://a.example/c", &page)]).read(survey("http://a.example/c"), 64);
    assert_eq!((unread(&found), listed.len(), found.lists_complete), (vec!["c"], 0, false));
}

#[test]
fn a_document_of_another_kind_than_expected_is_unread() {
    let cases = [
        ("cap", list("2020-01-01T00:00:00Z", &["http://a.example/7"])),
        ("cap", description(&["http://a.example/cap2"])),
        ("list", description(&["http://a.example/cap2"])),
        ("list", capabilities(&[("http://a.example/l2", "resourcelist")])),
        ("list", document("urlset", r#"<rs:md capability="changelist"/>"#, &["<loc>http://a.example/7</loc>"])),
    ];
    for (uri, page) in cases {
        let mut server = source().with(&format!("{HOST}{uri}"), &[&page]);
        let (found, listed) = server.read(survey(HOST), 64);
        assert_eq!((unread(&found), listed.len(), found.lists_complete), (vec![uri], 0, false), "{page}");
    }
}

#[test]
fn an_index_within_an_index_is_not_followed() {
    let page = index(&["http://a.example/m1", "http://a.example/inner"]);
    let mut server = indexed(&[&page]).with("http://a.example/inner", &[&index(&["http://a.example/m2"])]);
    let (found, listed) = server.read(survey("http://a.example/index"), 64);
    assert_eq!(
        (unread(&found), listed, found.lists_complete),
        (vec!["inner"], vec!["http://a.example/1".into()], false)
    );
}

#[test]
fn a_capability_after_the_entries_is_none() {
    let head = r#"<rs:md capability="resourcelist" at="2020-01-01T00:00:00Z"/>"#;
    let page = list("2020-01-01T00:00:00Z", &["http://a.example/1"]).replace(head, "");
    let page = page.replace("</urlset>", &format!("{head}</urlset>"));
    let (found, listed) = Server::new(&[("http://a.example/l", &page)]).read(survey("http://a.example/l"), 64);
    assert_eq!((listed.len(), found.lists_complete), (0, false));
}

#[test]
fn a_list_whose_capability_list_is_read_first_lists_nothing() {
    let mut survey = survey("http://a.example/part");
    assert!(matches!(survey.next(), Step::Read(_)));
    survey.answer(Head { uri: "http://a.example/part".to_string(), status: 200, headers: Vec::new() });
    survey.push(linked("up", "cap", "resourcelist").as_bytes());
    survey.end();
    assert!(!survey.events().iter().any(|event| matches!(event, Event::Listed(..))));
}

#[test]
fn a_list_without_a_capability_list_is_a_set_of_its_own() {
    let page = list("2020-01-01T00:00:00Z", &["http://a.example/1"]);
    let (found, _) = Server::new(&[("http://a.example/l", &page)]).read(survey("http://a.example/l"), 64);
    let set = &found.sets[0];
    assert_eq!((&*set.uri, set.at.as_deref()), ("http://a.example/l", Some("2020-01-01T00:00:00Z")));
}

#[test]
fn source_descriptions_of_an_index_are_all_read() {
    let page = document(
        "sitemapindex",
        r#"<rs:md capability="description"/>"#,
        &["<loc>http://a.example/d1</loc>", "<loc>http://a.example/d2</loc>"],
    );
    let mut server = source()
        .with("http://a.example/.well-known/resourcesync", &[&page])
        .with("http://a.example/d1", &[&description(&["http://a.example/cap"])])
        .with("http://a.example/d2", &[&description(&["http://a.example/cap2"])])
        .with("http://a.example/cap2", &[&capabilities(&[("http://a.example/list2", "resourcelist")])])
        .with("http://a.example/list2", &[&list("2020-01-01T00:00:00Z", &["http://a.example/3"])]);
    let (found, listed) = server.read(survey(HOST), 64);
    assert_eq!(listed, ["http://a.example/1", "http://a.example/2", "http://a.example/3"]);
    assert_eq!((found.lists_complete, found.sets.len(), found.listed), (true, 2, 3));
    let one = survey(HOST).selecting(&["http://A.example:80/cap2".to_string()]);
    assert_eq!(server.read(one, 64).1, ["http://a.example/3"]);
}

#[test]
fn an_entry_without_loc_leaves_a_source_description_incomplete_and_is_counted_in_an_index() {
    let page = description(&["http://a.example/cap", "no uri"]);
    let mut server = source().with("http://a.example/.well-known/resourcesync", &[&page]);
    let (found, listed) = server.read(survey(HOST), 64);
    assert_eq!((found.lists_complete, listed.len()), (false, 2));
    let (found, listed) =
        indexed(&[&index(&["http://a.example/m1", "no uri"])]).read(survey("http://a.example/index"), 64);
    assert_eq!((found.lists_complete, found.unreadable_entries, listed.len()), (true, 1, 1));
}

#[test]
fn nothing_is_missed_by_sets_that_are_named_while_nothing_has_changed() {
    let (found, _) = source().read(survey(HOST), 64);
    let again = Survey::new(HOST, found.remembered, true, NOW, &Limits::default());
    let set = ["http://a.example/elsewhere".to_string()];
    let (found, _) = source().read(again.selecting(&set), 64);
    assert_eq!((found.is_unchanged, found.lists_complete, unread(&found).len()), (true, true, 0));
}

/// A Resource List, compressed by gzip.
const GZIP: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03U\x8f\xb1\x0e\x830\x0cD\x7f\x05eo\x1c\xd8\x1a\x85|E\xa7nij\x95H\tD\xb6)\xf4\xefK\x81\xa5\xd2->\xdd\x93\xef\xdcL\x99Q\x9a\xb5\xe4\x91{5\x88T\x0b\xb0,\x8b\xe6$XBe=\xd1\x0b8\x0e\xdb\xc1p\x9a`\xf4U\x1d\x8c\xa5\x7fl\xaa8\x06\x8aCz\xe3\x81\x12\x83 \x15\x06\xe5\x1d\xb1-\xcf&\x86\x1a\x1e)'\xf9\xf4\x8a\x90\xa7\x99\"\xe6\xc4\xa2\x9a \xbd\xeaLg.\xa6\xddt3\xc6\xee\xba+\xf0n+\xea]\x9e\xa2?\x9f\x05\x8dk(5#\xb4\x0e~\xbe\x83=\x02\xc7\"\xff\x05\xf7\xde\x86\xe6\xda\x00\x00\x00";

#[test]
fn a_list_compressed_by_gzip_is_read_and_one_that_is_cut_or_damaged_is_not() {
    let mut server = source();
    let mut read = |bytes: &[u8], window: usize| {
        server.pages.insert("http://a.example/list".to_string(), vec![bytes.to_vec()]);
        let (found, listed) = server.read(survey(HOST), window);
        (found.lists_complete, listed.len())
    };
    for window in [1, 2, 3, 1024] {
        assert_eq!(read(GZIP, window), (true, 1), "{window}");
    }
    for end in 0..GZIP.len() {
        assert_eq!(read(&GZIP[..end], 1024), (false, 0), "{end}");
    }
    let mut damaged = GZIP.to_vec();
    damaged[160] ^= 1;
    assert_eq!(read(&damaged, 1024), (false, 0));
}

#[test]
fn a_resource_list_that_is_the_start_is_read_alone_without_its_capability_list() {
    let start = "http://a.example/part";
    let with = |server: Server, rel: &str, href: &str| server.with(start, &[&linked(rel, href, "resourcelist")]);
    for (rel, href) in [("up", "gone"), ("index", "gone"), ("up", "list")] {
        let (found, listed) = with(source(), rel, href).read(survey(start), 64);
        assert_eq!((unread(&found), &*listed), (vec![href], &["http://a.example/7".to_string()][..]), "{rel}");
    }
    let (found, _) = with(source(), "up", "gone").read(survey(start), 64);
    assert!(found.lists_complete);
    let polled = Survey::new(start, found.remembered, true, NOW, &Limits::default());
    assert!(with(source(), "up", "gone").read(polled, 64).0.is_unchanged);
    // A Capability List that was there before may have named other lists.
    let (before, _) = with(source(), "up", "cap").read(survey(start), 64);
    let again = Survey::new(start, before.remembered, false, NOW, &Limits::default());
    let (found, listed) = with(source(), "up", "gone").read(again, 64);
    assert_eq!((listed.len(), found.lists_complete), (1, false));
    // Only a server that says that there is none says so: it may have one that it shows to others, or later.
    for (status, is_whole) in [(404, true), (410, true), (401, false), (403, false), (429, false), (503, false)] {
        let mut survey = survey(start);
        while let Step::Read(request) = survey.next() {
            let is_list = request.uri == start;
            survey.answer(Head { uri: request.uri, status: if is_list { 200 } else { status }, headers: Vec::new() });
            survey.push(linked("up", "cap", "resourcelist").as_bytes());
            survey.end();
        }
        let last = survey.events().last().cloned();
        assert_eq!((last, survey.finish().lists_complete), (Some(Event::Counts(3)), is_whole), "{status}");
    }
}
