//! Holds that every reason with Japanese words for it is one that the faces give.
#![allow(missing_docs, clippy::unwrap_used)]

use std::{fs, path::Path};

const TABLE: &str = include_str!("../../core/src/report/i18n/reasons.rs");

/// Shorter fixed parts would be found anywhere.
const TELLING: usize = 9;

fn gather(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, all);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("reasons.rs") {
            all.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_reason_of_the_table_is_given_somewhere() {
    let mut all = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    ["core/src", "client/src", "cli/src"].iter().for_each(|folder| gather(&root.join(folder), &mut all));
    let mut rows = 0;
    for line in TABLE.lines() {
        let Some((english, _)) = line.strip_prefix("    (\"").and_then(|row| row.split_once("\", \"")) else {
            continue;
        };
        rows += 1;
        let parts = english
            .split('{')
            .map(|part| part.split_once('}').map_or(part, |(_, after)| after).trim_matches([' ', ':', '`']));
        // Values, and what ties them to the words, are put in where the reason is given.
        for part in parts.filter(|part| part.len() >= TELLING) {
            assert!(all.contains(part), "nothing says `{part}` any more: {english}");
        }
    }
    assert!(rows > 40, "the table is read wrongly: {rows} rows");
}
