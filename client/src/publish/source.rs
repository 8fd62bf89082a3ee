//! Reads resources from a folder or an inventory, sorted by set and URI.

use std::{
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    thread,
};

use resourcesync::{
    publish::{Record, check_set},
    value::{Algorithm, Uri},
};
use resourcesync_notify::publication::has_document_uri;

use super::{
    Contents, Error, Event, Exclusion, Glob, Inventory, OnEvent, Origin, Resources, Sitemap, Warning,
    digests::Place,
    folder::{FileSelection, Found, Skipping, walk, walk_at},
    folder_table::{Rows, Unlisted},
    grouped::lines,
    names,
    types::Types,
};
use crate::{
    cancel::Cancel,
    folder::is_same_file,
    http::Client,
    sort::{Merge, Sorter},
    system::reason,
};

/// Why sets are refused that are given as patterns.
const SETS: &str = "--set requires a folder; in an inventory use the column `set`";

/// The resources of a run.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    origin: &'a Origin,
    /// Ends with a slash.
    base: &'a str,
    /// The base of the documents' URIs; ends with a slash.
    documents: &'a str,
    sets: &'a [(String, Glob)],
    files: &'a FileSelection,
    contents: Option<&'a dyn Contents>,
    /// Digests to list.
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) types: Types,
    /// Files that are read and deflated at the same time.
    pub(crate) workers: NonZeroUsize,
    /// Cancels the run.
    pub(crate) cancel: Cancel,
}

impl<'a> Source<'a> {
    /// Creates the resources of an origin, and validates the options.
    pub(crate) fn new(
        resources: &'a Resources,
        documents: &'a Uri,
        sets: &'a [(String, Glob)],
        cancel: &Cancel,
    ) -> Result<Source<'a>, Error> {
        let is_plain = matches!(resources.origin, Origin::Folder(_));
        match &resources.origin {
            Origin::Folder(folder) | Origin::Table { folder, .. } => {
                let complaint = |why: &str| Err(format!("{} {why}", folder.display()).into());
                match fs::metadata(folder) {
                    Ok(meta) if meta.is_dir() && (is_plain || sets.is_empty()) => {}
                    Ok(meta) if meta.is_dir() => return Err(SETS.into()),
                    Ok(_) => return complaint("is not a folder; pass an inventory with --from-csv or --from-jsonl"),
                    Err(error) => return complaint(&format!("could not be read: {}", reason(&error))),
                }
            }
            Origin::Inventory(_) | Origin::Records(_) | Origin::Sitemap(_) if !sets.is_empty() => {
                return Err(SETS.into());
            }
            Origin::Inventory(_) | Origin::Records(_) | Origin::Sitemap(_) => {}
        }
        Ok(Source {
            origin: &resources.origin,
            base: resources.base_uri.as_str(),
            documents: documents.as_str(),
            sets,
            files: &resources.files,
            contents: resources.contents.as_deref(),
            algorithms: resources.hash.clone(),
            types: resources.type_map.as_deref().map(Types::read).transpose()?.unwrap_or_default(),
            workers: resources.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN),
            cancel: cancel.clone(),
        })
    }

    /// Rejects an output in the folder of the resources, or over the inventory.
    pub(crate) fn check_output(&self, out: &Path) -> Result<(), Error> {
        let is_input = match self.origin {
            Origin::Folder(folder) => is_same_file(folder, out),
            Origin::Records(_) => false,
            Origin::Sitemap(sitemap) => {
                !Sitemap::is_url(&sitemap.start) && is_same_file(Path::new(&sitemap.start), out)
            }
            Origin::Inventory(inventory) => is_same_file(&inventory.file, out),
            Origin::Table { folder, inventory, .. } => is_same_file(folder, out) || is_same_file(&inventory.file, out),
        };
        match is_input {
            true => Err(format!("{} is the input and cannot be --out", out.display()).into()),
            false => Ok(()),
        }
    }

    /// All resources in order; `own` are private folders to skip, `work` is the folder for temporary files.
    pub(crate) fn records(&self, own: Vec<PathBuf>, work: &Path, event: OnEvent<'_>) -> Result<Merge<Record>, Error> {
        let mut sorter = Sorter::new(work, "resources");
        let mut add = |record: Record| {
            self.check_uri(&record)?;
            let size = record.size();
            sorter.push(record, size).map_err(|error| unsorted(work, &error))
        };
        match self.origin {
            Origin::Folder(folder) => self.walk(folder, own, &mut add, event)?,
            Origin::Table { folder, inventory, unlisted } => {
                self.walk_table((folder, inventory, *unlisted), own, &mut add, event)?;
            }
            Origin::Sitemap(sitemap) => sitemap.read(&self.cancel, &mut add)?,
            Origin::Records(collected) => lines::<Record>(&collected.file)?.try_for_each(|record| add(record?))?,
            Origin::Inventory(inventory) => {
                let recognized = inventory.read(&self.cancel, &mut |record| {
                    check_set(&record.set).map_err(|why| format!("{}:{}: {why}", inventory.name(), record.line))?;
                    add(record)
                })?;
                name_encoding(inventory, recognized, event);
            }
        }
        sorter.finish().map_err(|error| unsorted(work, &error))
    }

    /// The resources at a path of the folder.
    pub(crate) fn records_at(
        &self,
        path: &Path,
        own: Vec<PathBuf>,
        add: &mut dyn FnMut(Record) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Origin::Folder(folder) = self.origin else { return Ok(()) };
        let mut leaving = Skipping { files: self.files.clone(), own, ..Skipping::default() };
        walk_at(folder, path, &mut leaving, &self.cancel, &mut |found| self.record(&found).map_or(Ok(()), &mut *add))
    }

    /// The resource of a file; `None` if it is in no set.
    fn record(&self, found: &Found) -> Option<Record> {
        let set = match self.sets {
            [] => "",
            sets => sets.iter().find(|(_, glob)| glob.matches(&found.shown)).map(|(name, _)| name.as_str())?,
        };
        let uri = format!("{}{}", self.base, found.encoded);
        let mut record = Record { uri, set: set.to_owned(), length: Some(found.length), ..Record::default() };
        found.stamp.set(&mut record);
        Some(record)
    }

    fn walk(
        &self,
        folder: &Path,
        own: Vec<PathBuf>,
        add: &mut dyn FnMut(Record) -> Result<(), Error>,
        event: OnEvent<'_>,
    ) -> Result<(), Error> {
        let mut leaving = Skipping { files: self.files.clone(), own, ..Skipping::default() };
        let mut others = Skipping::default();
        walk(folder, &mut leaving, &self.cancel, &mut |found| match self.record(&found) {
            Some(record) => add(record),
            None => {
                others.leave(Exclusion::NoSet, Path::new(&found.shown));
                Ok(())
            }
        })?;
        for (why, (count, first)) in leaving.left.into_iter().chain(others.left) {
            event(Event::Warning(&Warning::Excluded { count, why, first }));
        }
        Ok(())
    }

    fn walk_table(
        &self,
        (folder, inventory, unlisted): (&Path, &Inventory, Option<Unlisted>),
        own: Vec<PathBuf>,
        add: &mut dyn FnMut(Record) -> Result<(), Error>,
        event: OnEvent<'_>,
    ) -> Result<(), Error> {
        let (mut rows, recognized) = Rows::read(inventory, folder, self.base, &self.cancel)?;
        name_encoding(inventory, recognized, event);
        let mut leaving = Skipping { files: self.files.clone(), own, ..Skipping::default() };
        let mut others = Skipping::default();
        walk(folder, &mut leaving, &self.cancel, &mut |found| {
            // The table may be in the folder.
            if is_same_file(&inventory.file, &folder.join(&found.shown)) {
                return Ok(());
            }
            rows.resource(&found, self.base, unlisted, &mut others)?.map_or(Ok(()), &mut *add)
        })?;
        for (why, (count, first)) in leaving.left.into_iter().chain(others.left) {
            event(Event::Warning(&Warning::Excluded { count, why, first }));
        }
        rows.finish()
    }

    /// Rejects a resource with the URI of a document.
    pub(crate) fn check_uri(&self, record: &Record) -> Result<(), Error> {
        check_document(self.documents, record, self.sets.iter().map(|(name, _)| &**name))
    }

    /// The path of the bitstream of a resource, if it is a file.
    pub(crate) fn file(&self, record: &Record) -> Option<PathBuf> {
        match self.origin {
            Origin::Folder(folder) => self.file_below(folder, record),
            Origin::Table { folder, .. } if record.file.is_none() => self.file_below(folder, record),
            Origin::Inventory(_) | Origin::Records(_) | Origin::Sitemap(_) | Origin::Table { .. } => {
                record.file.as_ref().map(PathBuf::from)
            }
        }
    }

    /// How a file is read: links may have been put in its place since it was found.
    pub(crate) fn reading<'p>(&'p self, path: &'p Path) -> Place<'p> {
        let within = match self.origin {
            Origin::Folder(folder) | Origin::Table { folder, .. } => Some(folder.as_path()),
            Origin::Inventory(inventory) => inventory.root(),
            Origin::Records(_) | Origin::Sitemap(_) => None,
        };
        Place { path, within }
    }

    /// The file of a folder whose name is in the URI.
    fn file_below(&self, folder: &Path, record: &Record) -> Option<PathBuf> {
        Some(folder.join(names::decode(record.uri.strip_prefix(self.base)?)?))
    }

    /// The bytes of resources that have no files.
    pub(crate) fn contents(&self) -> Option<&'a dyn Contents> {
        self.contents
    }

    /// The client that requests resources without a file.
    pub(crate) fn client(&self) -> Option<&Client> {
        match self.origin {
            Origin::Sitemap(sitemap) => sitemap.resources(),
            _ => None,
        }
    }

    /// The number of rejected resources whose URI is unknown.
    pub(crate) fn unknown(&self) -> u64 {
        match self.origin {
            Origin::Records(collected) => collected.unknown,
            Origin::Folder(_) | Origin::Inventory(_) | Origin::Sitemap(_) | Origin::Table { .. } => 0,
        }
    }

    /// The file of a resource, for messages: with its line in the inventory.
    pub(crate) fn place(&self, record: &Record, file: &Path) -> String {
        match self.origin {
            Origin::Inventory(inventory) | Origin::Table { inventory, .. } if record.line > 0 => {
                format!("{}:{}: {}", inventory.name(), record.line, file.display())
            }
            _ => file.display().to_string(),
        }
    }

    /// The name of the inventory, for messages.
    pub(crate) fn name(&self) -> String {
        match self.origin {
            Origin::Inventory(inventory) | Origin::Table { inventory, .. } => inventory.name(),
            Origin::Sitemap(sitemap) => sitemap.start.clone(),
            Origin::Folder(_) | Origin::Records(_) => String::new(),
        }
    }

    /// The base of the resources' URIs.
    pub(crate) fn base(&self) -> &str {
        self.base
    }

    /// True if length and modification time are those of the file, not of an inventory.
    pub(crate) fn is_folder(&self) -> bool {
        matches!(self.origin, Origin::Folder(_) | Origin::Table { .. })
    }
}

/// Rejects a resource with the URI of a document, where documents are below this base, of its set or one of these.
pub(crate) fn check_document<'a>(
    documents: &str,
    record: &'a Record,
    sets: impl Iterator<Item = &'a str>,
) -> Result<(), Error> {
    if !has_document_uri(record, documents, sets) {
        return Ok(());
    }
    let why = "has the URI of a document of the Source; pass --documents-uri, or exclude the file";
    Err(format!("{} {why}", record.uri).into())
}

/// Names the encoding of an inventory that was recognized.
pub(crate) fn name_encoding(inventory: &Inventory, recognized: Option<&'static str>, event: OnEvent<'_>) {
    if let Some(encoding) = recognized {
        event(Event::Warning(&Warning::Encoding { inventory: inventory.name(), encoding }));
    }
}

fn unsorted(work: &Path, error: &std::io::Error) -> Error {
    format!("the resources could not be sorted in {}: {}", work.display(), reason(error)).into()
}
