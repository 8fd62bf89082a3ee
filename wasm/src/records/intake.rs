//! Collects the records of a program, checking each when it is added.

use std::collections::BTreeMap;

use resourcesync::publish::{self, Record, Rejected, check_set};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{refuse, wrong},
    options::Options,
    plain,
};

/// The records of a run.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Intake {
    inner: publish::Intake,
    pub(super) records: Vec<Record>,
    /// The sets that have a name, also those without records.
    pub(super) sets: BTreeMap<String, u64>,
    /// The number of rejected records.
    pub(super) refused: u64,
    /// The options of builders.
    pub(super) options: resourcesync::build::BuildOptions,
}

#[wasm_bindgen]
impl Intake {
    /// Nothing yet. Records are checked with these options.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options) -> Intake {
        let options = options.of_builders();
        let inner = publish::Intake::new(options.clone());
        Intake { inner, records: Vec::new(), sets: BTreeMap::new(), refused: 0, options }
    }

    /// Adds a set, which may stay without records.
    ///
    /// # Errors
    ///
    /// If its name is invalid.
    pub fn set(&mut self, name: String) -> Result<(), JsValue> {
        check_set(&name).map_err(|why| wrong(&why))?;
        self.sets.insert(name, 0);
        Ok(())
    }

    /// Adds a record of a set.
    ///
    /// # Errors
    ///
    /// If it is rejected. If the others are published all the same, what is published of it stays.
    pub fn push(&mut self, entry: &JsValue, set: &str) -> Result<(), JsValue> {
        let entry = plain::entry(entry).map_err(|message| wrong(&message))?;
        match self.inner.accept(entry, set) {
            Ok(record) => {
                self.records.push(record);
                Ok(())
            }
            Err(Rejected { refused, record }) => {
                self.records.extend(record.map(|record| *record));
                self.refused = self.refused.saturating_add(1);
                Err(refuse(refused.diagnostic(), refused.is_full()))
            }
        }
    }
}

impl Intake {
    /// Rejected records whose URI is unknown.
    pub(super) fn unknown(&self) -> u64 {
        self.inner.unknown()
    }
}
