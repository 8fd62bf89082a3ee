//! The changes between two lists.

use std::{cell::RefCell, rc::Rc};

use js_sys::Function;
use resourcesync::{api::plain::Entry as Plain, build, model::Entry};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{convert::entry, fail::wrong, object::object, plain::moment};

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
        let next = self.inner.next();
        if let Some(thrown) = self.failure.borrow_mut().take() {
            return Err(thrown);
        }
        match next {
            None => Ok(JsValue::UNDEFINED),
            Some(Ok(difference)) => Ok(object(&Plain::from(&difference.change(moment)))),
            Some(Err(out)) => {
                let (uri, list) = (out.uri, out.list);
                Err(wrong(&format!("the {list} list is not sorted by URI, each once: `{uri}` is out of order")))
            }
        }
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
