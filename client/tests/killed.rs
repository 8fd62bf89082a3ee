//! Kills a run at any time and repeats it. It runs in its own process, since a process being started inherits the locks of others.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod source;

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use resourcesync_client::{
    Cancel,
    destination::{Options, audit},
};
use resourcesync_sync::{conclude::Outcome, guard::MaxDelete};

use self::source::{Place, Source, run, run_with, tree};

/// Performs a run in a separate process, which is killed; does nothing when called as a test.
#[test]
fn child() {
    if let (Ok(start), Ok(folder)) = (std::env::var("SYNC_START"), std::env::var("SYNC_FOLDER")) {
        run_with(&start, Path::new(&folder), &Options::default()).unwrap();
    }
}

#[test]
fn a_run_killed_at_any_moment_and_run_again_ends_as_if_it_had_not_been() {
    let place = Place::new("killed");
    let source = Source::new();
    let times: u32 = std::env::var("KILLS").ok().and_then(|times| times.parse().ok()).unwrap_or(25);
    let mut killed = 0;
    for round in 0..times {
        for number in 0..300 {
            match (number + round) % 11 {
                0 => source.remove(&format!("/{}/{number}", number % 5)),
                1..5 => source.put(&format!("/{}/{number}", number % 5), format!("{round} {number} ").repeat(40)),
                _ => {}
            }
        }
        source.publish();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child"])
            .env("SYNC_START", source.start())
            .env("SYNC_FOLDER", place.copy())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(u64::from(round * 37 % 400)));
        let _ = child.kill();
        if !child.wait().unwrap().success() {
            killed += 1;
        }
        // Every existing file is complete.
        for (name, body) in tree(&place.copy()) {
            let path = format!("/{}", name.split_once('/').unwrap().1);
            assert!(source.was(&path, &body), "{name} in round {round}");
        }
    }
    assert!(killed > 0, "no run was killed");
    let allowed = Options { max_delete: Some(MaxDelete::Percent(100)), ..Options::default() };
    let report = run_with(&source.start(), &place.copy(), &allowed).unwrap();
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    let clean = Place::new("not-killed");
    run(&source, &clean.copy());
    assert_eq!(tree(&place.copy()), tree(&clean.copy()));
    let held = audit(&place.copy(), None, false, &Cancel::default()).unwrap();
    assert_eq!((held.equal as usize, held.differences), (tree(&clean.copy()).len(), vec![]));
    assert_eq!(fs::read_dir(place.copy().join(".resourcesync/staging")).unwrap().count(), 0);
}
