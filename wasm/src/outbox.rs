//! The actions on files of a publication, and its result.

use std::{cell::RefCell, convert::Infallible, rc::Rc};

use js_sys::{Array, Object, Reflect, Uint8Array};
use resourcesync::build::{self, Accepted, ChangeHistory, DumpHistory, Outbox, Output, Store};
use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::object::object;

/// The result of a publication.
#[derive(Serialize)]
struct Published {
    written: Vec<String>,
    kept: Vec<String>,
    sets: Vec<PublishedSet>,
}

/// The result for one set.
#[derive(Serialize)]
struct PublishedSet {
    name: String,
    resources: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<ChangeHistory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dump: Option<DumpHistory>,
}

/// An outbox that outlives its publication.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared(Rc<RefCell<Outbox>>);

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

/// The result of a publication with the last actions on files: `{ steps, published, accepted }`.
pub(crate) fn done(published: build::Published, outbox: &Shared) -> JsValue {
    let sets = published.sets.into_iter().map(|set| {
        let build::PublishedSet { name, resources, changes, dump, .. } = set;
        PublishedSet { name, resources, changes, dump }
    });
    let accepted = json_of(&published.accepted);
    let published = object(&Published { written: published.written, kept: published.kept, sets: sets.collect() });
    let done = Object::new();
    for (name, value) in [("steps", drained(outbox).into()), ("published", published), ("accepted", accepted.into())] {
        // Setting a property of a new object cannot fail.
        let _ = Reflect::set(&done, &name.into(), &value);
    }
    done.into()
}

/// The actions on files since the last call.
pub(crate) fn drained(outbox: &Shared) -> Array {
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

/// Accepted findings as JSON.
pub(crate) fn json_of(accepted: &Accepted) -> String {
    // Values with string keys and no floats: writing them cannot fail.
    serde_json::to_string(accepted).unwrap_or_default()
}
