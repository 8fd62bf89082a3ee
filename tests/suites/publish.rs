//! A published Source of any size validates without a finding, and its output is reproducible.

use std::collections::BTreeMap;

use resourcesync::{
    api::{self, InputOrigin, Options, validate},
    build::{
        CapabilityEntry, ChangeHistory, Difference, DumpHistory, MemoryStore, Outbox, Output, Publication,
        PublishError, Published, Resource, ResourceChange, Settings, diff,
    },
    limits::Limits,
    model::Kind,
    report::Verdict,
    value::{Algorithm, Capability, Datetime, Hashes, Uri, to_hex},
};
use resourcesync_tests::assert_read_alike;
use sha2::{Digest, Sha256};

type Files = BTreeMap<String, Vec<u8>>;

fn uri(path: &str) -> Uri {
    Uri::from_iri(&format!("https://example.com/repo/{path}")).unwrap()
}

fn moment(day: u8, hour: u8) -> Datetime {
    Datetime::utc(2024, 5, day, hour, 0, 0).unwrap()
}

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.describedby = Some(uri("about.html"));
    settings
}

fn begin(store: &mut MemoryStore, at: Datetime, settings: Settings) -> Publication<&mut MemoryStore> {
    Publication::new(store, uri(""), at, settings).unwrap()
}

/// Asserts that no document or package has a finding.
fn check(files: &Files) {
    files.iter().filter(|(path, _)| path.ends_with(".zip")).for_each(|(_, bytes)| {
        assert_read_alike(bytes, &Options::default());
    });
    for (path, bytes) in files {
        let report = validate(bytes, InputOrigin::named(path.as_str()), &Options::default());
        let found: Vec<_> =
            report.diagnostics.iter().map(|found| format!("{} {}", found.code, found.message)).collect();
        assert_eq!((report.verdict, found), (Verdict::Valid, vec![]), "{path}\n{}", String::from_utf8_lossy(bytes));
    }
}

fn document(files: &Files, path: &str) -> api::plain::Document {
    api::read(&files[path], &Limits::default()).unwrap()
}

fn links(document: &api::plain::Document) -> Vec<(String, String)> {
    let base = "https://example.com/repo/";
    let links = document.head.links.iter().map(|link| (link.rel.clone().unwrap(), link.href.clone().unwrap()));
    links.map(|(rel, href)| (rel, href.strip_prefix(base).unwrap().to_string())).collect()
}

fn locs(document: &api::plain::Document) -> Vec<&str> {
    document.entries.iter().map(|entry| entry.uri.strip_prefix("https://example.com/repo/").unwrap()).collect()
}

fn pair(rel: &str, href: &str) -> (String, String) {
    (rel.to_string(), href.to_string())
}

fn content(number: u64) -> Vec<u8> {
    format!("content of {number}, ").repeat(number as usize % 50).into_bytes()
}

fn resource(number: u64) -> Resource {
    let mut hashes = Hashes::default();
    hashes.push(Algorithm::Sha256, Sha256::digest(content(number)).to_vec());
    Resource::new(uri(&format!("資料/{number:07}.txt")))
        .lastmod(moment(1, 0))
        .hash(hashes)
        .length(content(number).len() as u64)
        .media_type("text/plain".parse().unwrap())
}

#[test]
fn a_small_source_is_a_handful_of_documents_linked_as_they_have_to_be() {
    let mut store = MemoryStore::default();
    let mut source = begin(&mut store, moment(2, 0), settings());
    source.set("図書", Some(uri("set.html"))).unwrap();
    source.resource_list((0..3).map(resource)).unwrap();
    source.announce(CapabilityEntry::channel(Capability::ChangeNotification, uri("topic"), uri("hub"))).unwrap();
    source.set("", Some(uri("other.html"))).unwrap();
    source.change_lists(ChangeHistory::since(moment(1, 0)), None, Vec::<ResourceChange>::new()).unwrap();
    let published = source.finish().unwrap();
    check(&store.files);
    assert_eq!(
        published.written,
        [
            "図書/resourcelist.xml",
            "図書/capabilitylist.xml",
            "changelist.xml",
            "capabilitylist.xml",
            ".well-known/resourcesync"
        ]
    );
    let set = "%E5%9B%B3%E6%9B%B8";
    let list = document(&store.files, "図書/resourcelist.xml");
    assert_eq!(links(&list), [pair("up", &format!("{set}/capabilitylist.xml"))]);
    let capabilities = document(&store.files, "図書/capabilitylist.xml");
    assert_eq!(links(&capabilities), [pair("up", ".well-known/resourcesync"), pair("describedby", "set.html")]);
    assert_eq!(locs(&capabilities), [&*format!("{set}/resourcelist.xml"), "topic"]);
    let description = document(&store.files, ".well-known/resourcesync");
    assert_eq!(locs(&description), [&*format!("{set}/capabilitylist.xml"), "capabilitylist.xml"]);
    assert_eq!((published.sets[0].resources, published.sets[1].resources), (3, 0));
}

#[test]
fn a_list_is_split_by_entries_and_by_bytes() {
    for (entries, bytes, counts) in [(4, 1 << 20, vec![4, 4, 2]), (50_000, 2_500, vec![7, 3]), (10, 1 << 20, vec![])] {
        for known in [true, false] {
            let (mut store, mut settings) = (MemoryStore::default(), settings());
            (settings.max_document_entries, settings.max_document_bytes) = (entries, bytes);
            let mut source = begin(&mut store, moment(2, 0), settings);
            source.set("a", Some(uri("set.html"))).unwrap();
            source.begin_resource_list(known.then_some(10)).unwrap();
            (0..10).for_each(|number| source.push(resource(number)).unwrap());
            source.finish().unwrap();
            check(&store.files);
            let whole = document(&store.files, "a/resourcelist.xml");
            assert_eq!(whole.kind, if counts.is_empty() { Kind::ResourceList } else { Kind::ResourceListIndex });
            let parts: Vec<_> = store.files.keys().filter(|path| path.contains("resourcelist-")).cloned().collect();
            let found: Vec<_> = parts.iter().map(|part| document(&store.files, part).entries.len()).collect();
            assert_eq!(found, counts, "{entries} {bytes}");
            for part in &parts {
                assert!(store.files[part].len() as u64 <= bytes);
                let up_and_index = [pair("up", "a/capabilitylist.xml"), pair("index", "a/resourcelist.xml")];
                assert_eq!(links(&document(&store.files, part)), up_and_index);
            }
            if !counts.is_empty() {
                assert_eq!(locs(&whole), parts);
            }
        }
    }
}

fn change(number: u64, day: u8, hour: u8) -> ResourceChange {
    let uri = uri(&format!("{number}.txt"));
    let change = match number % 3 {
        0 => ResourceChange::created(uri),
        1 => ResourceChange::updated(uri),
        _ => ResourceChange::deleted(uri),
    };
    let change = change.at(moment(day, hour));
    if number % 3 == 2 { change } else { change.length(content(number).len() as u64) }
}

fn publish_changes(
    store: &mut MemoryStore,
    at: Datetime,
    history: ChangeHistory,
    close: Option<Datetime>,
    changes: Vec<ResourceChange>,
) -> Result<Published, PublishError> {
    let mut settings = settings();
    settings.max_document_entries = 5;
    let mut source = begin(store, at, settings);
    source.set("a", Some(uri("set.html")))?;
    source.change_lists(history, close, changes)?;
    source.finish()
}

#[test]
fn change_lists_are_filled_closed_and_continued() {
    let mut store = MemoryStore::default();
    let first: Vec<_> = (0..7).map(|number| change(number, 2, number as u8)).collect();
    let history = ChangeHistory::since(moment(1, 0));
    let published = publish_changes(&mut store, moment(3, 0), history, None, first.clone()).unwrap();
    check(&store.files);
    let history = published.sets[0].changes.clone().unwrap();
    assert_eq!((history.closed.len(), history.open.number, &history.open.from), (1, 2, &moment(2, 4)));
    assert_eq!(published.kept, Vec::<String>::new());
    let json = serde_json::to_string(&history).unwrap();
    assert_eq!(
        json,
        r#"{"closed":[{"number":1,"from":"2024-05-01T00:00:00Z","until":"2024-05-02T04:00:00Z"}],"open":{"number":2,"from":"2024-05-02T04:00:00Z"}}"#
    );
    let history: ChangeHistory = serde_json::from_str(&json).unwrap();

    // The open list is rewritten with the new changes and closed, and the next one starts.
    let closed_list = store.files["a/changelist-1.xml"].clone();
    let mut second = first[5..].to_vec();
    second.push(change(7, 4, 0));
    let published = publish_changes(&mut store, moment(5, 0), history, Some(moment(5, 0)), second).unwrap();
    check(&store.files);
    assert_eq!(published.kept, ["a/changelist-1.xml"]);
    assert_eq!(published.written[..3], ["a/changelist-2.xml", "a/changelist-3.xml", "a/changelist.xml"]);
    assert_eq!(store.files["a/changelist-1.xml"], closed_list);
    let history = published.sets[0].changes.clone().unwrap();
    assert_eq!((history.closed.len(), history.open.number, &history.open.from), (2, 3, &moment(5, 0)));
    let index = document(&store.files, "a/changelist.xml");
    let untils: Vec<_> = index.entries.iter().map(|entry| entry.until.as_deref()).collect();
    assert_eq!(untils, [Some("2024-05-02T04:00:00Z"), Some("2024-05-05T00:00:00Z"), None]);
    assert_eq!(index.head.from.as_deref(), Some("2024-05-01T00:00:00Z"));
}

#[test]
fn a_change_out_of_order_or_without_datetime_is_refused_and_the_rest_goes_on() {
    let mut store = MemoryStore::default();
    let mut source = begin(&mut store, moment(9, 0), settings());
    source.set("a", Some(uri("set.html"))).unwrap();
    source.begin_change_lists(ChangeHistory::since(moment(2, 0)), None).unwrap();
    source.push(change(0, 3, 0)).unwrap();
    for (bad, code) in [
        (change(1, 2, 0), "CL-13"),
        (change(1, 1, 0), "AT-24"),
        (ResourceChange::updated(uri("1")), "ADV-02"),
        (change(3, 4, 0).related(resourcesync::build::RelatedLink::new("hub".parse().unwrap(), uri("1"))), "LK-34"),
    ] {
        let Err(PublishError::Refused(refused)) = source.push(bad) else { panic!("{code}") };
        assert!(refused.diagnostics().any(|found| found.code == code), "{code}: {refused}");
    }
    source.push(change(2, 5, 0)).unwrap();
    source.finish().unwrap();
    check(&store.files);
    assert_eq!(document(&store.files, "a/changelist.xml").entries.len(), 2);
    let late = publish_changes(
        &mut store,
        moment(3, 0),
        ChangeHistory::since(moment(1, 0)),
        Some(moment(2, 0)),
        vec![change(0, 3, 0)],
    );
    let Err(PublishError::Refused(refused)) = late else { panic!() };
    assert_eq!(refused.code(), "AT-24");
}

fn dump(package_entries: u64, package_bytes: u64) -> MemoryStore {
    let (mut store, mut settings) = (MemoryStore::default(), settings());
    (settings.max_package_entries, settings.max_package_bytes) = (package_entries, package_bytes);
    let mut source = begin(&mut store, moment(2, 0), settings);
    source.set("a", Some(uri("set.html"))).unwrap();
    source.begin_resource_dump().unwrap();
    for number in 0..10 {
        source.push(resource(number)).unwrap();
        content(number).chunks(7).for_each(|bytes| source.write(bytes).unwrap());
    }
    source.begin_change_dump(DumpHistory::since(moment(1, 0))).unwrap();
    for number in 0..6 {
        source.push(change(number, 1, number as u8)).unwrap();
        if number % 3 != 2 {
            source.write(&content(number)).unwrap();
        }
    }
    let published = source.finish().unwrap();
    assert_eq!(published.sets[0].dump.as_ref().unwrap().packages.len() as u64, 6_u64.div_ceil(package_entries));
    store
}

#[test]
fn dumps_are_split_into_packages_that_verify() {
    for (entries, bytes, packages) in [(3, 1_000_000, 4), (50_000, 300, 3), (50_000, 1_000_000, 1)] {
        let store = dump(entries, bytes);
        check(&store.files);
        let zips: Vec<_> =
            store.files.keys().filter(|path| path.starts_with("a/resourcedump-") && path.ends_with(".zip")).collect();
        assert_eq!(zips.len(), packages, "{entries} {bytes}");
        let listed = document(&store.files, "a/resourcedump.xml");
        for (entry, path) in listed.entries.iter().zip(&zips) {
            assert_eq!(entry.length, Some(store.files[*path].len() as u64));
            let digest = Sha256::digest(&store.files[*path]);
            let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(entry.hashes.get("sha-256"), Some(&*hex));
            let contents = entry.links[0].href.as_deref().unwrap().strip_prefix("https://example.com/repo/").unwrap();
            assert_eq!(document(&store.files, contents).kind, Kind::ResourceDumpManifest);
        }
        assert_eq!(dump(entries, bytes), store, "the same input gives the same bytes");
    }
}

#[test]
fn bytes_that_are_not_those_described_end_a_dump() {
    for (wrong, code) in [(&b"short"[..], "PKG-06"), (&[b'x'; 22][..], "PKG-05")] {
        let mut store = MemoryStore::default();
        let mut source = begin(&mut store, moment(2, 0), settings());
        source.set("a", None).unwrap();
        source.begin_resource_dump().unwrap();
        source.push(resource(1)).unwrap();
        assert_eq!(content(1).len(), 14);
        source.write(if code == "PKG-05" { &wrong[..14] } else { wrong }).unwrap();
        let Err(PublishError::Refused(refused)) = source.push(resource(2)) else { panic!() };
        assert_eq!(refused.code(), code);
    }
}

#[test]
fn a_change_dump_is_continued() {
    let mut store = MemoryStore::default();
    let mut history = DumpHistory::since(moment(1, 0));
    for run in 0..3_u8 {
        let mut source = begin(&mut store, moment(run + 2, 0), settings());
        source.set("a", Some(uri("set.html"))).unwrap();
        source.begin_change_dump(history).unwrap();
        // In the last run nothing changed.
        if run < 2 {
            source.push(change(0, run + 1, 5)).unwrap();
            source.push(change(2, run + 1, 6)).unwrap();
        }
        let published = source.finish().unwrap();
        assert_eq!(published.kept.len(), usize::from(run) * 2);
        history = published.sets[0].dump.clone().unwrap();
        check(&store.files);
    }
    assert_eq!(history.packages.iter().map(|package| package.number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(locs(&document(&store.files, "a/changedump.xml")), ["a/changedump-1.zip", "a/changedump-2.zip"]);
}

#[test]
fn misuse_is_told() {
    let mut store = MemoryStore::default();
    for base in ["https://example.com/x", "https://example.com/?x/", "https://me:secret@example.com/"] {
        assert!(Publication::new(&mut store, base.parse().unwrap(), moment(1, 0), settings()).is_err(), "{base}");
    }
    let mut source = begin(&mut store, moment(2, 0), settings());
    assert!(matches!(source.push(resource(1)), Err(PublishError::Misuse(_))));
    assert!(matches!(source.begin_resource_dump(), Err(PublishError::Misuse(_))));
    for name in ["../a", "/a", "a/", ".well-known", "a\\b", "a//b", "\u{1}"] {
        assert!(matches!(source.set(name, None), Err(PublishError::Misuse(_))), "{name}");
    }
    source.set("a", None).unwrap();
    assert!(matches!(source.push(resource(1)), Err(PublishError::Misuse(_))));
    assert!(matches!(source.write(b"x"), Err(PublishError::Misuse(_))));
    // A set without a description, which is required.
    assert!(matches!(source.set("b", None), Err(PublishError::Refused(refused)) if refused.code() == "CAP-05"));
}

#[test]
fn what_goes_to_a_queue_is_what_goes_to_memory() {
    let mut memory = MemoryStore::default();
    let mut source = begin(&mut memory, moment(2, 0), settings());
    source.set("a", Some(uri("set.html"))).unwrap();
    source.resource_list((0..3).map(resource)).unwrap();
    source.finish().unwrap();

    let mut outbox = Outbox::default();
    let (mut files, mut open) = (Files::new(), String::new());
    let mut source = Publication::new(&mut outbox, uri(""), moment(2, 0), settings()).unwrap();
    source.set("a", Some(uri("set.html"))).unwrap();
    source.resource_list((0..3).map(resource)).unwrap();
    source.finish().unwrap();
    while let Some(output) = outbox.next() {
        match output {
            Output::Begin(path) => {
                files.insert(path.clone(), vec![]);
                open = path;
            }
            Output::Write(bytes) => files.get_mut(&open).unwrap().extend(bytes),
            Output::End => open.clear(),
        }
    }
    assert_eq!(files, memory.files);
}

#[test]
fn differences_are_what_a_change_list_says() {
    let with = |path: &str, hash: &str, length, day| {
        let entry = Resource::new(uri(path)).length(length).lastmod(moment(day, 0));
        if hash.is_empty() { entry.into() } else { entry.hash(hash.parse().unwrap()).into() }
    };
    let md5 = |digit: &str| format!("md5:{}", digit.repeat(32));
    let both = |digit: &str| format!("md5:{} sha-1:{}", digit.repeat(32), "0".repeat(40));
    let old = [
        with("a", &md5("1"), 1, 1),  // the same digest, another date
        with("b", &md5("1"), 1, 1),  // another digest
        with("c", "", 1, 1),         // another date
        with("d", "", 1, 1),         // the same
        with("e", &both("1"), 1, 1), // one digest the same, one more
        with("f", "", 1, 1),         // gone
    ];
    let new = [
        with("a", &md5("1"), 1, 2),
        with("b", &md5("2"), 1, 1),
        with("c", "", 1, 2),
        with("d", "", 1, 1),
        with("e", &md5("1"), 1, 2),
        with("g", "", 1, 2),
    ];
    let found = diff(old.clone(), new).collect::<Result<Vec<_>, _>>().unwrap();
    let mut store = MemoryStore::default();
    let mut source = begin(&mut store, moment(3, 0), settings());
    source.set("a", Some(uri("set.html"))).unwrap();
    source.begin_change_lists(ChangeHistory::since(moment(1, 0)), None).unwrap();
    found.iter().for_each(|difference| source.push(difference.change(moment(2, 0))).unwrap());
    source.finish().unwrap();
    check(&store.files);
    let list = document(&store.files, "a/changelist.xml");
    let said: Vec<_> =
        list.entries.iter().map(|entry| (entry.uri.as_str(), entry.change.as_deref().unwrap())).collect();
    let base = "https://example.com/repo/";
    let expected = [("b", "updated"), ("c", "updated"), ("f", "deleted"), ("g", "created")];
    assert_eq!(
        said,
        expected
            .map(|(path, change)| (format!("{base}{path}"), change))
            .iter()
            .map(|(a, b)| (a.as_str(), *b))
            .collect::<Vec<_>>()
    );
    assert_eq!((list.entries[0].length, list.entries[2].length), (Some(1), None));
    assert!(matches!(&found[2], Difference::Deleted(_)));

    let [a, b, ..] = old;
    let wrong = diff([b, a], []).collect::<Result<Vec<_>, _>>().unwrap_err();
    assert_eq!((wrong.list, wrong.uri), ("old", format!("{base}a")));
}

#[test]
fn a_publication_remembers_its_documents_where_that_is_wanted() {
    let publish = |digests: bool, at: Datetime, resources: u64| {
        let mut store = MemoryStore::default();
        let mut settings = settings();
        (settings.digests, settings.max_document_entries) = (digests, 2);
        let mut source = begin(&mut store, at.clone(), settings);
        source.set("theses", Some(uri("theses.html"))).unwrap();
        source.resource_list((0..resources).map(|number| Resource::new(uri(&number.to_string())))).unwrap();
        source.change_lists(ChangeHistory::since(at), None, Vec::<ResourceChange>::new()).unwrap();
        (source.finish().unwrap(), store.files)
    };
    let (published, files) = publish(true, moment(1, 0), 3);
    let documents = &published.sets[0].documents;
    let known: Vec<_> = documents
        .iter()
        .map(|document| {
            let path = |uri: &Uri| uri.as_str().strip_prefix("https://example.com/repo/").unwrap().to_string();
            assert_eq!(document.sha256, to_hex(&Sha256::digest(&files[&path(&document.uri)])));
            (document.capability.as_str(), path(&document.uri), document.index.as_ref().map(path))
        })
        .collect();
    let list = |number: u8| {
        ("resourcelist", format!("theses/resourcelist-{number}.xml"), Some("theses/resourcelist.xml".to_string()))
    };
    assert_eq!(
        known,
        [
            list(1),
            list(2),
            ("changelist", "theses/changelist.xml".to_string(), None),
            ("capabilitylist", "theses/capabilitylist.xml".to_string(), None),
        ]
    );
    let description = published.description.unwrap();
    assert_eq!((description.capability, description.index), (Capability::Description, None));
    // Unchanged documents have the same digest.
    let (again, _) = publish(true, moment(2, 0), 3);
    let same: Vec<_> = documents.iter().zip(&again.sets[0].documents).map(|(one, other)| one == other).collect();
    assert_eq!(same, [false, false, false, true]);
    let (without, _) = publish(false, moment(1, 0), 1);
    assert_eq!((without.sets[0].documents.len(), without.description), (0, None));
}

#[test]
fn nothing_is_published_after_a_list_that_failed() {
    let resources = || [Resource::new(uri("1")), Resource::new(uri("2")), Resource::new(uri("2"))];
    let mut store = MemoryStore::default();
    let mut publication = begin(&mut store, moment(1, 0), settings());
    publication.set("", Some(uri("about.html"))).unwrap();
    assert!(publication.resource_list(resources()).is_err(), "a resource is listed twice");
    assert!(matches!(publication.finish(), Err(PublishError::Misuse(words)) if words.contains("failed")));
    assert!(!store.files.contains_key(".well-known/resourcesync"));

    // A single entry that is refused leaves the list as it was.
    let mut store = MemoryStore::default();
    let mut publication = begin(&mut store, moment(1, 0), settings());
    publication.set("", Some(uri("about.html"))).unwrap();
    publication.begin_resource_list(None).unwrap();
    let refused = resources().into_iter().filter(|resource| publication.push(resource.clone()).is_err()).count();
    assert_eq!((refused, publication.finish().unwrap().sets[0].resources), (1, 2));

    let mut store = MemoryStore::default();
    let mut publication = begin(&mut store, moment(2, 0), settings());
    publication.set("", Some(uri("about.html"))).unwrap();
    let changes = [moment(1, 2), moment(1, 1)].map(|at| ResourceChange::created(uri("1")).at(at));
    assert!(publication.change_lists(ChangeHistory::since(moment(1, 0)), None, changes).is_err(), "out of order");
    assert!(publication.finish().is_err());
}
