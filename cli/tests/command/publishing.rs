//! Publishing does not lose data: with incomplete, foreign or damaged input the published Source is unchanged.

use std::{
    fs,
    time::{Duration, UNIX_EPOCH},
};

use resourcesync::value::Datetime;

use crate::{
    bench::{Bench, Ran, codes},
    build::{build, flawless, tree},
};

/// A CSV inventory with this number of resources.
fn csv(resources: u64) -> String {
    let mut text = String::from("uri,md5,length\n");
    for number in 0..resources {
        text.push_str(&format!("https://example.com/{number},{number:032x},{number}\n"));
    }
    text
}

/// The same as JSON Lines.
fn jsonl(resources: u64) -> String {
    let line = |number| format!("{{\"uri\":\"https://example.com/{number}\",\"length\":{number}}}\n");
    (0..resources).map(line).collect()
}

/// Publishes an inventory that comes through a pipe.
fn pipe(bench: &Bench, how: &str, input: &str, more: &[&str]) -> Ran {
    let args = ["build", how, "-", "--base-uri", "https://example.com/", "--out", "public", "--quiet"];
    let args: Vec<&str> = args.into_iter().filter(|arg| how != "--stdin" || *arg != "-").collect();
    bench.feed(&[&args[..], more].concat(), input.as_bytes())
}

/// Runs a failing command, and asserts that the published Source is unchanged.
#[track_caller]
fn refused(bench: &Bench, status: i32, said: &str, run: impl FnOnce() -> Ran) {
    let before = tree(&bench.path("public"));
    let ran = run().ends(status);
    assert!(ran.err.contains(said), "{said}: {ran:?}");
    assert_eq!(tree(&bench.path("public")), before, "the Source changed: {ran:?}");
    flawless(bench, "public");
}

#[test]
fn an_empty_input_publishes_nothing() {
    let bench = Bench::new("publishing-empty");
    pipe(&bench, "--from-csv", &csv(30), &[]).ends(0);
    refused(&bench, 2, "there is no header", || pipe(&bench, "--from-csv", "", &[]));
    refused(&bench, 2, "the input is empty", || pipe(&bench, "--from-jsonl", "", &[]));
    refused(&bench, 2, "the input is empty", || pipe(&bench, "--stdin", "\n", &[]));
    refused(&bench, 1, "30 of 30 published resources would be deleted", || pipe(&bench, "--from-csv", &csv(0), &[]));
    refused(&bench, 1, "--max-delete", || pipe(&bench, "--stdin", "#end\n", &["--end-marker", "#end"]));
    refused(&bench, 2, "there is no header", || {
        bench.run(&["build", "--from-csv", "/dev/null", "--base-uri", "https://example.com/", "--out", "public"])
    });
    pipe(&bench, "--from-csv", &csv(0), &["--max-delete", "100%"]).ends(0);
    assert!(!bench.read("public/resourcelist.xml").contains("<url>"));
    flawless(&bench, "public");

    let folder = Bench::new("publishing-empty-folder");
    for number in 0..3 {
        folder.put(&format!("files/{number}"), "text");
    }
    build(&folder, "09:00:00", &[]).ends(0);
    fs::rename(folder.path("files"), folder.path("mounted")).unwrap();
    fs::create_dir(folder.path("files")).unwrap();
    refused(&folder, 1, "3 of 3 published resources would be deleted", || build(&folder, "10:00:00", &[]));
    // As of a file system that is not mounted.
    folder.put("files/README", "nothing is mounted here");
    refused(&folder, 1, "3 of 3 published resources would be deleted", || build(&folder, "10:00:00", &[]));
    refused(&folder, 1, "3 of 3 published resources would be deleted", || build(&folder, "10:00:00", &["--dry-run"]));
    fs::remove_file(folder.path("files/README")).unwrap();
    fs::remove_dir(folder.path("files")).unwrap();
    refused(&folder, 2, "could not be read", || build(&folder, "10:00:00", &[]));
}

#[test]
fn an_input_that_is_cut_off_publishes_nothing() {
    let bench = Bench::new("publishing-cut");
    pipe(&bench, "--from-csv", &csv(1000), &[]).ends(0);
    refused(&bench, 1, "101 of 1000 published resources would be deleted", || {
        pipe(&bench, "--from-csv", &csv(899), &[])
    });
    let text = csv(1000);
    let inside = text.get(..text.len() - 2).unwrap();
    refused(&bench, 2, "the last line has no line break", || pipe(&bench, "--from-csv", inside, &[]));
    let (marker, few) = (["--end-marker", "#end"], csv(995));
    refused(&bench, 2, "ends without the end marker `#end`", || pipe(&bench, "--from-csv", &few, &marker));
    refused(&bench, 2, "lines after the end marker", || {
        pipe(&bench, "--from-csv", &(csv(995) + "#end\nhttps://example.com/x,,1\n"), &marker)
    });
    refused(&bench, 1, "the input has 995 entries, not 1000", || {
        pipe(&bench, "--from-csv", &few, &["--expect-entries", "1000"])
    });
    refused(&bench, 1, "995 entries, less than 100%", || {
        pipe(&bench, "--from-csv", &few, &["--expect-entries", "100%"])
    });
    pipe(&bench, "--from-csv", &(csv(995) + "#end\n"), &["--end-marker", "#end", "--expect-entries", "99%"]).ends(0);
    assert_eq!(bench.read("public/changelist.xml").matches("change=\"deleted\"").count(), 5);

    let lines = Bench::new("publishing-cut-lines");
    pipe(&lines, "--from-jsonl", &(jsonl(50) + "#end\n"), &marker).ends(0);
    refused(&lines, 2, "ends without the end marker", || pipe(&lines, "--from-jsonl", &jsonl(49), &marker));
    refused(&lines, 1, "25 of 50 published resources would be deleted", || {
        pipe(&lines, "--from-jsonl", &jsonl(25), &[])
    });
    pipe(&lines, "--from-jsonl", &jsonl(25), &["--max-delete", "25"]).ends(0);
    flawless(&lines, "public");
}

#[cfg(unix)]
#[test]
fn files_of_others_in_the_published_folder_stay() {
    let bench = Bench::new("publishing-others");
    bench.put("files/1", "1");
    build(&bench, "09:00:00", &["--dump"]).ends(0);
    bench.put("public/index.html", "home").put("public/.well-known/acme-challenge/token", "token");
    fs::create_dir(bench.path("public/empty")).unwrap();
    std::os::unix::fs::symlink("index.html", bench.path("public/link.html")).unwrap();
    for (number, time) in [(2, "10:00:00"), (3, "11:00:00")] {
        bench.put(&format!("files/{number}"), "text");
        build(&bench, time, &["--dump"]).ends(0);
        assert_eq!(bench.read("public/link.html"), "home");
        assert_eq!(bench.read("public/.well-known/acme-challenge/token"), "token");
        assert!(bench.path("public/empty").is_dir());
        flawless(&bench, "public");
    }
    // Published files that are no longer needed are removed.
    build(&bench, "12:00:00", &["--no-dump"]).ends(0);
    assert!(!bench.path("public/changedump.xml").exists() && bench.path("public/index.html").is_file());

    bench.put("public/changelist-2.xml", "of others").put("files/4", "text");
    let ran = build(&bench, "13:00:00", &["--rotate", "1"]).ends(2);
    assert!(ran.err.contains("public/changelist-2.xml was not published here"), "{ran:?}");
    assert_eq!(bench.read("public/changelist-2.xml"), "of others");
    fs::remove_file(bench.path("public/changelist-2.xml")).unwrap();
    build(&bench, "14:00:00", &["--rotate", "1"]).ends(0);
    flawless(&bench, "public");
}

#[test]
fn a_state_that_was_damaged_is_not_used_and_can_be_rebuilt() {
    let bench = Bench::new("publishing-state");
    for number in 0..5 {
        bench.put(&format!("files/{number}"), format!("{number}"));
    }
    build(&bench, "09:00:00", &["--dump", "--rotate", "3"]).ends(0);
    for (hour, number) in [(10, 5), (11, 6), (12, 7), (13, 8)] {
        bench.put(&format!("files/{number}"), "new");
        build(&bench, &format!("{hour}:00:00"), &["--dump", "--rotate", "3"]).ends(0);
    }
    let check = ["build", "files", "--verify-state", "--out", "public", "--base-uri", "https://example.com/files/"];
    let ran = bench.run(&check).ends(0);
    assert!(ran.out.contains("9 resources, 1 change in"), "{ran:?}");
    let known = "public.resourcesync/5";
    let of = |name: &str| format!("{known}/{name}");
    let next = |time: &str| build(&bench, time, &["--dump", "--rotate", "3"]);
    type Damage = fn(&std::path::Path);
    let damages: [(&str, Damage, &str); 5] = [
        ("changes.jsonl", |path| fs::remove_file(path).unwrap(), "changes.jsonl is damaged"),
        ("inventory.jsonl", |path| fs::write(path, "").unwrap(), "inventory.jsonl is damaged: 0 lines of 9"),
        (
            "inventory.jsonl",
            |path| fs::write(path, fs::read_to_string(path).unwrap().replace("files/1", "files/x")).unwrap(),
            "its digest is not that of state.json",
        ),
        ("state.json", |path| fs::write(path, "{").unwrap(), "state.json is damaged"),
        ("state.json", |path| fs::remove_file(path).unwrap(), "has no state"),
    ];
    bench.put("files/9", "new");
    for (name, damage, said) in damages {
        let path = bench.path(&of(name));
        let good = fs::read(&path).unwrap();
        damage(&path);
        refused(&bench, 2, said, || next("14:00:00"));
        refused(&bench, 2, "--rebuild-state", || bench.run(&check));
        fs::write(&path, good).unwrap();
    }
    refused(&bench, 2, "is not there or empty", || {
        fs::rename(bench.path("public"), bench.path("lost")).unwrap();
        let ran = next("14:00:00");
        assert!(!bench.path("public").exists());
        fs::rename(bench.path("lost"), bench.path("public")).unwrap();
        ran
    });
    // A closed Change List that is kept is compared as well.
    let list = bench.read("public/changelist-1.xml");
    bench.put("public/changelist-1.xml", list.replace("files/5", "files/x"));
    let ran = next("14:00:00").ends(2);
    assert!(ran.err.contains("public/changelist-1.xml is damaged"), "{ran:?}");
    bench.put("public/changelist-1.xml", list);

    let state: serde_json::Value = serde_json::from_str(&bench.read(&of("state.json"))).unwrap();
    fs::remove_dir_all(bench.path(known)).unwrap();
    let rebuild = ["build", "files", "--rebuild-state", "--out", "public", "--base-uri", "https://example.com/files/"];
    bench.put("public/index.html", "home");
    refused(&bench, 2, "--dry-run", || bench.run(&[&rebuild[..], &["--dry-run"]].concat()));
    bench.run(&[&rebuild[..], &["--documents-uri", "https://example.com/"]].concat()).ends(0);
    let rebuilt: serde_json::Value = serde_json::from_str(&bench.read(&of("state.json"))).unwrap();
    assert_eq!(rebuilt["sets"], state["sets"]);
    assert_eq!(rebuilt["files"], state["files"]);
    bench.run(&check).ends(0);
    next("14:00:00").ends(0);
    flawless(&bench, "public");
    assert_eq!(bench.read("public/changelist-2.xml").matches("<url>").count(), 2, "8 and 9");
    assert_eq!(bench.read("public/index.html"), "home");
}

#[test]
fn the_resource_list_and_the_change_list_agree() {
    let bench = Bench::new("publishing-agree");
    bench.put("files/a", "a").put("files/b", "b");
    build(&bench, "09:00:00", &[]).ends(0);
    let old = bench.read("public/resourcelist.xml");
    let lastmod = |list: &str| {
        let entry = list.split("<url>").find(|entry| entry.contains("files/a</loc>")).unwrap().to_owned();
        entry.split("<lastmod>").nth(1).unwrap().split('<').next().unwrap().to_owned()
    };
    let touched = fs::File::options().write(true).open(bench.path("files/a")).unwrap();
    touched.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000)).unwrap();
    bench.put("files/b", "other");
    build(&bench, "10:00:00", &[]).ends(0);
    let changes = bench.read("public/changelist.xml");
    assert!(changes.contains("files/b</loc>") && !changes.contains("files/a</loc>"), "{changes}");
    assert_eq!(lastmod(&bench.read("public/resourcelist.xml")), lastmod(&old));
    flawless(&bench, "public");
}

#[cfg(unix)]
#[test]
fn other_content_of_the_same_length_and_time_is_an_update() {
    let bench = Bench::new("publishing-stale");
    bench.put("files/a", "one").put("files/b", "one").put("other", "two");
    let past = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let touch = |name: &str| {
        fs::File::options().write(true).open(bench.path(name)).unwrap().set_modified(past).unwrap();
    };
    ["files/a", "files/b", "other"].into_iter().for_each(touch);
    // Later than the changes of the files' attributes, so that they count as settled.
    let at = |args: &[&str]| {
        let base = ["--base-uri", "https://example.com/", "--out", "public", "--quiet"];
        bench.run(&[&["build", "files"], &base[..], args].concat()).ends(0);
    };
    at(&["--at", "2037-01-01T00:00:00Z"]);
    bench.put("files/a", "two");
    touch("files/a");
    fs::rename(bench.path("other"), bench.path("files/b")).unwrap();
    at(&["--at", "2037-01-02T00:00:00Z"]);
    let changes = bench.read("public/changelist.xml");
    assert_eq!(changes.matches("change=\"updated\"").count(), 2, "{changes}");
    let digest = "sha-256:3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";
    assert_eq!(bench.read("public/resourcelist.xml").matches(digest).count(), 2);
}

#[test]
fn a_set_that_was_dropped_is_rejected() {
    let bench = Bench::new("publishing-sets");
    bench.put("files/a/1", "1").put("files/b/2", "2");
    let both = ["--set", "a=a/", "--set", "b=b/"];
    build(&bench, "09:00:00", &both).ends(0);
    refused(&bench, 2, "--set a is missing", || build(&bench, "10:00:00", &[]));
    refused(&bench, 2, "--set b is missing", || build(&bench, "10:00:00", &both[..2]));
    build(&bench, "10:00:00", &[&both[..], &["--set", "c=c/"]].concat()).ends(0);
    flawless(&bench, "public");

    let plain = Bench::new("publishing-sets-plain");
    plain.put("files/a/1", "1");
    build(&plain, "09:00:00", &[]).ends(0);
    refused(&plain, 2, "published without sets", || build(&plain, "10:00:00", &["--set", "a=a/"]));

    // The sets of an inventory are in its rows.
    for (first, second, words) in [
        ("uri,set\nhttps://example.com/1,a\n", "uri\nhttps://example.com/1\n", "no resource is in a set"),
        ("uri\nhttps://example.com/1\n", "uri,set\nhttps://example.com/1,a\n", "every resource is in a set"),
    ] {
        let listed = Bench::new("publishing-sets-listed");
        let from = |csv: &str, time: &str| {
            listed.put("all.csv", csv);
            let at = format!("2024-05-01T{time}Z");
            let args = ["build", "--from-csv", "all.csv", "--base-uri", "https://example.com/", "--out", "public"];
            listed.run(&[&args[..], &["--at", &at, "--max-delete", "100%"]].concat())
        };
        from(first, "09:00:00").ends(0);
        refused(&listed, 2, words, || from(second, "10:00:00"));
        from("uri,set\nhttps://example.com/1,a\nhttps://example.com/2,b\n", "11:00:00")
            .ends(if words.starts_with('n') { 0 } else { 2 });
    }
}

#[test]
fn runs_in_one_second_publish_no_time_of_the_future() {
    let bench = Bench::new("publishing-fast");
    for number in 0..3 {
        bench.put(&format!("files/{number}"), "text");
        let base = ["--base-uri", "https://example.com/", "--out", "public"];
        let ran = bench.run(&[&["build", "files"], &base[..]].concat()).ends(0);
        assert_eq!(ran.err, "");
        let state: serde_json::Value =
            serde_json::from_str(&bench.read(&format!("public.resourcesync/{}/state.json", number + 1))).unwrap();
        let at: resourcesync::value::Datetime = state["at"].as_str().unwrap().parse().unwrap();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        assert!(at.to_unix().0 <= now.try_into().unwrap(), "{at} is in the future");
    }
    flawless(&bench, "public");
}

#[test]
fn what_an_empty_first_generation_lacks_is_created_in_the_next() {
    let bench = Bench::new("publishing-first");
    fs::create_dir(bench.path("files")).unwrap();
    build(&bench, "09:00:00", &[]).ends(0);
    bench.put("files/1", "1").put("files/2", "2");
    build(&bench, "10:00:00", &[]).ends(0);
    assert_eq!(bench.read("public/changelist.xml").matches("change=\"created\"").count(), 2);
    flawless(&bench, "public");
}

#[test]
fn packages_stay_as_long_as_the_change_lists_of_their_changes() {
    let bench = Bench::new("publishing-keep");
    bench.put("files/0", "0");
    for (hour, number) in [(10, 1), (11, 2), (12, 3), (13, 4), (14, 5)] {
        bench.put(&format!("files/{number}"), "new");
        build(&bench, &format!("{hour}:00:00"), &["--dump", "--rotate", "1", "--keep", "2"]).ends(0);
        flawless(&bench, "public");
    }
    let files = tree(&bench.path("public"));
    let of = |start: &str| files.keys().filter(|name| name.starts_with(start)).cloned().collect::<Vec<_>>();
    assert_eq!(of("changelist-"), ["changelist-3.xml", "changelist-4.xml", "changelist-5.xml"]);
    let packages: Vec<String> = of("changedump-").into_iter().filter(|name| name.ends_with(".zip")).collect();
    assert_eq!(packages, ["changedump-3.zip", "changedump-4.zip"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_skipped_on_request_and_never_deleted() {
    let bench = Bench::new("publishing-unreadable");
    let csv = |rows: &[&str]| {
        let rows: String = rows.iter().map(|name| format!("https://example.com/{name},{name}\n")).collect();
        bench.put("items.csv", format!("uri,path\n{rows}"));
    };
    let run = |time: &str, more: &[&str]| {
        let at = format!("2024-05-01T{time}Z");
        let args =
            ["build", "--from-csv", "items.csv", "--base-uri", "https://example.com/", "--out", "public", "--at", &at];
        bench.run(&[&args[..], more].concat())
    };
    bench.put("a", "a").put("b", "b");
    csv(&["a", "b"]);
    run("09:00:00", &[]).ends(0);
    fs::remove_file(bench.path("a")).unwrap();
    bench.put("b", "other");
    csv(&["a", "b", "c"]);
    refused(&bench, 2, "resources that could not be read: 2", || run("10:00:00", &[]));
    let ran = run("10:00:00", &["--skip-unreadable"]).ends(2);
    assert!(ran.err.contains("skipped items.csv:2: a: ") && ran.err.contains("skipped items.csv:4: c: "), "{ran:?}");
    let list = bench.read("public/resourcelist.xml");
    assert!(list.contains(".com/a</loc>") && !list.contains(".com/c</loc>"), "{list}");
    let changes = bench.read("public/changelist.xml");
    assert_eq!(changes.matches("<url>").count(), 1, "{changes}");
    // What was not read may have changed.
    let ran = run("11:00:00", &["--skip-unreadable"]).ends(2);
    assert!(ran.out.contains("what could be read has not changed"), "{ran:?}");
    run("11:00:00", &["--skip-unreadable", "--dry-run"]).ends(2);
    assert_eq!(run("11:00:00", &["--skip-unreadable", "--format", "json"]).ends(2).json()["skipped"], 2);
    flawless(&bench, "public");
}

#[test]
fn the_only_change_list_has_no_index() {
    let bench = Bench::new("publishing-one-list");
    bench.put("files/1", "1");
    let run = |at: &str, more: &[&str]| {
        let base =
            ["build", "files", "--base-uri", "https://example.com/files/", "--documents-uri", "https://example.com/"];
        let at = format!("2024-05-01T{at}:00:00Z");
        bench.run(&[&base[..], &["--out", "public", "--at", &at], more].concat()).ends(0)
    };
    run("09", &[]);
    bench.put("files/2", "2");
    run("10", &[]);
    let list = bench.read("public/changelist.xml");
    assert!(list.contains("capability=\"changelist\" from=\"2024-05-01T09:00:00Z\""), "{list}");
    assert!(
        list.contains("<urlset") && list.contains("change=\"created\"") && !list.contains("rel=\"index\""),
        "{list}"
    );
    assert!(!bench.path("public/changelist-1.xml").exists());
    let flawless = || {
        let ran = bench.run(&[
            "validate",
            "--fail-on",
            "warning",
            "--follow",
            "--base-uri",
            "https://example.com/",
            "public",
        ]);
        ran.ends(0);
    };
    flawless();
    // The state can be rebuilt from it.
    let state = bench.read("public.resourcesync/2/state.json");
    run("10", &["--rebuild-state"]);
    let change_lists =
        |state: &str| serde_json::from_str::<serde_json::Value>(state).unwrap()["sets"][""]["changes"].clone();
    let rebuilt = fs::read_dir(bench.path("public.resourcesync")).unwrap().flatten().map(|entry| entry.path());
    let rebuilt = rebuilt.map(|path| path.join("state.json")).find(|path| path.is_file()).unwrap();
    assert_eq!(change_lists(&fs::read_to_string(rebuilt).unwrap()), change_lists(&state));
    bench.put("files/3", "3");
    run("11", &["--rotate", "1"]);
    assert!(bench.read("public/changelist.xml").contains("<sitemapindex"));
    assert_eq!(bench.read("public/changelist-1.xml").matches("<url>").count(), 2);
    assert!(bench.path("public/changelist-2.xml").exists());
    flawless();
}

#[test]
fn what_is_no_error_is_published_and_reported() {
    let bench = Bench::new("publishing-infos");
    let lines: String = (0..7).map(|number| format!("https://example.com/{number},application/x-unknown\n")).collect();
    bench.put("items.csv", format!("uri,type\n{lines}"));
    let build = ["build", "--from-csv", "items.csv", "--base-uri", "https://example.com/", "--out", "public"];
    let ran = bench.run(&[&build[..], &["--fail-on", "info"]].concat()).ends(1);
    assert!(ran.err.contains("AT-13") && ran.err.contains("nothing was published"), "{ran:?}");
    let ran = bench.run(&build).ends(0);
    assert_eq!(ran.err.matches("[AT-13]").count(), 5, "{ran:?}");
    assert!(ran.err.contains("(entry 1 `https://example.com/0`)") && ran.err.contains("2 more AT-13"), "{ran:?}");
    assert_eq!(bench.read("public/resourcelist.xml").matches("application/x-unknown").count(), 7);
    let json = bench.run(&[&build[..], &["--force", "--format", "json"]].concat()).ends(0).json();
    assert_eq!((json["diagnostics"].as_array().unwrap().len(), &json["findings"]["AT-13"]), (7, &7.into()));
    let hidden = bench.run(&[&build[..], &["--force", "--ignore", "AT-13", "--fail-on", "info"]].concat()).ends(0);
    assert!(!hidden.err.contains("AT-13"), "{hidden:?}");

    bench.put("old.csv", "uri,type\n");
    let times = ["--up", "https://example.com/c", "--since", "2024-05-01T00:00:00Z", "--at", "2024-05-02T00:00:00Z"];
    let diff = [&["diff", "old.csv", "items.csv"], &times[..]].concat();
    let ran = bench.run(&diff).ends(0);
    assert!(ran.err.contains("[AT-13]") && ran.out.contains("application/x-unknown"), "{ran:?}");
    bench.run(&[&diff[..], &["--fail-on", "info"]].concat()).ends(1);
}

#[test]
fn packages_vanish_only_on_request() {
    let bench = Bench::new("publishing-no-dump");
    bench.put("files/1", "1").put("files/2", "2");
    build(&bench, "09:00:00", &["--dump"]).ends(0);
    bench.put("files/2", "two");
    refused(&bench, 2, "--dump is missing, but --out was published with packages", || build(&bench, "10:00:00", &[]));
    let ran = build(&bench, "10:00:00", &["--lang", "ja"]).ends(2);
    assert!(ran.err.contains("--dump がありません") && ran.err.contains("--no-dump"), "{ran:?}");
    build(&bench, "10:00:00", &["--dump"]).ends(0);
    assert!(build(&bench, "11:00:00", &["--dump", "--no-dump"]).ends(2).err.contains("cannot be used with"));

    let ran = build(&bench, "11:00:00", &["--no-dump", "--format", "json"]).ends(0).json();
    let names = ["changedump-1-manifest.xml", "changedump-1.zip", "changedump.xml"];
    let more = ["resourcedump-1-manifest.xml", "resourcedump-1.zip", "resourcedump.xml"];
    assert_eq!(ran["withdrawn"], serde_json::json!([names, more].concat()));
    assert!(
        !bench.read("public/capabilitylist.xml").contains("dump") && !bench.path("public/resourcedump.xml").exists()
    );
    flawless(&bench, "public");
    build(&bench, "12:00:00", &[]).ends(0);
    // Then they can begin again, although files change in the same run.
    bench.put("files/1", "one");
    build(&bench, "13:00:00", &["--dump"]).ends(0);
    flawless(&bench, "public");
    let ran = build(&bench, "14:00:00", &["--no-dump"]).ends(0);
    assert!(ran.out.contains("withdrawn: changedump.xml, resourcedump-1-manifest.xml"), "{ran:?}");
}

#[test]
fn a_channel_to_which_nothing_was_sent_yet_is_no_damaged_document() {
    let bench = Bench::new("publishing-empty-channel");
    bench.put("files/1", "1");
    build(&bench, "09:00:00", &["--hub", "https://hub.example/", "--notify", "later"]).ends(0);
    assert_eq!(bench.read("public/notifications/changes.xml"), "");
    let report = flawless(&bench, "public").json();
    let skipped: Vec<&str> =
        report["skipped"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(skipped, ["public/notifications/changes.xml", "public/notifications/framework.xml"], "{report}");
    bench.put("public/notifications/changes.xml", "?").put("public/resourcelist.xml", "");
    let ran = bench.run(&["validate", "--format", "json", "public"]).ends(1).json();
    assert_eq!((codes(&ran), &ran["summary"]["errors"]), (vec!["GEN-01".to_owned()], &2.into()), "{ran}");
}

#[test]
fn notification_channels_vanish_only_on_request() {
    let bench = Bench::new("publishing-no-hub");
    bench.put("files/1", "1");
    let hub = ["--hub", "https://hub.example/", "--notify", "later"];
    build(&bench, "09:00:00", &hub).ends(0);
    let before = tree(&bench.path("public"));
    let ran = build(&bench, "10:00:00", &[]).ends(2);
    assert!(ran.err.contains("--hub is missing, but --out was published with notification channels"), "{ran:?}");
    let elsewhere = [&hub[..], &["--topics-uri", "https://topics.example/"]].concat();
    let ran = build(&bench, "10:00:00", &elsewhere).ends(2);
    assert!(ran.err.contains("the topics are below https://topics.example/"), "{ran:?}");
    assert_eq!(tree(&bench.path("public")), before);
    // Another hub does not take the topics from their subscribers.
    let other = ["--hub", "https://hub.example/", "--hub", "https://other.example/", "--notify", "later"];
    build(&bench, "10:00:00", &other).ends(0);
    let ran = build(&bench, "11:00:00", &["--no-hub"]).ends(0);
    assert!(ran.out.contains("withdrawn: notifications/changes.xml, notifications/framework.xml"), "{ran:?}");
    assert!(!bench.read("public/capabilitylist.xml").contains("notification"));
    build(&bench, "12:00:00", &elsewhere).ends(0);
}

#[test]
fn a_resource_dump_is_written_whatever_changed_and_the_change_dump_continues() {
    let bench = Bench::new("publishing-new-dump");
    // Modification times are before those of the runs, so that changes are dated by them.
    let put = |name: &str, text: &str, time: &str| {
        bench.put(&format!("files/{name}"), text);
        let moment: Datetime = format!("2024-05-01T{time}Z").parse().unwrap();
        let modified = UNIX_EPOCH + Duration::from_secs(moment.to_unix().0.try_into().unwrap());
        fs::File::options()
            .write(true)
            .open(bench.path(&format!("files/{name}")))
            .unwrap()
            .set_modified(modified)
            .unwrap();
    };
    put("1", "1", "08:00:00");
    put("2", "2", "08:00:00");
    build(&bench, "09:00:00", &[]).ends(0);
    // The first packages of a Source that had none.
    put("1", "one", "09:30:00");
    build(&bench, "10:00:00", &["--dump"]).ends(0);
    flawless(&bench, "public");
    assert!(!bench.path("public/changedump-1.zip").exists(), "the Resource Dump has the change");
    put("2", "two", "10:30:00");
    build(&bench, "11:00:00", &["--dump"]).ends(0);
    assert!(bench.path("public/changedump-1.zip").exists());
    // A new Resource Dump in a run that finds changes.
    put("1", "uno", "11:30:00");
    for (time, package) in [("12:00:00", 2), ("13:00:00", 3)] {
        put("3", time, if time == "12:00:00" { "11:30:00" } else { "12:30:00" });
        build(&bench, time, &["--dump", "--new-dump"]).ends(0);
        flawless(&bench, "public");
        // Who follows the Change Dump misses nothing.
        assert!(bench.path(&format!("public/changedump-{package}.zip")).exists());
    }
    let dump = bench.read("public/changedump.xml");
    let intervals: Vec<_> = dump.split("from=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let hours = intervals.iter().map(|from| from.get(11..13).unwrap()).collect::<Vec<_>>();
    assert_eq!(hours, ["10", "10", "11", "12"], "{dump}");
    build(&bench, "14:00:00", &["--dump", "--new-dump"]).ends(0);
    flawless(&bench, "public");
}

#[test]
fn the_state_of_another_source_below_the_folder_is_not_published() {
    let bench = Bench::new("publishing-others-state");
    bench.put("files/1", "1").put("files/notes.resourcesync/mine", "mine");
    let other = ["build", "files", "--base-uri", "https://example.com/o/", "--out", "files/other", "--include", "1"];
    bench.run(&other).ends(0);
    assert!(bench.path("files/other.resourcesync/1/inventory.jsonl").exists());
    bench.put("files/copy/.resourcesync/state.sqlite", "state");
    let ran = build(&bench, "09:00:00", &["--hidden", "--exclude", "other/**"]).ends(0);
    let list = bench.read("public/resourcelist.xml");
    assert!(!list.contains("other.resourcesync") && !list.contains("sqlite"), "{list}");
    assert!(list.contains("notes.resourcesync/mine"), "a name alone is not enough: {list}");
    assert!(ran.err.contains("excluded 2 paths: state folder of a Source or a copy"), "{ran:?}");
}
