//! Dumps validated together with their packages.

use crate::bench::{Bench, codes, gzip};

const JSON: [&str; 3] = ["validate", "--format", "json"];
const PACKAGE: &[u8] = include_bytes!("../../../tests/corpus/set/clean/resourcedump-part1.zip");
const EMPTY: &str = "PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// A Resource Dump of one package, with a wrong digest.
fn dump() -> String {
    let length = PACKAGE.len();
    format!(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/d1/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/d1/part1.zip</loc>
    <rs:md type="application/zip" length="{length}" hash="sha-256:{}"/>
  </url>
</urlset>
"#,
        "0".repeat(64)
    )
}

fn found(bench: &Bench, paths: &[&str]) -> Vec<String> {
    let arguments: Vec<&str> = JSON.iter().chain(paths).copied().collect();
    codes(&bench.run(&arguments).json())
}

#[test]
fn a_packed_dump_is_compared_with_its_package() {
    let bench = Bench::new("dumps-packed");
    bench.put("dump.xml.gz", gzip(dump().as_bytes())).put("part1.zip", PACKAGE);
    assert_eq!(found(&bench, &["dump.xml.gz", "part1.zip"]), ["PKG-14"]);
    let mut cut = gzip(dump().as_bytes());
    cut.truncate(cut.len() / 2);
    bench.put("dump.xml.gz", cut);
    assert_eq!(found(&bench, &["dump.xml.gz", "part1.zip"]), ["INP-03"]);
}

#[test]
fn a_package_that_is_given_twice_is_still_known() {
    let bench = Bench::new("dumps-twice");
    bench.put("dump.xml", dump()).put("part1.zip", PACKAGE);
    assert_eq!(found(&bench, &["dump.xml", "part1.zip", "./part1.zip"]), ["PKG-14"]);
    // If two packages differ, it is unknown which is meant.
    let other: Vec<u8> = [PACKAGE, b"x"].concat();
    bench.put("other/part1.zip", other);
    assert!(!found(&bench, &["dump.xml", "part1.zip", "other/part1.zip"]).contains(&"PKG-14".to_owned()));
}

#[test]
fn what_a_dump_lists_is_for_us_whatever_it_is() {
    let bench = Bench::new("dumps-folder");
    bench.put("site/part1.zip", EMPTY).put("site/other.zip", EMPTY);
    bench.put("site/dump.xml", dump());
    let report = bench.run(&["validate", "--format", "json", "site"]).ends(1).json();
    assert!(codes(&report).contains(&"PKG-01".to_owned()));
    assert_eq!(report["skipped"][0]["name"], "site/other.zip");
}
