//! Inventories: what a database knows of resources, as CSV or lines of JSON.

mod csv;
mod jsonl;

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use crate::{cancel::Cancel, system::reason};
use resourcesync::value::{Datetime, Hashes, Length, MediaType, Parsed, Uri, Value};

use super::record::Record;
use crate::publish::Error;

/// How an inventory is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A line of names, then a line for each resource.
    Csv,
    /// An object a line.
    Jsonl,
}

/// Where an inventory is.
#[derive(Debug, Clone)]
pub struct Inventory {
    /// How it is written.
    pub form: Form,
    /// `-` is standard input.
    pub file: PathBuf,
}

impl Inventory {
    fn name(&self) -> String {
        if self.file.as_os_str() == "-" { "standard input".to_owned() } else { self.file.display().to_string() }
    }

    /// Gives every record, judged by itself; whatever is wrong names its line.
    pub fn read(&self, cancel: &Cancel, take: &mut dyn FnMut(Record) -> Result<(), Error>) -> Result<(), Error> {
        let name = self.name();
        let input: Box<dyn BufRead> = if self.file.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            let file =
                File::open(&self.file).map_err(|error| format!("{name} could not be read: {}", reason(&error)))?;
            Box::new(BufReader::with_capacity(128 << 10, file))
        };
        let mut checked = |line: u64, record: Result<Record, String>| {
            let complaint = |why: String| Error::new(format!("{name}:{line}: {why}"));
            let record = record.and_then(|record| check(record, &self.file)).map_err(complaint)?;
            take(Record { line, ..record })
        };
        match self.form {
            Form::Csv => csv::read(input, cancel, &mut checked),
            Form::Jsonl => jsonl::read(input, cancel, &mut checked),
        }
    }
}

/// Refuses what could not be published, and says what it should be.
fn check(record: Record, inventory: &Path) -> Result<Record, String> {
    if record.uri.is_empty() {
        return Err("there is no `uri`".to_owned());
    }
    let uri = match Uri::read(&record.uri) {
        Parsed::Exact(uri) => uri,
        Parsed::Lenient(uri) => {
            return Err(format!("`{}` is not a URI; percent-encode it, as in `{uri}`", record.uri));
        }
        Parsed::Malformed => return Err(format!("`{}` is not an absolute URI", record.uri)),
    };
    fn wrong<T: Value>(text: Option<&String>) -> Option<&String> {
        text.filter(|text| !matches!(T::read(text), Parsed::Exact(_)))
    }
    if let Some(lastmod) = wrong::<Datetime>(record.lastmod.as_ref()) {
        return Err(format!("lastmod `{lastmod}` is not a datetime such as 2013-01-03T09:00:00Z"));
    }
    if let Some(media_type) = wrong::<MediaType>(record.media_type.as_ref()) {
        return Err(format!("type `{media_type}` is not a media type such as application/pdf"));
    }
    let hash: Vec<String> = record.hashes.iter().map(|(name, digest)| format!("{name}:{digest}")).collect();
    if let Some(hash) = wrong::<Hashes>(Some(&hash.join(" ")).filter(|_| !hash.is_empty())) {
        return Err(format!("`{hash}` is not a digest in hexadecimal with its algorithm, such as md5:…"));
    }
    let file = record.file.map(|file| {
        // Beside the inventory, as relative names are meant.
        let folder = inventory.parent().filter(|_| inventory.as_os_str() != "-");
        folder.map_or_else(|| file.clone(), |folder| folder.join(&file))
    });
    Ok(Record { uri: uri.to_string(), file, ..record })
}

/// A length as text.
fn length(text: &str) -> Result<u64, String> {
    match Length::read(text) {
        Parsed::Exact(length) => Ok(length.0),
        _ => Err(format!("length `{text}` is not a whole number of bytes")),
    }
}
