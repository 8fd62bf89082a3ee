//! Sources whose lists are the manifests of their Resource Dumps.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use resourcesync_client::{
    Cancel,
    destination::{AuditOptions, AuditOutcome, Options, PlanChoice, audit_with},
};
use resourcesync_sync::{
    conclude::Outcome,
    report::{PlanWhy, Report},
};

use crate::{
    dump::{bodies, digest, list_all, of_packages, offer, offer_only, packed, requests},
    source::{Place, Source, client, document, run, run_with, tree},
};

const AT: &str = "2024-05-01T00:00:00Z";

fn run_by_dumps(source: &Source, place: &Place) -> Report {
    let options = Options::default().with(|run| run.reading.plan = PlanChoice::Dump);
    run_with(&source.start(), &place.copy(), &options).unwrap()
}

/// What a copy holds, by the paths of the resources.
fn held(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let name = |name: String| format!("/{}", name.split_once('/').unwrap().1);
    tree(&place.copy()).into_iter().map(|(path, body)| (name(path), body)).collect()
}

fn listed(source: &Source, bodies: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let length = source.start().len() - 1;
    bodies.iter().map(|(uri, body)| (uri[length..].to_owned(), body.clone())).collect()
}

#[test]
fn a_source_with_dumps_only_is_copied_followed_and_audited() {
    let (place, source) = (Place::new("dumps-only"), Source::new());
    let mut own = bodies(&source, 0, "body");
    list_all(&source, &own);
    offer_only(&source, &[("part1.zip", &packed(&own, AT))], AT);
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, of_packages(&report), requests(&source)), (Outcome::InStep, 40, 0), "{report:?}");
    assert_eq!((held(&place), report.as_of.as_deref()), (listed(&source, &own), Some(AT)));

    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.plan.unwrap().why), (Outcome::InStep, PlanWhy::NothingChanged));
    assert_eq!(source.log(), ["/.well-known/resourcesync", "/capabilitylist.xml", "/dump.xml"]);

    // One resource changes and another one vanishes: the package is not worth fetching, and its manifest deletes.
    let start = source.start();
    source.put("/r/7", "changed");
    own.insert(format!("{start}r/7"), b"changed".to_vec());
    own.remove(&format!("{start}r/8"));
    offer_only(&source, &[("part1.zip", &packed(&own, "2024-05-02T00:00:00Z"))], "2024-05-02T00:00:00Z");
    let report = run(&source, &place.copy());
    assert_eq!(
        (report.run.outcome, report.counts.updated, report.counts.deleted),
        (Outcome::InStep, 1, 1),
        "{report:?}"
    );
    assert_eq!(held(&place), listed(&source, &own));

    let client = client(&start);
    let found = audit_with(&place.copy(), Some(&client), &AuditOptions::default(), &Cancel::default(), &mut |_| {});
    assert_eq!(found.unwrap().outcome, AuditOutcome::Equal);
}

#[test]
fn only_the_manifest_of_a_package_is_read_where_the_server_sends_ranges() {
    let (place, source) = (Place::new("dumps-ranges"), Source::new());
    let own = bodies(&source, 0, "body");
    list_all(&source, &own);
    let mut large = own.clone();
    // What cannot be compressed.
    let next = |number: &u32| Some(number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    let noise: Vec<u8> =
        std::iter::successors(Some(1), next).take(6 << 20).map(|number| (number >> 24) as u8).collect();
    large.insert(format!("{}r/large", source.start()), noise);
    list_all(&source, &large);
    let package = packed(&large, AT);
    offer_only(&source, &[("part1.zip", &package)], AT);
    assert_eq!(run(&source, &place.copy()).run.outcome, Outcome::InStep);
    source.put("/r/7", "changed");
    large.insert(format!("{}r/7", source.start()), b"changed".to_vec());
    let package = packed(&large, "2024-05-02T00:00:00Z");
    offer_only(&source, &[("part1.zip", &package)], "2024-05-02T00:00:00Z");
    let (sent, total) = (package.clone(), package.len());
    let ranged = move |asked: &crate::source::Asked| {
        let range = asked.range.as_ref().filter(|_| asked.path == "/part1.zip")?;
        let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
        let first: usize = first.parse().ok()?;
        let last = last.parse().unwrap_or(usize::MAX).min(total - 1);
        let part = &sent[first..=last];
        let head = format!(
            "HTTP/1.1 206 Partial Content\r\nETag: \"one\"\r\nContent-Range: bytes {first}-{last}/{total}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            part.len()
        );
        Some([head.as_bytes(), part].concat())
    };
    source.script(ranged);
    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.updated, requests(&source)), (Outcome::InStep, 1, 1), "{report:?}");
    // The beginning and the end, in blocks of 1 MiB.
    let blocks = source.log().iter().filter(|path| *path == "/part1.zip").count();
    assert!(blocks < total >> 20, "{blocks} of {total}");
}

#[test]
fn a_package_that_is_not_sound_lists_nothing_and_deletes_nothing() {
    let (place, source) = (Place::new("dumps-poisoned"), Source::new());
    let own = bodies(&source, 0, "body");
    list_all(&source, &own);
    offer_only(&source, &[("part1.zip", &packed(&own, AT))], AT);
    run(&source, &place.copy());
    let few: BTreeMap<_, _> = own.clone().into_iter().take(39).collect();
    let whole = packed(&few, "2024-05-02T00:00:00Z");
    for package in [&whole[..whole.len() / 2], b"<html></html>", b""] {
        offer_only(&source, &[("part1.zip", package)], "2024-05-02T00:00:00Z");
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::Incomplete, 0), "{report:?}");
        assert_eq!(held(&place), listed(&source, &own));
    }
    // Another package than the dump was written for.
    offer_only(&source, &[("part1.zip", &packed(&few, "2024-05-03T00:00:00Z"))], "2024-05-02T00:00:00Z");
    let options = Options::default().with(|run| run.max_time = Some(std::time::Duration::ZERO));
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::Incomplete, 0), "{report:?}");
    // Another one of the same time has another length than the dump states.
    offer_only(&source, &[("part1.zip", &whole)], "2024-05-02T00:00:00Z");
    let fewer: BTreeMap<_, _> = own.clone().into_iter().take(38).collect();
    source.put("/part1.zip", packed(&fewer, "2024-05-02T00:00:00Z"));
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::Incomplete, 0), "{report:?}");
    source.put("/part1.zip", whole);
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
}

#[test]
fn with_the_plan_dump_the_manifests_are_the_lists_also_where_there_is_a_resource_list() {
    let (place, source) = (Place::new("dumps-plan"), Source::new());
    let own = bodies(&source, 0, "body");
    list_all(&source, &own);
    source.put("/r/only-in-the-list", "listed");
    offer(&source, &[("part1.zip", &packed(&own, AT))], AT);
    let report = run_by_dumps(&source, &place);
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::InStep, 40), "{report:?}");
    assert_eq!(held(&place), listed(&source, &own));
    assert!(!source.log().contains(&"/resourcelist.xml".to_owned()));
    // The list is the truth again in the next run without it.
    let options = Options::default().with(|run| run.reading.full = true);
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::InStep, 1), "{report:?}");
}

/// Answers 404 to requests for resources, and to those for a package while it is away.
fn hide_resources(source: &Source) -> Arc<AtomicBool> {
    let is_away = Arc::new(AtomicBool::new(false));
    let away = is_away.clone();
    let is_read = AtomicBool::new(false);
    source.script(move |asked| {
        // The manifest can be read, and then nothing else of the package.
        let is_gone = || away.load(Relaxed) && is_read.swap(true, Relaxed);
        let is_missing = asked.path.starts_with("/r/") || asked.path == "/part1.zip" && is_gone();
        is_missing.then(|| b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_vec())
    });
    is_away
}

#[test]
fn what_a_package_could_not_supply_is_looked_for_in_it_by_the_next_run() {
    for has_changes in [false, true] {
        let (place, source) = (Place::new(&format!("dumps-owed-{has_changes}")), Source::new());
        let own = bodies(&source, 0, "body");
        offer_only(&source, &[("part1.zip", &packed(&own, AT))], AT);
        if has_changes {
            let lists = [("dump.xml", r#"capability="resourcedump""#), ("changes.xml", r#"capability="changelist""#)];
            source.serve("/capabilitylist.xml", &document(&source, r#"capability="capabilitylist""#, &lists));
            let head = format!(r#"capability="changelist" from="{AT}""#);
            source.serve("/changes.xml", &document(&source, &head, &[]));
        }
        let is_away = hide_resources(&source);
        is_away.store(true, Relaxed);
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, held(&place).len()), (Outcome::Incomplete, 0), "{report:?}");
        is_away.store(false, Relaxed);
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, of_packages(&report)), (Outcome::InStep, 40), "{report:?}");
        assert_eq!(held(&place), listed(&source, &own));
    }
}

#[test]
fn a_package_of_unknown_length_is_used_where_there_is_nothing_else() {
    let (place, source) = (Place::new("dumps-no-length"), Source::new());
    let own = bodies(&source, 0, "body");
    let package = packed(&own, AT);
    offer_only(&source, &[("part1.zip", &package)], AT);
    let md = format!(r#"hash="{}""#, digest(&package));
    let head = format!(r#"capability="resourcedump" at="{AT}""#);
    source.serve("/dump.xml", &document(&source, &head, &[("part1.zip", &md)]));
    hide_resources(&source);
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, of_packages(&report)), (Outcome::InStep, 40), "{report:?}");
    assert_eq!(held(&place), listed(&source, &own));
}

#[test]
fn nothing_is_deleted_by_a_package_that_is_another_one_than_its_dump_states() {
    let (place, source) = (Place::new("dumps-contradicted"), Source::new());
    let own = bodies(&source, 0, "body");
    list_all(&source, &own);
    offer_only(&source, &[("part1.zip", &packed(&own, AT))], AT);
    run(&source, &place.copy());
    let few: BTreeMap<_, _> = own.clone().into_iter().take(39).collect();
    let package = packed(&few, "2024-05-02T00:00:00Z");
    offer_only(&source, &[("part1.zip", &package)], "2024-05-02T00:00:00Z");
    let md = format!(r#"length="{}" hash="{}""#, package.len(), digest(b"another"));
    let head = r#"capability="resourcedump" at="2024-05-02T00:00:00Z""#;
    source.serve("/dump.xml", &document(&source, head, &[("part1.zip", &md)]));
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::Incomplete, 0), "{report:?}");
    assert_eq!(held(&place), listed(&source, &own));
    assert!(report.diagnostics.iter().any(|finding| finding.code == "SYN-16"));
}

#[test]
fn members_of_an_earlier_time_than_the_list_are_not_taken_for_what_it_lists() {
    let (place, source) = (Place::new("dumps-earlier"), Source::new());
    let (old, own) = (bodies(&source, 0, "body"), bodies(&source, 0, "BODY"));
    list_all(&source, &own);
    // The dump was renewed, its package was not.
    let package = packed(&old, "2024-04-30T00:00:00Z");
    offer(&source, &[("part1.zip", &package)], "2024-05-02T00:00:00Z");
    let entries: Vec<(&str, &str)> = own.keys().map(|uri| (&uri[source.start().len()..], r#"length="6""#)).collect();
    let entries: Vec<(&str, &str)> = entries.into_iter().filter(|(path, _)| path.len() == 3).collect();
    let head = format!(r#"capability="resourcelist" at="{AT}""#);
    source.serve("/resourcelist.xml", &document(&source, &head, &entries));
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, of_packages(&report)), (Outcome::InStep, 0), "{report:?}");
    assert!(held(&place).values().all(|body| body.starts_with(b"BODY")));
}
