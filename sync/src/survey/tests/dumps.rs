//! The manifests of Resource Dumps as lists.

use super::*;

const CAPABILITIES: &str = "http://a.example/cap";
const DUMP: &str = "http://a.example/dump";
const INDEX: &str = "http://a.example/dump-index";
const ONE: &str = "http://a.example/1.zip";
const OTHER: &str = "http://a.example/2.zip";
const AT: &str = "2020-01-01T00:00:00Z";

fn dump(at: &str, packages: &[&str]) -> String {
    let entries: Vec<String> = packages.iter().map(|uri| format!("<loc>{uri}</loc>")).collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    document("urlset", &format!(r#"<rs:md capability="resourcedump" at="{at}"/>"#), &entries)
}

/// A manifest, as the driver takes it from its package.
fn manifest(at: &str, uris: &[&str]) -> String {
    let entries: Vec<String> =
        uris.iter().map(|uri| format!(r#"<loc>{uri}</loc><rs:md length="1" path="/x"/>"#)).collect();
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    document("urlset", &format!(r#"<rs:md capability="resourcedump-manifest" at="{at}"/>"#), &entries)
}

/// A Source with a dump of two packages.
fn dumped() -> Server {
    source()
        .with(CAPABILITIES, &[&capabilities(&[(DUMP, "resourcedump")])])
        .with(DUMP, &[&dump(AT, &[ONE, OTHER])])
        .with(ONE, &[&manifest(AT, &["http://a.example/r/1", "http://a.example/r/2"])])
        .with(OTHER, &[&manifest(AT, &["http://a.example/r/3"])])
}

#[test]
fn of_a_source_that_only_has_dumps_the_manifests_are_the_lists() {
    let (found, listed) = dumped().read(survey(HOST), 64);
    assert!(found.lists_complete && found.mixed.is_none(), "{found:?}");
    assert_eq!(listed, ["http://a.example/r/1", "http://a.example/r/2", "http://a.example/r/3"]);
    assert_eq!((found.listed, found.sets[0].at.as_deref()), (3, Some(AT)));
    assert_eq!(found.sets[0].dumps, [DUMP]);
}

#[test]
fn an_index_leads_to_the_dumps() {
    let index = document(
        "sitemapindex",
        &format!(r#"<rs:md capability="resourcedump" at="{AT}"/>"#),
        &[&format!("<loc>{DUMP}</loc>")],
    );
    let mut server = dumped().with(CAPABILITIES, &[&capabilities(&[(INDEX, "resourcedump")])]).with(INDEX, &[&index]);
    let (found, listed) = server.read(survey(HOST), 64);
    assert!(found.lists_complete && found.mixed.is_none(), "{found:?}");
    assert_eq!(listed.len(), 3);
}

#[test]
fn where_there_is_a_resource_list_the_dumps_are_lists_only_if_that_is_wanted() {
    let both = || {
        let lists = [("http://a.example/list", "resourcelist"), (DUMP, "resourcedump")];
        dumped()
            .with(CAPABILITIES, &[&capabilities(&lists)])
            .with("http://a.example/list", &[&list(AT, &["http://a.example/r/9"])])
    };
    assert_eq!(both().read(survey(HOST), 64).1, ["http://a.example/r/9"]);
    assert_eq!(both().read(survey(HOST).by_dumps(), 64).1.len(), 3);
    // Without dumps the Resource Lists stay the lists.
    let mut server = source();
    assert_eq!(server.read(survey(HOST).by_dumps(), 64).1.len(), source().read(survey(HOST), 64).1.len());
}

#[test]
fn a_package_that_is_missing_of_another_snapshot_or_of_another_kind_leaves_the_lists_incomplete() {
    let later = manifest("2020-01-02T00:00:00Z", &["http://a.example/r/3"]);
    let (found, _) = dumped().with(OTHER, &[&later]).read(survey(HOST), 64);
    assert_eq!(found.mixed.as_deref(), Some(DUMP));
    for other in ["", "<html/>", &list(AT, &["http://a.example/r/3"]), &dump(AT, &[])] {
        let (found, _) = dumped().with(OTHER, &[other]).read(survey(HOST), 64);
        assert!(!found.lists_complete, "{other} {found:?}");
    }
    let mut server = dumped();
    server.pages.remove(OTHER);
    assert!(!server.read(survey(HOST), 64).0.lists_complete);
}

#[test]
fn an_unchanged_dump_shows_that_its_packages_are_unchanged() {
    let mut server = dumped();
    let (found, _) = server.read(survey(HOST), 64);
    let again = Survey::new(HOST, found.remembered, true, NOW, &Limits::default());
    // Whatever is at the URI of a package now is not read.
    let mut server = dumped().with(ONE, &["gone"]);
    let (found, listed) = server.read(again, 64);
    assert!(found.is_unchanged && listed.is_empty(), "{found:?}");
}
