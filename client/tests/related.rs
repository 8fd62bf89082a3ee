//! Metadata and other representations that entries link to, and no list contains.

use std::{fmt::Write as _, fs, path::Path, sync::Arc};

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_client::{
    Cancel,
    destination::{AuditOptions, AuditOutcome, Options, Sign, audit_with, sync},
    http::{Client, ClientOptions, Policy},
};
use resourcesync_sync::{
    conclude::Outcome,
    guard::MaxDelete,
    related::Related,
    report::{ItemCode, PlanKind, Report},
    selection::Selection,
};
use rusqlite::Connection;

use crate::source::{Place, Source, tree};

const HEAD: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

/// A link to a resource on the same server: its relation, its path and further attributes.
type Link<'a> = (&'a str, &'a str, &'a str);

/// An entry: its path, attributes of `rs:md`, and its links; relative hrefs are of this Source.
fn entry(source: &Source, path: &str, md: &str, links: &[Link<'_>]) -> String {
    let mut text = format!("<url><loc>{}{path}</loc><rs:md {md}/>", source.start());
    for (rel, href, more) in links {
        let href = if href.contains("://") { (*href).to_owned() } else { format!("{}{href}", source.start()) };
        write!(text, r#"<rs:ln rel="{rel}" href="{href}" {more}/>"#).unwrap();
    }
    text + "</url>"
}

fn page(head: &str, entries: &[String]) -> Vec<u8> {
    format!("<urlset {HEAD}><rs:md {head}/>{}</urlset>", entries.concat()).into_bytes()
}

/// Publishes a Resource List and, if there are changes, a Change List.
fn publish(source: &Source, minute: u32, listed: &[String], changes: Option<&[String]>) {
    source.publish();
    let start = source.start();
    let capability =
        |path: &str, kind: &str| format!(r#"<url><loc>{start}{path}</loc><rs:md capability="{kind}"/></url>"#);
    let mut lists = vec![capability("resourcelist.xml", "resourcelist")];
    if let Some(changes) = changes {
        lists.push(capability("changelist.xml", "changelist"));
        let head = r#"capability="changelist" from="2024-05-01T00:00:00Z""#;
        source.serve("/changelist.xml", &page(head, changes));
    }
    source.serve("/capabilitylist.xml", &page(r#"capability="capabilitylist""#, &lists));
    let head = format!(r#"capability="resourcelist" at="2024-05-01T00:{minute:02}:00Z""#);
    source.serve("/resourcelist.xml", &page(&head, listed));
}

/// Listed digest and length of a body.
fn md(body: &str) -> String {
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(body.as_bytes());
    format!(r#"hash="{}" length="{}""#, digester.finish(), body.len())
}

fn metadata() -> Related {
    Related { metadata: true, alternates: Vec::new() }
}

fn client(source: &Source, allowed: &[&Source]) -> Arc<Client> {
    let mut policy = Policy::default();
    policy.start(&source.start()).unwrap();
    allowed.iter().for_each(|other| policy.allow(other.host()).unwrap());
    (policy.limits.http_requests_per_second, policy.limits.http_retries) = (0, 0);
    Arc::new(Client::new(policy, ClientOptions::default()).unwrap())
}

fn with(related: Related) -> Options {
    Options::default().with(|run| {
        run.related = related;
        run.max_delete = Some(MaxDelete::Percent(100));
    })
}

fn run_with(source: &Source, allowed: &[&Source], place: &Place, options: &Options) -> Report {
    let client = client(source, allowed);
    sync(&source.start(), &place.copy(), &client, options, &Cancel::default(), &mut |_| {}).unwrap()
}

fn run(source: &Source, place: &Place) -> Report {
    run_with(source, &[], place, &with(metadata()))
}

/// The last segments of the names of the files.
fn names(place: &Place) -> Vec<String> {
    tree(&place.copy()).into_iter().map(|(name, _)| name.rsplit('/').next().unwrap().to_owned()).collect()
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|finding| &*finding.code).collect()
}

fn audited(source: &Source, folder: &Path, download: bool) -> (AuditOutcome, Vec<(Sign, String)>) {
    let options = AuditOptions { download, ..AuditOptions::default() };
    let client = client(source, &[]);
    let found = audit_with(folder, Some(&client), &options, &Cancel::default(), &mut |_| {}).unwrap();
    let name = |uri: &str| uri.rsplit('/').next().unwrap().to_owned();
    let list = found.compared.differences.iter().map(|difference| (difference.sign, name(&difference.uri)));
    (found.outcome, list.collect())
}

/// A Source with `a` and `b`, which share the metadata `both`, and have metadata of their own.
fn shared(name: &str) -> (Place, Source, Vec<String>) {
    let (place, source) = (Place::new(name), Source::new());
    for path in ["/a", "/b", "/a.xml", "/b.xml", "/both.xml"] {
        source.serve(path, path.as_bytes());
    }
    let listed = ["a", "b"].map(|name| {
        let own = format!("{name}.xml");
        let state = md(&format!("/{own}"));
        let links = [("describedby", &*own, &*state), ("describedby", "both.xml", ""), ("alternate", "a.txt", "")];
        entry(&source, name, &md(&format!("/{name}")), &links)
    });
    publish(&source, 0, &listed, None);
    (place, source, listed.to_vec())
}

#[test]
fn metadata_that_no_list_contains_is_copied_and_audited() {
    let (place, source, _) = shared("related");
    let report = run_with(&source, &[], &place, &Options::default());
    assert_eq!((report.run.outcome, names(&place)), (Outcome::InStep, vec!["a".to_owned(), "b".to_owned()]));
    // The option applies to what is stored already, although no document changed.
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.created, report.counts.unchanged), (Outcome::InStep, 3, 2));
    assert_eq!((report.verified.digest, report.verified.nothing), (2, 1), "{report:?}");
    assert_eq!(names(&place), ["a", "a.xml", "b", "b.xml", "both.xml"]);
    source.clear_log();
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.unchanged), (Outcome::InStep, 5), "{report:?}");
    assert!(!source.log().iter().any(|path| path.ends_with("both.xml")), "{:?}", source.log());
    // Nothing is listed of the shared one, so that only its server shows whether it is equal.
    let unverifiable = vec![(Sign::Unverifiable, "both.xml".to_owned())];
    assert_eq!(audited(&source, &place.copy(), false), (AuditOutcome::Undetermined, unverifiable));
    assert_eq!(audited(&source, &place.copy(), true), (AuditOutcome::Equal, vec![]));
    // Without the option it is what no list contains.
    let report = run_with(&source, &[], &place, &with(Related::default()));
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 3), "{report:?}");
    assert_eq!(names(&place), ["a", "b"]);
    assert_eq!(audited(&source, &place.copy(), false), (AuditOutcome::Equal, vec![]));
}

#[test]
fn an_audit_compares_with_what_links_state_and_misses_what_was_not_fetched() {
    let (place, source, mut listed) = shared("related-audit");
    source.serve("/both.xml", b"/both.xml");
    run(&source, &place);
    source.serve("/a.xml", b"other");
    listed[0] = entry(&source, "a", &md("/a"), &[("describedby", "a.xml", &md("other")), ("describedby", "c.xml", "")]);
    publish(&source, 1, &listed, None);
    let (outcome, differences) = audited(&source, &place.copy(), false);
    let expected = [(Sign::Behind, "a.xml"), (Sign::Unverifiable, "both.xml"), (Sign::Missing, "c.xml")];
    assert_eq!(outcome, AuditOutcome::Different);
    assert_eq!(differences, expected.map(|(sign, name)| (sign, name.to_owned())));
}

#[test]
fn of_other_representations_those_of_the_named_types_are_copied() {
    let (place, source) = (Place::new("related-alternates"), Source::new());
    for path in ["/a", "/a.txt", "/a.html", "/a.xml"] {
        source.serve(path, path.as_bytes());
    }
    let links = [
        ("alternate", "a.txt", r#"type="text/plain""#),
        ("alternate", "a.html", r#"type="text/html""#),
        ("describedby", "a.xml", r#"type="text/plain""#),
    ];
    publish(&source, 0, &[entry(&source, "a", &md("/a"), &links)], None);
    let alternates = Related { metadata: false, alternates: vec!["text/plain".to_owned()] };
    let report = run_with(&source, &[], &place, &with(alternates));
    assert_eq!((report.run.outcome, names(&place)), (Outcome::InStep, vec!["a".to_owned(), "a.txt".to_owned()]));
}

#[test]
fn what_is_listed_itself_is_a_resource_of_the_list() {
    let (place, source) = (Place::new("related-listed"), Source::new());
    for path in ["/a", "/a.xml"] {
        source.serve(path, path.as_bytes());
    }
    // The link states another digest than the entry of the metadata.
    let links = [("describedby", "a.xml", &*md("other"))];
    let a = entry(&source, "a", &md("/a"), &links);
    let own = entry(&source, "a.xml", r#"type="application/xml" length="6""#, &[]);
    publish(&source, 0, &[a.clone(), own.clone()], None);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.verified.length), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(audited(&source, &place.copy(), false), (AuditOutcome::Equal, vec![]));
    // Where the list has it and it is not selected, it is not fetched because of the link.
    let place = Place::new("related-listed-unselected");
    let mut options = with(metadata());
    options.settings.selection =
        Selection { exclude: vec!["none".to_owned()], max_length: Some(5), ..Selection::default() };
    let report = run_with(&source, &[], &place, &options);
    assert_eq!((report.counts.created, report.counts.skipped, names(&place)), (1, 1, vec!["a".to_owned()]));
}

#[test]
fn the_selection_is_of_entries_and_excludes_related_resources() {
    let (place, source) = (Place::new("related-selected"), Source::new());
    for path in ["/a", "/b", "/a.xml", "/a.tmp", "/b.xml"] {
        source.serve(path, path.as_bytes());
    }
    let a = entry(&source, "a", &md("/a"), &[("describedby", "a.xml", ""), ("describedby", "a.tmp", "")]);
    let b = entry(&source, "b", &md("/b"), &[("describedby", "b.xml", "")]);
    publish(&source, 0, &[a, b], None);
    let mut options = with(metadata());
    options.settings.selection =
        Selection { include: vec!["a".to_owned()], exclude: vec!["*.tmp".to_owned()], ..Selection::default() };
    let report = run_with(&source, &[], &place, &options);
    assert_eq!((report.run.outcome, names(&place)), (Outcome::InStep, vec!["a".to_owned(), "a.xml".to_owned()]));
}

#[test]
fn nothing_is_requested_from_a_host_that_is_not_allowed() {
    let (place, source, other) = (Place::new("related-hosts"), Source::new(), Source::new());
    source.serve("/a", b"/a");
    other.serve("/m.xml", b"metadata");
    let href = format!("{}m.xml", other.start());
    let publish = |minute| {
        let links = [("describedby", &*href, ""), ("describedby", "ftp://a.example/m.xml", "")];
        publish(&source, minute, &[entry(&source, "a", &md("/a"), &links)], None);
    };
    publish(0);
    let dry = with(metadata()).with(|run| run.dry_run = true);
    for options in [dry, with(metadata())] {
        let report = run_with(&source, &[], &place, &options);
        assert_eq!((report.counts.failed, report.counts.skipped), (0, 1), "{report:?}");
        assert_eq!(codes(&report), ["SYN-24"]);
        assert!(report.diagnostics[0].message.contains(&href), "{:?}", report.diagnostics);
    }
    assert_eq!(run(&source, &place).run.outcome, Outcome::InStep);
    assert_eq!(other.log(), Vec::<String>::new());
    assert_eq!(audited(&source, &place.copy(), false), (AuditOutcome::Equal, vec![]));
    // Each run names it until it is allowed; then the next one fetches it, also if nothing has changed. It stays when it no longer is.
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, codes(&report)), (Outcome::InStep, vec!["SYN-24"]));
    let report = run_with(&source, &[&other], &place, &with(metadata()));
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::InStep, 1), "{report:?}");
    publish(2);
    let report = run(&source, &place);
    assert_eq!(
        (report.run.outcome, report.counts.deleted, report.counts.unchanged),
        (Outcome::InStep, 0, 2),
        "{report:?}"
    );
    let mut names = names(&place);
    // They are in folders of different hosts.
    names.sort();
    assert_eq!(names, ["a", "m.xml"]);
}

#[test]
fn a_related_resource_that_fails_is_tried_again_and_blocks_no_deletion() {
    let (place, source, listed) = shared("related-failed");
    source.hide("/a.xml");
    source.cut("/b.xml", true);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.created, report.counts.failed), (Outcome::Incomplete, 3, 2));
    assert!(report.items.iter().any(|item| item.code == Some(ItemCode::Missing)), "{report:?}");
    // A resource that is no longer listed is deleted, and what only its entry linked to is no longer tried.
    publish(&source, 1, &listed[1..], None);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.deleted, report.counts.failed), (Outcome::Incomplete, 1, 1));
    source.cut("/b.xml", false);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(names(&place), ["b", "b.xml", "both.xml"]);
}

#[test]
fn a_digest_of_the_link_is_checked_and_required_if_the_user_wants_digests() {
    let (place, source, _) = shared("related-digests");
    source.serve("/a.xml", b"/A.XML");
    let options = with(metadata()).with(|run| run.require_hash = true);
    let report = run_with(&source, &[], &place, &options);
    assert_eq!((report.run.outcome, report.counts.failed), (Outcome::Incomplete, 2), "{report:?}");
    let code = |name: &str| report.items.iter().find(|item| item.uri.ends_with(name)).and_then(|item| item.code);
    assert_eq!((code("a.xml"), code("both.xml")), (Some(ItemCode::Digest), Some(ItemCode::NoDigest)));
    assert_eq!(names(&place), ["a", "b", "b.xml"]);
}

#[test]
fn more_deletions_than_allowed_are_withheld_for_related_resources_too() {
    let (place, source, listed) = shared("related-guard");
    run(&source, &place);
    publish(&source, 1, &listed[1..], None);
    let one = with(metadata()).with(|run| run.max_delete = Some(MaxDelete::Number(1)));
    let report = run_with(&source, &[], &place, &one);
    assert_eq!((report.run.outcome, report.counts.withheld), (Outcome::Refused, 2), "{report:?}");
    assert_eq!(names(&place).len(), 5);
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 2), "{report:?}");
    assert_eq!(names(&place), ["b", "b.xml", "both.xml"]);
}

fn change(source: &Source, name: &str, verb: &str, minute: u32, body: &str, links: &[Link<'_>]) -> String {
    let state = if verb == "deleted" { String::new() } else { md(body) };
    entry(source, name, &format!(r#"change="{verb}" datetime="2024-05-01T00:{minute:02}:00Z" {state}"#), links)
}

#[test]
fn changes_bring_related_resources_and_take_away_what_nothing_links_to() {
    let (place, source, listed) = shared("related-changes");
    publish(&source, 0, &listed, Some(&[]));
    assert_eq!(run(&source, &place).counts.created, 5);
    // A new resource with metadata, and a new state of the shared one that comes with a change.
    source.serve("/c", b"/c");
    source.serve("/c.xml", b"/c.xml");
    source.serve("/both.xml", b"newer");
    let created =
        change(&source, "c", "created", 1, "/c", &[("describedby", "c.xml", ""), ("describedby", "both.xml", "")]);
    publish(&source, 0, &listed, Some(std::slice::from_ref(&created)));
    let report = run(&source, &place);
    let counts = report.counts;
    assert_eq!(report.plan.unwrap().kind, PlanKind::Changes);
    assert_eq!((counts.created, counts.updated, counts.unchanged), (2, 1, 4), "{report:?}");
    // The next one states no links: those that were listed before are still known.
    source.serve("/a", b"new a");
    let updated = change(&source, "a", "updated", 2, "new a", &[]);
    let deleted = change(&source, "c", "deleted", 3, "", &[]);
    publish(&source, 0, &listed, Some(&[created.clone(), updated.clone(), deleted.clone()]));
    let report = run(&source, &place);
    assert_eq!(
        (report.run.outcome, report.counts.updated, report.counts.deleted),
        (Outcome::InStep, 1, 2),
        "{report:?}"
    );
    assert_eq!(report.counts.unchanged, 4);
    assert_eq!(names(&place), ["a", "a.xml", "b", "b.xml", "both.xml"]);
    let gone = change(&source, "a", "deleted", 4, "", &[]);
    publish(&source, 0, &listed, Some(&[created, updated, deleted, gone]));
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 2), "{report:?}");
    assert_eq!(names(&place), ["b", "b.xml", "both.xml"]);
    assert_eq!(audited(&source, &place.copy(), true), (AuditOutcome::Equal, vec![]));
}

#[test]
fn what_a_change_list_lists_or_deletes_follows_the_list_alone() {
    let (place, source, listed) = shared("related-becomes-listed");
    publish(&source, 0, &listed, Some(&[]));
    run(&source, &place);
    // The metadata of `a` gets an entry of its own, and stays when `a` goes.
    source.serve("/a.xml", b"listed now");
    let mut changes = vec![change(&source, "a.xml", "created", 1, "listed now", &[])];
    publish(&source, 0, &listed, Some(&changes));
    assert_eq!(run(&source, &place).counts.updated, 1);
    changes.push(change(&source, "a", "deleted", 2, "", &[]));
    publish(&source, 0, &listed, Some(&changes));
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(names(&place), ["a.xml", "b", "b.xml", "both.xml"]);
    // A resource that was always listed does not become a related one because a change links to it.
    changes.push(change(&source, "c", "created", 3, "/c", &[("describedby", "b", "")]));
    source.serve("/c", b"/c");
    publish(&source, 0, &listed, Some(&changes));
    run(&source, &place);
    changes.push(change(&source, "c", "deleted", 4, "", &[]));
    changes.push(change(&source, "a.xml", "deleted", 5, "", &[]));
    publish(&source, 0, &listed, Some(&changes));
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 2), "{report:?}");
    assert_eq!(names(&place), ["b", "b.xml", "both.xml"]);
}

#[test]
fn a_run_that_was_killed_between_deletions_does_not_leave_metadata_behind() {
    let (place, source, listed) = shared("related-killed");
    publish(&source, 0, &listed, Some(&[]));
    run(&source, &place);
    // The killed run has removed the resource, and not yet its metadata.
    let file = tree(&place.copy()).into_iter().map(|(name, _)| name).find(|name| name.ends_with("/a")).unwrap();
    fs::remove_file(place.copy().join(file)).unwrap();
    let ledger = Connection::open(place.copy().join(".resourcesync/state.sqlite")).unwrap();
    ledger.execute("DELETE FROM resource WHERE uri LIKE '%/a'", []).unwrap();
    drop(ledger);
    publish(&source, 0, &listed, Some(&[change(&source, "a", "deleted", 1, "", &[])]));
    let report = run(&source, &place);
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(names(&place), ["b", "b.xml", "both.xml"]);
}
