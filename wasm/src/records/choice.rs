//! The options of a run, and why it does not continue what is published.

use resourcesync::{
    build::{Amount, BuildOptions, Rotate},
    publish::{Mismatch, options_text},
    value::{Datetime, Uri},
};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::{
    convert::uri,
    fail::{Kind, fail, first_line, wrong},
    plain::moment,
};

/// The extension of documents.
pub(super) const SUFFIX: &str = ".xml";

/// The options of a run.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Given {
    base_uri: String,
    documents_uri: String,
    at: Option<String>,
    describedby: Option<String>,
    max_delete: Option<String>,
    expect_entries: Option<String>,
    rotate: Option<String>,
    keep: Option<usize>,
    force: bool,
}

/// The options of a run, parsed.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) base: Uri,
    pub(super) documents: Uri,
    pub(super) at: Option<Datetime>,
    pub(super) describedby: Option<Uri>,
    pub(super) max_delete: Option<Amount>,
    pub(super) expect_entries: Option<Amount>,
    pub(super) rotate: Rotate,
    pub(super) keep: Option<usize>,
    pub(super) force: bool,
    /// How documents are built.
    pub(super) builders: BuildOptions,
}

impl Choice {
    pub(super) fn read(given: &JsValue, builders: BuildOptions) -> Result<Choice, JsValue> {
        let given: Given =
            serde_wasm_bindgen::from_value(given.clone()).map_err(|error| wrong(&first_line(&error.to_string())))?;
        let amount = |name: &str, text: Option<String>| {
            let wrong = |text: &str, expected: String| wrong(&format!("{name}: `{text}` is not {expected}"));
            text.map(|text| text.parse::<Amount>().map_err(|expected| wrong(&text, expected))).transpose()
        };
        let rotate = |text: String| text.parse().map_err(|expected| wrong(&format!("rotate: `{text}`: {expected}")));
        Ok(Choice {
            base: uri(&given.base_uri)?,
            documents: uri(&given.documents_uri)?,
            at: given.at.as_deref().map(moment).transpose()?,
            describedby: given.describedby.as_deref().map(uri).transpose()?,
            max_delete: amount("maxDelete", given.max_delete)?,
            expect_entries: amount("expectEntries", given.expect_entries)?,
            rotate: given.rotate.map(rotate).transpose()?.unwrap_or_default(),
            keep: given.keep,
            force: given.force,
            builders,
        })
    }

    /// The bases of the URIs, and the extension of documents.
    pub(super) fn uris(&self) -> (&str, &str, &str) {
        (self.base.as_str(), self.documents.as_str(), SUFFIX)
    }

    /// The options that affect the published documents.
    pub(super) fn wanted(&self) -> String {
        options_text(&[], &[], self.describedby.as_ref(), false, None)
    }
}

/// The error of a run that does not continue what is published.
pub(super) fn mismatch(mismatch: Mismatch) -> JsValue {
    let other = |what: &str, published: &str, given: &str| {
        format!("{what} is {given}, but the folder was published with {published}; publish to another folder")
    };
    let by_command =
        |what: &str| format!("the folder was published with {what} by the command; continue with the command");
    let message = match &mismatch {
        Mismatch::BaseUri { published, given } => other("baseUri", published, given),
        Mismatch::DocumentsUri { published, given } => other("documentsUri", published, given),
        Mismatch::Suffix { published, given } => other("the extension of documents", published, given),
        Mismatch::InSets => {
            "every resource is in a set, but the folder was published without sets; publish to another folder"
                .to_owned()
        }
        Mismatch::WithoutSets => {
            "no resource is in a set, but the folder was published with sets; publish to another folder".to_owned()
        }
        Mismatch::SetMissing(_) | Mismatch::SetAdded(_) => by_command("sets of files"),
        _ => by_command("packages or notifications"),
    };
    fail(Kind::Publish, &message)
}
