//! The changes of a copy as a program gets them: all of them, durable before they are returned, and until they are acknowledged.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read},
    path::Path,
    sync::{Arc, Mutex},
};

use resourcesync::value::{Algorithm, Change, to_hex};
use resourcesync_client::{
    Cancel,
    destination::{
        AppliedChange, AuditOptions, AuditOutcome, Changes, CopiedResource, CopyStore, Keep, Options, StoredBytes,
        SyncError, audit_with, changes, pending,
    },
    folder::FolderError,
};
use resourcesync_sync::{Layout, conclude::Outcome};

use crate::source::{Place, Source, client, run, run_with, tree};

fn changed(source: &Source, folder: &Path) -> Changes {
    changed_with(source, folder, Keep::Folder)
}

fn changed_with(source: &Source, folder: &Path, keep: Keep) -> Changes {
    let options = Options { keep, ..Options::default() };
    changes(&source.start(), folder, &client(&source.start()), &options, &Cancel::default(), &mut |_| {}).unwrap()
}

fn waiting(folder: &Path) -> Changes {
    pending(folder, &Options::default(), &Cancel::default()).unwrap()
}

fn text(change: &AppliedChange) -> Option<String> {
    change.open().unwrap().map(|content| io::read_to_string(content).unwrap())
}

/// Changes by their kind, the path of the URI, and the bytes.
fn shown(changes: Changes) -> Vec<String> {
    let line = |change: AppliedChange| {
        let path = change.resource.uri.splitn(4, '/').nth(3).unwrap().to_owned();
        format!("{} {path} {}", change.change, text(&change).unwrap_or_default())
    };
    changes.map(|change| line(change.unwrap())).collect()
}

fn acknowledge_all(changes: Changes) {
    changes.for_each(|change| change.unwrap().done().unwrap());
}

#[test]
fn the_first_changes_are_everything_and_later_ones_what_happened_since() {
    let (place, source) = (Place::new("applied"), Source::new());
    source.lastmod("2024-05-01T00:00:00Z");
    (0..600).for_each(|number| source.put(&format!("/{number}"), format!("body {number}")));
    source.publish();
    let mut all = changed(&source, &place.copy());
    assert_eq!((all.total(), all.report().unwrap().run.outcome), (600, Outcome::InStep));
    let mut list: Vec<AppliedChange> = all.by_ref().map(Result::unwrap).collect();
    assert!(list.iter().all(|change| change.change == Change::Created));
    list.sort_by_key(|change| change.resource.uri.clone());
    let first = &list[0];
    assert_eq!((&*first.resource.uri, first.resource.length), (&*format!("{}0", source.start()), 6));
    assert_eq!(fs::read(place.copy().join(&first.resource.path)).unwrap(), b"body 0");
    assert_eq!(first.resource.hashes.get(&Algorithm::Sha256).map(to_hex).unwrap().len(), 64);
    assert_eq!(first.resource.lastmod.as_ref().unwrap().to_string(), "2024-05-01T00:00:00Z");
    assert_eq!(text(first).as_deref(), Some("body 0"));
    all.done(&list).unwrap();
    drop((all, list));
    source.put("/1", "new");
    source.put("/600", "created");
    source.remove("/2");
    source.publish();
    let mut lines = shown(changed(&source, &place.copy()));
    lines.sort();
    assert_eq!(lines, ["created 600 created", "deleted 2 ", "updated 1 new"]);
    acknowledge_all(changed(&source, &place.copy()));
    assert_eq!(shown(changed(&source, &place.copy())), [""; 0]);
}

#[test]
fn a_change_that_was_not_acknowledged_is_returned_again_in_its_newest_state() {
    let (place, source) = (Place::new("unacknowledged"), Source::new());
    for path in ["/a", "/b", "/c"] {
        source.put(path, "1");
    }
    source.publish();
    let mut lines = shown(changed(&source, &place.copy()));
    lines.sort();
    assert_eq!(lines, ["created a 1", "created b 1", "created c 1"]);
    // Nobody acknowledged these, so a new state of them is not an update of what is known.
    source.put("/a", "2");
    source.remove("/b");
    source.publish();
    let mut lines = shown(changed(&source, &place.copy()));
    lines.sort();
    assert_eq!(lines, ["created a 2", "created c 1", "deleted b "]);
    source.put("/b", "3");
    source.publish();
    run(&source, &place.copy());
    let mut lines = shown(waiting(&place.copy()));
    lines.sort();
    assert_eq!(lines, ["created a 2", "created b 3", "created c 1"]);
    acknowledge_all(waiting(&place.copy()));
    source.remove("/b");
    source.publish();
    assert_eq!(shown(changed(&source, &place.copy())), ["deleted b "]);
    source.put("/b", "4");
    source.publish();
    assert_eq!(shown(changed(&source, &place.copy())), ["updated b 4"]);
}

#[test]
fn a_late_acknowledgement_does_not_remove_a_later_change() {
    let (place, source) = (Place::new("late"), Source::new());
    source.put("/a", "1");
    source.publish();
    let old: Vec<AppliedChange> = changed(&source, &place.copy()).map(Result::unwrap).collect();
    assert!(matches!(
        changes(
            &source.start(),
            &place.copy(),
            &client(&source.start()),
            &Options::default(),
            &Cancel::default(),
            &mut |_| {}
        ),
        Err(SyncError::Folder(FolderError::Locked(_)))
    ));
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::Locked);
    let number = old[0].sequence();
    old[0].done().unwrap();
    drop(old);
    source.put("/a", "2");
    source.publish();
    let new: Vec<AppliedChange> = changed(&source, &place.copy()).map(Result::unwrap).collect();
    assert!(new[0].sequence() > number);
    assert_eq!(new[0].change, Change::Updated);
}

#[test]
fn what_was_copied_before_changes_were_recorded_is_returned_and_what_fails_is_not() {
    let (place, source) = (Place::new("recorded-later"), Source::new());
    source.put("/a", "1");
    source.put("/b", "2");
    source.publish();
    run(&source, &place.copy());
    source.put("/b", "3");
    source.put("/c", "4");
    source.publish();
    source.serve("/b", b"wrong");
    source.hide("/c");
    let found = changed(&source, &place.copy());
    assert_eq!(found.report().unwrap().run.outcome, Outcome::Incomplete);
    let mut lines = shown(found);
    lines.sort();
    assert_eq!(lines, ["created a 1", "created b 2"]);
    acknowledge_all(waiting(&place.copy()));
    source.serve("/b", b"3");
    source.put("/c", "4");
    let mut lines = shown(changed(&source, &place.copy()));
    lines.sort();
    assert_eq!(lines, ["created c 4", "updated b 3"]);
}

#[test]
fn a_new_name_of_a_file_is_a_change_and_new_metadata_is_none() {
    let (place, source) = (Place::new("renamed"), Source::new());
    source.put("/A.txt", "1");
    source.publish();
    acknowledge_all(changed(&source, &place.copy()));
    source.lastmod("2024-06-01T00:00:00Z");
    source.publish();
    assert_eq!(shown(changed(&source, &place.copy())), [""; 0]);
    let relayout = Options::default().with(|run| {
        run.placing.relayout = true;
        run.placing.layout = Some(Layout::Portable);
    });
    run_with(&source.start(), &place.copy(), &relayout).unwrap();
    let found: Vec<AppliedChange> = waiting(&place.copy()).map(Result::unwrap).collect();
    let [change] = &found[..] else { panic!("{found:?}") };
    assert_eq!((change.change, text(change).as_deref()), (Change::Updated, Some("1")));
    assert!(change.resource.path.ends_with("/^a.txt"), "{}", change.resource.path);
}

#[test]
fn a_file_that_somebody_changed_is_not_read_as_verified() {
    let (place, source) = (Place::new("tampered"), Source::new());
    source.put("/a", "1");
    source.publish();
    drop(changed(&source, &place.copy()));
    let mut found = waiting(&place.copy());
    let change = found.next().unwrap().unwrap();
    fs::write(place.copy().join(&change.resource.path), "2").unwrap();
    let error = io::read_to_string(change.open().unwrap().unwrap()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    drop((change, found));
    // It is fetched again by a run that compares the files, and is still pending.
    run_with(&source.start(), &place.copy(), &Options::default().with(|run| run.reading.full = true)).unwrap();
    assert_eq!(shown(waiting(&place.copy())), ["created a 1"]);
}

#[test]
fn a_state_that_is_made_again_returns_everything_again() {
    let (place, source) = (Place::new("remade"), Source::new());
    source.put("/a", "1");
    source.publish();
    acknowledge_all(changed(&source, &place.copy()));
    let rebuild = Options::default().with(|run| run.placing.rebuild = true);
    run_with(&source.start(), &place.copy(), &rebuild).unwrap();
    assert_eq!(shown(waiting(&place.copy())), ["created a 1"]);
}

#[test]
fn a_folder_that_is_no_copy_has_no_changes() {
    let place = Place::new("no-copy");
    assert!(matches!(pending(&place.0, &Options::default(), &Cancel::default()), Err(SyncError::NotACopy)));
    assert_eq!(fs::read_dir(&place.0).unwrap().count(), 0);
}

/// A store that fails before or after it stores the bytes of some resources, and what it was given.
#[derive(Debug, Clone, Default)]
struct Memory(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    held: BTreeMap<String, Vec<u8>>,
    uris: Vec<String>,
    fails_before: Option<String>,
    fails_after: Option<String>,
}

impl Memory {
    fn keep(&self) -> Keep {
        Keep::store(self.clone())
    }

    fn bodies(&self) -> Vec<String> {
        let state = self.0.lock().unwrap();
        state.held.values().map(|body| String::from_utf8(body.clone()).unwrap()).collect()
    }
}

impl CopyStore for Memory {
    fn look(&mut self, path: &str) -> io::Result<Option<StoredBytes>> {
        let held = self.0.lock().unwrap().held.get(path).map(Vec::len);
        Ok(held.map(|length| StoredBytes { length: length as u64, version: None }))
    }

    fn put(&mut self, resource: &CopiedResource, mut bytes: fs::File) -> io::Result<Option<String>> {
        let mut state = self.0.lock().unwrap();
        let fails = |on: &Option<String>| on.as_ref().is_some_and(|on| resource.uri.ends_with(on));
        if fails(&state.fails_before) {
            return Err(io::Error::other("no"));
        }
        let mut body = Vec::new();
        bytes.read_to_end(&mut body)?;
        assert_eq!(body.len() as u64, resource.length);
        state.held.insert(resource.path.clone(), body);
        state.uris.push(resource.uri.clone());
        if fails(&state.fails_after) { Err(io::Error::other("no")) } else { Ok(None) }
    }

    fn open(&mut self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        let body = self.0.lock().unwrap().held.get(path).cloned().ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(io::Cursor::new(body)))
    }

    fn remove(&mut self, _: &str, path: &str) -> io::Result<()> {
        self.0.lock().unwrap().held.remove(path);
        Ok(())
    }
}

fn run_in(source: &Source, folder: &Path, keep: Keep) -> resourcesync_sync::report::Report {
    run_with(&source.start(), folder, &Options { keep, ..Options::default() }).unwrap()
}

fn audited(folder: &Path, keep: Keep) -> (AuditOutcome, u64) {
    let options = AuditOptions { keep, ..AuditOptions::default() };
    let audit = audit_with(folder, None, &options, &Cancel::default(), &mut |_| {}).unwrap();
    (audit.outcome, audit.compared.equal)
}

#[test]
fn a_store_of_the_program_holds_what_the_source_lists() {
    let (place, source, store) = (Place::new("store"), Source::new(), Memory::default());
    (0..50).for_each(|number| source.put(&format!("/{number}"), format!("old {number}")));
    source.put("/a/b", "below");
    source.put("/a", "above");
    source.publish();
    let found = changed_with(&source, &place.copy(), store.keep());
    assert_eq!((found.report().unwrap().run.outcome, found.total()), (Outcome::InStep, 52));
    for change in found {
        let change = change.unwrap();
        assert_eq!(text(&change).unwrap().len() as u64, change.resource.length);
        change.done().unwrap();
    }
    assert_eq!((store.bodies().len(), tree(&place.copy())), (52, vec![]));
    assert_eq!(audited(&place.copy(), store.keep()), (AuditOutcome::Equal, 52));
    source.put("/1", "new");
    source.remove("/2");
    source.publish();
    assert_eq!(run_in(&source, &place.copy(), store.keep()).run.outcome, Outcome::InStep);
    assert!(store.bodies().contains(&"new".to_owned()) && !store.bodies().contains(&"old 2".to_owned()));
    // What somebody else changes in it is found, and fetched again.
    *store.0.lock().unwrap().held.values_mut().find(|body| **body == b"old 3").unwrap() = b"OLD 3".to_vec();
    assert_eq!(audited(&place.copy(), store.keep()), (AuditOutcome::Different, 50));
    store.0.lock().unwrap().held.retain(|_, body| body != b"OLD 3");
    let baseline = Options { keep: store.keep(), ..Options::default() }.with(|run| run.reading.full = true);
    assert_eq!(run_with(&source.start(), &place.copy(), &baseline).unwrap().counts.updated, 1);
    assert_eq!(audited(&place.copy(), store.keep()), (AuditOutcome::Equal, 51));
    // The guards are the same.
    (0..30).for_each(|number| source.remove(&format!("/{number}")));
    source.publish();
    assert_eq!(run_in(&source, &place.copy(), store.keep()).run.outcome, Outcome::Refused);
    assert_eq!(store.bodies().len(), 51);
}

#[test]
fn a_store_that_fails_before_or_after_it_has_stored_ends_the_run_and_the_next_one_continues() {
    for after in [false, true] {
        let (place, source, store) = (Place::new(&format!("store-fails-{after}")), Source::new(), Memory::default());
        (0..20).for_each(|number| source.put(&format!("/{number:02}"), format!("old {number}")));
        source.publish();
        assert_eq!(run_in(&source, &place.copy(), store.keep()).run.outcome, Outcome::InStep);
        (0..20).for_each(|number| source.put(&format!("/{number:02}"), format!("new {number}")));
        source.publish();
        let fails = Some("/07".to_owned());
        if after {
            store.0.lock().unwrap().fails_after = fails;
        } else {
            store.0.lock().unwrap().fails_before = fails;
        }
        let report = run_in(&source, &place.copy(), store.keep());
        assert_eq!((report.run.outcome, &*report.diagnostics[0].code), (Outcome::Failed, "SYN-15"));
        assert_eq!(store.bodies().contains(&"new 7".to_owned()), after);
        (store.0.lock().unwrap().fails_before, store.0.lock().unwrap().fails_after) = (None, None);
        assert_eq!(run_in(&source, &place.copy(), store.keep()).run.outcome, Outcome::InStep);
        assert!(store.bodies().iter().all(|body| body.starts_with("new")), "{:?}", store.bodies());
        assert_eq!(audited(&place.copy(), store.keep()), (AuditOutcome::Equal, 20));
        assert_eq!(fs::read_dir(place.copy().join(".resourcesync/staging")).unwrap().count(), 0);
    }
}

#[test]
fn bytes_that_are_kept_until_they_are_acknowledged_are_removed_and_not_fetched_again() {
    let (place, source) = (Place::new("until-done"), Source::new());
    (0..20).for_each(|number| source.put(&format!("/a/{number}"), format!("old {number}")));
    source.publish();
    let found = changed_with(&source, &place.copy(), Keep::UntilDone);
    let mut done = 0;
    for change in found {
        let change = change.unwrap();
        assert!(text(&change).unwrap().starts_with("old"));
        if change.resource.uri.ends_with("/a/7") {
            continue;
        }
        change.done().unwrap();
        done += 1;
    }
    assert_eq!((done, tree(&place.copy()).len()), (19, 1));
    assert_eq!(audited(&place.copy(), Keep::UntilDone), (AuditOutcome::Equal, 20));
    source.put("/a/1", "new");
    source.remove("/a/2");
    source.publish();
    source.clear_log();
    let mut lines = shown(changed_with(&source, &place.copy(), Keep::UntilDone));
    lines.sort();
    assert_eq!(lines, ["created a/7 old 7", "deleted a/2 ", "updated a/1 new"]);
    assert_eq!(source.log().iter().filter(|path| path.starts_with("/a/")).count(), 1);
    acknowledge_all(changed_with(&source, &place.copy(), Keep::UntilDone));
    assert_eq!(tree(&place.copy()), []);
    // A copy that keeps its bytes elsewhere is another one.
    let error = run_with(&source.start(), &place.copy(), &Options::default()).unwrap_err();
    assert!(matches!(error, SyncError::OtherStore { held } if held == "until-done"));
}
