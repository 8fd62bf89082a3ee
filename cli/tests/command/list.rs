//! `list`: the members of a package.

use resourcesync_tests::package::package;

use crate::bench::{Bench, list};

fn listed(name: &str, args: &[&str], status: i32) -> (String, String) {
    let bench = Bench::new(&format!("list-{}-{}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"), args.len()));
    let mut all = vec!["list", "part1.zip"];
    all.extend(args);
    let ran = bench.put("part1.zip", package(name)).run(&all).ends(status);
    (ran.out, ran.err)
}

#[test]
fn every_member_has_a_line_with_its_state_and_its_resource() {
    let (out, err) = listed("plain", &[], 0);
    let expected = "\
STATE     SIZE  TYPE        CHANGE  NAME          URI
sound      686  -           -       manifest.xml  -
verified   340  text/plain  -       res/a.txt     https://example.com/a
verified    64  text/plain  -       res/b.txt     https://example.com/b

VALID: 3 members, 1090 bytes; 0 errors, 0 warnings
";
    assert_eq!((out.as_str(), err.as_str()), (expected, ""));
}

#[test]
fn the_status_is_that_of_the_package() {
    for (name, status, said) in [
        ("crc", 1, "damaged (crc-32)"),
        ("wrong-digest", 1, "differs (md5)"),
        ("missing", 1, "missing"),
        ("encrypted", 1, "refused (encrypted)"),
        ("unlisted", 0, "unlisted"),
        ("deletion", 0, "unpackaged"),
        ("tar", 1, "INVALID"),
    ] {
        let (out, _) = listed(name, &[], status);
        assert!(out.contains(said), "{name}: {out}");
    }
}

#[test]
fn what_was_found_is_said_beside_the_table() {
    let (out, err) = listed("crc", &[], 1);
    assert!(err.starts_with("error[ZIP-23]: ") && err.contains("res/a.txt") && !out.contains("ZIP-23"), "{err}");
    let (_, err) = listed("crc", &["--lang", "ja"], 1);
    assert!(err.starts_with("エラー[ZIP-23]: ") && err.contains("CRC-32 が不一致"), "{err}");
}

#[test]
fn without_fixity_nothing_is_unpacked() {
    let (out, _) = listed("crc", &["--no-fixity"], 0);
    assert!(out.contains("unchecked   340") && !out.contains("verified "), "{out}");
}

#[test]
fn the_table_is_also_japanese() {
    let (out, _) = listed("wrong-length", &["--lang", "ja"], 1);
    assert!(
        out.contains("不一致 (length)") && out.contains("検証済み") && out.contains("不適合: メンバー 3 件"),
        "{out}"
    );
}

#[test]
fn names_that_would_change_the_terminal_are_made_visible() {
    let (out, _) = listed("name:res/\u{202e}x\u{1b}[31m", &[], 1);
    assert!(out.contains("\\u{202e}x\\u{1b}[31m") && !out.contains('\u{1b}'), "{out}");
}

#[test]
fn data_says_everything() {
    let bench = Bench::new("list-json");
    let list = bench.put("part1.zip", package("patch")).run(&["list", "--format", "json", "part1.zip"]).ends(0).json();
    assert_eq!((&list["format"], &list["formatVersion"]), (&"resourcesync-package".into(), &1.into()));
    assert_eq!(list["package"]["name"], "part1.zip");
    assert_eq!(list["package"]["manifest"], "change-dump-manifest");
    let member = &list["members"][1];
    assert_eq!(
        (&member["name"], &member["kind"], &member["state"]),
        (&"res/a.txt".into(), &"file".into(), &"verified".into())
    );
    assert_eq!(member["checked"], serde_json::json!(["crc-32", "length", "md5", "sha-256"]));
    assert_eq!(member["resources"][0]["type"], "text/plain");
    assert_eq!(list["members"][3]["resources"][0]["role"], "patch");
}

#[test]
fn a_package_may_come_through_a_pipe() {
    let bench = Bench::new("list-pipe");
    let (sound, damaged) = (package("plain"), package("crc"));
    let report = bench.feed(&["validate", "--format", "json", "-"], &sound).ends(0).json();
    assert_eq!((&report["verdict"], &report["inputs"][0]["via"]), (&"valid".into(), &"stdin".into()));
    assert_eq!(report["inputs"][1]["name"], "-!/manifest.xml");
    bench.feed(&["validate", "-"], &damaged).ends(1);
    let ran = bench.feed(&["validate", "--limit", "package_bytes=500", "-"], &sound).ends(2);
    assert!(ran.out.contains("larger than package_bytes (500)"), "{ran:?}");
    assert!(bench.feed(&["list", "-"], &sound).ends(0).out.contains("VALID: 3 members"));
    bench.feed(&["extract", "-", "out"], &damaged).ends(1);
    bench.feed(&["extract", "-", "out"], &sound).ends(0);
    assert_eq!(bench.read("out/res/b.txt").len(), 64);
    assert!(bench.feed(&["list", "-"], b"<urlset/>").ends(2).err.contains("not a package"));
}

#[test]
fn what_is_no_package_is_said() {
    let bench = Bench::new("list-other");
    bench.put("a.xml", list(1)).put("folder/x", "");
    let ran = bench.run(&["list", "no.zip"]).ends(2);
    assert!(ran.out.contains("UNDETERMINED") && ran.err.contains("no such file"), "{ran:?}");
    let ran = bench.run(&["list", "folder"]).ends(2);
    assert!(ran.err.contains("is a folder; pass a package"), "{ran:?}");
    bench.run(&["list", "a.xml"]).ends(1);
    bench.run(&["list"]).ends(2);
}
