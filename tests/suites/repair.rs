//! The guarantees of repair, for every document of the corpus.

use std::{collections::BTreeMap, sync::LazyLock};

use proptest::prelude::*;
use resourcesync::{
    api::{InputOrigin, Options, validate},
    limits::Limits,
    repair::{self, RepairError, Repaired},
    report::Report,
};
use resourcesync_tests::{Case, all};

/// The documents that are text, with their text.
fn documents() -> impl Iterator<Item = (Case, String)> {
    let documents = all().into_iter().filter(|case| !case.is_package() && case.bytes().len() < 1 << 16);
    documents.filter_map(|case| Some((String::from_utf8(case.bytes()).ok()?, case))).map(|(text, case)| (case, text))
}

fn report(text: &str) -> Report {
    validate(text.as_bytes(), InputOrigin::named("input.xml"), &Options::default())
}

fn repair(text: &str) -> Result<Repaired, RepairError> {
    repair::repair_text(text, &repair::RepairOptions::default(), &Limits::default())
}

fn counts(report: &Report) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for group in &report.groups {
        *counts.entry(group.code.clone()).or_default() += group.count;
    }
    counts
}

#[test]
fn repairing_twice_is_repairing_once_and_never_makes_it_worse() {
    let (mut patched, mut rewritten, mut lossy) = (0, 0, 0);
    for (case, text) in documents() {
        let name = case.name();
        let before = report(&text);
        let repaired = match repair(&text) {
            Ok(repaired) => repaired,
            Err(RepairError::Lossy(_)) => {
                lossy += 1;
                continue;
            }
            Err(_) => continue,
        };
        if repaired.repairs.is_empty() {
            assert_eq!(repaired.text, text, "{name}");
            continue;
        }
        let (found, left) = (counts(&before), counts(&report(&repaired.text)));
        let total = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        // Until its capability is repaired, a document is checked only by the rules for every kind.
        let kind_known = ["GEN-06", "AT-30"].iter().any(|code| found.contains_key(*code) && !left.contains_key(*code));
        assert!(total(&left) <= total(&found) || kind_known, "{name}: {found:?} became {left:?}\n{}", repaired.text);
        assert_eq!(repair(&repaired.text).unwrap().repairs, [], "{name}: {}", repaired.text);
        if repaired.rewritten { rewritten += 1 } else { patched += 1 }
    }
    eprintln!("{patched} repaired in place, {rewritten} rewritten, {lossy} would have lost data");
    assert!(patched > 150 && rewritten < 10 && lossy == 0, "{patched} {rewritten} {lossy}");
}

#[test]
fn a_document_without_findings_stays_as_it_is() {
    for (case, text) in documents().filter(|(_, text)| report(text).groups.is_empty()) {
        assert_eq!(repair(&text).unwrap().repairs, [], "{}", case.name());
    }
}

static SMALL: LazyLock<Vec<String>> =
    LazyLock::new(|| documents().map(|(_, text)| text).filter(|text| text.len() < 4096).collect());

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damage_is_mended_once_or_left(
        damage in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(DAMAGE.as_slice())), 1..6),
        pick in any::<prop::sample::Index>(),
    ) {
        let mut text = SMALL[pick.index(SMALL.len())].clone();
        for (at, piece) in damage {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            prop_assume!(!places.is_empty());
            text.insert_str(places[at.index(places.len())], piece);
        }
        if let Ok(repaired) = repair(&text) {
            let again = repair(&repaired.text).map(|again| again.repairs);
            prop_assert_eq!(again, Ok(vec![]), "{} became {}", text, repaired.text);
        }
    }
}

/// Text that people and programs put in the wrong place.
const DAMAGE: [&str; 14] =
    [" ", "\n", "日", "|", "rs:", "SHA", "+09:00", "Z", "<!-- x -->", "&amp;", "'", "/", "http://", "T00:00"];
