//! Runs every case of a whole Source: exactly the expected findings, and a report that does not depend on the order of responses.
//!
//! `BLESS=1` rewrites the expectations; review the diff like code.

use libtest_mimic::{Arguments, Failed, Trial};
use resourcesync::api::Options;
use resourcesync_tests::{SourceCase, crawl_in_rounds, sources};

fn main() {
    let trials = sources().into_iter().map(|case| Trial::test(case.name(), move || run(&case))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(case: &SourceCase) -> Result<(), Failed> {
    let report = case.crawl(usize::MAX, false);
    case.expected.compare(&report)?;
    // The same bytes, independent of how bodies are split and of the order of responses.
    if !case.is_large() && case.crawl(997, true).to_json() != report.to_json() {
        return Err("small windows, or answers in another order, give another report".into());
    }
    // Nor on the processes that read them.
    let rounds = || crawl_in_rounds(&case.web(), &Options::default(), case.crawl_options(usize::MAX, false), 7);
    if !case.is_large() && rounds().to_json() != report.to_json() {
        return Err("parcels in rounds give another report".into());
    }
    Ok(())
}
