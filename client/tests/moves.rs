//! No file is moved before the ledger has recorded it, so that a run that is killed at that moment is completed by the next one. In place of
//! kills, the ledger refuses what a killed run would not have written; `scripts/sync-faults` kills at each system call.

use std::{
    fs,
    path::{Path, PathBuf},
};

use resourcesync_client::{
    Cancel,
    destination::{AuditOutcome, Options, audit},
};
use resourcesync_sync::{Layout, conclude::Outcome, report::Report};
use rusqlite::Connection;

use crate::source::{LENGTH, Place, Source, describe, publish, run, run_with, tree};

/// Lets the ledger refuse a statement, as if the run had been killed before it.
fn refuse(copy: &Path, statements: &[&str]) {
    let ledger = Connection::open(copy.join(".resourcesync/state.sqlite")).unwrap();
    for (number, statement) in statements.iter().enumerate() {
        let refused = "BEGIN SELECT RAISE(ABORT, 'killed'); END";
        ledger.execute_batch(&format!("CREATE TRIGGER refused_{number} BEFORE {statement} {refused}")).unwrap();
    }
}

fn allow(copy: &Path) {
    let ledger = Connection::open(copy.join(".resourcesync/state.sqlite")).unwrap();
    (0..2).for_each(|number| ledger.execute_batch(&format!("DROP TRIGGER IF EXISTS refused_{number}")).unwrap());
}

fn trash(copy: &Path) -> Vec<Vec<u8>> {
    tree(&copy.join(".resourcesync/trash")).into_iter().map(|(_, body)| body).collect()
}

fn host(source: &Source, copy: &Path) -> PathBuf {
    copy.join(source.host().replace(':', "^"))
}

fn names(folder: &Path) -> Vec<String> {
    tree(folder).into_iter().map(|(name, _)| name.split_once('/').unwrap().1.to_owned()).collect()
}

/// Asserts that the files of a copy are those of its ledger.
fn is_sound(copy: &Path) {
    let found = audit(copy, None, false, &Cancel::default()).unwrap();
    assert_eq!((found.outcome, found.compared.counts.foreign), (AuditOutcome::Equal, 0), "{found:?}");
}

fn has(report: &Report, code: &str) -> bool {
    report.diagnostics.iter().any(|finding| finding.code == code)
}

/// A copy of a resource that was changed here, and at its Source.
fn changed(name: &str) -> (Place, Source, PathBuf) {
    let (place, source) = (Place::new(name), Source::new());
    source.put("/a", "first");
    source.publish();
    run(&source, &place.copy());
    let file = host(&source, &place.copy()).join("a");
    fs::write(&file, "mine").unwrap();
    source.put("/a", "second");
    source.publish();
    (place, source, file)
}

#[test]
fn a_file_that_was_changed_here_stays_until_its_move_is_recorded() {
    let (place, source, file) = changed("moves-changed");
    refuse(&place.copy(), &["INSERT ON placing"]);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Failed);
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    allow(&place.copy());
    let report = run(&source, &place.copy());
    assert!(report.run.outcome == Outcome::InStep && has(&report, "SYN-10"), "{report:?}");
    assert_eq!((fs::read(&file).unwrap(), trash(&place.copy())), (b"second".to_vec(), vec![b"mine".to_vec()]));
    is_sound(&place.copy());
}

#[test]
fn what_a_killed_run_moved_to_the_trash_is_reported_by_the_next_one_and_kept_by_it() {
    let (place, source, file) = changed("moves-trash");
    refuse(&place.copy(), &["UPDATE ON resource", "UPDATE ON run"]);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Failed);
    allow(&place.copy());
    let report = run(&source, &place.copy());
    assert!(report.run.outcome == Outcome::InStep && has(&report, "SYN-10"), "{report:?}");
    assert_eq!((fs::read(&file).unwrap(), trash(&place.copy())), (b"second".to_vec(), vec![b"mine".to_vec()]));
    is_sound(&place.copy());
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    assert_eq!(trash(&place.copy()), Vec::<Vec<u8>>::new());
}

#[test]
fn a_file_of_others_stays_until_its_move_is_recorded() {
    let (place, source) = (Place::new("moves-foreign"), Source::new());
    source.put("/a", "first");
    source.publish();
    run(&source, &place.copy());
    for path in ["/b", "/c/d"] {
        source.put(path, "listed");
    }
    let folder = host(&source, &place.copy());
    fs::write(folder.join("b"), "theirs").unwrap();
    fs::write(folder.join("c"), "in the place of a folder").unwrap();
    source.publish();
    let before = tree(&place.copy());
    let overwrites = Options::default().with(|run| run.placing.overwrite = true);
    // The trash cannot be used: what was recorded is done by the next run.
    fs::write(place.copy().join(".resourcesync/trash"), "").unwrap();
    let report = run_with(&source.start(), &place.copy(), &overwrites).unwrap();
    assert_eq!((report.run.outcome, tree(&place.copy())), (Outcome::Failed, before), "{report:?}");
    fs::remove_file(place.copy().join(".resourcesync/trash")).unwrap();
    refuse(&place.copy(), &["INSERT ON placing"]);
    assert_eq!(run_with(&source.start(), &place.copy(), &overwrites).unwrap().run.outcome, Outcome::Failed);
    assert_eq!(fs::read(folder.join("b")).unwrap(), b"theirs");
    allow(&place.copy());
    let report = run_with(&source.start(), &place.copy(), &overwrites).unwrap();
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    assert_eq!(trash(&place.copy()), [b"theirs".to_vec()]);
    is_sound(&place.copy());
}

#[test]
fn a_file_that_makes_room_for_a_folder_is_found_again() {
    let (place, source) = (Place::new("moves-folder"), Source::new());
    for path in ["/a", "/a/b"] {
        source.serve(path, b"12345");
    }
    describe(&source, &["s"]);
    publish(&source, "s", "2024-05-02T00:00:00Z", &["a"], &[]);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    let created = format!(r#"change="created" datetime="2024-05-03T00:00:00Z" {LENGTH}"#);
    publish(&source, "s", "2024-05-02T00:00:00Z", &["a"], &[("a/b", &created)]);
    for statement in ["UPDATE OF path ON resource", "INSERT ON placing"] {
        refuse(&place.copy(), &[statement, "UPDATE ON run"]);
        assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Failed);
        allow(&place.copy());
    }
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    assert_eq!(names(&place.copy()), ["a/b", "a^"]);
    is_sound(&place.copy());
}

#[test]
fn a_file_of_others_that_has_the_name_of_one_that_makes_room_is_not_replaced() {
    let (place, source) = (Place::new("moves-taken"), Source::new());
    source.put("/a", "first");
    source.publish();
    run(&source, &place.copy());
    source.put("/a/b", "second");
    source.publish();
    let theirs = host(&source, &place.copy()).join("a^");
    fs::write(&theirs, "theirs").unwrap();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.conflicts), (Outcome::Refused, 1), "{report:?}");
    assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
    let overwrites = Options::default().with(|run| run.placing.overwrite = true);
    assert_eq!(run_with(&source.start(), &place.copy(), &overwrites).unwrap().run.outcome, Outcome::InStep);
    assert_eq!(
        (names(&place.copy()), trash(&place.copy())),
        (vec!["a/b".into(), "a^".into()], vec![b"theirs".to_vec()])
    );
    is_sound(&place.copy());
}

#[test]
fn a_file_that_makes_room_for_new_names_is_found_again() {
    let (place, source) = (Place::new("moves-layout"), Source::new());
    for path in ["/A", "/A/b"] {
        source.put(path, path);
    }
    source.publish();
    run(&source, &place.copy());
    let portable = Options::default().with(|run| {
        run.placing.relayout = true;
        run.placing.layout = Some(Layout::Portable);
    });
    refuse(&place.copy(), &["UPDATE OF path ON resource WHEN NEW.path LIKE '%^a^'", "UPDATE ON run"]);
    run_with(&source.start(), &place.copy(), &portable).unwrap();
    allow(&place.copy());
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    assert_eq!(names(&place.copy()), ["^a/b", "^a^"]);
    is_sound(&place.copy());
}

#[test]
fn a_deleted_file_is_moved_only_with_its_record() {
    let (place, source) = (Place::new("moves-deleted"), Source::new());
    (0..3).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
    source.publish();
    run(&source, &place.copy());
    let before = tree(&place.copy());
    (0..2).for_each(|number| source.remove(&format!("/{number}")));
    source.publish();
    let keeps = Options::default().with(|run| run.max_delete = None);
    refuse(&place.copy(), &["DELETE ON resource"]);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Failed);
    allow(&place.copy());
    // The user wants to keep them after all.
    assert_eq!(run_with(&source.start(), &place.copy(), &keeps).unwrap().run.outcome, Outcome::InStep);
    assert_eq!(tree(&place.copy()), before);
    is_sound(&place.copy());
    // What was recorded is completed.
    fs::write(place.copy().join(".resourcesync/trash"), "").unwrap();
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Failed);
    fs::remove_file(place.copy().join(".resourcesync/trash")).unwrap();
    assert_eq!(run_with(&source.start(), &place.copy(), &keeps).unwrap().run.outcome, Outcome::InStep);
    is_sound(&place.copy());
}

#[test]
fn what_was_put_in_the_place_of_a_deleted_file_meanwhile_is_left_alone() {
    let (place, source) = (Place::new("moves-meanwhile"), Source::new());
    (0..2).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
    source.publish();
    run(&source, &place.copy());
    source.remove("/0");
    source.publish();
    fs::write(place.copy().join(".resourcesync/trash"), "").unwrap();
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Failed);
    fs::remove_file(place.copy().join(".resourcesync/trash")).unwrap();
    let file = host(&source, &place.copy()).join("0");
    fs::write(&file, "mine").unwrap();
    run(&source, &place.copy());
    let in_place = fs::read(&file).is_ok_and(|body| body == b"mine");
    assert!(in_place || trash(&place.copy()) == [b"mine".to_vec()]);
}

#[test]
fn a_state_that_a_killed_run_had_set_aside_still_says_how_files_are_named() {
    let (place, source) = (Place::new("moves-state"), Source::new());
    source.put("/A", "a");
    source.publish();
    let portable = Options::default().with(|run| run.placing.layout = Some(Layout::Portable));
    run_with(&source.start(), &place.copy(), &portable).unwrap();
    let own = place.copy().join(".resourcesync");
    fs::rename(own.join("state.sqlite"), own.join("state-before.sqlite")).unwrap();
    let rebuild = Options::default().with(|run| run.placing.rebuild = true);
    let report = run_with(&source.start(), &place.copy(), &rebuild).unwrap();
    assert_eq!((report.run.outcome, report.counts.adopted), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(names(&place.copy()), ["^a"]);
    is_sound(&place.copy());
}

#[test]
fn a_file_of_others_at_a_new_name_is_not_taken_for_one_that_was_lost() {
    let (place, source) = (Place::new("moves-foreign-name"), Source::new());
    source.put("/A", "ours");
    source.put("/b", "b");
    source.publish();
    run(&source, &place.copy());
    let folder = host(&source, &place.copy());
    fs::remove_file(folder.join("A")).unwrap();
    for name in ["^a", "^a^"] {
        fs::write(folder.join(name), "theirs").unwrap();
    }
    let portable = Options::default().with(|run| {
        run.placing.relayout = true;
        run.placing.layout = Some(Layout::Portable);
    });
    run_with(&source.start(), &place.copy(), &portable).unwrap();
    let full = Options::default().with(|run| run.reading.full = true);
    for _ in 0..3 {
        let _ = run_with(&source.start(), &place.copy(), &full);
    }
    for name in ["^a", "^a^"] {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), "theirs", "{name}");
    }
}

#[test]
fn a_rebuilt_state_is_completed_by_the_next_run_if_it_was_killed() {
    let (place, source) = (Place::new("moves-rebuild"), Source::new());
    (0..3).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
    source.publish();
    run(&source, &place.copy());
    let own = place.copy().join(".resourcesync");
    fs::write(own.join("state-before.sqlite"), "kept").unwrap();
    let rebuild = Options::default().with(|run| run.placing.rebuild = true);
    source.cut("/resourcelist.xml", true);
    assert_ne!(run_with(&source.start(), &place.copy(), &rebuild).unwrap().run.outcome, Outcome::InStep);
    source.cut("/resourcelist.xml", false);
    // What was set aside before stays.
    assert_eq!(fs::read_to_string(own.join("state-before.sqlite")).unwrap(), "kept");
    assert!(own.join("state-before-2.sqlite").exists());
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.adopted), (Outcome::InStep, 3), "{report:?}");
    is_sound(&place.copy());
    // From here on files of others are theirs.
    fs::write(host(&source, &place.copy()).join("4"), "theirs").unwrap();
    source.put("/4", "4");
    source.publish();
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Refused);
}

#[test]
fn a_file_of_others_in_the_place_of_a_staged_one_is_not_replaced_by_the_next_run() {
    let (place, source) = (Place::new("moves-recovered"), Source::new());
    source.put("/a", "a");
    source.publish();
    run(&source, &place.copy());
    source.put("/b", "b");
    source.publish();
    refuse(&place.copy(), &["INSERT ON resource", "UPDATE ON run"]);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Failed);
    allow(&place.copy());
    // As if it had been killed before it renamed the file.
    let (own, file) = (place.copy().join(".resourcesync"), host(&source, &place.copy()).join("b"));
    let ledger = Connection::open(own.join("state.sqlite")).unwrap();
    let number: i64 = ledger.query_row("SELECT number FROM placing", [], |row| row.get(0)).unwrap();
    fs::rename(&file, own.join("staging").join(number.to_string())).unwrap();
    fs::write(&file, "theirs").unwrap();
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Refused);
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs");
    fs::remove_file(&file).unwrap();
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    assert_eq!(fs::read_to_string(&file).unwrap(), "b");
    is_sound(&place.copy());
}
