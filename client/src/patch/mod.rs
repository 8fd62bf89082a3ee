//! Applies patches (Z39.99-2017 §14.4) to bytes in memory.
//!
//! | file | what it does |
//! | --- | --- |
//! | `json` | JSON as it is written: the order of keys, numbers and escapes stay |
//! | `json_patch` | JSON Patch (RFC 6902) |
//! | `merge_patch` | JSON Merge Patch (RFC 7396) |
//!
//! None of them defines the bytes of a result: a caller compares the renderings of [`Patched`] with what is listed.

mod json;
mod json_patch;
mod merge_patch;

use self::json::{Json, Layout};

/// A format of patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    JsonPatch,
    MergePatch,
}

/// A patched document.
#[derive(Debug)]
pub(crate) struct Patched(Json);

impl Format {
    /// The format with this media type.
    pub(crate) fn of(media_type: &str) -> Option<Format> {
        match media_type {
            // The standard has the name of the draft, too.
            "application/json-patch+json" | "application/json-patch" => Some(Format::JsonPatch),
            "application/merge-patch+json" => Some(Format::MergePatch),
            _ => None,
        }
    }

    /// Applies a patch to a document; `None` if one of them cannot be read, or the patch does not fit the document.
    pub(crate) fn apply(self, document: &[u8], patch: &[u8]) -> Option<Patched> {
        let (mut document, patch) = (Json::read(document)?, Json::read(patch)?);
        match self {
            Format::JsonPatch => json_patch::apply(&mut document, &patch)?,
            Format::MergePatch => merge_patch::apply(&mut document, patch),
        }
        Some(Patched(document))
    }
}

impl Patched {
    /// The ways in which the document may be written: without white space, indented by two and by four spaces; each without and with a
    /// line break at the end.
    pub(crate) fn renderings(&self) -> impl Iterator<Item = Vec<u8>> {
        let layouts = [Layout::Compact, Layout::Indented(2), Layout::Indented(4)];
        layouts.into_iter().flat_map(|layout| {
            let text = self.0.write(layout);
            [text.clone(), text + "\n"].map(String::into_bytes)
        })
    }
}
