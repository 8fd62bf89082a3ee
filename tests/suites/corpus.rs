//! Runs every case of one document or package: exactly the expected findings, and a report that does not depend on how the input is
//! split.
//!
//! `BLESS=1` rewrites the expectations; review the diff like code.

use libtest_mimic::{Arguments, Failed, Trial};
use resourcesync_tests::{Case, all};

fn main() {
    let trials = all().into_iter().map(|case| Trial::test(case.name(), move || run(&case))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(case: &Case) -> Result<(), Failed> {
    let report = case.report(usize::MAX);
    case.expected.compare(&report)?;
    let is_small = case.bytes().len() < 100_000;
    for window in [1009, 7].into_iter().filter(|_| is_small) {
        if case.report(window).to_json() != report.to_json() {
            return Err(format!("windows of {window} bytes give another report").into());
        }
    }
    Ok(())
}
