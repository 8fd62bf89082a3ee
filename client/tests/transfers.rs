//! What a copy fetches, what it stores of that, and what it does without fetching.

use std::{fs, io::Write, path::Path};

use flate2::{Compression, write::GzEncoder};
use resourcesync_client::{
    Cancel,
    destination::{
        AuditOptions, AuditOutcome, Inventoried, Options, Republished, SyncError, audit_with, damaged, inventory,
    },
};
use resourcesync_sync::{conclude::Outcome, guard::Withheld, report::Report};

use crate::source::{Place, Source, client, document, run, run_with, tree};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn response(headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n", body.len()).into_bytes();
    headers.iter().for_each(|header| bytes.extend(format!("{header}\r\n").bytes()));
    bytes.extend(b"\r\n");
    bytes.extend(body);
    bytes
}

fn names(folder: &Path) -> Vec<String> {
    tree(folder).into_iter().map(|(name, _)| name.split_once('/').unwrap().1.to_owned()).collect()
}

fn bodies(folder: &Path) -> Vec<Vec<u8>> {
    tree(folder).into_iter().map(|(_, body)| body).collect()
}

fn codes(report: &Report) -> Vec<&str> {
    report.diagnostics.iter().map(|finding| finding.code.as_str()).collect()
}

/// Lists resources of which only these attributes are listed.
fn list(source: &Source, entries: &[(&str, &str)]) {
    source.publish();
    let head = r#"capability="resourcelist" at="2024-06-01T00:00:00Z""#;
    source.serve("/resourcelist.xml", &document(source, head, entries));
}

#[test]
fn what_is_stored_are_the_bytes_that_have_the_listed_digest_whatever_coding_the_server_names() {
    let (place, source) = (Place::new("codings"), Source::new());
    let text = "name;year\n".repeat(50);
    // A server that names the coding of files by their endings, and one that compresses what is not compressed.
    source.put("/1.csv.gz", gzip(&text));
    source.put("/2.tar.Z", "as compress writes it");
    source.put("/3.csv", text.clone());
    source.publish();
    let packed = gzip(&text);
    source.script(move |asked| match &*asked.path {
        "/1.csv.gz" | "/3.csv" => Some(response(&["Content-Encoding: x-gzip"], &packed)),
        "/2.tar.Z" => Some(response(&["Content-Encoding: x-compress"], b"as compress writes it")),
        _ => None,
    });
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.verified.digest), (Outcome::InStep, 3), "{report:?}");
    let listed = [gzip(&text), b"as compress writes it".to_vec(), text.clone().into_bytes()];
    assert_eq!(bodies(&place.copy()), listed);
    let found = audit_with(
        &place.copy(),
        Some(&client(&source.start())),
        &AuditOptions::default(),
        &Cancel::default(),
        &mut |_| {},
    )
    .unwrap();
    assert_eq!((found.outcome, found.compared.equal), (AuditOutcome::Equal, 3), "{found:?}");
    // What is printed to be published again is as listed, too.
    let list = String::from_utf8(source.body("/resourcelist.xml")).unwrap();
    inventory(&place.copy(), None, &Republished::default(), &mut |Inventoried { resource: holding, .. }| {
        assert!(list.contains(&holding.hashes.to_string()), "{holding:?}");
        assert!(list.contains(&format!("length=\"{}\"", holding.length)), "{holding:?}");
        Ok(())
    })
    .unwrap();
}

#[test]
fn without_a_listed_digest_the_length_decides_and_without_a_length_the_coding_is_undone() {
    let (place, source) = (Place::new("codings-unlisted"), Source::new());
    let text = "name;year\n".repeat(50);
    let packed = gzip(&text);
    let (whole, coded) = (format!(r#"length="{}""#, text.len()), format!(r#"length="{}""#, packed.len()));
    list(&source, &[("1", &coded), ("2", &whole), ("3", "")]);
    let sent = packed.clone();
    source.script(move |asked| {
        ["/1", "/2", "/3"].contains(&&*asked.path).then(|| response(&["Content-Encoding: gzip"], &sent))
    });
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    assert_eq!(bodies(&place.copy()), [packed, text.clone().into_bytes(), text.into_bytes()]);
}

#[test]
fn an_entry_that_may_not_be_requested_is_not_looked_at_and_nothing_is_deleted_for_it() {
    for (name, moved) in
        [("host", "http://127.0.0.2:9/"), ("scheme", "ftp://127.0.0.1/"), ("user", "http://user@127.0.0.1:9/")]
    {
        let (place, source) = (Place::new(&format!("moved-{name}")), Source::new());
        (0..5).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
        source.publish();
        run(&source, &place.copy());
        let held = tree(&place.copy());
        source.clear();
        // Some have other bytes than before, and some the same.
        (5..10).for_each(|number| source.list_uri(&format!("{moved}{number}"), &format!("{}", number / 7 * 5)));
        source.publish();
        for dry_run in [true, false, false] {
            let report =
                run_with(&source.start(), &place.copy(), &Options::default().with(|run| run.dry_run = dry_run))
                    .unwrap();
            assert_eq!(report.run.outcome, Outcome::Incomplete, "{name} {report:?}");
            assert_eq!(report.counts.deleted, 0, "{name} {report:?}");
            assert_eq!(report.withheld, Some(Withheld::UnreadableEntry), "{name} {report:?}");
            assert!(codes(&report).contains(&"SYN-17"), "{name} {report:?}");
            assert_eq!(tree(&place.copy()), held, "{name}");
        }
    }
}

#[test]
fn what_exceeds_a_limit_is_not_looked_at_and_what_is_not_there_is() {
    let (place, source) = (Place::new("moved-away"), Source::new());
    source.put("/old", "old");
    source.publish();
    run(&source, &place.copy());
    source.clear();
    source.put("/new", "new");
    source.publish();
    source.hide("/new");
    let report = run(&source, &place.copy());
    assert_eq!((report.counts.deleted, report.counts.failed), (1, 1), "{report:?}");

    source.put("/new", "new");
    source.publish();
    run(&source, &place.copy());
    source.clear();
    source.put("/long", "long ".repeat(1_000));
    source.publish();
    let mut policy = resourcesync_client::http::Policy::default();
    policy.start(&source.start()).unwrap();
    (policy.limits.http_requests_per_second, policy.limits.http_body_bytes) = (0, 2_000);
    let strict = resourcesync_client::http::Client::new(policy, Default::default()).unwrap();
    let report = resourcesync_client::destination::sync(
        &source.start(),
        &place.copy(),
        &strict.into(),
        &Options::default(),
        &Cancel::default(),
        &mut |_| {},
    )
    .unwrap();
    assert_eq!((report.counts.deleted, report.counts.failed), (0, 1), "{report:?}");
    assert_eq!(names(&place.copy()), ["new"]);
}

#[test]
fn no_transfer_begins_that_is_listed_as_longer_than_what_is_left_of_the_budget() {
    let (place, source) = (Place::new("budget"), Source::new());
    (0..10).for_each(|number| source.put(&format!("/{number}"), format!("{number}").repeat(1 << 20)));
    source.publish();
    source.clear_log();
    let options = Options::default().with(|run| run.fetching.max_bytes = Some((2 << 20) + (1 << 19)));
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    let fetched = source.log().iter().filter(|path| path.len() == 2).count();
    assert_eq!((report.run.outcome, fetched, names(&place.copy()).len()), (Outcome::Incomplete, 2, 2), "{report:?}");
    assert_eq!((report.counts.left, report.counts.failed), (8, 0), "{report:?}");
    assert!(codes(&report).contains(&"SYN-14"), "{report:?}");
    // What is shorter than the rest still fits, and a run without a budget fetches what is left.
    source.put("/short", "short");
    source.publish();
    let options = Options::default().with(|run| run.fetching.max_bytes = Some(1_000));
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    assert_eq!((report.run.outcome, report.counts.created, report.counts.left), (Outcome::Incomplete, 1, 8));
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::InStep, 8));
}

#[test]
fn a_body_of_unlisted_length_ends_where_the_budget_does() {
    let (place, source) = (Place::new("budget-unlisted"), Source::new());
    source.serve("/large", &vec![b'x'; 1 << 20]);
    list(&source, &[("large", "")]);
    let options = Options::default().with(|run| run.fetching.max_bytes = Some(300_000));
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    assert_eq!((report.run.outcome, report.counts.left), (Outcome::Incomplete, 1), "{report:?}");
    assert!(codes(&report).contains(&"SYN-14"), "{report:?}");
    assert_eq!(tree(&place.copy()), []);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
}

#[test]
fn what_is_stored_under_another_uri_is_copied_and_not_fetched() {
    let (place, source) = (Place::new("renamed"), Source::new());
    (0..4).for_each(|number| source.put(&format!("/old/{number}"), format!("{number}").repeat(1_000)));
    source.publish();
    run(&source, &place.copy());
    (0..4).for_each(|number| source.remove(&format!("/old/{number}")));
    (0..4).for_each(|number| source.put(&format!("/new/{number}"), format!("{number}").repeat(1_000)));
    source.publish();
    // A file that was changed here has other bytes.
    fs::write(place.copy().join(source.host().replace(':', "^")).join("old/3"), "mine").unwrap();
    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.created, report.counts.deleted), (Outcome::InStep, 4, 4));
    assert_eq!((report.verified.digest, report.bytes), (4, 1_000), "{report:?}");
    let fetched: Vec<String> = source.log().into_iter().filter(|path| path.contains("/new/")).collect();
    assert_eq!(fetched, ["/new/3"]);
    assert_eq!(names(&place.copy()), ["new/0", "new/1", "new/2", "new/3"]);
    let bodies = bodies(&place.copy());
    (0..4).for_each(|number| assert_eq!(bodies[number], format!("{number}").repeat(1_000).into_bytes()));
}

#[test]
fn what_cannot_be_compared_makes_an_audit_undetermined() {
    let (place, source) = (Place::new("audit-unlisted"), Source::new());
    (0..3).for_each(|number| source.serve(&format!("/{number}"), b"abc"));
    list(&source, &[("0", ""), ("1", ""), ("2", "")]);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    let audit = |download| {
        let options = AuditOptions { download, ..AuditOptions::default() };
        let client = client(&source.start());
        audit_with(&place.copy(), Some(&client), &options, &Cancel::default(), &mut |_| {}).unwrap()
    };
    let found = audit(false);
    assert_eq!(
        (found.outcome, found.compared.equal, found.compared.counts.unverifiable),
        (AuditOutcome::Undetermined, 0, 3)
    );
    assert_eq!(audit(true).outcome, AuditOutcome::Equal);
    // Nor does a new time with the same length prove that nothing changed.
    let listed = |at: &str| {
        let start = source.start();
        let text = format!(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist" at="{at}"/><url><loc>{start}0</loc><lastmod>{at}</lastmod><rs:md length="3"/></url></urlset>"#
        );
        source.serve("/resourcelist.xml", text.as_bytes());
    };
    listed("2024-07-01T00:00:00Z");
    run(&source, &place.copy());
    assert_eq!(audit(false).outcome, AuditOutcome::Equal);
    listed("2024-07-02T00:00:00Z");
    let found = audit(false);
    assert_eq!((found.outcome, found.compared.counts.unverifiable), (AuditOutcome::Undetermined, 1), "{found:?}");
}

/// The number of transactions that have changed the ledger (<https://www.sqlite.org/fileformat.html>, file change counter).
fn commits(copy: &Path) -> u32 {
    let ledger = fs::read(copy.join(".resourcesync/state.sqlite")).unwrap();
    u32::from_be_bytes(ledger[24..28].try_into().unwrap())
}

#[test]
fn files_that_are_there_already_are_taken_over_in_groups() {
    const FILES: usize = 600;
    let (place, source) = (Place::new("groups"), Source::new());
    (0..FILES).for_each(|number| source.put(&format!("/{number}"), format!("{number}")));
    source.publish();
    run(&source, &place.copy());
    let options = Options::default().with(|run| run.placing.rebuild = true);
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    assert_eq!((report.run.outcome, report.counts.adopted), (Outcome::InStep, FILES as u64));
    assert!(commits(&place.copy()) < 40, "rebuild: {}", commits(&place.copy()));

    let again = Place::new("groups-adopted");
    fs::rename(place.copy(), again.copy()).unwrap();
    fs::remove_dir_all(again.copy().join(".resourcesync")).unwrap();
    let options = Options::default().with(|run| run.placing.adopt = true);
    let report = run_with(&source.start(), &again.copy(), &options).unwrap();
    assert_eq!((report.run.outcome, report.counts.adopted), (Outcome::InStep, FILES as u64));
    assert!(commits(&again.copy()) < 40, "adopt: {}", commits(&again.copy()));

    // So are the results of resources that cannot be taken over.
    fs::remove_dir_all(again.copy().join(".resourcesync")).unwrap();
    let report = run(&source, &again.copy());
    assert_eq!((report.run.outcome, report.counts.conflicts), (Outcome::Refused, FILES as u64));
    assert!(commits(&again.copy()) < 40, "conflicts: {}", commits(&again.copy()));
}

#[test]
#[cfg(unix)]
fn a_link_in_the_path_of_the_folder_is_followed_and_none_in_the_folder() {
    use std::os::unix::fs::symlink;
    let (place, source) = (Place::new("linked"), Source::new());
    source.put("/a", "a");
    source.publish();
    fs::create_dir_all(place.0.join("elsewhere/deep")).unwrap();
    symlink(place.0.join("elsewhere"), place.0.join("link")).unwrap();
    symlink("elsewhere/deep", place.0.join("last")).unwrap();
    for folder in ["link/copy", "link/deep", "last"] {
        let folder = place.0.join(folder);
        for dry_run in [true, false] {
            let options = Options::default().with(|run| run.dry_run = dry_run);
            run_with(&source.start(), &folder, &options).unwrap();
        }
        assert_eq!(run(&source, &folder).run.outcome, Outcome::InStep, "{}", folder.display());
        assert_eq!(names(&folder), ["a"]);
    }
    let (state, copy) = (place.0.join("link/state"), place.0.join("link/other"));
    let options = Options { state: Some(state), ..Options::default() };
    assert_eq!(run_with(&source.start(), &copy, &options).unwrap().run.outcome, Outcome::InStep);
    assert_eq!(run_with(&source.start(), &copy, &options).unwrap().run.outcome, Outcome::InStep);

    let outside = place.0.join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(place.copy()).unwrap();
    symlink(&outside, place.copy().join(".resourcesync")).unwrap();
    for dry_run in [true, false] {
        let ran = run_with(&source.start(), &place.copy(), &Options::default().with(|run| run.dry_run = dry_run));
        assert!(dry_run || ran.is_err(), "{ran:?}");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }
}

#[test]
fn a_damaged_state_is_reported_and_made_again() {
    let (place, source) = (Place::new("damaged-state"), Source::new());
    source.put("/a", "a");
    source.publish();
    run(&source, &place.copy());
    let held = tree(&place.copy());
    let state = place.copy().join(".resourcesync/state.sqlite");
    let whole = fs::read(&state).unwrap();
    let mut torn = whole.clone();
    torn[4096..].fill(0xff);
    let later = {
        let mut later = whole.clone();
        later[60..64].copy_from_slice(&99_u32.to_be_bytes());
        later
    };
    for (damage, bytes) in [("another file", b"damaged ".repeat(1_000)), ("torn", torn), ("of a later version", later)]
    {
        for dry_run in [true, false] {
            fs::write(&state, &bytes).unwrap();
            let options = Options::default().with(|run| {
                run.dry_run = dry_run;
                run.reading.full = true;
            });
            let report = match run_with(&source.start(), &place.copy(), &options) {
                Err(SyncError::State(why)) => damaged(&source.start(), dry_run, &why),
                ran => ran.unwrap(),
            };
            assert_eq!((report.run.outcome, codes(&report)), (Outcome::Failed, vec!["SYN-11"]), "{damage} {report:?}");
            let finding = &report.diagnostics[0];
            assert!(finding.help.contains("--rebuild") && !finding.message.contains("--rebuild"), "{finding:?}");
            assert_eq!(tree(&place.copy()), held, "{damage}");
            assert_eq!(fs::read(&state).unwrap(), bytes, "{damage}");
        }
        let options = Options::default().with(|run| run.placing.rebuild = true);
        let report = run_with(&source.start(), &place.copy(), &options).unwrap();
        assert_eq!((report.run.outcome, report.counts.adopted), (Outcome::InStep, 1), "{damage} {report:?}");
    }
}
