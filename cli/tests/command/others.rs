//! Other people's files next to a good Source: none has a finding, and each is listed as skipped with its reason.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::{Bench, SITEMAP, codes, gzip, names};

const BASE: &str = "https://repository.example/";

/// A ZIP archive of one member, which is not compressed.
fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let half = |number: usize| u16::try_from(number).unwrap().to_le_bytes();
    let crc = crc32fast::hash(content).to_le_bytes();
    let sizes = [crc, word(content.len()), word(content.len())].concat();
    let mut bytes =
        [&b"PK\x03\x04\x14\0\0\0\0\0\0\0!\0"[..], &sizes, &half(name.len()), &[0; 2], name.as_bytes()].concat();
    bytes.extend(content);
    let directory = bytes.len();
    bytes.extend(
        [&b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0!\0"[..], &sizes, &half(name.len()), &[0; 16], name.as_bytes()].concat(),
    );
    let length = bytes.len() - directory;
    bytes.extend([&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &word(length), &word(directory), &[0; 2]].concat());
    bytes
}

fn utf_16(text: &str) -> Vec<u8> {
    [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

/// The files, by kind.
fn others() -> BTreeMap<&'static str, Vec<u8>> {
    let rss = r#"<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel/></rss>"#;
    let svg = r#"<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg"/>"#;
    let tei =
        r#"<?xml version="1.0"?><!DOCTYPE TEI [<!ENTITY x "y">]><TEI xmlns="http://www.tei-c.org/ns/1.0">&x;</TEI>"#;
    let other = |namespace: &str| format!(r#"<urlset{namespace}><url><loc>http://example.com/</loc></url></urlset>"#);
    let odd = SITEMAP.replace("</loc>", "</loc><lastmod>yesterday</lastmod><changefreq>often</changefreq>");
    let image = SITEMAP
        .replace("<urlset ", r#"<urlset xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" "#)
        .replace("</loc>", "</loc><image:image><image:loc>http://example.com/a.png</image:loc></image:image>");
    let html = "<!DOCTYPE html><html><head><title>x</title></head><body>x</body></html>";
    let (shift_jis, euc_jp) =
        (&b"<html><title>\x93\xfa\x96\x7b</title></html>"[..], &b"<html><title>\xc6\xfc\xcb\xdc</title></html>"[..]);
    let archive = zip("readme.txt", b"no");
    let text = |text: &str| text.as_bytes().to_vec();
    BTreeMap::from([
        ("feeds/rss-0.91.xml", text(rss)),
        ("feeds/rss-2.0.xml", text(r#"<rss version="2.0"><channel/></rss>"#)),
        ("feeds/rss-1.0.xml", text(r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>"#)),
        ("feeds/atom.xml", text(r#"<feed xmlns="http://www.w3.org/2005/Atom"/>"#)),
        ("feeds/cut.xml", text(r#"<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>x</ti"#)),
        ("feeds/opml.xml", text(r#"<opml version="2.0"><body/></opml>"#)),
        ("graphics/logo.svg.xml", text(svg)),
        ("graphics/plain-svg.xml", text(r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#)),
        ("graphics/photo.xml", text("\u{89}").into_iter().chain(*b"PNG").collect()),
        ("graphics/jpeg.xml", b"\xff\xd8\xff\xe0JFIF".to_vec()),
        ("graphics/thumbs.zip", b"GIF89a".to_vec()),
        ("tei/edition.xml", text(tei)),
        ("tei/marc.xml", text(r#"<collection xmlns="http://www.loc.gov/MARC21/slim"/>"#)),
        (
            "tei/oai.xml",
            text(r#"<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error code="badVerb"/></OAI-PMH>"#),
        ),
        ("tei/mets.xml", text(r#"<mets xmlns="http://www.loc.gov/METS/"/>"#)),
        (
            "tei/jpcoar.xml",
            text(r#"<jpcoar:jpcoar xmlns:jpcoar="https://github.com/JPCOAR/schema/blob/master/2.0/"/>"#),
        ),
        ("build/pom.xml", text(r#"<project xmlns="http://maven.apache.org/POM/4.0.0"/>"#)),
        ("build/empty.xml", Vec::new()),
        ("build/blank.xml", text(" \n\n")),
        ("build/zeros.xml", vec![0; 4096]),
        ("build/two-roots.xml", text("<a/><b/>")),
        ("build/entity.xml", text("<a>&nbsp;</a>")),
        ("build/latin-1.xml", b"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>\xe9</a>".to_vec()),
        ("build/utf-16.xml", utf_16("<?xml version=\"1.0\"?><a/>")),
        ("logs/access.xml", text("127.0.0.1 - - [10/Oct/2020:13:55:36 +0000] \"GET / HTTP/1.0\" 200 2326\n")),
        ("logs/app.xml.gz", text("2026-01-01 ERROR out of cheese\n")),
        ("logs/packed.xml.gz", gzip(b"2026-01-01 INFO started\n")),
        ("logs/cut.xml.gz", gzip(&[b'x'; 4096])[..30].to_vec()),
        ("logs/events.xml", text("{\"event\": 1}\n")),
        ("pages/utf-8.xml", text(html)),
        ("pages/utf-16.xml", utf_16(html)),
        ("pages/shift-jis.xml", shift_jis.to_vec()),
        ("pages/euc-jp.xml", euc_jp.to_vec()),
        ("pages/markdown.xml", text("# Title\n\nText with <b>markup</b>\n")),
        ("sitemaps/old.xml", text(&other(r#" xmlns="http://www.google.com/schemas/sitemap/0.84""#))),
        ("sitemaps/https.xml", text(&other(r#" xmlns="https://www.sitemaps.org/schemas/sitemap/0.9""#))),
        ("sitemaps/none.xml", text(&other(""))),
        ("sitemaps/cut.xml", text(&SITEMAP[..SITEMAP.len() - 12])),
        ("zips/documents.zip", archive.clone()),
        ("zips/cut.zip", archive[..archive.len() - 30].to_vec()),
        (
            "zips/other-manifest.zip",
            zip("manifest.xml", b"<manifest xmlns='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'/>"),
        ),
        ("zips/scorm.zip", zip("imsmanifest.xml", b"<manifest xmlns='http://www.imsglobal.org/xsd/imscp_v1p1'/>")),
        ("zips/text-manifest.zip", zip("manifest.xml", b"not XML")),
        ("zips/error-page.zip", text(html)),
        ("zips/empty.zip", Vec::new()),
        // Plain sitemaps are legal, and listed as such.
        ("sitemaps/plain.xml", text(SITEMAP)),
        ("sitemaps/odd.xml", text(&odd)),
        ("sitemaps/image.xml", text(&image)),
    ])
}

/// Publishes a Source, and adds the other files.
fn folder(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.put("files/a.txt", "a").put("files/b.txt", "b");
    bench.run(&["build", "files", "--base-uri", BASE, "--out", "public"]).ends(0);
    bench.put("public/a.txt", "a").put("public/b.txt", "b");
    for (name, content) in others() {
        bench.put(&format!("public/other/{name}"), content);
    }
    bench
}

/// Asserts that the report has no finding, and names every other file.
fn nothing_but_skipped(report: &Value, prefix: &str) {
    assert_eq!((codes(report), &report["verdict"]), (vec![], &"valid".into()), "{report:#}");
    let skipped = names(report, "skipped");
    let reasons = report["skipped"].as_array().unwrap().iter();
    assert!(reasons.clone().all(|skipped| !skipped["reason"].as_str().unwrap().is_empty()));
    for name in others().keys() {
        let place = format!("{prefix}other/{name}");
        let is_plain = ["sitemaps/plain.xml", "sitemaps/odd.xml", "sitemaps/image.xml"].contains(name);
        let kind = report["inputs"].as_array().unwrap().iter().find(|input| input["name"] == *place);
        if is_plain {
            assert_eq!(kind.map(|input| &input["kind"]), Some(&"sitemap".into()), "{place}");
        } else {
            assert!(skipped.contains(&&*place), "{place} is not listed: {skipped:#?}");
        }
    }
    assert_eq!(skipped.len(), others().len() - 3);
}

#[test]
fn other_peoples_files_in_a_folder_are_skipped_with_a_reason() {
    let bench = folder("others-folder");
    nothing_but_skipped(&bench.run(&["validate", "--format", "json", "public"]).ends(0).json(), "public/");
    // The same without a bound on findings, which streams them.
    let all = ["validate", "--format", "json", "--max-per-rule", "0", "public"];
    nothing_but_skipped(&bench.run(&all).ends(0).json(), "public/");
}

#[test]
fn other_peoples_files_in_a_followed_folder_are_skipped_with_a_reason() {
    let bench = folder("others-follow");
    let follow = ["validate", "--follow", "--resources", "all", "--format", "json", "--base-uri", BASE, "public"];
    nothing_but_skipped(&bench.run(&follow).ends(0).json(), BASE);
    let text = bench.run(&["validate", "--follow", "--base-uri", BASE, "public"]).ends(0);
    assert!(!text.out.contains("channel"), "{}", text.out);
    assert!(text.out.contains("(an empty file)"), "{}", text.out);
}

#[test]
fn a_damaged_document_that_another_one_links_to_is_an_error() {
    for (name, damage) in
        [("empty", &b""[..]), ("text", b"503 Service Unavailable"), ("page", b"<!DOCTYPE html><html/>")]
    {
        let bench = folder(&format!("others-damaged-{name}"));
        let list = std::fs::read_dir(bench.path("public")).unwrap().map(|entry| entry.unwrap().file_name());
        let list = list.map(|name| name.into_string().unwrap()).find(|name| name.starts_with("resourcelist")).unwrap();
        bench.put(&format!("public/{list}"), damage);
        let report = bench.run(&["validate", "--format", "json", "public"]).ends(1).json();
        assert!(names(&report, "inputs").contains(&&*format!("public/{list}")), "{report:#}");
        bench.run(&["validate", "--follow", "--format", "json", "--base-uri", BASE, "public"]).ends(1);
    }
}

#[test]
fn a_plain_sitemap_is_legal_as_a_file_and_in_a_folder() {
    let bench = Bench::new("others-sitemap");
    bench.put("site/sitemap.xml", SITEMAP);
    bench.run(&["validate", "site"]).ends(0);
    let file = bench.run(&["validate", "site/sitemap.xml"]).ends(0);
    assert!(file.out.contains("--expect resource-list"), "{}", file.out);
    let expected =
        bench.run(&["validate", "--expect", "resource-list", "--format", "json", "site/sitemap.xml"]).ends(1);
    assert_eq!(codes(&expected.json()), ["GEN-04"]);
}

#[test]
fn a_page_is_a_page_whatever_it_contains() {
    for (name, content) in [
        ("empty", &b""[..]),
        ("word", b"hello"),
        ("markdown", b"# Title\n\n[link](http://example.com/)"),
        ("link", b"[link](http://example.com/)"),
        ("php", b"<?php echo 'x'; ?>\n<html></html>"),
        ("text-first", b"Warning: mysql_connect()\n<html><head></head></html>"),
    ] {
        let bench = Bench::new(&format!("others-page-{name}"));
        bench.put("files/a.txt", "a");
        bench.run(&["build", "files", "--base-uri", BASE, "--out", "public"]).ends(0);
        bench.put("public/index.html", content);
        let report =
            bench.run(&["validate", "--follow", "--format", "json", "--base-uri", BASE, "public"]).ends(0).json();
        assert_eq!(codes(&report), Vec::<String>::new(), "{name}: {report:#}");
        // Alone it leads nowhere, and that is all.
        let bench = Bench::new(&format!("others-page-{name}-alone"));
        bench.put("public/index.html", content);
        let report =
            bench.run(&["validate", "--follow", "--format", "json", "--base-uri", BASE, "public"]).ends(1).json();
        assert_eq!(codes(&report), ["SD-12"], "{name}: {report:#}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_the_file_system_allows_are_found() {
    use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt};

    let bench = Bench::new("others-names");
    let put = |folder: &str| {
        bench.put(&format!("{folder}/a:b"), "a").put(&format!("{folder}/back\\slash.txt"), "b");
        fs::write(bench.path(folder).join(OsStr::from_bytes(b"\xff\xfe.bin")), "c").unwrap();
    };
    put("files");
    bench.run(&["build", "files", "--base-uri", BASE, "--out", "public"]).ends(0);
    put("public");
    // A row names a file by its URI. Another file may have the name under which this one is shown.
    fs::write(bench.path("files").join("\u{fffd}\u{fffd}.bin"), "other").unwrap();
    let uri = format!("{BASE}%FF%FE.bin");
    bench.put("table.csv", format!("uri\n{uri}\n")).put("list.txt", format!("{uri}\n"));
    let table = ["--from-csv", "table.csv", "--unlisted", "skip", "--base-uri", BASE, "--out", "table"];
    bench.run(&[&["build", "files"], &table[..]].concat()).ends(0);
    let list = bench.read("table/resourcelist.xml");
    assert!(list.contains(&format!("<loc>{uri}</loc>")) && list.contains("length=\"1\""), "{list}");
    let map = format!("{BASE}=files");
    let sitemap = ["--from-sitemap", "list.txt", "--map", &map, "--base-uri", BASE, "--out", "listed"];
    let ran = bench.run(&[&["build"], &sitemap[..]].concat()).ends(2);
    assert!(ran.err.contains("not UTF-8"), "{ran:?}");
    let follow = ["validate", "--follow", "--resources", "all", "--format", "json", "--base-uri", BASE, "public"];
    let report = bench.run(&follow).ends(0).json();
    assert_eq!(codes(&report), Vec::<String>::new(), "{report:#}");
    assert_eq!(report["sets"][0]["resourcesRead"], 3, "{report:#}");
}
