//! Plays the transcripts of following Change Lists, and random runs of a Source, a hub and Destinations.
#![allow(missing_docs, clippy::unwrap_used)]

use std::{env, fs};

use resourcesync_tests::{
    simulate,
    sync::{SyncCase, cases, follow, play, play_in},
};

/// Random runs; `cargo run -p resourcesync-tests --bin simulate -- --runs 10000` plays more, and `--seed N` one with its log.
const RUNS: u64 = 100;

#[test]
fn every_transcript_is_played_as_written() {
    let bless = env::var_os("BLESS").is_some();
    let mut failed = Vec::new();
    for case in cases() {
        let lines = play(&case);
        if lines == case.lines {
            continue;
        }
        if bless {
            let blessed = SyncCase { lines, ..case.clone() };
            fs::write(&case.path, serde_json::to_string_pretty(&blessed).unwrap() + "\n").unwrap();
        } else {
            failed.push(format!("{}: {}\nexpected {:#?}\nplayed {lines:#?}", case.name(), case.title, case.lines));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

#[test]
fn windows_of_any_length_play_the_same() {
    for case in cases() {
        for window in [1, 7, 100] {
            assert_eq!(play_in(&case, window), case.lines, "{} {window}", case.name());
        }
    }
}

#[test]
fn a_list_that_is_cut_anywhere_is_never_complete() {
    for case in cases() {
        for (uri, sent) in case.server.iter().filter(|(_, sent)| !sent.document.is_empty()) {
            let whole = resourcesync_tests::sync::document(&sent.document);
            for end in (1..whole.len()).step_by(37) {
                let mut cut = case.clone();
                cut.server.get_mut(uri).unwrap().document = vec![whole[..end].to_owned()];
                let lines = play(&cut);
                let is_read = lines.contains(&format!("out read {uri}"));
                let is_proven = ["unchanged", "continued", "next", "rewritten", "gap"]
                    .iter()
                    .any(|state| lines.contains(&format!("out state {state}")));
                assert!(!is_read || !is_proven, "{} {uri} {end}: {lines:#?}", case.name());
            }
        }
    }
}

#[test]
fn a_program_that_keeps_changes_in_memory_makes_the_same_of_them() {
    for case in cases() {
        let words = ["out fetch ", "out delete ", "out ask "];
        let is_change = |line: &&String| words.iter().any(|word| line.starts_with(word));
        let written: Vec<String> = case.lines.iter().filter(is_change).cloned().collect();
        assert_eq!(follow(&case), written, "{}", case.name());
    }
}

#[test]
fn every_destination_ends_equal_to_the_source_whatever_the_network_does() {
    let failed: Vec<String> = (0..RUNS)
        .filter_map(|seed| simulate::run(seed, false).err().map(|why| format!("seed {seed}: {why}")))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
