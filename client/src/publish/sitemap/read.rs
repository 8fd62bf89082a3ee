//! Reads sitemaps.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Cursor, Read},
    path::PathBuf,
};

use flate2::read::MultiGzDecoder;
use resourcesync::{
    api::plain,
    model::{AnyField, Entry, Item, Shape},
    publish::Record,
    value::{Capability, Parsed, Uri, Value},
};

use super::{Opened, Sitemap};
use crate::{
    cancel::Cancel,
    publish::{
        Error, inventory,
        resource_list_input::{each_item, whole_uri},
    },
    system::reason,
};

/// Sitemaps of an index.
const MEMBERS: usize = 50_000;

/// Bytes of a line of a plain list.
const LINE: u64 = 64 << 10;

type Take<'a> = &'a mut dyn FnMut(Record) -> Result<(), Error>;

impl Sitemap {
    /// Passes on every resource.
    ///
    /// # Errors
    ///
    /// If something cannot be read, or is neither a sitemap, an index of sitemaps nor a list of URIs.
    pub fn read(&self, cancel: &Cancel, take: Take<'_>) -> Result<(), Error> {
        let mut members = VecDeque::new();
        self.document(&self.start, true, &mut members, cancel, take)?;
        while let Some(member) = members.pop_front() {
            let mut nested = VecDeque::new();
            self.document(&member, false, &mut nested, cancel, take)?;
            if !nested.is_empty() {
                return Err(format!("{member} is an index in an index, which sitemaps do not allow").into());
            }
        }
        Ok(())
    }

    fn document(
        &self,
        name: &str,
        is_start: bool,
        members: &mut VecDeque<String>,
        cancel: &Cancel,
        take: Take<'_>,
    ) -> Result<(), Error> {
        let shown = if name == "-" { "standard input" } else { name };
        let unread = |error: &std::io::Error| Error::new(format!("{shown} could not be read: {}", reason(error)));
        let Opened { input, is_pipe } = self.open(name, is_start)?;
        let mut input = BufReader::new(input);
        let is_packed = input.fill_buf().map_err(|error| unread(&error))?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn Read> = if is_packed { Box::new(MultiGzDecoder::new(input)) } else { Box::new(input) };
        let (start, input) = start_of(input).map_err(|error| unread(&error))?;
        let input: Box<dyn BufRead> = Box::new(BufReader::new(Cursor::new(start.clone()).chain(input)));
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
        match text.first() {
            None => Err(format!("{shown} is empty; a list of no resources would delete what is published").into()),
            Some(b'<' | 0 | 0xfe | 0xff) => self.xml(shown, input, members, cancel, take),
            Some(_) => self.list(shown, (input, is_pipe), cancel, take),
        }
    }

    fn xml(
        &self,
        shown: &str,
        input: Box<dyn BufRead>,
        members: &mut VecDeque<String>,
        cancel: &Cancel,
        take: Take<'_>,
    ) -> Result<(), Error> {
        let mut shape = None;
        each_item(shown, input, cancel, &mut |item| {
            match item? {
                Item::Root(root) => {
                    shape = root.shape;
                    if shape.is_none() {
                        return Err(format!("{shown} is not a sitemap: its root element is `{}`", root.local).into());
                    }
                }
                Item::Md(md) => {
                    let capability = md.attributes.capability().and_then(|field| field.value());
                    if capability.is_some_and(|capability| *capability != Capability::ResourceList) {
                        return Err(
                            format!("{shown} is a document of ResourceSync that does not list resources").into()
                        );
                    }
                }
                Item::Entry(entry) => {
                    let number = entry.number;
                    let wrong = |why: &str| Error::new(format!("{shown}: entry {number}: {why}"));
                    let uri = whole_uri(entry).map(ToString::to_string);
                    let uri = uri.ok_or_else(|| wrong("its `loc` is not a URI of at most 65,536 bytes"))?;
                    match shape {
                        Some(Shape::SitemapIndex) if members.len() >= MEMBERS => {
                            return Err(wrong("an index lists 50,000 sitemaps at most"));
                        }
                        Some(Shape::SitemapIndex) => members.push_back(uri),
                        _ => take(self.record(uri, entry).map_err(|why| wrong(&why))?)?,
                    }
                }
                _ => {}
            }
            Ok(true)
        })
    }

    /// A plain list: a URI in each line. That of a pipe has to end with a line break: it may have been cut, and what is missing would be deleted.
    fn list(
        &self,
        shown: &str,
        (mut input, is_pipe): (Box<dyn BufRead>, bool),
        cancel: &Cancel,
        take: Take<'_>,
    ) -> Result<(), Error> {
        for number in 1_u64.. {
            let mut line = Vec::new();
            let read = Read::by_ref(&mut input).take(LINE).read_until(b'\n', &mut line);
            let read = read.map_err(|error| format!("{shown} could not be read: {}", reason(&error)))?;
            if read == 0 {
                break;
            }
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if read as u64 == LINE && line.last() != Some(&b'\n') {
                return Err(format!("{shown}:{number}: the line is not a URI of at most 65,536 bytes").into());
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() {
                continue;
            }
            if is_pipe && line.last() != Some(&b'\n') {
                return Err(format!("{shown}:{number}: the last line has no line break: the input was cut off").into());
            }
            let uri = match Uri::read(text) {
                Parsed::Exact(uri) | Parsed::Lenient(uri) => uri.to_string(),
                Parsed::Malformed => return Err(format!("{shown}:{number}: `{text}` is not an absolute URI").into()),
            };
            take(self.located(Record { uri, ..Record::default() })?)?;
        }
        Ok(())
    }

    fn record(&self, uri: String, entry: &Entry) -> Result<Record, String> {
        let zone = self.zone.as_ref().map(inventory::Zone::as_str);
        // Elements of other namespaces, such as images, are not part of a Resource List.
        let record = Record { uri, elements: Vec::new(), ..Record::from(plain::Entry::from(entry)) };
        // As it is written: reading takes a time without a zone for UTC.
        let lastmod = entry.lastmod.first().map(|child| child.field.text().trim().to_owned());
        let lastmod = lastmod.map(|text| inventory::datetime("lastmod", text, zone)).transpose()?;
        self.located(Record { lastmod, ..record }).map_err(|error| error.to_string())
    }

    /// The resource with its file, if that is in one of the folders.
    fn located(&self, record: Record) -> Result<Record, Error> {
        if !self.with_files {
            return Ok(record);
        }
        let text = |path: PathBuf| {
            path.into_os_string().into_string().map_err(|name| {
                let (uri, name) = (&record.uri, name.display());
                Error::new(format!("{uri}: {name} has a name that is not UTF-8; publish its folder, or rename it"))
            })
        };
        let file = self.file(&record.uri)?.map(text).transpose()?;
        Ok(Record { file, ..record })
    }
}

/// The start of an input up to the first byte that is no white space, and the rest of it.
fn start_of(mut input: Box<dyn Read>) -> std::io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut start = vec![0; 4 << 10];
    let mut length = 0;
    while let Some(rest) = start.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match input.read(rest)? {
            0 => break,
            read => length = length.saturating_add(read),
        }
    }
    start.truncate(length);
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).trim_ascii_start().to_vec();
    Ok((text, input))
}
