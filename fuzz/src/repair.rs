//! Repairing is idempotent, leaves a document without findings unchanged, and its output can be read.

use resourcesync::{
    api::{InputOrigin, Options, validate},
    limits::Limits,
    repair::{self, Repaired},
};

/// The first byte chooses the time zone, the rest is the document.
pub fn repair(data: &[u8]) {
    let Some((zone, bytes)) = data.split_first() else { return };
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut options = repair::RepairOptions::default();
    options.zone = (*zone > 127).then(|| (i16::from(*zone) - 190) * 15);
    let limits = Limits::default();
    // Namespaces declared again on each element can push a tag over a limit.
    let mut room = limits.clone();
    (room.tag_bytes, room.attributes) = (u32::MAX, u32::MAX);
    let Ok(Repaired { text: repaired, repairs, .. }) = repair::repair_text(text, &options, &limits) else { return };
    if repairs.is_empty() {
        assert_eq!(repaired, text);
        return;
    }
    let report = validate(bytes, InputOrigin::named("input.xml"), &Options::default());
    assert!(!report.groups.is_empty(), "{repairs:?}\n{text}");
    match repair::repair_text(&repaired, &options, &room) {
        Ok(again) => assert_eq!((again.text.as_str(), &*again.repairs), (repaired.as_str(), &[][..]), "{text}"),
        Err(error) => panic!("{error}\n{text}\n{repaired}"),
    }
}
