//! Kills a run at any time and repeats it.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod source;

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use resourcesync_client::{
    Cancel,
    destination::{Options, audit, changes},
};
use resourcesync_sync::{Layout, conclude::Outcome, guard::MaxDelete};

use self::source::{Place, Source, client, run, run_with, tree};

/// Performs a run in a separate process, which is killed; does nothing when called as a test.
#[test]
fn child() {
    if let (Ok(start), Ok(folder)) = (std::env::var("SYNC_START"), std::env::var("SYNC_FOLDER")) {
        let how = std::env::var("SYNC_HOW").unwrap();
        if how == "consume" {
            consume(&start, Path::new(&folder));
        } else {
            run_with(&start, Path::new(&folder), &options(&how)).unwrap();
        }
    }
}

/// Keeps a table, which is a folder with a file for each resource, by the changes of a copy. A row is replaced or removed in one step; how the
/// changes are acknowledged depends on their number.
fn consume(start: &str, folder: &Path) {
    let table = folder.with_file_name("table");
    fs::create_dir_all(&table).unwrap();
    let (options, cancel) = (options("consume"), Cancel::default());
    let mut each = changes(start, folder, &client(start), &options, &cancel, &mut |_| {}).unwrap();
    let all = each.total().is_multiple_of(2);
    let mut applied = Vec::new();
    for change in each.by_ref() {
        let change = change.unwrap();
        let row = table.join(change.resource.uri.rsplit_once("//").unwrap().1.replace('/', "-"));
        match change.open().unwrap() {
            Some(mut content) => {
                let new = table.with_file_name("row");
                std::io::copy(&mut content, &mut fs::File::create(&new).unwrap()).unwrap();
                fs::rename(new, row).unwrap();
            }
            None => drop(fs::remove_file(row)),
        }
        if all { applied.push(change) } else { change.done().unwrap() }
    }
    each.done(&applied).unwrap();
}

fn options(how: &str) -> Options {
    match how {
        "relayout" => Options::default().with(|run| {
            run.placing.relayout = true;
            run.placing.layout = Some(Layout::Portable);
        }),
        "consume" => Options::default().with(|run| run.max_delete = Some(MaxDelete::Percent(100))),
        "whole" => Options::default().with(|run| {
            run.placing.whole = true;
            run.max_delete = Some(MaxDelete::Percent(100));
        }),
        "rebuild" => Options::default().with(|run| run.placing.rebuild = true),
        _ => Options::default(),
    }
}

fn spawn(how: &str, source: &Source, copy: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child"])
        .env("SYNC_HOW", how)
        .env("SYNC_START", source.start())
        .env("SYNC_FOLDER", copy)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A run that is killed: at some moment of the time that the last one took which was not, or after it. Returns true if it did not end before.
fn killed(how: &str, source: &Source, copy: &Path, round: u32, longest: &mut Duration) -> bool {
    let begun = Instant::now();
    let mut child = spawn(how, source, copy);
    if round > 0 {
        thread::sleep(*longest * (round * 7 % 11 + 1) / 10);
        let _ = child.kill();
    }
    let is_killed = !child.wait().unwrap().success();
    if !is_killed {
        *longest = begun.elapsed();
    }
    is_killed
}

fn times(usually: u32) -> u32 {
    std::env::var("KILLS").ok().and_then(|times| times.parse().ok()).unwrap_or(usually)
}

#[test]
fn a_run_killed_at_any_moment_and_run_again_ends_as_if_it_had_not_been() {
    let place = Place::new("killed");
    let source = Source::new();
    let (mut count, mut longest) = (0, Duration::ZERO);
    for round in 0..times(25) {
        for number in 0..300 {
            match (number + round) % 11 {
                0 => source.remove(&format!("/{}/{number}", number % 5)),
                1..5 => source.put(&format!("/{}/{number}", number % 5), format!("{round} {number} ").repeat(40)),
                _ => {}
            }
        }
        source.publish();
        count += u32::from(killed("", &source, &place.copy(), round, &mut longest));
        // Every existing file is complete.
        for (name, body) in tree(&place.copy()) {
            let path = format!("/{}", name.split_once('/').unwrap().1);
            assert!(source.was(&path, &body), "{name} in round {round}");
        }
    }
    assert!(count > 0, "no run was killed");
    let allowed = Options::default().with(|run| run.max_delete = Some(MaxDelete::Percent(100)));
    let report = run_with(&source.start(), &place.copy(), &allowed).unwrap();
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    let clean = Place::new("not-killed");
    run(&source, &clean.copy());
    assert_eq!(tree(&place.copy()), tree(&clean.copy()));
    let held = audit(&place.copy(), None, false, &Cancel::default()).unwrap();
    assert_eq!((held.compared.equal as usize, held.compared.differences), (tree(&clean.copy()).len(), vec![]));
    assert_eq!(fs::read_dir(place.copy().join(".resourcesync/staging")).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_first_run_killed_while_it_makes_its_state_is_completed_by_the_next() {
    let (place, source) = (Place::new("killed-first-state"), Source::new());
    source.put("/1", "one".to_owned());
    source.publish();
    let state = place.copy().join(".resourcesync/state.sqlite");
    for round in 0..times(20) {
        let mut child = spawn("", &source, &place.copy());
        while !state.exists() && child.try_wait().unwrap().is_none() {}
        // Within the first transaction, which takes some milliseconds.
        thread::sleep(Duration::from_micros(u64::from(round) * 200));
        let _ = child.kill();
        child.wait().unwrap();
        let report = run(&source, &place.copy());
        assert_eq!(report.run.outcome, Outcome::InStep, "round {round}: {report:?}");
        fs::remove_dir_all(place.copy()).unwrap();
    }
    // Nothing was written to it: a disk was full.
    fs::create_dir_all(state.parent().unwrap()).unwrap();
    fs::write(&state, "").unwrap();
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
}

#[test]
fn a_run_on_a_generation_killed_at_any_moment_leaves_a_complete_one() {
    let (place, source) = (Place::new("killed-whole"), Source::new());
    let mut generations = vec![Vec::new()];
    let (mut count, mut longest) = (0, Duration::ZERO);
    for round in 0..times(25) {
        for number in 0..100 {
            match (number + round) % 7 {
                0 => source.remove(&format!("/{number}")),
                1..4 => source.put(&format!("/{number}"), format!("{round} {number} ").repeat(40)),
                _ => {}
            }
        }
        source.publish();
        let listed = |number: u32| {
            let (name, path) = (format!("{}/{number}", source.host().replace(':', "^")), format!("/{number}"));
            source.lists(&path).then(|| (name, source.body(&path)))
        };
        let mut listed: Vec<_> = (0..100).filter_map(listed).collect();
        listed.sort();
        generations.push(listed);
        count += u32::from(killed("whole", &source, &place.copy(), round, &mut longest));
        let found = tree(&place.copy());
        assert!(generations.contains(&found), "round {round}: {} files are no generation", found.len());
    }
    assert!(count > 0, "no run was killed");
    let report = run_with(&source.start(), &place.copy(), &options("whole")).unwrap();
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    assert_eq!(Some(&tree(&place.copy())), generations.last());
    let held = audit(&place.copy(), None, false, &Cancel::default()).unwrap();
    assert_eq!((held.compared.equal as usize, held.compared.differences), (tree(&place.copy()).len(), vec![]));
}

#[test]
fn a_table_kept_by_changes_is_what_the_source_lists_although_its_program_is_killed() {
    let (place, source) = (Place::new("consumer"), Source::new());
    let table = place.0.join("table");
    let (mut count, mut longest) = (0, Duration::ZERO);
    for round in 0..times(12) {
        for number in 0..100 {
            match (number * 7 + round) % 11 {
                0 => source.remove(&format!("/{number}")),
                1..4 => source.put(&format!("/{number}"), format!("{round} {number} ").repeat(40)),
                _ => {}
            }
        }
        source.publish();
        count += u32::from(killed("consume", &source, &place.copy(), round, &mut longest));
        // Every row is complete.
        for (name, body) in tree(&table) {
            assert!(source.was(&format!("/{}", name.split_once('-').unwrap().1), &body), "{name} in round {round}");
        }
    }
    assert!(count > 0, "no program was killed");
    assert!(spawn("consume", &source, &place.copy()).wait().unwrap().success());
    let rows = |tree: Vec<(String, Vec<u8>)>| -> Vec<(String, Vec<u8>)> {
        let name = |name: String| name.split_once(['/', '-']).unwrap().1.to_owned();
        let mut rows: Vec<_> = tree.into_iter().map(|(own, body)| (name(own), body)).collect();
        rows.sort();
        rows
    };
    let clean = Place::new("consumer-not-killed");
    run(&source, &clean.copy());
    assert_eq!(rows(tree(&table)), rows(tree(&clean.copy())));
}

/// Copies a folder with the times of its files.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &place);
        } else {
            fs::copy(&path, &place).unwrap();
            let time = fs::metadata(&path).unwrap().modified().unwrap();
            fs::File::options().write(true).open(&place).unwrap().set_modified(time).unwrap();
        }
    }
}

#[test]
fn new_names_and_a_new_state_killed_at_any_moment_and_made_again_end_as_if_they_had_not_been() {
    let (source, first) = (Source::new(), Place::new("killed-first"));
    for number in 0..300 {
        source.put(&format!("/A{}/R{number}", number % 5), format!("{number} ").repeat(40));
    }
    source.publish();
    run(&source, &first.copy());
    for how in ["relayout", "rebuild"] {
        if how == "rebuild" {
            fs::write(first.copy().join(".resourcesync/state.sqlite"), "damaged ".repeat(1_000)).unwrap();
            let host = first.copy().join(source.host().replace(':', "^"));
            fs::write(host.join("A0/R0"), "changed").unwrap();
            fs::remove_file(host.join("A1/R1")).unwrap();
        }
        let clean = Place::new("killed-clean");
        copy(&first.copy(), &clean.copy());
        let begun = Instant::now();
        assert!(spawn(how, &source, &clean.copy()).wait().unwrap().success());
        let (whole, all, mut killed) = (begun.elapsed(), times(3), 0);
        for round in 0..all {
            let place = Place::new("killed-again");
            copy(&first.copy(), &place.copy());
            let mut child = spawn(how, &source, &place.copy());
            thread::sleep(whole * round / all);
            let _ = child.kill();
            killed += u32::from(!child.wait().unwrap().success());
            let report = run_with(&source.start(), &place.copy(), &options(how)).unwrap();
            assert_eq!(report.run.outcome, Outcome::InStep, "{how} {round} {report:?}");
            assert_eq!(tree(&place.copy()), tree(&clean.copy()), "{how} {round}");
            let held = audit(&place.copy(), None, false, &Cancel::default()).unwrap();
            assert_eq!((held.compared.equal, held.compared.differences), (300, vec![]), "{how} {round}");
        }
        assert!(killed > 0, "no run was killed");
    }
}
