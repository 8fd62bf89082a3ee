//! Packages of Resource Dumps as places for bytes: what a copy takes from them, and that nothing of them is believed.

use std::{collections::BTreeMap, fmt::Write as _, fs};

use resourcesync_client::destination::Options;
use resourcesync_sync::{
    conclude::Outcome,
    destination::{PlanChoice, Settings},
    memory::{MemoryCopy, Response},
    report::Report,
};
use resourcesync_tests::{
    all,
    package::{Raw, Zip, package},
};

use crate::dump::{MANY, bodies, digest, list_all, of_packages, offer, packed, plan, requests};
use crate::source::{Place, Source, document, run, run_with, tree};

#[test]
fn a_first_run_takes_all_resources_from_the_package_of_a_dump() {
    let (place, source) = (Place::new("dump"), Source::new());
    let bodies = bodies(&source, 0, "body");
    list_all(&source, &bodies);
    let package = packed(&bodies, "2024-05-01T00:00:00Z");
    offer(&source, &[("part1.zip", &package)], "2024-05-01T00:00:00Z");
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, of_packages(&report)), (Outcome::InStep, 40), "{report:?}");
    assert_eq!((requests(&source), report.verified.digest, report.counts.created), (0, 40, 40));
    let origin = format!("{}part1.zip", source.start());
    assert!(report.items.iter().all(|item| item.origin.as_ref() == Some(&origin)), "{report:?}");
    assert_eq!(report.bytes, package.len() as u64);
    let plan = plan(&report);
    assert!(plan.chosen && plan.milliseconds * 10 < plan.milliseconds_without * 8, "{plan:?}");
    assert_eq!((plan.packages, plan.bytes, plan.supplied, plan.failed), (1, package.len() as u64, 40, 0));
    let stored: Vec<Vec<u8>> = tree(&place.copy()).into_iter().map(|(_, body)| body).collect();
    let mut listed: Vec<Vec<u8>> = bodies.into_values().collect();
    listed.sort();
    let mut stored_sorted = stored;
    stored_sorted.sort();
    assert_eq!(stored_sorted, listed);
    // Nothing but the copy is left.
    assert_eq!(fs::read_dir(place.copy().join(".resourcesync/staging")).unwrap().count(), 0);
    let again = run(&source, &place.copy());
    assert_eq!((again.run.outcome, again.counts.unchanged), (Outcome::InStep, 40));
}

#[test]
fn lists_that_a_run_by_dumps_has_skipped_are_read_by_the_next_one_that_does_not() {
    let (place, source) = (Place::new("dump-plans"), Source::new());
    let bodies = bodies(&source, 0, "body");
    list_all(&source, &bodies);
    let package = packed(&bodies, "2024-05-01T00:00:00Z");
    offer(&source, &[("part1.zip", &package)], "2024-05-01T00:00:00Z");
    let by_dump = Options::default().with(|run| run.reading.plan = PlanChoice::Dump);
    let with = |options: &Options| {
        source.clear_log();
        let report = run_with(&source.start(), &place.copy(), options).unwrap();
        (report.run.outcome, report.counts.created, source.log().contains(&"/dump.xml".to_owned()))
    };
    assert_eq!(with(&by_dump), (Outcome::InStep, 40, true));
    assert_eq!(with(&by_dump), (Outcome::InStep, 0, true));
    // A new resource is in the list, and not in the dump.
    source.put("/later", "later");
    offer(&source, &[("part1.zip", &package)], "2024-05-01T00:00:00Z");
    assert_eq!(with(&Options::default()), (Outcome::InStep, 1, false));
    assert_eq!(with(&Options::default()), (Outcome::InStep, 0, false));
    let report = run_with(&source.start(), &place.copy(), &by_dump).unwrap();
    assert!(report.documents.iter().any(|document| document.uri.ends_with("/dump.xml")), "{report:?}");
}

#[test]
fn lists_that_are_older_than_the_dump_of_a_copy_show_no_changes() {
    for (at, first, then) in [
        ("2024-06-01T00:00:00Z", PlanChoice::Dump, PlanChoice::Auto),
        ("2024-04-01T00:00:00Z", PlanChoice::Auto, PlanChoice::Dump),
    ] {
        let (place, source) = (Place::new("dump-older"), Source::new());
        let bodies = bodies(&source, 0, "body");
        list_all(&source, &bodies);
        offer(&source, &[("part1.zip", &packed(&bodies, at))], at);
        let with = |plan| Options::default().with(|run| run.reading.plan = plan);
        let begun = run_with(&source.start(), &place.copy(), &with(first)).unwrap();
        for plan in [then, then, first, then] {
            let report = run_with(&source.start(), &place.copy(), &with(plan)).unwrap();
            assert_eq!((report.run.outcome, &report.as_of), (Outcome::InStep, &begun.as_of), "{report:?}");
            assert_eq!((report.counts.created, report.counts.deleted, report.counts.unchanged), (0, 0, 40));
        }
    }
}

#[test]
fn a_few_resources_are_requested_one_by_one_and_no_dump_is_read() {
    let (place, source) = (Place::new("dump-few"), Source::new());
    let bodies = bodies(&source, MANY - 2, "body");
    list_all(&source, &bodies);
    offer(&source, &[("part1.zip", &packed(&bodies, "2024-05-01T00:00:00Z"))], "2024-05-01T00:00:00Z");
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, requests(&source)), (Outcome::InStep, 2));
    assert_eq!(report.plan.unwrap().packages, None);
    assert!(!source.log().contains(&"/dump.xml".to_owned()));
}

#[test]
fn a_package_that_is_much_larger_than_what_is_needed_is_not_fetched() {
    let (place, source) = (Place::new("dump-large"), Source::new());
    let bodies = bodies(&source, 0, "body");
    list_all(&source, &bodies);
    offer(&source, &[("part1.zip", b"")], "2024-05-01T00:00:00Z");
    let head = r#"capability="resourcedump" at="2024-05-01T00:00:00Z""#;
    source.serve("/dump.xml", &document(&source, head, &[("part1.zip", r#"length="90000000""#)]));
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, requests(&source), plan(&report).chosen), (Outcome::InStep, 40, false));
    assert!(!source.log().contains(&"/part1.zip".to_owned()));
}

#[test]
fn a_dump_older_than_the_list_supplies_what_has_not_changed_since() {
    let (place, source) = (Place::new("dump-older"), Source::new());
    let old = bodies(&source, 0, "body");
    let package = packed(&old, "2024-04-01T00:00:00Z");
    list_all(&source, &old);
    list_all(&source, &bodies(&source, MANY - 5, "newer body"));
    offer(&source, &[("part1.zip", &package)], "2024-04-01T00:00:00Z");
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, of_packages(&report), requests(&source)), (Outcome::InStep, 35, 5), "{report:?}");
    assert!(tree(&place.copy()).iter().all(|(name, body)| {
        let number: u32 = name.rsplit('/').next().unwrap().parse().unwrap();
        body.starts_with(if number < MANY - 5 { b"body" } else { b"newer body" })
    }));
}

#[test]
fn without_a_listed_digest_only_a_package_that_is_later_than_the_resource_supplies_it() {
    // Earlier than the list; not later than the resource; later than both; in the future.
    for (at, from_package) in [
        ("2024-04-01T00:00:00Z", 0),
        ("2024-04-02T00:00:00Z", 0),
        ("2024-04-03T00:00:00Z", 40),
        ("2124-04-03T00:00:00Z", 0),
    ] {
        let (place, source) = (Place::new(&format!("dump-undigested-{}", &at[..10])), Source::new());
        let bodies = bodies(&source, 0, "body");
        list_all(&source, &bodies);
        let other: BTreeMap<_, _> = bodies.iter().map(|(uri, body)| (uri.clone(), body.to_ascii_uppercase())).collect();
        offer(&source, &[("part1.zip", &packed(&other, at))], at);
        let mut list = String::new();
        for uri in bodies.keys() {
            write!(list, "<url><loc>{uri}</loc><lastmod>2024-04-02T00:00:00Z</lastmod></url>").unwrap();
        }
        let empty = document(&source, r#"capability="resourcelist" at="2024-04-02T00:00:00Z""#, &[]);
        let list = String::from_utf8(empty).unwrap().replace("</urlset>", &format!("{list}</urlset>"));
        source.serve("/resourcelist.xml", list.as_bytes());
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, of_packages(&report)), (Outcome::InStep, from_package), "{at} {report:?}");
    }
}

#[test]
fn a_package_that_fails_brings_in_nothing_and_is_named() {
    for (name, code) in
        [("vanished", "404"), ("cut", "INP-01"), ("other", "AT-09"), ("member", "PKG-05"), ("page", "PKG-08")]
    {
        let (place, source) = (Place::new(&format!("dump-bad-{name}")), Source::new());
        let bodies = bodies(&source, 0, "body");
        list_all(&source, &bodies);
        let mut package = packed(&bodies, "2024-05-01T00:00:00Z");
        match name {
            // The manifest states another digest of one member: none is used.
            "member" => package = with_a_wrong_digest(&bodies),
            "page" => package = b"<!DOCTYPE html><html><body>not found</body></html>".to_vec(),
            _ => {}
        }
        offer(&source, &[("part1.zip", &package)], "2024-05-01T00:00:00Z");
        match name {
            "vanished" => source.hide("/part1.zip"),
            "cut" => source.cut("/part1.zip", true),
            "other" => {
                package.reverse();
                source.serve("/part1.zip", &package);
            }
            _ => {}
        }
        let report = run(&source, &place.copy());
        assert_eq!((report.run.outcome, of_packages(&report)), (Outcome::InStep, 0), "{name} {report:?}");
        assert_eq!((requests(&source), plan(&report).failed, plan(&report).supplied), (40, 1, 0), "{name}");
        let finding = report.diagnostics.iter().find(|finding| finding.code == "SYN-21").unwrap();
        assert!(finding.message.contains("/part1.zip"), "{name} {}", finding.message);
        let is_named = finding.message.contains(code) || name == "cut";
        assert!(is_named, "{name} {}", finding.message);
    }
}

/// A package whose manifest states a wrong digest of its last member.
fn with_a_wrong_digest(bodies: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut manifest = String::from(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcedump-manifest" at="2024-05-01T00:00:00Z"/>"#,
    );
    let mut members = Vec::new();
    let last = bodies.len() - 1;
    for (number, (uri, body)) in bodies.iter().enumerate() {
        let hash = digest(if number == last { b"other" } else { body });
        write!(manifest, r#"<url><loc>{uri}</loc><rs:md hash="{hash}" path="/{number}"/></url>"#).unwrap();
        members.push(Raw::stored(&number.to_string(), body));
    }
    manifest.push_str("</urlset>");
    members.insert(0, Raw::deflated("manifest.xml", manifest.as_bytes()));
    Zip::build(&members).bytes
}

#[test]
fn a_package_of_another_format_is_passed_over() {
    let (place, source) = (Place::new("dump-tar"), Source::new());
    let bodies = bodies(&source, 0, "body");
    list_all(&source, &bodies);
    offer(&source, &[("part1.tar", b"ustar")], "2024-05-01T00:00:00Z");
    let head = r#"capability="resourcedump" at="2024-05-01T00:00:00Z""#;
    let md = r#"type="application/x-tar" length="5""#;
    source.serve("/dump.xml", &document(&source, head, &[("part1.tar", md)]));
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, requests(&source)), (Outcome::InStep, 40), "{report:?}");
    assert!(!source.log().contains(&"/part1.tar".to_owned()));
}

#[test]
fn members_that_no_list_has_are_not_stored_whatever_they_are_called() {
    let (place, source) = (Place::new("dump-foreign"), Source::new());
    let listed = bodies(&source, 0, "body");
    list_all(&source, &listed);
    let mut more = listed.clone();
    more.insert(format!("{}r/secret", source.start()), b"not listed".to_vec());
    more.insert("http://other.example/r/1".to_owned(), b"of another host".to_vec());
    more.insert(format!("{}../../../etc/passwd", source.start()), b"root".to_vec());
    offer(&source, &[("part1.zip", &packed(&more, "2024-05-01T00:00:00Z"))], "2024-05-01T00:00:00Z");
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, of_packages(&report)), (Outcome::InStep, 40), "{report:?}");
    assert_eq!(tree(&place.copy()).len(), 40);
}

#[test]
fn several_packages_supply_their_parts_and_one_that_fails_does_not_touch_the_others() {
    let (place, source) = (Place::new("dump-parts"), Source::new());
    let bodies = bodies(&source, 0, "body");
    list_all(&source, &bodies);
    let half: BTreeMap<_, _> = bodies.iter().take(20).map(|(uri, body)| (uri.clone(), body.clone())).collect();
    let rest: BTreeMap<_, _> = bodies.iter().skip(20).map(|(uri, body)| (uri.clone(), body.clone())).collect();
    let (one, other) = (packed(&half, "2024-05-01T00:00:00Z"), packed(&rest, "2024-05-01T00:00:00Z"));
    offer(&source, &[("part1.zip", &one), ("part2.zip", &other)], "2024-05-01T00:00:00Z");
    source.hide("/part1.zip");
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, of_packages(&report), requests(&source)), (Outcome::InStep, 20, 20), "{report:?}");
}

#[test]
fn a_package_that_is_not_affordable_or_not_allowed_leaves_its_resources_to_their_uris() {
    let (place, source) = (Place::new("dump-limits"), Source::new());
    let bodies = bodies(&source, 0, "body");
    list_all(&source, &bodies);
    let package = packed(&bodies, "2024-05-01T00:00:00Z");
    offer(&source, &[("part1.zip", &package)], "2024-05-01T00:00:00Z");
    // Less than the package, and more than all bodies.
    let options = Options::default().with(|run| run.fetching.max_bytes = Some(package.len() as u64 - 1));
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    assert_eq!((report.run.outcome, requests(&source)), (Outcome::InStep, 40), "{report:?}");
    assert!(!report.diagnostics.iter().any(|finding| finding.code == "SYN-21"), "{report:?}");

    let (place, other) = (Place::new("dump-host"), Source::new());
    other.serve("/part1.zip", &package);
    let head = r#"capability="resourcedump" at="2024-05-01T00:00:00Z""#;
    let dump = document(&other, head, &[("part1.zip", &format!(r#"length="{}""#, package.len()))]);
    source.serve("/dump.xml", &dump);
    source.clear_log();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, requests(&source), plan(&report).failed), (Outcome::InStep, 40, 1), "{report:?}");
    assert_eq!(other.log(), Vec::<String>::new());
}

#[test]
fn a_file_of_others_in_the_way_is_not_replaced_by_a_member() {
    let (place, source) = (Place::new("dump-occupied"), Source::new());
    let bodies = bodies(&source, 0, "body");
    list_all(&source, &bodies);
    offer(&source, &[("part1.zip", &packed(&bodies, "2024-05-01T00:00:00Z"))], "2024-05-01T00:00:00Z");
    let folder = place.copy().join(source.host().replace(':', "^")).join("r");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("3"), "own").unwrap();
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.conflicts), (Outcome::Refused, 1), "{report:?}");
    assert_eq!((of_packages(&report), fs::read(folder.join("3")).unwrap()), (39, b"own".to_vec()));
}

#[test]
fn a_dry_run_says_what_it_would_choose_and_fetches_no_package() {
    let (place, source) = (Place::new("dump-dry"), Source::new());
    let bodies = bodies(&source, 0, "body");
    list_all(&source, &bodies);
    offer(&source, &[("part1.zip", &packed(&bodies, "2024-05-01T00:00:00Z"))], "2024-05-01T00:00:00Z");
    let options = Options::default().with(|run: &mut Settings| run.dry_run = true);
    let report = run_with(&source.start(), &place.copy(), &options).unwrap();
    assert!(plan(&report).chosen && report.run.outcome != Outcome::Failed, "{report:?}");
    assert!(!source.log().contains(&"/part1.zip".to_owned()));
}

/// A copy in memory of a Source that lists the two files of the packages of the corpus, and twenty others, and offers this package.
fn copied(package: &[u8], a: &[u8], b: &[u8]) -> (MemoryCopy, Report) {
    let head =
        r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;
    let entry = |path: &str, md: &str| format!("<url><loc>https://example.com/{path}</loc><rs:md {md}/></url>");
    let listed = |path: &str, body: &[u8]| entry(path, &format!(r#"hash="{}" length="{}""#, digest(body), body.len()));
    let fillers: String = (0..20).map(|number| listed(&format!("filler/{number}"), b"filler")).collect();
    let list = format!(
        r#"<urlset {head}><rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>{}{}{fillers}</urlset>"#,
        listed("a", a),
        listed("b", b)
    );
    let caps = format!(
        r#"<urlset {head}><rs:md capability="capabilitylist"/>{}{}</urlset>"#,
        entry("list.xml", r#"capability="resourcelist""#),
        entry("dump.xml", r#"capability="resourcedump""#)
    );
    let dump = format!(
        r#"<urlset {head}><rs:md capability="resourcedump" at="2024-04-01T00:00:00Z"/>{}</urlset>"#,
        entry("package.zip", &format!(r#"length="{}""#, package.len()))
    );
    let mut respond = |uri: &str, _: &[(String, String)]| {
        let path = uri.strip_prefix("https://example.com/").unwrap_or_default();
        let body = match path {
            ".well-known/resourcesync" => caps.as_bytes(),
            "list.xml" => list.as_bytes(),
            "dump.xml" => dump.as_bytes(),
            "package.zip" => package,
            "a" => a,
            "b" => b,
            _ if path.starts_with("filler/") => b"filler",
            _ => return Some(Response { status: 404, ..Response::default() }),
        };
        Some(Response { status: 200, body: body.to_vec(), ..Response::default() })
    };
    let mut copy = MemoryCopy::new("https://example.com/");
    let report = copy.sync(Settings::default(), 1_730_000_000, &mut respond);
    (copy, report)
}

/// Whatever the package is, the copy is what is listed; true if the package was not used.
fn is_refused(name: &str, package: &[u8], a: &Vec<u8>, b: &Vec<u8>) -> bool {
    let (copy, report) = copied(package, a, b);
    assert_eq!((report.run.outcome, copy.bodies.len()), (Outcome::InStep, 22), "{name} {report:?}");
    assert_eq!((&copy.bodies["https://example.com/a"], &copy.bodies["https://example.com/b"]), (a, b), "{name}");
    let fails = plan(&report).failed == 1;
    assert_eq!(fails, report.diagnostics.iter().any(|finding| finding.code == "SYN-21"), "{name}");
    assert!(!fails || of_packages(&report) == 0, "{name} {report:?}");
    fails
}

/// The two files of the packages of the corpus.
fn files() -> (Vec<u8>, Vec<u8>) {
    let mut sound = resourcesync_tests::members(&package("plain"), &resourcesync::api::Options::default()).unwrap();
    (sound.remove("res/a.txt").unwrap(), sound.remove("res/b.txt").unwrap())
}

#[test]
fn of_no_package_of_the_corpus_anything_is_stored_that_the_list_does_not_have() {
    let (a, b) = files();
    let (mut poisoned, mut used) = (0, 0);
    for case in all().iter().filter(|case| case.is_package()) {
        let is_refused = is_refused(&case.name(), &case.bytes(), &a, &b);
        let has_fault = ["invalid", "incomplete"].contains(&&*case.expected.verdict);
        poisoned += u32::from(is_refused && has_fault);
        used += u32::from(!is_refused);
    }
    assert!(poisoned > 90 && used > 50, "{poisoned} {used}");
}

#[test]
fn a_package_with_any_byte_changed_supplies_only_what_is_listed() {
    let (a, b) = files();
    let sound = package("plain");
    assert!(!is_refused("plain", &sound, &a, &b));
    let mut refused = 0;
    for place in 0..sound.len() {
        let mut changed = sound.clone();
        changed[place] ^= 1 << (place % 8);
        refused += usize::from(is_refused(&format!("byte {place}"), &changed, &a, &b));
    }
    // Some bytes say nothing about the members, such as times and names of entries that no list has.
    assert!(refused * 2 > sound.len(), "{refused} of {}", sound.len());
}
