//! Listed versions that are kept in the history of a copy.

use std::{fs, path::PathBuf, sync::Arc};

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_client::{
    Cancel,
    destination::{AuditOutcome, Options, audit, sync},
    http::{Client, ClientOptions, Policy},
};
use resourcesync_sync::{
    conclude::Outcome,
    report::{BytesFrom, Doing, Done, ItemCode, PlanKind, Report},
    selection::Selection,
};
use rusqlite::Connection;

use crate::source::{Place, Source, document, tree};

/// A state of a resource: its name, its body, and its memento.
type State<'a> = (&'a str, &'a str, &'a str);

fn md(body: &str) -> String {
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(body.as_bytes());
    format!(r#"hash="{}" length="{}""#, digester.finish(), body.len())
}

fn entry(source: &Source, (name, body, memento): State<'_>, more: &str) -> String {
    let href = if memento.contains("://") { memento.to_owned() } else { format!("{}{memento}", source.start()) };
    let link = if memento.is_empty() { String::new() } else { format!(r#"<rs:ln rel="memento" href="{href}"/>"#) };
    format!("<url><loc>{}{name}</loc><rs:md {more} {}/>{link}</url>", source.start(), md(body))
}

fn page(source: &Source, head: &str, entries: &[String]) -> Vec<u8> {
    let empty = String::from_utf8(document(source, head, &[])).unwrap();
    empty.replace("</urlset>", &format!("{}</urlset>", entries.concat())).into_bytes()
}

/// Publishes a Resource List, and the changes since.
fn publish(source: &Source, listed: &[State<'_>], changes: &[State<'_>]) {
    let listed: Vec<String> = listed.iter().map(|state| entry(source, *state, "")).collect();
    let change = |(state, minute): (&State<'_>, usize)| {
        entry(source, *state, &format!(r#"change="updated" datetime="2024-05-01T00:{minute:02}:00Z""#))
    };
    let changes: Vec<String> = changes.iter().zip(1..).map(change).collect();
    publish_entries(source, &listed, &changes);
}

fn publish_entries(source: &Source, listed: &[String], changes: &[String]) {
    source.publish();
    let lists =
        [("resourcelist.xml", r#"capability="resourcelist""#), ("changelist.xml", r#"capability="changelist""#)];
    source.serve("/capabilitylist.xml", &document(source, r#"capability="capabilitylist""#, &lists));
    let head = r#"capability="resourcelist" at="2024-05-01T00:00:00Z""#;
    source.serve("/resourcelist.xml", &page(source, head, listed));
    let head = r#"capability="changelist" from="2024-05-01T00:00:00Z""#;
    source.serve("/changelist.xml", &page(source, head, changes));
}

fn options() -> Options {
    Options::default().with(|run| run.fetching.keeps_versions = true)
}

fn run_with(source: &Source, allowed: &[&Source], place: &Place, options: &Options) -> Report {
    let mut policy = Policy::default();
    policy.start(&source.start()).unwrap();
    allowed.iter().for_each(|other| policy.allow(other.host()).unwrap());
    (policy.limits.http_requests_per_second, policy.limits.http_retries) = (0, 0);
    let client = Arc::new(Client::new(policy, ClientOptions::default()).unwrap());
    sync(&source.start(), &place.copy(), &client, options, &Cancel::default(), &mut |_| {}).unwrap()
}

fn run(source: &Source, place: &Place) -> Report {
    run_with(source, &[], place, &options())
}

fn history(place: &Place) -> PathBuf {
    place.copy().join(".resourcesync/history")
}

/// The versions: the ends of their names, and their bytes.
fn kept(place: &Place) -> Vec<(String, String)> {
    let file = |(name, body): (String, Vec<u8>)| {
        (name.split_once('/').unwrap().1.to_owned(), String::from_utf8(body).unwrap())
    };
    tree(&history(place)).into_iter().map(file).collect()
}

fn files(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(name, body)| ((*name).to_owned(), (*body).to_owned())).collect()
}

fn serve(source: &Source, pages: &[(&str, &str)]) {
    pages.iter().for_each(|(path, body)| source.serve(path, body.as_bytes()));
}

#[test]
fn every_listed_version_is_kept_and_not_only_the_last_one() {
    let (place, source) = (Place::new("history"), Source::new());
    serve(&source, &[("/a", "one"), ("/m/1", "one"), ("/m/2", "two"), ("/m/3", "three")]);
    publish(&source, &[("a", "one", "m/1")], &[]);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 1), "{report:?}");
    let item = report.items.iter().find(|item| item.action == Doing::Archive).unwrap();
    assert_eq!((item.result, item.bytes_from), (Done::Done, Some(BytesFrom::Memento)));
    assert!(place.copy().join(item.path.as_ref().unwrap()).is_file());
    // Two changes, of which the copy needs only the last.
    serve(&source, &[("/a", "three")]);
    publish(&source, &[("a", "one", "m/1")], &[("a", "two", "m/2"), ("a", "three", "m/3")]);
    source.clear_log();
    let report = run(&source, &place);
    assert_eq!(report.plan.unwrap().kind, PlanKind::Changes);
    assert_eq!(
        (report.run.outcome, report.counts.updated, report.counts.archived),
        (Outcome::InStep, 1, 2),
        "{report:?}"
    );
    assert_eq!(kept(&place), files(&[("m/1", "one"), ("m/2", "two"), ("m/3", "three")]));
    // What is kept is not requested again, also where everything is compared.
    source.clear_log();
    let report = run_with(&source, &[], &place, &options().with(|run| run.reading.full = true));
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 0), "{report:?}");
    assert!(!source.log().iter().any(|path| path.starts_with("/m/")), "{:?}", source.log());
    assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().outcome, AuditOutcome::Equal);
    // A resource that is deleted keeps its history.
    publish_entries(
        &source,
        &[],
        &[format!(
            r#"<url><loc>{}a</loc><rs:md change="deleted" datetime="2024-05-01T00:09:00Z"/></url>"#,
            source.start()
        )],
    );
    assert_eq!(run(&source, &place).counts.deleted, 1);
    assert_eq!(kept(&place).len(), 3);
}

#[test]
fn a_version_with_the_bytes_of_a_stored_file_is_copied_without_a_request() {
    let (place, source) = (Place::new("history-local"), Source::new());
    serve(&source, &[("/a", "one"), ("/m/1", "one")]);
    publish(&source, &[("a", "one", "m/1")], &[]);
    let report = run_with(&source, &[], &place, &Options::default());
    assert_eq!((report.run.outcome, report.counts.archived, history(&place).exists()), (Outcome::InStep, 0, false));
    source.clear_log();
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 1), "{report:?}");
    assert!(!source.log().contains(&"/m/1".to_owned()));
    assert_eq!(kept(&place), files(&[("m/1", "one")]));
}

#[test]
fn only_bytes_with_the_listed_digest_are_kept() {
    let (place, source) = (Place::new("history-verified"), Source::new());
    serve(&source, &[("/a", "last a"), ("/b", "last b"), ("/c", "six"), ("/m/a", "ONE"), ("/m/c", "six")]);
    let states = [
        entry(&source, ("a", "one", "m/a"), ""),
        entry(&source, ("b", "two", "m/b"), ""),
        // Nothing shows that its memento is the listed version.
        entry(&source, ("c", "six", "m/c"), "").replace(&md("six"), r#"length="3""#),
    ];
    let changed = r#"change="updated" datetime="2024-05-01T00:01:00Z""#;
    let changes = [("a", "last a", ""), ("b", "last b", "")].map(|state| entry(&source, state, changed));
    publish_entries(&source, &states, &changes);
    let report = run(&source, &place);
    assert_eq!(
        (report.run.outcome, report.counts.created, report.counts.failed),
        (Outcome::Incomplete, 3, 2),
        "{report:?}"
    );
    let mut codes: Vec<_> = report.items.iter().filter_map(|item| item.code).collect();
    codes.sort();
    assert_eq!((codes, kept(&place)), (vec![ItemCode::Digest, ItemCode::Missing], vec![]));
    // What is not there any more is not tried again; other bytes may be a failure of the moment.
    source.clear_log();
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.failed), (Outcome::Incomplete, 1), "{report:?}");
    assert!(!source.log().contains(&"/m/b".to_owned()));
    serve(&source, &[("/m/a", "one")]);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(kept(&place), files(&[("m/a", "one")]));
}

#[test]
fn versions_at_hosts_that_are_not_allowed_wait_and_are_named() {
    let (place, source, archive) = (Place::new("history-hosts"), Source::new(), Source::new());
    serve(&source, &[("/a", "one")]);
    serve(&archive, &[("/m/a", "one")]);
    let memento = format!("{}m/a", archive.start());
    publish(&source, &[("a", "one", &memento), ("b", "two", "ftp://a.example/b")], &[]);
    serve(&source, &[("/b", "two")]);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 0), "{report:?}");
    assert_eq!(report.diagnostics.iter().map(|finding| &*finding.code).collect::<Vec<_>>(), ["SYN-24"]);
    assert_eq!(archive.log(), Vec::<String>::new());
    source.serve("/a", b"gone");
    let ledger = Connection::open(place.copy().join(".resourcesync/state.sqlite")).unwrap();
    ledger.execute("UPDATE resource SET sha256='', hash=NULL", []).unwrap();
    drop(ledger);
    let report = run_with(&source, &[&archive], &place, &options());
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 1), "{report:?}");
}

#[test]
fn what_is_not_selected_has_no_history() {
    let (place, source) = (Place::new("history-selected"), Source::new());
    serve(&source, &[("/a", "one"), ("/b", "two"), ("/m/a", "one"), ("/m/b", "two"), ("/m/bb", "2")]);
    publish(&source, &[("a", "one", "m/a"), ("b", "two", "m/b")], &[("b", "2", "m/bb")]);
    let selection = Selection { include: vec!["a".to_owned()], ..Selection::default() };
    let report = run_with(&source, &[], &place, &options().with(|run| run.selection = selection));
    assert_eq!((report.run.outcome, kept(&place)), (Outcome::InStep, files(&[("m/a", "one")])), "{report:?}");
}

#[test]
fn nothing_in_the_history_is_overwritten() {
    let (place, source) = (Place::new("history-names"), Source::new());
    serve(&source, &[("/a", "one"), ("/b", "two"), ("/c", "six"), ("/m", "one"), ("/m/b", "two"), ("/n", "six")]);
    publish(&source, &[("a", "one", "m"), ("b", "two", "m/b"), ("c", "six", "n")], &[]);
    // A file of others has the name of a version.
    let host = source.host().replace(':', "^");
    fs::create_dir_all(history(&place).join(&host)).unwrap();
    fs::write(history(&place).join(&host).join("n"), "mine").unwrap();
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 3), "{report:?}");
    let bodies = |place: &Place| {
        let mut bodies: Vec<String> = kept(place).into_iter().map(|(_, body)| body).collect();
        bodies.sort();
        bodies
    };
    assert_eq!(bodies(&place), ["mine", "one", "six", "two"]);
    // A memento that has the bytes of a later state now: both are kept.
    serve(&source, &[("/a", "later"), ("/m", "later")]);
    publish(&source, &[("a", "one", "m"), ("b", "two", "m/b"), ("c", "six", "n")], &[("a", "later", "m")]);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(bodies(&place), ["later", "mine", "one", "six", "two"]);
    // Where all names are taken the version is not kept.
    let taken: Vec<PathBuf> = tree(&history(&place)).iter().map(|(name, _)| history(&place).join(name)).collect();
    taken.iter().for_each(|file| fs::write(file, "mine").unwrap());
    let ledger = Connection::open(place.copy().join(".resourcesync/state.sqlite")).unwrap();
    ledger.execute("DELETE FROM version WHERE memento LIKE '%/n'", []).unwrap();
    drop(ledger);
    let report = run_with(&source, &[], &place, &options().with(|run| run.reading.full = true));
    assert_eq!((report.run.outcome, report.counts.failed), (Outcome::Incomplete, 1), "{report:?}");
    assert_eq!(bodies(&place), ["mine"; 5]);
}

#[test]
fn a_version_that_a_killed_run_moved_and_did_not_record_is_recorded_by_the_next() {
    let (place, source) = (Place::new("history-killed"), Source::new());
    serve(&source, &[("/a", "one"), ("/m/1", "one")]);
    publish(&source, &[("a", "one", "m/1")], &[]);
    run(&source, &place);
    let ledger = Connection::open(place.copy().join(".resourcesync/state.sqlite")).unwrap();
    ledger.execute_batch("DELETE FROM version").unwrap();
    let (file, _) = tree(&history(&place)).remove(0);
    let before = fs::metadata(history(&place).join(&file)).unwrap().modified().unwrap();
    let report = run_with(&source, &[], &place, &options().with(|run| run.reading.full = true));
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(fs::metadata(history(&place).join(&file)).unwrap().modified().unwrap(), before);
    let (path, size): (String, u64) =
        ledger.query_row("SELECT path, size FROM version", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!((path, size), (format!(".resourcesync/history/{file}"), 3));
    // Nothing stays in staging.
    assert_eq!(fs::read_dir(place.copy().join(".resourcesync/staging")).unwrap().count(), 0);
}

#[test]
fn the_limits_of_a_run_hold_for_its_versions_and_the_next_run_continues() {
    let (place, source) = (Place::new("history-limits"), Source::new());
    serve(&source, &[("/a", "xxxx"), ("/m/1", "1111"), ("/m/2", "2222"), ("/m/3", "xxxx")]);
    let changes = [("a", "1111", "m/1"), ("a", "2222", "m/2"), ("a", "xxxx", "m/3")];
    publish(&source, &[("a", "0000", "")], &changes);
    let few = options().with(|run| run.fetching.max_bytes = Some(8));
    let report = run_with(&source, &[], &place, &few);
    // What is copied from a file of the copy costs no bytes.
    let first = report.counts.archived;
    assert!(report.run.outcome == Outcome::Incomplete && (1..3).contains(&first), "{report:?}");
    assert!(report.diagnostics.iter().any(|finding| finding.code == "SYN-14"), "{report:?}");
    // What is to be kept is known although the changes are not read again.
    source.clear_log();
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 3 - first), "{report:?}");
    assert_eq!(kept(&place), files(&[("m/1", "1111"), ("m/2", "2222"), ("m/3", "xxxx")]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_copy_of_generations_keeps_its_history() {
    let (place, source) = (Place::new("history-whole"), Source::new());
    serve(&source, &[("/a", "one"), ("/m/1", "one"), ("/m/2", "two")]);
    publish(&source, &[("a", "one", "m/1")], &[]);
    let whole = options().with(|run| run.placing.whole = true);
    assert_eq!(run_with(&source, &[], &place, &whole).run.outcome, Outcome::InStep);
    serve(&source, &[("/a", "two")]);
    publish(&source, &[("a", "one", "m/1")], &[("a", "two", "m/2")]);
    let report = run_with(&source, &[], &place, &whole);
    assert_eq!((report.run.outcome, report.counts.archived), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(kept(&place), files(&[("m/1", "one"), ("m/2", "two")]));
}
