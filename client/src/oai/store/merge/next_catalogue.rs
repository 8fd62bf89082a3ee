//! The catalogue that a merge writes.

use std::path::Path;

use super::super::{
    super::HarvestError,
    catalogue::{CatalogueState, Entry, Writer},
};

/// Where it is written, in the folder of the store.
pub(super) const NAME: &str = "run/catalogue.jsonl";

/// The next catalogue. Nothing is written until something differs.
pub(super) struct Next<'a> {
    folder: &'a Path,
    writer: Option<Writer>,
    /// The number of unchanged bytes at the start of the catalogue.
    same: u64,
}

impl<'a> Next<'a> {
    pub(super) fn new(folder: &'a Path) -> Next<'a> {
        Next { folder, writer: None, same: 0 }
    }

    /// Keeps an entry; its line ends at this position in the old catalogue.
    pub(super) fn keep(&mut self, entry: &Entry, end: u64) -> Result<(), HarvestError> {
        match &mut self.writer {
            Some(writer) => writer.push(entry),
            None => {
                self.same = end;
                Ok(())
            }
        }
    }

    pub(super) fn push(&mut self, entry: &Entry) -> Result<(), HarvestError> {
        if self.writer.is_none() {
            let mut writer = Writer::create(self.folder.join(NAME))?;
            writer.copy(self.folder, self.same)?;
            self.writer = Some(writer);
        }
        self.writer.as_mut().map_or(Ok(()), |writer| writer.push(entry))
    }

    pub(super) fn finish(self) -> Result<Option<CatalogueState>, HarvestError> {
        self.writer.map(Writer::finish).transpose()
    }
}
