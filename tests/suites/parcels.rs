//! What processes exchange: outcomes in parcels, and the plan of a Source. That the report does not depend on them is tested in
//! `set.rs` for every Source of the corpus.

use std::collections::BTreeMap;

use resourcesync::{
    api::{
        CrawlOptions, CrawlStep, Crawler, FetchError, FetchOutcome, InputOrigin, Options, Outcome, ParcelError,
        PlanFilter, PlannedInput, PlannerStep, Response, Run, SourcePlanner, Validation,
    },
    diagnostic::{Reason, ReasonCode},
    model::Kind,
    report::{Profile, Selection, Via},
};
use resourcesync_tests::{Answer, Web, all, parcels, plan, sources};

fn outcome(options: &Options, name: &str, bytes: &[u8]) -> Outcome {
    let mut validation = Validation::new(options, InputOrigin { via: Via::Folder, ..InputOrigin::named(name) });
    validation.push(bytes);
    validation.finish()
}

fn report(options: &Options, outcome: Outcome) -> String {
    let mut run = Run::new(options);
    run.add(outcome);
    run.finish().to_json()
}

#[test]
fn an_outcome_in_a_parcel_is_the_same_outcome() {
    for case in all().into_iter().filter(|case| !case.is_package()).step_by(3) {
        let options = case.options();
        let own = outcome(&options, &case.name(), &case.bytes());
        let parcel = own.to_parcel(&options);
        let read = Outcome::from_parcel(&parcel, &options).unwrap();
        assert_eq!(read.to_parcel(&options), parcel, "{}", case.name());
        assert_eq!(report(&options, read), report(&options, own), "{}", case.name());
    }
}

#[test]
fn a_parcel_of_another_run_is_rejected() {
    let options = Options::default();
    let parcel = outcome(&options, "a.xml", b"<urlset/>").to_parcel(&options);
    let changes: [&dyn Fn(&mut Options); 6] = [
        &|options| options.seed = 1,
        &|options| options.max_per_rule = 0,
        &|options| options.no_fixity = true,
        &|options| options.profile = Profile::Strict,
        &|options| options.expect = Some(Kind::ChangeList),
        &|options| options.selection = Selection::new(Profile::Standard, &[], &["RL".parse().unwrap()], &[]),
    ];
    for change in changes {
        let mut other = Options::default();
        change(&mut other);
        assert_eq!(Outcome::from_parcel(&parcel, &other).unwrap_err(), ParcelError::OtherRun);
        let crawler = Crawler::new(other, CrawlOptions::default());
        assert_eq!(crawler.readers().from_parcel(&parcel).unwrap_err(), ParcelError::OtherRun);
    }
    assert!(Outcome::from_parcel(&parcel, &options).is_ok());
    // The outcome of an input is not one of a fetch, and the other way round.
    let crawler = Crawler::new(Options::default(), CrawlOptions::default());
    assert_eq!(crawler.readers().from_parcel(&parcel).unwrap_err(), ParcelError::Damaged);
    let case = sources().into_iter().find(|case| case.name().contains("CL-18")).unwrap();
    for parcel in parcels(&case.web(), &options, case.crawl_options(1 << 20, false)) {
        assert!(Outcome::from_parcel(&parcel, &options).is_err());
        assert!(crawler.readers().from_parcel(&parcel).is_ok());
    }
}

#[test]
fn every_damage_to_a_parcel_is_found() {
    let options = Options::default();
    let parcel = outcome(&options, "a.xml", b"<urlset/>").to_parcel(&options);
    for at in 0..parcel.len() {
        let mut damaged = parcel.clone();
        damaged[at] ^= 1;
        assert_eq!(Outcome::from_parcel(&damaged, &options).unwrap_err(), ParcelError::Damaged, "{at}");
        assert_eq!(Outcome::from_parcel(&parcel[..at], &options).unwrap_err(), ParcelError::Damaged, "{at}");
    }
}

#[test]
fn the_parcel_of_a_list_has_17_bytes_an_entry_at_most() {
    let entries = 50_000;
    let mut list = String::from(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/><rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>"#,
    );
    for at in 0..entries {
        list += &format!(
            "<url><loc>http://example.com/{at}</loc><lastmod>2024-04-01T00:00:00Z</lastmod><rs:md length=\"{at}\"/></url>"
        );
    }
    list += "</urlset>";
    let mut crawler = Crawler::new(Options::default(), CrawlOptions::from(["http://example.com/list.xml"]));
    let readers = crawler.readers();
    let CrawlStep::Fetch(fetch) = crawler.poll() else { panic!() };
    let mut reader = readers.reader(&fetch, Response::found(&fetch.uri));
    reader.push(list.as_bytes());
    let parcel = readers.to_parcel(&reader.finish());
    assert!(parcel.len() > 16 * entries && parcel.len() <= 17 * entries, "{}", parcel.len());
}

/// The URI, the kind, the set and the parent of an input.
fn shown(input: &PlannedInput) -> (&str, &str, Option<&str>, Option<&str>) {
    (&input.uri, input.kind.as_str(), input.set.as_deref(), input.parent.as_deref())
}

const URLSET: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

fn web(places: &[(&str, String)]) -> Web {
    let found = |body: &String| Answer::Had { status: 200, headers: None, body: body.clone().into_bytes() };
    places.iter().map(|(name, body)| (format!("http://example.com/{name}"), found(body))).collect::<BTreeMap<_, _>>()
}

fn document(shape: &str, capability: &str, entries: &[&str]) -> String {
    let entry = if shape == "urlset" { "url" } else { "sitemap" };
    let entries: String = entries
        .iter()
        .map(|entry_| {
            let (name, md) = entry_.split_once(' ').unwrap_or((entry_, ""));
            format!("<{entry}><loc>http://example.com/{name}</loc><rs:md {md}/></{entry}>")
        })
        .collect();
    format!(
        r#"<{shape} {URLSET}><rs:ln rel="up" href="http://example.com/set.xml"/><rs:md capability="{capability}" from="2024-01-01T00:00:00Z"/>{entries}</{shape}>"#
    )
}

#[test]
fn a_plan_names_every_list_and_package_once_and_reads_none_of_them() {
    let resources: Vec<String> = (0..5_000).map(|at| format!("r{at}")).collect();
    let resources: Vec<&str> = resources.iter().map(String::as_str).collect();
    let web = web(&[
        (".well-known/resourcesync", document("urlset", "description", &[r#"set.xml capability="capabilitylist""#])),
        (
            "set.xml",
            document(
                "urlset",
                "capabilitylist",
                &[
                    r#"index.xml capability="resourcelist""#,
                    r#"changes.xml capability="changelist""#,
                    r#"dump.xml capability="resourcedump""#,
                    r#"topic capability="change-notification""#,
                    r#"gone.xml capability="resourcelist""#,
                ],
            ),
        ),
        (
            "index.xml",
            document(
                "sitemapindex",
                "resourcelist",
                &[
                    r#"1.xml length="70" from="2024-02-01T00:00:00Z" hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6""#,
                    "2.xml",
                    "1.xml",
                ],
            ),
        ),
        ("changes.xml", document("urlset", "changelist", &resources)),
        ("dump.xml", document("urlset", "resourcedump", &[r#"part1.zip type="application/zip""#])),
    ]);
    let options = Options::default();
    let (planned, fetched) = plan(&web, &options, CrawlOptions::from(["http://example.com/"]), false);
    let (set, index) = (Some("http://example.com/set.xml"), Some("http://example.com/index.xml"));
    let mut shown: Vec<_> = planned.iter().map(shown).collect();
    shown.sort_unstable();
    assert_eq!(
        shown,
        [
            ("http://example.com/1.xml", "resource-list", set, index),
            ("http://example.com/2.xml", "resource-list", set, index),
            ("http://example.com/changes.xml", "change-list", set, set),
            ("http://example.com/gone.xml", "unknown", set, set),
            ("http://example.com/part1.zip", "resource-dump-manifest", set, Some("http://example.com/dump.xml")),
        ]
    );
    let problems: Vec<_> =
        planned.iter().filter_map(|input| input.problem.as_ref().map(|why| (&*input.uri, why.code.as_str()))).collect();
    assert_eq!(problems.iter().map(|(uri, _)| *uri).collect::<Vec<_>>(), ["http://example.com/gone.xml"]);
    let first = planned.iter().find(|input| input.uri.ends_with("/1.xml")).unwrap();
    assert_eq!((first.length, first.times.from.as_deref()), (Some(70), Some("2024-02-01T00:00:00Z")));
    assert_eq!(first.hash.as_deref(), Some("md5:1584abdf8ebdc9802ac0c6a7402c03b6"));
    assert!(planned.iter().all(|input| input.source == 3));
    assert_eq!(planned.iter().map(|input| input.turn).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    // Nothing below an index or a dump, no topic, and nothing twice.
    let mut requested: Vec<&str> = fetched.iter().filter_map(|uri| uri.strip_prefix("http://example.com/")).collect();
    requested.sort_unstable();
    assert_eq!(
        requested,
        ["", ".well-known/resourcesync", "changes.xml", "dump.xml", "gone.xml", "index.xml", "robots.txt", "set.xml"]
    );
    assert_eq!(plan(&web, &options, CrawlOptions::from(["http://example.com/"]), true).0, planned);
}

#[test]
fn a_plan_can_start_at_a_list_and_a_dead_source_is_a_problem() {
    let web = web(&[("list.xml", document("urlset", "resourcelist", &["a"]))]);
    let options = Options::default();
    let (planned, _) = plan(&web, &options, CrawlOptions::from(["http://example.com/list.xml"]), false);
    assert_eq!(
        planned.iter().map(|input| (&*input.uri, input.kind)).collect::<Vec<_>>()[0],
        ("http://example.com/list.xml", Kind::ResourceList)
    );
    let (planned, _) = plan(&Web::new(), &options, CrawlOptions::from(["http://dead.example/"]), false);
    assert_eq!(planned.len(), 1);
    assert_eq!((planned[0].uri.as_str(), planned[0].kind), ("http://dead.example/", Kind::Unknown));
    assert!(planned[0].problem.is_some());
}

#[test]
fn a_list_that_sets_have_in_common_is_planned_for_the_one_that_is_wanted() {
    let below = |set: &str, document: String| document.replace("set.xml", set);
    let lists = |own: &str| {
        let own = format!(r#"{own} capability="changelist""#);
        document("urlset", "capabilitylist", &[r#"shared.xml capability="resourcelist""#, &own])
    };
    let sets = [r#"a.xml capability="capabilitylist""#, r#"b.xml capability="capabilitylist""#];
    let web = web(&[
        (".well-known/resourcesync", below(".well-known/resourcesync", document("urlset", "description", &sets))),
        ("a.xml", below(".well-known/resourcesync", lists("a-changes.xml"))),
        ("b.xml", below(".well-known/resourcesync", lists("b-changes.xml"))),
        ("shared.xml", below("b.xml", document("urlset", "resourcelist", &["1"]))),
        ("a-changes.xml", below("a.xml", document("urlset", "changelist", &[]))),
        ("b-changes.xml", below("b.xml", document("urlset", "changelist", &[]))),
    ]);
    let of = |sets: &[&str]| {
        let mut crawl = CrawlOptions::from(["http://example.com/"]);
        crawl.sets = sets.iter().map(|set| format!("http://example.com/{set}")).collect();
        let filter = PlanFilter { sets: crawl.sets.clone(), ..PlanFilter::default() };
        let (planned, _) = plan(&web, &Options::default(), crawl, false);
        let mut planned: Vec<_> = planned
            .iter()
            .filter(|input| filter.has(input))
            .map(|input| {
                [Some(&input.uri), input.set.as_ref()]
                    .map(|uri| uri.and_then(|uri| uri.rsplit('/').next()).unwrap_or(""))
            })
            .map(|each| each.join(" of "))
            .collect();
        planned.sort_unstable();
        planned.join(", ")
    };
    assert_eq!(of(&["b.xml"]), "b-changes.xml of b.xml, shared.xml of b.xml");
    assert_eq!(of(&["a.xml"]), "a-changes.xml of a.xml, shared.xml of a.xml");
    let all = "a-changes.xml of a.xml, b-changes.xml of b.xml, shared.xml of a.xml";
    assert_eq!((of(&[]).as_str(), of(&["a.xml", "b.xml"]).as_str()), (all, all));
}

/// The plan of a Source whose Capability List announces `index.xml` as a Resource List, with this there: URIs, kinds and problems.
fn planned(index: String, options: &Options) -> Vec<(String, String, String)> {
    let set = document("urlset", "capabilitylist", &[r#"index.xml capability="resourcelist""#]);
    let web = web(&[("set.xml", set), ("index.xml", index)]);
    let (planned, _) = plan(&web, options, CrawlOptions::from(["http://example.com/set.xml"]), false);
    let problem = |input: &PlannedInput| input.problem.as_ref().map_or_else(String::new, ToString::to_string);
    planned.iter().map(|input| (input.uri.clone(), input.kind.to_string(), problem(input))).collect()
}

#[test]
fn what_a_plan_lacks_is_a_problem() {
    let options = Options::default();
    let index = document("sitemapindex", "resourcelist", &["1.xml", "2.xml", "3.xml"]);
    let list = |name: &str| (format!("http://example.com/{name}.xml"), "resource-list".to_owned(), String::new());
    let problem =
        |words: &str| ("http://example.com/index.xml".to_owned(), "resource-list".to_owned(), words.to_owned());
    assert_eq!(planned(index.clone(), &options), [list("1"), list("2"), list("3")]);
    // Cut in the second entry, and before its head.
    let cut = index[..index.find("2.xml").unwrap()].to_owned();
    assert_eq!(planned(cut, &options), [list("1"), problem("not read to its end (GEN-01)")]);
    let head = index[..index.find("<rs:md").unwrap()].to_owned();
    assert_eq!(planned(head, &options), [problem("not read to its end (GEN-01)")]);
    // A part of it is beyond the limits, or leads nowhere.
    let mut limited = Options::default();
    limited.limits.kept_entries = 2;
    let words = "entries that exceed the limits kept_entries, kept_entry_bytes or crawl_entries: 1";
    assert_eq!(planned(index.clone(), &limited), [list("1"), list("2"), problem(words)]);
    limited.limits = Options::default().limits;
    limited.limits.crawl_entries = 2;
    let words = "entries that exceed the limits kept_entries, kept_entry_bytes or crawl_entries: 2";
    assert_eq!(planned(index.clone(), &limited), [list("1"), problem(words)]);
    let nowhere = index.replace("http://example.com/2.xml", "2.xml");
    assert_eq!(planned(nowhere, &options), [list("1"), list("3"), problem("entries without a valid URI: 1")]);
    // It is something else.
    let plain = format!("<urlset {URLSET}><url><loc>http://example.com/a</loc></url></urlset>");
    assert_eq!(planned(plain, &options), [problem("not a ResourceSync document (sitemap)")]);
    assert_eq!(planned("<feed/>".to_owned(), &options), [problem("not a ResourceSync document (unknown)")]);
    let html = "<!DOCTYPE html>\n<html><head><title>x</title></head><body>x</body></html>\n".to_owned();
    assert_eq!(planned(html, &options), [problem("not a ResourceSync document (html)")]);
    let changes = planned(document("urlset", "changelist", &["a"]), &options);
    let words = "its kind is change-list, and resource-list is expected";
    assert_eq!(changes[0].1, "change-list");
    assert_eq!(changes[1..], [problem(words)]);
}

#[test]
fn a_connection_that_breaks_off_makes_a_plan_incomplete() {
    let index = document("sitemapindex", "resourcelist", &["1.xml", "2.xml"]);
    let mut planner = SourcePlanner::new(0, Options::default(), CrawlOptions::from(["http://example.com/index.xml"]));
    let (readers, mut planned) = (planner.readers(), Vec::new());
    loop {
        match planner.poll() {
            PlannerStep::Fetch(fetch) if fetch.uri.ends_with("/index.xml") => {
                let mut reader = readers.reader(&fetch, Response::found(&fetch.uri));
                reader.push(&index.as_bytes()[..index.find("2.xml").unwrap()]);
                planner.handle(reader.fail(Reason::new(ReasonCode::ConnectionClosed)));
            }
            PlannerStep::Fetch(fetch) => {
                let reason = Reason::new(ReasonCode::NoSuchFile);
                planner.handle(FetchOutcome::failed(&fetch, FetchError::NotFound { reason }));
            }
            PlannerStep::Input(input) => planned.push(input),
            _ => break,
        }
    }
    let problems: Vec<_> =
        planned.iter().map(|input| (&*input.uri, input.problem.as_ref().map(ToString::to_string))).collect();
    assert!(
        problems.contains(&("http://example.com/index.xml", Some("not read to its end (INP-01)".to_owned()))),
        "{problems:?}"
    );
}

#[test]
fn a_plan_has_every_list_that_a_crawl_finds() {
    for case in sources().into_iter().filter(|case| !case.is_large()) {
        let mut crawl = case.crawl_options(1 << 20, false);
        crawl.files.clear();
        let (planned, _) = plan(&case.web(), &Options::default(), crawl, false);
        let found = planned.iter().map(|input| input.uri.as_str()).collect::<Vec<_>>();
        let report = case.crawl(1 << 20, false);
        let is_dump = |id: u64| matches!(report.inputs[id as usize].kind, Kind::ResourceDump | Kind::ChangeDump);
        for input in &report.inputs {
            let is_leaf = match input.kind {
                Kind::ResourceList | Kind::ChangeList => true,
                Kind::Package => input.parent.is_some_and(is_dump),
                _ => false,
            };
            // What a topic sends is no list of the Source.
            if is_leaf && !matches!(input.via, Via::Folder | Via::Zip) && !input.name.ends_with("/notify") {
                assert!(found.contains(&input.name.as_str()), "{}: {} of {found:?}", case.name(), input.name);
            }
        }
    }
}
