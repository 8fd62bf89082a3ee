//! A compressed document has the report of the document; compressed or damaged, the report does not depend on how the
//! input is split.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use resourcesync::{
    api::{InputOrigin, Options, Run, Validation},
    report::Report,
};

/// The first byte chooses the windows; the rest is a compressed document, and a document to compress.
pub fn gzip(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    let cut = usize::from(*cut) + 1;
    assert_eq!(report(bytes, usize::MAX).to_json(), report(bytes, cut).to_json());
    if bytes.starts_with(&[0x1f, 0x8b]) || resourcesync::api::is_package(bytes) {
        return;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default();
    let (plain, unpacked) = (report(bytes, usize::MAX), report(&packed, cut));
    // A bomb exists only in compressed form, and compression itself may be reported.
    if !unpacked.groups.iter().any(|group| group.code.starts_with("LIM") || group.code.starts_with("INP")) {
        assert_eq!(plain.verdict, unpacked.verdict);
        assert_eq!(plain.summary.bytes, unpacked.summary.bytes);
        assert_eq!(plain.summary.entries, unpacked.summary.entries);
    }
}

fn report(bytes: &[u8], window: usize) -> Report {
    let options = Options::default();
    let mut validation = Validation::new(&options, InputOrigin::named("input.xml"));
    bytes.chunks(window).for_each(|window| validation.push(window));
    let mut run = Run::new(&options);
    run.add(validation.finish());
    run.finish()
}
