//! What changed between two publications, and whether it may be published.

use resourcesync::{
    build::{self, Amount, Effect, Rotate},
    value::Change,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    convert::{entry, uri},
    fail::{Kind, fail, refuse, wrong},
    plain::moment,
};

/// True if two entries describe the same version of a resource.
///
/// # Errors
///
/// If one is not an entry.
#[wasm_bindgen(js_name = isSameVersion)]
pub fn is_same_version(old: &JsValue, new: &JsValue) -> Result<bool, JsValue> {
    Ok(build::is_same_version(&entry(old)?, &entry(new)?))
}

/// Rejects a resource whose URI was listed before.
///
/// # Errors
///
/// Always: the rejection.
#[wasm_bindgen(js_name = refuseRepeated)]
pub fn refuse_repeated(uri: &str) -> Result<(), JsValue> {
    let refused = build::Refused::repeated(uri);
    Err(refuse(refused.diagnostic(), refused.is_full()))
}

/// The time of a change that was found by comparing two runs.
///
/// # Errors
///
/// If the change or a time is invalid.
#[wasm_bindgen(js_name = changeMoment)]
pub fn change_moment(lastmod: Option<String>, change: &str, before: &str, now: &str) -> Result<String, JsValue> {
    let change: Change = change.parse().map_err(|_| wrong(&format!("`{change}` is not a change")))?;
    let (before, now) = (moment(before)?, moment(now)?);
    Ok(build::change_moment(lastmod.as_deref(), &change, Some(&before), &now).to_string())
}

/// Rejects deletions and numbers of entries that are not allowed; `published` is the number of published resources, if there are any.
///
/// # Errors
///
/// If they are not allowed, or an amount is invalid.
#[wasm_bindgen(js_name = checkUpdate)]
pub fn check_update(
    published: Option<f64>,
    resources: f64,
    deleted: f64,
    max_delete: Option<String>,
    expect_entries: Option<String>,
) -> Result<(), JsValue> {
    let effect =
        Effect { published: published.map(|count| count as u64), resources: resources as u64, deleted: deleted as u64 };
    let (max_delete, expected) = (amount("maxDelete", max_delete)?, amount("expectEntries", expect_entries)?);
    effect.check(max_delete, expected).map_err(|guard| fail(Kind::Guard, &guard.to_string()))
}

fn amount(name: &str, text: Option<String>) -> Result<Option<Amount>, JsValue> {
    let wrong = |text: &str, expected: String| wrong(&format!("{name}: `{text}` is not {expected}"));
    text.map(|text| text.parse().map_err(|expected| wrong(&text, expected))).transpose()
}

/// Whether an open Change List with this number of changes, open for these seconds, is to be closed.
///
/// # Errors
///
/// If the condition is invalid.
#[wasm_bindgen(js_name = isRotationDue)]
pub fn is_rotation_due(rotate: Option<String>, changes: f64, seconds: f64) -> Result<bool, JsValue> {
    let wrong = |text: &str, expected: String| wrong(&format!("rotate: `{text}`: {expected}"));
    let rotate: Rotate = match rotate {
        Some(text) => text.parse().map_err(|expected| wrong(&text, expected))?,
        None => Rotate::default(),
    };
    Ok(rotate.is_due(changes as u64, seconds as i64))
}

/// The seconds since 1970 of a time.
///
/// # Errors
///
/// If it is invalid.
#[wasm_bindgen(js_name = secondsOf)]
pub fn seconds_of(text: &str) -> Result<f64, JsValue> {
    Ok(moment(text)?.to_unix().0 as f64)
}

/// The default page that describes a Source.
///
/// # Errors
///
/// If the base is not a URI.
#[wasm_bindgen(js_name = aboutPage)]
pub fn about_page(documents: &str, sets: Vec<String>) -> Result<String, JsValue> {
    Ok(build::about_page(&uri(documents)?, sets.iter().map(String::as_str), ".xml"))
}
