//! Mirrors as places for bytes: asked before the URI of a resource, and never believed.

use std::{fmt::Write as _, sync::Arc};

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_client::{
    Cancel,
    destination::{Options, sync},
    http::{Client, ClientOptions, Policy},
};
use resourcesync_sync::{
    conclude::Outcome,
    destination::MirrorChoice,
    report::{BytesFrom, ItemCode, Report},
};

use crate::source::{Place, Source, document, tree};

/// Resources with five bytes, each with these links to mirrors: their URIs before the number, and further attributes.
fn list(source: &Source, has_digests: bool, links: &[(&str, &str)]) {
    let mut list = String::new();
    for number in 0..6 {
        let body = format!("body{number}");
        source.put(&format!("/r/{number}"), body.clone());
        let mut digester = Digester::new([Algorithm::Sha256]);
        digester.push(body.as_bytes());
        let hash = if has_digests { format!("hash=\"{}\"", digester.finish()) } else { String::new() };
        write!(list, "<url><loc>{}r/{number}</loc><rs:md {hash} length=\"5\"/>", source.start()).unwrap();
        for (uri, md) in links {
            write!(list, "<rs:ln rel=\"duplicate\" href=\"{uri}{number}\" {md}/>").unwrap();
        }
        list += "</url>";
    }
    source.publish();
    let empty = document(source, r#"capability="resourcelist" at="2024-05-01T00:00:00Z""#, &[]);
    let list = String::from_utf8(empty).unwrap().replace("</urlset>", &format!("{list}</urlset>"));
    source.serve("/resourcelist.xml", list.as_bytes());
}

/// A mirror that has these resources, and whose host may be requested.
fn mirror(numbers: impl Iterator<Item = u32>, body: &str) -> Source {
    let mirror = Source::new();
    numbers.for_each(|number| mirror.serve(&format!("/m/{number}"), format!("{body}{number}").as_bytes()));
    mirror
}

fn run(source: &Source, allowed: &[&Source], place: &Place, choice: MirrorChoice) -> Report {
    let mut policy = Policy::default();
    policy.start(&source.start()).unwrap();
    allowed.iter().for_each(|mirror| policy.allow(mirror.host()).unwrap());
    (policy.limits.http_requests_per_second, policy.limits.http_retries) = (0, 0);
    policy.limits.http_connections = 1;
    let client = Arc::new(Client::new(policy, ClientOptions::default()).unwrap());
    let options = Options::default().with(|run| run.fetching.mirrors = choice);
    sync(&source.start(), &place.copy(), &client, &options, &Cancel::default(), &mut |_| {}).unwrap()
}

fn of(report: &Report, from: BytesFrom) -> usize {
    report.items.iter().filter(|item| item.bytes_from == Some(from)).count()
}

/// Requests for resources.
fn requests(source: &Source) -> usize {
    source.log().iter().filter(|path| path.starts_with("/r/") || path.starts_with("/m/")).count()
}

/// A copy has exactly what is listed.
fn holds(place: &Place) -> bool {
    let bodies: Vec<Vec<u8>> = tree(&place.copy()).into_iter().map(|(_, body)| body).collect();
    bodies == (0..6).map(|number| format!("body{number}").into_bytes()).collect::<Vec<_>>()
}

#[test]
fn resources_are_fetched_from_their_mirrors_in_the_order_of_pri() {
    let (place, source) = (Place::new("mirrors"), Source::new());
    let (first, second) = (mirror(0..6, "body"), mirror(0..6, "body"));
    let (one, other) = (format!("{}m/", first.start()), format!("{}m/", second.start()));
    list(&source, true, &[(&other, ""), (&one, r#"pri="1""#), ("ftp://a.example/", "")]);
    let report = run(&source, &[&first, &second], &place, MirrorChoice::Auto);
    assert_eq!((report.run.outcome, of(&report, BytesFrom::Mirror)), (Outcome::InStep, 6), "{report:?}");
    assert_eq!((requests(&source), requests(&first), requests(&second)), (0, 6, 0));
    assert_eq!(report.items[0].origin, Some(format!("{one}0")));
    assert!(holds(&place));
}

#[test]
fn mirrors_of_the_same_priority_share_the_requests() {
    let (place, source) = (Place::new("mirrors-turns"), Source::new());
    let (first, second) = (mirror(0..6, "body"), mirror(0..6, "body"));
    let (one, other) = (format!("{}m/", first.start()), format!("{}m/", second.start()));
    list(&source, true, &[(&one, ""), (&other, "")]);
    let report = run(&source, &[&first, &second], &place, MirrorChoice::Auto);
    assert_eq!((report.run.outcome, requests(&first), requests(&second)), (Outcome::InStep, 3, 3), "{report:?}");
}

#[test]
fn a_mirror_that_lies_or_lacks_resources_is_skipped_after_two_of_them() {
    for (name, lying) in
        [("lies", mirror(0..6, "BODY")), ("lacks", mirror(0..0, "")), ("longer", mirror(0..6, "body-"))]
    {
        let (place, source) = (Place::new(&format!("mirrors-{name}")), Source::new());
        list(&source, true, &[(&format!("{}m/", lying.start()), "")]);
        let report = run(&source, &[&lying], &place, MirrorChoice::Auto);
        assert_eq!((report.run.outcome, of(&report, BytesFrom::Loc)), (Outcome::InStep, 6), "{name} {report:?}");
        // Other bytes are requested once more, past caches, and one resource was handed to the worker before.
        let most = if name == "lacks" { 3 } else { 6 };
        assert!(requests(&lying) <= most, "{name} {:?}", lying.log());
        assert_eq!((report.counts.failed, holds(&place)), (0, true), "{name}");
    }
}

#[test]
fn nothing_is_fetched_from_a_mirror_that_cannot_be_checked_or_may_not_be_requested() {
    let lying = mirror(0..6, "BODY");
    let uri = format!("{}m/", lying.start());
    let other_digest = r#"hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="6""#;
    for (name, has_digests, md, allowed, choice) in [
        ("undigested", false, "", true, MirrorChoice::Auto),
        ("other", true, other_digest, true, MirrorChoice::Auto),
        ("coded", true, r#"encoding="gzip""#, true, MirrorChoice::Auto),
        ("forbidden", true, "", false, MirrorChoice::Auto),
        ("never", true, "", true, MirrorChoice::Never),
    ] {
        let (place, source) = (Place::new(&format!("mirrors-{name}")), Source::new());
        list(&source, has_digests, &[(&uri, md)]);
        let hosts = [&lying];
        let report = run(&source, if allowed { &hosts } else { &[] }, &place, choice);
        assert_eq!((report.run.outcome, requests(&lying)), (Outcome::InStep, 0), "{name} {report:?}");
        assert!(holds(&place), "{name}");
    }
}

#[test]
fn with_only_mirrors_the_uri_of_a_resource_is_never_requested() {
    let (place, source) = (Place::new("mirrors-only"), Source::new());
    let half = mirror(0..3, "body");
    list(&source, true, &[(&format!("{}m/", half.start()), "")]);
    let report = run(&source, &[&half], &place, MirrorChoice::Only);
    assert_eq!((report.run.outcome, of(&report, BytesFrom::Mirror)), (Outcome::Incomplete, 3), "{report:?}");
    assert_eq!((requests(&source), report.counts.failed), (0, 3));
    assert!(report.items.iter().filter(|item| item.code == Some(ItemCode::Unreadable)).count() == 3);
    // Without that choice the next run fetches the rest.
    let report = run(&source, &[&half], &place, MirrorChoice::Auto);
    assert_eq!((report.run.outcome, report.counts.created, holds(&place)), (Outcome::InStep, 3, true), "{report:?}");
}
