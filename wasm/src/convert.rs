//! Converts the arguments and errors of publishing: entries, URIs.

use std::fmt::Display;

use resourcesync::{build::PublishError, value::Uri};
use wasm_bindgen::JsValue;

use crate::fail::{refuse, wrong};

pub(crate) fn failed<E: Display>(error: PublishError<E>) -> JsValue {
    match error {
        PublishError::Refused(refused) => refuse(refused.diagnostic(), refused.is_full()),
        PublishError::Store(error) => wrong(&error.to_string()),
        PublishError::Misuse(words) => wrong(words),
    }
}

#[cfg(feature = "whole")]
pub(crate) fn entry(given: &JsValue) -> Result<resourcesync::model::Entry, JsValue> {
    let entry = crate::plain::entry(given).map(|entry| entry.to_model(resourcesync::model::Shape::UrlSet));
    entry.map_err(|message| wrong(&message))
}

pub(crate) fn uri(text: &str) -> Result<Uri, JsValue> {
    text.parse().map_err(|_| wrong(&format!("`{text}` is not a URI")))
}
