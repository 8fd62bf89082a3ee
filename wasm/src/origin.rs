//! Where an input comes from, and why it could not be read.

use resourcesync::{api::InputOrigin, diagnostic::Reason, report::Via};
use wasm_bindgen::JsValue;

use crate::fail::{Kind::Option as BadOption, fail, first_line};

/// Why something could not be read: a text, or `{ code, args }`.
pub(crate) fn reason(given: &JsValue) -> Reason {
    serde_wasm_bindgen::from_value(given.clone()).unwrap_or_else(|error| Reason::other(first_line(&error.to_string())))
}

/// The origin of an input: `name`, `uri` and `via`.
pub(crate) fn origin(name: String, uri: Option<String>, via: &str) -> Result<InputOrigin, JsValue> {
    let via = match via {
        "argument" => Via::Argument,
        "stdin" => Via::Stdin,
        "folder" => Via::Folder,
        _ => return Err(fail(BadOption, &format!("via: `{via}` is none of argument, stdin, folder"))),
    };
    Ok(InputOrigin { name, uri, via })
}
