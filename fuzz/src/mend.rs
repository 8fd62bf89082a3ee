//! Mending once is enough; what nothing is said against is left as it is, and what is mended can be read.

use resourcesync::{
    api::{Options, Source, validate},
    limits::Limits,
    repair::{self, Mended},
};

/// The first byte chooses the zone that is meant, the rest is the document.
pub fn mend(data: &[u8]) {
    let Some((zone, bytes)) = data.split_first() else { return };
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut options = repair::Options::default();
    options.zone = (*zone > 127).then(|| (i16::from(*zone) - 190) * 15);
    let limits = Limits::default();
    // Declared anew on each element, namespaces can put a tag over the limits that it was just within.
    let mut room = limits.clone();
    (room.tag_bytes, room.attributes) = (u32::MAX, u32::MAX);
    let Ok(Mended { text: mended, repairs, .. }) = repair::mend(text, &options, &limits) else { return };
    if repairs.is_empty() {
        assert_eq!(mended, text);
        return;
    }
    let report = validate(bytes, Source::named("input.xml"), &Options::default());
    assert!(!report.groups.is_empty(), "{repairs:?}\n{text}");
    match repair::mend(&mended, &options, &room) {
        Ok(again) => assert_eq!((again.text.as_str(), &*again.repairs), (mended.as_str(), &[][..]), "{text}"),
        Err(error) => panic!("{error}\n{text}\n{mended}"),
    }
}
