//! Exit statuses for various inputs.

use crate::bench::{Bench, HEAD, codes, gzip, list, wrong};

/// The status and the codes of one document.
#[track_caller]
fn assert_verdict(name: &str, content: impl AsRef<[u8]>, status: i32, expected: &[&str], verdict: &str) {
    let bench = Bench::new(&format!("status-{name}"));
    let ran = bench.put("input.xml", content).run(&["validate", "--format", "json", "input.xml"]).ends(status);
    assert_eq!(ran.err, "");
    let report = ran.json();
    assert_eq!(codes(&report), expected);
    assert_eq!(report["verdict"], verdict);
}

#[test]
fn a_valid_document() {
    assert_verdict("valid", list(2), 0, &[], "valid");
}

#[test]
fn an_invalid_document() {
    assert_verdict("invalid", wrong(), 1, &["RL-03"], "invalid");
}

#[test]
fn an_empty_file() {
    assert_verdict("empty", "", 1, &["GEN-01"], "invalid");
}

#[test]
fn a_pdf() {
    assert_verdict("pdf", "%PDF-1.7\n%âãÏÓ\n1 0 obj\n", 1, &["INP-02"], "invalid");
}

#[test]
fn a_page() {
    assert_verdict("page", "<!DOCTYPE html><html><body>Not found</body></html>", 1, &["INP-02"], "invalid");
}

#[test]
fn a_package_given_directly_is_validated() {
    assert_verdict("package", "PK\x03\x04and so on", 1, &["PKG-08"], "invalid");
}

#[test]
fn more_entries_than_the_standard_allows() {
    assert_verdict("50001", list(50_001), 1, &["GEN-18"], "invalid");
    assert_verdict("50000", list(50_000), 0, &[], "valid");
}

#[test]
fn a_large_document() {
    let entry = format!("<url><loc>http://example.com/{}</loc></url>\n", "x".repeat(1_500));
    let mut xml = String::from(HEAD);
    let mut number = 0;
    while xml.len() < 60_000_000 {
        xml.push_str(&entry.replacen("xxxxxxxx", &format!("{number:08}"), 1));
        number += 1;
    }
    assert_verdict("large", xml + "</urlset>", 1, &["GEN-19"], "invalid");
}

#[test]
fn a_document_on_one_line() {
    let mut xml = list(2_000).replace('\n', "");
    xml = xml.replace("<loc>http://example.com/1999</loc>", "<loc>not a uri</loc>");
    let bench = Bench::new("status-line");
    let report = bench.put("a.xml", xml).run(&["validate", "--format", "json", "a.xml"]).ends(1).json();
    assert_eq!(codes(&report), ["GEN-11"]);
    assert_eq!(report["diagnostics"][0]["span"]["start"]["line"], 1);
    assert!(report["diagnostics"][0]["excerpt"]["text"].as_str().unwrap().len() <= 240);
}

#[test]
fn a_gzip_bomb() {
    let bomb = gzip(&vec![b' '; 40 << 20]);
    assert_verdict("bomb", bomb, 2, &["LIM-11"], "undetermined");
}

#[test]
fn a_file_that_is_not_there() {
    let bench = Bench::new("status-missing");
    let report = bench.put("a.xml", list(1)).run(&["validate", "--format", "json", "no.xml", "a.xml"]).ends(2).json();
    assert_eq!(codes(&report), ["INP-01"]);
    assert_eq!(report["diagnostics"][0]["args"]["reason"], "no such file or folder");
    assert_eq!(report["inputs"][0]["kind"], "unknown");
    assert_eq!(report["inputs"][1]["verdict"], "valid");
}

/// It can be opened, but reading fails for every user.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read() {
    let bench = Bench::new("status-unreadable");
    let report = bench.run(&["validate", "--format", "json", "/proc/self/mem"]).ends(2).json();
    assert_eq!(codes(&report), ["INP-01"]);
    assert_eq!(report["verdict"], "undetermined");
}

#[test]
fn an_error_counts_more_than_a_doubt() {
    Bench::new("status-both").put("a.xml", wrong()).run(&["validate", "no.xml", "a.xml"]).ends(1);
}

#[test]
fn warnings_count_if_they_are_asked_for() {
    let bench = Bench::new("status-warning");
    let xml = list(1).replacen("<url>", "<url rs:hint=\"x\">", 1);
    bench.put("a.xml", xml);
    bench.run(&["validate", "a.xml"]).ends(0);
    bench.run(&["validate", "--fail-on", "warning", "a.xml"]).ends(1);
    bench.run(&["validate", "--severity", "GEN-12=error", "a.xml"]).ends(1);
    bench.run(&["validate", "--severity", "entry-attribute=info", "--fail-on", "warning", "a.xml"]).ends(0);
}

#[test]
fn the_usage_is_wrong() {
    let bench = Bench::new("status-usage");
    bench.put("a.xml", list(1));
    for args in [
        &["validate"] as &[&str],
        &["validate", "--formt", "json", "a.xml"],
        &["validate", "--format", "yaml", "a.xml"],
        &["validate", "--select", "mising-at", "a.xml"],
        &["validate", "--severity", "RL-03=fatal", "a.xml"],
        &["validate", "--severity", "XML-07=info", "a.xml"],
        &["validate", "--limit", "dept=3", "a.xml"],
        &["validate", "--limit", "depth=99999999999", "a.xml"],
        &["validate", "--jobs", "0", "a.xml"],
        &["validate", "--uri", "not a uri", "a.xml"],
        &["validate", "--output", "r.json", "a.xml"],
        &["validate", "--format", "json", "--format", "html", "a.xml"],
        &["validate", "--name", "x", "a.xml", "a.xml"],
        &["validate", "-", "-"],
        &["vaildate", "a.xml"],
        &[],
    ] {
        let ran = bench.run(args).ends(2);
        assert_eq!(ran.out, "", "{args:?}");
        assert!(!ran.err.is_empty(), "{args:?}");
    }
    let ran = bench.run(&["validate", "--select", "mising-at", "a.xml"]);
    assert!(ran.err.contains("did you mean `missing-at`?"), "{ran:?}");
    let ran = bench.run(&["validate", "HTTPS://me@example.com/"]).ends(2);
    assert!(ran.out.is_empty() && ran.err.contains("user name"), "{ran:?}");
}
