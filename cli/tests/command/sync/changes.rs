//! Following the Change Lists of a Source of this project: rotated, closed, gapped, guarded, and watched.

use std::{env, fs, process::Command};

use resourcesync_tests::server::{Server, reply};

use super::{FAST, copied, small, start, sync, tree};
use crate::bench::Bench;

/// Publishes with options.
fn publish(bench: &Bench, server: &Server, at: u64, options: &[&str]) {
    let at = format!("2024-05-{:02}T{:02}:{:02}:00Z", 2 + at / 1440, at / 60 % 24, at % 60);
    let (base, documents) = (server.url("/files/"), server.url("/docs/"));
    let args = ["build", "served/files", "--out", "served/docs", "--max-delete", "100", "--at", &at];
    bench.run(&[&args[..], options, &["--base-uri", &base, "--documents-uri", &documents]].concat()).ends(0);
}

/// Changes some resources, and removes one.
fn change(bench: &Bench, generation: u64) {
    let number = |step: u64| (generation * 7 + step * 11) % 40;
    for step in 0..generation % 4 {
        bench.put(&format!("served/files/{}.txt", number(step)), format!("{generation} {step}"));
    }
    let _ = fs::remove_file(bench.path(&format!("served/files/{}.txt", number(5))));
}

#[test]
fn a_source_that_changes_and_rotates_is_followed_with_few_requests() {
    let generations = env::var("GENERATIONS").map_or(30, |text| text.parse().unwrap());
    let (bench, server) = small("sync-generations");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    let mut most = 0;
    for generation in 1..=generations {
        change(&bench, generation);
        publish(&bench, &server, generation, &["--rotate", "7", "--keep", "3"]);
        let before = server.seen().len();
        // Some generations are skipped; more than are kept, now and then.
        if generation % 16 > 10 {
            continue;
        }
        let report = sync(&bench, &["--format", "json", "copy"]).ends(0).json();
        assert_eq!(report["run"]["outcome"], "in-step", "{generation}: {report}");
        assert_eq!(copied(&bench, &server, "copy"), tree(&bench.path("served/files")), "{generation}");
        let counts = &report["counts"];
        let fetched = counts["created"].as_u64().unwrap() + counts["updated"].as_u64().unwrap();
        let documents = (server.seen().len() - before) as u64 - fetched;
        if report["plan"]["kind"] == "changes" {
            most = most.max(documents);
        }
        let before = server.seen().len();
        let again = sync(&bench, &["--format", "json", "copy"]).ends(0).json();
        assert_eq!(again["plan"]["why"], "nothing-changed", "{generation}: {again}");
        assert!(server.seen().len() - before <= 3, "{generation}: {:?}", &server.paths()[before..]);
    }
    // The open list, its index, and the lists that were closed since.
    assert!((1..=6).contains(&most), "{most} documents");
}

#[test]
fn a_list_that_stated_changes_close_in_place_leads_to_the_next_one() {
    let (bench, server) = small("sync-closed-in-place");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    for step in 1..=12_usize {
        let (name, body) = (format!("{}.txt", step % 5), format!("{step} {}", "x".repeat(step)));
        bench.put(&format!("served/files/{name}"), &body);
        let event = format!("change,uri,length\nupsert,{}{name},{}\n", server.url("/files/"), body.len());
        let at = format!("2024-05-03T00:{step:02}:00Z");
        let args =
            ["build", "--changes", "-", "--out", "served/docs", "--rotate", "2", "--snapshot", "never", "--at", &at];
        bench.feed(&args, event.as_bytes()).ends(0);
        // The open list is closed by the next publication, or by one of several.
        if step % 4 == 0 {
            continue;
        }
        let report = sync(&bench, &["--format", "json", "copy"]).ends(0).json();
        assert_eq!(
            (&report["run"]["outcome"], &report["plan"]["kind"]),
            (&"in-step".into(), &"changes".into()),
            "{step}: {report}"
        );
        assert_eq!(copied(&bench, &server, "copy"), tree(&bench.path("served/files")), "{step}: {report}");
    }
}

#[test]
fn a_plan_says_why_and_missing_changes_are_made_up_for_by_the_resource_lists() {
    let (bench, server) = small("sync-gap");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    bench.put("served/files/1.txt", "changed");
    publish(&bench, &server, 1, &[]);
    let text = sync(&bench, &["copy"]).ends(0).out;
    assert!(text.contains("changes, the open Change List has new entries: 1 request,"), "{text}");
    assert!(text.contains("updated 1   unchanged 29"), "{text}");
    for generation in 2..8 {
        bench.put("served/files/2.txt", format!("{generation}"));
        publish(&bench, &server, generation, &["--rotate", "1", "--keep", "1"]);
    }
    let only = sync(&bench, &["--plan", "changes", "copy"]).ends(2).out;
    assert!(only.contains("info[SYN-04]") && only.contains("NOT IN STEP"), "{only}");
    let text = sync(&bench, &["--lang", "ja", "copy"]).ends(0).out;
    assert!(text.contains("変更の一部が欠けている") && text.contains("同期済み"), "{text}");
    assert_eq!(copied(&bench, &server, "copy"), tree(&bench.path("served/files")));
    let text = sync(&bench, &["--plan", "list", "copy"]).ends(0).out;
    assert!(text.contains("IN STEP"), "{text}");
}

/// What a backup of a Source has.
const BACKED_UP: [&str; 3] = ["files", "docs", "docs.resourcesync"];

fn copy(bench: &Bench, from: &str, to: &str) {
    for part in BACKED_UP {
        let _ = fs::remove_dir_all(bench.path(&format!("{to}/{part}")));
        fs::create_dir_all(bench.path(to)).unwrap();
        let (from, to) = (bench.path(&format!("{from}/{part}")), bench.path(&format!("{to}/{part}")));
        assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
    }
}

#[test]
fn a_source_that_was_restored_from_a_backup_is_never_taken_for_what_it_was() {
    let rotations: [&[&str]; 3] = [&[], &["--rotate", "2", "--keep", "50"], &["--rotate", "5", "--keep", "2"]];
    let mut made_up = 0;
    for (seed, options) in (0..).zip(rotations.into_iter().cycle().take(6)) {
        let (bench, server) = small(&format!("sync-restored-{seed}"));
        let (kept, lost, since) = (1 + seed % 4, 1 + seed % 3, 1 + seed % 2);
        let next = |generation: u64, at: u64| {
            change(&bench, generation);
            bench.put("served/files/always.txt", format!("{generation}"));
            publish(&bench, &server, at, options);
        };
        let claim = |why: &str| {
            let report = bench.run(&[&["sync", "--format", "json", "copy"][..], &FAST].concat()).json();
            let is_in_step = report["run"]["outcome"] == "in-step";
            let is_equal = copied(&bench, &server, "copy") == tree(&bench.path("served/files"));
            assert!(!is_in_step || is_equal, "{seed} {why}: {report:#}");
            (is_in_step, report)
        };
        let first = start(&server);
        sync(&bench, &[&first, "copy"]).ends(0);
        for generation in 1..=kept {
            next(generation, generation);
            claim("kept");
        }
        copy(&bench, "served", "backup");
        for generation in kept + 1..=kept + lost {
            next(generation, generation);
            assert!(claim("lost").0);
        }
        copy(&bench, "backup", "served");
        if seed % 2 == 0 {
            assert!(!claim("restored").0, "{seed}");
        }
        for generation in 1..=since {
            // Other changes than those that were lost, later than these.
            next(20 + generation, kept + lost + generation);
        }
        let (is_in_step, report) = claim("changed since");
        assert!(is_in_step, "{seed}: {report:#}");
        made_up += u64::from(report["plan"]["why"] == "gap");
        assert!(claim("again").0);
    }
    assert!(made_up > 2, "{made_up}");
}

/// RFC 9110 §13.1.3: a document that was replaced by an older one has not been modified since.
#[test]
fn an_older_document_behind_a_date_is_seen_where_lists_are_asked_for() {
    let bench = Bench::new("sync-dates");
    for number in 0..3 {
        bench.put(&format!("served/files/{number}.txt"), format!("{number}"));
    }
    let served = bench.path("served");
    let now = Command::new("date").args(["-u", "+Date: %a, %d %b %Y %T GMT"]).env("LC_ALL", "C").output().unwrap();
    let now = String::from_utf8(now.stdout).unwrap();
    let server = Server::new(move |asked, stream| {
        let dates = ["Last-Modified: Thu, 02 May 2024 00:00:00 GMT", now.trim()];
        match fs::read(served.join(asked.path.trim_start_matches('/'))) {
            Ok(_) if asked.header("if-modified-since").is_some() => reply(stream, "304 Not Modified", &dates, b""),
            Ok(body) => reply(stream, "200 OK", &dates, &body),
            Err(_) => reply(stream, "404 Not Found", &[], b""),
        }
    });
    publish(&bench, &server, 1, &[]);
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    copy(&bench, "served", "backup");
    bench.put("served/files/1.txt", "changed");
    publish(&bench, &server, 2, &[]);
    assert_eq!(sync(&bench, &["--plan", "list", "--format", "json", "copy"]).ends(0).json()["counts"]["updated"], 1);
    copy(&bench, "backup", "served");
    let asked = server.seen().len();
    assert!(sync(&bench, &["copy"]).ends(0).out.contains("no document changed"));
    assert!(server.seen()[asked..].iter().all(|asked| asked.header("if-modified-since").is_some()));
    let text = sync(&bench, &["--plan", "list", "copy"]).ends(1).out;
    assert!(text.contains("error[SYN-02]"), "{text}");
}

#[test]
fn deletions_that_change_lists_state_have_a_limit_of_their_own() {
    let (bench, server) = small("sync-deleted");
    for number in 30..60 {
        bench.put(&format!("served/files/{number}.txt"), format!("{number}"));
    }
    publish(&bench, &server, 1, &[]);
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    for number in 0..31 {
        fs::remove_file(bench.path(&format!("served/files/{number}.txt"))).unwrap();
    }
    publish(&bench, &server, 2, &[]);
    let mut before = None;
    for _ in 0..2 {
        let report = sync(&bench, &["--format", "json", "copy"]).ends(1).json();
        assert_eq!((&report["withheld"], &report["counts"]["withheld"]), (&"too-many".into(), &31.into()), "{report}");
        assert_eq!(copied(&bench, &server, "copy").len(), 60);
        assert!(before.is_none_or(|before| before == report["asOf"]));
        before = Some(report["asOf"].clone());
    }
    sync(&bench, &["--no-delete", "copy"]).ends(0);
    assert_eq!(copied(&bench, &server, "copy").len(), 60);
    let report = sync(&bench, &["--max-delete", "31", "--format", "json", "copy"]).ends(0).json();
    assert_eq!(report["counts"]["deleted"], 31, "{report}");
    assert_eq!(copied(&bench, &server, "copy"), tree(&bench.path("served/files")));
}

#[test]
fn an_audit_applies_the_changes_since_the_resource_list() {
    const LIST: &str = "served/docs/resourcelist.xml";
    let (bench, server) = small("audit-changes");
    let audit = |status: i32| {
        bench.run(&[&["audit"], &FAST[..], &["--format", "json", &start(&server), "copy"]].concat()).ends(status).json()
    };
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    let first = bench.read(LIST);
    // The Resource List stays the first one; the changes since are created, updated, deleted.
    let publish = |generation: u64, options: &[&str]| {
        publish(&bench, &server, generation, options);
        let newest = bench.read(LIST);
        bench.put(LIST, &first);
        newest
    };
    bench.put("served/files/1.txt", "updated").put("served/files/30.txt", "created");
    fs::remove_file(bench.path("served/files/2.txt")).unwrap();
    let newest = publish(1, &[]);
    let report = audit(1);
    let signs = |report: &serde_json::Value| -> Vec<String> {
        let list = report["differences"].as_array().unwrap().iter();
        list.map(|one| format!("{} {}", one["sign"], one["uri"].as_str().unwrap().rsplit('/').next().unwrap()))
            .collect()
    };
    assert_eq!(signs(&report), ["\"behind\" 1.txt", "\"extra\" 2.txt", "\"missing\" 30.txt"], "{report:#}");
    sync(&bench, &["copy"]).ends(0);
    let report = audit(0);
    assert_eq!((&report["outcome"], &report["equal"]), (&"equal".into(), &30.into()), "{report:#}");
    assert!(report["documents"].as_array().unwrap().iter().any(|read| read["kind"] == "change-list"), "{report:#}");

    // The Change Lists no longer reach back to the Resource List: what the last run stored is the baseline.
    bench.put(LIST, newest);
    for generation in 2..6 {
        bench.put("served/files/3.txt", format!("{generation}"));
        let newest = publish(generation, &["--rotate", "1", "--keep", "1"]);
        sync(&bench, &["--plan", "changes", "copy"]).ends(0);
        let report = audit(0);
        assert_eq!(report["outcome"], "equal", "{generation}: {report:#}");
        bench.put(LIST, newest);
    }
    bench.put("served/files/4.txt", "behind");
    let newest = publish(6, &["--rotate", "1", "--keep", "1"]);
    assert_eq!(signs(&audit(1)), ["\"behind\" 4.txt"]);

    // Neither do they reach back to the last run: nothing is said about what differs from the list.
    bench.put(LIST, newest);
    for generation in 7..10 {
        bench.put("served/files/5.txt", format!("{generation}"));
        let newest = publish(generation, &["--rotate", "1", "--keep", "1"]);
        bench.put(LIST, newest);
    }
    bench.put(LIST, &first);
    let report = audit(2);
    assert_eq!(report["outcome"], "undetermined", "{report:#}");
    assert!(signs(&report).iter().all(|sign| sign.starts_with("\"unverifiable")), "{report:#}");
    assert_eq!(report["diagnostics"][0]["code"], "SYN-04", "{report:#}");
}

#[test]
#[cfg(unix)]
fn a_source_that_changes_and_rotates_is_followed_by_a_watch_until_it_is_stopped() {
    use std::{
        process::{Command, Stdio},
        thread,
        time::{Duration, Instant},
    };
    let generations: u64 = env::var("GENERATIONS").map_or(4, |text| text.parse().unwrap());
    let (bench, server) = small("sync-watch");
    let uri = start(&server);
    let args = [&["sync"], &FAST[..], &["--watch=1s", "--quiet", "--log", "log", &uri, "copy"]].concat();
    let mut child = bench.command(&args).stdout(Stdio::null()).spawn().unwrap();
    let until = |what: &str, is_so: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
            thread::sleep(Duration::from_millis(20));
        }
    };
    let is_equal = || copied(&bench, &server, "copy") == tree(&bench.path("served/files"));
    until("the first run", &is_equal);
    for generation in 1..=generations {
        change(&bench, generation);
        publish(&bench, &server, generation, &["--rotate", "7", "--keep", "3"]);
        // Some generations are published while it waits, more than are kept, now and then.
        if generation % 16 <= 10 || generation == generations {
            until(&format!("generation {generation}"), &is_equal);
        }
    }
    // Between two runs it waits for a second.
    let asked = server.seen().len();
    until("the next run", &|| server.seen().len() > asked);
    thread::sleep(Duration::from_millis(300));
    let stopped = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(stopped.success());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0), "{status}");
    let (mut runs, mut fetched) = (0, 0);
    for line in bench.read("log").lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        runs += u64::from(line["type"] == "report");
        let is_transfer = line["type"] == "item" && line["item"]["action"] != "delete";
        fetched += u64::from(is_transfer && line["item"]["result"] == "done");
    }
    let documents = server.seen().len() as u64 - fetched;
    eprintln!("{generations} generations, {runs} runs: {documents} requests of documents, {fetched} of resources");
    // The first run reads four. Most later ones read the open list; some its index, and the lists that were closed since.
    assert!(runs > generations / 2 && documents <= 4 + 3 * runs, "{documents} requests in {runs} runs");
}

/// Writes or removes files, and publishes that as stated changes.
fn state(bench: &Bench, server: &Server, number: u64) {
    let mut rows = "change,uri,path\n".to_owned();
    for step in 0..1 + number % 4 {
        let name = format!("{}.txt", (number * 7 + step * 11) % 24);
        let (uri, path) = (server.url(&format!("/files/{name}")), format!("served/files/{name}"));
        if (number + step).is_multiple_of(5) {
            let _ = fs::remove_file(bench.path(&path));
            rows.push_str(&format!("deleted,{uri},\n"));
        } else {
            bench.put(&path, format!("{number} {step} ").repeat(1 + step as usize));
            rows.push_str(&format!("upsert,{uri},{path}\n"));
        }
    }
    let snapshot = if number.is_multiple_of(6) { "now" } else { "never" };
    let at = format!("2024-05-03T{:02}:{:02}:00Z", number / 60, number % 60);
    let args =
        ["build", "--changes", "-", "--out", "served/docs", "--rotate", "5", "--snapshot", snapshot, "--at", &at];
    bench.feed(&args, rows.as_bytes()).ends(0);
}

#[test]
fn a_source_of_stated_changes_is_valid_and_followed_between_any_two_publications() {
    let (bench, server) = small("sync-stated");
    sync(&bench, &[&start(&server), "copy"]).ends(0);
    for number in 1..=24 {
        state(&bench, &server, number);
        if number % 8 == 5 {
            // A copy that was not run for a while follows several publications at once.
            continue;
        }
        // The documents are not at the root of their server.
        let follow = ["validate", "--follow", &start(&server), "--ignore", "DI-02", "--format", "json"];
        let report = bench.run(&[&follow[..], &FAST].concat()).ends(0).json();
        assert_eq!(report["summary"]["errors"], 0, "{number}: {report}");
        assert_eq!(report["diagnostics"], serde_json::json!([]), "{number}");
        let report = sync(&bench, &["--format", "json", "--max-delete", "100%", "copy"]).ends(0).json();
        assert_eq!(report["run"]["outcome"], "in-step", "{number}: {report}");
        assert_eq!(copied(&bench, &server, "copy"), tree(&bench.path("served/files")), "{number}");
    }
    assert!(bench.read("served/docs/changelist.xml").contains("<sitemapindex"), "lists were closed");
}
