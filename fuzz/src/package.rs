//! The report on a package does not depend on the blocks it is read in; requests are always in range; valid packages have the same contents for the crate
//! `zip`.

use resourcesync::{
    api::{InputOrigin, Options, is_package},
    report::Verdict,
};
use resourcesync_tests::{assert_read_alike, verify};

/// The first byte chooses the blocks, the rest is the package.
pub fn package(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    if !is_package(bytes) {
        return;
    }
    let mut options = Options::default();
    // Large enough for any seed, small enough that a bomb does not slow down the fuzzer.
    options.limits.inflate_ratio = 20;
    let block = usize::from(*cut).saturating_mul(64) + 512;
    let whole = verify(bytes, InputOrigin::named("package.zip"), &options, 1 << 20);
    assert_eq!(whole.to_json(), verify(bytes, InputOrigin::named("package.zip"), &options, block).to_json());
    if whole.verdict == Verdict::Valid {
        assert_read_alike(bytes, &options);
    }
    options.no_fixity = true;
    let structure = verify(bytes, InputOrigin::named("package.zip"), &options, block);
    // Without reading the members there are fewer findings, never more.
    assert!(structure.summary.errors <= whole.summary.errors, "{}\n{}", structure.to_json(), whole.to_json());
}
