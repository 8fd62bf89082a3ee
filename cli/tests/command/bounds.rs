//! Packages designed to exhaust a reader, and findings without number: each run ends while the system limits memory.

use std::process::Command;

use resourcesync_tests::{
    Case, all,
    package::{Raw, Zip, manifest},
};

use crate::bench::{Bench, Ran, codes, list};

/// The limits of address space and of resident memory.
const ADDRESSED: u64 = 512 << 20;
const FILLED: u64 = 96 << 20;

/// Runs the command with limited memory, and with two jobs, so that the result does not depend on the number of
/// processors.
fn limited(bench: &Bench, args: &[&str]) -> Ran {
    let own = bench.command(args);
    let mut command = Command::new("prlimit");
    command.arg(format!("--as={ADDRESSED}")).arg(format!("--data={FILLED}"));
    command.arg(own.get_program()).args(own.get_args()).args(["--jobs", "2"]);
    command.current_dir(bench.path("."));
    command.output().unwrap().into()
}

#[test]
fn every_hostile_package_of_the_corpus_ends_in_little_memory() {
    let bench = Bench::new("bounds-corpus");
    // Cases with their own options test those.
    let cases: Vec<Case> = all().into_iter().filter(|case| case.is_package() && !case.has_options()).collect();
    assert!(cases.len() > 100, "{}", cases.len());
    for case in cases {
        let (name, expected) = (case.name(), &case.expected);
        bench.put("part1.zip", case.bytes());
        let report = limited(&bench, &["validate", "--format", "json", "part1.zip"]).json();
        assert_eq!(report["verdict"], *expected.verdict, "{name}");
        let found = codes(&report);
        assert!(
            expected.must.iter().all(|demand| found.contains(&demand.code)),
            "{name}: {found:?}, not {:?}",
            expected.must
        );
    }
}

#[test]
fn a_file_beyond_the_limit_of_the_process_is_an_error_and_leaves_what_was_there() {
    let bench = Bench::new("bounds-file-size");
    let build = ["build", "files", "--base-uri", "https://example.com/", "--out", "public"];
    bench.put("files/a", "a");
    bench.run(&build).ends(0);
    let before = bench.read("public/resourcelist.xml");
    for number in 0..2_000 {
        bench.put(&format!("files/{number}"), "b");
    }
    let own = bench.command(&build);
    let mut command = Command::new("prlimit");
    command.arg("--fsize=65536").arg(own.get_program()).args(own.get_args()).current_dir(bench.path("."));
    let ran = Ran::from(command.output().unwrap()).ends(2);
    assert!(ran.err.contains("too large"), "{ran:?}");
    assert_eq!(bench.read("public/resourcelist.xml"), before);
    bench.run(&build).ends(0);
}

/// A package of these members and a manifest that lists the paths.
fn listing(paths: &[&str], members: &[Raw]) -> Zip {
    let entries: String = paths
        .iter()
        .map(|path| {
            format!("<url><loc>https://example.com{path}</loc><rs:md type=\"text/plain\" path=\"{path}\"/></url>\n")
        })
        .collect();
    let head = manifest("");
    let (head, _) = head.split_once("  <url>").unwrap();
    let mut all = vec![Raw::deflated("manifest.xml", format!("{head}{entries}</urlset>\n").as_bytes())];
    all.extend_from_slice(members);
    Zip::build(&all)
}

#[track_caller]
fn assert_codes(name: &str, zip: &[u8], args: &[&str], expected: &[&str]) {
    let bench = Bench::new(&format!("bounds-{name}"));
    bench.put("part1.zip", zip);
    let mut all = vec!["validate", "--format", "json", "part1.zip"];
    all.extend(args);
    let ran = limited(&bench, &all);
    assert_eq!(codes(&ran.json()), expected, "{name}");
}

#[test]
fn a_bomb_is_unpacked_through_little_memory_and_never_beyond_what_it_declares() {
    let zeros = vec![0; 48 << 20];
    let bomb = Raw::deflated("bomb", &zeros);
    assert!(bomb.data.len() < 64 << 10);
    assert_codes("bomb", &listing(&["/bomb"], std::slice::from_ref(&bomb)).bytes, &[], &[]);
    let liar = Raw { size: 1000, ..bomb.clone() };
    assert_codes("liar", &listing(&["/bomb"], &[liar]).bytes, &[], &["ZIP-20"]);
    let many: Vec<Raw> = (0..40).map(|number| Raw { name: format!("bomb{number}").into(), ..bomb.clone() }).collect();
    let paths: Vec<String> = (0..40).map(|number| format!("/bomb{number}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    assert_codes("budget", &listing(&paths, &many).bytes, &["--limit", "package_bytes=1000000"], &["LIM-14"]);
}

#[test]
fn a_thousand_headers_over_one_member_are_refused_before_anything_is_unpacked() {
    let zeros = vec![0; 8 << 20];
    let mut zip = listing(&["/a"], &vec![Raw::deflated("a", &zeros); 1000]);
    let first = zip.local[1] as u32;
    for at in &zip.central[1..] {
        let at = *at;
        zip.bytes[at + 42..at + 46].copy_from_slice(&first.to_le_bytes());
    }
    assert_codes("overlap", &zip.bytes, &[], &["PKG-12", "ZIP-07", "ZIP-08"]);
}

#[test]
fn tens_of_thousands_of_members_and_names_without_end_stay_within_bounds() {
    let many: Vec<Raw> = (0..60_000).map(|number| Raw::stored(&format!("x{number}"), b"")).collect();
    assert_codes("many", &listing(&[], &many).bytes, &[], &["PKG-04"]);
    let long: Vec<Raw> = (0..300).map(|number| Raw::stored(&format!("{number}{}", "x".repeat(60_000)), b"")).collect();
    assert_codes("long", &listing(&[], &long).bytes, &[], &["LIM-16", "PKG-04"]);
    let deep: Vec<Raw> =
        (0..300).map(|number| Raw::stored(&format!("{}b", "a/".repeat(30_000 + number)), b"")).collect();
    assert_codes("deep", &listing(&[], &deep).bytes, &[], &["LIM-16", "PKG-04"]);
}

#[test]
fn a_comment_full_of_end_records_ends() {
    let mut zip = listing(&["/a"], &[Raw::stored("a", b"x")]).bytes;
    let comment = b"PK\x05\x06".repeat(16_000);
    let end = zip.len() - 2;
    zip[end..].copy_from_slice(&(comment.len() as u16).to_le_bytes());
    zip.extend(comment);
    let bench = Bench::new("bounds-comment");
    bench.put("part1.zip", zip);
    assert_eq!(limited(&bench, &["validate", "--format", "json", "part1.zip"]).json()["verdict"], "invalid");
}

#[test]
fn all_findings_of_a_list_take_little_memory_as_json_and_as_text() {
    const ENTRIES: usize = 20_000;
    let bench = Bench::new("bounds-findings");
    bench.put("a.xml", list(ENTRIES).replace("http://example.com/", "x").replace("<url>", "<url x='y'>"));
    let args = ["validate", "--max-per-rule", "0", "--format", "json", "--output", "report", "a.xml"];
    let shown = limited(&bench, &args).ends(1).out;
    assert_eq!((shown.matches("[GEN-11]").count(), shown.matches("[GEN-12]").count()), (ENTRIES, ENTRIES));
    assert!(bench.read("report").matches("\"GEN-11\"").count() > ENTRIES);
}

#[test]
fn many_packages_with_findings_take_no_more_than_what_a_report_stores() {
    let bench = Bench::new("bounds-folder");
    for number in 0..1_000 {
        let members: Vec<Raw> = (0..20).map(|member| Raw::stored(&format!("x{member}"), b"x")).collect();
        bench.put(&format!("all/part{number:04}.zip"), listing(&[&format!("/gone{number}")], &members).bytes);
    }
    let report = limited(&bench, &["validate", "--format", "json", "all"]).json();
    assert_eq!((&report["summary"]["errors"], &report["summary"]["warnings"]), (&1_000.into(), &20_000.into()));
    assert_eq!(report["summary"]["stored"], 10_000);
    let kept = report["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == "error").count();
    assert_eq!(kept, 1_000);
}
