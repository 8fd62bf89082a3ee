//! Runs that are killed or run out of disk space at every operation: the next run produces the same store.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, OnceLock},
};

use resourcesync_tests::{oai::Repository, server::Server};
use serde_json::Value;

use super::{FAST, serve};
use crate::bench::{Bench, Ran};

/// The preloaded library that makes a run fail.
pub(super) fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/oai/crash.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oai-crash.so");
        let mut cc = Command::new("cc");
        let built = cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl").status();
        assert!(built.unwrap().success());
        library
    })
}

/// A store, and the disturbed harvest.
struct Scene {
    bench: Bench,
    server: Server,
    storage: &'static str,
    /// The store is copied from here before each run; without it, it is new.
    is_first: bool,
}

impl Scene {
    fn new(name: &str, storage: &'static str, is_first: bool) -> Scene {
        let repository = Arc::new(Repository::new(24, 8));
        let scene = Scene { bench: Bench::new(name), server: serve(&repository), storage, is_first };
        if !is_first {
            scene.harvest("before", &[]).ends(0);
            *repository.now.lock().unwrap() = "2026-01-02T00:00:00Z".into();
            for number in 0..24 {
                let at = format!("2026-01-01T12:00:{number:02}Z");
                match number % 4 {
                    0 => repository.put(&number.to_string(), &at, Some("second")),
                    1 => repository.put(&number.to_string(), &at, None),
                    2 => repository.put(&format!("new {number}").replace(' ', "-"), &at, Some("first")),
                    _ => {}
                }
            }
        }
        scene.copy("whole");
        let count = scene.bench.path("count");
        scene.harvest("whole", &[("CRASH_COUNT", count.to_str().unwrap())]).ends(0);
        scene
    }

    /// The number of operations of an undisturbed run.
    fn operations(&self) -> u64 {
        self.bench.read("count").parse().unwrap()
    }

    fn copy(&self, to: &str) {
        let _ = fs::remove_dir_all(self.bench.path(to));
        if !self.is_first {
            copy(&self.bench.path("before"), &self.bench.path(to));
        }
    }

    fn harvest(&self, into: &str, environment: &[(&str, &str)]) -> Ran {
        let url = self.server.url("/oai");
        let args = [&["oai", "harvest", "--into", into, "--store", self.storage][..], &FAST, &[&url]].concat();
        let mut command = self.bench.command(&args);
        if !environment.is_empty() {
            command.env("LD_PRELOAD", library()).envs(environment.iter().copied());
        }
        command.output().unwrap().into()
    }

    /// Disturbs a run at this operation, followed by an undisturbed run.
    fn disturbed(&self, how: &str, at: u64) -> Ran {
        self.copy("store");
        let run = self.harvest("store", &[(how, &at.to_string())]);
        if run.status == Some(0) {
            self.is_whole(&format!("{how} {at}, unnoticed"));
        }
        if !self.is_first {
            self.lists_what_is_there(at);
        }
        self.harvest("store", &[]).ends(0);
        self.is_whole(&format!("{how} {at}"));
        run
    }

    /// Asserts that the store equals that of an undisturbed run.
    fn is_whole(&self, when: &str) {
        let (store, whole) = (self.contents("store"), self.contents("whole"));
        let names = |one: &BTreeMap<String, Vec<u8>>| one.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&store), names(&whole), "{when}");
        for (name, bytes) in &store {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert!(*bytes == whole[name], "{when}: {name}\n{}\n{}", text(bytes), text(&whole[name]));
        }
    }

    /// Asserts that every record of the catalogue has its file.
    fn lists_what_is_there(&self, at: u64) {
        let listed = self.bench.run(&["oai", "list", "--format", "json", "store"]).ends(0).out;
        for line in listed.lines() {
            let entry: Value = serde_json::from_str(line).unwrap();
            let place = self.bench.path("store").join(entry["location"].as_str().unwrap());
            assert!(place.exists(), "{at}: {entry}");
        }
    }

    /// The files of a store, without timestamps.
    fn contents(&self, store: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.bench.path(store), "", &mut files);
        files.retain(|name, _| !name.starts_with("/proofs/") && name != "/lock");
        let state = files.get_mut("/state.json").expect("a state");
        let mut value: Value = serde_json::from_slice(state).unwrap();
        let object = value.as_object_mut().unwrap();
        // A run killed after the merge is followed by one without changes.
        object.retain(|name, _| !["proof", "proofs", "run"].contains(&name.as_str()));
        for start in object["next"].as_array_mut().unwrap() {
            assert!(start.as_object_mut().unwrap().remove("reconciled").is_some());
        }
        *state = value.to_string().into_bytes();
        files
    }
}

pub(super) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &place),
            false => fs::copy(&path, &place).map(drop).unwrap(),
        }
    }
}

fn collect(folder: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{name}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() { collect(&path, &name, files) } else { drop(files.insert(name, fs::read(&path).unwrap())) }
    }
}

/// Disturbs this number of runs, evenly spread over their operations.
fn disturb(name: &str, storage: &'static str, is_first: bool) {
    let scene = Scene::new(name, storage, is_first);
    let all = scene.operations();
    for kill in 0..50 {
        let run = scene.disturbed("CRASH_KILL", 1 + kill * (all - 1) / 49);
        assert_eq!(run.status, None, "{run:?}");
    }
    let mut failed = 0;
    for fail in 0..15 {
        let run = scene.disturbed("CRASH_FAIL", 1 + fail * (all - 1) / 14);
        assert!(matches!(run.status, Some(0 | 2)), "{run:?}");
        failed += u32::from(run.status == Some(2));
    }
    // An existing folder or a remaining temporary file is not a failure.
    assert!(failed >= 8, "{failed}");
}

#[test]
fn a_first_harvest_into_files_survives_kills_and_a_full_disk() {
    disturb("oai-crash-files", "files", true);
}

#[test]
fn a_second_harvest_into_files_survives_kills_and_a_full_disk() {
    disturb("oai-crash-files-again", "files", false);
}

#[test]
fn a_first_harvest_into_lines_survives_kills_and_a_full_disk() {
    disturb("oai-crash-lines", "jsonl", true);
}

#[test]
fn a_second_harvest_into_lines_survives_kills_and_a_full_disk() {
    disturb("oai-crash-lines-again", "jsonl", false);
}
