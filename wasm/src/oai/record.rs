//! The records of a page: their values as JSON, their bytes in one piece.

use resourcesync::value::to_hex;
use resourcesync_oai::page::{Markup, Record, digest};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

/// A record; its bytes are at these places among those of the page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PackedRecord<'a> {
    identifier: &'a str,
    datestamp: Option<&'a str>,
    is_deleted: bool,
    sets: &'a [String],
    metadata: Option<(usize, usize)>,
    standalone: Option<(usize, usize)>,
    about: Vec<(usize, usize)>,
}

/// The records as JSON; their bytes are appended.
pub(super) fn packed(records: &[Record], bytes: &mut Vec<u8>) -> String {
    let mut all = Vec::new();
    for record in records {
        let mut put = |part: &[u8]| {
            let from = bytes.len();
            bytes.extend_from_slice(part);
            (from, bytes.len())
        };
        let metadata = record.metadata.as_ref().map(|markup| put(&markup.raw));
        let alone = record.metadata.as_ref().map(Markup::standalone);
        // Most metadata declares all that it needs.
        let standalone = match (&record.metadata, &alone) {
            (Some(markup), Some(alone)) if **alone != *markup.raw => Some(put(alone)),
            _ => metadata,
        };
        all.push(PackedRecord {
            identifier: &record.header.identifier,
            datestamp: record.header.datestamp.as_ref().map(|stamp| stamp.text.as_str()),
            is_deleted: record.header.is_deleted,
            sets: &record.header.sets,
            metadata,
            standalone,
            about: record.about.iter().map(|markup| put(&markup.raw)).collect(),
        });
    }
    serde_json::to_string(&all).unwrap_or_default()
}

/// The SHA-256 of metadata that stands alone, as hexadecimal digits. Most readers of records never ask for it: for all records, it takes a quarter of their time.
#[wasm_bindgen(js_name = oaiDigest)]
pub fn hexadecimal(standalone: &[u8]) -> String {
    to_hex(&digest(standalone))
}
