//! Thrown values: an object with the kind of error, converted to an `Error` in JavaScript.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// The error class of the package.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// An unknown or invalid option.
    Option,
    /// A text in the wrong format.
    #[cfg(feature = "whole")]
    Format,
    /// Input that is probably incomplete.
    #[cfg(feature = "publish")]
    Guard,
    /// A folder that cannot be published.
    #[cfg(feature = "publish")]
    Publish,
}

/// A value to throw: `{ kind, message }`.
pub(crate) fn fail(kind: Kind, message: &str) -> JsValue {
    let kind = match kind {
        Kind::Option => "option",
        #[cfg(feature = "whole")]
        Kind::Format => "format",
        #[cfg(feature = "publish")]
        Kind::Guard => "guard",
        #[cfg(feature = "publish")]
        Kind::Publish => "publish",
    };
    thrown(&[("kind", kind.into()), ("message", message.into())])
}

/// To throw for a choice that does not exist.
#[cfg(any(feature = "whole", feature = "publish", feature = "turns", feature = "sync", feature = "oai"))]
pub(crate) fn wrong(message: &str) -> JsValue {
    fail(Kind::Option, message)
}

/// The first line of an error message, without the name of the class.
#[cfg(any(feature = "validate", feature = "publish", feature = "notify"))]
pub(crate) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_start_matches("Error: ").to_owned()
}

/// A rejection: `{ kind, diagnostic, full }`, with the diagnostic as JSON.
#[cfg(any(feature = "whole", feature = "publish", feature = "turns"))]
pub(crate) fn refuse(diagnostic: &resourcesync::report::Diagnostic, full: bool) -> JsValue {
    thrown(&[("kind", "refused".into()), ("diagnostic", json(diagnostic).into()), ("full", full.into())])
}

/// A diagnostic as JSON.
#[cfg(any(feature = "whole", feature = "publish", feature = "turns"))]
pub(crate) fn json(diagnostic: &resourcesync::report::Diagnostic) -> String {
    // Values with string keys and no floats: writing them cannot fail.
    serde_json::to_string(diagnostic).unwrap_or_default()
}

fn thrown(properties: &[(&str, JsValue)]) -> JsValue {
    let thrown = Object::new();
    for (name, value) in properties {
        // Setting a property of a new object cannot fail.
        let _ = Reflect::set(&thrown, &(*name).into(), value);
    }
    thrown.into()
}
