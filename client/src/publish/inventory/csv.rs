//! Inventories as CSV.

use std::{
    cell::Cell,
    io::{self, Read},
};

use resourcesync::{
    api::plain::{Digests, Link},
    value::{Algorithm, Hashes},
};

use crate::cancel::Cancel;

use super::{super::record::Record, AFTER_END, End, length};
use crate::publish::Error;

/// The type of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Column {
    Uri,
    Set,
    Path,
    Length,
    Lastmod,
    Type,
    /// Digests as in the attribute `hash`.
    Hash,
    /// Digests of one algorithm.
    Digest(String),
    /// Targets of links of one relation, separated by spaces.
    Link(String),
}

const EXPECTED: &str = "uri, set, path, length, lastmod, type, hash, an algorithm such as sha-256, or link:RELATION such as link:describedby";

impl Column {
    fn find(name: &str) -> Option<Column> {
        let name = name.trim().trim_start_matches('\u{feff}');
        Some(match name {
            "uri" => Column::Uri,
            "set" => Column::Set,
            "path" => Column::Path,
            "length" => Column::Length,
            "lastmod" => Column::Lastmod,
            "type" => Column::Type,
            "hash" => Column::Hash,
            _ => match name.strip_prefix("link:") {
                Some(relation) if !relation.is_empty() => Column::Link(relation.to_owned()),
                _ if Algorithm::KNOWN.iter().any(|known| known.as_str() == name) => Column::Digest(name.to_owned()),
                _ => return None,
            },
        })
    }
}

pub(crate) fn read(
    input: impl Read,
    end: End<'_>,
    cancel: &Cancel,
    take: &mut dyn FnMut(u64, Result<Record, String>) -> Result<(), Error>,
) -> Result<(), Error> {
    let last = Cell::new(b'\n');
    let input = LastByte { input, last: &last };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
    let mut row = csv::StringRecord::new();
    let mut columns: Vec<Column> = Vec::new();
    let mut is_marked = false;
    loop {
        if cancel.is_cancelled() {
            return Err("interrupted".into());
        }
        let line = reader.position().line();
        match reader.read_record(&mut row) {
            Ok(true) => {}
            Ok(false) => {
                let missing = columns.is_empty().then(|| format!("there is no header; expected {EXPECTED}"));
                let problem = missing.or_else(|| end.problem(is_marked, last.get() == b'\n'));
                return problem.map_or(Ok(()), |problem| take(line, Err(problem)));
            }
            Err(error) => return take(line, Err(words(&error))),
        }
        // Blank lines before the row were skipped and are not part of its position.
        let inside: u64 = row.iter().map(|field| field.matches('\n').count() as u64).sum();
        let begun = reader.position().line().saturating_sub(inside.saturating_add(1));
        let line = row.position().map_or(line, csv::Position::line).max(begun);
        if is_marked {
            return take(line, Err(AFTER_END.to_owned()));
        }
        if !columns.is_empty() {
            if end.marker.is_some_and(|marker| marker.split(',').eq(&row)) {
                is_marked = true;
                continue;
            }
            take(line, record(&columns, &row))?;
            continue;
        }
        for name in &row {
            match Column::find(name) {
                Some(column) if columns.contains(&column) => {
                    return take(line, Err(format!("column `{name}` occurs twice")));
                }
                Some(column) => columns.push(column),
                None => return take(line, Err(format!("unknown column `{name}`; expected {EXPECTED}"))),
            }
        }
        if !columns.contains(&Column::Uri) {
            return take(line, Err("column `uri` is missing".to_owned()));
        }
    }
}

/// Passes bytes on, and records the last one.
struct LastByte<'a, R> {
    input: R,
    last: &'a Cell<u8>,
}

impl<R: Read> Read for LastByte<'_, R> {
    fn read(&mut self, window: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(window)?;
        if let Some(last) = window.get(..length).and_then(<[u8]>::last) {
            self.last.set(*last);
        }
        Ok(length)
    }
}

fn record(columns: &[Column], row: &csv::StringRecord) -> Result<Record, String> {
    if row.len() != columns.len() {
        return Err(format!("{} fields, but the header has {}", row.len(), columns.len()));
    }
    let mut record = Record::default();
    let mut digests = Vec::new();
    for (column, text) in columns.iter().zip(row).filter(|(_, text)| !text.is_empty()) {
        let own = || text.to_owned();
        match column {
            Column::Uri => record.uri = own(),
            Column::Set => record.set = own(),
            Column::Path => record.file = Some(text.into()),
            Column::Length => record.length = Some(length(text)?),
            Column::Lastmod => record.lastmod = Some(own()),
            Column::Type => record.media_type = Some(own()),
            Column::Hash => {
                let pairs =
                    Hashes::items(text).map(|item| (item.algorithm_text.to_owned(), item.digest_text.to_owned()));
                digests.extend(pairs);
            }
            Column::Digest(name) => digests.push((name.clone(), own())),
            Column::Link(relation) => record.links.extend(text.split_ascii_whitespace().map(|href| Link {
                rel: Some(relation.clone()),
                href: Some(href.to_owned()),
                ..Link::default()
            })),
        }
    }
    record.hashes = digests.into_iter().collect::<Digests>();
    Ok(record)
}

fn words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "the line is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Record>, String> {
        let mut records = Vec::new();
        let outcome =
            read(text.as_bytes(), End { marker: None, is_pipe: false }, &Cancel::default(), &mut |line, record| {
                match record {
                    Ok(record) => {
                        records.push(Record { line, ..record });
                        Ok(())
                    }
                    Err(error) => Err(format!("{line}: {error}").into()),
                }
            });
        outcome.map(|()| records).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_may_stand_in_any_order_and_fields_be_empty() {
        let text = "length,uri,md5,link:collection\n5,http://example.com/a,aa,http://example.com/1 http://example.com/2\n\n,\"http://example.com/b,c\",,\n";
        let records = all(text).unwrap_or_default();
        assert_eq!(records.len(), 2);
        assert_eq!(
            records.first().map(|record| (record.length, record.links.len(), record.line)),
            Some((Some(5), 2, 2))
        );
        assert_eq!(
            records.get(1).map(|record| (record.uri.as_str(), record.line)),
            Some(("http://example.com/b,c", 4))
        );
    }

    #[test]
    fn complaints_name_the_line() {
        let said = |text| all(text).err().unwrap_or_default();
        assert!(said("uri,lenght\n").starts_with("1: unknown column `lenght`"));
        assert!(said("").starts_with("1: there is no header"));
        assert!(said("length\n").starts_with("1: column `uri` is missing"));
        assert!(said("uri,uri\n").starts_with("1: column `uri` occurs twice"));
        assert!(said("uri,length\na,1\nb\n").starts_with("3: 1 fields"));
        assert!(said("uri,length\na,1\nb,-1\n").starts_with("3: length `-1`"));
    }
}
