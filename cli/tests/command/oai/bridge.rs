//! `oai bridge`: a repository becomes a Source, and stays one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    net::TcpStream,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use resourcesync_tests::{
    oai::Repository,
    server::{Server, reply},
};
use serde_json::json;

use super::{FAST, query};
use crate::bench::{Bench, Ran};

/// A repository, and the web server of the Source.
struct Scene {
    bench: Bench,
    repository: Arc<Repository>,
    server: Server,
    /// True while the repository sends a web page instead of the second page of a list.
    is_broken: Arc<AtomicBool>,
}

impl Scene {
    fn new(name: &str, repository: Repository) -> Scene {
        let (bench, repository) = (Bench::new(name), Arc::new(repository));
        let (answers, is_broken) = (repository.clone(), Arc::new(AtomicBool::new(false)));
        let (public, store) = (bench.path("public"), bench.path("public.resourcesync/harvest"));
        let fails = is_broken.clone();
        let server = Server::new(move |asked, stream| {
            let path = asked.path.split('?').next().unwrap_or_default();
            match path.strip_prefix("/records/") {
                _ if path == "/oai" && fails.load(Ordering::Relaxed) && asked.path.contains("resumptionToken") => {
                    reply(stream, "200 OK", &["Content-Type: text/html"], b"<html>sorry</html>")
                }
                _ if path == "/oai" => {
                    reply(stream, "200 OK", &["Content-Type: text/xml"], &answers.respond(&query(asked)))
                }
                Some(_) => file(&store, path, stream),
                None => file(&public, path, stream),
            }
        });
        Scene { bench, repository, server, is_broken }
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let (url, base) = (self.server.url("/oai"), self.server.url("/"));
        let own = ["oai", "bridge", &url, "--base-uri", &base, "--out", "public", "--format", "json"];
        own.iter().chain(&FAST).chain(more).map(|text| (*text).to_owned()).collect()
    }

    fn bridge(&self, more: &[&str]) -> Ran {
        let arguments = self.arguments(more);
        self.bench.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Changes one record, deletes one, adds one and touches one.
    fn change(&self) {
        *self.repository.now.lock().unwrap() = "2026-01-02T00:00:00Z".into();
        self.repository.put("3", "2026-01-01T12:00:00Z", Some("second"));
        self.repository.put("4", "2026-01-01T12:00:00Z", None);
        self.repository.put("26", "2026-01-01T12:00:00Z", Some("first"));
        self.repository.put("5", "2026-01-01T12:00:00Z", Some("first"));
    }

    fn start(&self) -> String {
        self.server.url("/.well-known/resourcesync")
    }

    /// Asserts that the whole Source is valid, and that each resource has the listed digest.
    fn is_valid(&self, allowed: &[&str]) {
        let start = self.start();
        let fast = ["--limit", "http_requests_per_second=0"];
        let own = ["validate", "--follow", "--resources", "all", "--format", "json", &start];
        let report = self.bench.run(&[&own[..], &fast].concat()).ends(0).json();
        let found: Vec<&str> =
            report["diagnostics"].as_array().unwrap().iter().filter_map(|one| one["code"].as_str()).collect();
        assert!(found.iter().all(|code| allowed.contains(code)), "{report:#}");
    }

    /// Asserts that a copy is in step, and has the records of the repository.
    fn is_copied(&self, more: &[&str]) {
        let start = self.start();
        let own = [
            "sync",
            "--limit",
            "http_requests_per_second=0",
            "--format",
            "json",
            "--max-delete",
            "100%",
            &start,
            "copy",
        ];
        let report = self.bench.run(&[&own[..], more].concat()).ends(0).json();
        assert_eq!(report["run"]["outcome"], "in-step", "{report:#}");
        let mut found = BTreeSet::new();
        texts(&self.bench.path("copy"), &mut found);
        assert_eq!(found, self.texts(&["oai_dc"]));
    }

    /// The metadata of all records.
    fn texts(&self, formats: &[&str]) -> BTreeSet<String> {
        let items = self.repository.items.lock().unwrap();
        let all = items.iter().filter_map(|(identifier, item)| Some((identifier, item.version.as_ref()?)));
        let text = |format: &str, identifier: &str, version: &str| {
            format!("<d xmlns=\"http://a.example/{format}/\">{identifier} {version}</d>")
        };
        all.flat_map(|(identifier, version)| formats.iter().map(move |format| text(format, identifier, version)))
            .collect()
    }

    /// The entries of a document, by their URIs.
    fn entries(&self, document: &str) -> BTreeMap<String, String> {
        let text = self.bench.read(&format!("public/{document}"));
        let entries = text.split("<url>").skip(1).map(|entry| {
            let loc = entry.split("<loc>").nth(1).unwrap().split("</loc>").next().unwrap();
            (loc.to_owned(), entry.to_owned())
        });
        entries.collect()
    }
}

fn file(folder: &Path, path: &str, stream: &mut TcpStream) -> io::Result<()> {
    let path = resourcesync_tests::oai::decoded(path.trim_start_matches('/'));
    match fs::read(folder.join(path)) {
        Ok(body) => reply(stream, "200 OK", &[], &body),
        Err(_) => reply(stream, "404 Not Found", &[], b"no such page"),
    }
}

/// The texts of all record files below a folder.
fn texts(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            // The state of the copy, with its trash.
            true if path.ends_with(".resourcesync") => {}
            true => texts(&path, found),
            false if path.extension().is_some_and(|ending| ending == "xml") => {
                found.insert(fs::read_to_string(&path).unwrap());
            }
            false => {}
        }
    }
}

#[test]
fn a_repository_becomes_a_source_and_later_runs_publish_exactly_what_changed() {
    for dump in [&[][..], &["--dump"]] {
        let scene = Scene::new(&format!("oai-bridge-{}", dump.len()), Repository::new(25, 10));
        let first = scene.bridge(dump).ends(0).json();
        assert_eq!(
            (&first["result"], &first["resources"], &first["harvest"]["records"]),
            (&json!("written"), &json!(25), &json!(25))
        );
        // Identify, the formats, and one request for each of three pages.
        assert_eq!(scene.server.paths().len(), 5, "{:?}", scene.server.paths());
        scene.is_valid(&[]);
        scene.is_copied(&[]);
        let resources = scene.entries("oai_dc/resourcelist.xml");
        let (uri, entry) = resources.iter().find(|(uri, _)| uri.ends_with("/7.xml")).unwrap();
        assert!(uri.starts_with(&scene.server.url("/records/oai_dc/")), "{uri}");
        assert!(
            entry.contains("<lastmod>2025-06-01T00:00:07Z</lastmod>") && entry.contains("type=\"application/xml\""),
            "{entry}"
        );
        let via = format!("{}?verb=GetRecord&amp;identifier=7&amp;metadataPrefix=oai_dc", scene.server.url("/oai"));
        assert!(entry.contains(&format!("href=\"{via}\"")) && entry.contains("rel=\"via\""), "{entry}");
        assert!(entry.contains("hash=\"sha-256:") && entry.contains("rel=\"profile\""), "{entry}");
        let about = scene.bench.read("public/about.html");
        assert!(about.contains("persistent") && about.contains("from 2020-01-01T00:00:00Z on"), "{about}");
        assert!(scene.bench.read("public/.well-known/resourcesync").contains("about.html"));

        scene.change();
        let second = scene.bridge(dump).ends(0).json();
        assert_eq!(second["changes"], json!({"created": 1, "updated": 1, "deleted": 1}), "{second:#}");
        assert_eq!(second["harvest"]["counts"]["touched"], 1);
        let changes = scene.entries("oai_dc/changelist.xml");
        assert_eq!(changes.len(), 3, "{changes:?}");
        let of = |name: &str| changes.iter().find(|(uri, _)| uri.ends_with(&format!("/{name}.xml"))).unwrap().1;
        assert!(of("3").contains("change=\"updated\"") && of("4").contains("change=\"deleted\""));
        assert!(
            of("26").contains("change=\"created\"") && of("26").contains("<lastmod>2026-01-01T12:00:00Z</lastmod>")
        );
        scene.is_valid(&[]);
        scene.is_copied(&[]);

        let third = scene.bridge(dump).ends(0).json();
        assert_eq!((&third["result"], scene.entries("oai_dc/changelist.xml").len()), (&json!("unchanged"), 3));
        // Without the note of what is published everything is compared, with the same result.
        fs::remove_file(scene.bench.path("public.resourcesync/bridge.json")).unwrap();
        let fourth = scene.bridge(dump).ends(0).json();
        assert!(fourth.get("changes").is_none_or(|changes| *changes == json!({})), "{fourth:#}");
        scene.is_valid(&[]);
        scene.is_copied(&[]);
    }
}

#[test]
fn a_store_is_published_as_it_is() {
    let scene = Scene::new("oai-bridge-store", Repository::new(25, 10));
    let (url, base) = (scene.server.url("/oai"), scene.server.url("/"));
    let store = "public.resourcesync/harvest";
    let harvest = |args: &[&str]| scene.bench.run(&[&["oai", "harvest"][..], &FAST, args].concat());
    harvest(&["--into", store, &url]).ends(0);
    let args = ["oai", "bridge", store, "--base-uri", &base, "--out", "public", "--format", "json"];
    let publish = || scene.bench.run(&args);
    assert_eq!(publish().ends(0).json()["resources"], 25);
    scene.change();
    assert_eq!(publish().ends(0).json()["result"], "unchanged");
    harvest(&[store]).ends(0);
    let before = scene.server.paths().len();
    assert_eq!(publish().ends(0).json()["changes"], json!({"created": 1, "updated": 1, "deleted": 1}));
    assert_eq!(scene.server.paths().len(), before, "nothing is requested");
    scene.is_valid(&[]);
    scene.is_copied(&[]);

    harvest(&["--into", "lines", "--store", "jsonl", &url]).ends(0);
    let refused = scene.bench.run(&["oai", "bridge", "lines", "--base-uri", &base, "--out", "other"]).ends(2);
    assert!(refused.err.contains("has lines of JSON") && refused.err.contains("--form dump"), "{refused:?}");
    let other = scene.bench.run(&["oai", "bridge", "nowhere", "--base-uri", &base, "--out", "other"]).ends(2);
    assert!(other.err.contains("neither") && !scene.bench.path("other").exists(), "{other:?}");
}

/// The files below a folder, with their lengths and inode numbers.
#[cfg(unix)]
fn files(folder: &Path, found: &mut BTreeMap<String, (u64, u64)>) {
    use std::os::unix::fs::MetadataExt;

    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let meta = path.metadata().unwrap();
        match meta.is_dir() {
            true => files(&path, found),
            false => drop(found.insert(path.display().to_string(), (meta.len(), meta.ino()))),
        }
    }
}

#[cfg(unix)]
#[test]
fn packages_alone_are_a_source_and_later_runs_add_a_package_of_what_changed() {
    let scene = Scene::new("oai-bridge-dump", Repository::new(25, 10));
    let form = ["--form", "dump"];
    let first = scene.bridge(&form).ends(0).json();
    assert_eq!((&first["result"], &first["resources"]), (&json!("written"), &json!(25)));
    assert_eq!(scene.server.paths().len(), 5, "{:?}", scene.server.paths());
    let of = |folder: &str| {
        let mut found = BTreeMap::new();
        files(&scene.bench.path(folder), &mut found);
        found
    };
    let names: BTreeSet<String> =
        of("public").into_keys().filter_map(|path| Some(path.rsplit('/').next()?.into())).collect();
    let expected = [
        ".generation",
        "about.html",
        "capabilitylist.xml",
        "changedump.xml",
        "resourcedump-1-manifest.xml",
        "resourcedump-1.zip",
        "resourcedump.xml",
        "resourcesync",
    ];
    assert!(names.iter().eq(expected.iter()), "{names:?}");
    assert!(of("public.resourcesync").keys().all(|path| !path.ends_with(".xml")), "a file for a record");
    scene.is_valid(&[]);
    scene.is_copied(&[]);

    scene.change();
    let (public, state) = (of("public"), of("public.resourcesync"));
    let second = scene.bridge(&form).ends(0).json();
    assert_eq!(second["changes"], json!({"created": 1, "updated": 1, "deleted": 1}), "{second:#}");
    let mut written: Vec<&str> = second["written"].as_array().unwrap().iter().filter_map(|own| own.as_str()).collect();
    written.sort_unstable();
    assert_eq!(
        written,
        ["changedump-1-manifest.xml", "changedump-1.zip", "changedump.xml"].map(|name| format!("oai_dc/{name}"))
    );
    // Everything else is in its place, also the inventory of what is published.
    let now = of("public");
    assert!(
        public
            .iter()
            .filter(|(path, _)| !path.ends_with("/changedump.xml"))
            .all(|(path, own)| now.get(path) == Some(own))
    );
    let now = of("public.resourcesync");
    let inventory: Vec<_> = state.iter().filter(|(path, _)| path.ends_with("/inventory.jsonl")).collect();
    assert!(inventory.len() == 1 && inventory.iter().all(|(path, own)| now.get(*path) == Some(*own)), "{inventory:?}");
    let changes = scene.entries("oai_dc/changedump-1-manifest.xml");
    let of_record = |name: &str| changes.iter().find(|(uri, _)| uri.ends_with(&format!("/{name}.xml"))).unwrap().1;
    assert!(of_record("3").contains("change=\"updated\"") && of_record("4").contains("change=\"deleted\""));
    scene.is_valid(&[]);
    scene.is_copied(&[]);

    assert_eq!(scene.bridge(&form).ends(0).json()["result"], "unchanged");
    // Without the note of what is published everything is compared, with the same result.
    fs::remove_file(scene.bench.path("public.resourcesync/bridge.json")).unwrap();
    assert_eq!(scene.bridge(&form).ends(0).json()["result"], "unchanged");
    // What changed then is found by comparing everything, and goes into a package, too.
    *scene.repository.now.lock().unwrap() = "2026-01-04T00:00:00Z".into();
    scene.repository.put("6", "2026-01-03T12:00:00Z", Some("third"));
    scene.repository.put("7", "2026-01-03T12:00:00Z", None);
    fs::remove_file(scene.bench.path("public.resourcesync/bridge.json")).unwrap();
    assert_eq!(scene.bridge(&form).ends(0).json()["changes"], json!({"updated": 1, "deleted": 1}));
    assert_eq!(scene.entries("oai_dc/changedump.xml").len(), 2);
    *scene.repository.now.lock().unwrap() = "2026-01-06T00:00:00Z".into();
    scene.repository.put("8", "2026-01-05T12:00:00Z", Some("fourth"));
    assert_eq!(scene.bridge(&form).ends(0).json()["changes"], json!({"updated": 1}));
    scene.is_valid(&[]);
    scene.is_copied(&[]);
    // A Destination that begins now.
    fs::remove_dir_all(scene.bench.path("copy")).unwrap();
    scene.is_copied(&[]);
    assert!(
        scene.bench.run(&["build", "--verify-state", "--base-uri", &scene.server.url("/"), "--out", "public"]).status
            == Some(0)
    );
}

#[test]
fn packages_are_made_of_a_store_of_lines_or_of_files() {
    for store in ["jsonl", "files"] {
        let mut repository = Repository::new(25, 10);
        repository.formats = vec!["oai_dc".into(), "x_2.0".into()];
        let scene = Scene::new(&format!("oai-bridge-dump-{store}"), repository);
        let (url, base) = (scene.server.url("/oai"), scene.server.url("/"));
        let harvest = |args: &[&str]| scene.bench.run(&[&["oai", "harvest"][..], &FAST, args].concat()).ends(0);
        harvest(&["--into", "store", "--store", store, "--prefix", "oai_dc", "--prefix", "x_2.0", &url]);
        scene.change();
        harvest(&["store"]);
        let args =
            ["oai", "bridge", "store", "--base-uri", &base, "--out", "public", "--format", "json", "--form", "dump"];
        let publish = || scene.bench.run(&args);
        // The lines of two harvests.
        assert_eq!(publish().ends(0).json()["resources"], 50);
        scene.is_valid(&[]);
        *scene.repository.now.lock().unwrap() = "2026-01-04T00:00:00Z".into();
        scene.repository.put("9", "2026-01-03T12:00:00Z", Some("third"));
        harvest(&["store"]);
        assert_eq!(publish().ends(0).json()["changes"], json!({"updated": 2}));
        scene.is_valid(&[]);
        let start = scene.start();
        let fast = ["--limit", "http_requests_per_second=0"];
        let report =
            scene.bench.run(&[&["sync", "--format", "json", &start, "copy"][..], &fast].concat()).ends(0).json();
        assert_eq!(report["run"]["outcome"], "in-step", "{report:#}");
        let mut found = BTreeSet::new();
        texts(&scene.bench.path("copy"), &mut found);
        assert_eq!(found, scene.texts(&["oai_dc", "x_2.0"]));
    }
}

#[test]
fn what_packages_cannot_have_is_refused() {
    let scene = Scene::new("oai-bridge-dump-refused", Repository::new(5, 10));
    for option in ["--rotate=10", "--keep=2", "--snapshot=now", "--no-dump", "--hub=https://hub.example.org/"] {
        let refused = scene.bridge(&["--form", "dump", option]).ends(2);
        let name = option.split('=').next().unwrap();
        assert!(refused.err.contains(name) && refused.err.contains("packages only"), "{refused:?}");
    }
    assert!(scene.server.paths().is_empty(), "nothing is requested");
    scene.bridge(&[]).ends(0);
    let (base, store) = (scene.server.url("/"), "public.resourcesync/harvest");
    let args = ["oai", "bridge", store, "--base-uri", &base, "--out", "public"];
    let refused = scene.bench.run(&[&args[..], &["--form", "dump"]].concat()).ends(2);
    assert!(refused.err.contains("published with lists"), "{refused:?}");
    let other = ["oai", "bridge", store, "--base-uri", &base, "--out", "other"];
    scene.bench.run(&[&other[..], &["--form", "dump"]].concat()).ends(0);
    let refused = scene.bench.run(&other).ends(2);
    assert!(refused.err.contains("published without lists"), "{refused:?}");
}

#[test]
fn what_a_record_describes_is_linked_in_packages() {
    let scene = Scene::new("oai-bridge-dump-describes", Repository::new(0, 10));
    let text = "<e xmlns=\"http://a.example/oai_dc/\">https://a.example/paper</e>";
    scene.repository.put("1", "2025-06-01T00:00:00Z", Some(text));
    scene.bridge(&["--form", "dump", "--describes", "{http://a.example/oai_dc/}e"]).ends(0);
    let entries = scene.entries("oai_dc/resourcedump-1-manifest.xml");
    let is_linked = |entry: &String| entry.contains("<rs:ln rel=\"describes\" href=\"https://a.example/paper\"/>");
    assert!(entries.len() == 1 && entries.values().all(is_linked), "{entries:?}");
}

#[test]
fn pointers_have_no_digests() {
    let scene = Scene::new("oai-bridge-pointers", Repository::new(25, 10));
    let form = ["--form", "pointers"];
    assert_eq!(scene.bridge(&form).ends(0).json()["resources"], 25);
    let resources = scene.entries("oai_dc/resourcelist.xml");
    for (uri, entry) in &resources {
        assert!(uri.contains("/oai?verb=GetRecord&amp;identifier="), "{uri}");
        assert!(!entry.contains("hash=") && !entry.contains("length=") && entry.contains("text/xml"), "{entry}");
    }
    scene.is_valid(&[]);
    scene.change();
    // The datestamp of a record that is otherwise the same is no change.
    let second = scene.bridge(&form).ends(0).json();
    assert_eq!(second["changes"], json!({"created": 1, "updated": 1, "deleted": 1}), "{second:#}");
    fs::remove_file(scene.bench.path("public.resourcesync/bridge.json")).unwrap();
    let third = scene.bridge(&form).ends(0).json();
    assert!(third.get("changes").is_none_or(|changes| *changes == json!({})), "{third:#}");
}

#[test]
fn nothing_is_published_of_a_harvest_that_is_not_complete() {
    let scene = Scene::new("oai-bridge-incomplete", Repository::new(25, 10));
    scene.is_broken.store(true, Ordering::Relaxed);
    let withheld = scene.bridge(&[]).ends(2).json();
    assert_eq!((&withheld["result"], &withheld["harvest"]["status"]), (&json!("withheld"), &json!("incomplete")));
    assert!(!scene.bench.path("public").exists());
    let all_the_same = scene.bridge(&["--publish-incomplete"]).ends(2).json();
    assert_eq!((&all_the_same["result"], &all_the_same["resources"]), (&json!("written"), &json!(10)));
    assert!(scene.bench.read("public/about.html").contains("was not complete"));

    scene.is_broken.store(false, Ordering::Relaxed);
    let whole = scene.bridge(&[]).ends(0).json();
    assert_eq!((&whole["resources"], &whole["changes"]), (&json!(25), &json!({"created": 15})), "{whole:#}");
    assert!(!scene.bench.read("public/about.html").contains("was not complete"));
    scene.is_valid(&[]);

    // What was published stays while the repository is broken, and the next complete harvest publishes everything since.
    for number in 100..120 {
        scene.repository.put(&number.to_string(), "2026-01-01T12:00:00Z", Some("first"));
    }
    scene.repository.put("1", "2026-01-01T12:00:00Z", Some("second"));
    scene.repository.put("2", "2026-01-01T12:00:00Z", None);
    *scene.repository.now.lock().unwrap() = "2026-01-02T00:00:00Z".into();
    scene.is_broken.store(true, Ordering::Relaxed);
    let before = scene.entries("oai_dc/resourcelist.xml");
    for _ in 0..2 {
        assert_eq!(scene.bridge(&[]).ends(2).json()["result"], "withheld");
        assert_eq!(scene.entries("oai_dc/resourcelist.xml"), before);
        // So do the records themselves.
        scene.is_valid(&[]);
    }
    scene.is_broken.store(false, Ordering::Relaxed);
    let changes = json!({"created": 20, "updated": 1, "deleted": 1});
    assert_eq!(scene.bridge(&[]).ends(0).json()["changes"], changes);
    scene.is_valid(&[]);
    scene.is_copied(&[]);
}

#[test]
fn identifiers_that_look_like_paths_stay_inside() {
    let mut repository = Repository::new(0, 10);
    repository.page = 5;
    let scene = Scene::new("oai-bridge-hostile", repository);
    let names =
        ["../../etc/passwd", "/etc/passwd", "..", ".", "a/../b", "CON", "con", "A", "a", "%2e%2e/x", "日本", "a?b#c"];
    for name in names.into_iter().chain([&*"x".repeat(300)]) {
        scene.repository.put(name, "2025-06-01T00:00:00Z", Some("first"));
    }
    assert_eq!(scene.bridge(&[]).ends(0).json()["resources"], names.len() + 1);
    let uris = scene.entries("oai_dc/resourcelist.xml");
    let base = scene.server.url("/records/oai_dc/");
    assert!(uris.keys().all(|uri| uri.starts_with(&base) && uri.split('/').all(|part| part != "..")), "{uris:?}");
    scene.is_valid(&[]);
    scene.is_copied(&[]);
}

#[test]
fn formats_are_linked_to_each_other_and_sets_to_their_lists() {
    let mut repository = Repository::new(6, 10);
    repository.formats = vec!["oai_dc".into(), "x_2.0".into()];
    let scene = Scene::new("oai-bridge-formats", repository);
    let more = ["--prefix", "oai_dc", "--prefix", "x_2.0", "--collections"];
    assert_eq!(scene.bridge(&more).ends(0).json()["resources"], 12);
    let (one, other) = (scene.entries("oai_dc/resourcelist.xml"), scene.entries("x_2.0/resourcelist.xml"));
    assert_eq!((one.len(), other.len()), (6, 6));
    for (uri, entry) in &one {
        let name = uri.rsplit('/').next().unwrap();
        let alternate = other.keys().find(|uri| uri.ends_with(name)).unwrap();
        assert!(entry.contains("rel=\"alternate\"") && entry.contains(alternate), "{entry}");
        assert!(
            entry.contains("rel=\"collection\"")
                && entry.contains("verb=ListRecords&amp;metadataPrefix=oai_dc&amp;set="),
            "{entry}"
        );
    }
    scene.is_valid(&[]);
    scene.change();
    let second = scene.bridge(&more).ends(0).json();
    // Records of two formats; those that were touched lost their set, so that their links changed.
    assert_eq!(second["changes"], json!({"created": 2, "updated": 4, "deleted": 2}), "{second:#}");
    scene.is_valid(&[]);
}

#[test]
fn a_record_that_left_the_set_is_deleted() {
    let scene = Scene::new("oai-bridge-set", Repository::new(20, 10));
    let more = ["--set", "even"];
    assert_eq!(scene.bridge(&more).ends(0).json()["resources"], 10);
    assert_eq!(scene.entries("oai_dc.even/resourcelist.xml").len(), 10);
    *scene.repository.now.lock().unwrap() = "2026-01-02T00:00:00Z".into();
    // It is in no set any more.
    scene.repository.put("4", "2026-01-01T12:00:00Z", Some("second"));
    let second = scene.bridge(&["--set", "even", "--reconcile", "now"]).ends(0).json();
    assert_eq!(second["harvest"]["counts"]["leftSet"], 1, "{second:#}");
    assert_eq!(second["changes"], json!({"deleted": 1}));
    scene.is_valid(&[]);
}

#[test]
fn what_a_record_describes_is_linked() {
    let scene = Scene::new("oai-bridge-describes", Repository::new(0, 10));
    let text = "<e xmlns=\"http://a.example/oai_dc/\">https://a.example/paper</e>";
    scene.repository.put("1", "2025-06-01T00:00:00Z", Some(text));
    let name = ["--describes", "{http://a.example/oai_dc/}e"];
    scene.bridge(&name).ends(0);
    let entries = scene.entries("oai_dc/resourcelist.xml");
    assert!(
        entries.values().all(|entry| entry.contains("<rs:ln rel=\"describes\" href=\"https://a.example/paper\"/>")),
        "{entries:?}"
    );
    // The papers are not in the lists.
    scene.is_valid(&["LK-23"]);
    let wrong = scene.bridge(&["--describes", "identifier"]).ends(2);
    assert!(wrong.err.contains("dc:identifier"), "{wrong:?}");
}

#[test]
fn a_service_publishes_what_changes_and_notifies_the_hub() {
    let scene = Scene::new("oai-bridge-watch", Repository::new(25, 10));
    let hub = Server::new(|_, stream| reply(stream, "200 OK", &[], b""));
    let url = hub.url("/");
    let arguments = scene.arguments(&["--watch=1s", "--hub", &url]);
    let mut child = scene.bench.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).spawn().unwrap();
    let until = |what: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !what() && begun.elapsed() < Duration::from_secs(120) {
            thread::sleep(Duration::from_millis(50));
        }
        what()
    };
    let published = |scene: &Scene| scene.bench.path("public/oai_dc/changelist.xml").exists();
    assert!(until(&|| published(&scene)));
    scene.change();
    let is_there = || {
        fs::read_to_string(scene.bench.path("public/oai_dc/changelist.xml")).is_ok_and(|text| text.contains("/26.xml"))
    };
    assert!(until(&is_there));
    assert!(until(&|| hub.seen().iter().any(|asked| String::from_utf8_lossy(&asked.body).contains("/26.xml"))));
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    // A signal may arrive while a run is at work.
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 2)));
}

/// Kills a second run at operations that are evenly spread over it.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_killed_is_completed_by_the_next_one() {
    let kills: u64 = std::env::var("BRIDGE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    for (form, changed) in [("files", "changelist"), ("dump", "changedump-1-manifest")] {
        is_completed(kills, form, changed);
    }
}

/// Kills runs of a form; the changes are in this document.
#[cfg(target_os = "linux")]
fn is_completed(kills: u64, form: &str, changed: &str) {
    use super::crash::{copy, library};

    let scene = Scene::new(&format!("oai-bridge-killed-{form}"), Repository::new(25, 10));
    let form = ["--form", form];
    scene.bridge(&form).ends(0);
    let listed = || match scene.bench.path(&format!("public/oai_dc/{changed}.xml")).exists() {
        // A package counts when the Change Dump lists it.
        true if changed != "changelist" && scene.entries("oai_dc/changedump.xml").is_empty() => 0,
        true => scene.entries(&format!("oai_dc/{changed}.xml")).len(),
        false => 0,
    };
    let parts = ["public", "public.resourcesync"];
    parts.iter().for_each(|part| copy(&scene.bench.path(part), &scene.bench.path(&format!("before/{part}"))));
    scene.change();
    let run = |name: &str, value: &str| -> Ran {
        let arguments = scene.arguments(&form);
        let mut command = scene.bench.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        command.env("LD_PRELOAD", library()).env(name, value).output().unwrap().into()
    };
    let again = || {
        for part in parts {
            fs::remove_dir_all(scene.bench.path(part)).unwrap();
            copy(&scene.bench.path(&format!("before/{part}")), &scene.bench.path(part));
        }
    };
    let count = scene.bench.path("count");
    run("CRASH_COUNT", count.to_str().unwrap()).ends(0);
    let operations: u64 = scene.bench.read("count").parse().unwrap();
    let mut published = [0, 0];
    for kill in 0..kills {
        again();
        let at = 1 + kill * (operations - 1) / (kills - 1);
        let killed = run("CRASH_KILL", &at.to_string());
        assert_eq!(killed.status, None, "{at}: {killed:?}");
        let changes = listed();
        assert!([0, 3].contains(&changes), "{at}: {changes}");
        published[usize::from(changes == 3)] += 1;
        let validated = ["validate", "--follow", "--limit", "http_requests_per_second=0", "--quiet"];
        scene.bench.run(&[&validated[..], &[&scene.start()]].concat()).ends(0);
        // Without the repository: a harvest that was merged is published all the same.
        if kill % 3 == 0 {
            scene.is_broken.store(true, Ordering::Relaxed);
            let _ = scene.bridge(&form);
            scene.is_broken.store(false, Ordering::Relaxed);
        }
        scene.bridge(&form).ends(0);
        assert_eq!(listed(), 3, "{at}");
        if kill % 6 == 0 {
            scene.is_valid(&[]);
            scene.is_copied(&[]);
        }
    }
    assert!(published.iter().all(|count| *count > 0), "{published:?}");
}

#[test]
fn many_repositories_are_a_source_each_with_one_description_over_them() {
    let bench = Bench::new("oai-bridge-many");
    let (one, other) = (Arc::new(Repository::new(3, 2)), Arc::new(Repository::new(4, 2)));
    let is_broken = Arc::new(AtomicBool::new(false));
    let (first, second, fails, public) = (one.clone(), other.clone(), is_broken.clone(), bench.path("public"));
    let server = Server::new(move |asked, stream| {
        let path = asked.path.split('?').next().unwrap_or_default();
        let answers = if path == "/one" { &first } else { &second };
        match path {
            "/other" if fails.load(Ordering::Relaxed) => {
                reply(stream, "200 OK", &["Content-Type: text/html"], b"<html>sorry</html>")
            }
            "/one" | "/other" => reply(stream, "200 OK", &["Content-Type: text/xml"], &answers.respond(&query(asked))),
            _ => match path.split_once("/records/") {
                Some((name, record)) => file(&public, &format!("{name}.resourcesync/harvest/records/{record}"), stream),
                None => file(&public, path, stream),
            },
        }
    });
    let table =
        format!("url,prefix,set,contact\n{},oai_dc,,\n{},,,\n# a note\n", server.url("/one"), server.url("/other"));
    bench.put("all.csv", table);
    let base = server.url("/");
    let run = |more: &[&str], status| -> Vec<serde_json::Value> {
        let args = ["oai", "bridge", "--repositories", "all.csv", "--base-uri", &base, "--out", "public"];
        let ran = bench.run(&[&args[..], &["--format", "json"], &FAST, more].concat()).ends(status);
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let validated = |status| {
        let start = server.url("/.well-known/resourcesync");
        let fast = ["--limit", "http_requests_per_second=0", "--format", "json"];
        let args = ["validate", "--follow", "--resources", "all", &start];
        let report = bench.run(&[&args[..], &fast].concat()).ends(status).json();
        assert_eq!(report["diagnostics"], json!([]), "{report:#}");
        report["inputs"].as_array().unwrap().len()
    };
    // The second one fails: the first one is published, and the description names it alone.
    is_broken.store(true, Ordering::Relaxed);
    let reports = run(&[], 2);
    assert_eq!((&reports[0]["result"], &reports[1]["result"]), (&json!("written"), &json!("withheld")), "{reports:?}");
    assert_eq!(bench.read("public/.well-known/resourcesync").matches("<sitemap>").count(), 1);
    validated(0);
    is_broken.store(false, Ordering::Relaxed);
    let reports = run(&[], 0);
    assert_eq!((&reports[0]["result"], &reports[1]["resources"]), (&json!("unchanged"), &json!(4)), "{reports:?}");
    assert_eq!(reports[1]["harvest"]["records"], 4);
    let description = bench.read("public/.well-known/resourcesync");
    assert!(description.matches("<sitemap>").count() == 2 && description.contains("<sitemapindex"), "{description}");
    assert!(bench.read("public/about.html").contains("_one_oai_dc/about.html"));
    validated(0);

    // A failure later: what is published stays, and the other one goes on.
    is_broken.store(true, Ordering::Relaxed);
    *one.now.lock().unwrap() = "2026-01-02T00:00:00Z".into();
    one.put("27", "2026-01-01T12:00:00Z", Some("first"));
    let reports = run(&[], 2);
    assert_eq!(
        (&reports[0]["changes"], &reports[1]["result"]),
        (&json!({"created": 1}), &json!("withheld")),
        "{reports:?}"
    );
    assert_eq!(bench.read("public/.well-known/resourcesync"), description);
    validated(0);
    let args = ["oai", "bridge", "--repositories", "all.csv", "--base-uri", &base, "--out", "public"];
    let shown: Vec<&str> = FAST.into_iter().filter(|own| *own != "--quiet").collect();
    let text = bench.run(&[&args[..], &shown].concat()).ends(2);
    assert!(text.err.contains("repository") && text.err.contains("incomplete"), "{text:?}");
    assert!(text.err.contains("_other: nothing was published") && text.out.contains("nothing has changed"), "{text:?}");

    // Below another URI nothing is published, and the description leads where it led.
    let elsewhere =
        ["oai", "bridge", "--repositories", "all.csv", "--base-uri", "http://other.example/", "--out", "public"];
    let refused = bench.run(&[&elsewhere[..], &FAST].concat()).ends(2);
    assert!(refused.err.contains("public was published at another URI"), "{refused:?}");
    assert_eq!(bench.read("public/.well-known/resourcesync"), description);

    // A table that was cut off ends no Source, but deleting its folder does.
    is_broken.store(false, Ordering::Relaxed);
    bench.put("all.csv", format!("url,prefix\n{},oai_dc\n", server.url("/one")));
    let cut = bench.run(&[&args[..], &shown].concat()).ends(0);
    assert!(cut.err.contains("_other is not in the table any more, and stays published"), "{cut:?}");
    assert_eq!(bench.read("public/.well-known/resourcesync"), description);
    let folders = fs::read_dir(bench.path("public")).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|path| path.to_string_lossy().contains("_other")) {
        fs::remove_dir_all(folder).unwrap();
    }
    let cut = bench.run(&[&args[..], &shown].concat()).ends(0);
    assert!(!cut.err.contains("any more"), "{cut:?}");
    assert_eq!(bench.read("public/.well-known/resourcesync").matches("<sitemap>").count(), 1);
    validated(0);
}

#[test]
fn many_repositories_need_a_folder_of_their_own_and_a_table() {
    let scene = Scene::new("oai-bridge-many-refused", Repository::new(3, 10));
    scene.bridge(&[]).ends(0);
    scene.bench.put("all.csv", format!("url\n{}\n", scene.server.url("/oai")));
    scene.bench.put("none.csv", "url\n# nothing\n");
    let base = scene.server.url("/");
    let run = |file: &str, out: &str, more: &[&str]| {
        let args = ["oai", "bridge", "--repositories", file, "--base-uri", &base, "--out", out];
        scene.bench.run(&[&args[..], more].concat()).ends(2)
    };
    assert!(run("all.csv", "public", &[]).err.contains("is a Source itself"));
    assert!(run("none.csv", "other", &[]).err.contains("names no repository"));
    assert!(run("all.csv", "other", &["--form", "dump", "--keep", "3"]).err.contains("packages only"));
    assert!(!scene.bench.path("other").exists());
    scene.bench.put("taken/about.html", "mine");
    let ran = run("all.csv", "taken", &FAST);
    assert!(ran.err.contains("was not published here") && scene.bench.read("taken/about.html") == "mine", "{ran:?}");
}

#[test]
fn a_store_that_was_harvested_anew_or_another_publication_is_compared_as_a_whole() {
    let scene = Scene::new("oai-bridge-anew", Repository::new(25, 10));
    scene.bridge(&[]).ends(0);
    assert_eq!(scene.bridge(&[]).ends(0).json()["result"], "unchanged");
    fs::remove_dir_all(scene.bench.path("public.resourcesync/harvest")).unwrap();
    scene.change();
    let changes = scene.bridge(&["--max-delete", "5"]).ends(0).json()["changes"].clone();
    assert_eq!(changes, json!({"created": 1, "deleted": 1, "updated": 1}));
    // What is published is an earlier generation again.
    scene.repository.put("27", "2026-01-02T12:00:00Z", Some("first"));
    *scene.repository.now.lock().unwrap() = "2026-01-03T00:00:00Z".into();
    assert_eq!(scene.bridge(&["--keep-generations", "1"]).ends(0).json()["changes"], json!({"created": 1}));
    let own = scene.bench.path("public.resourcesync");
    let number: u64 = scene.bench.read("public/.generation").trim().parse().unwrap();
    fs::remove_dir_all(scene.bench.path("public")).unwrap();
    fs::rename(own.join(format!("{number}/public")), scene.bench.path("public")).unwrap();
    fs::write(own.join("published"), format!("{}\n", number - 1)).unwrap();
    assert_eq!(scene.bridge(&[]).ends(0).json()["changes"], json!({"created": 1}));
}
