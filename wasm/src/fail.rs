//! What is thrown: an object that says which kind of error it is, made an `Error` by the JavaScript around it.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// Which error of the package it becomes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A choice that does not exist.
    Option,
    /// A text that is not what it should be.
    #[cfg(feature = "whole")]
    Format,
}

/// Something to throw: `{ kind, message }`.
pub(crate) fn fail(kind: Kind, message: &str) -> JsValue {
    let kind = match kind {
        Kind::Option => "option",
        #[cfg(feature = "whole")]
        Kind::Format => "format",
    };
    thrown(&[("kind", kind.into()), ("message", message.into())])
}

/// The first line of what went wrong, without the name of the class.
pub(crate) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_start_matches("Error: ").to_owned()
}

/// What was refused: `{ kind, diagnostic, full }`, the diagnostic as JSON.
#[cfg(feature = "whole")]
pub(crate) fn refuse(diagnostic: &resourcesync::report::Diagnostic, full: bool) -> JsValue {
    thrown(&[
        ("kind", "refused".into()),
        ("diagnostic", crate::progress::diagnostic(diagnostic).into()),
        ("full", full.into()),
    ])
}

fn thrown(properties: &[(&str, JsValue)]) -> JsValue {
    let thrown = Object::new();
    for (name, value) in properties {
        // Setting a property of a new object cannot fail.
        let _ = Reflect::set(&thrown, &(*name).into(), value);
    }
    thrown.into()
}
