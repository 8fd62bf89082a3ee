//! Changes of a notification that are applied at once, and every doubt by which only the lists of the Source decide.

use std::{path::Path, sync::Arc};

use resourcesync::{limits::Limits, read};
use resourcesync_client::{
    Cancel,
    destination::{Options, apply},
    http::Client,
};
use resourcesync_sync::{conclude::Outcome, guard::MaxDelete, report::Report};

use crate::source::{LENGTH, Place, Source, client, describe, document, publish, run, run_with, tree};

/// A copy of one set with Change Lists, in step at 00:02.
fn copied(name: &str) -> (Place, Source) {
    let (place, source) = (Place::new(name), Source::new());
    ["/one", "/two", "/late"].into_iter().for_each(|path| source.put(path, "first"));
    describe(&source, &["a"]);
    publish(&source, "a", "2024-05-01T00:00:00Z", &["one"], &[("two", &created("2024-05-01T00:02:00Z"))]);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    assert_eq!(run(&source, &place.copy()).as_of.as_deref(), Some("2024-05-01T00:02:00Z"));
    (place, source)
}

fn created(at: &str) -> String {
    format!(r#"change="created" datetime="{at}" {LENGTH}"#)
}

fn deleted(at: &str) -> String {
    format!(r#"change="deleted" datetime="{at}""#)
}

const LATER: &str = "2024-05-01T00:03:00Z";

struct Notice<'n> {
    source: &'n Source,
    folder: &'n Path,
    set: String,
    options: Options,
}

impl<'n> Notice<'n> {
    fn new(source: &'n Source, place: &'n Path) -> Notice<'n> {
        Notice { source, folder: place, set: format!("{}a/caps.xml", source.start()), options: Options::default() }
    }

    fn bytes(&self, entries: &[(&str, &str)]) -> Vec<u8> {
        let head = format!(r#"capability="change-notification" from="2024-05-01T00:02:00Z" until="{LATER}""#);
        document(self.source, &head, entries)
    }

    fn apply(&self, entries: &[(&str, &str)]) -> Option<Report> {
        self.apply_bytes(&self.source.start(), &self.bytes(entries))
    }

    fn apply_bytes(&self, start: &str, bytes: &[u8]) -> Option<Report> {
        let client: Arc<Client> = client(&self.source.start());
        let entries = read::document(bytes, &Limits::default(), &mut ()).unwrap().entries;
        apply(start, &self.set, &entries, self.folder, &client, &self.options, &Cancel::default(), &mut |_| {}).unwrap()
    }
}

fn names(folder: &Path) -> Vec<String> {
    tree(folder).into_iter().map(|(name, _)| name.rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn changes_are_applied_without_a_list_and_the_lists_decide_afterwards() {
    let (place, source) = copied("notified");
    let folder = place.copy();
    let notice = Notice::new(&source, &folder);
    source.clear_log();
    let report = notice.apply(&[("late", &created(LATER)), ("one", &deleted(LATER))]).unwrap();
    assert_eq!((report.counts.created, report.counts.deleted), (1, 1), "{report:?}");
    assert_ne!(report.run.outcome, Outcome::InStep);
    assert_eq!(report.as_of.as_deref(), Some("2024-05-01T00:02:00Z"));
    assert_eq!((source.log(), names(&folder)), (vec!["/late".to_owned()], vec!["late".to_owned(), "two".to_owned()]));
    // The Change List has one of them, and something later, so the other change never was.
    let (two, late) = (created("2024-05-01T00:02:00Z"), created(LATER));
    let next = created("2024-05-01T00:04:00Z");
    publish(&source, "a", "2024-05-01T00:00:00Z", &["one"], &[("two", &two), ("late", &late), ("two", &next)]);
    let report = run(&source, &folder);
    assert_eq!(
        (report.run.outcome, names(&folder)),
        (Outcome::InStep, ["late", "one", "two"].map(String::from).to_vec())
    );
}

#[test]
fn nothing_is_applied_if_there_is_a_doubt() {
    let (place, source) = copied("notified-doubts");
    let folder = place.copy();
    let new = created(LATER);
    let entries = [("late", &*new)];
    let refused = |what: &str, notice: &Notice<'_>, entries: &[(&str, &str)]| {
        source.clear_log();
        assert!(notice.apply(entries).is_none(), "{what}");
        assert_eq!((source.log(), names(&folder)), (vec![], ["one", "two"].map(String::from).to_vec()), "{what}");
    };
    let notice = || Notice::new(&source, &folder);
    refused(
        "a set that is not the own one",
        &Notice { set: format!("{}b/caps.xml", source.start()), ..notice() },
        &entries,
    );
    refused("a dry run", &Notice { options: Options::default().with(|run| run.dry_run = true), ..notice() }, &entries);
    refused(
        "other options",
        &Notice { options: Options::default().with(|run| run.require_hash = true), ..notice() },
        &entries,
    );
    refused("an entry without a time", &notice(), &[("late", r#"change="created""#)]);
    refused("a change that the lists may have", &notice(), &[("late", &created("2024-05-01T00:02:00Z"))]);
    refused("a change of the future", &notice(), &[("late", &created("2999-01-01T00:00:00Z"))]);
    refused("one doubt among others", &notice(), &[entries[0], ("one", &deleted("2024-05-01T00:01:00Z"))]);
    let none = Options::default().with(|run| run.max_delete = None);
    refused("a deletion that is not wanted", &Notice { options: none, ..notice() }, &[("one", &deleted(LATER))]);
    let one = Options::default().with(|run| run.max_delete = Some(MaxDelete::Number(1)));
    let gone = deleted(LATER);
    refused("too many deletions", &Notice { options: one, ..notice() }, &[("one", &gone), ("two", &gone)]);
    assert!(notice().apply_bytes(&format!("{}other/", source.start()), &notice().bytes(&entries)).is_none());
    // A state is needed that the changes continue.
    let empty = Place::new("notified-empty");
    assert!(Notice::new(&source, &empty.copy()).apply(&entries).is_none());
    assert!(notice().apply(&entries).is_some(), "without a doubt they are applied");
}

#[test]
fn debts_and_several_sets_leave_the_decision_to_the_lists() {
    let (place, source) = copied("notified-debts");
    let folder = place.copy();
    let (two, late) = (created("2024-05-01T00:02:00Z"), created("2024-05-01T00:02:30Z"));
    publish(&source, "a", "2024-05-01T00:00:00Z", &["one"], &[("two", &two), ("late", &late)]);
    source.hide("/late");
    assert_eq!(run(&source, &folder).run.outcome, Outcome::Incomplete);
    let changed = created(LATER);
    assert!(Notice::new(&source, &folder).apply(&[("one", &changed)]).is_none());
    source.put("/late", "first");
    assert_eq!(run(&source, &folder).run.outcome, Outcome::InStep);
    assert!(Notice::new(&source, &folder).apply(&[("one", &changed)]).is_some());

    let (place, source) = (Place::new("notified-sets"), Source::new());
    ["/one", "/two", "/late"].into_iter().for_each(|path| source.put(path, "first"));
    describe(&source, &["a", "b"]);
    publish(&source, "a", "2024-05-01T00:00:00Z", &["one"], &[]);
    publish(&source, "b", "2024-05-01T00:00:00Z", &["two"], &[]);
    let all = Options::default().with(|run| run.max_delete = Some(MaxDelete::Percent(100)));
    assert_eq!(run_with(&source.start(), &place.copy(), &all).unwrap().run.outcome, Outcome::InStep);
    assert!(Notice::new(&source, &place.copy()).apply(&[("late", &created(LATER))]).is_none());
}

#[test]
fn what_could_not_be_fetched_is_no_debt_because_no_list_states_it() {
    let (place, source) = copied("notified-failed");
    let folder = place.copy();
    source.hide("/late");
    let gone = deleted(LATER);
    let report = Notice::new(&source, &folder).apply(&[("late", &created(LATER)), ("one", &gone)]).unwrap();
    // Deletions wait for everything else.
    assert_eq!((report.counts.failed, report.counts.deleted), (1, 0), "{report:?}");
    assert_eq!(names(&folder), ["one", "two"]);
    assert_eq!(run(&source, &folder).run.outcome, Outcome::InStep);
}
