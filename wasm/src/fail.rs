//! What is thrown: an object that says which kind of error it is, made an `Error` by the JavaScript around it.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// Which error of the package it becomes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A choice that does not exist.
    Option,
    /// A text that is not what it should be.
    Format,
}

/// Something to throw: `{ kind, message }`.
pub(crate) fn fail(kind: Kind, message: &str) -> JsValue {
    let thrown = Object::new();
    let kind = match kind {
        Kind::Option => "option",
        Kind::Format => "format",
    };
    for (name, value) in [("kind", kind), ("message", message)] {
        // Setting a property of a new object cannot fail.
        let _ = Reflect::set(&thrown, &name.into(), &value.into());
    }
    thrown.into()
}
