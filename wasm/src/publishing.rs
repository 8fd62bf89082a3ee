//! A whole Source being written: what goes where comes out piece by piece.

use std::{cell::RefCell, convert::Infallible, rc::Rc};

use js_sys::{Array, Object, Reflect, Uint8Array};
use resourcesync::build::{self, CapabilityEntry, ChangeHistory, DumpHistory, Outbox, Output, Settings, Store};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    convert::{entry, failed, own, uri},
    fail::{first_line, wrong},
    object::{Out, object},
    options::Options,
    plain::moment,
};

/// What a publication is told besides.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Given {
    describedby: Option<String>,
    suffix: Option<String>,
    document_entries: Option<u64>,
    document_bytes: Option<u64>,
    package_entries: Option<u64>,
    package_bytes: Option<u64>,
}

/// What was published.
#[derive(Serialize)]
struct Published {
    written: Vec<String>,
    kept: Vec<String>,
    sets: Vec<PublishedSet>,
}

/// What was published of a set.
#[derive(Serialize)]
struct PublishedSet {
    name: String,
    resources: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<ChangeHistory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dump: Option<DumpHistory>,
}

/// A whole Source being written.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Publication {
    inner: build::Publication<Shared>,
    outbox: Shared,
}

/// An outbox that outlives its publication.
#[derive(Debug, Clone, Default)]
struct Shared(Rc<RefCell<Outbox>>);

impl Store for Shared {
    type Error = Infallible;

    fn begin(&mut self, path: &str) -> Result<(), Infallible> {
        self.0.borrow_mut().begin(path)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.borrow_mut().write(bytes)
    }

    fn end(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().end()
    }
}

#[wasm_bindgen]
impl Publication {
    /// Begins a publication below a base URI, at a moment.
    ///
    /// # Errors
    ///
    /// If one of them is none, or a setting means nothing.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, base: &str, at: &str, given: &JsValue) -> Result<Publication, JsValue> {
        let given: Given =
            serde_wasm_bindgen::from_value(given.clone()).map_err(|error| wrong(&first_line(&error.to_string())))?;
        let mut settings = Settings::default();
        settings.options = own(options);
        settings.describedby = given.describedby.as_deref().map(uri).transpose()?;
        settings.suffix = given.suffix.unwrap_or(settings.suffix);
        settings.document_entries = given.document_entries.unwrap_or(settings.document_entries);
        settings.document_bytes = given.document_bytes.unwrap_or(settings.document_bytes);
        settings.package_entries = given.package_entries.unwrap_or(settings.package_entries);
        settings.package_bytes = given.package_bytes.unwrap_or(settings.package_bytes);
        let outbox = Shared::default();
        let inner = build::Publication::new(outbox.clone(), uri(base)?, moment(at)?, settings).map_err(failed)?;
        Ok(Publication { inner, outbox })
    }

    /// Begins a set; ends the one before.
    ///
    /// # Errors
    ///
    /// If its name or what describes it is none, or the set before is wrong.
    pub fn set(&mut self, name: &str, describedby: Option<String>) -> Result<(), JsValue> {
        let describedby = describedby.as_deref().map(uri).transpose()?;
        self.inner.set(name, describedby).map_err(failed)
    }

    /// Lists something that is published by other means in the Capability List: with a hub, a channel.
    ///
    /// # Errors
    ///
    /// If there is no set, or one of them is none.
    pub fn announce(&mut self, capability: &str, at: &str, hub: Option<String>) -> Result<(), JsValue> {
        let capability = capability.parse().map_err(|_| wrong(&format!("`{capability}` is not a capability")))?;
        let entry = match hub {
            Some(hub) => CapabilityEntry::channel(capability, uri(at)?, uri(&hub)?),
            None => CapabilityEntry::new(capability, uri(at)?),
        };
        self.inner.announce(entry).map_err(failed)
    }

    /// Begins the Resource List of the set; `expected` entries will follow.
    ///
    /// # Errors
    ///
    /// If there is no set, or what came before is wrong.
    #[wasm_bindgen(js_name = beginResourceList)]
    pub fn begin_resource_list(&mut self, expected: Option<f64>) -> Result<(), JsValue> {
        self.inner.begin_resource_list(expected.map(|count| count as u64)).map_err(failed)
    }

    /// Begins the Change Lists of the set.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_resource_list`], and if the history is none.
    #[wasm_bindgen(js_name = beginChangeLists)]
    pub fn begin_change_lists(&mut self, history: &JsValue, close: Option<String>) -> Result<(), JsValue> {
        let history = match history.as_string() {
            Some(since) => ChangeHistory::since(moment(&since)?),
            None => serde_wasm_bindgen::from_value(history.clone())
                .map_err(|error| wrong(&first_line(&error.to_string())))?,
        };
        self.inner.begin_change_lists(history, close.as_deref().map(moment).transpose()?).map_err(failed)
    }

    /// Begins the Resource Dump of the set.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_resource_list`].
    #[wasm_bindgen(js_name = beginResourceDump)]
    pub fn begin_resource_dump(&mut self) -> Result<(), JsValue> {
        self.inner.begin_resource_dump().map_err(failed)
    }

    /// Begins the Change Dump of the set.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_change_lists`].
    #[wasm_bindgen(js_name = beginChangeDump)]
    pub fn begin_change_dump(&mut self, history: &JsValue) -> Result<(), JsValue> {
        let history = match history.as_string() {
            Some(since) => DumpHistory::since(moment(&since)?),
            None => serde_wasm_bindgen::from_value(history.clone())
                .map_err(|error| wrong(&first_line(&error.to_string())))?,
        };
        self.inner.begin_change_dump(history).map_err(failed)
    }

    /// Adds a resource or a change to what was begun.
    ///
    /// # Errors
    ///
    /// If anything is wrong with it, or with it in this place.
    pub fn push(&mut self, given: &JsValue) -> Result<(), JsValue> {
        self.inner.push(entry(given)?).map_err(failed)
    }

    /// Adds bytes of the entry at hand to a dump.
    ///
    /// # Errors
    ///
    /// If no dump was begun.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.inner.write(bytes).map_err(failed)
    }

    /// What is to be done with files, in order: a path begins one, bytes are added, `null` ends it.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn take(&mut self) -> Out<Array> {
        Ok(drained(&self.outbox))
    }

    /// Ends the publication: `{ steps, published }`, the steps being the last that is to be done.
    ///
    /// # Errors
    ///
    /// If something is wrong with what came before.
    pub fn finish(self) -> Result<JsValue, JsValue> {
        let published = self.inner.finish().map_err(failed)?;
        let sets = published.sets.into_iter().map(|set| {
            let build::PublishedSet { name, resources, changes, dump, .. } = set;
            PublishedSet { name, resources, changes, dump }
        });
        let published = object(&Published { written: published.written, kept: published.kept, sets: sets.collect() });
        let done = Object::new();
        for (name, value) in [("steps", drained(&self.outbox).into()), ("published", published)] {
            // Setting a property of a new object cannot fail.
            let _ = Reflect::set(&done, &name.into(), &value);
        }
        Ok(done.into())
    }
}

fn drained(outbox: &Shared) -> Array {
    let todo = Array::new();
    let mut outbox = outbox.0.borrow_mut();
    while let Some(output) = outbox.next() {
        todo.push(&match output {
            Output::Begin(path) => path.into(),
            Output::Write(bytes) => Uint8Array::from(bytes.as_slice()).into(),
            Output::End => JsValue::NULL,
        });
    }
    todo
}
