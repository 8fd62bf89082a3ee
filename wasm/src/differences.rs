//! The changes between two lists.

use std::{cell::RefCell, rc::Rc};

use js_sys::Function;
use resourcesync::{
    api::plain::Entry as Plain,
    build,
    model::{Entry, Kind},
};
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{convert::entry, fail::wrong, object::object, plain::moment};

/// A difference with both versions of the resource.
#[derive(Debug, Serialize)]
struct Versions {
    change: &'static str,
    uri: String,
    /// Names of aspects.
    differs: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Plain>,
}

/// Why the resources that documents of these kinds list cannot be compared: `no-resources` or `kinds`; nothing if they can.
///
/// # Errors
///
/// If there is no such kind.
#[wasm_bindgen]
pub fn incomparable(old: &str, new: &str) -> Result<Option<String>, JsValue> {
    let kind = |name: &str| Kind::find(name).ok_or_else(|| wrong(&format!("no kind is called `{name}`")));
    Ok(build::incomparable(kind(old)?, kind(new)?).map(|reason| reason.as_str().to_owned()))
}

/// The differences between two lists, whose entries are requested one by one.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Differences {
    inner: build::Diff<Asked, Asked>,
    failure: Failure,
}

/// The exception thrown by a list.
type Failure = Rc<RefCell<Option<JsValue>>>;

#[wasm_bindgen]
impl Differences {
    /// Compares two functions that return the next entry, or `undefined` at the end.
    #[wasm_bindgen(constructor)]
    pub fn new(old: Function, new: Function) -> Differences {
        let failure = Failure::default();
        let [old, new] = [old, new].map(|next| Asked { next, failure: failure.clone() });
        Differences { inner: build::diff(old, new), failure }
    }

    /// The next difference, as a change at a moment.
    ///
    /// # Errors
    ///
    /// If a list is not sorted by URI, contains something other than entries, or throws.
    pub fn next(&mut self, at: &str) -> Result<JsValue, JsValue> {
        let moment = moment(at)?;
        let next = self.found()?;
        Ok(next.map_or(JsValue::UNDEFINED, |difference| object(&Plain::from(&difference.change(moment)))))
    }

    /// The next difference, with both versions of the resource and in what they differ.
    ///
    /// # Errors
    ///
    /// Like `next`.
    pub fn versions(&mut self) -> Result<JsValue, JsValue> {
        Ok(self.found()?.map_or(JsValue::UNDEFINED, |difference| {
            let (old, new) = difference.entries();
            object(&Versions {
                change: difference.verb().as_str(),
                uri: difference.uri(),
                differs: difference.aspects().into_iter().map(build::Aspect::as_str).collect(),
                old: old.map(Plain::from),
                new: new.map(Plain::from),
            })
        }))
    }
}

impl Differences {
    fn found(&mut self) -> Result<Option<build::Difference>, JsValue> {
        let next = self.inner.next();
        if let Some(thrown) = self.failure.borrow_mut().take() {
            return Err(thrown);
        }
        next.transpose().map_err(|build::OutOfOrder { uri, list }| {
            wrong(&format!("the {list} list is not sorted by URI, each once: `{uri}` is out of order"))
        })
    }
}

/// Entries returned by a function.
#[derive(Debug)]
struct Asked {
    next: Function,
    failure: Failure,
}

impl Iterator for Asked {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let given = self.next.call0(&JsValue::UNDEFINED);
        let read = given.and_then(|given| if given.is_undefined() { Ok(None) } else { entry(&given).map(Some) });
        read.unwrap_or_else(|thrown| {
            self.failure.borrow_mut().get_or_insert(thrown);
            None
        })
    }
}
