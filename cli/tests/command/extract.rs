//! `extract`: verified bitstreams, all or none, and never outside the folder.

use std::{fs, path::Path};

use resourcesync_tests::package::package;

use crate::bench::{Bench, Ran};

fn bench(name: &str, content: &str) -> Bench {
    let bench = Bench::new(&format!("extract-{}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_")));
    bench.put("part1.zip", package(content));
    bench
}

fn extract(bench: &Bench, args: &[&str]) -> Ran {
    let mut all = vec!["extract", "part1.zip", "out"];
    all.extend(args);
    bench.run(&all)
}

/// Every file and folder below a folder; empty if it does not exist.
fn tree(folder: &Path) -> Vec<String> {
    fn walk(folder: &Path, before: &str, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let entry = entry.unwrap();
            let name = format!("{before}{}", entry.file_name().to_string_lossy());
            names.push(name.clone());
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), &format!("{name}/"), names);
            }
        }
    }
    let mut names = Vec::new();
    walk(folder, "", &mut names);
    names.sort();
    names
}

const ALL: [&str; 4] = ["manifest.xml", "res", "res/a.txt", "res/b.txt"];

#[test]
fn everything_that_is_verified_is_written() {
    let bench = bench("all", "folders");
    let ran = extract(&bench, &[]).ends(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("3 files, 1090 bytes, written to out\n", ""));
    assert_eq!(tree(&bench.path("out")), ALL);
    assert_eq!(bench.read("out/res/b.txt"), "0123456789abcdef".repeat(4));
    assert!(bench.read("out/manifest.xml").contains("resourcedump-manifest"));
}

#[cfg(unix)]
#[test]
fn files_are_plain_files() {
    use std::os::unix::fs::PermissionsExt;
    let bench = bench("modes", "plain");
    extract(&bench, &[]).ends(0);
    let mode = fs::metadata(bench.path("out/res/a.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7133, 0, "{mode:o}");
}

#[test]
fn nothing_is_replaced_unless_that_is_wanted() {
    let bench = bench("overwrite", "plain");
    bench.put("out/res/b.txt", "mine").put("out/other", "mine");
    let ran = extract(&bench, &[]).ends(2);
    assert!(
        ran.err.contains("these files already exist in out: res/b.txt (use --overwrite to replace them)"),
        "{ran:?}"
    );
    assert_eq!(tree(&bench.path("out")), ["other", "res", "res/b.txt"]);
    assert_eq!(bench.read("out/res/b.txt"), "mine");
    extract(&bench, &["--overwrite"]).ends(0);
    assert_eq!(bench.read("out/res/b.txt").len(), 64);
    assert_eq!(bench.read("out/other"), "mine");
    bench.put("folders/res/b.txt/x", "");
    let ran = bench.run(&["extract", "part1.zip", "folders", "--overwrite"]).ends(2);
    assert!(ran.err.contains("folders of the same name exist"), "{ran:?}");
    assert_eq!(tree(&bench.path("folders")), ["res", "res/b.txt", "res/b.txt/x"]);
}

#[test]
fn a_uri_chooses() {
    let bench = bench("uri", "patch");
    extract(&bench, &["--uri", "https://example.com/a"]).ends(0);
    assert_eq!(tree(&bench.path("out")), ["a.diff", "res", "res/a.txt"]);
    let ran = extract(&bench, &["--overwrite", "--uri", "https://example.com/c*", "--uri", "*"]).ends(2);
    assert!(ran.err.contains("matches `https://example.com/c*`"), "{ran:?}");
    extract(&bench, &["--uri", "*/b"]).ends(0);
    assert_eq!(tree(&bench.path("out")), ["a.diff", "res", "res/a.txt", "res/b.txt"]);
}

#[test]
fn a_dry_run_writes_nothing() {
    let bench = bench("dry", "plain");
    let ran = extract(&bench, &["--dry-run"]).ends(0);
    assert_eq!(ran.out, "manifest.xml\nres/a.txt\nres/b.txt\n");
    assert!(!bench.path("out").exists());
    bench.put("out/res/a.txt", "");
    extract(&bench, &["--dry-run"]).ends(2);
}

#[test]
fn of_a_package_that_is_not_valid_nothing_is_written() {
    for name in [
        "crc",
        "damaged",
        "wrong-digest",
        "wrong-length",
        "missing",
        "encrypted",
        "bzip2",
        "symlink",
        "device",
        "twice",
        "file-and-folder",
        "shared-data",
        "prefix",
        "two-archives",
        "cut",
        "no-manifest",
        "broken-manifest",
        "utf-8-unmarked",
        "name:../x",
        "name:/x",
        "name:..\\x",
        "name:C:x",
        "name:nul",
        "name:res/../../x",
        "name:a\u{0}b",
    ] {
        let bench = bench(name, name);
        let ran = extract(&bench, &[]).ends(1);
        assert!(ran.out.contains("INVALID") && ran.err.contains("nothing was written"), "{name}: {ran:?}");
        assert_eq!(tree(&bench.path("")), ["part1.zip"], "{name}");
    }
    let bench = bench("undetermined", "plain");
    let ran = extract(&bench, &["--limit", "package_bytes=100"]).ends(2);
    assert!(ran.err.contains("could not be checked to the end"), "{ran:?}");
    assert_eq!(tree(&bench.path("")), ["part1.zip"]);
}

#[test]
fn names_that_collide_elsewhere_are_not_written_side_by_side() {
    for name in ["case-collision", "form-collision"] {
        let bench = bench(name, name);
        let ran = extract(&bench, &[]).ends(2);
        assert!(ran.err.contains("collide on case-insensitive"), "{ran:?}");
        assert!(!bench.path("out").exists());
    }
    let bench = bench("collision-chosen", "case-collision");
    extract(&bench, &["--uri", "https://example.com/more"]).ends(0);
    assert_eq!(tree(&bench.path("out")), ["res", "res/A.txt"]);
}

#[test]
fn unicode_names_are_written_as_they_are() {
    let bench = bench("unicode", "utf-8");
    extract(&bench, &[]).ends(0);
    assert!(tree(&bench.path("out")).contains(&"res/論文 é.txt".to_owned()));
}

#[test]
fn what_the_manifest_does_not_list_is_left_out_and_named() {
    let bench = bench("unlisted", "unlisted");
    let ran = extract(&bench, &[]).ends(0);
    assert!(ran.err.contains("the manifest does not list them: Thumbs.db"), "{ran:?}");
    assert_eq!(tree(&bench.path("out")), ALL);
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    use std::os::unix::fs::symlink;
    let bench = bench("links", "plain");
    bench.put("outside/b.txt", "mine").put("out/x", "");
    symlink("../outside", bench.path("out/res")).unwrap();
    for args in [&[] as &[&str], &["--overwrite"]] {
        let ran = extract(&bench, args).ends(2);
        assert!(ran.err.contains("`res` is no folder that can be entered"), "{ran:?}");
    }
    assert_eq!(tree(&bench.path("out")), ["res", "x"]);
    fs::remove_file(bench.path("out/res")).unwrap();
    fs::create_dir(bench.path("out/res")).unwrap();
    symlink("../../outside/b.txt", bench.path("out/res/b.txt")).unwrap();
    extract(&bench, &[]).ends(2);
    extract(&bench, &["--overwrite"]).ends(0);
    assert_eq!((bench.read("out/res/b.txt").len(), bench.read("outside/b.txt").as_str()), (64, "mine"));
    assert_eq!(tree(&bench.path("outside")), ["b.txt"]);
}

#[test]
fn a_folder_that_cannot_be_is_said() {
    let bench = bench("no-folder", "plain");
    let ran = bench.put("file", "").run(&["extract", "part1.zip", "file"]).ends(2);
    assert!(ran.err.starts_with("error: file"), "{ran:?}");
    bench.run(&["extract", "part1.zip", "file/below"]).ends(2);
    bench.run(&["extract", "part1.zip"]).ends(2);
    bench.run(&["extract", "no.zip", "out"]).ends(2);
    assert!(!bench.path("out").exists());
}

#[test]
fn a_package_is_not_replaced_by_its_own_member() {
    let bench = Bench::new("extract-itself");
    let bytes = package("folders");
    bench.put("out/res/a.txt", &bytes);
    let ran = bench.run(&["extract", "out/res/a.txt", "out", "--overwrite"]).ends(2);
    assert!(ran.err.contains("`res/a.txt` would replace the package out/res/a.txt"), "{ran:?}");
    assert_eq!(fs::read(bench.path("out/res/a.txt")).unwrap(), bytes);
    assert_eq!(tree(&bench.path("out")), ["res", "res/a.txt"]);
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next_one() {
    let bench = bench("leftover", "folders");
    // Of a run that was killed, of one that is at work, and what only looks like either.
    bench.put("out/.resourcesync-1-0/0", "half").put("out/.resourcesync-1-0/lock", "");
    bench.put("out/.resourcesync-2-0/0", "half").put("out/.resourcesync-2-0/lock", "");
    bench.put("out/.resourcesync-3-0/mine.txt", "").put("out/.resourcesync-3-0/lock", "");
    bench.put("out/.resourcesync-notes/lock", "");
    let at_work = fs::File::open(bench.path("out/.resourcesync-2-0/lock")).unwrap();
    at_work.lock().unwrap();
    extract(&bench, &[]).ends(0);
    let left: Vec<_> = tree(&bench.path("out")).into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(
        left,
        [
            ".resourcesync-2-0",
            ".resourcesync-2-0/0",
            ".resourcesync-2-0/lock",
            ".resourcesync-3-0",
            ".resourcesync-3-0/mine.txt",
            ".resourcesync-notes",
            ".resourcesync-notes/lock",
        ]
    );
}

#[test]
fn what_a_killed_run_has_moved_is_completed_by_the_same_command() {
    let bench = bench("completed", "plain");
    extract(&bench, &[]).ends(0);
    fs::remove_file(bench.path("out/res/a.txt")).unwrap();
    assert_eq!(extract(&bench, &["--dry-run"]).ends(0).out, "res/a.txt\n");
    let ran = extract(&bench, &[]).ends(0);
    assert!(ran.out.ends_with(" written to out; 2 more had these bytes already\n"), "{ran:?}");
    assert_eq!(tree(&bench.path("out")), ["manifest.xml", "res", "res/a.txt", "res/b.txt"]);
    bench.put("out/res/b.txt", "other".repeat(20).get(..64).unwrap());
    assert!(extract(&bench, &[]).ends(2).err.contains("already exist in out: res/b.txt"));
}

#[test]
fn names_of_private_files_are_not_extracted() {
    let bench = bench("reserved", "reserved");
    let ran = extract(&bench, &["--overwrite"]).ends(2);
    assert!(ran.err.contains("reserved for files of this command: .Resourcesync-1-0/2"), "{ran:?}");
    assert!(!bench.path("out").exists());
    extract(&bench, &["--uri", "*/a"]).ends(0);
}

#[test]
fn a_member_that_expands_beyond_the_limits_is_not_unpacked() {
    let bench = bench("expanding", "expanding");
    let ran = extract(&bench, &[]).ends(2);
    let words = "nothing was written: `res/zeros`: unpacking it would exceed the limit inflate_ratio (200)";
    assert!(ran.err.contains(words) && ran.err.contains("--limit inflate_ratio=N") && ran.out.is_empty(), "{ran:?}");
    assert!(!bench.path("out").exists());
    extract(&bench, &["--dry-run"]).ends(2);
    // All members together count, and what is not chosen does not.
    extract(&bench, &["--uri", "https://example.com/a"]).ends(0);
    let total = "unpacked_bytes=2097152";
    let ran = extract(&bench, &["--overwrite", "--limit", "inflate_ratio=2000", "--limit", total]).ends(2);
    assert!(ran.err.contains("would exceed the limit unpacked_bytes (2097152)"), "{ran:?}");
    extract(&bench, &["--overwrite", "--limit", "inflate_ratio=2000"]).ends(0);
    assert_eq!(fs::metadata(bench.path("out/res/zeros")).unwrap().len(), 2 << 20);
}

#[test]
fn what_a_dump_lists_with_its_length_is_unpacked_up_to_that_length() {
    let bench = Bench::new("extract-zeros");
    fs::create_dir_all(bench.path("files")).unwrap();
    fs::File::create(bench.path("files/zeros")).unwrap().set_len(50_000_000).unwrap();
    bench.run(&["dump", "files", "--base-uri", "https://example.com/", "--out", "dump"]).ends(0);
    let package = "dump/resourcedump-1.zip";
    bench.run(&["validate", package]).ends(0);
    assert!(bench.run(&["list", package]).ends(0).out.contains("verified"));
    bench.run(&["extract", package, "out"]).ends(0);
    let files: Vec<_> =
        tree(&bench.path("out")).into_iter().filter(|name| bench.path("out").join(name).is_file()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    assert!(
        files.iter().any(|name| fs::metadata(bench.path("out").join(name)).unwrap().len() == 50_000_000),
        "{files:?}"
    );
}
