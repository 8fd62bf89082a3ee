//! The state of a published folder, which the next run of any face needs.

use resourcesync::{
    build::{ChangeHistory, DumpHistory},
    publish::{self, FileRecord, LOG, Ledger, LogReader, Recovery},
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind, fail, first_line, wrong},
    object::object,
    plain::moment,
};

/// What is left to do of a publication that was interrupted.
#[derive(Serialize)]
struct Left {
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    withdraw: Option<u64>,
}

/// The histories of a set.
#[derive(Serialize)]
struct Histories<'a> {
    changes: &'a ChangeHistory,
    #[serde(skip_serializing_if = "Option::is_none")]
    dump: Option<&'a DumpHistory>,
}

/// A set of a publication that a program drives.
#[derive(Deserialize)]
struct GivenSet {
    name: String,
    #[serde(default)]
    changes: Option<ChangeHistory>,
    #[serde(default)]
    dump: Option<DumpHistory>,
}

/// The state of a generation.
#[wasm_bindgen]
#[derive(Debug, Clone)]
pub struct PublishState {
    pub(super) ledger: Ledger,
    /// The folder of the state, for messages.
    place: String,
}

#[wasm_bindgen]
impl PublishState {
    /// Parses the text of the state in this folder.
    ///
    /// # Errors
    ///
    /// If it is damaged.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, place: String) -> Result<PublishState, JsValue> {
        let parsed = publish::State::parse(text);
        let inner = parsed.map_err(|why| damaged(&format!("{place}/{}", publish::STATE), &why))?;
        Ok(PublishState { ledger: Ledger::new(inner), place })
    }

    /// The state of a publication that a program drives, with the sets of its result.
    ///
    /// # Errors
    ///
    /// If the time or a history is invalid.
    pub fn of(at: &str, base: &str, sets: JsValue) -> Result<PublishState, JsValue> {
        let sets: Vec<GivenSet> =
            serde_wasm_bindgen::from_value(sets).map_err(|error| wrong(&first_line(&error.to_string())))?;
        let mut inner = publish::State::new(&moment(at)?, (base, base, ".xml"), String::new());
        for GivenSet { name, changes, dump } in sets {
            inner.add_set(name, changes, dump);
        }
        Ok(PublishState { ledger: Ledger::new(inner), place: String::new() })
    }

    /// Adds the publications of the log in the folder of the state. With the number of a staged publication, and the names of its files, returns
    /// what is left to do: `{ complete }` with the files to move to their places, or `{ withdraw }` with the length at which the log is cut.
    ///
    /// # Errors
    ///
    /// If it is damaged.
    #[wasm_bindgen(js_name = applyLog)]
    pub fn apply_log(&mut self, bytes: &[u8], staged: Option<u32>, files: Vec<String>) -> Result<JsValue, JsValue> {
        let (mut log, mut last) = (LogReader::new(bytes), None);
        for group in log.by_ref() {
            let group = group.map_err(|why| self.damaged(LOG, &why))?;
            last.replace(group).into_iter().for_each(|group| self.ledger.apply(group));
        }
        let left = staged.map(|number| (u64::from(number), files.as_slice()));
        let recovery = Recovery::decide(&log, last.as_ref(), left).map_err(|why| self.damaged(LOG, &why))?;
        last.into_iter().for_each(|group| self.ledger.apply(group));
        Ok(match recovery {
            Recovery::Nothing => JsValue::UNDEFINED,
            Recovery::Complete(complete) => object(&Left { complete: Some(complete), withdraw: None }),
            Recovery::Withdraw(length) => object(&Left { complete: None, withdraw: Some(length) }),
        })
    }

    /// The same state again, for a call that takes it.
    pub fn copy(&self) -> PublishState {
        self.clone()
    }

    /// The histories of a set: `{ changes, dump }`; `undefined` if it was not published.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn previous(&self, set: &str) -> Result<JsValue, JsValue> {
        let histories = |set: &publish::Set| {
            object(&Histories { changes: &set.changes, dump: set.dump.as_ref().map(|dump| &dump.history) })
        };
        Ok(self.ledger.state.sets.get(set).map_or(JsValue::UNDEFINED, histories))
    }

    /// True if a file was published.
    #[wasm_bindgen(js_name = hasFile)]
    pub fn has_file(&self, path: &str) -> bool {
        self.ledger.state.files.contains_key(path)
    }

    /// True if a published file is as it was published.
    #[wasm_bindgen(js_name = isIntact)]
    pub fn is_intact(&self, path: &str, length: f64, sha256: &str) -> bool {
        let is_same = |written: &FileRecord| {
            written.length == length as u64 && written.sha256.as_deref().is_none_or(|written| written == sha256)
        };
        self.ledger.state.files.get(path).is_some_and(is_same)
    }

    /// Adds a written file.
    #[wasm_bindgen(js_name = addFile)]
    pub fn add_file(&mut self, path: String, length: f64, sha256: String) {
        self.ledger.state.add_file(path, FileRecord { length: length as u64, lines: None, sha256: Some(sha256) });
    }

    /// The text of its file.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn text(&self) -> Result<String, JsValue> {
        self.ledger.state.to_text().map_err(|error| fail(Kind::Publish, &error.to_string()))
    }
}

impl From<publish::State> for PublishState {
    fn from(inner: publish::State) -> PublishState {
        PublishState { ledger: Ledger::new(inner), place: String::new() }
    }
}

impl PublishState {
    /// The error for a damaged part.
    pub(super) fn damaged(&self, part: &str, why: &str) -> JsValue {
        damaged(&format!("{}/{part}", self.place), why)
    }
}

fn damaged(path: &str, why: &str) -> JsValue {
    let help = "restore it from a backup, or rebuild it with `resourcesync build --rebuild-state`";
    fail(Kind::Publish, &format!("{path} is damaged ({why}): {help}"))
}
