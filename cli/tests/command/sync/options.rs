//! Options of `sync` that only the command has, and `inventory`.

use std::{fs, process::Command};

use super::{small, start, sync, tree};

#[test]
fn an_inventory_checks_the_files_and_is_published_again_with_links_to_the_source() {
    let (bench, server) = small("sync-inventory");
    bench.put("served/files/a b, \"c\".txt", "quoted");
    super::publish(&bench, &server, "00:01:00");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    let sums = bench.run(&["inventory", "--format", "sha256sum", "copy"]).ends(0).out;
    bench.put("sums", sums);
    let check = |bench: &crate::bench::Bench| {
        Command::new("sha256sum").args(["--check", "--strict", "sums"]).current_dir(bench.path("")).output().unwrap()
    };
    let checked = check(&bench);
    assert!(checked.status.success(), "{checked:?}");
    assert_eq!(String::from_utf8_lossy(&checked.stdout).lines().count(), 31);

    for (option, format) in [("--from-jsonl", "jsonl"), ("--from-csv", "csv")] {
        let list =
            bench.run(&["inventory", "--format", format, "--base-uri", "https://mirror.example/", "copy"]).ends(0);
        bench.put("held", list.out);
        let public = format!("public-{format}");
        let args = ["build", option, "held", "--base-uri", "https://mirror.example/", "--out", &public];
        bench.run(&args).ends(0);
        let published = bench.read(&format!("{public}/resourcelist.xml"));
        assert_eq!(published.matches("<rs:ln rel=\"via\" href=\"http://127.0.0.1").count(), 31, "{published}");
        assert!(published.contains("a%20b%2C%20%22c%22.txt"), "{published}");
        bench.run(&["validate", "--follow", "--base-uri", "https://mirror.example/", &public]).ends(0);
    }
    let plain = bench.run(&["inventory", "copy"]).ends(0).out;
    assert!(plain.lines().count() == 31 && !plain.contains("via") && plain.contains(&server.url("/files/1.txt")));
    bench.run(&["inventory", "--no-via", "copy"]).ends(2);
    // Not even the first line of a table.
    assert_eq!(bench.run(&["inventory", "--format", "csv", "served"]).ends(2).out, "");

    let (name, _) = tree(&bench.path("copy")).into_iter().find(|(name, _)| name.ends_with("/1.txt")).unwrap();
    bench.put(&format!("copy/{name}"), "other");
    assert!(!check(&bench).status.success());
    bench.run(&["audit", "--offline", "copy"]).ends(1);
}

#[test]
fn folders_of_the_user_are_remembered() {
    let (bench, server) = small("sync-map");
    let map = |folder: &str| format!("{}={folder}", server.url("/files/"));
    sync(&bench, &["--place", &map("data"), &start(&server), "copy"]).ends(0);
    assert_eq!(fs::read_dir(bench.path("copy/data")).unwrap().count(), 30);
    sync(&bench, &["--full", "copy"]).ends(0);
    sync(&bench, &["--place", &map("other"), "copy"]).ends(2);
    sync(&bench, &["--place", &map("other"), "--relayout", "copy"]).ends(0);
    assert!(!bench.path("copy/data").exists());
    assert_eq!(fs::read_dir(bench.path("copy/other")).unwrap().count(), 30);
    for wrong in
        ["files/=data", "https://example.com/files=data", "https://example.com/=../data", "https://example.com/"]
    {
        sync(&bench, &["--place", wrong, "copy"]).ends(2);
    }
    sync(&bench, &["--place", &map("x"), "--place", "https://example.com/=x/y", "copy"]).ends(2);
}

#[test]
fn a_log_has_every_resource_of_every_run() {
    let (bench, server) = small("sync-log");
    sync(&bench, &["--log", "log", "--max-listed", "1", &start(&server), "copy"]).ends(0);
    assert_eq!(bench.read("log").lines().count(), 31);
    sync(&bench, &["--log", "log", "--format", "ndjson", "copy"]).ends(0);
    let lines: Vec<serde_json::Value> =
        bench.read("log").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 32);
    assert_eq!(lines[31]["report"]["run"]["number"], 2);
    sync(&bench, &["--log", "no/such/folder", "copy"]).ends(2);
}

#[test]
fn documents_are_recorded_and_replayed_and_resources_are_not() {
    let (bench, server) = small("sync-recorded");
    sync(&bench, &["--record", "documents", &start(&server), "copy"]).ends(0);
    let recording = bench.read("documents");
    assert!(recording.contains("resourcelist.xml") && !recording.contains("files/1.txt\""), "{recording}");
    let before = server.seen().len();
    let again = sync(&bench, &["--replay", "documents", "--dry-run", &start(&server), "again"]).ends(0).out;
    assert!(again.contains("created 30"), "{again}");
    assert_eq!(server.seen().len(), before);
    sync(&bench, &["--replay", "documents", &start(&server), "again"]).ends(0);
    assert_eq!(server.seen().len() - before, 30);
}

#[test]
fn a_second_run_ends_at_once_with_a_report() {
    let (bench, server) = small("sync-locked");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    let lock = fs::File::options().write(true).open(bench.path("copy/.resourcesync/lock")).unwrap();
    lock.lock().unwrap();
    let before = server.seen().len();
    let report = sync(&bench, &["--format", "json", "copy"]).ends(2).json();
    assert_eq!((&report["run"]["outcome"], &report["held"]["resources"]), (&"locked".into(), &30.into()));
    assert!(sync(&bench, &["copy"]).ends(2).out.contains("LOCKED"));
    assert!(sync(&bench, &["--wait", "1s", "copy"]).ends(2).out.contains("LOCKED"));
    assert_eq!(server.seen().len(), before);
    drop(lock);
    sync(&bench, &["--wait", "1s", "copy"]).ends(0);
}

#[test]
fn a_damaged_state_is_named_with_the_way_out_and_made_again() {
    let (bench, server) = small("sync-rebuild");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    bench.put("copy/.resourcesync/state.sqlite", "damaged ".repeat(1000));
    for targets in [vec!["copy"], vec![&*start(&server), "copy"]] {
        assert!(sync(&bench, &targets).ends(2).out.contains("sync --rebuild URI DIR"));
        for format in ["json", "ndjson"] {
            let ran = sync(&bench, &[&["--format", format][..], &targets].concat()).ends(2);
            let mut report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            if format == "ndjson" {
                report = report["report"].take();
            }
            assert_eq!(
                (&report["run"]["outcome"], &report["diagnostics"][0]["code"]),
                (&"failed".into(), &"SYN-11".into())
            );
        }
    }
    let report = bench.run(&["audit", "--offline", "--format", "json", "copy"]).ends(2).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["outcome"], &report["diagnostics"][0]["code"]), (&"undetermined".into(), &"SYN-11".into()));
    assert!(sync(&bench, &["--rebuild", "copy"]).ends(2).err.contains("sync --rebuild URI copy"));
    let text = sync(&bench, &["--rebuild", &start(&server), "copy"]).ends(0).out;
    assert!(text.contains("adopted 30") && text.contains("IN STEP"), "{text}");
    sync(&bench, &["copy"]).ends(0);
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_written_is_left_as_it_was() {
    use std::os::unix::fs::PermissionsExt;
    let (bench, server) = small("sync-read-only");
    // Nobody may create a file in a file, not even root.
    bench.put("copy", "a file");
    let ran = sync(&bench, &[&start(&server), "copy"]).ends(2);
    assert!(!ran.err.is_empty());
    assert_eq!((bench.read("copy").as_str(), server.seen().len()), ("a file", 0));
    sync(&bench, &[&start(&server), "other"]).ends(0);
    fs::set_permissions(bench.path("other"), fs::Permissions::from_mode(0o555)).unwrap();
    sync(&bench, &["--dry-run", "other"]).ends(0);
    fs::set_permissions(bench.path("other"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_wrong_uri_does_not_bind_a_folder_to_it() {
    let (bench, server) = small("sync-bound");
    for wrong in ["http://127.0.0.1:1/", &server.url("/nothing/here.xml")] {
        sync(&bench, &["--limit", "http_retries=0", wrong, "copy"]).ends(2);
        let unnamed = sync(&bench, &["copy"]).ends(2);
        assert!(unnamed.err.contains("is no copy of a Source yet; name its URI"), "{unnamed:?}");
    }
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    sync(&bench, &["copy"]).ends(0);
    let other = sync(&bench, &["http://127.0.0.1:1/", "copy"]).ends(2);
    assert!(other.err.contains(&start(&server)), "{other:?}");
}

#[test]
fn a_place_for_copies_is_checked_before_anything_is_requested() {
    let (bench, server) = small("sync-copies");
    for uri in ["ftp://a.example/b", "s3:bucket", "s3://", "s3://bucket/p?key=secret"] {
        let ran = sync(&bench, &["--copies", uri, &start(&server), "copy"]).ends(2);
        assert!(ran.err.contains("s3://BUCKET/PREFIX"), "{}", ran.err);
    }
    assert!(!bench.path("copy").exists());
}
