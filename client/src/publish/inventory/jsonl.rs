//! Inventories as JSON Lines.

use std::io::{BufRead, Read};

use crate::{cancel::Cancel, system::reason};
use resourcesync::{
    api::plain::{Digests, Link},
    publish::Record,
};
use serde::Deserialize;

use super::line::{AFTER_END, End, Fault, MAX_LINE, Row};
use crate::publish::Error;

/// Why an inventory without lines is rejected: the program that wrote it may have failed.
const EMPTY: &str = "the input is empty; an inventory without resources ends with an end marker (--end-marker)";

/// The fields of a line: those of records, except internal ones.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    uri: String,
    #[serde(default)]
    set: String,
    path: Option<String>,
    length: Option<u64>,
    lastmod: Option<String>,
    #[serde(rename = "type")]
    media_type: Option<String>,
    #[serde(default)]
    hashes: Digests,
    #[serde(default)]
    links: Vec<Link>,
    change: Option<String>,
    datetime: Option<String>,
}

pub(crate) fn read(
    mut input: impl BufRead,
    end: End<'_>,
    cancel: &Cancel,
    take: &mut dyn FnMut(u64, Result<Row, Fault>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut line = Vec::new();
    let (mut is_empty, mut is_marked, mut has_line_break) = (true, false, true);
    for number in 1.. {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        line.clear();
        let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        let read = read.map_err(|error| format!("the inventory could not be read: {}", reason(&error)))?;
        if read == 0 {
            let problem = end.problem(is_marked, has_line_break);
            let is_missing = is_empty && !is_marked && !end.is_events;
            let problem = problem.or_else(|| is_missing.then(|| EMPTY.to_owned()));
            return problem.map_or(Ok(()), |problem| take(number, Err(problem.into())));
        }
        has_line_break = line.ends_with(b"\n");
        let text = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
        if text.trim_ascii().is_empty() {
            continue;
        }
        if is_marked {
            return take(number, Err(AFTER_END.to_owned().into()));
        }
        is_empty = false;
        if end.marker.is_some_and(|marker| text.trim_ascii() == marker.as_bytes()) {
            is_marked = true;
            continue;
        }
        let parsed = if read as u64 == MAX_LINE && !line.ends_with(b"\n") {
            Err(format!("the line is longer than {MAX_LINE} bytes").into())
        } else if std::str::from_utf8(text).is_err() {
            Err(Fault::NotUtf8)
        } else {
            parse(text)
        };
        take(number, parsed)?;
    }
    Ok(())
}

fn parse(line: &[u8]) -> Result<Row, Fault> {
    let line: Line = serde_json::from_slice(line).map_err(|error| {
        // The line number is added by the caller; the parser counts from the start of the line.
        let text = error.to_string();
        let bare = text.rfind(" at line ").and_then(|end| text.get(..end)).unwrap_or(&text);
        Fault::Words(format!("column {}: {bare}", error.column()))
    })?;
    let Line { uri, set, path, length, lastmod, media_type, hashes, links, change, datetime } = line;
    let record = Record { uri, set, file: path, length, lastmod, media_type, hashes, links, ..Record::default() };
    Ok(Row { record, change, datetime })
}
