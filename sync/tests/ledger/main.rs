//! The suite of ledgers, on the one in memory.
#![allow(missing_docs, clippy::unwrap_used)]

mod suite;

use resourcesync_sync::{
    ListedResource,
    ledger::{Memory, StoredResource},
};

use self::suite::Subject;

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
fn the_ledger_in_memory_passes_the_suite() {
    for (name, case) in suite::cases::<Memory>() {
        println!("{name}");
        case();
    }
}
