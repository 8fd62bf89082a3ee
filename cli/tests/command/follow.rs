//! `--follow --base-uri`: crawls a folder that mirrors a Source.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use crate::bench::{Bench, codes, names};

const BASE: &str = "http://example.com/";

fn follow<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["validate", "--format", "json", "--follow", "--base-uri", BASE].iter().chain(more).copied().collect()
}

/// Writes the valid Source of the corpus as files below `site`.
fn mirror(bench: &Bench) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/set/clean");
    let web: BTreeMap<String, Value> =
        serde_json::from_str(&fs::read_to_string(corpus.join("web.json")).unwrap()).unwrap();
    for (uri, place) in web {
        let path = format!("site/{}", uri.strip_prefix(BASE).unwrap());
        match place["file"].as_str() {
            Some(file) => bench.put(&path, fs::read(corpus.join(file)).unwrap()),
            None => bench.put(&path, place["body"].as_str().unwrap()),
        };
    }
}

/// Changes a file of the mirror.
fn edit(bench: &Bench, name: &str, old: &str, new: &str) {
    let text = bench.read(name);
    assert!(text.contains(old), "{name} has no {old}");
    bench.put(name, text.replace(old, new));
}

#[test]
fn a_clean_source_is_valid_and_every_document_is_an_input() {
    let bench = Bench::new("follow-clean");
    mirror(&bench);
    let report = bench.run(&follow(&["site"])).ends(0).json();
    assert_eq!(codes(&report), Vec::<String>::new());
    assert_eq!(report["verdict"], "valid");
    assert_eq!(
        names(&report, "inputs")[..2],
        ["http://example.com/.well-known/resourcesync", "http://example.com/d1/capabilitylist.xml"]
    );
    assert_eq!(report["inputs"][1]["parent"], 0);
    assert_eq!(report["inputs"][1]["via"], "loc");
    assert_eq!(report["sets"][0]["resources"], 4);
    assert_eq!(report["sets"][0]["documents"]["package"], 2);
    // Regardless of the number of files read concurrently.
    let one = bench.run(&follow(&["--jobs", "1", "site"])).ends(0).out;
    let many = bench.run(&follow(&["--jobs", "7", "site"])).ends(0).out;
    assert_eq!(one, many);
}

#[test]
fn the_entries_that_a_crawl_keeps_can_be_limited() {
    let bench = Bench::new("follow-kept");
    mirror(&bench);
    for limit in ["kept_entries=1", "crawl_entries=1", "kept_entry_bytes=10"] {
        let report = bench.run(&follow(&["--limit", limit, "site"])).ends(2).json();
        // What was not kept is not called missing.
        assert!(codes(&report).iter().all(|code| code == "LIM-18"), "{limit}: {report}");
        assert!(!codes(&report).is_empty(), "{limit}");
        assert_eq!(report["verdict"], "undetermined");
    }
}

#[test]
fn text_shows_the_tree_and_the_sets() {
    let bench = Bench::new("follow-text");
    mirror(&bench);
    let out = bench.run(&["validate", "--follow", "--base-uri", BASE, "site"]).ends(0).out;
    assert!(out.contains("\n  http://example.com/d1/capabilitylist.xml: valid capability-list, 5 entries\n"), "{out}");
    assert!(out.contains("\n      http://example.com/d1/resourcelist1.xml: valid resource-list, 2 entries\n"), "{out}");
    assert!(out.contains("http://example.com/d1/capabilitylist.xml: 1 change-dump, "), "{out}");
    assert!(out.contains("4 resources"), "{out}");
}

#[test]
fn what_is_not_there_is_an_error_at_the_link() {
    let bench = Bench::new("follow-missing");
    mirror(&bench);
    fs::remove_file(bench.path("site/d1/changedump.xml")).unwrap();
    let report = bench.run(&follow(&["site"])).ends(1).json();
    // Nothing links to the package and the copy of its manifest any more.
    assert_eq!(codes(&report), ["ADV-13", "INP-05"]);
    assert_eq!(report["diagnostics"][0]["path"], "/urlset/url[4]/loc");
    assert_eq!(report["diagnostics"][0]["args"]["reason"], "no such file");
    assert!(report["diagnostics"][0]["excerpt"]["text"].as_str().unwrap().contains("changedump.xml"));
}

#[test]
fn nothing_outside_the_folder_is_read() {
    let bench = Bench::new("follow-escape");
    mirror(&bench);
    let list = bench.read("site/d1/changedump.xml");
    bench.put("outside.xml", &list).put("site/a b.xml", &list);
    for (uri, codes_) in [
        ("http://example.com/../outside.xml", vec!["INP-05"]),
        ("http://example.com/d1/..%2f..%2foutside.xml", vec!["INP-05"]),
        ("http://example.com/%2e%2e/outside.xml", vec!["INP-05"]),
        ("http://example.org/outside.xml", vec!["INP-06"]),
        ("http://example.com/d1/changedump.xml?page=2", vec!["INP-06"]),
        ("http://example.com/a%20b.xml", vec![]),
    ] {
        mirror(&bench);
        edit(&bench, "site/d1/capabilitylist.xml", "http://example.com/d1/changedump.xml", uri);
        // Previously linked files are still in the folder.
        let report = bench.run(&follow(&["--ignore", "ADV-13,GEN-27", "site"])).json();
        assert_eq!(codes(&report), codes_, "{uri}");
        assert!(
            names(&report, "inputs").iter().all(|name| !name.ends_with("outside.xml") || codes_ == ["INP-06"]),
            "{uri}"
        );
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_within_the_folder_only() {
    let bench = Bench::new("follow-symlink");
    mirror(&bench);
    let move_out = |to: &str| {
        let from = bench.path("site/d1/changedump.xml");
        fs::rename(&from, bench.path(to)).unwrap();
        std::os::unix::fs::symlink(bench.path(to), &from).unwrap();
    };
    move_out("site/elsewhere.xml");
    bench.run(&follow(&["site"])).ends(0);
    fs::remove_file(bench.path("site/d1/changedump.xml")).unwrap();
    fs::rename(bench.path("site/elsewhere.xml"), bench.path("site/d1/changedump.xml")).unwrap();
    move_out("outside.xml");
    let report = bench.run(&follow(&["site"])).ends(2).json();
    assert_eq!(codes(&report), ["ADV-13", "INP-06"]);
    let left_out =
        report["inputs"].as_array().unwrap().iter().find(|input| input["verdict"] == "undetermined").unwrap();
    assert_eq!(left_out["reason"], "symbolic link to a file outside the folder");
}

#[test]
fn a_folder_without_a_source_description_is_searched_in_order() {
    let bench = Bench::new("follow-starts");
    mirror(&bench);
    fs::rename(bench.path("site/.well-known/resourcesync"), bench.path("site/sd.xml")).unwrap();
    edit(&bench, "site/d1/capabilitylist.xml", ".well-known/resourcesync", "sd.xml");
    let report = bench.run(&follow(&["site"])).ends(1).json();
    assert_eq!(codes(&report), ["ADV-13", "DI-02", "SD-12"]);
    bench.put("site/index.html", "<html><head><link rel='resourcesync' href='/d1/capabilitylist.xml'></head></html>");
    let report = bench.run(&follow(&["site"])).ends(0).json();
    // The page is found, but is not among the resources; and there is nothing at the well-known URI.
    assert_eq!(codes(&report), ["DI-02", "DI-05"]);
    assert_eq!(report["inputs"][0]["kind"], "html");
    bench.put("site/robots.txt", "Sitemap: http://example.com/d1/resourcelist-index.xml\n");
    let report = bench.run(&follow(&["site"])).ends(0).json();
    // Whatever led to the Source first, the page is read.
    assert_eq!(codes(&report), ["DI-02", "DI-05"]);
    assert_eq!(report["inputs"][0]["kind"], "robots");
    let report = bench.run(&follow(&["--start", "http://example.com/d1/resourcelist1.xml", "site"])).ends(0).json();
    assert_eq!(report["inputs"][0]["kind"], "resource-list");
}

#[test]
fn a_budget_that_is_used_up_leaves_the_verdict_open() {
    let bench = Bench::new("follow-budget");
    mirror(&bench);
    let report = bench.run(&follow(&["--max-documents", "3", "site"])).ends(2).json();
    assert_eq!(codes(&report), ["LIM-17"]);
    assert_eq!(report["verdict"], "undetermined");
}

#[test]
fn resources_are_read_when_that_is_asked_for() {
    let bench = Bench::new("follow-resources");
    mirror(&bench);
    bench.put("site/d1/res2", "This is resource 9.\n");
    bench.run(&follow(&["site"])).ends(0);
    let report = bench.run(&follow(&["--resources", "all", "site"])).ends(1).json();
    assert_eq!(codes(&report), ["AT-09"]);
    assert_eq!(report["sets"][0]["resourcesRead"], 4);
}

#[test]
fn packages_are_verified_as_far_as_is_asked_for() {
    let bench = Bench::new("follow-packages");
    mirror(&bench);
    let mut zip = fs::read(bench.path("site/d1/resourcedump-part1.zip")).unwrap();
    let at = zip.windows(4).position(|four| four == b"This").unwrap();
    zip[at] = b't';
    bench.put("site/d1/resourcedump-part1.zip", &zip);
    let full = bench.run(&follow(&["site"])).ends(1).json();
    assert!(codes(&full).contains(&"PKG-14".to_owned()), "{:?}", codes(&full));
    bench.run(&follow(&["--packages", "none", "site"])).ends(0);
}

/// A Change List of the Source that nothing lists, with an entry that has no `rs:md`.
const STRAY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/d1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-05T00:00:00Z"/>
  <url><loc>http://example.com/d1/res9</loc></url>
</urlset>
"#;

#[test]
fn a_document_that_nothing_links_to_is_checked_and_named() {
    let bench = Bench::new("follow-stray");
    mirror(&bench);
    bench.put("site/d1/old/stray list.xml", STRAY);
    let report = bench.run(&follow(&["site"])).ends(1).json();
    let stray = report["inputs"].as_array().unwrap().last().unwrap();
    assert_eq!(stray["name"], "http://example.com/d1/old/stray%20list.xml");
    assert_eq!((&stray["via"], &stray["verdict"]), (&"folder".into(), &"invalid".into()));
    // Its own error, the missing entry in the index, and the missing links to it.
    assert_eq!(codes(&report), ["ADV-13", "CL-09", "CLI-07"]);
}

#[test]
fn what_an_unlinked_document_lists_is_not_named_again() {
    let bench = Bench::new("follow-stray-tree");
    mirror(&bench);
    let capability = "<rs:md capability=\"changelist\"/>";
    let entry = format!(
        "  <url>
    <loc>http://example.com/d1/changelist-index.xml</loc>
    {capability}
  </url>
"
    );
    edit(&bench, "site/d1/capabilitylist.xml", &entry, "");
    let report = bench.run(&follow(&["site"])).json();
    let stray: Vec<&Value> =
        report["diagnostics"].as_array().unwrap().iter().filter(|found| found["code"] == "ADV-13").collect();
    let uris: Vec<&str> = stray.iter().map(|found| found["args"]["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, ["http://example.com/d1/changelist-index.xml"]);
}

#[test]
fn files_that_are_no_documents_are_listed_only() {
    let bench = Bench::new("follow-foreign");
    mirror(&bench);
    bench.put("site/feed.xml", "<rss/>").put("site/archive.zip", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    bench.put(
        "site/sitemap.xml",
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://example.com/d1/res1</loc></url></urlset>"#,
    );
    let report = bench.run(&follow(&["site"])).ends(0).json();
    assert_eq!(codes(&report), Vec::<String>::new());
    assert_eq!(names(&report, "skipped")[1..], ["http://example.com/archive.zip", "http://example.com/feed.xml"]);
    assert_eq!(report["inputs"].as_array().unwrap().last().unwrap()["kind"], "sitemap");
    // A resource is not a document, whatever its content.
    bench.put("site/d1/res1.xml", "<urlset");
    for list in ["site/d1/resourcelist1.xml", "site/d1/changelist1.xml"] {
        let text = bench.read(list).replace("http://example.com/d1/res1<", "http://example.com/d1/res1.xml<");
        bench.put(list, text);
    }
    let report = bench.run(&follow(&["--packages", "none", "site"])).ends(0).json();
    assert_eq!(codes(&report), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_file_of_several_names_is_read_once_and_links_out_of_the_folder_are_listed() {
    let bench = Bench::new("follow-names");
    mirror(&bench);
    bench.put("outside.xml", STRAY);
    fs::rename(bench.path("site/d1"), bench.path("site/v1")).unwrap();
    std::os::unix::fs::symlink("v1", bench.path("site/d1")).unwrap();
    std::os::unix::fs::symlink(bench.path("outside.xml"), bench.path("site/out.xml")).unwrap();
    let report = bench.run(&follow(&["site"])).ends(0).json();
    assert_eq!(codes(&report), Vec::<String>::new());
    assert_eq!(names(&report, "skipped")[1..], ["http://example.com/d1", "http://example.com/out.xml"]);
}

#[test]
fn several_folders_make_up_a_source() {
    let bench = Bench::new("follow-maps");
    mirror(&bench);
    fs::create_dir(bench.path("files")).unwrap();
    for name in ["res1", "res2"] {
        bench.put(&format!("files/{name}"), bench.read(&format!("site/d1/{name}")));
    }
    for list in ["site/d1/resourcelist1.xml", "site/d1/resourcelist2.xml"] {
        let text = bench.read(list).replace("http://example.com/d1/res", "http://example.com/files/res");
        bench.put(list, text.replace("<loc>http://example.com/files/res3", "<loc>http://example.org/res3"));
    }
    let map = |folder: &str| format!("http://example.com/files/={folder}");
    let (there, elsewhere) = (map("files"), map("site"));
    let run =
        |map: &str| bench.run(&follow(&["--packages", "none", "--resources", "all", "--map", map, "site"])).json();
    let missing = |report: &Value| -> Vec<String> {
        let found = report["diagnostics"].as_array().unwrap().iter();
        found.map(|found| format!("{} {}", found["code"], found["args"]["uri"])).collect()
    };
    let report = run(&there);
    assert!(missing(&report).iter().all(|found| !found.contains("res1") && !found.contains("res2")), "{report:#}");
    // URIs without a folder are listed as skipped, not as missing.
    assert!(missing(&report).contains(&r#""INP-06" "http://example.org/res3""#.to_owned()), "{:?}", missing(&report));
    assert!(missing(&run(&elsewhere)).contains(&r#""INP-05" "http://example.com/files/res1""#.to_owned()));
    // Documents below the second folder are inputs as well, and it may be the only folder.
    bench.put("files/stray.xml", STRAY);
    let report = run(&there);
    assert_eq!(report["inputs"].as_array().unwrap().last().unwrap()["name"], "http://example.com/files/stray.xml");
    let whole = format!("{BASE}=site");
    bench.run(&["validate", "--follow", "--map", &whole, "--packages", "none"]).ends(1);
}

#[test]
fn an_earlier_report_shows_what_should_not_have_changed() {
    let bench = Bench::new("follow-earlier");
    mirror(&bench);
    let before = bench.run(&follow(&["site"])).ends(0).out;
    bench.put("before.json", before);
    bench.run(&follow(&["--earlier", "before.json", "site"])).ends(0);
    edit(&bench, "site/d1/changelist1.xml", "\"created\"", "\"updated\"");
    let report = bench.run(&follow(&["--earlier", "before.json", "--packages", "none", "site"])).ends(1).json();
    assert_eq!(codes(&report), ["GEN-33"]);
}

#[test]
fn misuse_is_refused_before_anything_is_read() {
    let bench = Bench::new("follow-misuse");
    bench.put("file.xml", "x");
    for args in [
        vec!["validate", "--follow", "--base-uri", BASE, "no-such-folder"],
        vec!["validate", "--follow", "--base-uri", BASE, "file.xml"],
        vec!["validate", "--follow", "file.xml"],
        vec!["validate", "--base-uri", BASE, "file.xml"],
        vec!["validate", "--follow", "--base-uri", "relative", "file.xml"],
        vec!["validate", "--follow", "--base-uri", BASE, "--resources", "some", "."],
        vec!["validate", "--follow", "--map", "site"],
        vec!["validate", "--follow", "--map", "http://example.com/=.", "site"],
        vec!["validate", "--follow", "--start", BASE, "file.xml"],
    ] {
        let ran = bench.run(&args).ends(2);
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{args:?}");
    }
}
