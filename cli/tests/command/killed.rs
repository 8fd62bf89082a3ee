//! `build` killed at any time, run twice concurrently, and interrupted.

use std::{
    env, fs,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    bench::Bench,
    build::{build, flawless},
};

const FILES: u64 = 200;

/// Starts a run without waiting for it.
fn start(bench: &Bench, time: &str, more: &[&str]) -> Child {
    let at = format!("2024-05-01T{time}Z");
    let args = ["build", "files", "--out", "public", "--at", &at, "--dump", "--rotate", "150", "--max-delete", "100%"];
    let base = ["--base-uri", "https://example.com/files/", "--documents-uri", "https://example.com/"];
    let mut command = bench.command(&[&args[..], &base, more].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Changes, adds and removes files, differently in each `round`.
fn change(bench: &Bench, round: u64) {
    for number in (0..FILES).filter(|number| (number + round).is_multiple_of(7)) {
        let name = format!("files/{}/{number}.txt", number % 5);
        match (number + round) % 3 {
            0 => drop(fs::remove_file(bench.path(&name))),
            _ => drop(bench.put(&name, format!("{round} {number} ").repeat(500))),
        }
    }
}

/// Kills `times` runs, each later than the previous one by a fixed fraction of a run.
fn kill(name: &str, times: u64) {
    let bench = Bench::new(name);
    for number in 0..FILES {
        bench.put(&format!("files/{}/{number}.txt", number % 5), format!("{number} ").repeat(500));
    }
    let begun = Instant::now();
    assert!(start(&bench, "00:00:00", &[]).wait().unwrap().success());
    let whole = begun.elapsed();
    let (mut killed, mut published) = (0, 0);
    for round in 1..=times {
        change(&bench, round);
        let time = format!("{:02}:{:02}:{:02}", round / 3600, round / 60 % 60, round % 60);
        let before = bench.read("public/.generation");
        let mut run = start(&bench, &time, &[]);
        // Slightly beyond a whole run, so that some are not killed.
        thread::sleep(whole.mul_f64(round as f64 * 1.2 / times as f64));
        let _ = run.kill();
        if !run.wait().unwrap().success() {
            killed += 1;
        }
        if bench.read("public/.generation") != before {
            published += 1;
        }
        flawless(&bench, "public");
    }
    assert!(killed > 0, "no run was killed");
    eprintln!("{killed} of {times} killed, {published} published");

    // A clean run ends as if none had been killed: with the same resources as an undisturbed Source.
    build(&bench, "12:00:00", &["--dump", "--rotate", "150", "--force", "--max-delete", "100%"]).ends(0);
    flawless(&bench, "public");
    let clean = ["build", "files", "--out", "clean", "--at", "2024-05-01T12:00:00Z"];
    let base = ["--base-uri", "https://example.com/files/", "--documents-uri", "https://example.com/"];
    bench.run(&[&clean[..], &base].concat()).ends(0);
    assert_eq!(bench.read("public/resourcelist.xml"), bench.read("clean/resourcelist.xml"));
    let left: Vec<_> =
        fs::read_dir(bench.path("public.resourcesync")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "the lock, the number and one generation: {left:?}");
}

#[test]
fn a_killed_run_leaves_the_old_source_and_the_next_one_is_right() {
    // `KILLS=200` takes minutes.
    kill("build-killed", env::var("KILLS").ok().and_then(|times| times.parse().ok()).unwrap_or(15));
}

#[cfg(unix)]
#[test]
fn a_second_run_is_refused_while_one_is_at_work() {
    let bench = Bench::new("build-locked");
    // A pipe that is never written to keeps the first run waiting.
    bench.put("files/1", "1");
    let mut first = bench
        .command(&["build", "--stdin", "--base-uri", "https://example.com/", "--out", "public"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lock = bench.path("public.resourcesync/next");
    let begun = Instant::now();
    while !lock.exists() && begun.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(5));
    }
    let second = build(&bench, "09:00:00", &[]).ends(2);
    assert!(second.err.contains("another run is at work"), "{second:?}");
    first.kill().unwrap();
    first.wait().unwrap();
    build(&bench, "09:00:00", &[]).ends(0);
    flawless(&bench, "public");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_publishes_nothing_and_leaves_nothing() {
    let bench = Bench::new("build-interrupted");
    bench.put("files/large", vec![7; 64 << 20]);
    for _ in 0..20 {
        let _ = fs::remove_dir_all(bench.path("public"));
        let _ = fs::remove_dir_all(bench.path("public.resourcesync"));
        let mut run = start(&bench, "09:00:00", &["--hash", "md5,sha-1,sha-256,sha-384,sha-512"]);
        thread::sleep(Duration::from_millis(150));
        let killed = std::process::Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
        let status = run.wait().unwrap();
        // A run that finished before the signal proves nothing.
        if killed.success() && status.code() == Some(2) {
            assert!(!bench.path("public").exists() && !bench.path("public.resourcesync").exists());
            return;
        }
    }
    panic!("no run was interrupted");
}
