//! Reads the corpus in windows of any size: the same items and findings.

use libtest_mimic::{Arguments, Failed, Trial};
use resourcesync::read::Reader;
use resourcesync_tests::{Case, all, told};

fn main() {
    let documents = all().into_iter().filter(|case| !case.is_package() && case.bytes().len() < 100_000);
    let trials = documents.map(|case| Trial::test(case.name(), move || compare(&case))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn compare(case: &Case) -> Result<(), Failed> {
    let (bytes, limits) = (case.bytes(), case.options().limits);
    let usual = told(Reader::new(&limits), &bytes, usize::MAX, &limits);
    for window in [1009, 7, 1] {
        let cut = told(Reader::new(&limits), &bytes, window, &limits);
        if let Some((usual, cut)) = usual.iter().zip(&cut).find(|(usual, cut)| usual != cut) {
            return Err(format!("windows of {window} bytes:\n{usual}\n{cut}").into());
        }
        if usual.len() != cut.len() {
            return Err(format!("windows of {window} bytes: {} lines, not {}", cut.len(), usual.len()).into());
        }
    }
    Ok(())
}
