//! All events of a reader and findings of a Checker for a document, as comparable lines.

use resourcesync::{
    diagnostic::Finding,
    limits::Limits,
    model::Item,
    read::{ReadEvent, Reader},
    rules::{Checker, DocumentContext},
};

/// The lines for `bytes`, pushed in windows of `window` bytes.
pub fn told(mut reader: Reader, bytes: &[u8], window: usize, limits: &Limits) -> Vec<String> {
    let mut checker = Checker::new(DocumentContext { limits: limits.clone(), ..DocumentContext::default() });
    let mut lines = Vec::new();
    for window in bytes.chunks(window.max(1)) {
        let mut rest = window;
        while !rest.is_empty() {
            let taken = reader.push(rest);
            rest = &rest[taken..];
            drain(&mut reader, &mut checker, &mut lines);
        }
    }
    reader.finish();
    drain(&mut reader, &mut checker, &mut lines);
    lines
}

fn drain(reader: &mut Reader, checker: &mut Checker, lines: &mut Vec<String>) {
    while let Some(read) = reader.next() {
        lines.push(format!("{read:?}"));
        if let ReadEvent::Item(item) = read {
            check(checker, item, lines);
        }
    }
}

fn check(checker: &mut Checker, item: Item<'_>, lines: &mut Vec<String>) {
    let mut found: Vec<Finding> = Vec::new();
    checker.take(item, &mut found);
    lines.extend(found.iter().map(|finding| format!("{finding:?}")));
}
