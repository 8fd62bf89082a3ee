//! Unambiguous repairs of a document.

use resourcesync::{
    limits::Limits,
    repair::{self, RepairError, RepairOptions, Repaired},
    report::TextSpan,
};
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Format, fail, wrong},
    object::object,
};

/// A repaired document.
#[derive(Serialize)]
struct RepairedText {
    text: String,
    repairs: Vec<Repair>,
    rewritten: bool,
}

/// One repair.
#[derive(Serialize)]
struct Repair {
    kind: &'static str,
    path: String,
    span: TextSpan,
    before: String,
    after: String,
}

/// Repairs the text of a document: `{ text, repairs, rewritten }`. One that cannot be read to its end stays as it is.
///
/// # Errors
///
/// If the time zone is invalid, or a repair would lose part of the document.
#[wasm_bindgen]
pub fn repair(text: &str, zone: Option<String>) -> Result<JsValue, JsValue> {
    let mut options = RepairOptions::default();
    if let Some(zone) = zone {
        let minutes = repair::zone(&zone);
        options.zone = Some(minutes.ok_or_else(|| wrong("zone: expected Z or an offset such as +09:00"))?);
    }
    let repaired = match repair::repair_text(text, &options, &Limits::default()) {
        Ok(repaired) => repaired,
        Err(RepairError::Unreadable(_)) => Repaired { text: text.to_owned(), repairs: Vec::new(), rewritten: false },
        Err(error) => return Err(fail(Format, &error.to_string())),
    };
    let repairs = repaired.repairs.into_iter().map(|own| Repair {
        kind: own.idea.as_str(),
        path: own.path,
        span: own.span.into(),
        before: own.before,
        after: own.after,
    });
    Ok(object(&RepairedText { text: repaired.text, repairs: repairs.collect(), rewritten: repaired.rewritten }))
}
