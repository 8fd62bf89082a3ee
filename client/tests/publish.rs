//! Publishing with packages, while files change and while the Source is read: what is packaged is what its manifest describes, and what is
//! linked to is there.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use resourcesync::{
    api::{InputOrigin, Options as Checking, validate},
    report::Verdict,
    value::Datetime,
};
use resourcesync_client::{
    Cancel,
    publish::{
        Channels, DumpOptions, Error, Event, FolderStore, Options, Origin, Outcome, Resources, Rotate, Summary, dump,
        publish,
    },
};
use tempfile::TempDir;

/// A folder with three files, and nothing published yet.
fn bench() -> TempDir {
    let bench = tempfile::tempdir().unwrap();
    fs::create_dir(bench.path().join("files")).unwrap();
    for name in ["a", "b", "c"] {
        fs::write(bench.path().join("files").join(name), name.repeat(10)).unwrap();
    }
    bench
}

fn resources(bench: &Path) -> Resources {
    Resources::new(Origin::Folder(bench.join("files")), "https://example.com/files/".parse().unwrap())
}

fn at(minute: u32) -> Option<Datetime> {
    Some(format!("2050-05-01T00:{minute:02}:00Z").parse().unwrap())
}

/// Publishes with packages; `meanwhile` is called when all files were read and nothing was packaged yet.
fn build(bench: &Path, minute: u32, more: impl FnOnce(&mut Options), meanwhile: impl Fn()) -> Result<Summary, Error> {
    let mut options = Options::new(resources(bench), bench.join("public"));
    options.documents_uri = Some("https://example.com/".parse().unwrap());
    options.dump = true;
    options.at = at(minute);
    more(&mut options);
    let mut waiting = 3;
    let outcome = publish(&options, &Cancel::default(), &mut |event| {
        if event == Event::Resource {
            waiting -= 1;
            if waiting == 0 {
                meanwhile();
            }
        }
    });
    outcome.map(|outcome| match outcome {
        Outcome::Published(summary) => summary,
        other => panic!("{other:?}"),
    })
}

/// Asserts that every document and package in a folder is valid, and returns the manifest of a package.
fn manifest(folder: &Path, package: &str) -> String {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.extension().is_some_and(|ending| ending == "xml" || ending == "zip") {
            continue;
        }
        let report =
            validate(&fs::read(&path).unwrap(), InputOrigin::named(path.to_string_lossy()), &Checking::default());
        assert_eq!(report.verdict, Verdict::Valid, "{}: {:?}", path.display(), report.diagnostics);
    }
    fs::read_to_string(folder.join(format!("{package}-manifest.xml"))).unwrap()
}

#[test]
fn a_file_that_changes_before_it_is_packaged_is_read_again() {
    let bench = bench();
    let bench = bench.path();
    let file = bench.join("files/b");
    build(bench, 0, |_| {}, || fs::write(&file, "another length").unwrap()).unwrap();
    let first = manifest(&bench.join("public"), "resourcedump-1");
    assert!(first.contains("length=\"14\""), "{first}");

    // The next run lists what changed. Meanwhile the file is replaced.
    let other = bench.join("other");
    fs::write(&other, "a third length, by mv").unwrap();
    build(bench, 1, |_| {}, || fs::rename(&other, &file).unwrap()).unwrap();
    let second = manifest(&bench.join("public"), "changedump-1");
    let changes = fs::read_to_string(bench.join("public/changelist.xml")).unwrap();
    let digest = second.split("sha-256:").nth(1).unwrap().split('"').next().unwrap();
    assert!(second.contains("length=\"14\"") && changes.contains(digest), "{second} {changes}");
    assert!(!bench.join("public.resourcesync/2/bitstreams").exists());

    // A new Resource Dump has what is there when it is written.
    fs::write(bench.join("files/a"), "a").unwrap();
    build(bench, 2, |options| options.new_dump = true, || fs::write(bench.join("files/c"), "cc").unwrap()).unwrap();
    let third = manifest(&bench.join("public"), "resourcedump-1");
    assert!(
        third.contains("length=\"1\"") && third.contains("length=\"2\"") && third.contains("length=\"21\""),
        "{third}"
    );
}

#[test]
fn a_file_that_disappears_before_it_is_packaged_is_named() {
    let bench = bench();
    let bench = bench.path();
    let file = bench.join("files/b");
    let remove = || fs::remove_file(&file).unwrap();
    let error = build(bench, 0, |_| {}, remove).unwrap_err().to_string();
    assert!(error.contains("files/b: ") && !error.contains("PKG-06"), "{error}");
    assert!(!bench.join("public").exists());

    fs::write(&file, "b").unwrap();
    let summary = build(bench, 0, |options| options.resources.skip_unreadable = true, remove).unwrap();
    assert_eq!((summary.resources, summary.skipped), (3, 1));
    assert_eq!(manifest(&bench.join("public"), "resourcedump-1").matches("<url>").count(), 2);
}

#[test]
fn the_packages_of_a_dump_have_what_is_there_when_they_are_written() {
    let bench = bench();
    let bench = bench.path();
    let options = |out: &str, skip_unreadable: bool| DumpOptions {
        resources: Resources { skip_unreadable, ..resources(bench) },
        out: bench.join(out),
        documents_uri: None,
        max_package_entries: None,
        max_package_bytes: None,
        at: at(0),
        ignore: Vec::new(),
        fail_on: resourcesync::diagnostic::Severity::Error,
    };
    let run = |options: &DumpOptions, meanwhile: &dyn Fn()| {
        let mut waiting = 3;
        dump(options, &Cancel::default(), &mut |event| {
            if event == Event::Resource {
                waiting -= 1;
                if waiting == 0 {
                    meanwhile();
                }
            }
        })
    };
    run(&options("one", false), &|| fs::write(bench.join("files/a"), "another length").unwrap()).unwrap();
    assert!(manifest(&bench.join("one"), "resourcedump-1").contains("length=\"14\""));
    let remove = || fs::remove_file(bench.join("files/a")).unwrap();
    let summary = run(&options("two", true), &remove).unwrap();
    assert_eq!(summary.skipped, 1);
    assert_eq!(manifest(&bench.join("two"), "resourcedump-1").matches("<url>").count(), 2);
}

/// The documents and packages that a document links to, with the length that it states.
fn linked(text: &str) -> Vec<(String, Option<u64>)> {
    let between = |text: &str, before: &str, after: char| {
        text.split(before).nth(1).and_then(|rest| rest.split(after).next()).map(str::to_owned)
    };
    let entries = text.split("<url>").skip(1).chain(text.split("<sitemap>").skip(1));
    let links = entries.flat_map(|entry| {
        let length = between(entry, "length=\"", '"').map(|length| length.parse().unwrap());
        let contents = entry.split("<rs:ln ").find(|link| link.contains("rel=\"contents\""));
        let contents = contents.and_then(|link| between(link, "href=\"https://example.com/", '"'));
        let own = between(entry, "<loc>https://example.com/", '<').map(|name| (name, length));
        own.into_iter().chain(contents.map(|name| (name, None)))
    });
    links.filter(|(name, _)| !name.starts_with("files/")).collect()
}

/// Reads a file that another one links to, to its end.
fn whole(public: &Path, name: &str) -> Vec<u8> {
    let bytes = fs::read(public.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let is_whole = match name.ends_with(".zip") {
        true => bytes.len() >= 22 && bytes[bytes.len() - 22..].starts_with(b"PK\x05\x06"),
        false => bytes.ends_with(b"</urlset>\n") || bytes.ends_with(b"</sitemapindex>\n"),
    };
    assert!(is_whole, "a part of {name}");
    bytes
}

/// Follows the lists and the packages of a Source, from each index on; returns the packages of the Change Dump.
fn follow(public: &Path) -> usize {
    let mut packages = 0;
    for index in ["changedump.xml", "resourcedump.xml", "changelist.xml", "resourcelist.xml"] {
        let text = String::from_utf8(whole(public, index)).unwrap();
        let links = linked(&text);
        assert!(index != "resourcedump.xml" || links.iter().any(|(name, _)| name.ends_with(".zip")), "{text}");
        for (name, length) in &links {
            let bytes = whole(public, name);
            assert!(length.is_none_or(|length| bytes.len() as u64 == length), "{name} has {} bytes", bytes.len());
        }
        if index == "changedump.xml" {
            packages = links.iter().filter(|(name, _)| name.ends_with(".zip")).count();
        }
    }
    packages
}

/// Publishes this many changes one by one, each with a package, while a reader follows the Source without a pause; returns how often it did.
fn read_during(publications: u32) -> u32 {
    // Nothing is killed here, and syncs cost nothing in memory.
    let memory = Some(Path::new("/dev/shm")).filter(|memory| memory.is_dir());
    let bench = memory.map_or_else(tempfile::tempdir, tempfile::tempdir_in).unwrap();
    let (files, public) = (bench.path().join("files"), bench.path().join("public"));
    fs::create_dir(&files).unwrap();
    fs::write(files.join("a"), "a").unwrap();
    let publish = |number: u32| {
        fs::write(files.join("b"), format!("{number}")).unwrap();
        let more = |options: &mut Options| {
            options.at = at(number);
            options.rotate = Some(Rotate::Changes(4));
        };
        build(bench.path(), 0, more, || {}).unwrap();
    };
    publish(0);
    publish(1);
    let is_over = AtomicBool::new(false);
    let count = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (mut count, mut last) = (0, 0);
            while !is_over.load(Ordering::Relaxed) {
                let packages = follow(&public);
                assert!(packages >= last, "{packages} packages after {last}");
                (count, last) = (count + 1, packages);
            }
            count
        });
        for number in 2..=publications {
            publish(number);
            if reader.is_finished() {
                break;
            }
        }
        is_over.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });
    assert_eq!(follow(&public), publications as usize, "each change has a package");
    count
}

#[test]
fn a_reader_during_a_thousand_publications_always_finds_every_list_and_package() {
    // The work grows with the packages that there are.
    let counts: Vec<u32> = (0..20).map(|_| read_during(50)).collect();
    assert!(counts.iter().sum::<u32>() > 100, "{counts:?}");
}

/// Notification channels.
fn with_hub(options: &mut Options) {
    let hubs = vec!["https://hub.example/".parse().unwrap()];
    options.channels = Some(Channels { hubs, topics_uri: None });
}

#[test]
fn notifications_of_a_killed_run_outlive_a_generation_that_a_program_writes() {
    let bench = bench();
    build(bench.path(), 0, with_hub, || {}).unwrap();
    fs::write(bench.path().join("files/a"), "changed").unwrap();
    build(bench.path(), 1, with_hub, || {}).unwrap();
    let outbox = bench.path().join("public.resourcesync/outbox.jsonl");
    let whole = fs::read(&outbox).unwrap();
    // Killed after the generation took its place.
    fs::remove_file(&outbox).unwrap();
    drop(FolderStore::open(&bench.path().join("public"), 0).unwrap());
    assert_eq!(fs::read(&outbox).unwrap(), whole);
}
