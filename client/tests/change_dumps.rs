//! Change Dumps: their manifests as Change Lists, and their packages as places for bytes.

use std::collections::BTreeMap;

use resourcesync_sync::{
    conclude::Outcome,
    report::{PlanKind, PlanWhy, Report},
};

use crate::{
    dump::{
        MANY, bodies, digest, list_all, of_packages, offer_changes, offer_only, packed, packed_changes, plan, requests,
    },
    source::{Place, Source, document, run, tree},
};

const DAYS: [&str; 4] =
    ["2024-05-01T00:00:00Z", "2024-05-02T00:00:00Z", "2024-05-03T00:00:00Z", "2024-05-04T00:00:00Z"];

fn interval(day: usize) -> String {
    format!(r#"from="{}" until="{}""#, DAYS[day], DAYS[day + 1])
}

/// The bytes of the file of a resource.
fn held(place: &Place, name: &str) -> Option<String> {
    let suffix = format!("/r/{name}");
    let file = tree(&place.copy()).into_iter().find(|(path, _)| path.ends_with(&suffix))?;
    Some(String::from_utf8(file.1).unwrap())
}

fn number(place: &Place) -> usize {
    tree(&place.copy()).len()
}

/// A Source with a Resource Dump and a Change Dump, copied once.
fn copied(name: &str) -> (Place, Source, BTreeMap<String, Vec<u8>>) {
    copied_from(name, name_dumps)
}

/// The same with this Capability List.
fn copied_from(name: &str, capabilities: fn(&Source)) -> (Place, Source, BTreeMap<String, Vec<u8>>) {
    let (place, source) = (Place::new(name), Source::new());
    let own = bodies(&source, 0, "body");
    list_all(&source, &own);
    offer_only(&source, &[("part1.zip", &packed(&own, DAYS[0]))], DAYS[0]);
    capabilities(&source);
    offer_changes(&source, DAYS[0], &[]);
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.as_of.as_deref()), (Outcome::InStep, Some(DAYS[0])), "{report:?}");
    (place, source, own)
}

fn name_dumps(source: &Source) {
    let lists = [("dump.xml", r#"capability="resourcedump""#), ("changedump.xml", r#"capability="changedump""#)];
    source.serve("/capabilitylist.xml", &document(source, r#"capability="capabilitylist""#, &lists));
}

/// Names a Change List, too.
fn name_lists(source: &Source) {
    let lists = [
        ("dump.xml", r#"capability="resourcedump""#),
        ("changes.xml", r#"capability="changelist""#),
        ("changedump.xml", r#"capability="changedump""#),
    ];
    source.serve("/capabilitylist.xml", &document(source, r#"capability="capabilitylist""#, &lists));
    put_changes(source, &[]);
}

fn put_changes(source: &Source, entries: &[(&str, &str)]) {
    let head = format!(r#"capability="changelist" from="{}""#, DAYS[0]);
    source.serve("/changes.xml", &document(source, &head, entries));
}

fn state(report: &Report) -> (Outcome, PlanKind, PlanWhy, Option<&str>) {
    let plan = report.plan.unwrap();
    (report.run.outcome, plan.kind, plan.why, report.as_of.as_deref())
}

#[test]
fn the_changes_of_a_source_with_dumps_only_are_followed_by_the_manifests() {
    let (place, source, _) = copied("change-dumps-only");
    source.put("/r/7", "changed");
    source.remove("/r/8");
    let first = packed_changes(
        &source,
        &interval(0),
        &[
            ("r/7", "2024-05-01T10:00:00Z", Some("before")),
            ("r/7", "2024-05-01T11:00:00Z", Some("changed")),
            ("r/8", "2024-05-01T12:00:00Z", None),
        ],
    );
    let (one, two) = (interval(0), interval(1));
    offer_changes(&source, DAYS[0], &[("c1.zip", &one, &first)]);
    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!(state(&report), (Outcome::InStep, PlanKind::Changes, PlanWhy::NextList, Some(DAYS[1])), "{report:?}");
    assert_eq!((report.counts.updated, report.counts.deleted, number(&place)), (1, 1, MANY as usize - 1));
    assert_eq!((held(&place, "7").as_deref(), held(&place, "8")), (Some("changed"), None));
    // The package is small, but one request for the resource is less still.
    assert!(!source.log().contains(&"/dump.xml".to_owned()), "{:?}", source.log());

    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!(state(&report).2, PlanWhy::NothingChanged, "{report:?}");
    assert_eq!(source.log(), ["/changedump.xml"]);

    // The next package: that of the day before is not read again.
    source.put("/r/9", "nine");
    let second = packed_changes(&source, &interval(1), &[("r/9", "2024-05-02T10:00:00Z", Some("nine"))]);
    offer_changes(&source, DAYS[0], &[("c1.zip", &one, &first), ("c2.zip", &two, &second)]);
    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!(state(&report), (Outcome::InStep, PlanKind::Changes, PlanWhy::NextList, Some(DAYS[2])), "{report:?}");
    assert_eq!((held(&place, "9").as_deref(), report.counts.updated), (Some("nine"), 1));
    assert_eq!(source.log(), ["/changedump.xml", "/c2.zip", "/r/9"]);
}

#[test]
fn an_index_of_change_dumps_leads_to_their_packages() {
    let (place, source, _) = copied("change-dumps-index");
    source.put("/r/7", "changed");
    let package = packed_changes(&source, &interval(0), &[("r/7", "2024-05-01T10:00:00Z", Some("changed"))]);
    offer_changes(&source, DAYS[0], &[("c1.zip", &interval(0), &package)]);
    let member = source.body("/changedump.xml");
    source.serve("/changedump1.xml", &member);
    let index = document(&source, r#"capability="changedump" from="2024-05-01T00:00:00Z""#, &[("changedump1.xml", "")]);
    let index = String::from_utf8(index).unwrap().replace("urlset", "sitemapindex");
    let index = index.replace("<url>", "<sitemap>").replace("</url>", "</sitemap>");
    source.serve("/changedump.xml", index.as_bytes());
    let report = run(&source, &place.copy());
    assert_eq!(state(&report), (Outcome::InStep, PlanKind::Changes, PlanWhy::NextList, Some(DAYS[1])), "{report:?}");
    assert_eq!(held(&place, "7").as_deref(), Some("changed"));
}

#[test]
fn where_packages_of_changes_are_missing_everything_is_compared() {
    let (place, source, mut own) = copied("change-dumps-gap");
    source.put("/r/7", "changed");
    source.remove("/r/8");
    own.insert(format!("{}r/7", source.start()), b"changed".to_vec());
    own.remove(&format!("{}r/8", source.start()));
    let last = packed_changes(&source, &interval(2), &[("r/7", "2024-05-03T10:00:00Z", Some("changed"))]);
    offer_only(&source, &[("part2.zip", &packed(&own, DAYS[2]))], DAYS[2]);
    name_dumps(&source);
    offer_changes(&source, DAYS[2], &[("c3.zip", &interval(2), &last)]);
    let report = run(&source, &place.copy());
    assert_eq!(state(&report), (Outcome::InStep, PlanKind::List, PlanWhy::Gap, Some(DAYS[3])), "{report:?}");
    assert_eq!((held(&place, "7").as_deref(), held(&place, "8")), (Some("changed"), None));
}

#[test]
fn a_package_of_changes_that_is_not_sound_changes_nothing() {
    let (place, source, _) = copied("change-dumps-poisoned");
    let package = packed_changes(&source, &interval(0), &[("r/8", "2024-05-01T12:00:00Z", None)]);
    for bytes in [&package[..package.len() / 2], b"<html></html>", b""] {
        offer_changes(&source, DAYS[0], &[("c1.zip", &interval(0), bytes)]);
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::Incomplete, 0), "{report:?}");
        assert_eq!(number(&place), MANY as usize);
    }
    offer_changes(&source, DAYS[0], &[("c1.zip", &interval(0), &package)]);
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
}

#[test]
fn packages_of_changes_supply_the_last_state_of_each_resource() {
    for has_lists in [false, true] {
        let capabilities = if has_lists { name_lists } else { name_dumps };
        let (place, source, own) = copied_from(&format!("change-dumps-bytes-{has_lists}"), capabilities);
        let start = source.start();
        let paths: Vec<String> = own.keys().map(|uri| uri[start.len()..].to_owned()).collect();
        paths.iter().for_each(|path| source.put(&format!("/{path}"), format!("new {path}")));
        let bodies: Vec<String> = paths.iter().map(|path| format!("new {path}")).collect();
        let before = paths.iter().map(|path| (&**path, "2024-05-01T10:00:00Z", Some("before")));
        let last = paths.iter().zip(&bodies).map(|(path, body)| (&**path, "2024-05-01T11:00:00Z", Some(&**body)));
        let changes: Vec<_> = before.chain(last).collect();
        let package = packed_changes(&source, &interval(0), &changes);
        offer_changes(&source, DAYS[0], &[("c1.zip", &interval(0), &package)]);
        if has_lists {
            let md: Vec<String> = bodies
                .iter()
                .map(|body| {
                    let hash = digest(body.as_bytes());
                    format!(r#"change="updated" datetime="2024-05-01T11:00:00Z" hash="{hash}" length="{}""#, body.len())
                })
                .collect();
            let entries: Vec<(&str, &str)> = paths.iter().zip(&md).map(|(path, md)| (&**path, &**md)).collect();
            put_changes(&source, &entries);
        }
        source.clear_log();
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, of_packages(&report)), (Outcome::InStep, 40), "{has_lists} {report:?}");
        assert_eq!((requests(&source), plan(&report).chosen, plan(&report).supplied), (0, true, 40));
        assert_eq!(held(&place, "7").as_deref(), Some("new r/7"));
        assert_eq!(source.log().contains(&"/changes.xml".to_owned()), has_lists);
    }
}

#[test]
fn packages_are_read_for_what_is_missing_elsewhere_whatever_they_cost() {
    let (place, source, _) = copied("change-dumps-last-place");
    // Neither is served: there is no other place than the package.
    source.remove("/r/7");
    source.remove("/r/8");
    let at = "2024-05-01T10:00:00Z";
    let package = packed_changes(&source, &interval(0), &[("r/7", at, Some("changed")), ("r/8", at, None)]);
    offer_changes(&source, DAYS[0], &[("c1.zip", &interval(0), &package)]);
    let report = run(&source, &place.copy());
    assert_eq!(state(&report), (Outcome::InStep, PlanKind::Changes, PlanWhy::NextList, Some(DAYS[1])), "{report:?}");
    assert_eq!((held(&place, "7").as_deref(), held(&place, "8")), (Some("changed"), None));
    assert_eq!((of_packages(&report), report.counts.failed, plan(&report).supplied), (1, 0, 1));

    // A copy that begins now takes the rest from the Resource Dump, and that from the Change Dump.
    let late = Place::new("change-dumps-last-place-late");
    let report = run(&source, &late.copy());
    assert_eq!((report.run.outcome, number(&late)), (Outcome::InStep, MANY as usize - 1), "{report:?}");
    assert_eq!((held(&late, "7").as_deref(), held(&late, "8")), (Some("changed"), None));
}

#[test]
fn packages_are_not_read_for_what_is_missing_where_there_are_lists() {
    let (place, source, _) = copied_from("change-dumps-not-last", name_lists);
    source.remove("/r/7");
    let at = "2024-05-01T10:00:00Z";
    let package = packed_changes(&source, &interval(0), &[("r/7", at, Some("changed"))]);
    offer_changes(&source, DAYS[0], &[("c1.zip", &interval(0), &package)]);
    let md = format!(r#"change="updated" datetime="{at}" length="7" hash="{}""#, digest(b"changed"));
    put_changes(&source, &[("r/7", &md)]);
    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.failed), (Outcome::Incomplete, 1), "{report:?}");
    assert!(!source.log().contains(&"/c1.zip".to_owned()), "{:?}", source.log());
}
