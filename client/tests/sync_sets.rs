//! Sources of several Capability Lists with Change Lists each, and ledgers of earlier versions.

use std::path::PathBuf;

use resourcesync_client::destination::{AuditOutcome, Options, audit};
use resourcesync_sync::{
    conclude::Outcome,
    guard::MaxDelete,
    report::{PlanKind, PlanWhy, Report},
};
use rusqlite::Connection;

use crate::source::{LENGTH, Place, Source, describe, document, publish, run, run_with, tree};

/// Two sets, which both list `both`, and their changes.
fn publish_two(source: &Source, a: &[(&str, &str)], b: &[(&str, &str)]) {
    publish(source, "a", "2024-05-01T00:00:00Z", &["one", "both"], a);
    publish(source, "b", "2024-05-01T00:01:00Z", &["two", "both"], b);
}

fn two(name: &str) -> (Place, Source) {
    let (place, source) = (Place::new(name), Source::new());
    ["/one", "/two", "/both", "/late"].into_iter().for_each(|path| source.put(path, "first"));
    describe(&source, &["a", "b"]);
    publish_two(&source, &[], &[]);
    (place, source)
}

fn with(source: &Source, place: &Place, dry_run: bool) -> Report {
    let max_delete = Some(MaxDelete::Percent(100));
    run_with(
        &source.start(),
        &place.copy(),
        &Options::default().with(|run| {
            run.dry_run = dry_run;
            run.max_delete = max_delete;
        }),
    )
    .unwrap()
}

/// The last segments of the names of the files.
fn names(place: &Place) -> Vec<String> {
    tree(&place.copy()).into_iter().map(|(name, _)| name.rsplit('/').next().unwrap().to_owned()).collect()
}

fn deleted(minute: u64) -> String {
    format!(r#"change="deleted" datetime="2024-05-01T00:{minute:02}:00Z""#)
}

fn created(minute: u64) -> String {
    format!(r#"change="created" datetime="2024-05-01T00:{minute:02}:00Z" {LENGTH}"#)
}

#[test]
fn the_change_lists_of_several_sets_are_followed_and_a_resource_is_deleted_when_no_set_lists_it() {
    let (place, source) = two("sets-followed");
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.as_of.as_deref()), (Outcome::InStep, Some("2024-05-01T00:00:00Z")));
    let follow = |a: &[(&str, &str)], b: &[(&str, &str)], counts: (u64, u64, u64), expected: &[&str]| {
        publish_two(&source, a, b);
        source.clear_log();
        let dry = with(&source, &place, true);
        let report = with(&source, &place, false);
        assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
        assert_eq!(dry.counts.deleted, report.counts.deleted);
        assert!(source.log().iter().all(|path| !path.ends_with("list.xml")), "{:?}", source.log());
        let found = report.counts;
        assert_eq!((found.created, found.updated, found.deleted), counts, "{report:?}");
        assert_eq!(names(&place), expected);
    };
    // The other set still lists it.
    let (a, late) = ([("both", &*deleted(2))], created(3));
    follow(&a, &[], (0, 0, 0), &["both", "one", "two"]);
    follow(&a, &[("late", &late)], (1, 0, 0), &["both", "late", "one", "two"]);
    let last = deleted(4);
    follow(&a, &[("late", &late), ("both", &last)], (0, 0, 1), &["late", "one", "two"]);
    // One set passes it on to the other.
    let (taken, left) = (created(5), deleted(6));
    let passed = [("both", &*deleted(2)), ("late", &*taken)];
    let (both, gone) = (deleted(4), deleted(7));
    follow(&passed, &[("late", &late), ("both", &both), ("late", &left)], (0, 0, 0), &["late", "one", "two"]);
    let report = with(&source, &place, false);
    assert_eq!(report.plan.map(|plan| plan.why), Some(PlanWhy::NothingChanged));
    let passed = [passed[0], passed[1], ("late", &*gone)];
    follow(&passed, &[("late", &late), ("both", &both), ("late", &left)], (0, 0, 1), &["one", "two"]);
}

#[test]
fn what_one_set_deletes_may_be_in_another_one_whose_changes_are_missing() {
    let (place, source) = two("sets-hole");
    let publish_both = |changes: &[(&str, &str)]| {
        publish(&source, "a", "2024-05-01T00:00:00Z", &["one"], &[]);
        publish(&source, "b", "2024-05-01T00:00:00Z", &["two", "late"], changes);
    };
    publish_both(&[]);
    source.hide("/a/changes.xml");
    with(&source, &place, false);
    // It has moved to the other set, whose Change List begins later.
    publish_both(&[("late", &deleted(5))]);
    let later = document(&source, r#"capability="changelist" from="2024-05-01T00:10:00Z""#, &[]);
    source.serve("/a/changes.xml", &later);
    let new = Place::new("sets-hole-new");
    for place in [&place, &new] {
        for _ in 0..2 {
            with(&source, place, false);
            assert_eq!(names(place), ["late", "one", "two"]);
        }
    }
    // Its server knows whether it is there, and newer lists know more.
    source.remove("/late");
    let last = Place::new("sets-hole-last");
    with(&source, &last, false);
    assert_eq!(names(&last), ["one", "two"]);
    publish(&source, "a", "2024-05-01T00:20:00Z", &["one"], &[]);
    source.serve("/a/changes.xml", &later);
    publish(&source, "b", "2024-05-01T00:20:00Z", &["two"], &[]);
    for place in [&place, &new, &last] {
        assert_eq!(with(&source, place, false).run.outcome, Outcome::InStep);
        assert_eq!(names(place), ["one", "two"]);
    }
}

#[test]
fn a_set_that_is_no_longer_named_takes_with_it_what_no_other_set_lists() {
    let (place, source) = two("sets-unnamed");
    run(&source, &place.copy());
    describe(&source, &["b"]);
    let report = with(&source, &place, false);
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(names(&place), ["both", "two"]);
    publish_two(&source, &[], &[("both", &deleted(3))]);
    let report = with(&source, &place, false);
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
    // With one set the Source Description is read once a day: then what another set lists comes with it.
    describe(&source, &["a", "b"]);
    publish(&source, "a", "2024-05-01T00:05:00Z", &["one"], &[]);
    assert_eq!(with(&source, &place, false).documents.len(), 1);
    let db = Connection::open(ledger(&place)).unwrap();
    db.execute("UPDATE meta SET value=value-86400 WHERE key='described'", []).unwrap();
    let report = with(&source, &place, false);
    assert_eq!((report.run.outcome, names(&place)), (Outcome::InStep, vec!["one".to_owned(), "two".to_owned()]));
}

#[test]
fn an_order_of_changes_that_is_unknown_is_settled_by_the_resource_lists_of_the_sets() {
    let (place, source) = two("sets-unordered");
    run(&source, &place.copy());
    // Neither position nor time shows what came last, and the other set lists it still.
    let same = |change: &str, at: u64| format!(r#"change="{change}" datetime="2024-05-01T00:{at:02}:00Z" {LENGTH}"#);
    let (early, late, middle) = (same("updated", 2), same("deleted", 4), same("updated", 3));
    publish_two(&source, &[("both", &early), ("both", &late), ("one", &middle)], &[]);
    for _ in 0..2 {
        let report = with(&source, &place, false);
        assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
        assert_eq!(report.plan.map(|plan| plan.kind), Some(PlanKind::List));
        assert_eq!(names(&place), ["both", "one", "two"]);
    }
    publish(&source, "a", "2024-05-01T00:06:00Z", &["one"], &[]);
    publish(&source, "b", "2024-05-01T00:06:00Z", &["two"], &[]);
    assert_eq!(with(&source, &place, false).run.outcome, Outcome::InStep);
    assert_eq!(names(&place), ["one", "two"]);
}

fn ledger(place: &Place) -> PathBuf {
    place.copy().join(".resourcesync/state.sqlite")
}

/// Makes the ledger one of version 2, which has one checkpoint.
fn make_older(place: &Place, checkpoint: impl FnOnce(serde_json::Value) -> serde_json::Value) {
    let db = Connection::open(ledger(place)).unwrap();
    let now: String = db.query_row("SELECT value FROM meta WHERE key='checkpoint'", [], |row| row.get(0)).unwrap();
    let then = checkpoint(serde_json::from_str(&now).unwrap()).to_string();
    db.execute("UPDATE meta SET value=?1 WHERE key='checkpoint'", [then]).unwrap();
    db.execute_batch("DROP TABLE owner; DELETE FROM meta WHERE key='described'; PRAGMA user_version=2").unwrap();
}

#[test]
fn a_ledger_of_version_2_is_continued() {
    let (place, source) = two("version-2");
    describe(&source, &["a"]);
    run(&source, &place.copy());
    make_older(&place, |checkpoints| checkpoints[0].clone());
    assert_eq!(
        audit(&place.copy(), None, false, &resourcesync_client::Cancel::default()).unwrap().outcome,
        AuditOutcome::Equal
    );
    publish_two(&source, &[("late", &created(2)), ("both", &deleted(3))], &[]);
    assert_eq!(with(&source, &place, true).counts.deleted, 1);
    let report = with(&source, &place, false);
    assert_eq!(report.plan.map(|plan| plan.kind), Some(PlanKind::Changes));
    assert_eq!((report.run.outcome, names(&place)), (Outcome::InStep, vec!["late".to_owned(), "one".to_owned()]));
}

#[test]
fn a_ledger_of_version_2_of_several_sets_is_compared_once_and_then_followed() {
    let (place, source) = two("version-2-sets");
    run(&source, &place.copy());
    make_older(&place, |_| serde_json::json!({ "set": "" }));
    let (late, gone) = (created(2), deleted(3));
    publish_two(&source, &[("late", &late)], &[]);
    let report = with(&source, &place, false);
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(report.plan.map(|plan| plan.kind), Some(PlanKind::List));
    // The sets of each resource are known in the next run, too.
    publish_two(&source, &[("late", &late), ("both", &gone)], &[]);
    let report = with(&source, &place, false);
    assert_eq!(report.plan.map(|plan| plan.kind), Some(PlanKind::Changes));
    assert_eq!(names(&place), ["both", "late", "one", "two"]);
}
