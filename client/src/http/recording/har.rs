//! HTTP Archive 1.2, the format of recordings: how an entry is written, and how a file is read.
//!
//! An exchange is one entry, or several if its body is long: then each has a part of the body. The member `_exchange` has what the
//! format has no place for. A file is read entry by entry; of other programs' files, entries without `_exchange` are complete.

use std::{
    cell::Cell,
    fmt,
    fs::File,
    io::{self, BufReader, Read},
    rc::Rc,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use resourcesync_notify::moment::Timestamp;
use serde::{
    Deserialize, Serialize,
    de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, json};

use super::{
    Key,
    exchanges::Exchanges,
    key::{End, RecordedError},
};

/// How a file of this program begins.
pub(super) const OWN: &str = "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"resourcesync\",";
/// How it ends, after each entry.
pub(super) const FINISH: &str = "\n]}}\n";
/// Maximum bytes of an entry that is read. Those that are written are smaller.
const ENTRY: u64 = 64 << 20;

/// What a file has before its first entry.
pub(super) fn start() -> String {
    format!("{OWN}\"version\":\"{}\"}},\"entries\":[", env!("CARGO_PKG_VERSION"))
}

/// What an entry says about its exchange.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Exchanged {
    /// The number of the exchange.
    pub(super) id: u64,
    #[serde(flatten)]
    pub(super) key: Key,
    /// How it ended; absent if more of its body follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<End>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<RecordedError>,
}

/// The response of an entry, which several entries of one exchange repeat.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: Option<u16>,
    pub(super) headers: Vec<(String, String)>,
    /// When it was received, and how long after it the entry is complete.
    pub(super) received: Timestamp,
    pub(super) taken: u64,
}

/// An entry with a part of the body as transferred.
pub(super) fn entry(exchanged: &Exchanged, head: &Head, body: &[u8]) -> Value {
    let first = |name: &str| head.headers.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value);
    let headers: Vec<Value> =
        head.headers.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    let mut content = json!({ "size": body.len(), "mimeType": first("content-type") });
    match str::from_utf8(body) {
        Ok(text) => content["text"] = json!(text),
        Err(_) => {
            content["text"] = json!(STANDARD.encode(body));
            content["encoding"] = json!("base64");
        }
    }
    json!({
        "startedDateTime": head.received.to_string(),
        "time": head.taken,
        "request": {
            "method": exchanged.key.method(), "url": exchanged.key.uri(), "httpVersion": "HTTP/1.1",
            "cookies": [], "headers": [], "queryString": [], "headersSize": -1, "bodySize": -1,
        },
        "response": {
            "status": head.status.unwrap_or(0), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": headers, "content": content, "redirectURL": first("location"),
            "headersSize": -1, "bodySize": body.len(),
        },
        "cache": {},
        "timings": { "send": 0, "wait": 0, "receive": head.taken },
        "_exchange": exchanged,
    })
}

/// What is read of an entry.
#[derive(Debug, Deserialize)]
struct Entry {
    request: Request,
    response: Response,
    #[serde(rename = "_exchange")]
    exchange: Option<Exchanged>,
}

#[derive(Debug, Deserialize)]
struct Request {
    method: String,
    url: String,
    #[serde(default)]
    headers: Vec<Field>,
}

#[derive(Debug, Deserialize)]
struct Response {
    status: u16,
    headers: Vec<Field>,
    content: Content,
}

#[derive(Debug, Deserialize)]
struct Field {
    name: String,
    value: String,
}

#[derive(Debug, Deserialize)]
struct Content {
    #[serde(default)]
    text: String,
    encoding: Option<String>,
    /// The bytes of the decoded body; -1 if that is unknown.
    size: Option<f64>,
}

/// Reads the exchanges of a file. If it ends too early, as after a killed run, the entries up to there count, and the result is true.
pub(super) fn read(file: BufReader<File>, exchanges: &mut Exchanges) -> Result<bool, String> {
    let left = Rc::new(Cell::new(ENTRY));
    let mut has_entries = false;
    let entries = Entries {
        path: &["log", "entries"],
        has_begun: &mut has_entries,
        take: &mut |entry| {
            left.set(ENTRY);
            add(entry, exchanges)
        },
    };
    let mut json = serde_json::Deserializer::from_reader(Bounded { file, left: left.clone() });
    let read = entries.deserialize(&mut json).and_then(|()| json.end());
    match read {
        Err(error) if error.is_eof() && has_entries => Ok(true),
        Err(error) if has_entries => Err(error.to_string()),
        Ok(()) if has_entries => Ok(false),
        _ => Err("it is empty, or not a recording".to_owned()),
    }
}

fn add(entry: Entry, exchanges: &mut Exchanges) -> Result<(), String> {
    let Entry { request, response, exchange } = entry;
    let Content { text, encoding, size } = response.content;
    let body = match encoding.as_deref() {
        Some("base64") => STANDARD.decode(text).map_err(|_| "a body is not base64")?,
        _ => text.into_bytes(),
    };
    let fields = response.headers.into_iter().map(|field| (field.name.to_ascii_lowercase(), field.value));
    let (own, headers) = match exchange {
        Some(own) => (own, fields.collect()),
        // Other programs record decoded bodies, and may leave them out.
        None => {
            let mut fields: Vec<(String, String)> = fields.filter(|(name, _)| !name.starts_with(':')).collect();
            let is_coded = fields.iter().any(|(name, _)| name == "content-encoding");
            let stated = fields.iter().find(|(name, _)| name == "content-length" && !is_coded);
            let length: Option<u64> = stated.and_then(|(_, value)| value.trim().parse().ok());
            if !request.method.eq_ignore_ascii_case("HEAD") {
                let is_whole = size.is_none_or(|size| size <= body.len() as f64)
                    && length.is_none_or(|length| length <= body.len() as u64);
                if (200..300).contains(&response.status) && !is_whole {
                    return Ok(());
                }
                let is_kept = length == Some(body.len() as u64);
                fields.retain(|(name, _)| name != "content-encoding" && (name != "content-length" || is_kept));
            }
            let range = request.headers.into_iter().find(|field| field.name.eq_ignore_ascii_case("range"));
            let key = Key::plain(request.method, request.url, range.map(|field| field.value));
            let end = (response.status > 0).then_some(End::Whole);
            (Exchanged { id: u64::MAX, key, end, error: None }, fields)
        }
    };
    if !exchanges.is_open(own.id) {
        exchanges.begin(own.id, own.key, (response.status > 0).then_some(response.status), headers);
    }
    exchanges.body(own.id, &body)?;
    own.end.map_or(Ok(()), |end| exchanges.end(own.id, end, own.error.as_ref()))
}

/// Finds the entries below the members of this path, and takes one at a time.
struct Entries<'a, F> {
    path: &'a [&'a str],
    has_begun: &'a mut bool,
    take: &'a mut F,
}

impl<'de, F: FnMut(Entry) -> Result<(), String>> DeserializeSeed<'de> for Entries<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.path.is_empty() { deserializer.deserialize_seq(self) } else { deserializer.deserialize_map(self) }
    }
}

impl<'de, F: FnMut(Entry) -> Result<(), String>> Visitor<'de> for Entries<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a recording")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match self.path {
                [first, path @ ..] if *first == name => {
                    map.next_value_seed(Entries { path, has_begun: &mut *self.has_begun, take: &mut *self.take })?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        *self.has_begun = true;
        while let Some(entry) = entries.next_element()? {
            (self.take)(entry).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// A file that ends with an error within an entry that is too long.
struct Bounded {
    file: BufReader<File>,
    left: Rc<Cell<u64>>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        let left = self.left.get().checked_sub(length as u64);
        self.left.set(left.ok_or_else(|| io::Error::other("an entry is too long"))?);
        Ok(length)
    }
}
