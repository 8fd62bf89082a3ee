//! The format of recordings before HAR, which is still read: one JSON value per line.
//!
//! The first line names the format. Then each exchange has a line with its number, the request, status and headers; lines with its
//! number and a window of the body in base64; and a line with its number and how it ended.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;

use super::{
    Key,
    exchanges::Exchanges,
    key::{End, RecordedError},
};
use crate::system::reason;

/// How a file in this format begins.
pub(super) const START: &[u8] = b"{\"format\":";
const FORMAT: &str = "resourcesync-recording";
const VERSION: u64 = 1;
/// Maximum bytes of a line: headers at their limit, or a window in base64.
const LINE: u64 = 4 << 20;

/// The first line.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Form {
    format: String,
    format_version: u64,
}

/// Every other line.
#[derive(Debug, Deserialize)]
struct Line {
    /// The number of its exchange.
    id: u64,
    #[serde(flatten)]
    key: Option<Key>,
    status: Option<u16>,
    #[serde(default)]
    headers: Vec<(String, String)>,
    /// A window of the body as transferred, in base64.
    body: Option<String>,
    end: Option<End>,
    /// The error, if it failed.
    error: Option<RecordedError>,
}

/// Reads the exchanges of a file. An incomplete last line is ignored, and makes the result true.
pub(super) fn read(mut file: BufReader<File>, exchanges: &mut Exchanges) -> Result<bool, String> {
    let mut number = 0_u64;
    loop {
        let mut text = Vec::new();
        file.by_ref().take(LINE).read_until(b'\n', &mut text).map_err(|error| reason(&error).to_string())?;
        number = number.saturating_add(1);
        let wrong = |why: &str| format!("line {number}: {why}");
        if text.last() != Some(&b'\n') {
            let is_long = text.len() as u64 >= LINE;
            return if is_long { Err(wrong("it is too long")) } else { Ok(!text.is_empty()) };
        }
        if number == 1 {
            let form: Form = serde_json::from_slice(&text).map_err(|_| "it is not a recording")?;
            if form.format != FORMAT || form.format_version != VERSION {
                return Err(format!("it is not a recording of version {VERSION}"));
            }
            continue;
        }
        let line: Line = serde_json::from_slice(&text).map_err(|error| wrong(&error.to_string()))?;
        if let Some(key) = line.key {
            exchanges.begin(line.id, key, line.status, line.headers);
        }
        if let Some(body) = line.body {
            let bytes = STANDARD.decode(body).map_err(|_| wrong("the body is not base64"))?;
            exchanges.body(line.id, &bytes).map_err(|why| wrong(&why))?;
        }
        if let Some(end) = line.end {
            exchanges.end(line.id, end, line.error.as_ref()).map_err(|why| wrong(&why))?;
        }
    }
}
