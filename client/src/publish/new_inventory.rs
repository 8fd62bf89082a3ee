//! The inventory of the next generation, which is not written while it is that of the previous one.

use std::path::Path;

use resourcesync::publish::Record;

use super::{Error, grouped::InventoryFile, known::Known};

/// Records in order.
pub(crate) struct NewInventory<'a> {
    old: Option<&'a Known>,
    work: &'a Path,
    /// The number of records at the start that are those of the old inventory, unless they are written already.
    same: usize,
    file: Option<InventoryFile>,
}

impl<'a> NewInventory<'a> {
    /// In the folder of a generation.
    pub(crate) fn new(old: Option<&'a Known>, work: &'a Path) -> NewInventory<'a> {
        NewInventory { old, work, same: 0, file: None }
    }

    /// Adds the next record of the old inventory.
    pub(crate) fn same(&mut self, record: &Record) -> Result<(), Error> {
        match &mut self.file {
            Some(file) => file.push(record),
            None => {
                self.same = self.same.saturating_add(1);
                Ok(())
            }
        }
    }

    /// Adds a record; `None` leaves out one of the old inventory.
    pub(crate) fn differs(&mut self, record: Option<&Record>) -> Result<(), Error> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(self.begun()?),
        };
        record.map_or(Ok(()), |record| file.push(record))
    }

    /// The file with the records so far.
    fn begun(&self) -> Result<InventoryFile, Error> {
        let mut file = InventoryFile::create(self.work)?;
        if let Some(old) = self.old.filter(|_| self.same > 0) {
            for record in old.records()?.take(self.same) {
                file.push(&record?)?;
            }
        }
        Ok(file)
    }

    /// Writes it.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        match self.file.take() {
            Some(file) => file,
            None => self.begun()?,
        }
        .finish()
    }
}
