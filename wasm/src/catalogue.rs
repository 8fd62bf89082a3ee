//! What codes mean, as the command writes it.

use resourcesync::report::{
    Lang,
    catalogue::{Catalogue, table, to_json},
};
use resourcesync_oai::catalogue::rows;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind::Option as BadOption, fail},
    rendering::language,
};

/// What a code, a rule or a detail means: as text, Markdown or JSON.
///
/// # Errors
///
/// If nothing is called so, or many codes are; if format or language do not exist.
#[wasm_bindgen]
pub fn explanation(name: &str, lang: &str, format: &str) -> Result<String, JsValue> {
    let explanation = known(language(lang)?).explain(name).map_err(|error| fail(BadOption, &error.to_string()))?;
    match format {
        "text" => Ok(explanation.to_text()),
        "markdown" => Ok(explanation.to_markdown()),
        "json" => Ok(explanation.to_json()),
        _ => Err(fail(BadOption, &format!("format: `{format}` is none of text, markdown, json"))),
    }
}

/// All codes with their rules, or those selected: as text or JSON.
///
/// # Errors
///
/// If a selector, the format or the language does not exist.
#[wasm_bindgen(js_name = catalogue)]
pub fn list(select: Vec<String>, lang: &str, format: &str) -> Result<String, JsValue> {
    let lang = language(lang)?;
    let rows = known(lang).select(&select).map_err(|error| fail(BadOption, &error.to_string()))?;
    match format {
        "text" => Ok(table(&rows, lang)),
        "json" => Ok(to_json(&rows)),
        _ => Err(fail(BadOption, &format!("format: `{format}` is none of text, json"))),
    }
}

/// The codes of reports.
fn known(lang: Lang) -> Catalogue {
    Catalogue::new(lang).with(rows(lang))
}
