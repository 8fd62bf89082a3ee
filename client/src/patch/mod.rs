//! Applies patches (Z39.99-2017 §14.4) to bytes in memory.
//!
//! | file | what it does |
//! | --- | --- |
//! | `json` | JSON as it is written: the order of keys, numbers and escapes stay |
//! | `json_patch` | JSON Patch (RFC 6902) |
//! | `merge_patch` | JSON Merge Patch (RFC 7396) |
//! | `xml` | XML as ranges of its text |
//! | `selector` | what the selectors of XML patches name |
//! | `xml_patch` | XML patches (RFC 5261, RFC 7351) |
//!
//! JSON patches do not define the bytes of a result: a caller compares the renderings of [`Patched`] with what is listed.

mod json;
mod json_patch;
mod merge_patch;
mod selector;
mod xml;
mod xml_patch;

use self::json::{Json, Layout};

/// A format of patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// RFC 6902.
    Json,
    /// RFC 7396.
    Merge,
    /// RFC 7351.
    Xml,
}

/// A patched document.
#[derive(Debug)]
pub(crate) struct Patched(Document);

#[derive(Debug)]
enum Document {
    Json(Json),
    Xml(String),
}

impl Format {
    /// The format with this media type.
    pub(crate) fn of(media_type: &str) -> Option<Format> {
        match media_type {
            // The standard has the name of the draft, too.
            "application/json-patch+json" | "application/json-patch" => Some(Format::Json),
            "application/merge-patch+json" => Some(Format::Merge),
            // The standard's example has the type of error reports of the same RFC.
            "application/xml-patch+xml" | "application/patch-ops-error+xml" => Some(Format::Xml),
            _ => None,
        }
    }

    /// Applies a patch to a document; `None` if one of them cannot be read, or the patch does not fit the document.
    pub(crate) fn apply(self, document: &[u8], patch: &[u8]) -> Option<Patched> {
        let json = || Json::read(document).zip(Json::read(patch));
        match self {
            Format::Json => {
                let (mut document, patch) = json()?;
                json_patch::apply(&mut document, &patch)?;
                Some(Patched(Document::Json(document)))
            }
            Format::Merge => {
                let (mut document, patch) = json()?;
                merge_patch::apply(&mut document, patch);
                Some(Patched(Document::Json(document)))
            }
            Format::Xml => {
                let text = |bytes| std::str::from_utf8(bytes).ok();
                xml_patch::apply(text(document)?, text(patch)?).map(|text| Patched(Document::Xml(text)))
            }
        }
    }
}

impl Patched {
    /// The ways in which the document may be written. JSON has no white space, or is indented by two or by four spaces; each without and with
    /// a line break at the end.
    pub(crate) fn renderings(self) -> impl Iterator<Item = Vec<u8>> {
        const LAYOUTS: [Layout; 3] = [Layout::Compact, Layout::Indented(2), Layout::Indented(4)];
        let (xml, json) = match self.0 {
            Document::Xml(text) => (Some(text.into_bytes()), None),
            Document::Json(json) => (None, Some(json)),
        };
        let written = move |layout| json.as_ref().map(|json| json.write(layout));
        let written = LAYOUTS.into_iter().filter_map(written);
        xml.into_iter().chain(written.flat_map(|text| [text.clone(), text + "\n"].map(String::into_bytes)))
    }
}
