//! Inventories: the resources of a database, as CSV or JSON Lines.

mod csv;
mod decoding;
mod jsonl;
mod line;
mod table;

use std::{
    cell::Cell,
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use crate::{cancel::Cancel, system::reason};
use encoding_rs::{Encoding, UTF_8};
use resourcesync::{
    publish::{Event, Record},
    value::{Datetime, DatetimeProblem, Hashes, MediaType, Parsed, Uri, Value},
};

pub use self::{
    csv::check_quotes,
    decoding::decode,
    table::{Ignored, Table, TextEncoding, Zone},
};

use self::{
    decoding::Decoding,
    line::{End, Fault, Row},
};
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
    /// How the columns of CSV are read.
    pub table: Table,
    /// The folder of the files, if it is not that of the inventory; a row with a path then needs no URI.
    pub files: Option<PathBuf>,
}

impl Inventory {
    /// An inventory in a file; `-` is standard input.
    #[must_use]
    pub fn new(form: Form, file: PathBuf) -> Inventory {
        Inventory { form, file, end_marker: None, allow_outside: false, table: Table::default(), files: None }
    }

    /// Its name, for messages.
    pub(super) fn name(&self) -> String {
        if self.file.as_os_str() == "-" { "standard input".to_owned() } else { self.file.display().to_string() }
    }

    /// Passes on every record after checking it individually; errors contain the line number. Returns the encoding if it was recognized
    /// as another than UTF-8.
    pub fn read(
        &self,
        cancel: &Cancel,
        take: &mut dyn FnMut(Record) -> Result<(), Error>,
    ) -> Result<Option<&'static str>, Error> {
        self.each(cancel, false, &mut |row| match row {
            Row { change: None, datetime: None, record } => take(record),
            Row { record, .. } => {
                let why = "`change` and `datetime` are for --changes; an inventory lists what there is";
                Err(Error::new(format!("{}:{}: {why}", self.name(), record.line)))
            }
        })
    }

    /// Passes on every line as an event after checking it individually: JSON Lines if the first byte is `{`, otherwise CSV.
    pub(super) fn read_events(
        &self,
        cancel: &Cancel,
        take: &mut dyn FnMut(Event) -> Result<(), Error>,
    ) -> Result<Option<&'static str>, Error> {
        self.each(cancel, true, &mut |Row { record, change, datetime: text }| {
            let wrong = |why: String| Error::new(format!("{}:{}: {why}", self.name(), record.line));
            let change = change.unwrap_or_default();
            let verb = change
                .parse()
                .map_err(|()| wrong(format!("change `{change}` is not one of created, updated, deleted and upsert")))?;
            let datetime = text.map(|text| datetime("datetime", text, self.zone())).transpose().map_err(wrong)?;
            let datetime = datetime.and_then(|text| text.parse().ok());
            take(Event { verb, datetime, record })
        })
    }

    fn each(
        &self,
        cancel: &Cancel,
        is_events: bool,
        take: &mut dyn FnMut(Row) -> Result<(), Error>,
    ) -> Result<Option<&'static str>, Error> {
        let name = self.name();
        let unread = |error| format!("{name} could not be read: {}", reason(&error));
        let mut is_pipe = true;
        let mut input: Box<dyn BufRead> = if self.file.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            let file = File::open(&self.file).map_err(unread)?;
            let meta = file.metadata().map_err(unread)?;
            if meta.is_dir() {
                return Err(format!("{name} is a folder; name a table, or pass the folder without --from-csv").into());
            }
            is_pipe = !meta.is_file();
            Box::new(BufReader::with_capacity(128 << 10, file))
        };
        let form = if is_events { self.detect(input.fill_buf().map_err(unread)?) } else { self.form };
        let folder = self.folder();
        let root = if self.allow_outside { None } else { fs::canonicalize(folder).ok() };
        let mut checked = |line: u64, row: Result<Row, Fault>| {
            let checked = row.and_then(|row| {
                let record = check(row.record, folder, self)?;
                match record
                    .file
                    .as_deref()
                    .map(Path::new)
                    .filter(|file| root.as_ref().is_some_and(|root| is_outside(file, root)))
                {
                    Some(file) => Err(outside(file, folder)),
                    None => Ok(Row { record: Record { line, ..record }, ..row }),
                }
            });
            match checked {
                Ok(row) => take(row),
                Err(Fault::Words(why)) => Err(Error::new(format!("{name}:{line}: {why}"))),
                Err(Fault::NotUtf8) => Err(Error::NotUtf8 { inventory: name.clone(), line }),
            }
        };
        let end = End { marker: self.end_marker.as_deref(), is_pipe, is_events };
        let used = Cell::new(self.table.encoding.map(|encoding| encoding.0));
        match form {
            Form::Csv => {
                csv::read(Decoding::new(input, &used), (end, &self.table, self.files.is_some()), cancel, &mut checked)?
            }
            Form::Jsonl => jsonl::read(input, end, cancel, &mut checked)?,
        }
        let recognized = used.get().filter(|used| self.table.encoding.is_none() && *used != UTF_8);
        Ok(recognized.map(Encoding::name))
    }

    fn zone(&self) -> Option<&str> {
        self.table.zone.as_ref().map(Zone::as_str)
    }

    /// The format of events that begin with these bytes. Without any there may be only the end marker.
    fn detect(&self, start: &[u8]) -> Form {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
        let is_marker = self.end_marker.as_deref().is_some_and(|marker| start.starts_with(marker.as_bytes()));
        let is_json = start.is_empty() || start.starts_with(b"{") || is_marker;
        if is_json { Form::Jsonl } else { Form::Csv }
    }

    /// The folder that all files are in, unless others are allowed.
    pub(crate) fn root(&self) -> Option<&Path> {
        (!self.allow_outside).then(|| self.folder())
    }

    /// The folder that relative paths start from.
    fn folder(&self) -> &Path {
        let own = || self.file.parent().filter(|folder| *folder != Path::new("") && self.file.as_os_str() != "-");
        self.files.as_deref().or_else(own).unwrap_or(Path::new("."))
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
fn check(record: Record, folder: &Path, inventory: &Inventory) -> Result<Record, String> {
    let is_derived = record.uri.is_empty() && inventory.files.is_some() && record.file.is_some();
    if record.uri.is_empty() && !is_derived {
        return Err("`uri` is missing".to_owned());
    }
    let uri = match Uri::read(&record.uri) {
        _ if is_derived => String::new(),
        Parsed::Exact(uri) => uri.to_string(),
        Parsed::Lenient(uri) => {
            return Err(format!("`{}` is not a URI; percent-encode it, as in `{uri}`", record.uri));
        }
        Parsed::Malformed => return Err(format!("`{}` is not an absolute URI", record.uri)),
    };
    fn wrong<T: Value>(text: Option<&String>) -> Option<&String> {
        text.filter(|text| !matches!(T::read(text), Parsed::Exact(_)))
    }
    let lastmod = record.lastmod.map(|text| datetime("lastmod", text, inventory.zone())).transpose()?;
    if let Some(media_type) = wrong::<MediaType>(record.media_type.as_ref()) {
        return Err(format!("type `{media_type}` is not a media type such as application/pdf"));
    }
    let hash: Vec<String> = record.hashes.iter().map(|(name, digest)| format!("{name}:{digest}")).collect();
    if let Some(hash) = wrong::<Hashes>(Some(&hash.join(" ")).filter(|_| !hash.is_empty())) {
        return Err(format!("`{hash}` is not a digest in hexadecimal with its algorithm, such as md5:…"));
    }
    // Relative names are relative to the inventory.
    let file = record.file.map(|file| place(file, folder)).transpose()?;
    Ok(Record { uri, file, lastmod, ..record })
}

/// The path of a file from the folder of the inventory.
fn place(file: String, folder: &Path) -> Result<String, String> {
    if folder == Path::new(".") {
        return Ok(file);
    }
    let path = folder.join(file).into_os_string().into_string();
    path.map_err(|path| format!("{} is not UTF-8", Path::new(&path).display()))
}

/// A datetime, also as databases write it: with a space before the time, and an offset of hours only, or none if there is one for all.
pub(super) fn datetime(name: &str, text: String, zone: Option<&str>) -> Result<String, String> {
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
            if let Some(local) =
                zone.map(|zone| format!("{written}{zone}")).filter(|text| text.parse::<Datetime>().is_ok())
            {
                return Ok(local);
            }
            Err(format!(
                "{name} `{text}` has no time zone; expected for example 2013-01-03 09:00:00+00\nhelp: --zone +09:00 is the offset of all times without one"
            ))
        }
        Err(_) => Err(format!("{name} `{text}` is not a datetime such as 2013-01-03T09:00:00Z")),
    }
}
