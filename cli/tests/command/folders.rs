//! What others have in a published folder and beside it, and what is missing there.

use std::{
    fs,
    time::{Duration, SystemTime},
};

use serde_json::json;

use crate::{
    bench::Bench,
    build::{BASE, build, flawless},
};

#[cfg(target_os = "linux")]
#[test]
fn what_is_mounted_below_a_published_folder_stops_a_run_and_stays() {
    let bench = Bench::new("folders-mounted");
    bench.put("files/a", "a").put("mine/precious", "x");
    build(&bench, "09:00:00", &[]).ends(0);
    bench.put("files/b", "b");
    let tool = bench.command(&[]).get_program().to_str().unwrap().to_owned();
    let run = format!("'{tool}' build files --out public {}", BASE.join(" "));
    bench.with_own_mounts(&format!(
        "mkdir public/mounted; mount --bind mine public/mounted; {run} 2>folder.err; echo $? >folder.status
        umount public/mounted; touch public/file; mount --bind mine/precious public/file; {run} 2>file.err; echo $? >file.status"
    ));
    for what in ["folder", "file"] {
        assert_eq!(bench.read(&format!("{what}.status")), "2\n");
        let said = bench.read(&format!("{what}.err"));
        assert!(said.contains("is mounted") && said.contains("unmount it"), "{said}");
    }
    assert_eq!(bench.read("mine/precious"), "x");
    assert!(!bench.read("public/resourcelist.xml").contains("files/b"));
    fs::remove_file(bench.path("public/file")).unwrap();
    build(&bench, "10:00:00", &[]).ends(0);
    assert!(bench.path("public/mounted").is_dir());
}

#[test]
fn a_rebuilt_state_has_the_files_that_the_source_links_to_and_no_others() {
    let bench = Bench::new("folders-rebuilt");
    bench.put("files/a", "a");
    let about = ["--describedby", "https://example.com/about.html"];
    let run = |time, more: &[&str]| build(&bench, time, &[&about[..], &["--dump"], more].concat()).ends(0);
    run("09:00:00", &[]);
    let others =
        ["about.html", "resourcedump-2024.zip", "changelist-2023.xml", "notifications/change-notification.xml"];
    for name in others {
        bench.put(&format!("public/{name}"), "mine");
    }
    run("09:30:00", &["--rebuild-state"]);
    bench.put("files/b", "b");
    run("10:00:00", &[]);
    for name in others {
        assert_eq!(bench.read(&format!("public/{name}")), "mine", "{name}");
    }
    bench.run(&["build", "--verify-state", "--out", "public"]).ends(0);
}

#[test]
fn a_rebuilt_state_knows_that_there_are_notification_channels_and_what_it_was_given() {
    let bench = Bench::new("folders-rebuilt-channels");
    bench.put("files/a", "a");
    let hub = ["--hub", "http://127.0.0.1:9/", "--notify", "later"];
    let rebuilt = |more: &[&str]| build(&bench, "09:30:00", &[&["--rebuild-state"], more].concat());
    build(&bench, "09:00:00", &[&hub[..], &["--hash", "md5"]].concat()).ends(0);
    assert!(rebuilt(&[]).ends(2).err.contains("--hub"));
    let other = rebuilt(&[&hub[..], &["--topics-uri", "https://topics.example/"]].concat()).ends(2).err;
    assert!(other.contains("https://example.com/notifications/changes.xml"), "{other}");
    rebuilt(&[&hub[..], &["--hash", "md5"]].concat()).ends(0);
    bench.put("files/b", "b");
    assert!(build(&bench, "10:00:00", &["--hash", "md5"]).ends(2).err.contains("--hub"));
    let event = "change,uri,path\nupsert,https://example.com/files/c,files/b\n";
    let at = ["--at", "2024-05-01T10:30:00Z"];
    bench
        .feed(
            &[&["build", "--changes", "-", "--out", "public", "--notify", "later"][..], &at].concat(),
            event.as_bytes(),
        )
        .ends(0);
    assert!(bench.read("public/changelist.xml").contains("md5:"));
    assert_eq!(bench.read("public/capabilitylist.xml").matches("-notification\"").count(), 2);
    build(&bench, "11:00:00", &[&hub[..], &["--hash", "md5", "--max-delete", "1"]].concat()).ends(0);
    flawless(&bench, "public");
}

#[test]
fn documents_that_are_missing_are_written_again() {
    let bench = Bench::new("folders-missing");
    bench.put("files/a", "a");
    build(&bench, "09:00:00", &[]).ends(0);
    let remove = || {
        for name in ["resourcelist.xml", "capabilitylist.xml"] {
            fs::remove_file(bench.path("public").join(name)).unwrap();
        }
    };
    remove();
    assert!(build(&bench, "10:00:00", &["--dry-run"]).ends(0).out.contains("would be written again"));
    build(&bench, "10:00:00", &[]).ends(0);
    flawless(&bench, "public");
    remove();
    let changes = ["build", "--changes", "-", "--out", "public", "--at", "2024-05-01T10:30:00Z"];
    let tried = bench.feed(&[&changes[..], &["--snapshot", "now", "--dry-run"]].concat(), b"").ends(0).out;
    assert!(tried.contains("would be written again"), "{tried}");
    bench.feed(&changes, b"").ends(0);
    flawless(&bench, "public");
    remove();
    let event = b"change,uri,length\nupsert,https://example.com/files/b,1\n";
    bench.feed(&["build", "--changes", "-", "--out", "public", "--at", "2024-05-01T11:00:00Z"], event).ends(0);
    flawless(&bench, "public");
    assert!(bench.read("public/resourcelist.xml").contains("files/b"));
}

#[cfg(unix)]
#[test]
fn links_to_the_documents_of_the_source_and_its_state_are_no_resources() {
    let bench = Bench::new("folders-links");
    bench.put("files/a", "a");
    let run = |time: &str| {
        let at = format!("2024-05-01T{time}:00:00Z");
        let args = ["build", "files", "--out", "files/public", "--follow-symlinks", "--at", &at];
        bench.run(
            &[&args[..], &["--base-uri", "https://example.com/", "--documents-uri", "https://example.com/public/"]]
                .concat(),
        )
    };
    run("09").ends(0);
    for (target, name) in
        [("public/changelist.xml", "latest"), ("public/.well-known", "own"), ("public.resourcesync/1", "state")]
    {
        std::os::unix::fs::symlink(target, bench.path("files").join(name)).unwrap();
    }
    bench.put("files/b", "b");
    run("10").ends(0);
    assert_eq!(bench.read("files/public/resourcelist.xml").matches("<url>").count(), 2);
}

#[test]
fn files_that_are_served_from_the_published_folder_are_resources() {
    let bench = Bench::new("folders-within");
    bench.put("files/a", "a");
    build(&bench, "09:00:00", &[]).ends(0);
    bench.put("public/files/a", "a").put("public/files/deep/b", "b");
    let args = ["build", "public/files", "--out", "public", "--at", "2024-05-01T10:00:00Z"];
    bench.run(&[&args[..], &BASE].concat()).ends(0);
    let list = bench.read("public/resourcelist.xml");
    assert!(list.contains("files/a<") && list.contains("files/deep/b<"), "{list}");
}

#[test]
fn a_closed_list_that_is_missing_is_no_reason_to_publish_and_none_to_call_a_state_rebuilt() {
    let bench = Bench::new("folders-closed");
    bench.put("files/a", "a");
    for (time, text) in [("09:00:00", "b"), ("10:00:00", "c"), ("11:00:00", "d")] {
        build(&bench, time, &["--rotate", "1"]).ends(0);
        bench.put("files/a", text);
    }
    build(&bench, "12:00:00", &["--rotate", "1"]).ends(0);
    fs::remove_file(bench.path("public/changelist-1.xml")).unwrap();
    assert!(build(&bench, "13:00:00", &["--rotate", "1"]).ends(0).out.contains("nothing has changed"));
    let said = build(&bench, "13:00:00", &["--rebuild-state"]).ends(2).err;
    assert!(said.contains("changelist-1.xml") && said.contains("is missing"), "{said}");
}

#[test]
fn other_algorithms_neither_hide_a_change_nor_make_one() {
    let bench = Bench::new("folders-other-hash");
    let written = |name: &str, text: &str, seconds: u64| {
        bench.put(&format!("files/{name}"), text);
        let file = fs::File::options().write(true).open(bench.path(&format!("files/{name}"))).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)).unwrap();
    };
    let run = |time, hash| build(&bench, time, &["--hash", hash, "--format", "json"]).ends(0).json()["changes"].clone();
    written("same", "same", 0);
    written("other", "before", 0);
    run("09:00:00", "sha-256");
    // As an archive is unpacked.
    written("other", "after!", 0);
    written("same", "same", 60);
    assert_eq!(run("10:00:00", "md5"), json!({"updated": 1}));
    let changes = bench.read("public/changelist.xml");
    assert!(changes.contains("files/other") && !changes.contains("files/same"), "{changes}");
    assert!(!bench.read("public/resourcelist.xml").contains("sha-256:"));
    written("same", "same", 120);
    assert_eq!(run("11:00:00", "sha-512,sha-256"), json!({}));
    flawless(&bench, "public");
}
