//! Inputs: standard input, compressed files, folders, lists.

use crate::bench::{Bench, SITEMAP, codes, gzip, list, names, wrong};

const JSON: [&str; 3] = ["validate", "--format", "json"];

fn json<'a>(more: &[&'a str]) -> Vec<&'a str> {
    JSON.iter().chain(more).copied().collect()
}

#[test]
fn standard_input_is_an_input_like_others() {
    let bench = Bench::new("inputs-stdin");
    let report = bench.feed(&json(&["-"]), list(3).as_bytes()).ends(0).json();
    assert_eq!(report["inputs"][0]["name"], "-");
    assert_eq!(report["inputs"][0]["via"], "stdin");
    assert_eq!(report["summary"]["entries"], 3);
    let more = ["--name", "list.xml", "--uri", "http://example.com/list.xml", "-"];
    let report = bench.feed(&json(&more), wrong().as_bytes()).ends(1).json();
    assert_eq!(report["inputs"][0]["name"], "list.xml");
    assert_eq!(report["inputs"][0]["uri"], "http://example.com/list.xml");
}

#[test]
fn a_file_and_standard_input_give_the_same_report() {
    let bench = Bench::new("inputs-same");
    let xml = wrong() + "<";
    bench.put("a.xml", &xml);
    let file = bench.run(&json(&["a.xml"])).out;
    let stdin = bench.feed(&json(&["--name", "a.xml", "-"]), xml.as_bytes()).out;
    assert_eq!(file.replace(r#""via": "argument""#, r#""via": "stdin""#), stdin);
}

#[test]
fn packed_documents_are_known_by_content() {
    let bench = Bench::new("inputs-gzip");
    bench.put("packed.xml", gzip(list(2_000).as_bytes())).put("plain.xml.gz", list(1));
    let report = bench.run(&json(&["packed.xml", "plain.xml.gz"])).ends(0).json();
    assert_eq!(report["summary"]["entries"], 2_001);
    let mut cut = gzip(list(2_000).as_bytes());
    cut.truncate(cut.len() / 2);
    let report = bench.put("cut.gz", cut).run(&json(&["cut.gz"])).ends(1).json();
    assert_eq!(codes(&report), ["INP-03"]);
}

#[test]
fn a_folder_is_walked_in_order_and_nothing_in_it_is_lost() {
    let bench = Bench::new("inputs-folder");
    bench
        .put("site/b.xml", list(1))
        .put("site/a/z.XML", list(1))
        .put("site/a/packed.xml.gz", gzip(list(1).as_bytes()))
        .put("site/c/sitemap.xml", SITEMAP)
        .put("site/feed.xml", "<rss version='2.0'><channel/></rss>")
        .put("site/page.xml", "<!DOCTYPE html><html/>")
        .put("site/dump.zip", "PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")
        .put("site/readme.txt", "no")
        .put("site/.well-known/resourcesync", wrong());
    let report = bench.run(&json(&["site/"])).ends(1).json();
    assert_eq!(
        names(&report, "inputs"),
        ["site/.well-known/resourcesync", "site/a/packed.xml.gz", "site/a/z.XML", "site/b.xml", "site/c/sitemap.xml"]
    );
    assert_eq!(names(&report, "skipped"), ["site/dump.zip", "site/feed.xml", "site/page.xml"]);
    assert_eq!(report["skipped"][0]["reason"], "a ZIP archive without a manifest");
    assert_eq!(report["inputs"][4]["kind"], "sitemap");
    assert_eq!(codes(&report), ["RL-03"]);
    // If named directly, the same files are validated.
    let report = bench.run(&json(&["site/feed.xml", "site/c/sitemap.xml"])).ends(1).json();
    assert_eq!(names(&report, "skipped"), [""; 0]);
}

#[test]
fn what_a_document_of_a_folder_links_to_has_to_be_one() {
    let bench = Bench::new("inputs-linked");
    let listed = "<url><loc>http://example.com/a/list.xml</loc><rs:md capability=\"resourcelist\"/></url>";
    let head = "<rs:ln rel=\"up\" href=\"http://example.com/up\"/><rs:ln rel=\"describedby\" href=\"http://example.com/about\"/>";
    bench.put(
        "site/capabilities.xml",
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\
             {head}<rs:md capability=\"capabilitylist\"/>{listed}</urlset>"
        ),
    );
    let feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\"/>";
    bench.put("site/a/list.xml", feed).put("site/feed.xml", feed);
    let report = bench.run(&json(&["site"])).ends(1).json();
    assert_eq!(codes(&report), ["GEN-02"]);
    assert_eq!(names(&report, "skipped"), ["site/feed.xml"]);
    bench.put("site/a/list.xml", SITEMAP);
    assert_eq!(codes(&bench.run(&json(&["site"])).ends(0).json()), [""; 0]);
}

#[test]
fn a_folder_without_documents_is_not_valid() {
    let bench = Bench::new("inputs-nothing");
    bench.put("site/feed.xml", "<rss/>").put("other/a.xml", list(1));
    let report = bench.run(&json(&["site", "other"])).ends(2).json();
    assert_eq!(names(&report, "inputs"), ["site", "other/a.xml"]);
    assert_eq!(codes(&report), ["INP-01"]);
    assert_eq!(report["verdict"], "undetermined");
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_files_but_not_round_in_circles() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new("inputs-links");
    bench.put("site/a.xml", list(1));
    symlink("..", bench.path("site/loop")).unwrap();
    symlink("a.xml", bench.path("site/b.xml")).unwrap();
    symlink("nowhere", bench.path("site/c.xml")).unwrap();
    symlink("site", bench.path("named")).unwrap();
    let report = bench.run(&json(&["named"])).ends(2).json();
    assert_eq!(names(&report, "inputs"), ["named/a.xml", "named/b.xml", "named/c.xml"]);
    assert_eq!(names(&report, "skipped"), ["named/loop"]);
    assert_eq!(codes(&report), ["INP-01"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_a_folder_are_named_and_not_read() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new("inputs-links-out");
    bench.put("site/a.xml", list(1));
    bench.put("secret.txt", "root:x:0:0\n");
    bench.put("site-other/b.xml", list(1));
    symlink(bench.path("secret.txt"), bench.path("site/s.xml")).unwrap();
    symlink("../site-other/b.xml", bench.path("site/t.xml")).unwrap();
    symlink("s.xml", bench.path("site/u.xml")).unwrap();
    let report = bench.run(&json(&["site"])).ends(0).json();
    assert_eq!(names(&report, "inputs"), ["site/a.xml"]);
    assert_eq!(names(&report, "skipped"), ["site/s.xml", "site/t.xml", "site/u.xml"]);
    assert!(!report.to_string().contains("root:x"), "{report}");
    // A link that the user names is followed.
    let report = bench.run(&json(&["site/t.xml"])).ends(0).json();
    assert_eq!(names(&report, "inputs"), ["site/t.xml"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_stops_nobody() {
    let bench = Bench::new("inputs-pipe");
    bench.put("site/a.xml", list(1));
    assert!(std::process::Command::new("mkfifo").arg(bench.path("site/b.xml")).status().unwrap().success());
    let report = bench.run(&json(&["site"])).ends(0).json();
    assert_eq!(names(&report, "skipped"), ["site/b.xml"]);
}

#[test]
fn lists_name_paths_by_line_or_by_nul() {
    let bench = Bench::new("inputs-list");
    bench.put("a b.xml", list(1)).put("c.xml", list(1)).put("list", "c.xml\r\na b.xml\n");
    let report = bench.run(&json(&["--files-from", "list"])).ends(0).json();
    assert_eq!(names(&report, "inputs"), ["c.xml", "a b.xml"]);
    let report = bench.feed(&json(&["c.xml", "-0", "--files-from", "-"]), b"a b.xml\0c.xml\0").ends(0).json();
    assert_eq!(names(&report, "inputs"), ["c.xml", "a b.xml", "c.xml"]);
    let ran = bench.feed(&json(&["--files-from", "-"]), b"").ends(0);
    assert!(ran.err.contains("is empty"), "{ran:?}");
    bench.run(&json(&["--files-from", "no-list"])).ends(2);
    bench.run(&json(&["-0", "c.xml"])).ends(2);
}

#[cfg(unix)]
#[test]
fn hostile_names_reach_no_terminal() {
    let bench = Bench::new("inputs-names");
    let name = "a\u{1b}[31m\n\u{202e}b.xml";
    bench.put(name, wrong());
    for args in
        [&["validate", name] as &[&str], &["validate", "--lang", "ja", "."], &["validate", "--format", "github", "."]]
    {
        let ran = bench.run(args).ends(1);
        assert!(ran.out.contains("b.xml"), "{ran:?}");
        assert!(!ran.out.contains(['\u{1b}', '\u{202e}']), "{ran:?}");
    }
    let ran = bench.run(&["validate", "--format", "json", "--output", "no/\u{1b}]0;x\u{7}", "."]).ends(2);
    assert!(ran.err.contains("\\u{1b}]0;x\\u{7}"), "{ran:?}");
    let ran = bench.run(&["validate", "--a\u{1b}[31m\u{9b}\u{202e}b"]).ends(2);
    assert!(ran.err.contains("b' found") && !ran.err.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{ran:?}");
    let report = bench.run(&json(&[name])).json();
    assert_eq!(report["inputs"][0]["name"], name);
}
