//! Sources whose lists are the manifests of their Resource Dumps.

use std::collections::BTreeMap;

use resourcesync_client::{
    Cancel,
    destination::{AuditOptions, AuditOutcome, Options, PlanChoice, audit_with},
};
use resourcesync_sync::{
    conclude::Outcome,
    report::{PlanWhy, Report},
};

use crate::{
    dump::{bodies, list_all, of_packages, offer, offer_only, packed, requests},
    source::{Place, Source, client, run, run_with, tree},
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
