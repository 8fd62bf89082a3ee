//! Recordings of exchanges (HTTP Archive 1.2), of this program, a browser or a proxy: each response of a repository by itself.
//!
//! An exchange is one entry. In recordings of this program a long body is several entries with the same number in `_exchange`, of which the last one
//! has its end.

use alloc::{borrow::Cow, collections::BTreeMap, format, string::String, vec::Vec};
use core::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use resourcesync::{
    codec::Gunzip,
    diagnostic::{Reason, ReasonCode},
    report::Via,
};
use serde::{
    Deserialize,
    de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

use super::{Answer, FileCheck, answer::Context, ask::Ask, file::WINDOW, kind::is_response, step::Step};
use crate::{harvest::ResponseHead, request::Verb};

/// Bodies that have begun and not ended: each of them costs the memory of a reader.
const OPEN: usize = 256;

/// How gzip begins (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

impl FileCheck {
    /// Adds the responses of a recording, each by itself; what is not about OAI-PMH is left out. Without any, the recording itself is an input that could
    /// not be read.
    pub fn recording<'de, D: Deserializer<'de>>(&mut self, name: &str, via: Via, archive: D) {
        let mut exchanges = Exchanges { check: self, name, via, found: 0, open: BTreeMap::new() };
        let read = Entries { path: &["log", "entries"], exchanges: &mut exchanges }.deserialize(archive);
        exchanges.close();
        let found = exchanges.found;
        match read {
            Err(error) => self.unreadable(name, via, Reason::other(format!("it is not a recording: {error}"))),
            Ok(()) if found == 0 => {
                self.unreadable(name, via, Reason::other("it has no response of an OAI-PMH repository"));
            }
            Ok(()) => {}
        }
    }
}

/// The exchanges of a recording.
struct Exchanges<'a> {
    check: &'a mut FileCheck,
    name: &'a str,
    via: Via,
    found: u64,
    /// Those whose end is in a later entry, by number.
    open: BTreeMap<u64, Open>,
}

impl Exchanges<'_> {
    fn take(&mut self, entry: Entry) {
        let Entry { request, response, exchange } = entry;
        let Some(body) = response.content.bytes() else {
            return self.unreadable(&request, Reason::other("its body is not base64"));
        };
        let id = exchange.as_ref().map(|own| own.id);
        let known = id.and_then(|id| self.open.remove(&id));
        let is_asked = request.arguments().iter().any(|(name, _)| name == "verb");
        let is_coded = response.is_coded(&body);
        if known.is_none() && !is_asked && !is_coded && !is_response(&body) {
            return;
        }
        let mut open = known.unwrap_or_else(|| Open {
            request,
            answer: Answer::new(Context::default(), response.head(), self.check.plan()),
            gunzip: is_coded.then(|| Gunzip::new(self.check.plan().limits.inflate_ratio)),
            is_readable: true,
        });
        open.push(&body);
        match (id, exchange.as_ref().map_or(Some("whole"), |own| own.end.as_deref())) {
            (Some(id), None) => {
                self.open.insert(id, open);
                if self.open.len() > OPEN {
                    self.cut();
                }
            }
            (_, Some("failed")) => self.unreadable(&open.request, Reason::new(ReasonCode::ConnectionClosed)),
            _ if response.status == 0 => self.unreadable(&open.request, Reason::new(ReasonCode::ConnectionClosed)),
            _ => self.ended(open),
        }
    }

    fn ended(&mut self, open: Open) {
        let Open { request, mut answer, gunzip, mut is_readable } = open;
        if let Some(mut gunzip) = gunzip.filter(|_| is_readable && !answer.is_over()) {
            is_readable = gunzip.finish(&mut |bytes| answer.push(bytes)).is_ok() || answer.is_whole();
        }
        if !is_readable {
            return self.unreadable(&request, Reason::other("its body is not gzip"));
        }
        self.found = self.found.saturating_add(1);
        let name = self.input(&request);
        self.check.add_of(&name, Some(&request.url), self.via, *answer.finish());
    }

    fn unreadable(&mut self, request: &Request, reason: Reason) {
        self.found = self.found.saturating_add(1);
        let name = self.input(request);
        self.check.unreadable(&name, self.via, reason);
    }

    /// The body that began first has no end.
    fn cut(&mut self) {
        if let Some((_, open)) = self.open.pop_first() {
            self.unreadable(&open.request, Reason::new(ReasonCode::ConnectionClosed));
        }
    }

    /// A recording that ends early, as after a killed run, has bodies without an end.
    fn close(&mut self) {
        while !self.open.is_empty() {
            self.cut();
        }
    }

    fn input(&self, request: &Request) -> String {
        format!("{}: {}", self.name, request.name())
    }
}

/// A response being read.
struct Open {
    request: Request,
    answer: Answer,
    /// Recordings of this program have bodies as they were sent.
    gunzip: Option<Gunzip>,
    is_readable: bool,
}

impl Open {
    fn push(&mut self, body: &[u8]) {
        let Open { answer, gunzip, is_readable, .. } = self;
        for window in body.chunks(WINDOW) {
            if answer.is_over() || !*is_readable {
                break;
            }
            match gunzip {
                Some(gunzip) => *is_readable = gunzip.push(window, &mut |bytes| answer.push(bytes)).is_ok(),
                None => answer.push(window),
            }
        }
    }
}

#[derive(Deserialize)]
struct Entry {
    request: Request,
    response: Response,
    #[serde(rename = "_exchange")]
    exchange: Option<Exchange>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    method: String,
    url: String,
    post_data: Option<PostData>,
}

#[derive(Deserialize)]
struct PostData {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Response {
    status: u16,
    #[serde(default)]
    headers: Vec<Field>,
    #[serde(default)]
    content: Content,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    value: String,
}

#[derive(Deserialize, Default)]
struct Content {
    #[serde(default)]
    text: String,
    encoding: Option<String>,
}

#[derive(Deserialize)]
struct Exchange {
    id: u64,
    end: Option<String>,
}

impl Response {
    fn header(&self, name: &str) -> Option<String> {
        let own = self.headers.iter().find(|own| own.name.eq_ignore_ascii_case(name));
        own.map(|own| own.value.clone())
    }

    fn head(&self) -> ResponseHead {
        ResponseHead { status: self.status, content_type: self.header("content-type"), ..ResponseHead::default() }
    }

    /// True if the body is in the content coding that its head names; browsers record decoded bodies under the same head.
    fn is_coded(&self, body: &[u8]) -> bool {
        let names_gzip =
            self.header("content-encoding").is_some_and(|coding| coding.to_ascii_lowercase().contains("gzip"));
        names_gzip && body.starts_with(&GZIP)
    }
}

impl Content {
    fn bytes(&self) -> Option<Cow<'_, [u8]>> {
        match self.encoding.as_deref() {
            Some("base64") => STANDARD.decode(&self.text).ok().map(Cow::Owned),
            _ => Some(Cow::Borrowed(self.text.as_bytes())),
        }
    }
}

impl Request {
    /// The arguments of the query and of the form.
    fn arguments(&self) -> Vec<(String, String)> {
        let query = self.url.split('#').next().and_then(|url| url.split_once('?')).map_or("", |(_, query)| query);
        let form = self.post_data.as_ref().map_or("", |data| data.text.as_str());
        let decoded = |text: &str| {
            let spaced = text.replace('+', " ");
            percent_encoding::percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
        };
        let pairs = query.split('&').chain(form.split('&')).filter(|pair| !pair.is_empty());
        pairs
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .map(|(name, value)| (decoded(name), decoded(value)))
            .collect()
    }

    /// As a check names it.
    fn name(&self) -> String {
        let arguments = self.arguments();
        let verbs: Vec<&str> =
            arguments.iter().filter(|(name, _)| name == "verb").map(|(_, verb)| verb.as_str()).collect();
        let mut name = match verbs.as_slice() {
            [] => self.url.clone(),
            [verb] if Verb::find(verb).is_some() => Ask::raw(Step::Records, arguments).name(),
            _ => Ask::raw(Step::Invalid(0), arguments).name(),
        };
        if self.method.eq_ignore_ascii_case("POST") {
            name.push_str(", POST");
        }
        name
    }
}

/// Finds the entries below the members of this path, and takes one at a time.
struct Entries<'a, 'e> {
    path: &'a [&'a str],
    exchanges: &'a mut Exchanges<'e>,
}

impl<'de> DeserializeSeed<'de> for Entries<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.path.is_empty() { deserializer.deserialize_seq(self) } else { deserializer.deserialize_map(self) }
    }
}

impl<'de> Visitor<'de> for Entries<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a recording")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_entries = false;
        while let Some(name) = map.next_key::<String>()? {
            match self.path {
                [first, path @ ..] if *first == name => {
                    map.next_value_seed(Entries { path, exchanges: &mut *self.exchanges })?;
                    has_entries = true;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if has_entries { Ok(()) } else { Err(A::Error::custom("it has no entries")) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(entry) = entries.next_element()? {
            self.exchanges.take(entry);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use resourcesync::report::Report;
    use serde_json::{Value, json};

    use super::*;
    use crate::provider::{CheckPlan, is_recording, validate};

    const HEAD: &str = "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate>\
                        <request>http://a.example/oai</request>";

    fn entry(method: &str, query: &str, status: u16, content: &Value) -> Value {
        let url = alloc::format!("http://a.example/oai{query}");
        json!({
            "request": {"method": method, "url": url, "headers": []},
            "response": {"status": status, "headers": [{"name": "Content-Type", "value": "text/xml"}], "content": content},
        })
    }

    fn report(entries: &[Value]) -> Report {
        let archive = json!({"log": {"version": "1.2", "entries": entries, "comment": {"entries": []}}}).to_string();
        validate(archive.as_bytes(), "a.har", CheckPlan::new(""))
    }

    fn inputs(report: &Report) -> Vec<String> {
        report.inputs.iter().map(|input| alloc::format!("{} {}", input.name, input.kind.as_str())).collect()
    }

    #[test]
    fn each_response_of_a_repository_is_an_input_and_nothing_else() {
        let page = alloc::format!("{HEAD}<error code=\"badVerb\"/></OAI-PMH>");
        let text = json!({"text": page});
        let coded = json!({"text": STANDARD.encode(&page), "encoding": "base64"});
        let report = report(&[
            entry("GET", "?verb=Nothing&a=%20b", 200, &text),
            entry("GET", "/logo.png", 200, &json!({"text": "iVBORw0K", "encoding": "base64"})),
            entry("POST", "", 400, &coded),
            entry("GET", "?verb=ListRecords&metadataPrefix=oai_dc", 200, &json!({"text": "<html><p>sorry"})),
            entry("GET", "?verb=Identify", 0, &json!({})),
        ]);
        assert_eq!(
            inputs(&report),
            [
                "a.har: ?verb=Nothing&a= b oai-response",
                "a.har: http://a.example/oai, POST oai-response",
                "a.har: ListRecords (oai_dc) unknown",
                "a.har: Identify unknown",
            ]
        );
        let codes: Vec<_> = report.groups.iter().map(|group| (group.input, group.code.as_str())).collect();
        assert_eq!(codes, [(1, "OAI-51"), (2, "OAI-01")]);
        assert_eq!(report.inputs[1].uri.as_deref(), Some("http://a.example/oai"));
        assert!(report.inputs[3].reason.is_some());
    }

    #[test]
    fn a_body_in_several_entries_is_one_response() {
        let (one, two) = HEAD.split_at(100);
        let part = |id: u64, text: &str, end: Option<&str>| {
            let mut entry = entry("GET", "?verb=Identify", 200, &json!({"text": text}));
            entry["_exchange"] = json!({"id": id, "method": "GET", "uri": "http://a.example/oai", "end": end});
            entry
        };
        let rest = alloc::format!("{two}<error code=\"badVerb\"/></OAI-PMH>");
        let all = [part(1, one, None), part(2, one, None), part(1, &rest, Some("whole")), part(3, one, Some("failed"))];
        let report = report(&all);
        let kinds: Vec<_> = report.inputs.iter().map(|input| (input.kind.as_str(), input.reason.is_some())).collect();
        // The second one has no end.
        assert_eq!(kinds, [("oai-response", false), ("unknown", true), ("unknown", true)]);
        let many: Vec<Value> = (0..OPEN as u64 + 2).map(|id| part(id, one, None)).collect();
        assert_eq!(super::tests::report(&many).inputs.len(), many.len());
    }

    #[test]
    fn what_is_no_recording_is_said() {
        for (text, is_one) in
            [("\u{feff}{ \"log\":{}}", true), ("{\"logs\":1}", false), ("<OAI-PMH>", false), ("", false)]
        {
            assert_eq!(is_recording(text.as_bytes()), is_one, "{text}");
        }
        for text in
            ["{\"log\":{}}", "{\"log\":{\"entries\":[{}]}}", "{\"log\":{\"entries\":[]}}", "{\"log\":{\"entries\":["]
        {
            let report = validate(text.as_bytes(), "a.har", CheckPlan::new(""));
            assert_eq!(inputs(&report), ["a.har unknown"], "{text}");
            assert!(report.inputs[0].reason.is_some(), "{text}");
        }
    }
}
