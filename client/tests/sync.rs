//! Synchronizes with Sources on the loopback interface: correct, hostile, truncated, inconsistent, and with
//! killed runs.

use std::{fs, path::Path};

use resourcesync_client::{
    Cancel,
    destination::{Options, Sign, SyncError, audit},
};
use resourcesync_sync::{
    Layout,
    conclude::Outcome,
    guard::{MaxDelete, Withheld},
    report::{Done, ItemCode},
};

use crate::source::{Place, Source, run, run_with, tree};

const HEAD: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

fn names(folder: &Path) -> Vec<String> {
    tree(folder)
        .into_iter()
        .map(|(name, _)| name.split_once('/').map_or(name.clone(), |(_, rest)| rest.to_owned()))
        .collect()
}

#[test]
fn a_copy_is_what_the_source_lists_and_a_second_run_asks_three_times() {
    let place = Place::new("whole");
    let source = Source::new();
    for number in 0..600 {
        source.put(&format!("/r/{}/{number}.txt", number % 7), format!("{number} ").repeat(number % 50));
    }
    source.put("/r/%E6%97%A5%20x/", "a folder");
    source.publish();
    let report = run(&source, &place.copy());
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    assert_eq!((report.counts.created, report.verified.digest, report.held.resources), (601, 601, 601));
    let found = tree(&place.copy());
    assert_eq!(found.len(), 601);
    assert!(found.iter().any(|(name, body)| name.ends_with("/r/日 x/^index") && body == b"a folder"));
    source.clear_log();
    let again = run(&source, &place.copy());
    assert_eq!(again.run.outcome, Outcome::InStep);
    assert!(source.log().len() <= 3, "{:?}", source.log());
    assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().compared.equal, 601);
}

#[test]
fn changes_are_fetched_and_what_is_no_longer_listed_goes_to_the_trash_until_the_next_good_run() {
    let place = Place::new("changes");
    let source = Source::new();
    (0..50).for_each(|number| source.put(&format!("/{number}"), format!("old {number}")));
    source.publish();
    run(&source, &place.copy());
    source.put("/1", "new");
    source.put("/50", "created");
    source.remove("/2");
    source.publish();
    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    let counts = report.counts;
    assert_eq!((counts.created, counts.updated, counts.deleted, counts.unchanged), (1, 1, 1, 48));
    assert_eq!(source.log().iter().filter(|path| !path.contains("xml") && !path.contains("well-known")).count(), 2);
    let trash = place.copy().join(".resourcesync/trash/2");
    assert_eq!(tree(&trash).iter().map(|(_, body)| body.clone()).collect::<Vec<_>>(), [b"old 2".to_vec()]);
    run(&source, &place.copy());
    assert!(!trash.exists());
}

#[test]
fn a_list_cut_anywhere_is_never_in_step_and_deletes_nothing() {
    let place = Place::new("truncated");
    let source = Source::new();
    (0..12).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
    source.publish();
    run(&source, &place.copy());
    let before = tree(&place.copy());
    source.put("/0", "other");
    source.publish();
    let mut cuts = 0;
    for path in source.documents() {
        let whole = source.body(&path);
        for end in (0..whole.len()).step_by(10) {
            source.serve(&path, &whole[..end]);
            let report = run(&source, &place.copy());
            assert_ne!(report.run.outcome, Outcome::InStep, "{path} {end}");
            assert_eq!(tree(&place.copy()), before, "{path} {end}");
            cuts += 1;
        }
        source.serve(&path, &whole);
    }
    assert!(cuts > 100, "{cuts}");
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
}

#[test]
fn an_index_its_lists_and_change_lists_cut_anywhere_are_never_in_step_and_delete_nothing() {
    let place = Place::new("truncated-index");
    let source = Source::new();
    ["/a", "/b", "/c", "/x"].into_iter().for_each(|path| source.put(path, "old"));
    source.publish();
    let options = Options::default().with(|run| {
        run.reading.full = true;
        run.placing.volatile = true;
    });
    let baseline = |copy: &Path| run_with(&source.start(), copy, &options).unwrap();
    assert_eq!(baseline(&place.copy()).run.outcome, Outcome::InStep);
    source.remove("/x");
    source.put("/e", "created");
    let start = source.start();
    let document = |root: &str, capability: &str, entries: &str| {
        format!(
            r#"<{root} {HEAD}><rs:ln rel="up" href="{start}capabilitylist.xml"/><rs:md capability="{capability}"/>{entries}</{root}>"#
        )
    };
    let listed =
        |path: &str, length: usize| format!(r#"<url><loc>{start}{path}</loc><rs:md length="{length}"/></url>"#);
    let changed = |path: &str, change: &str, day: u8, length: usize| {
        format!(
            r#"<url><loc>{start}{path}</loc><rs:md change="{change}" datetime="2024-06-{day:02}T00:00:00Z" length="{length}"/></url>"#
        )
    };
    let snapshot = r#"resourcelist" at="2024-06-01T00:00:00Z"#;
    let (first, second) = ("2024-06-01T00:00:00Z", "2024-06-02T00:00:00Z");
    let closed = format!(r#"from="{first}" until="{second}""#);
    let open = format!(r#"from="{second}""#);
    let changes = |interval: &str| format!(r#"changelist" {}"#, interval.trim_end_matches('"'));
    let member = |path: &str, md: &str| format!("<sitemap><loc>{start}{path}</loc><rs:md {md}/></sitemap>");
    let at = r#"at="2024-06-01T00:00:00Z""#;
    let capability =
        |name: &str, path: &str| format!(r#"<url><loc>{start}{path}</loc><rs:md capability="{name}"/></url>"#);
    let documents = [
        (
            "/.well-known/resourcesync",
            document("urlset", "description", &capability("capabilitylist", "capabilitylist.xml")),
        ),
        (
            "/capabilitylist.xml",
            document(
                "urlset",
                "capabilitylist",
                &(capability("resourcelist", "resourcelist.xml") + &capability("changelist", "changelist.xml")),
            ),
        ),
        (
            "/resourcelist.xml",
            document("sitemapindex", snapshot, &(member("list1.xml", at) + &member("list2.xml", at))),
        ),
        ("/list1.xml", document("urlset", snapshot, &(listed("a", 3) + &listed("b", 3)))),
        ("/list2.xml", document("urlset", snapshot, &listed("c", 3))),
        (
            "/changelist.xml",
            document(
                "sitemapindex",
                &changes(&format!(r#"from="{first}""#)),
                &(member("changes1.xml", &closed) + &member("changes2.xml", &open)),
            ),
        ),
        ("/changes1.xml", document("urlset", &changes(&closed), &changed("b", "updated", 1, 3))),
        ("/changes2.xml", document("urlset", &changes(&open), &changed("e", "created", 3, 7))),
    ];
    documents.iter().for_each(|(path, body)| source.serve(path, body.as_bytes()));
    let x = |copy: &Path| tree(copy).into_iter().any(|(name, body)| name.ends_with("/x") && body == b"old");
    let mut cuts = 0;
    for (path, body) in &documents {
        for end in (0..body.len()).step_by(10) {
            source.serve(path, &body.as_bytes()[..end]);
            let report = baseline(&place.copy());
            assert_ne!(report.run.outcome, Outcome::InStep, "{path} {end}: {report:?}");
            assert!(x(&place.copy()), "{path} {end}");
            cuts += 1;
        }
        source.serve(path, body.as_bytes());
    }
    assert!(cuts > 200, "{cuts}");
    let report = baseline(&place.copy());
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    assert!(!x(&place.copy()));
    assert_eq!(names(&place.copy()), ["a", "b", "c", "e"]);
}

#[test]
fn a_body_that_breaks_off_lists_nothing() {
    let place = Place::new("broken");
    let source = Source::new();
    (0..12).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
    source.publish();
    for path in source.documents() {
        source.cut(&path, true);
        assert_ne!(run(&source, &place.copy()).run.outcome, Outcome::InStep, "{path}");
        assert_eq!(tree(&place.copy()), []);
        source.cut(&path, false);
    }
}

#[test]
fn a_list_that_shrinks_deletes_nothing_until_the_user_allows_it() {
    let place = Place::new("shrunk");
    let source = Source::new();
    (0..100).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
    source.publish();
    run(&source, &place.copy());
    (0..21).for_each(|number| source.remove(&format!("/{number}")));
    source.publish();
    for _ in 0..2 {
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, report.withheld), (Outcome::Refused, Some(Withheld::TooMany)));
        assert_eq!(report.diagnostics[0].code, "SYN-01");
        assert_eq!(tree(&place.copy()).len(), 100);
    }
    let kept = Options::default().with(|run| run.max_delete = None);
    assert_eq!(run_with(&source.start(), &place.copy(), &kept).unwrap().run.outcome, Outcome::InStep);
    let allowed = Options::default().with(|run| run.max_delete = Some(MaxDelete::Number(21)));
    let report = run_with(&source.start(), &place.copy(), &allowed).unwrap();
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 21));
    assert_eq!(tree(&place.copy()).len(), 79);
    source.clear();
    source.publish();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.withheld), (Outcome::Refused, Some(Withheld::EmptyList)));
}

#[test]
fn wrong_bytes_never_replace_a_copy_and_are_tried_again_by_the_next_run() {
    let place = Place::new("wrong");
    let source = Source::new();
    ["/long", "/short", "/other", "/gone"].into_iter().for_each(|path| source.put(path, "as it was"));
    source.publish();
    run(&source, &place.copy());
    let before = tree(&place.copy());
    ["/long", "/short", "/other", "/gone"].into_iter().for_each(|path| source.put(path, "as it is!"));
    source.publish();
    source.serve("/long", b"as it is!!");
    source.serve("/short", b"as it is");
    source.serve("/other", b"as it is?");
    source.hide("/gone");
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.failed), (Outcome::Incomplete, 4));
    let codes: Vec<_> =
        report.items.iter().map(|item| (item.uri.rsplit('/').next().unwrap(), item.code.unwrap())).collect();
    for (name, code) in [
        ("long", ItemCode::Length),
        ("short", ItemCode::Length),
        ("other", ItemCode::Digest),
        ("gone", ItemCode::Missing),
    ] {
        assert!(codes.contains(&(name, code)), "{codes:?}");
    }
    assert!(report.items.iter().all(|item| item.kept && item.result == Done::Failed));
    assert_eq!(tree(&place.copy()), before);
    ["/long", "/short", "/other", "/gone"].into_iter().for_each(|path| source.put(path, "as it is!"));
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.updated), (Outcome::InStep, 4), "{report:?}");
    assert!(tree(&place.copy()).iter().all(|(_, body)| body == b"as it is!"));
}

#[test]
fn hostile_names_stay_inside_the_folder_and_ours_is_not_touched() {
    let place = Place::new("hostile");
    fs::write(place.0.join("canary"), "alive").unwrap();
    let source = Source::new();
    let paths = [
        "/../canary",
        "/%2e%2e/canary",
        "/..%2f..%2fcanary",
        "/.resourcesync/state.sqlite",
        "/.resourcesync/lock",
        "/a%00b",
        "/%5c..%5ccanary",
        "//canary",
        "/con",
        "/a/.",
        "/%2Fetc%2Fpasswd",
        "/x%0a",
        "/:stream",
        "/~",
        "/-rf",
    ];
    for path in paths {
        source.list(path, "body");
    }
    source.publish();
    let report = run(&source, &place.copy());
    assert!(report.counts.created >= 10, "{report:?}");
    assert_eq!(fs::read_to_string(place.0.join("canary")).unwrap(), "alive");
    assert_eq!(fs::read_dir(&place.0).unwrap().count(), 2);
    assert_eq!(fs::read_dir(place.copy()).unwrap().count(), 2, "the host and our own folder");
    assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().compared.equal, report.counts.created);
}

#[test]
fn other_hosts_schemes_and_private_addresses_are_not_asked() {
    let place = Place::new("hosts");
    let (source, canary) = (Source::new(), Source::new());
    canary.put("/secret", "x");
    source.put("/fine", "fine");
    source.list_uri(&format!("{}secret", canary.start()), "x");
    for uri in [
        "file:///etc/passwd",
        "ftp://127.0.0.1/x",
        "http://169.254.169.254/latest",
        "http://user:pw@127.0.0.1/x",
        "urn:x:y",
    ] {
        source.list_uri(uri, "x");
    }
    source.put("/redirect", "x");
    source.redirect("/redirect", &format!("{}secret", canary.start()));
    source.publish();
    let report = run(&source, &place.copy());
    assert_eq!(
        (report.run.outcome, report.counts.created, report.counts.failed),
        (Outcome::Incomplete, 1, 7),
        "{report:?}"
    );
    assert_eq!(canary.log(), [""; 0]);
    assert_eq!(names(&place.copy()), ["fine"]);
}

#[test]
fn a_link_in_the_folder_is_not_followed() {
    let place = Place::new("links");
    let source = Source::new();
    source.put("/a/b", "body");
    source.put("/c", "body");
    source.publish();
    let host = place.copy().join(source.host().replace(':', "^"));
    fs::create_dir_all(&host).unwrap();
    fs::create_dir(place.0.join("outside")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.0.join("outside"), host.join("a")).unwrap();
        std::os::unix::fs::symlink(place.0.join("outside/secret"), host.join("c")).unwrap();
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, report.counts.conflicts), (Outcome::Refused, 2), "{report:?}");
        assert_eq!(fs::read_dir(place.0.join("outside")).unwrap().count(), 0);
    }
}

#[test]
fn files_of_others_are_left_alone_adopted_or_moved_to_the_trash_as_the_user_wants() {
    let place = Place::new("foreign");
    let source = Source::new();
    source.put("/same", "same");
    source.put("/other", "right");
    source.publish();
    let host = place.copy().join(source.host().replace(':', "^"));
    fs::create_dir_all(&host).unwrap();
    fs::write(host.join("same"), "same").unwrap();
    fs::write(host.join("other"), "wrong").unwrap();
    fs::write(host.join("mine"), "mine").unwrap();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.conflicts), (Outcome::Refused, 2));
    let adopt = Options::default().with(|run| run.placing.adopt = true);
    let report = run_with(&source.start(), &place.copy(), &adopt).unwrap();
    assert_eq!(
        (report.run.outcome, report.counts.conflicts, report.counts.adopted),
        (Outcome::Refused, 1, 1),
        "{report:?}"
    );
    assert_eq!(fs::read_to_string(host.join("other")).unwrap(), "wrong");
    let overwrite = Options::default().with(|run| run.placing.overwrite = true);
    let report = run_with(&source.start(), &place.copy(), &overwrite).unwrap();
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(fs::read_to_string(host.join("other")).unwrap(), "right");
    assert_eq!(tree(&place.copy().join(".resourcesync/trash")).len(), 1);
    assert_eq!(fs::read_to_string(host.join("mine")).unwrap(), "mine");
}

#[test]
fn a_file_that_was_changed_or_removed_is_found_by_an_audit_and_fetched_by_a_baseline() {
    let place = Place::new("damaged");
    let source = Source::new();
    ["/a", "/b", "/c"].into_iter().for_each(|path| source.put(path, path));
    source.publish();
    run(&source, &place.copy());
    let host = place.copy().join(source.host().replace(':', "^"));
    fs::write(host.join("a"), "mine").unwrap();
    fs::remove_file(host.join("b")).unwrap();
    let found = audit(&place.copy(), None, false, &Cancel::default()).unwrap();
    let signs: Vec<_> = found.compared.differences.iter().map(|difference| difference.sign).collect();
    assert_eq!((found.compared.equal, signs), (1, vec![Sign::Damaged, Sign::Missing]));
    let baseline = Options::default().with(|run| run.reading.full = true);
    let report = run_with(&source.start(), &place.copy(), &baseline).unwrap();
    assert_eq!((report.run.outcome, report.counts.updated), (Outcome::InStep, 2), "{report:?}");
    assert!(report.diagnostics.iter().any(|finding| finding.code == "SYN-10"));
    assert_eq!(tree(&place.copy().join(".resourcesync/trash"))[0].1, b"mine");
    assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().compared.equal, 3);
}

#[test]
fn a_name_and_a_name_below_it_are_both_held_in_either_order() {
    for (first, second) in [("/a", "/a/b"), ("/a/b", "/a")] {
        let place = Place::new("neighbours");
        let source = Source::new();
        source.put(first, "first");
        source.publish();
        run(&source, &place.copy());
        source.put(second, "second");
        source.publish();
        let report = run(&source, &place.copy());
        assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
        assert_eq!(names(&place.copy()), ["a/b", "a^"]);
        assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().compared.equal, 2);
        let both = Place::new("neighbours-at-once");
        assert_eq!(run(&source, &both.copy()).run.outcome, Outcome::InStep);
        assert_eq!(names(&both.copy()), ["a/b", "a^"]);
    }
}

#[test]
fn every_layout_holds_everything_and_is_fixed_by_the_first_run() {
    let source = Source::new();
    ["/A", "/a", "/%E6%97%A5.pdf"].into_iter().for_each(|path| source.put(path, path));
    source.publish();
    for layout in Layout::ALL {
        let place = Place::new(layout.as_str());
        let options = Options::default().with(|run| run.placing.layout = Some(layout));
        let report = run_with(&source.start(), &place.copy(), &options).unwrap();
        assert_eq!((report.run.outcome, tree(&place.copy()).len()), (Outcome::InStep, 3));
        assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
        let other = if layout == Layout::Hash { Layout::Uri } else { Layout::Hash };
        let options = Options::default().with(|run| run.placing.layout = Some(other));
        assert!(matches!(run_with(&source.start(), &place.copy(), &options), Err(SyncError::OtherLayout { .. })));
    }
}

#[test]
fn a_dry_run_reports_the_plan_and_touches_nothing() {
    let place = Place::new("dry");
    let source = Source::new();
    (0..5).for_each(|number| source.put(&format!("/{number}"), "body"));
    source.publish();
    let dry = Options::default().with(|run| run.dry_run = true);
    let report = run_with(&source.start(), &place.copy(), &dry).unwrap();
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::Planned, 5));
    assert_eq!(report.plan.map(|plan| (plan.requests, plan.bytes)), Some((5, 20)));
    assert!(!place.copy().exists());
    run(&source, &place.copy());
    source.remove("/1");
    source.publish();
    let report = run_with(&source.start(), &place.copy(), &dry).unwrap();
    assert_eq!((report.counts.deleted, tree(&place.copy()).len()), (1, 5));
}

#[test]
fn another_source_is_not_mixed_into_a_copy() {
    let place = Place::new("other");
    let (one, other) = (Source::new(), Source::new());
    one.put("/a", "a");
    one.publish();
    other.publish();
    run(&one, &place.copy());
    let refused = run_with(&other.start(), &place.copy(), &Options::default());
    assert!(matches!(refused, Err(SyncError::OtherSource { .. })));
}

#[test]
fn a_budget_ends_a_run_and_the_next_one_goes_on() {
    let place = Place::new("budget");
    let source = Source::new();
    (0..40).for_each(|number| source.put(&format!("/{number}"), "0123456789"));
    source.publish();
    let small = Options::default().with(|run| run.fetching.max_bytes = Some(100));
    let first = run_with(&source.start(), &place.copy(), &small).unwrap();
    assert_eq!(first.run.outcome, Outcome::Incomplete);
    assert!(first.counts.created >= 10 && first.counts.left > 0, "{:?}", first.counts);
    assert!(first.diagnostics.iter().any(|finding| finding.code == "SYN-14"));
    let second = run(&source, &place.copy());
    assert_eq!(second.run.outcome, Outcome::InStep);
    assert_eq!(first.counts.created + second.counts.created, 40);
}

#[test]
fn an_older_list_is_refused() {
    let place = Place::new("older");
    let source = Source::new();
    source.put("/a", "new");
    source.publish_at("2024-05-02T00:00:00Z");
    run(&source, &place.copy());
    source.put("/a", "old");
    source.publish_at("2024-05-01T00:00:00Z");
    let report = run(&source, &place.copy());
    assert_eq!(report.run.outcome, Outcome::Refused);
    assert_eq!(tree(&place.copy())[0].1, b"new");
    let accept = Options::default().with(|run| run.reading.accept_older = true);
    assert_eq!(run_with(&source.start(), &place.copy(), &accept).unwrap().run.outcome, Outcome::InStep);
    assert_eq!(tree(&place.copy())[0].1, b"old");
}

#[test]
fn a_damaged_ledger_is_not_taken_for_an_empty_one() {
    let place = Place::new("ledger");
    let source = Source::new();
    source.put("/a", "a");
    source.publish();
    run(&source, &place.copy());
    let state = place.copy().join(".resourcesync/state.sqlite");
    fs::write(&state, b"not a database, and long enough to be looked at as one would be".repeat(100)).unwrap();
    assert!(matches!(run_with(&source.start(), &place.copy(), &Options::default()), Err(SyncError::State(_))));
    assert_eq!(names(&place.copy()), ["a"]);
}

#[test]
fn a_second_run_ends_at_once_while_the_first_is_at_work() {
    let place = Place::new("second");
    let source = Source::new();
    source.put("/a", "a");
    source.publish();
    fs::create_dir_all(place.copy().join(".resourcesync")).unwrap();
    let first = resourcesync_client::folder::Lock::take(&place.copy().join(".resourcesync")).unwrap();
    let refused = run_with(&source.start(), &place.copy(), &Options::default()).unwrap();
    assert_eq!(refused.run.outcome, Outcome::Locked);
    assert!(source.log().is_empty());
    let waiting = std::thread::spawn({
        let (start, copy) = (source.start(), place.copy());
        let options = Options::default().with(|run| run.wait = std::time::Duration::from_secs(600));
        move || run_with(&start, &copy, &options).unwrap()
    });
    drop(first);
    assert_eq!(waiting.join().unwrap().run.outcome, Outcome::InStep);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
}
