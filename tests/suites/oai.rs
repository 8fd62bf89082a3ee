//! Plays the transcripts of harvests.
#![allow(missing_docs, clippy::unwrap_used)]

use std::{collections::BTreeSet, env, fs};

use resourcesync_tests::oai::{OaiCase, cases, play};

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
            write(&case, &lines);
        } else {
            failed.push(format!("{}: {}\nexpected {:#?}\nplayed {lines:#?}", case.name(), case.title, case.lines));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// Puts the lines into the file, the rest of which stays as it is.
fn write(case: &OaiCase, lines: &[String]) {
    let text = fs::read_to_string(&case.path).unwrap();
    let (before, _) = text.split_once("  \"lines\":").unwrap();
    let quoted: Vec<String> =
        lines.iter().map(|line| format!("    {}", serde_json::to_string(line).unwrap())).collect();
    fs::write(&case.path, format!("{before}  \"lines\": [\n{}\n  ]\n}}\n", quoted.join(",\n"))).unwrap();
}

#[test]
fn titles_are_unique() {
    let mut titles = BTreeSet::new();
    for case in cases() {
        assert!(titles.insert(case.title.clone()), "{}", case.title);
    }
}
