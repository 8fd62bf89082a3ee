//! Reads resources from Resource Lists and inventories.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{BufRead, BufReader, Read},
    path::Path,
};

use crate::{cancel::Cancel, system::reason};
use flate2::read::MultiGzDecoder;
use resourcesync::{
    api::plain,
    limits::Limits,
    model::{AnyField as _, Attributes, Entry, Item, Kind},
    publish::Record,
    read::{ReadEvent, Reader},
    value::{Datetime, Uri},
};

use super::{
    Error, Warning,
    inventory::{Form, Inventory},
};

const WINDOW: usize = 64 << 10;

/// The metadata of a Resource List.
#[derive(Debug, Clone, Default)]
pub struct ListHead {
    /// The start of the snapshot; the earliest of several.
    pub at: Option<Datetime>,
    /// The start of its interval; the last of several.
    pub from: Option<Datetime>,
    /// Entries of which a digest, a length or a time cannot be read, and the line of the first.
    malformed: (u64, u32),
}

impl ListHead {
    /// The warning that entries of a list are compared by a part of what they state.
    #[must_use]
    pub fn warning(&self, path: &Path) -> Option<Warning> {
        let (entries, line) = self.malformed;
        (entries > 0).then(|| Warning::Malformed { list: path.display().to_string(), entries, line })
    }

    fn look(&mut self, entry: &Entry) {
        let md = entry.first_md().map(|md| &md.attributes);
        let is_malformed = entry.lastmod.first().is_some_and(|child| child.field.malformed().is_some())
            || md.and_then(Attributes::hash).is_some_and(|field| field.malformed().is_some())
            || md.and_then(Attributes::length).is_some_and(|field| field.malformed().is_some());
        if is_malformed {
            let (entries, line) = self.malformed;
            let line = if entries == 0 { entry.span.start.line } else { line };
            self.malformed = (entries.saturating_add(1), line);
        }
    }
}

type Take<'a> = &'a mut dyn FnMut(Record) -> Result<(), Error>;

/// The format of standard input, by its first byte that is not white space.
fn form_of_input() -> Result<Option<Form>, Error> {
    let mut input = std::io::stdin().lock();
    let start = input.fill_buf().map_err(|error| format!("standard input could not be read: {}", reason(&error)))?;
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    Ok(match start.trim_ascii_start() {
        [b'<' | 0x1f, ..] => None,
        [b'{', ..] => Some(Form::Jsonl),
        _ => Some(Form::Csv),
    })
}

/// Passes on every resource of an inventory, a Resource List, or a folder of Resource Lists; `-` is standard input.
pub fn read(path: &Path, cancel: &Cancel, take: Take<'_>) -> Result<ListHead, Error> {
    let shown = path.display();
    let ends = |ending: &str| path.to_string_lossy().to_ascii_lowercase().ends_with(ending);
    // The files of the resources are not read.
    let inventory = |form| Inventory { allow_outside: true, ..Inventory::new(form, path.to_owned()) };
    let mut listed = ListHead::default();
    if path.as_os_str() == "-" {
        match form_of_input()? {
            Some(form) => {
                inventory(form).read(cancel, take)?;
            }
            None => {
                entries(path, (Kind::ResourceList, false), &mut listed, cancel, &mut |entry| take(Record::from(entry)))?
            }
        }
    } else if ends(".csv") {
        inventory(Form::Csv).read(cancel, take)?;
    } else if ends(".jsonl") || ends(".ndjson") {
        inventory(Form::Jsonl).read(cancel, take)?;
    } else if path.is_dir() {
        let found = fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let found = found.map_err(|error| format!("{shown} could not be read: {}", reason(&error)))?;
        let mut files: Vec<_> = found.iter().map(fs::DirEntry::path).filter(|path| !path.is_dir()).collect();
        files.sort();
        let before = files.len();
        let mut documents = Vec::new();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let lower = name.to_ascii_lowercase();
            // One that cannot be read is an error: its resources would count as deleted.
            if lower.ends_with(".xml") || lower.ends_with(".xml.gz") {
                let members = members(&file, cancel)?;
                documents.push((file, name, members));
            }
        }
        let indexed: BTreeSet<String> =
            documents.iter().filter_map(|(.., members)| members.as_ref()).flatten().cloned().collect();
        for (file, name, members) in documents {
            if members.is_none() && !indexed.is_empty() && !indexed.contains(&name) {
                no_list(&file, cancel)?;
                continue;
            }
            let name = name.to_ascii_lowercase();
            // One that is damaged is not left out.
            let in_folder = !name.starts_with("resourcelist") || members.is_some();
            entries(&file, (Kind::ResourceList, in_folder), &mut listed, cancel, &mut |entry| {
                take(Record::from(entry))
            })?;
            if let Some(member) = members.into_iter().flatten().find(|member| !path.join(member).is_file()) {
                return Err(format!("{} lists {member}, which is not in the folder", file.display()).into());
            }
        }
        if listed.at.is_none() {
            return Err(format!(
                "{shown} has no Resource List among its {before} files; folders below it are not searched"
            )
            .into());
        }
    } else {
        entries(path, (Kind::ResourceList, false), &mut listed, cancel, &mut |entry| take(Record::from(entry)))?;
    }
    Ok(listed)
}

/// Rejects a Resource List that no index of its folder names: it may be of an earlier snapshot.
fn no_list(path: &Path, cancel: &Cancel) -> Result<(), Error> {
    let (mut head, mut is_list) = (ListHead::default(), false);
    entries(path, (Kind::ResourceList, true), &mut head, cancel, &mut |_| {
        is_list = true;
        Ok(())
    })?;
    match is_list || head.at.is_some() {
        true => {
            Err(format!("{} is a list that the index of its folder does not name; move it away", path.display()).into())
        }
        false => Ok(()),
    }
}

/// The names of the documents that an index of Resource Lists lists; `None` if a document is something else.
pub(super) fn members(path: &Path, cancel: &Cancel) -> Result<Option<Vec<String>>, Error> {
    let (mut head, mut names) = (ListHead::default(), Vec::new());
    entries(path, (Kind::ResourceListIndex, true), &mut head, cancel, &mut |entry| {
        names.push(entry.uri.rsplit('/').next().unwrap_or_default().to_owned());
        Ok(())
    })?;
    Ok((head.at.is_some() || !names.is_empty()).then_some(names))
}

/// Reads every entry of a document of a kind; in a folder other documents are skipped.
pub(super) fn entries(
    path: &Path,
    (expected, in_folder): (Kind, bool),
    listed: &mut ListHead,
    cancel: &Cancel,
    take: &mut dyn FnMut(plain::Entry) -> Result<(), Error>,
) -> Result<(), Error> {
    let shown = if path.as_os_str() == "-" { "standard input".into() } else { path.to_string_lossy() };
    let unread = |error: &std::io::Error| Error::new(format!("{shown} could not be read: {}", reason(error)));
    let mut file: Box<dyn BufRead> = match path.as_os_str() == "-" {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(BufReader::with_capacity(WINDOW, File::open(path).map_err(|error| unread(&error))?)),
    };
    let is_packed = file.fill_buf().map_err(|error| unread(&error))?.starts_with(&[0x1f, 0x8b]);
    let file: Box<dyn Read> = if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let (mut kind, mut root) = (None, None);
    let mut is_foreign = false;
    each_item(&shown, file, cancel, &mut |read| {
        let item = match read {
            Ok(item) => item,
            // What is cut before its kind is known may be a list, unless it has another root.
            Err(_) if in_folder && is_foreign && kind.is_none() => return Ok(false),
            Err(fault) if in_folder && kind.is_none() => {
                return Err(format!("{fault}\nhelp: it may be a list that was cut: restore it, or move it away").into());
            }
            Err(fault) => return Err(fault),
        };
        match item {
            Item::Root(own) => (root, is_foreign) = (own.shape, own.shape.is_none()),
            Item::Md(md) if kind.is_none() => {
                let capability = md.attributes.capability().and_then(|field| field.value());
                kind = root.zip(capability).map(|(shape, capability)| Kind::from_parts(shape, capability));
                match kind {
                    Some(kind) if kind == expected => {}
                    _ if in_folder => return Ok(false),
                    _ => return Err(format!("{shown} is not a {}", expected.title()).into()),
                }
                listed.from = md.attributes.from().and_then(|field| field.value()).cloned();
                let at = md.attributes.at().and_then(|field| field.value()).cloned();
                let earlier = |one: Datetime, other: Datetime| if one.start() <= other.start() { one } else { other };
                listed.at = match (listed.at.take(), at) {
                    (Some(one), Some(other)) => Some(earlier(one, other)),
                    (one, other) => one.or(other),
                };
            }
            Item::Entry(_) if kind.is_none() && in_folder => return Ok(false),
            Item::Entry(_) if kind.is_none() => {
                return Err(format!("{shown} has no root `rs:md` before its entries").into());
            }
            Item::Entry(entry) => {
                if whole_uri(entry).is_none() {
                    return Err(format!("{shown}: entry {} has no usable URI", entry.number).into());
                }
                listed.look(entry);
                take(plain::Entry::from(entry))?;
            }
            _ => {}
        }
        Ok(true)
    })?;
    // A page that says that the server is busy lists nothing either.
    if kind.is_none() && !in_folder {
        return Err(format!("{shown} is not a {}: it has no root `rs:md`", expected.title()).into());
    }
    Ok(())
}

/// The URI of an entry, unless it is longer than readers keep: then its beginning is another one.
pub(super) fn whole_uri(entry: &Entry) -> Option<&Uri> {
    entry.loc.first().filter(|loc| !loc.cut).and_then(|loc| loc.field.value())
}

/// Receives an item, or why there is none; false ends reading.
type TakeItem<'a> = &'a mut dyn FnMut(Result<Item<'_>, Error>) -> Result<bool, Error>;

/// Passes on every item of a document, or why it is not well-formed, until that returns false.
pub(super) fn each_item(shown: &str, mut file: impl Read, cancel: &Cancel, take: TakeItem<'_>) -> Result<(), Error> {
    let mut reader = Reader::keeping(&Limits::default());
    let mut window = vec![0; WINDOW];
    loop {
        while let Some(read) = reader.next() {
            let item = match read {
                ReadEvent::Item(item) => Ok(item),
                ReadEvent::Encoding(..) => continue,
                ReadEvent::Fault(fault) => {
                    let line = fault.span.start.line;
                    Err(format!("{shown}:{line}: not well-formed; see `resourcesync validate`").into())
                }
            };
            if !take(item)? {
                return Ok(());
            }
        }
        if reader.is_finished() {
            return Ok(());
        }
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let length =
            file.read(&mut window).map_err(|error| format!("{shown} could not be read: {}", reason(&error)))?;
        if length == 0 {
            reader.finish();
        }
        let mut rest = window.get(..length).unwrap_or(&[]);
        while !rest.is_empty() {
            let taken = reader.push(rest);
            rest = rest.get(taken..).unwrap_or(&[]);
            if taken == 0 {
                break;
            }
        }
    }
}
