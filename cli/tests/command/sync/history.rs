//! Listed versions that are kept.

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_tests::server::{Server, reply};

use super::{sync, tree};
use crate::bench::Bench;

#[test]
fn versions_with_a_memento_are_kept_on_request_and_counted() {
    let server = Server::new(|asked, stream| {
        let uri = |path: &str| format!("http://{}{path}", asked.header("host").unwrap());
        let mut digester = Digester::new([Algorithm::Sha256]);
        digester.push(b"body");
        let body = match &*asked.path {
            "/list" => format!(
                r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
                <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/><url><loc>{}</loc><rs:md hash="{}" length="4"/>
                <rs:ln rel="memento" href="{}"/></url></urlset>"#,
                uri("/a"),
                digester.finish(),
                uri("/2024/a")
            ),
            "/a" | "/2024/a" => "body".to_owned(),
            _ => return reply(stream, "404 Not Found", &[], b"no such page"),
        };
        reply(stream, "200 OK", &[], body.as_bytes())
    });
    let bench = Bench::new("sync-history");
    let history = || tree(&bench.path("copy/.resourcesync/history")).into_keys().collect::<Vec<_>>();
    sync(&bench, &[&server.url("/list"), "copy"]).ends(0);
    assert_eq!(history(), Vec::<String>::new());
    let ran = sync(&bench, &["--history", "mementos", "copy"]).ends(0);
    assert!(ran.out.contains("added to the history 1"), "{}", ran.out);
    assert!(matches!(&*history(), [name] if name.ends_with("/2024/a")), "{:?}", history());
    let ran = sync(&bench, &["--history", "mementos", "--full", "--format", "json", "copy"]).ends(0);
    assert_eq!(ran.json()["counts"]["archived"], 0);
    sync(&bench, &["--history", "everything", "copy"]).ends(2);
}
