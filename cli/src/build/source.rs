//! Where resources come from: a folder or an inventory, sorted by set and URI.

use std::{
    fs,
    path::{Path, PathBuf},
};

use resourcesync::value::{Algorithm, Uri};
use resourcesync_client::{
    Cancel, reason,
    sort::{Merge, Sorter},
};

use super::{
    about_page::ABOUT,
    folder::{Skipping, walk},
    inventory::{Form, Inventory},
    names,
    packages::prefix,
    record::Record,
    types::Types,
};
use crate::{
    arguments::{Glob, Resources, check_set},
    error::{CliError, warn},
};

/// How the names of documents and packages begin.
const DOCUMENTS: [&str; 5] = ["capabilitylist", "resourcelist", "changelist", "resourcedump", "changedump"];

/// The resources of a run.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    from: From<'a>,
    /// Ends with a slash.
    base: &'a str,
    /// The base of the documents' URIs; ends with a slash.
    documents: &'a str,
    sets: &'a [(String, Glob)],
    hidden: bool,
    /// Digests to list.
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) types: Types,
    /// Stops the run.
    pub(super) cancel: Cancel,
}

#[derive(Debug)]
enum From<'a> {
    Folder(&'a Path),
    Inventory(Inventory),
}

impl<'a> Source<'a> {
    /// What the arguments name. What can be refused is refused here.
    pub(crate) fn new(
        arguments: &'a Resources,
        documents: &'a Uri,
        sets: &'a [(String, Glob)],
        cancel: &Cancel,
    ) -> Result<Source<'a>, CliError> {
        let inventory = |form, file: &Path| From::Inventory(Inventory { form, file: file.to_owned() });
        let from = match (&arguments.folder, &arguments.from_csv, &arguments.from_jsonl) {
            (Some(folder), ..) => {
                let complaint = |why: &str| Err(format!("{} {why}", folder.display()).into());
                match fs::metadata(folder) {
                    Ok(meta) if meta.is_dir() => From::Folder(folder),
                    Ok(_) => return complaint("is not a folder; for an inventory say --from-csv or --from-jsonl"),
                    Err(error) => return complaint(&format!("could not be read: {}", reason(&error))),
                }
            }
            (None, Some(file), _) => inventory(Form::Csv, file),
            (None, None, Some(file)) => inventory(Form::Jsonl, file),
            (None, None, None) => inventory(Form::Jsonl, Path::new("-")),
        };
        if matches!(from, From::Inventory(_)) && !sets.is_empty() {
            return Err("--set is for folders; an inventory names the set of each resource".into());
        }
        Ok(Source {
            from,
            base: arguments.base_uri.as_str(),
            documents: documents.as_str(),
            sets,
            hidden: arguments.hidden,
            algorithms: arguments.hash.iter().flatten().cloned().collect(),
            types: arguments.type_map.as_deref().map(Types::read).transpose()?.unwrap_or_default(),
            cancel: cancel.clone(),
        })
    }

    /// Every resource in order; `own` are folders of ours, `work` is where what does not fit in memory goes.
    pub(super) fn records(&self, own: Vec<PathBuf>, work: &Path) -> Result<Merge<Record>, CliError> {
        let mut sorter = Sorter::new(work, "resources");
        let mut add = |record: Record| {
            if self.is_document(&record) {
                let why = "would be published where a document of the Source is; say --documents-uri, or leave it out";
                return Err(format!("{} {why}", record.uri).into());
            }
            let size = record.size();
            sorter.push(record, size).map_err(|error| unsorted(work, &error))
        };
        match &self.from {
            From::Folder(folder) => self.walk(folder, own, &mut add)?,
            From::Inventory(inventory) => inventory.read(&self.cancel, &mut |record| {
                check_set(&record.set).map_err(|why| format!("line {}: {why}", record.line))?;
                add(record)
            })?,
        }
        sorter.finish().map_err(|error| unsorted(work, &error))
    }

    fn walk(
        &self,
        folder: &Path,
        own: Vec<PathBuf>,
        add: &mut dyn FnMut(Record) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let mut leaving = Skipping { hidden: self.hidden, own, ..Skipping::default() };
        let mut others = Skipping::default();
        walk(folder, &mut leaving, &self.cancel, &mut |found| {
            let set = match self.sets {
                [] => "",
                sets => match sets.iter().find(|(_, glob)| glob.matches(&found.shown)) {
                    Some((name, _)) => name,
                    None => {
                        others.leave("that match no --set", Path::new(&found.shown));
                        return Ok(());
                    }
                },
            };
            let uri = format!("{}{}", self.base, found.encoded);
            let (length, modified) = (Some(found.length), found.modified);
            add(Record { uri, set: set.to_owned(), length, modified, ..Record::default() })
        })?;
        for (why, (count, first)) in leaving.left.into_iter().chain(others.left) {
            warn(&format!("left out {count} {why}, such as {first}"));
        }
        Ok(())
    }

    /// True if a document of ours may have this URI.
    fn is_document(&self, record: &Record) -> bool {
        let Some(path) = record.uri.strip_prefix(self.documents) else { return false };
        let name = path.strip_prefix(&prefix(&record.set)).unwrap_or(path);
        let is_list = DOCUMENTS.iter().any(|start| name.starts_with(start)) && !name.contains('/');
        let ends = [".xml", ".xml.gz", ".zip"].iter().any(|ending| name.ends_with(ending));
        is_list && ends || path == ABOUT || path == ".well-known/resourcesync"
    }

    /// Where the bitstream of a resource is, if it is a file.
    pub(super) fn file(&self, record: &Record) -> Option<PathBuf> {
        match self.from {
            From::Folder(folder) => Some(folder.join(names::decode(record.uri.strip_prefix(self.base)?)?)),
            From::Inventory(_) => record.file.clone(),
        }
    }

    /// The base of the resources' URIs.
    pub(super) fn base(&self) -> &str {
        self.base
    }

    /// True where length and time of modification are the file's, not what an inventory says.
    pub(super) fn is_folder(&self) -> bool {
        matches!(self.from, From::Folder(_))
    }
}

fn unsorted(work: &Path, error: &std::io::Error) -> CliError {
    format!("the resources could not be sorted in {}: {}", work.display(), reason(error)).into()
}
