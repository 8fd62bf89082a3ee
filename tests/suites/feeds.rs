//! Runs the corpus through the `no_std` tokenizer: the same items and findings, independent of how the input is split.

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
    for window in [usize::MAX, 1009, 7, 1] {
        let bare = told(Reader::with_slice_feed(&limits), &bytes, window, &limits);
        if let Some((usual, bare)) = usual.iter().zip(&bare).find(|(usual, bare)| usual != bare) {
            return Err(format!("windows of {window} bytes:\n{usual}\n{bare}").into());
        }
        if usual.len() != bare.len() {
            return Err(format!("windows of {window} bytes: {} lines, not {}", bare.len(), usual.len()).into());
        }
    }
    Ok(())
}
