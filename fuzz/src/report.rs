//! For any report, each format is one well-formed document.

use resourcesync::{
    api::{InputOrigin, Options, validate},
    limits::Limits,
    read::{ReadEvent, Reader},
    report::{Format, Lang, Render, Report, render, subtract},
    xml::FaultKind,
};
use serde_json::Value;

/// A report as JSON, or a document to report on.
pub fn report(data: &[u8]) {
    let given = str::from_utf8(data).ok().and_then(|text| Report::from_json(text).ok());
    let mut report = given.unwrap_or_else(|| validate(data, InputOrigin::named("input.xml"), &Options::default()));
    for lang in [Lang::En, Lang::Ja] {
        for color in [false, true] {
            let options = Render { lang, color, ..Render::default() };
            Format::ALL.iter().for_each(|format| sound(*format, &render(&report, *format, &options)));
        }
    }
    let baseline = report.clone();
    if subtract(&mut report, &baseline).is_ok() {
        assert!(report.diagnostics.is_empty());
    }
}

fn sound(format: Format, text: &str) {
    let (kind, subtype) = format.media_type().split_once('/').unwrap_or_default();
    match subtype {
        "x-ndjson" => text.lines().for_each(is_json),
        "xml" => well_formed(text),
        // Cells keep the TAB and CR of documents.
        "csv" => {}
        _ if subtype.ends_with("json") => is_json(text),
        _ => {
            assert_eq!(kind, "text", "no check for {}", format.media_type());
            // Control characters could control a terminal and hide text.
            let control = |c: char| c.is_control() && !matches!(c, '\n' | '\u{1b}');
            assert!(!text.contains(control), "{text:?}");
        }
    }
    if format == Format::Github {
        assert!(text.lines().all(|line| line.starts_with("::") || line.is_empty()), "{text}");
    }
}

fn is_json(text: &str) {
    let read: Result<Value, _> = serde_json::from_str(text);
    assert!(read.is_ok(), "{text}");
}

fn well_formed(text: &str) {
    let mut reader = Reader::new(&Limits::default());
    let mut rest = text.as_bytes();
    loop {
        while let Some(read) = reader.next() {
            if let ReadEvent::Fault(fault) = read {
                assert!(matches!(fault.kind, FaultKind::Limit(_)), "{fault:?}\n{text}");
                return;
            }
        }
        if reader.is_finished() {
            return;
        }
        if rest.is_empty() {
            reader.finish();
        }
        let taken = reader.push(rest);
        rest = rest.get(taken..).unwrap_or(&[]);
    }
}
