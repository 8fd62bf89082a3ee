//! Metadata and other representations that entries link to.

use std::fs;

use resourcesync_tests::server::{Server, reply};
use serde_json::Value;

use super::{FAST, sync, tree};
use crate::bench::Bench;

const HEAD: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

/// A list with one resource, its metadata, two other representations, and metadata at another host.
fn source() -> Server {
    Server::new(|asked, stream| {
        let uri = |path: &str| format!("http://{}{path}", asked.header("host").unwrap());
        let body = match &*asked.path {
            "/list" => format!(
                r#"<urlset {HEAD}><rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/><url><loc>{}</loc>
                <rs:md length="2"/><rs:ln rel="describedby" href="{}" length="6"/>
                <rs:ln rel="describedby" href="http://metadata.example/a" length="6"/>
                <rs:ln rel="alternate" href="{}" type="text/plain" length="6"/>
                <rs:ln rel="alternate" href="{}" type="text/html" length="7"/></url></urlset>"#,
                uri("/a"),
                uri("/a.xml"),
                uri("/a.txt"),
                uri("/a.html")
            ),
            path if path.starts_with("/a") => path.to_owned(),
            _ => return reply(stream, "404 Not Found", &[], b"no such page"),
        };
        reply(stream, "200 OK", &[], body.as_bytes())
    })
}

fn names(bench: &Bench) -> Vec<String> {
    let files = tree(&bench.path("copy")).into_keys().filter(|name| !name.starts_with(".resourcesync"));
    files.map(|name| name.rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn linked_resources_are_copied_on_request_audited_and_kept_by_a_repair() {
    let (bench, server) = (Bench::new("sync-related"), source());
    let list = server.url("/list");
    let with = ["--with-metadata", "--alternates", "text/plain"];
    let ran = sync(&bench, &[&with[..], &["--format", "json", &list, "copy"]].concat()).ends(0);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["counts"]["created"], 3, "{report}");
    let codes: Vec<&Value> = report["diagnostics"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert!(codes.contains(&&"SYN-24".into()), "{report}");
    assert_eq!(names(&bench), ["a", "a.txt", "a.xml"]);
    let audit = |args: &[&str]| bench.run(&[&["audit"], &FAST[..], args].concat());
    audit(&["copy"]).ends(0);
    let copied = tree(&bench.path("copy")).into_keys().find(|name| name.ends_with("a.xml")).unwrap();
    fs::remove_file(bench.path(&format!("copy/{copied}"))).unwrap();
    let ran = audit(&["copy"]).ends(1);
    assert!(ran.out.contains("a.xml"), "{}", ran.out);
    audit(&["--repair", "copy"]).ends(0);
    assert_eq!(names(&bench), ["a", "a.txt", "a.xml"]);
    // The options of each run decide.
    sync(&bench, &[&with[1..], &["--max-delete", "100%", "copy"]].concat()).ends(0);
    assert_eq!(names(&bench), ["a", "a.txt"]);
    sync(&bench, &["--alternates", "text", "copy"]).ends(2);
}
