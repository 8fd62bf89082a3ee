//! Properties: the report does not depend on chunking, and a truncated document is never valid.

use std::sync::LazyLock;

use link_relation::LINK_RELATIONS;
use proptest::prelude::*;
use resourcesync::{
    api::{InputOrigin, Options, Run, Validation, validate},
    limits::Limits,
    read,
    report::{Report, Verdict},
    value::{Parsed, Relation, Value},
    write,
};
use resourcesync_tests::{Case, all};

/// Cases of less than 4 KiB, with their bytes.
static SMALL: LazyLock<Vec<(Case, Vec<u8>)>> = LazyLock::new(|| {
    let with_bytes = |case: Case| (case.bytes(), case);
    let documents = all().into_iter().filter(|case| !case.is_package());
    documents.map(with_bytes).filter(|(bytes, _)| bytes.len() < 4096).map(|(bytes, case)| (case, bytes)).collect()
});

fn in_windows(bytes: &[u8], cuts: &[usize]) -> Report {
    let options = Options::default();
    let mut validation = Validation::new(&options, InputOrigin::named("input.xml"));
    let mut rest = bytes;
    let mut cuts = cuts.iter().cycle();
    while !rest.is_empty() {
        let (window, after) = rest.split_at(cuts.next().copied().unwrap_or(1).min(rest.len()));
        validation.push(window);
        rest = after;
    }
    let mut run = Run::new(&options);
    run.add(validation.finish());
    run.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_chunking_gives_the_same_bytes(cuts in prop::collection::vec(1_usize..200, 1..20), pick in any::<prop::sample::Index>()) {
        let bytes = &SMALL[pick.index(SMALL.len())].1;
        let whole = validate(bytes, InputOrigin::named("input.xml"), &Options::default());
        prop_assert_eq!(in_windows(bytes, &cuts).to_json(), whole.to_json());
    }

    #[test]
    fn damage_never_makes_it_panic_and_chunks_still_agree(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in 1_usize..100,
        pick in any::<prop::sample::Index>(),
    ) {
        let mut bytes = SMALL[pick.index(SMALL.len())].1.clone();
        prop_assume!(!bytes.is_empty());
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let whole = validate(&bytes, InputOrigin::named("input.xml"), &Options::default());
        prop_assert_eq!(in_windows(&bytes, &[cut]).to_json(), whole.to_json());
    }
}

#[test]
fn no_proper_prefix_of_a_valid_document_is_valid() {
    // Every twentieth case and all of the standard's examples: the whole corpus takes minutes.
    let chosen = |(number, case): &(usize, Case)| number % 20 == 0 || case.name().starts_with("spec/");
    for (_, case) in all()
        .into_iter()
        .filter(|case| !case.is_package())
        .enumerate()
        .filter(chosen)
        .filter(|(_, case)| case.expected.verdict == "valid")
    {
        let bytes = case.bytes();
        // Content after the root's end tag may be omitted.
        let Some(end) = bytes.windows(2).rposition(|window| window == b"</").filter(|_| bytes.len() < 3000) else {
            continue;
        };
        for length in 0..end {
            let options = case.options();
            let report = validate(&bytes[..length], case.source(), &options);
            // In a folder, files that are not XML are skipped.
            let passed_over = !report.skipped.is_empty();
            assert!(
                passed_over || report.verdict == Verdict::Invalid,
                "{}, {length} bytes: {:?}",
                case.name(),
                report.verdict
            );
        }
    }
}

#[test]
fn every_link_relation_of_the_registry_is_known() {
    let is_registered = |name: &str| match Relation::read(name) {
        Parsed::Exact(relation) | Parsed::Lenient(relation) => relation.is_registered(),
        Parsed::Malformed => false,
    };
    assert!(LINK_RELATIONS.len() > 120);
    let unknown: Vec<_> = LINK_RELATIONS.values().map(|one| &one.name).filter(|name| !is_registered(name)).collect();
    assert!(unknown.is_empty() && !is_registered("x-own"), "{unknown:?}");
}

#[test]
fn a_report_reads_back_as_it_was_written() {
    for (case, bytes) in SMALL.iter() {
        let report = validate(bytes, case.source(), &case.options());
        assert_eq!(Report::from_json(&report.to_json()).as_ref(), Ok(&report), "{}", case.name());
    }
}

#[test]
fn what_is_written_again_reads_the_same() {
    let mut written = 0;
    for (case, bytes) in SMALL.iter() {
        // Namespaces declared again on each element can push a tag over a limit.
        if case.name().starts_with("doc/LIM-") {
            continue;
        }
        let Ok(first) = read::document(bytes, &Limits::default(), &mut ()) else { continue };
        let Ok(text) = write::document(&first) else { continue };
        let again = read::document(text.as_bytes(), &Limits::default(), &mut ());
        let again = again.unwrap_or_else(|error| panic!("{}: {error}\n{text}", case.name()));
        assert_eq!(first, again, "{}\n{text}", case.name());
        written += 1;
    }
    assert!(written > 100, "only {written} documents could be written");
}
