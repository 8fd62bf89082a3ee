//! Publishing with packages while files change: what is packaged is what its manifest describes.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::{fs, path::Path};

use resourcesync::{
    api::{InputOrigin, Options as Checking, validate},
    report::Verdict,
    value::Datetime,
};
use resourcesync_client::{
    Cancel,
    publish::{DumpOptions, Error, Event, Options, Origin, Outcome, Resources, Summary, dump, publish},
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
