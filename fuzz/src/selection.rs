//! Ignoring some codes never changes the counts of the others.

use std::{collections::BTreeMap, str::FromStr};

use resourcesync::{
    api::{InputOrigin, Options, validate},
    diagnostic::Severity,
    report::{Profile, Report, Selection, Selector},
};

/// The first line contains selectors, the rest is a document.
pub fn selection(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (line, bytes) = data.split_at(end);
    let Ok(line) = str::from_utf8(line) else { return };
    let selectors: Vec<Selector> = line.split(' ').filter_map(|word| Selector::from_str(word).ok()).collect();
    let all = report(bytes, Selection::default());
    let less = report(bytes, Selection::new(Profile::Standard, &[], &selectors, &[]));
    let only = report(bytes, Selection::new(Profile::Standard, &selectors, &[], &[]));
    let raised: Vec<_> = selectors.iter().map(|selector| (selector.clone(), Severity::Error)).collect();
    let raised = report(bytes, Selection::new(Profile::Standard, &[], &[], &raised));
    let whole = total(&all);
    for part in [&less, &only, &raised] {
        assert_eq!(total(part) + part.summary.suppressed, whole + all.summary.suppressed, "{line}");
        assert_eq!(part.summary.entries, all.summary.entries);
    }
    let (all, less, only) = (counts(&all), counts(&less), counts(&only));
    for (code, count) in &less {
        // A single detail of GEN-01 may be ignored.
        assert!(all.get(code) == Some(count) || code == "GEN-01", "{line}: {code}");
    }
    if !selectors.is_empty() {
        for (code, count) in &all {
            let kept = less.get(code).unwrap_or(&0) + only.get(code).unwrap_or(&0);
            assert_eq!(kept, *count, "{line}: {code}");
        }
    }
}

fn report(bytes: &[u8], selection: Selection) -> Report {
    let mut options = Options::default();
    options.selection = selection;
    validate(bytes, InputOrigin::named("input.xml"), &options)
}

fn total(report: &Report) -> u64 {
    report.summary.errors + report.summary.warnings + report.summary.infos
}

fn counts(report: &Report) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for group in &report.groups {
        *counts.entry(group.code.clone()).or_default() += group.count;
    }
    counts
}
