//! `fix`: repairs, outputs, and remaining findings.

use crate::bench::{Bench, HEAD, codes, gzip, list};

/// A Change List with one error of each repairable kind, and comments.
const LOOSE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="ChangeList" from="2013-01-03T09:00:00+09:00"/>
  <url><!-- second -->
    <loc>http://example.com/日本 語</loc>
    <rs:md change="update" datetime="2013-01-03T12:00:00Z" hash="SHA1:2jmj7l5rSw0yVb/vlWAYkK/YBwk="/>
  </url>
  <url>
    <loc>http://example.com/1</loc>
    <rs:md change="created" datetime="2013-01-03 11:00:00Z"/>
  </url>
</urlset>
"#;

#[test]
fn without_a_place_to_write_to_the_difference_is_shown_and_nothing_written() {
    let bench = Bench::new("fix-shown");
    bench.put("a.xml", LOOSE);
    let ran = bench.run(&["fix", "a.xml"]).ends(0);
    assert!(ran.out.contains("--- a.xml\n+++ a.xml\n@@"), "{ran:?}");
    assert!(
        ran.out.contains("\n-  <rs:md capability=\"ChangeList\"")
            && ran.out.contains("\n+  <rs:md capability=\"changelist\"")
    );
    assert!(ran.err.contains("5:22: spelling: /urlset/rs:md[1]/@capability: `ChangeList` → `changelist`"), "{ran:#?}");
    assert!(ran.err.contains("VALID"), "{ran:?}");
    assert_eq!(bench.read("a.xml"), LOOSE);
}

#[test]
fn the_original_is_replaced_only_when_asked_to_and_comments_stay() {
    let bench = Bench::new("fix-in-place");
    bench.put("a.xml", LOOSE);
    bench.run(&["fix", "a.xml", "--output", "b.xml", "--quiet"]).ends(0);
    assert_eq!(bench.read("a.xml"), LOOSE);
    let fixed = bench.read("b.xml");
    assert_eq!(codes(&bench.run(&["validate", "--format", "json", "b.xml"]).ends(0).json()), [""; 0]);
    assert!(
        fixed.contains("<!-- made by hand -->") && fixed.contains("http://example.com/%E6%97%A5%E6%9C%AC%20%E8%AA%9E")
    );
    assert!(fixed.find("example.com/1<") < fixed.find("<!-- second -->"), "changes are sorted: {fixed}");
    let ran = bench.run(&["fix", "--in-place", "a.xml"]).ends(0);
    assert_eq!(ran.out, "");
    assert_eq!(bench.read("a.xml"), fixed);
    let again = bench.run(&["fix", "a.xml"]).ends(0);
    assert!(again.out.is_empty() && again.err.contains("no unambiguous repairs"), "{again:?}");
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_mode_whatever_a_killed_run_left() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new("fix-mode");
    let name = format!("{}.xml", "あ".repeat(80));
    bench.put(&name, LOOSE);
    std::fs::set_permissions(bench.path(&name), PermissionsExt::from_mode(0o640)).unwrap();
    bench.run(&["fix", "--in-place", &name]).ends(0);
    let mode = std::fs::metadata(bench.path(&name)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640, "{mode:o}");
    let limited = bench.run(&["fix", "--limit", "entries=1", &name]).ends(2);
    assert!(limited.err.contains("LIM-"), "{limited:?}");
}

#[test]
fn standard_input_and_output_are_a_pipe() {
    let bench = Bench::new("fix-pipe");
    let ran = bench.feed(&["fix", "-", "--output", "-"], LOOSE.as_bytes()).ends(0);
    assert!(ran.out.starts_with("<?xml") && ran.out.ends_with("</urlset>\n"), "{ran:?}");
    assert_eq!(bench.feed(&["fix", "-", "-o", "-", "-q"], ran.out.as_bytes()).ends(0).out, ran.out);
}

#[test]
fn what_cannot_be_known_is_said_and_left() {
    let bench = Bench::new("fix-unknown");
    let zoneless = list(1).replace("2013-01-03T09:00:00Z", "2013-01-03T09:00:00");
    bench.put("a.xml", &zoneless).put("b.xml", list(1).replace(" at=\"2013-01-03T09:00:00Z\"", ""));
    let ran = bench.run(&["fix", "--in-place", "a.xml"]).ends(1);
    assert!(ran.err.contains("remaining findings") && ran.err.contains("AT-01"), "{ran:?}");
    assert_eq!(bench.read("a.xml"), zoneless);
    assert!(bench.run(&["fix", "b.xml"]).ends(1).err.contains("RL-03"));
    bench.run(&["fix", "--in-place", "--zone", "+09:00", "a.xml"]).ends(0);
    assert!(bench.read("a.xml").contains("at=\"2013-01-03T00:00:00Z\""));
    let ran = bench.run(&["fix", "--zone", "JST", "a.xml"]).ends(2);
    assert!(ran.err.contains("expected Z or an offset"), "{ran:?}");
}

#[test]
fn what_is_no_document_is_refused_and_kept() {
    let bench = Bench::new("fix-refused");
    let cut = format!("{HEAD}<url>");
    bench.put("cut.xml", &cut).put("a.xml.gz", gzip(b"<urlset/>")).put("latin.xml", b"<urlset>\xe9</urlset>");
    assert!(bench.run(&["fix", "--in-place", "cut.xml"]).ends(1).err.contains("GEN-01"));
    assert_eq!(bench.read("cut.xml"), cut);
    assert!(bench.run(&["fix", "a.xml.gz"]).ends(2).err.contains("gunzip"));
    assert!(bench.run(&["fix", "latin.xml"]).ends(2).err.contains("iconv"));
    assert!(bench.run(&["fix", "none.xml"]).ends(2).err.contains("no such file"));
    assert!(bench.run(&["fix", "cut.xml", "-o", "no/such/x.xml"]).ends(2).err.contains("cannot be written"));
    assert!(bench.run(&["fix", "cut.xml", "-o", "x.xml", "--in-place"]).ends(2).err.contains("cannot be used with"));
}
