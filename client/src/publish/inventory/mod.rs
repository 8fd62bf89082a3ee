//! Inventories: the resources of a database, as CSV or JSON Lines.

mod csv;
mod jsonl;
mod line;

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use crate::{cancel::Cancel, system::reason};
use resourcesync::{
    publish::Record,
    value::{Datetime, DatetimeProblem, Hashes, MediaType, Parsed, Uri, Value},
};

use self::line::{End, Fault};
use crate::publish::Error;

/// The format of an inventory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// CSV: a header line, then a line per resource.
    Csv,
    /// JSON Lines: one object per line.
    Jsonl,
}

/// The location of an inventory.
#[derive(Debug, Clone)]
pub struct Inventory {
    /// Its format.
    pub form: Form,
    /// `-` is standard input.
    pub file: PathBuf,
    /// The last line, which proves that the input is complete.
    pub end_marker: Option<String>,
    /// Accepts files outside the folder of the inventory.
    pub allow_outside: bool,
}

impl Inventory {
    /// An inventory in a file; `-` is standard input.
    #[must_use]
    pub fn new(form: Form, file: PathBuf) -> Inventory {
        Inventory { form, file, end_marker: None, allow_outside: false }
    }

    /// Its name, for messages.
    pub(super) fn name(&self) -> String {
        if self.file.as_os_str() == "-" { "standard input".to_owned() } else { self.file.display().to_string() }
    }

    /// Passes on every record after checking it individually; errors contain the line number.
    pub fn read(&self, cancel: &Cancel, take: &mut dyn FnMut(Record) -> Result<(), Error>) -> Result<(), Error> {
        let name = self.name();
        let mut is_pipe = true;
        let input: Box<dyn BufRead> = if self.file.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            let unread = |error| format!("{name} could not be read: {}", reason(&error));
            let file = File::open(&self.file).map_err(unread)?;
            is_pipe = !file.metadata().map_err(unread)?.is_file();
            Box::new(BufReader::with_capacity(128 << 10, file))
        };
        let folder = self.folder();
        let root = if self.allow_outside { None } else { fs::canonicalize(&folder).ok() };
        let mut checked = |line: u64, record: Result<Record, Fault>| {
            let checked = record.and_then(|record| {
                let record = check(record, &folder)?;
                match record
                    .file
                    .as_deref()
                    .map(Path::new)
                    .filter(|file| root.as_ref().is_some_and(|root| is_outside(file, root)))
                {
                    Some(file) => Err(outside(file, &folder)),
                    None => Ok(record),
                }
            });
            match checked {
                Ok(record) => take(Record { line, ..record }),
                Err(Fault::Words(why)) => Err(Error::new(format!("{name}:{line}: {why}"))),
                Err(Fault::NotUtf8) => Err(Error::NotUtf8 { inventory: name.clone(), line }),
            }
        };
        let end = End { marker: self.end_marker.as_deref(), is_pipe };
        match self.form {
            Form::Csv => csv::read(input, end, cancel, &mut checked),
            Form::Jsonl => jsonl::read(input, end, cancel, &mut checked),
        }
    }

    /// The folder that relative paths start from.
    fn folder(&self) -> PathBuf {
        match self.file.parent() {
            Some(folder) if self.file.as_os_str() != "-" && folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }
}

/// True if a file is outside a folder, by its path or by a symbolic link. One that does not exist is reported when it is read.
fn is_outside(file: &Path, root: &Path) -> bool {
    fs::canonicalize(file).is_ok_and(|real| !real.starts_with(root))
}

fn outside(file: &Path, folder: &Path) -> Fault {
    Fault::Words(format!(
        "{} is outside {}, the folder of the inventory\nhelp: allow such files with --allow-outside",
        file.display(),
        folder.display()
    ))
}

/// Rejects values that cannot be published, with the expected form.
fn check(record: Record, folder: &Path) -> Result<Record, String> {
    if record.uri.is_empty() {
        return Err("`uri` is missing".to_owned());
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
    let lastmod = record.lastmod.map(datetime).transpose()?;
    if let Some(media_type) = wrong::<MediaType>(record.media_type.as_ref()) {
        return Err(format!("type `{media_type}` is not a media type such as application/pdf"));
    }
    let hash: Vec<String> = record.hashes.iter().map(|(name, digest)| format!("{name}:{digest}")).collect();
    if let Some(hash) = wrong::<Hashes>(Some(&hash.join(" ")).filter(|_| !hash.is_empty())) {
        return Err(format!("`{hash}` is not a digest in hexadecimal with its algorithm, such as md5:…"));
    }
    // Relative names are relative to the inventory.
    let file = record.file.map(|file| place(file, folder)).transpose()?;
    Ok(Record { uri: uri.to_string(), file, lastmod, ..record })
}

/// The path of a file from the folder of the inventory.
fn place(file: String, folder: &Path) -> Result<String, String> {
    if folder == Path::new(".") {
        return Ok(file);
    }
    let path = folder.join(file).into_os_string().into_string();
    path.map_err(|path| format!("{} is not UTF-8", Path::new(&path).display()))
}

/// A datetime, also as databases write it: with a space before the time, and an offset of hours only.
fn datetime(text: String) -> Result<String, String> {
    if matches!(Datetime::read(&text), Parsed::Exact(_)) {
        return Ok(text);
    }
    let mut written = text.clone();
    if written.as_bytes().get(10) == Some(&b' ') {
        written.replace_range(10..11, "T");
    }
    let hours = written.len().checked_sub(3).and_then(|at| written.get(at..));
    if hours.is_some_and(|offset| offset.starts_with(['+', '-']) && written.contains('T')) {
        written.push_str(":00");
    }
    match written.parse::<Datetime>() {
        Ok(_) => Ok(written),
        Err(error) if error.problem() == DatetimeProblem::NoZone => {
            Err(format!("lastmod `{text}` has no time zone; expected for example 2013-01-03 09:00:00+00"))
        }
        Err(_) => Err(format!("lastmod `{text}` is not a datetime such as 2013-01-03T09:00:00Z")),
    }
}
