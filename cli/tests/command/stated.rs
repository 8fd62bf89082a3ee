//! `build --changes`: changes that a program states, published alone.

use std::{
    fs,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    bench::{Bench, Ran, codes},
    build::{flawless, tree},
};

const INVENTORY: &str = "uri,length\nhttps://example.com/a,1\nhttps://example.com/b,2\nhttps://example.com/c,3\n";

/// A Source with the resources a, b and c, published at noon.
fn published(name: &str, more: &[&str]) -> Bench {
    let bench = Bench::new(name);
    let args = ["build", "--from-csv", "-", "--base-uri", "https://example.com/", "--out", "public"];
    bench.feed(&[&args[..], &["--at", "2024-05-01T12:00:00Z"], more].concat(), INVENTORY.as_bytes()).ends(0);
    bench
}

/// Publishes events at a time of that day.
fn state(bench: &Bench, time: &str, events: &str, more: &[&str]) -> Ran {
    let at = format!("2024-05-01T{time}Z");
    bench.feed(&[&["build", "--changes", "-", "--out", "public", "--at", &at][..], more].concat(), events.as_bytes())
}

fn report(bench: &Bench, time: &str, events: &str, more: &[&str]) -> Value {
    state(bench, time, events, &[more, &["--format", "json"]].concat()).ends(0).json()
}

/// The changes of a list: verb, name and time of day.
fn changes(list: &str) -> Vec<String> {
    let between = |text: &str, before: &str, after: char| {
        text.split(before).nth(1).and_then(|rest| rest.split(after).next()).unwrap_or_default().to_owned()
    };
    let change = |entry: &str| {
        let (verb, uri) = (between(entry, "change=\"", '"'), between(entry, "<loc>https://example.com/", '<'));
        format!("{verb} {uri} {}", between(entry, "datetime=\"2024-05-01T", '"'))
    };
    list.split("<url>").skip(1).map(change).collect()
}

#[test]
fn stated_changes_are_published_in_the_open_change_list_and_nothing_else_is_written() {
    let bench = published("stated-changes", &[]);
    let before = tree(&bench.path("public"));
    let events = "change,uri,length,datetime\nupdated,https://example.com/a,9,2024-05-01T12:30:00.25Z\n\
                  upsert,https://example.com/d,4,\ndeleted,https://example.com/b,,2024-05-01 12:10:00+00\n";
    let ran = report(&bench, "13:00:00", events, &[]);
    assert_eq!(ran["changes"], json!({"created": 1, "deleted": 1, "updated": 1}));
    assert_eq!((&ran["written"], &ran["resources"]), (&json!(["changelist.xml"]), &json!(3)));
    let expected = ["deleted b 12:10:00Z", "updated a 12:30:00.250Z", "created d 13:00:00Z"];
    assert_eq!(changes(&bench.read("public/changelist.xml")), expected);
    let after = tree(&bench.path("public"));
    let differing: Vec<_> = after.iter().filter(|(name, bytes)| before.get(*name) != Some(bytes)).collect();
    assert_eq!(differing.len(), 1);
    flawless(&bench, "public");
    // With the mark that some programs put before UTF-8.
    let json = "\u{feff}{\"change\":\"deleted\",\"uri\":\"https://example.com/d\"}\n";
    state(&bench, "13:00:01", json, &[]).ends(0);
    assert_eq!(changes(&bench.read("public/changelist.xml")).len(), 4);
    let verified = bench.run(&["build", "--out", "public", "--verify-state"]).ends(0);
    assert!(verified.out.contains("2 resources, 4 changes"), "{verified:?}");
    let left: Vec<_> = fs::read_dir(bench.path("public.resourcesync/1")).unwrap().collect();
    assert_eq!(left.len(), 5, "nothing is staged: {left:?}");
}

#[test]
fn an_event_states_what_holds_and_what_holds_already_is_counted() {
    let bench = published("stated-nothing", &[]);
    let events = "change,uri,length,lastmod\ncreated,https://example.com/a,1,\n\
                  deleted,https://example.com/x,,\nupdated,https://example.com/y,7,\n";
    let ran = report(&bench, "13:00:00", events, &[]);
    assert_eq!(ran["events"], json!({"total": 3, "unchanged": 2, "clamped": 0}));
    assert_eq!(changes(&bench.read("public/changelist.xml")), ["created y 13:00:00Z"]);
    let again = report(&bench, "14:00:00", events, &[]);
    assert_eq!((&again["result"], &again["events"]["unchanged"]), (&json!("unchanged"), &json!(3)));
    for (events, words) in [
        ("change,uri\ncreated,https://example.com/a\n", "line 2: https://example.com/a is published already"),
        ("change,uri\ndeleted,https://example.com/x\n", "line 2: https://example.com/x is not published"),
    ] {
        let before = (tree(&bench.path("public")), tree(&bench.path("public.resourcesync")));
        let refused = state(&bench, "15:00:00", events, &["--strict-events"]).ends(1);
        assert!(refused.err.contains(words), "{refused:?}");
        assert_eq!((tree(&bench.path("public")), tree(&bench.path("public.resourcesync"))), before);
    }
}

#[test]
fn a_time_before_the_last_publication_or_in_the_future_is_replaced() {
    let bench = published("stated-times", &[]);
    let events = "change,uri,datetime\ndeleted,https://example.com/a,2024-01-01T00:00:00Z\n\
                  deleted,https://example.com/b,2025-01-01T00:00:00Z\n";
    let ran = report(&bench, "13:00:00", events, &[]);
    assert_eq!(ran["events"]["clamped"], 2);
    let expected = ["deleted a 12:00:00.001Z", "deleted b 13:00:00Z"];
    assert_eq!(changes(&bench.read("public/changelist.xml")), expected);
    let late = state(&bench, "13:00:00", "change,uri\ndeleted,https://example.com/c\n", &[]).ends(2);
    assert!(late.err.contains("--at must be later"), "{late:?}");
}

#[test]
fn the_first_publication_may_consist_of_events_and_later_runs_need_only_the_folder() {
    let bench = Bench::new("stated-first");
    let event = "{\"change\":\"created\",\"uri\":\"https://example.com/a\",\"length\":1}\n";
    let missing = state(&bench, "11:00:00", event, &[]).ends(2);
    assert!(missing.err.contains("--base-uri is required"), "{missing:?}");
    assert!(!bench.path("public").exists() && !bench.path("public.resourcesync").exists());
    let base = ["--base-uri", "https://example.com/", "--hash", "md5", "--describedby", "https://example.com/us"];
    state(&bench, "12:00:00", event, &base).ends(0);
    flawless(&bench, "public");
    state(&bench, "13:00:00", "change,uri,length\ncreated,https://example.com/b,1\n", &[]).ends(0);
    assert!(bench.read("public/capabilitylist.xml").contains("https://example.com/us"));
    assert!(!bench.read("public/resourcelist.xml").contains("https://example.com/b"));
    let snapshot = ["build", "--snapshot", "now", "--out", "public", "--at", "2024-05-01T14:00:00Z"];
    bench.run(&snapshot).ends(0);
    let list = bench.read("public/resourcelist.xml");
    assert!(list.contains("https://example.com/b") && list.contains("at=\"2024-05-01T13:00:00Z\""), "{list}");
    assert!(bench.read("public/capabilitylist.xml").contains("https://example.com/us"));
    flawless(&bench, "public");
    let again = bench.run(&snapshot).ends(0);
    assert!(again.out.contains("nothing has changed"), "{again:?}");
}

#[test]
fn no_event_is_no_error_but_input_that_ends_too_early_is() {
    let bench = published("stated-empty", &[]);
    for (events, more) in [("", &[][..]), ("change,uri\n", &[]), ("#end\n", &["--end-marker", "#end"])] {
        assert!(state(&bench, "13:00:00", events, more).ends(0).out.contains("nothing has changed"));
    }
    for (events, more, words) in [
        ("change,uri\ndeleted,https://example.com/a", &[][..], "no line break"),
        ("change,uri\ndeleted,https://example.com/a\n", &["--end-marker", "#end"], "without the end marker"),
        ("uri\nhttps://example.com/a\n", &[], "1: column `change` is missing"),
        ("change,uri\nmoved,https://example.com/a\n", &[], "2: change `moved` is not one of"),
        ("change,uri\nupsert,https://example.com/changelist.xml\n", &[], "has the URI of a document"),
    ] {
        let refused = state(&bench, "13:00:00", events, more).ends(2);
        assert!(refused.err.contains(words), "{words}: {refused:?}");
    }
    let listed = bench.feed(
        &["build", "--stdin", "--base-uri", "https://example.com/", "--out", "public"],
        b"{\"change\":\"deleted\",\"uri\":\"https://example.com/a\"}\n",
    );
    assert!(listed.ends(2).err.contains("for --changes"));
}

#[test]
fn the_resource_list_is_written_before_the_change_list_is_closed_or_when_asked_for() {
    let bench = published("stated-snapshots", &[]);
    let event = |name: &str| format!("change,uri,length\nupsert,https://example.com/{name},7\n");
    let lists = |bench: &Bench| bench.read("public/resourcelist.xml").matches("<url>").count();
    state(&bench, "13:00:00", &event("d"), &["--rotate", "3"]).ends(0);
    assert_eq!(lists(&bench), 3);
    state(&bench, "13:00:01", &event("e"), &["--rotate", "3"]).ends(0);
    assert_eq!(lists(&bench), 3);
    state(&bench, "13:00:02", &event("f"), &["--rotate", "3"]).ends(0);
    assert_eq!(lists(&bench), 6, "the third change closes the list");
    for (second, name) in ["g", "h", "i", "j", "k", "l", "m"].iter().enumerate() {
        let time = format!("14:00:0{second}");
        state(&bench, &time, &event(name), &["--rotate", "2", "--snapshot", "never"]).ends(0);
        flawless(&bench, "public");
    }
    assert_eq!(lists(&bench), 6);
    let index = bench.read("public/changelist.xml");
    assert_eq!(index.matches("<sitemap>").count(), 5, "{index}");
    bench.run(&["build", "--out", "public", "--verify-state"]).ends(0);
    state(&bench, "15:00:00", &event("n"), &["--snapshot", "8 changes"]).ends(0);
    assert_eq!(lists(&bench), 14);
    flawless(&bench, "public");
    let names = || {
        let files = tree(&bench.path("public")).into_keys();
        files.filter(|name| name.starts_with("changelist-")).collect::<Vec<String>>()
    };
    let listed = || bench.read("public/changelist.xml").matches("<sitemap>").count();
    assert_eq!((names().len(), listed()), (8, 5), "readers of an earlier index find its open list: {:?}", names());
    state(&bench, "16:00:00", &event("o"), &["--snapshot", "now"]).ends(0);
    assert_eq!(
        names().len(),
        listed(),
        "a list that is not listed any more is removed by the generation after: {:?}",
        names()
    );
}

#[test]
fn a_full_inventory_repairs_what_events_missed_and_lists_everything() {
    let bench = published("stated-inventory", &[]);
    state(&bench, "13:00:00", "change,uri,length\nupsert,https://example.com/d,4\n", &[]).ends(0);
    let args = ["build", "--from-csv", "-", "--base-uri", "https://example.com/", "--out", "public", "--at"];
    let run = |time: &str, inventory: &str| {
        let at = format!("2024-05-01T{time}Z");
        bench.feed(&[&args[..], &[&at]].concat(), inventory.as_bytes()).ends(0)
    };
    let same = format!("{INVENTORY}https://example.com/d,4\n");
    assert!(run("14:00:00", &same).out.contains("4 resources, 4 files written"));
    assert_eq!(bench.read("public/resourcelist.xml").matches("<url>").count(), 4);
    assert!(run("15:00:00", &same).out.contains("nothing has changed"));
    assert!(run("16:00:00", INVENTORY).out.contains("1 deleted"));
    let expected = ["created d 13:00:00Z", "deleted d 16:00:00Z"];
    assert_eq!(changes(&bench.read("public/changelist.xml")), expected);
    flawless(&bench, "public");
}

#[test]
fn a_damaged_ledger_is_refused_and_can_be_rebuilt() {
    let bench = published("stated-damaged", &[]);
    let event = |name: &str| format!("change,uri,length\nupsert,https://example.com/{name},7\n");
    state(&bench, "13:00:00", &event("d"), &[]).ends(0);
    state(&bench, "13:00:01", "change,uri\ndeleted,https://example.com/a\n", &[]).ends(0);
    for part in ["changes.log", "inventory.index", "inventory.jsonl"] {
        let path = bench.path(&format!("public.resourcesync/1/{part}"));
        let whole = fs::read(&path).unwrap();
        let mut damaged = whole.clone();
        let last = damaged.len() - 3;
        damaged[last] ^= 1;
        fs::write(&path, damaged).unwrap();
        let before = tree(&bench.path("public"));
        let refused = state(&bench, "14:00:00", &event("c"), &[]).ends(2);
        assert!(refused.err.contains("is damaged"), "{part}: {refused:?}");
        bench.run(&["build", "--out", "public", "--verify-state"]).ends(2);
        assert_eq!(tree(&bench.path("public")), before, "{part}");
        fs::write(&path, whole).unwrap();
    }
    fs::remove_dir_all(bench.path("public.resourcesync/1")).unwrap();
    assert!(state(&bench, "14:00:00", &event("e"), &[]).ends(2).err.contains("--rebuild-state"));
    let rebuilt =
        bench.run(&["build", "--rebuild-state", "--out", "public", "--base-uri", "https://example.com/"]).ends(0);
    assert!(rebuilt.out.contains("3 resources, 2 changes"), "{rebuilt:?}");
    state(&bench, "15:00:00", &event("e"), &[]).ends(0);
    let list = bench.read("public/resourcelist.xml");
    assert_eq!(list.matches("<url>").count(), 4, "{list}");
    assert!(list.contains("/d<") && !list.contains("/a<"));
    flawless(&bench, "public");
}

#[test]
fn the_state_of_an_earlier_version_gets_its_index_in_the_first_run() {
    let bench = published("stated-earlier", &[]);
    let path = bench.path("public.resourcesync/1/state.json");
    let mut earlier: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    earlier["formatVersion"] = json!(2);
    earlier["parts"].as_object_mut().unwrap().remove("inventory.index");
    earlier.as_object_mut().unwrap().remove("remembered");
    fs::write(&path, earlier.to_string()).unwrap();
    // Left by a run that was killed before it wrote the state.
    bench.put("public.resourcesync/1/inventory.index", "not yet");
    let event = "change,uri,length\nupsert,https://example.com/b,7\n";
    state(&bench, "13:00:00", event, &[]).ends(0);
    assert_eq!(changes(&bench.read("public/changelist.xml")), ["updated b 13:00:00Z"]);
    let now: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(now["formatVersion"], 3);
    bench.run(&["build", "--out", "public", "--verify-state"]).ends(0);
}

#[test]
fn deletions_that_are_stated_are_guarded_only_on_request() {
    let bench = published("stated-deletions", &[]);
    let all =
        "change,uri\ndeleted,https://example.com/a\ndeleted,https://example.com/b\ndeleted,https://example.com/c\n";
    state(&bench, "13:00:00", all, &["--max-delete", "50%"]).ends(1);
    assert!(changes(&bench.read("public/changelist.xml")).is_empty());
    let dry = state(&bench, "13:00:00", all, &["--dry-run"]).ends(0);
    assert_eq!(dry.out.lines().count(), 3, "{dry:?}");
    state(&bench, "13:00:00", all, &[]).ends(0);
    assert_eq!(changes(&bench.read("public/changelist.xml")).len(), 3);
    flawless(&bench, "public");
}

#[test]
fn sets_packed_documents_and_files_are_published_as_in_other_runs() {
    let bench = Bench::new("stated-forms");
    bench.put("files/1.txt", "one").put("files/2.txt", "two");
    let inventory = "uri,set,path\nhttps://example.com/1.txt,one,files/1.txt\n";
    bench.put("inventory.csv", inventory);
    let args =
        ["build", "--from-csv", "inventory.csv", "--base-uri", "https://example.com/", "--out", "public", "--gzip"];
    bench.run(&[&args[..], &["--at", "2024-05-01T12:00:00Z"]].concat()).ends(0);
    let event = "change,uri,set,path\nupsert,https://example.com/2.txt,one,files/2.txt\n";
    let ran = report(&bench, "13:00:00", event, &[]);
    assert_eq!(ran["written"], json!(["one/changelist.xml.gz"]));
    flawless(&bench, "public");
    let other = report(&bench, "14:00:00", "change,uri,set,length\nupsert,https://example.com/3,two,3\n", &[]);
    assert!(other["written"].as_array().unwrap().iter().any(|name| name == "two/resourcelist.xml.gz"), "{other}");
    flawless(&bench, "public");
    let none = state(&bench, "15:00:00", "change,uri,length\nupsert,https://example.com/4,3\n", &[]).ends(2);
    assert!(none.err.contains("no resource is in a set"), "{none:?}");
}

#[test]
fn a_source_with_packages_is_published_as_a_whole() {
    let bench = Bench::new("stated-packages");
    bench.put("files/1.txt", "one").put("files/2.txt", "two");
    bench.put("inventory.csv", "uri,path\nhttps://example.com/1.txt,files/1.txt\n");
    let args =
        ["build", "--from-csv", "inventory.csv", "--base-uri", "https://example.com/", "--out", "public", "--dump"];
    bench.run(&[&args[..], &["--at", "2024-05-01T12:00:00Z"]].concat()).ends(0);
    let event = "change,uri,path\nupsert,https://example.com/2.txt,files/2.txt\n";
    let ran = report(&bench, "13:00:00", event, &[]);
    assert!(ran["written"].as_array().unwrap().iter().any(|name| name == "changedump-1.zip"), "{ran}");
    flawless(&bench, "public");
}

#[test]
fn hubs_of_earlier_runs_are_notified_of_stated_changes() {
    let bench = published("stated-hub", &["--hub", "https://hub.example.org/", "--notify", "later"]);
    let event = |name: &str| format!("change,uri,length\nupsert,https://example.com/{name},7\n");
    let first = state(&bench, "13:00:00.5", &event("d"), &["--notify", "later"]).ends(0);
    assert!(first.err.contains("2 payloads to send"), "{first:?}");
    assert!(bench.read("public/notifications/changes.xml").contains("https://example.com/d"));
    assert!(bench.read("public/notifications/framework.xml").contains("https://example.com/changelist.xml"));
    let second = state(&bench, "13:00:01", &event("e"), &["--notify", "later"]).ends(0);
    assert!(second.err.contains("4 payloads to send"), "{second:?}");
    let payload = bench.read("public/notifications/changes.xml");
    assert!(
        payload.contains("from=\"2024-05-01T13:00:00.500Z\"") && !payload.contains("https://example.com/d"),
        "{payload}"
    );
    flawless(&bench, "public");
}

#[test]
fn a_second_run_waits_for_the_first_and_otherwise_records_nothing() {
    let bench = published("stated-wait", &[]);
    let mut first = bench
        .command(&["build", "--changes", "-", "--out", "public"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (lock, begun) = (bench.path("public.resourcesync/lock"), Instant::now());
    while fs::read_to_string(&lock).unwrap_or_default().is_empty() && begun.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(5));
    }
    let event = "change,uri\ndeleted,https://example.com/a\n";
    let refused = state(&bench, "13:00:00", event, &["--wait", "0s"]).ends(2);
    assert!(refused.err.contains("another run is at work"), "{refused:?}");
    let waiting = {
        let mut command = bench.command(&["build", "--changes", "events.csv", "--out", "public", "--wait", "5m"]);
        bench.put("events.csv", event);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    assert!(waiting.wait_with_output().unwrap().status.success());
    assert_eq!(changes(&bench.read("public/changelist.xml")).len(), 1);
}

#[test]
fn changes_that_fill_a_list_are_listed_once() {
    let bench = Bench::new("stated-full-lists");
    let inventory = |length: u64, first: u64| {
        let line = |number| format!("https://example.com/{number},{}\n", if number == 0 { first } else { length });
        let lines: String = (0..50_010).map(line).collect();
        format!("uri,length\n{lines}")
    };
    let run = |hour: &str, input: &str| {
        let at = format!("2024-05-01T{hour}:00:00Z");
        let args = ["build", "--from-csv", "-", "--base-uri", "https://example.com/", "--out", "public", "--at", &at];
        bench.feed(&[&args[..], &["--rotate", "7d"]].concat(), input.as_bytes()).ends(0);
    };
    let listed = || {
        let names = (1..9).map(|number| format!("public/changelist-{number}.xml"));
        let lists: Vec<usize> = names
            .filter(|name| bench.path(name).is_file())
            .map(|name| bench.read(&name).matches("<url>").count())
            .collect();
        lists
    };
    run("09", &inventory(1, 1));
    run("10", &inventory(2, 2));
    assert_eq!(listed(), [50_000, 10]);
    run("11", &inventory(2, 3));
    assert_eq!(listed(), [50_000, 11]);
    let told = bench.run(&["build", "--verify-state", "--out", "public"]).ends(0).out;
    assert!(told.contains("11 changes"), "{told}");
    state(&bench, "12:00:00", "change,uri,length\nupsert,https://example.com/x,1\n", &["--rotate", "7d"]).ends(0);
    assert_eq!(listed(), [50_000, 12]);
}

#[test]
fn what_is_stated_of_a_resource_takes_the_place_of_all_that_was_published() {
    let bench = published("stated-whole", &[]);
    let digest = |byte: &str| byte.repeat(64);
    let event = |digest: &str| format!("change,uri,length,sha-256\nupsert,https://example.com/a,1,{digest}\n");
    let counts = |time, events: &str| report(&bench, time, events, &[])["changes"].clone();
    assert_eq!(counts("13:00:00", &event(&digest("0"))), json!({"updated": 1}));
    assert_eq!(counts("14:00:00", &event(&digest("0"))), Value::Null);
    assert_eq!(counts("15:00:00", &event(&digest("1"))), json!({"updated": 1}));
    // A digest that is not stated any more might be wrong.
    assert_eq!(counts("16:00:00", "change,uri,length\nupsert,https://example.com/a,1\n"), json!({"updated": 1}));
    assert!(!bench.read("public/changelist.xml").rsplit("<url>").next().unwrap().contains("hash="));
    flawless(&bench, "public");
}

#[test]
fn the_first_changes_of_a_new_set_have_their_own_times() {
    let bench = Bench::new("stated-new-set");
    let args = ["build", "--from-csv", "-", "--base-uri", "https://example.com/", "--out", "public"];
    let inventory = b"uri,set\nhttps://example.com/a,one\n";
    bench.feed(&[&args[..], &["--at", "2024-05-01T12:00:00Z"]].concat(), inventory).ends(0);
    let events = "change,uri,set,datetime\nupsert,https://example.com/b,two,2024-05-01T12:10:00Z\n\
                  upsert,https://example.com/c,two,2024-05-01T12:20:00Z\nupsert,https://example.com/d,three,2024-05-01T12:30:00Z\n";
    state(&bench, "13:00:00", events, &[]).ends(0);
    assert_eq!(changes(&bench.read("public/two/changelist.xml")), ["created b 12:10:00Z", "created c 12:20:00Z"]);
    assert!(bench.read("public/two/changelist.xml").contains("from=\"2024-05-01T12:00:00Z\""));
    assert_eq!(changes(&bench.read("public/three/changelist.xml")), ["created d 12:30:00Z"]);
    flawless(&bench, "public");
}

#[test]
fn a_list_that_was_closed_under_another_name_is_valid_and_known_to_a_rebuilt_state() {
    let bench = published("stated-closed", &[]);
    for number in 1..=5 {
        let event = format!("change,uri,length\nupsert,https://example.com/n{number},{number}\n");
        state(&bench, &format!("13:0{number}:00"), &event, &["--rotate", "2", "--snapshot", "24h"]).ends(0);
    }
    assert!(bench.read("public/changelist-3.xml").contains("until="));
    let copy = bench.read("public/changelist-2.xml");
    assert!(copy.contains("until=") && !copy.contains("rel=\"index\""), "{copy}");
    let validate = ["validate", "--follow", "--base-uri", "https://example.com/", "--format", "json", "public"];
    let found = bench.run(&validate).ends(0).json();
    assert_eq!(codes(&found), [""; 0], "{found}");
    bench.run(&["build", "--rebuild-state", "--out", "public", "--base-uri", "https://example.com/"]).ends(0);
    let event = "change,uri,length\nupsert,https://example.com/n6,6\n";
    state(&bench, "14:00:00", event, &["--snapshot", "now"]).ends(0);
    assert!(!bench.path("public/changelist-2.xml").exists() && bench.path("public/changelist-3.xml").exists());
    flawless(&bench, "public");
}
