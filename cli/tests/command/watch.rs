//! `build --watch`: a folder whose changes are published while the command runs.

use std::{
    fs,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    bench::{Bench, Ran},
    build::flawless,
};

const BASE: [&str; 4] = ["--base-uri", "https://example.com/", "--out", "public"];

/// The running command, which is ended with the test.
struct Watched<'a> {
    bench: &'a Bench,
    child: Option<Child>,
}

impl<'a> Watched<'a> {
    /// Watches the folder `files`, and waits for the first publication.
    fn start(bench: &'a Bench, more: &[&str]) -> Watched<'a> {
        let args = [&["build", "files", "--watch=50ms"][..], &BASE, more].concat();
        let child = bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let watched = Watched { bench, child: Some(child) };
        watched.wait("the first publication", || bench.path("public.resourcesync/published").exists());
        watched
    }

    fn wait(&self, what: &str, is_there: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_there() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what} is not there: {}", self.changes());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The open Change List.
    fn changes(&self) -> String {
        fs::read_to_string(self.bench.path("public/changelist.xml")).unwrap_or_default()
    }

    /// Waits for a change.
    fn published(&self, verb: &str, name: &str) {
        let is_change = |entry: &str| {
            entry.contains(&format!("<loc>https://example.com/{name}</loc>"))
                && entry.contains(&format!("change=\"{verb}\""))
        };
        self.wait(&format!("{verb} {name}"), || self.changes().split("<url>").any(is_change));
    }

    /// Ends the command as an operator does.
    fn stop(mut self) -> Ran {
        let child = self.child.take().unwrap();
        let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        child.wait_with_output().unwrap().into()
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn what_changes_in_a_folder_is_published_and_nothing_else_is_read() {
    let bench = Bench::new("watch");
    bench.put("files/a", "a").put("files/b", "b").put("files/sub/c", "c").put("files/sub/d", "d");
    let watched = Watched::start(&bench, &["--format", "json"]);
    let list = bench.read("public/resourcelist.xml");
    bench.put("files/a", "changed");
    watched.published("updated", "a");
    fs::remove_file(bench.path("files/b")).unwrap();
    watched.published("deleted", "b");
    // A folder that is moved is one event, and those in a new one may be missed.
    fs::rename(bench.path("files/sub"), bench.path("files/moved")).unwrap();
    watched.published("created", "moved/c");
    watched.published("deleted", "sub/d");
    bench.put("files/new/deep/e", "e");
    watched.published("created", "new/deep/e");
    bench.put("files/new/deep/f", "f");
    watched.published("created", "new/deep/f");
    bench.put("files/.hidden", "h");
    assert_eq!(bench.read("public/resourcelist.xml"), list, "only the Change List is written");
    let reports = watched.stop().ends(0).out;
    let reports: Vec<Value> = reports.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&reports[0]["result"], &reports[0]["resources"]), (&"written".into(), &4.into()));
    let events: u64 = reports[1..].iter().map(|report| report["events"]["total"].as_u64().unwrap()).sum();
    assert!(events < 40, "{reports:?}");
    flawless(&bench, "public");
    let again = bench.run(&[&["build", "files"][..], &BASE, &["--snapshot", "now"]].concat()).ends(2);
    assert!(again.err.contains("--snapshot is for"), "{again:?}");
    // Nothing was missed, and nothing is left for a comparison but the Resource List.
    let compared = bench.run(&[&["build", "files"][..], &BASE, &["--format", "json"]].concat()).ends(0).json();
    assert_eq!((&compared["changes"], &compared["resources"]), (&serde_json::json!({}), &5.into()));
}

#[test]
fn what_events_missed_is_found_when_the_folder_is_compared() {
    let bench = Bench::new("watch-poll");
    bench.put("files/a", "a");
    let first = Watched::start(&bench, &[]);
    assert!(first.stop().ends(0).out.contains("1 resource"));
    // Nobody watches.
    bench.put("files/b", "b");
    let watched = Watched::start(&bench, &["--poll", "1s"]);
    watched.published("created", "b");
    // The whole folder is replaced: what was watched is elsewhere.
    bench.put("next/a", "a").put("next/b", "other").put("next/c", "c");
    fs::rename(bench.path("files"), bench.path("gone")).unwrap();
    fs::rename(bench.path("next"), bench.path("files")).unwrap();
    watched.published("created", "c");
    watched.published("updated", "b");
    bench.put("files/d", "d");
    watched.published("created", "d");
    drop(watched.stop());
    flawless(&bench, "public");
}

#[test]
fn a_folder_that_vanishes_or_empties_publishes_no_deletions() {
    let bench = Bench::new("watch-vanished");
    for number in 0..30 {
        bench.put(&format!("files/{number}"), "x");
    }
    let watched = Watched::start(&bench, &["--poll", "1s"]);
    for number in 0..30 {
        fs::remove_file(bench.path(&format!("files/{number}"))).unwrap();
    }
    thread::sleep(Duration::from_millis(1_500));
    assert!(!watched.changes().contains("change=\"deleted\""), "{}", watched.changes());
    let stopped = watched.stop();
    assert!(stopped.err.contains("--max-delete"), "{stopped:?}");
    drop(stopped.ends(1));
    let allowed = Watched::start(&bench, &["--max-delete", "100%"]);
    allowed.published("deleted", "29");
    fs::remove_dir_all(bench.path("files")).unwrap();
    bench.put("elsewhere", "x");
    thread::sleep(Duration::from_millis(500));
    let stopped = allowed.stop().ends(2);
    assert!(stopped.err.contains("files could not be read"), "{stopped:?}");
}

#[test]
fn a_published_folder_below_the_watched_one_is_not_watched() {
    let bench = Bench::new("watch-own");
    bench.put("files/a", "a");
    let args = ["build", "files", "--watch=50ms", "--base-uri", "https://example.com/", "--out", "files/public"];
    let documents = ["--documents-uri", "https://example.com/public/", "--format", "json"];
    let command = [&args[..], &documents].concat();
    let child = bench.command(&command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let watched = Watched { bench: &bench, child: Some(child) };
    watched.wait("the first publication", || bench.path("files/public.resourcesync/published").exists());
    bench.put("files/b", "b");
    let list = || fs::read_to_string(bench.path("files/public/changelist.xml")).unwrap_or_default();
    watched.wait("b", || list().contains("https://example.com/b<"));
    thread::sleep(Duration::from_millis(500));
    let reports = watched.stop().ends(0).out.lines().count();
    assert!(reports <= 3, "{reports} runs");
}

#[test]
fn a_watch_without_a_folder_is_refused() {
    let bench = Bench::new("watch-refused");
    bench.put("files/a", "a").put("items.csv", "uri\nhttps://example.com/a\n");
    for more in [&["--from-csv", "items.csv", "--watch"][..], &["files", "--watch", "--from-csv", "items.csv"]] {
        drop(bench.run(&[&["build"][..], more, &BASE].concat()).ends(2));
    }
    let missing = bench.run(&[&["build", "none", "--watch"][..], &BASE].concat()).ends(2);
    assert!(missing.err.contains("none could not be read"), "{missing:?}");
    let odd = bench.run(&[&["build", "files", "--watch=soon"][..], &BASE].concat()).ends(2);
    assert!(odd.err.contains("500ms"), "{odd:?}");
}
