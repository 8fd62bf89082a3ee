//! Runs after which readers of the folder see all changes at one moment.

#![cfg(target_os = "linux")]

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    os::{
        fd::AsRawFd,
        unix::{
            ffi::OsStrExt,
            fs::{MetadataExt, chown},
        },
    },
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use resourcesync_client::{
    Cancel,
    destination::{CopiedResource, CopyStore, Event, Keep, Options, StoredBytes, SyncError, audit, changes, sync},
};
use resourcesync_sync::{Layout, conclude::Outcome, guard::MaxDelete, report::Report};

use crate::source::{Place, Source, client, run, run_with, tree};

/// Runs with a reader; `RUNS=n` makes n.
const RUNS: u32 = 100;

fn options() -> Options {
    Options::default().with(|run| {
        run.placing.whole = true;
        run.max_delete = Some(MaxDelete::Percent(100));
    })
}

fn run_whole(source: &Source, place: &Place) -> Report {
    run_with(&source.start(), &place.copy(), &options()).unwrap()
}

/// The folder of the resources.
fn host(source: &Source, place: &Place) -> PathBuf {
    place.copy().join(source.host().replace(':', "^"))
}

/// The names and the bytes of the resources, as a program has them that opens the folder once.
fn read(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let opened = File::open(folder)?;
    let mut found = Vec::new();
    let inside = PathBuf::from(format!("/proc/self/fd/{}", opened.as_raw_fd()));
    for entry in fs::read_dir(&inside)?.collect::<Result<Vec<_>, _>>()? {
        if entry.file_name() == ".resourcesync" {
            continue;
        }
        for file in fs::read_dir(entry.path())?.collect::<Result<Vec<_>, _>>()? {
            let name = file.file_name().into_string().unwrap();
            found.push((name, fs::read_to_string(file.path())?));
        }
    }
    found.sort();
    Ok(found)
}

/// A generation: some files with its number, one that only it has, and one that is always there.
fn generation(number: u32) -> Vec<(String, String)> {
    let mut files: Vec<_> = (0..12).map(|file| (format!("file-{file}"), format!("{number}"))).collect();
    files.push((format!("only-{number}"), format!("{number}")));
    files.push(("same".to_owned(), "same".to_owned()));
    files.sort();
    files
}

fn publish(source: &Source, number: u32) {
    source.clear();
    for (name, body) in generation(number) {
        source.put(&format!("/{name}"), body);
    }
    source.publish();
}

#[test]
fn a_reader_in_a_loop_sees_only_complete_generations() {
    let runs = std::env::var("RUNS").ok().map_or(RUNS, |text| text.parse().unwrap());
    let (place, source) = (Place::new("whole-reader"), Source::new());
    publish(&source, 0);
    run_whole(&source, &place);
    let (passes, is_over) = (AtomicU32::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = Vec::new();
            while !is_over.load(Ordering::SeqCst) {
                let found = read(&place.copy()).unwrap();
                let number: u32 = found[0].1.parse().unwrap();
                assert_eq!(found, generation(number));
                seen.push(number);
                passes.fetch_add(1, Ordering::SeqCst);
            }
            seen
        });
        let options = options().with(|run| run.placing.volatile = true);
        for number in 1..=runs {
            publish(&source, number);
            let report = run_with(&source.start(), &place.copy(), &options).unwrap();
            assert_eq!((report.run.outcome, report.counts.deleted), (Outcome::InStep, 1), "{report:?}");
            // A reader has the time until the next run to finish with the generation before.
            let (begun, before) = (Instant::now(), passes.load(Ordering::SeqCst));
            while passes.load(Ordering::SeqCst) < before + 2 && !reader.is_finished() {
                assert!(begun.elapsed() < Duration::from_secs(60), "the reader stands still");
                thread::sleep(Duration::from_millis(1));
            }
        }
        is_over.store(true, Ordering::SeqCst);
        let mut seen = reader.join().unwrap();
        assert!(seen.is_sorted());
        seen.dedup();
        assert!(seen.len() as u32 > runs / 2, "{seen:?}");
    });
    assert_eq!(audit(&place.copy(), None, false, &Cancel::default()).unwrap().compared.equal, 14);
    // What did not change is the same file in every generation, and the folder is as any other copy.
    let report = run(&source, &place.copy());
    assert_eq!((report.run.outcome, report.counts.unchanged), (Outcome::InStep, 14));
}

#[test]
fn a_run_that_is_not_in_step_shows_nothing_and_the_next_one_fetches_only_the_rest() {
    let (place, source) = (Place::new("whole-incomplete"), Source::new());
    publish(&source, 0);
    run_whole(&source, &place);
    let before = read(&place.copy()).unwrap();
    publish(&source, 1);
    // No other file has these bytes.
    source.put("/file-3", "3 of 1");
    source.publish();
    source.serve("/file-3", b"wrong");
    let report = run_whole(&source, &place);
    assert_eq!(report.run.outcome, Outcome::Incomplete);
    assert!(report.diagnostics.iter().any(|finding| finding.code == "SYN-23"), "{report:?}");
    assert_eq!((report.as_of.as_ref(), report.held.resources), (None, 14));
    assert_eq!(read(&place.copy()).unwrap(), before);
    source.serve("/file-3", b"3 of 1");
    source.clear_log();
    let report = run_whole(&source, &place);
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    let fetched: Vec<String> =
        source.log().into_iter().filter(|path| path.contains("file") || path.contains("only")).collect();
    assert_eq!(fetched, ["/file-3"]);
    let found = read(&place.copy()).unwrap();
    assert!(found.len() == 14 && found.contains(&("file-3".to_owned(), "3 of 1".to_owned())), "{found:?}");
    // A generation is continued only while it is the next one of the folder.
    publish(&source, 2);
    source.serve("/file-3", b"wrong");
    assert_eq!(run_whole(&source, &place).run.outcome, Outcome::Incomplete);
    publish(&source, 3);
    run_with(&source.start(), &place.copy(), &options().with(|run| run.placing.whole = false)).unwrap();
    assert_eq!(read(&place.copy()).unwrap(), generation(3));
    assert_eq!(run_whole(&source, &place).run.outcome, Outcome::InStep);
    assert_eq!(read(&place.copy()).unwrap(), generation(3));
}

/// A name that is not UTF-8.
fn no_text(number: u8) -> &'static OsStr {
    OsStr::from_bytes([b"caf\xe9-1", b"caf\xe9-2", b"caf\xe9-3"][usize::from(number - 1)])
}

#[test]
fn files_of_others_are_in_every_generation_also_those_that_come_during_a_run() {
    let (place, source) = (Place::new("whole-foreign"), Source::new());
    publish(&source, 0);
    fs::create_dir_all(place.copy().join("notes/deep")).unwrap();
    fs::write(place.copy().join("notes/deep/before"), "before").unwrap();
    std::os::unix::fs::symlink("deep", place.copy().join("notes/link")).unwrap();
    for name in ["draft", "linked"] {
        fs::write(place.copy().join("notes").join(name), "first").unwrap();
    }
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    if is_root {
        chown(place.copy().join("notes"), Some(1234), Some(1235)).unwrap();
    }
    run_whole(&source, &place);
    publish(&source, 1);
    // While the run is at work, others add a file, edit one of the copy, and replace one that the run replaces as well.
    let (folder, mut is_first) = (place.copy(), true);
    let edited = host(&source, &place);
    let report =
        sync(&source.start(), &place.copy(), &client(&source.start()), &options(), &Cancel::default(), &mut |event| {
            if let (Event::Item(_), true) = (event, is_first) {
                is_first = false;
                fs::create_dir_all(folder.join("new")).unwrap();
                fs::write(folder.join("new/during"), "during").unwrap();
                // As editors save.
                fs::write(folder.join("notes/saved"), "second").unwrap();
                fs::rename(folder.join("notes/saved"), folder.join("notes/draft")).unwrap();
                fs::write(folder.join("new/twice"), "second").unwrap();
                fs::hard_link(folder.join("new/twice"), folder.join("notes/saved")).unwrap();
                fs::rename(folder.join("notes/saved"), folder.join("notes/linked")).unwrap();
                fs::create_dir_all(folder.join("new/empty")).unwrap();
                (1..=3).for_each(|number| fs::write(folder.join("new").join(no_text(number)), "during").unwrap());
                fs::write(folder.join("other"), "edited").unwrap();
                fs::rename(folder.join("other"), edited.join("file-5")).unwrap();
                fs::remove_file(edited.join("same")).unwrap();
            }
        });
    let report = report.unwrap();
    assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
    let copy = place.copy();
    assert_eq!(fs::read_to_string(copy.join("notes/deep/before")).unwrap(), "before");
    assert_eq!(fs::read_link(copy.join("notes/link")).unwrap(), Path::new("deep"));
    assert_eq!(fs::read_to_string(copy.join("new/during")).unwrap(), "during");
    for name in ["notes/draft", "notes/linked", "new/twice"] {
        assert_eq!(fs::read_to_string(copy.join(name)).unwrap(), "second", "{name}");
    }
    assert!(copy.join("new/empty").is_dir());
    assert!((1..=3).all(|number| copy.join("new").join(no_text(number)).is_file()));
    let notes = fs::metadata(copy.join("notes")).unwrap();
    assert!(!is_root || (notes.uid(), notes.gid()) == (1234, 1235));
    assert_eq!(tree(&host(&source, &place)).into_iter().map(|(name, _)| name).collect::<Vec<_>>(), {
        generation(1).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    });
    assert_eq!(fs::read_to_string(host(&source, &place).join("file-5")).unwrap(), "1");
    let trash = tree(&copy.join(".resourcesync/trash"));
    assert!(trash.iter().any(|(name, body)| name.ends_with("file-5") && body == b"edited"), "{trash:?}");
    assert!(report.diagnostics.iter().any(|finding| finding.code == "SYN-10"), "{report:?}");
    // Nothing is left of it but what readers may still have open.
    assert_eq!(run_whole(&source, &place).run.outcome, Outcome::InStep);
    let beside: Vec<String> = fs::read_dir(place.0.join("copy.resourcesync"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(beside.iter().all(|name| ["lock", "old"].contains(&&**name)), "{beside:?}");
    assert_eq!(fs::read_to_string(copy.join("new/during")).unwrap(), "during");
}

/// Names that do not lead back to their URIs.
#[test]
fn generations_have_the_new_versions_of_files_with_shortened_names() {
    let long = "%E8%AB%96".repeat(80);
    for layout in [Layout::Uri, Layout::Portable, Layout::Hash] {
        let (place, source) = (Place::new(&format!("whole-{}", layout.as_str())), Source::new());
        let names =
            ["/plain".to_owned(), format!("/{}", "long".repeat(60)), format!("/deep/{long}"), format!("/?{long}")];
        let options = options().with(|run| run.placing.layout = Some(layout));
        let sync = || run_with(&source.start(), &place.copy(), &options).unwrap();
        let bodies = || {
            let files = tree(&place.copy()).into_iter().map(|(_, body)| String::from_utf8(body).unwrap());
            let mut bodies: Vec<String> = files.collect();
            bodies.sort();
            bodies
        };
        let published = |version: &str| {
            names.iter().for_each(|name| source.put(name, format!("{name} {version}")));
            source.publish();
        };
        source.put("/gone", "gone");
        source.put(&format!("/{}", "gone".repeat(60)), "gone, too");
        published("1");
        assert_eq!(sync().run.outcome, Outcome::InStep);
        // Files of others are looked for below the names of resources.
        fs::write(place.copy().join("note"), "note 1").unwrap();
        source.clear();
        for version in ["2", "3"] {
            published(version);
            let report = sync();
            assert_eq!((report.run.outcome, &*report.diagnostics), (Outcome::InStep, &[][..]), "{layout:?}");
            let mut expected: Vec<String> = names.iter().map(|name| format!("{name} {version}")).collect();
            expected.push("note 1".to_owned());
            expected.sort();
            assert_eq!(bodies(), expected, "{layout:?}");
        }
    }
}

#[test]
fn what_others_put_into_the_folder_after_an_exchange_is_newer_than_what_a_killed_run_left() {
    let (place, source) = (Place::new("whole-after"), Source::new());
    publish(&source, 0);
    fs::create_dir_all(place.copy()).unwrap();
    fs::write(place.copy().join("notes"), "first").unwrap();
    run_whole(&source, &place);
    publish(&source, 1);
    run_whole(&source, &place);
    let (copy, beside) = (place.copy(), place.0.join("copy.resourcesync"));
    // As if the run had been killed right after it.
    fs::write(copy.join(".resourcesync/exchanged"), "").unwrap();
    fs::rename(beside.join("old"), beside.join("next")).unwrap();
    thread::sleep(Duration::from_millis(20));
    fs::write(copy.join("saved"), "second").unwrap();
    fs::rename(copy.join("saved"), copy.join("notes")).unwrap();
    publish(&source, 2);
    assert_eq!(run_whole(&source, &place).run.outcome, Outcome::InStep);
    assert_eq!(fs::read_to_string(copy.join("notes")).unwrap(), "second");
    assert!(!copy.join(".resourcesync/exchanged").exists());
}

#[test]
fn the_generation_before_is_not_taken_for_the_copy() {
    let (place, source) = (Place::new("whole-before"), Source::new());
    for number in [0, 1] {
        publish(&source, number);
        run_whole(&source, &place);
    }
    let before = place.0.join("copy.resourcesync/old");
    let is_refused =
        |error: Option<SyncError>| matches!(error, Some(SyncError::EarlierGeneration(copy)) if copy.ends_with("copy"));
    assert!(is_refused(run_with(&source.start(), &before, &options()).err()));
    assert!(is_refused(audit(&before, None, false, &Cancel::default()).err()));
}

#[test]
fn a_run_that_waited_for_the_lock_works_on_the_folder_that_is_there_then() {
    let (place, source) = (Place::new("whole-lock"), Source::new());
    publish(&source, 0);
    run_whole(&source, &place);
    publish(&source, 1);
    let waiting = Options::default().with(|run| {
        run.wait = Duration::from_secs(60);
        run.max_delete = Some(MaxDelete::Percent(100));
    });
    let start = source.start();
    thread::scope(|scope| {
        let mut other = None;
        let report = sync(&start, &place.copy(), &client(&start), &options(), &Cancel::default(), &mut |event| {
            if matches!(event, Event::Item(_)) && other.is_none() {
                assert_eq!(run_with(&start, &place.copy(), &Options::default()).unwrap().run.outcome, Outcome::Locked);
                assert_eq!(run_with(&start, &place.copy(), &self::options()).unwrap().run.outcome, Outcome::Locked);
                other = Some(scope.spawn(|| run_with(&start, &place.copy(), &waiting).unwrap()));
                thread::sleep(Duration::from_millis(100));
            }
        });
        assert_eq!(report.unwrap().run.outcome, Outcome::InStep);
        let report = other.unwrap().join().unwrap();
        assert_eq!((report.run.outcome, report.counts.unchanged), (Outcome::InStep, 14), "{report:?}");
    });
    assert_eq!(read(&place.copy()).unwrap(), generation(1));
    assert_eq!(run(&source, &place.copy()).run.number, 4);
}

/// Keeps nothing.
struct Nowhere;

impl CopyStore for Nowhere {
    fn look(&mut self, _: &str) -> io::Result<Option<StoredBytes>> {
        Ok(None)
    }

    fn put(&mut self, _: &CopiedResource, _: File) -> io::Result<Option<String>> {
        Ok(None)
    }

    fn open(&mut self, _: &str) -> io::Result<Box<dyn io::Read + Send>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn remove(&mut self, _: &str, _: &str) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_copy_in_the_folder_of_another_one_is_not_replaced_with_it() {
    let (outer, inner, place) = (Source::new(), Source::new(), Place::new("whole-inside"));
    publish(&outer, 1);
    publish(&inner, 1);
    assert_eq!(run_whole(&outer, &place).run.outcome, Outcome::InStep);
    let folder = place.copy().join("inside").join("copy");
    run(&inner, &folder);
    let before = tree(&place.copy());
    publish(&outer, 2);
    let error = run_with(&outer.start(), &place.copy(), &options()).unwrap_err().to_string();
    assert!(error.contains("inside/copy is a copy of its own"), "{error}");
    assert_eq!(tree(&place.copy()), before);
    fs::rename(&folder, place.0.join("apart")).unwrap();
    assert_eq!(run_whole(&outer, &place).run.outcome, Outcome::InStep);
}

#[test]
fn generations_need_files_and_state_in_one_folder() {
    let (place, source) = (Place::new("whole-refused"), Source::new());
    publish(&source, 0);
    let (start, own) = (source.start(), options());
    let elsewhere = Options { state: Some(place.0.join("state")), ..own.clone() };
    let stored = Options { keep: Keep::store(Nowhere), ..own.clone() };
    for options in [elsewhere, stored] {
        let refused = run_with(&start, &place.copy(), &options);
        assert!(matches!(refused, Err(SyncError::NotWhole)), "{refused:?}");
    }
    let refused = changes(&start, &place.copy(), &client(&start), &own, &Cancel::default(), &mut |_| {});
    assert!(matches!(refused, Err(SyncError::NotWhole)), "{refused:?}");
    assert!(source.log().is_empty() && !place.copy().exists());
    // A dry run makes no generation.
    let report = run_with(&start, &place.copy(), &own.with(|run| run.dry_run = true)).unwrap();
    assert_eq!(report.plan.unwrap().requests, 14);
    assert!(!place.copy().exists() && !place.0.join("copy.resourcesync").exists());
}
