//! A report does not depend on how the input is split; writing a document round-trips; a report can be parsed.

use resourcesync::{
    api::{InputOrigin, Options, Run, Validation, validate},
    limits::Limits,
    model::{Document, Inside},
    read,
    report::Report,
    write,
};

/// The first byte chooses the windows, the rest is the document.
pub fn document(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    let options = Options::default();
    let report = validate(bytes, InputOrigin::named("input.xml"), &options);
    let json = report.to_json();
    assert_eq!(Report::from_json(&json).as_ref(), Ok(&report));
    if !resourcesync::api::is_package(bytes) {
        let mut validation = Validation::new(&options, InputOrigin::named("input.xml"));
        bytes.chunks(usize::from(*cut) + 1).for_each(|window| validation.push(window));
        let mut run = Run::new(&options);
        run.add(validation.finish());
        assert_eq!(run.finish().to_json(), json);
    }
    again(bytes);
}

fn again(bytes: &[u8]) {
    let limits = Limits::default();
    let Ok(first) = read::document(bytes, &limits, &mut ()) else { return };
    let Ok(text) = write::document(&first) else { return };
    // Namespaces declared again on each element can push a tag over a limit.
    let mut room = limits;
    (room.tag_bytes, room.attributes) = (u32::MAX, u32::MAX);
    match read::document(text.as_bytes(), &room, &mut ()) {
        Ok(again) => assert_eq!(settled(first), settled(again), "{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Content inside `loc` and similar elements is written before their siblings: the order of parts is not kept.
fn settled(mut document: Document) -> Document {
    for entry in &mut document.entries {
        entry.others.sort_by_key(|other| match other.inside {
            Inside::Text(name) => (0, name),
            Inside::Entry | Inside::Root => (1, ""),
        });
    }
    document
}
