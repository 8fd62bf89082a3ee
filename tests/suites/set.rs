//! Runs every case of a whole Source: the findings the case demands, no others, and the same report in whatever order answers arrive.
//!
//! `BLESS=1` writes what is expected; read the difference as if it were code.

use libtest_mimic::{Arguments, Failed, Trial};
use resourcesync_tests::{SourceCase, sources};

fn main() {
    let trials = sources().into_iter().map(|case| Trial::test(case.name(), move || run(&case))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(case: &SourceCase) -> Result<(), Failed> {
    let report = case.crawl(usize::MAX, false);
    case.expected.compare(&report)?;
    // The same bytes however the bodies are cut, and in whatever order the answers come.
    if !case.is_large() && case.crawl(997, true).to_json() != report.to_json() {
        return Err("small windows, or answers in another order, give another report".into());
    }
    Ok(())
}
