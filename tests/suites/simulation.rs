//! Random runs of a Source, a hub and Destinations.

use resourcesync_tests::simulate;

/// Random runs; `cargo run -p resourcesync-tests --bin simulate -- --runs 10000` plays more, and `--seed N` one with its log.
const RUNS: u64 = 100;

#[test]
fn every_destination_ends_equal_to_the_source_whatever_the_network_does() {
    let failed: Vec<String> = (0..RUNS)
        .filter_map(|seed| simulate::run(seed, false).err().map(|why| format!("seed {seed}: {why}")))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
