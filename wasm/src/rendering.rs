//! A report in another format, a finding in another language.

use std::collections::BTreeMap;

use resourcesync::{
    diagnostic::Arg,
    report::{self, Format, Lang, Render, Report},
};
use resourcesync_oai::provider::family;
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::fail::{
    Kind::{Format as NoReport, Option as BadOption},
    fail,
};

/// A format as the package describes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FormatInfo {
    name: &'static str,
    media_type: &'static str,
    extension: &'static str,
}

/// The formats of reports.
///
/// # Errors
///
/// If the conversion fails.
#[wasm_bindgen]
pub fn formats() -> Result<JsValue, JsValue> {
    let info = |format: &Format| FormatInfo {
        name: format.as_str(),
        media_type: format.media_type(),
        extension: format.extension(),
    };
    Ok(serde_wasm_bindgen::to_value(&Format::ALL.iter().map(info).collect::<Vec<_>>())?)
}

/// Renders a report in a format.
///
/// # Errors
///
/// If the text is not a report, or format or language are unknown.
#[wasm_bindgen]
pub fn render(
    json: &str,
    format: &str,
    lang: &str,
    color: bool,
    max_per_rule: Option<f64>,
    width: Option<u32>,
) -> Result<String, JsValue> {
    let format =
        Format::find(format).ok_or_else(|| fail(BadOption, &format!("format: no format is called `{format}`")))?;
    let report = Report::from_json(json).map_err(|error| fail(NoReport, &error))?.with_families(&[family()]);
    let usual = Render::default();
    let max_per_rule = max_per_rule.map_or(usual.max_per_rule, |most| most as u64);
    Ok(report::render(&report, format, &Render { lang: language(lang)?, color, max_per_rule, width }))
}

/// The message and the help of a finding: its code, its arguments as JSON, its cause as JSON if it has one.
///
/// # Errors
///
/// If the code or language is unknown, or the arguments are invalid.
#[wasm_bindgen]
pub fn words(code: &str, args: &str, cause: Option<String>, lang: &str) -> Result<Vec<String>, JsValue> {
    let lang = language(lang)?;
    let mut args: BTreeMap<String, Arg> =
        serde_json::from_str(args).map_err(|error| fail(NoReport, &format!("args: {error}")))?;
    if let Some(cause) = cause {
        let cause = serde_json::from_str(&cause).map_err(|error| fail(NoReport, &format!("cause: {error}")))?;
        args.insert("cause".to_owned(), Arg::Reason(cause));
    }
    let words = report::words(code, &args, lang, &[family()]);
    let (message, help) = words.ok_or_else(|| fail(NoReport, &format!("no code is called `{code}`")))?;
    Ok(vec![message, help])
}

pub(crate) fn language(tag: &str) -> Result<Lang, JsValue> {
    Lang::find(tag).ok_or_else(|| fail(BadOption, &format!("lang: `{tag}` is none of en, ja")))
}
