//! A folder and a table together: rows describe files of the folder, to which they are matched by path.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use resourcesync::publish::{Record, check_set};

use super::{Error, Exclusion, Inventory, folder::Found, folder::Skipping, names};
use crate::cancel::Cancel;

/// What becomes of files that the table does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// They are resources with the metadata of the file.
    Publish,
    /// They are not resources, and are counted.
    Skip,
}

/// The rows of a table, by the encoded path of the file.
pub(crate) struct Rows<'a> {
    inventory: &'a Inventory,
    folder: &'a Path,
    rows: BTreeMap<String, Record>,
    /// Files without a row: their number, and the first of them.
    unlisted: Option<(u64, String)>,
}

impl<'a> Rows<'a> {
    /// Reads all rows. Returns the encoding if it was recognized as another than UTF-8.
    pub(crate) fn read(
        inventory: &'a Inventory,
        folder: &'a Path,
        base: &str,
        cancel: &Cancel,
    ) -> Result<(Rows<'a>, Option<&'static str>), Error> {
        let mut rows = BTreeMap::new();
        let recognized = inventory.read(cancel, &mut |record| {
            let line = record.line;
            let wrong = |why: String| Error::new(format!("{}:{line}: {why}", inventory.name()));
            check_set(&record.set).map_err(wrong)?;
            let path = path_of(&record, folder, base);
            let path = path.ok_or_else(|| wrong("the row has neither `path` nor a URI below --base-uri".to_owned()))?;
            match rows.insert(path, record) {
                Some(other) => Err(wrong(format!("its file is that of line {}", other.line))),
                None => Ok(()),
            }
        })?;
        Ok((Rows { inventory, folder, rows, unlisted: None }, recognized))
    }

    /// The resource of a file; `None` if it has no row and is skipped.
    pub(crate) fn resource(
        &mut self,
        found: &Found,
        base: &str,
        unlisted: Option<Unlisted>,
        skipping: &mut Skipping,
    ) -> Result<Option<Record>, Error> {
        let uri = format!("{base}{}", found.encoded);
        // What is shown of a name that is not Unicode may be the name of another file.
        let is_named = names::encode(Path::new(&found.shown)) == found.encoded;
        let mut record = match (self.rows.remove(&found.encoded), unlisted) {
            (Some(row), _) => {
                if let Some(length) = row.length.filter(|length| *length != found.length) {
                    let (name, line, own) = (self.inventory.name(), row.line, found.length);
                    return Err(format!(
                        "{name}:{line}: the table states a length of {length}, but the file has {own}"
                    )
                    .into());
                }
                Record { uri: if row.uri.is_empty() { uri } else { row.uri.clone() }, ..row }
            }
            (None, Some(Unlisted::Publish)) => Record { uri, ..Record::default() },
            (None, Some(Unlisted::Skip)) => {
                skipping.leave(Exclusion::Unlisted, Path::new(&found.shown));
                return Ok(None);
            }
            (None, None) => {
                let (count, _) = self.unlisted.get_or_insert_with(|| (0, found.shown.clone()));
                *count = count.saturating_add(1);
                return Ok(None);
            }
        };
        // The URI of any other has its name.
        record.file = is_named.then(|| self.folder.join(&found.shown).to_string_lossy().into_owned());
        record.length = Some(found.length);
        found.stamp.set(&mut record);
        Ok(Some(record))
    }

    /// Rejects rows without a file, and files without a row.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let (name, folder) = (self.inventory.name(), self.folder.display());
        if let Some((path, row)) = self.rows.into_iter().min_by_key(|(_, row)| row.line) {
            let path = names::decode(&path).unwrap_or_default();
            return Err(format!("{name}:{}: there is no file {} in {folder}", row.line, path.display()).into());
        }
        match self.unlisted {
            Some((count, first)) => Err(format!(
                "{folder} has files that are not in {name}: {count}, such as {first}\nhelp: publish them with --unlisted publish, \
                 or leave them out with --unlisted skip"
            )
            .into()),
            None => Ok(()),
        }
    }
}

/// The path of the file of a row below the folder, percent-encoded.
fn path_of(record: &Record, folder: &Path, base: &str) -> Option<String> {
    let path: PathBuf = match &record.file {
        Some(file) => Path::new(file).strip_prefix(folder).ok()?.to_owned(),
        None => names::decode(record.uri.strip_prefix(base)?)?,
    };
    Some(names::encode(&path))
}
