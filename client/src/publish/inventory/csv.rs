//! Inventories as CSV.

use std::{
    cell::RefCell,
    io::{self, Read},
};

use resourcesync::{
    api::plain::{Digests, Link},
    publish::Record,
    value::{Algorithm, Hashes},
};

use crate::cancel::Cancel;

use super::{
    line::{AFTER_END, End, Fault, MAX_LINE, Row, length},
    table::Table,
};
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
    /// What happened.
    Change,
    /// When it happened.
    Datetime,
    /// It is not read.
    Ignored,
}

const EXPECTED: &str = "uri, set, path, length, lastmod, type, hash, an algorithm such as sha-256, or link:RELATION such as link:describedby";

impl Column {
    fn find(name: &str, is_events: bool) -> Option<Column> {
        Some(match name {
            "uri" => Column::Uri,
            "set" => Column::Set,
            "path" => Column::Path,
            "length" => Column::Length,
            "lastmod" => Column::Lastmod,
            "type" => Column::Type,
            "hash" => Column::Hash,
            "change" if is_events => Column::Change,
            "datetime" if is_events => Column::Datetime,
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
    (end, table, has_folder): (End<'_>, &Table, bool),
    cancel: &Cancel,
    take: &mut dyn FnMut(u64, Result<Row, Fault>) -> Result<(), Error>,
) -> Result<(), Error> {
    let shape = RefCell::new(Shape::default());
    let input = Checked { input, shape: &shape, is_return: false };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
    let mut row = csv::StringRecord::new();
    let mut columns: Vec<Column> = Vec::new();
    let mut is_marked = false;
    loop {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let line = reader.position().line();
        match reader.read_record(&mut row) {
            Ok(true) => {}
            Ok(false) => {
                let missing = columns.is_empty().then(|| format!("there is no header; expected {EXPECTED}"));
                let problem = missing.or_else(|| end.problem(is_marked, shape.borrow().place == Place::Row));
                return problem.map_or(Ok(()), |problem| take(line, Err(problem.into())));
            }
            Err(error) => {
                if let Some((line, why)) = shape.take().problem {
                    return take(line, Err(why.into()));
                }
                return take(line.max(reader.position().line().saturating_sub(1)), Err(fault(&error)));
            }
        }
        // Blank lines before the row were skipped and are not part of its position.
        let inside: u64 = row.iter().map(|field| field.matches('\n').count() as u64).sum();
        let begun = reader.position().line().saturating_sub(inside.saturating_add(1));
        let line = row.position().map_or(line, csv::Position::line).max(begun);
        if is_marked {
            return take(line, Err(AFTER_END.to_owned().into()));
        }
        if !columns.is_empty() {
            if end.marker.is_some_and(|marker| marker.split(',').eq(&row)) {
                is_marked = true;
                continue;
            }
            take(line, read_row(&columns, &row).map_err(Fault::from))?;
            continue;
        }
        let names = || row.iter().map(|name| name.trim().trim_start_matches('\u{feff}'));
        if names().next().is_some_and(|name| name.starts_with('<')) {
            return take(line, Err("it is HTML or XML, not CSV with a header line".to_owned().into()));
        }
        if let Some(why) = table.missing(names()) {
            return take(line, Err(why.into()));
        }
        for name in names() {
            let Some(own) = table.name(name) else {
                columns.push(Column::Ignored);
                continue;
            };
            match Column::find(own, end.is_events) {
                None if table.ignores_unknown() => columns.push(Column::Ignored),
                Some(column) if columns.contains(&column) => {
                    return take(line, Err(format!("column `{name}` occurs twice").into()));
                }
                Some(column) => columns.push(column),
                None => {
                    let events = if end.is_events { "change, datetime, " } else { "" };
                    let help = format!("--column uri={name} names a column, --ignore-columns leaves columns out");
                    let why = format!("unknown column `{name}`; expected {events}{EXPECTED}\nhelp: {help}");
                    return take(line, Err(why.into()));
                }
            }
        }
        let is_identified = columns.contains(&Column::Uri) || has_folder && columns.contains(&Column::Path);
        if !is_identified {
            let names = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let why = format!("column `uri` is missing; the header has {names}\nhelp: --column uri=NAME names it");
            return take(line, Err(why.into()));
        }
        if end.is_events && !columns.contains(&Column::Change) {
            return take(line, Err("column `change` is missing".to_owned().into()));
        }
    }
}

/// Passes bytes on with every line break as `\n`, since others are not counted right. Ends with an error where the rows would no longer be those
/// that were written.
struct Checked<'a, R> {
    input: R,
    shape: &'a RefCell<Shape>,
    /// The last byte read was `\r`.
    is_return: bool,
}

impl<R: Read> Read for Checked<'_, R> {
    fn read(&mut self, window: &mut [u8]) -> io::Result<usize> {
        let mut shape = self.shape.borrow_mut();
        loop {
            let length = if shape.problem.is_none() { self.input.read(window)? } else { 0 };
            let mut kept = 0;
            for place in 0..length {
                let byte = window.get(place).copied().unwrap_or_default();
                let is_end_of_pair = self.is_return && byte == b'\n';
                self.is_return = byte == b'\r';
                if is_end_of_pair {
                    continue;
                }
                let byte = if byte == b'\r' { b'\n' } else { byte };
                shape.push(byte);
                if shape.problem.is_some() {
                    break;
                }
                window.get_mut(kept).into_iter().for_each(|own| *own = byte);
                kept = kept.saturating_add(1);
            }
            // Nothing at all would be the end of the input.
            if kept > 0 {
                return Ok(kept);
            }
            if length == 0 {
                shape.end();
                return if shape.problem.is_none() { Ok(0) } else { Err(io::ErrorKind::InvalidData.into()) };
            }
        }
    }
}

/// Where in a row the next byte is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// At its start.
    #[default]
    Row,
    /// At the start of another field.
    Field,
    /// In a field without quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// After a quote, which ends the field or is the first half of one in it.
    Quote,
}

/// Follows the quotes, of which the reader of rows takes any for right: rows after one that is not closed would be part of its field.
#[derive(Debug)]
struct Shape {
    place: Place,
    /// The lines of the byte, and of the last opening quote.
    line: u64,
    opened: u64,
    /// Bytes of the row.
    bytes: u64,
    /// The line, and what is wrong.
    problem: Option<(u64, String)>,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { place: Place::Row, line: 1, opened: 1, bytes: 0, problem: None }
    }
}

impl Shape {
    fn push(&mut self, byte: u8) {
        self.bytes = self.bytes.saturating_add(1);
        if self.bytes > MAX_LINE {
            let line = if self.place == Place::Quoted { self.opened } else { self.line };
            self.problem = Some((line, format!("the row is longer than {MAX_LINE} bytes")));
        }
        // A byte order mark is no text.
        let is_mark = self.line == 1 && self.bytes <= 3 && [0xef, 0xbb, 0xbf].contains(&byte);
        self.place = match (self.place, byte) {
            (Place::Row, _) if is_mark => Place::Row,
            (Place::Quoted, b'"') => Place::Quote,
            (Place::Quote, b'"') | (Place::Quoted, _) => Place::Quoted,
            (_, b'\n') => Place::Row,
            (_, b',') => Place::Field,
            (Place::Row | Place::Field, b'"') => {
                self.opened = self.line;
                Place::Quoted
            }
            (Place::Quote, _) => {
                let why = "text after the closing quote of a field; a quote inside is written twice";
                self.problem = Some((self.opened, why.to_owned()));
                Place::Quote
            }
            _ => Place::Plain,
        };
        if byte == b'\n' {
            self.line = self.line.saturating_add(1);
        }
        if self.place == Place::Row && !is_mark {
            self.bytes = 0;
        }
    }

    fn end(&mut self) {
        if self.place == Place::Quoted && self.problem.is_none() {
            self.problem = Some((self.opened, "the quote that opens a field here is not closed".to_owned()));
        }
    }
}

/// Checks that the rows of a table are those that were written.
///
/// # Errors
///
/// The line, and what is wrong: a quote that is not closed, text after a closing quote, or a row that is too long.
pub fn check_quotes(table: &str) -> Result<(), (u64, String)> {
    let shape = RefCell::new(Shape::default());
    let read = io::copy(&mut Checked { input: table.as_bytes(), shape: &shape, is_return: false }, &mut io::sink());
    read.map(drop).map_err(|_| shape.take().problem.unwrap_or_default())
}

fn read_row(columns: &[Column], row: &csv::StringRecord) -> Result<Row, String> {
    if row.len() != columns.len() {
        return Err(format!("{} fields, but the header has {}", row.len(), columns.len()));
    }
    let (mut record, mut change, mut datetime) = (Record::default(), None, None);
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
            Column::Change => change = Some(own()),
            Column::Datetime => datetime = Some(own()),
            Column::Ignored => {}
            Column::Link(relation) => record.links.extend(text.split_ascii_whitespace().map(|href| Link {
                rel: Some(relation.clone()),
                href: Some(href.to_owned()),
                ..Link::default()
            })),
        }
    }
    let is_other = |(name, digest): &(String, String)| {
        digests.iter().any(|(known, other)| known == name && !other.eq_ignore_ascii_case(digest))
    };
    if let Some((name, _)) = digests.iter().find(|digest| is_other(digest)) {
        return Err(format!("two {name} digests that differ"));
    }
    record.hashes = digests.into_iter().collect::<Digests>();
    Ok(Row { record, change, datetime })
}

fn fault(error: &csv::Error) -> Fault {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => Fault::NotUtf8,
        _ => Fault::Words(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Record>, String> {
        let mut records = Vec::new();
        let outcome = read(
            text.as_bytes(),
            (End { marker: None, is_pipe: false, is_events: false }, &Table::default(), false),
            &Cancel::default(),
            &mut |line, record| match record {
                Ok(Row { record, .. }) => {
                    records.push(Record { line, ..record });
                    Ok(())
                }
                Err(Fault::Words(error)) => Err(format!("{line}: {error}").into()),
                Err(Fault::NotUtf8) => Err(format!("{line}: not UTF-8").into()),
            },
        );
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
    fn lines_are_counted_alike_whatever_ends_them() {
        let text = "uri,length\n\nhttp://example.com/a,1\n\"http://example.com/b\n\",2\nhttp://example.com/c,3\n";
        for line_break in ["\n", "\r\n", "\r"] {
            let records = all(&text.replace('\n', line_break)).unwrap_or_default();
            assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), [3, 4, 6], "{line_break:?}");
            let said = all(&"uri,length\na,1\nb,-1\n".replace('\n', line_break)).err().unwrap_or_default();
            assert!(said.starts_with("3: length"), "{line_break:?}: {said}");
        }
    }

    #[test]
    fn quotes_that_are_not_those_of_a_field_are_named() {
        let said = |text: &str| all(text).err().unwrap_or_default();
        for (text, start) in [
            ("uri,length\na,1\n\"b,2\nc,3\n", "3: the quote that opens"),
            ("uri,length\na,1\n\"b\n,2\nc,\"3\n", "3: text after the closing quote"),
            ("uri,length\na,1\nc,\"3\nd,\"\"4\n", "3: the quote that opens"),
            ("uri,length\n\"a\"b,1\n", "2: text after the closing quote"),
            ("uri,length\na,-1\n\"b", "2: length"),
            ("uri,length\na,1\n\"b\" ,2\n", "3: text after the closing quote"),
        ] {
            assert!(said(text).starts_with(start), "{text:?}: {}", said(text));
        }
        let uris = |text: &str| all(text).unwrap_or_default().into_iter().map(|record| record.uri).collect::<Vec<_>>();
        let text = "\u{feff}\"uri\",length\n\"a\"\"b\nc\",1\nd\"e,2\n\"f\",3\n";
        assert_eq!(uris(text), ["a\"b\nc", "d\"e", "f"]);
        let long = format!("uri,length\na,1\n\"{}\",2\n", "b\n".repeat(1 << 20));
        assert!(said(&long).starts_with("3: the row is longer"), "{}", said(&long));
        let many = format!("uri,length\n{}", "http://example.com/a,1\n".repeat(100_000));
        assert_eq!(uris(&many).len(), 100_000);
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
