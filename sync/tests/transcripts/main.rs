//! Plays the transcripts of following Change Lists.
#![allow(clippy::unwrap_used, clippy::panic)] // invalid cases fail the tests

mod player;

use std::{env, fs};

use player::{SyncCase, cases, document, follow, play, play_in};

#[test]
fn every_transcript_is_played_as_written() {
    let bless = env::var_os("BLESS").is_some();
    let mut failed = Vec::new();
    for case in cases() {
        let played = play(&case);
        if played == case {
            continue;
        }
        if bless {
            fs::write(&case.path, serde_json::to_string_pretty(&played).unwrap() + "\n").unwrap();
        } else {
            failed.push(format!("{}\nexpected {case:#?}\nplayed {played:#?}", case.name()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

#[test]
fn nothing_is_left_to_do_at_the_checkpoint_that_a_case_ends_with() {
    // What is ahead of the clock is processed again until it is past.
    let is_past = |case: &SyncCase| !case.lines.iter().any(|line| line.starts_with("out ahead "));
    for case in cases().into_iter().filter(|case| case.after.is_some() && is_past(case)) {
        let again = play(&SyncCase { checkpoint: case.concluded().clone(), ..case.clone() });
        let is_change =
            |line: &String| ["fetch", "delete", "ask"].iter().any(|word| line.starts_with(&format!("out {word} ")));
        assert!(!again.lines.iter().any(is_change), "{}: {:#?}", case.name(), again.lines);
        assert_eq!(again.concluded().as_of, case.concluded().as_of, "{}", case.name());
    }
}

#[test]
fn windows_of_any_length_play_the_same() {
    for case in cases() {
        for window in [1, 7, 100] {
            assert_eq!(play_in(&case, window), case, "{} {window}", case.name());
        }
    }
}

#[test]
fn a_list_that_is_cut_anywhere_is_never_complete() {
    for case in cases() {
        for (uri, sent) in case.server.iter().filter(|(_, sent)| !sent.document.is_empty()) {
            let whole = document(&sent.document);
            for end in (1..whole.len()).step_by(37) {
                let mut cut = case.clone();
                cut.server.get_mut(uri).unwrap().document = vec![whole[..end].to_owned()];
                let lines = play(&cut).lines;
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
