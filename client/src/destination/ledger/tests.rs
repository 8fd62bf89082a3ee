//! The suite of ledgers, on this one, and random calls of this one and of the one in memory, which answer alike.

#[path = "../../../../sync/tests/ledger/calls.rs"]
mod calls;
#[path = "../../../../sync/tests/ledger/suite.rs"]
mod suite;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use resourcesync_sync::{
    ListedResource, StoredState,
    destination::Version,
    ledger::{Memory, Resources, StoredResource},
    report::BytesFrom,
};

use self::{calls::Calls, suite::Subject};
use super::Ledger;

/// The folder of all ledgers: in memory, if there is such a file system.
fn place() -> PathBuf {
    let shared = Path::new("/dev/shm");
    if shared.is_dir() { shared.to_owned() } else { env::temp_dir() }
}

impl Subject for Ledger {
    fn fresh() -> Ledger {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = place().join(format!("resourcesync-ledger-{}-{number}.sqlite", process::id()));
        let _ = fs::remove_file(&path);
        Ledger::open(&path).unwrap()
    }

    fn next_run(&mut self) -> u64 {
        // The plan and what was read of lists are those of a connection.
        let path = self.db.path().unwrap().to_owned();
        self.end_gathering().unwrap();
        *self = Ledger::open(path.as_ref()).unwrap();
        self.begin_run("", 0).unwrap()
    }

    fn remove(&mut self, stored: &StoredResource) {
        self.begin_removing(std::slice::from_ref(stored), &[], 1).unwrap();
    }

    fn keep(&mut self, version: &ListedResource) {
        let (resource, state, from) = (version.clone(), StoredState::default(), BytesFrom::Memento.into());
        self.keep_versions(&[(Version { number: 0, resource, state, from }, String::new())], 1).unwrap();
    }
}

impl Subject for Memory {
    fn fresh() -> Memory {
        Memory::default()
    }

    fn next_run(&mut self) -> u64 {
        self.begin_run()
    }

    fn remove(&mut self, stored: &StoredResource) {
        Memory::remove(self, &stored.uri);
    }

    fn keep(&mut self, version: &ListedResource) {
        self.keep_version(version);
    }
}

#[test]
fn the_ledger_in_sqlite_passes_the_suite() {
    for (name, case) in suite::cases::<Ledger>() {
        println!("{name}");
        case();
    }
}

#[test]
fn random_calls_are_answered_alike_in_memory() {
    for seed in 0..200 {
        let (mut sqlite, mut memory) = (Calls::new(seed), Calls::new(seed));
        let (mut one, mut other) = (Ledger::fresh(), Memory::fresh());
        for number in 0..60 {
            let (left, right) = (sqlite.call(&mut one), memory.call(&mut other));
            assert_eq!(left, right, "call {number} with seed {seed}");
        }
        fs::remove_file(one.db.path().unwrap()).unwrap();
    }
}

#[test]
fn stored_resources_are_found_by_the_digests_that_are_listed() {
    let mut ledger = Ledger::fresh();
    // As an earlier version left them.
    ledger.db.execute_batch("CREATE INDEX resource_sha256 ON resource(substr(sha256, 1, 16))").unwrap();
    let (md5, sha256) = ("0123456789abcdef".repeat(2), "fedcba9876543210".repeat(4));
    let both = format!("md5:{md5} sha-256:{sha256}");
    for (name, hash) in [("a", Some(format!("md5:{md5}"))), ("b", Some(both)), ("c", None)] {
        let mut stored = suite::stored(name, 1);
        (stored.state.hash, stored.state.sha256) = (hash, sha256.clone());
        ledger.adopted(stored, 1).unwrap();
    }
    ledger.index_digests().unwrap();
    let found = |hash: String| -> Vec<String> {
        let listed = ListedResource { hash: Some(hash), ..suite::resource("new") };
        ledger.alike(&listed).unwrap().into_iter().map(|stored| stored.uri).collect()
    };
    let uri = |name: &str| suite::resource(name).uri;
    assert_eq!(found(format!("md5:{md5}")), [uri("a")]);
    assert_eq!(found(format!("sha-256:{sha256}")), ["a", "b", "c"].map(uri));
    assert_eq!(found(format!("sha-256:{}", "0".repeat(64))), Vec::<String>::new());
    let indexes =
        "SELECT group_concat(name) FROM (SELECT name FROM sqlite_master WHERE type='index' AND sql<>'' ORDER BY name)";
    let indexes: String = ledger.db.query_row(indexes, [], |row| row.get(0)).unwrap();
    assert!(indexes.contains("alike,alike_otherwise") && !indexes.contains("resource_sha256"), "{indexes}");
    fs::remove_file(ledger.db.path().unwrap()).unwrap();
}
