//! Stopping a run.

use std::{
    fs::OpenOptions,
    io::{Read, Write},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::bench::{Bench, Ran, codes, list};

fn pipe(bench: &Bench, name: &str) {
    assert!(Command::new("mkfifo").arg(bench.path(name)).status().unwrap().success());
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn spawn(bench: &Bench, args: &[&str]) -> Child {
    bench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Long enough for a run to reach the point where it blocks.
fn settle() {
    thread::sleep(Duration::from_millis(400));
}

#[test]
fn an_interrupted_run_reports_what_it_has() {
    let bench = Bench::new("interrupt-slow");
    pipe(&bench, "slow.xml");
    bench.put("a.xml", list(1)).put("z.xml", list(1));
    for name in ["-INT", "-TERM"] {
        let args = ["validate", "--jobs", "1", "--format", "json", "--output", "r.json", "a.xml", "slow.xml", "z.xml"];
        let child = spawn(&bench, &args);
        let mut writer = OpenOptions::new().write(true).open(bench.path("slow.xml")).unwrap();
        let xml = list(3_000);
        writer.write_all(&xml.as_bytes()[..xml.len() / 2]).unwrap();
        settle();
        signal(&child, name);
        let begun = Instant::now();
        let ran: Ran = child.wait_with_output().unwrap().into();
        assert!(begun.elapsed() < Duration::from_secs(5));
        let ran = ran.ends(2);
        assert!(ran.out.contains("UNDETERMINED"), "{ran:?}");
        let report: serde_json::Value = serde_json::from_str(&bench.read("r.json")).unwrap();
        assert_eq!((&report["run"]["status"], &report["run"]["stoppedBy"]), (&"stopped".into(), &"interrupt".into()));
        assert_eq!(codes(&report), ["INP-04"]);
        let verdicts: Vec<_> =
            report["inputs"].as_array().unwrap().iter().map(|input| input["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["valid", "undetermined", "undetermined"]);
        assert!(report["inputs"][1]["entries"].as_u64().unwrap() > 1_000, "{report}");
    }
}

#[test]
fn a_pipe_that_nobody_opens_does_not_hold_the_run() {
    let bench = Bench::new("interrupt-unopened");
    pipe(&bench, "silent.xml");
    let child = spawn(&bench, &["validate", "silent.xml"]);
    settle();
    signal(&child, "-INT");
    let ran: Ran = child.wait_with_output().unwrap().into();
    ran.ends(2);
}

#[test]
fn the_second_signal_ends_at_once() {
    let bench = Bench::new("interrupt-twice");
    bench.put("a.xml", list(5_000).replace("http://example.com/", "x"));
    // The report is not read, so writing it blocks.
    let mut child = spawn(&bench, &["validate", "--max-per-rule", "0", "a.xml"]);
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    signal(&child, "-INT");
    settle();
    assert!(child.try_wait().unwrap().is_none());
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(2));
}
