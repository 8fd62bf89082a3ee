//! Scripted providers: repositories that conform to the protocol, as their profile says, and edits of their responses.

use std::{collections::BTreeMap, fs};

use resourcesync_oai::stamp::{Granularity, Stamp};
use serde::Deserialize;

use super::repository::decoded;

/// A repository.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    /// What it is like.
    pub title: String,
    base_url: String,
    /// The elements of `Identify` after `baseURL` and `protocolVersion`.
    identify: Vec<(String, String)>,
    /// More elements of `Identify`.
    #[serde(default)]
    description: String,
    formats: Vec<Format>,
    /// `setSpec` and `setName`; none if the repository has no sets.
    #[serde(default)]
    sets: Vec<(String, String)>,
    records: Vec<Records>,
    /// Records in each page.
    page: usize,
    /// The attributes of a token: `{cursor}` and `{size}` stand for numbers.
    #[serde(default)]
    token_attributes: String,
    /// The form of a token: `{arguments}` is the request, `{at}` the position.
    token: String,
    /// Between the XML declaration and the root.
    #[serde(default)]
    before_root: String,
    /// The prefix of the elements of the protocol, with a colon.
    #[serde(default)]
    prefix: String,
    /// Everything before the first record is `noRecordsMatch`, or `badArgument`.
    #[serde(default = "no_records_match")]
    too_early: String,
}

fn no_records_match() -> String {
    "noRecordsMatch".into()
}

/// A format.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    prefix: String,
    schema: String,
    namespace: String,
    /// The metadata: `{n}` is the number of the record.
    metadata: String,
}

/// Records with identifiers and datestamps by number.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Records {
    count: usize,
    /// `{n}` is the number of the record.
    identifier: String,
    /// The datestamp of the first one, and seconds to the next.
    from: String,
    step: i64,
    #[serde(default)]
    sets: Vec<String>,
    #[serde(default)]
    deleted: bool,
}

/// One record.
struct Item {
    number: usize,
    identifier: String,
    stamp: Stamp,
    sets: Vec<String>,
    deleted: bool,
}

/// A response.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    /// The HTTP status.
    pub status: u16,
    /// Header fields, with names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Vec<u8>,
}

/// An edit of responses.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Words that the request has: in its query without percent-encoding, or `POST`, `GET`, `identity`. `!word` is one that it has
    /// not, `=query` the whole query.
    #[serde(default)]
    on: Vec<String>,
    /// The numbers of these requests, from 1, to which it applies; all if there are none.
    #[serde(default)]
    nth: Vec<usize>,
    /// Text, and what replaces it wherever it is.
    #[serde(default)]
    replace: Vec<(String, String)>,
    /// Instead of the body.
    body: Option<String>,
    status: Option<u16>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// The number of bytes after which the body is cut off.
    cut: Option<usize>,
    /// Responds as if this had been requested.
    query: Option<String>,
}

/// A provider: a profile, and edits of its responses.
#[derive(Debug, Clone)]
pub struct Provider {
    /// The profile.
    pub profile: Profile,
    edits: Vec<(Edit, usize)>,
}

impl Profile {
    /// The profile of this name.
    pub fn named(name: &str) -> Profile {
        let path = crate::case::corpus().join("oai/provider/profiles").join(format!("{name}.json"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    }

    /// Its base URL.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The same at another URL.
    #[must_use]
    pub fn at(mut self, base_url: &str) -> Profile {
        self.base_url = base_url.to_owned();
        self
    }

    fn granularity(&self) -> Granularity {
        let declared = self.identify.iter().find(|(name, _)| name == "granularity");
        declared.and_then(|(_, value)| Granularity::read(value)).expect("a granularity").0
    }

    fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for own in &self.records {
            let from = Stamp::read(&own.from).unwrap_or_else(|| panic!("{} is no datestamp", own.from));
            for at in 0..own.count {
                let number = items.len() + 1;
                items.push(Item {
                    number,
                    identifier: own.identifier.replace("{n}", &number.to_string()),
                    stamp: Stamp::from_unix(from.unix() + own.step * at as i64, self.granularity()),
                    sets: own.sets.clone(),
                    deleted: own.deleted,
                });
            }
        }
        items
    }
}

impl Provider {
    /// A provider.
    pub fn new(profile: Profile, edits: Vec<Edit>) -> Provider {
        Provider { profile, edits: edits.into_iter().map(|edit| (edit, 0)).collect() }
    }

    /// The response to a request: a query, or the body of a form.
    pub fn respond(&mut self, query: &str, is_post: bool, identity: bool) -> Scripted {
        let plain = decoded(&query.replace('+', " "));
        let mut asked = query.to_owned();
        let mut applied = Vec::new();
        for (edit, count) in &mut self.edits {
            let is_meant = |word: &str| match word {
                "POST" => is_post,
                "GET" => !is_post,
                "identity" => identity,
                word => word.strip_prefix('=').map_or_else(|| plain.contains(word), |whole| plain == whole),
            };
            let is_one = edit.on.iter().all(|word| match word.strip_prefix('!') {
                Some(word) => !is_meant(word),
                None => is_meant(word),
            });
            if is_one {
                *count += 1;
                if edit.nth.is_empty() || edit.nth.contains(count) {
                    applied.push(edit.clone());
                }
            }
        }
        if let Some(other) = applied.iter().find_map(|edit| edit.query.clone()) {
            asked = other;
        }
        let headers = [("content-type".to_owned(), "text/xml; charset=utf-8".to_owned())].into();
        let mut response = Scripted { status: 200, headers, body: self.page(&asked).into_bytes() };
        for edit in applied {
            if let Some(body) = &edit.body {
                response.body = body.clone().into_bytes();
            }
            if !edit.replace.is_empty() {
                let mut text = String::from_utf8(response.body).expect("pages are UTF-8");
                for (from, to) in &edit.replace {
                    assert!(text.contains(from), "{query}: {from} is not in {text}");
                    text = text.replace(from, to);
                }
                response.body = text.into_bytes();
            }
            response.body.truncate(edit.cut.unwrap_or(usize::MAX));
            response.status = edit.status.unwrap_or(response.status);
            response.headers.extend(edit.headers.clone());
        }
        response
    }

    fn page(&self, query: &str) -> String {
        let pairs: Vec<(String, String)> = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                (decoded(name), decoded(&value.replace('+', " ")))
            })
            .collect();
        let (content, is_rejected) = match self.content(&pairs) {
            Ok(content) => (content, false),
            Err(code) => (
                format!("<{}error code=\"{code}\">wrong</{}error>", self.profile.prefix, self.profile.prefix),
                matches!(code, "badVerb" | "badArgument"),
            ),
        };
        let echoed = pairs.iter().filter(|_| !is_rejected);
        let attributes: String = echoed.map(|(name, value)| format!(" {name}=\"{}\"", escaped(value))).collect();
        let Profile { prefix, before_root, base_url, .. } = &self.profile;
        let declared = prefix.strip_suffix(':').map_or("xmlns".to_owned(), |prefix| format!("xmlns:{prefix}"));
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>{before_root}<{prefix}OAI-PMH {declared}=\"http://www.openarchives.org/OAI/2.0/\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/ \
             http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd\">\n<{prefix}responseDate>{NOW}</{prefix}responseDate>\n\
             <{prefix}request{attributes}>{}</{prefix}request>\n{content}\n</{prefix}OAI-PMH>\n",
            escaped(base_url)
        )
    }

    /// The content of a page, or the code of an error.
    fn content(&self, pairs: &[(String, String)]) -> Result<String, &'static str> {
        let all = |name: &str| {
            pairs.iter().filter(|(own, _)| own == name).map(|(_, value)| value.as_str()).collect::<Vec<_>>()
        };
        let one = |name: &str| all(name).first().copied();
        let verb = match all("verb").as_slice() {
            [verb] => *verb,
            _ => return Err("badVerb"),
        };
        let (required, allowed): (&[&str], &[&str]) = match verb {
            "Identify" => (&[], &[]),
            "ListMetadataFormats" => (&[], &["identifier"]),
            "ListSets" => (&[], &["resumptionToken"]),
            "GetRecord" => (&["identifier", "metadataPrefix"], &["identifier", "metadataPrefix"]),
            "ListRecords" | "ListIdentifiers" => {
                (&["metadataPrefix"], &["metadataPrefix", "from", "until", "set", "resumptionToken"])
            }
            _ => return Err("badVerb"),
        };
        let token = one("resumptionToken");
        let is_wrong =
            pairs.iter().any(|(name, _)| name != "verb" && (!allowed.contains(&name.as_str()) || all(name).len() > 1))
                || (token.is_none() && required.iter().any(|name| one(name).is_none_or(str::is_empty)))
                || (token.is_some() && pairs.len() > 2);
        if is_wrong {
            return Err("badArgument");
        }
        let p = &self.profile.prefix;
        match verb {
            "Identify" => Ok(self.identify()),
            "ListMetadataFormats" => {
                if let Some(identifier) = one("identifier") {
                    self.item(identifier)?;
                }
                let formats: String = self
                    .profile
                    .formats
                    .iter()
                    .map(|own| {
                        format!(
                            "<{p}metadataFormat><{p}metadataPrefix>{}</{p}metadataPrefix><{p}schema>{}</{p}schema><{p}metadataNamespace>{}</{p}metadataNamespace></{p}metadataFormat>",
                            own.prefix, own.schema, own.namespace
                        )
                    })
                    .collect();
                Ok(format!("<{p}ListMetadataFormats>{formats}</{p}ListMetadataFormats>"))
            }
            "ListSets" => match (self.profile.sets.is_empty(), token) {
                (true, _) => Err("noSetHierarchy"),
                (_, Some(_)) => Err("badResumptionToken"),
                _ => {
                    let sets = self.profile.sets.iter();
                    let sets: String = sets
                        .map(|(spec, name)| {
                            format!("<{p}set><{p}setSpec>{spec}</{p}setSpec><{p}setName>{name}</{p}setName></{p}set>")
                        })
                        .collect();
                    Ok(format!("<{p}ListSets>{sets}</{p}ListSets>"))
                }
            },
            "GetRecord" => {
                let item = self.item(one("identifier").unwrap_or_default())?;
                let format = self.format(one("metadataPrefix").unwrap_or_default())?;
                Ok(format!("<{p}GetRecord>{}</{p}GetRecord>", self.record(&item, format)))
            }
            verb => self.list(verb, token, [one("metadataPrefix"), one("from"), one("until"), one("set")]),
        }
    }

    fn identify(&self) -> String {
        let Profile { prefix: p, base_url, identify, description, .. } = &self.profile;
        let mut elements: Vec<String> =
            identify.iter().map(|(name, value)| format!("<{p}{name}>{value}</{p}{name}>")).collect();
        elements.insert(1, format!("<{p}baseURL>{base_url}</{p}baseURL><{p}protocolVersion>2.0</{p}protocolVersion>"));
        format!("<{p}Identify>{}{description}</{p}Identify>", elements.concat())
    }

    fn item(&self, identifier: &str) -> Result<Item, &'static str> {
        self.profile.items().into_iter().find(|item| item.identifier == identifier).ok_or("idDoesNotExist")
    }

    fn format(&self, prefix: &str) -> Result<&Format, &'static str> {
        self.profile.formats.iter().find(|format| format.prefix == prefix).ok_or("cannotDisseminateFormat")
    }

    fn list(&self, verb: &str, token: Option<&str>, arguments: [Option<&str>; 4]) -> Result<String, &'static str> {
        let first = arguments.map(|value| value.unwrap_or_default().to_owned());
        let (first, at) = match token {
            Some(token) => self.position(token).ok_or("badResumptionToken")?,
            None => (first, 0),
        };
        let [prefix, from, until, set] = &first;
        let format = self.format(prefix)?;
        let dates = [from, until].map(|text| (!text.is_empty()).then(|| Stamp::read(text).ok_or("badArgument")));
        let [from, until] = dates.map(Option::transpose);
        let (from, until) = (from?, until?);
        let finest = self.profile.granularity();
        let is_too_fine = [from, until].into_iter().flatten().any(|stamp| stamp.granularity() > finest);
        let is_mixed = from.zip(until).is_some_and(|(from, until)| from.granularity() != until.granularity());
        let is_backwards = from.zip(until).is_some_and(|(from, until)| from.unix() > until.unix());
        if is_too_fine || is_mixed || is_backwards {
            return Err("badArgument");
        }
        if !set.is_empty() && self.profile.sets.is_empty() {
            return Err("noSetHierarchy");
        }
        let is_in = |own: &str| own == set || own.strip_prefix(set.as_str()).is_some_and(|rest| rest.starts_with(':'));
        let items: Vec<Item> = self
            .profile
            .items()
            .into_iter()
            .filter(|item| {
                from.is_none_or(|from| item.stamp.unix() >= from.unix())
                    && until.is_none_or(|until| item.stamp.unix() <= until.last_second())
                    && (set.is_empty() || item.sets.iter().any(|own| is_in(own)))
            })
            .collect();
        if items.is_empty() {
            let is_early = from.is_none() && until.is_some();
            return Err(if is_early && self.profile.too_early == "badArgument" {
                "badArgument"
            } else {
                "noRecordsMatch"
            });
        }
        let p = &self.profile.prefix;
        let page = items.iter().skip(at).take(self.profile.page);
        let listed: String = match verb {
            "ListRecords" => page.map(|item| self.record(item, format)).collect(),
            _ => page.map(|item| self.header(item)).collect(),
        };
        let next = at + self.profile.page;
        let attributes = self
            .profile
            .token_attributes
            .replace("{cursor}", &at.to_string())
            .replace("{size}", &items.len().to_string());
        let attributes = if attributes.is_empty() { attributes } else { format!(" {attributes}") };
        let token = match next < items.len() {
            true => {
                let token =
                    self.profile.token.replace("{arguments}", &first.join("/")).replace("{at}", &next.to_string());
                format!("<{p}resumptionToken{attributes}>{}</{p}resumptionToken>", escaped(&token))
            }
            false if at > 0 => format!("<{p}resumptionToken{attributes}/>"),
            false => String::new(),
        };
        Ok(format!("<{p}{verb}>{listed}{token}</{p}{verb}>"))
    }

    /// The request and the position that a token stands for.
    fn position(&self, token: &str) -> Option<([String; 4], usize)> {
        let (before, rest) = self.profile.token.split_once("{arguments}")?;
        let (between, after) = rest.split_once("{at}")?;
        let inside = token.strip_prefix(before)?.strip_suffix(after)?;
        let (arguments, at) = inside.rsplit_once(between)?;
        let arguments: Vec<String> = arguments.split('/').map(str::to_owned).collect();
        Some((arguments.try_into().ok()?, at.parse().ok()?))
    }

    fn record(&self, item: &Item, format: &Format) -> String {
        let p = &self.profile.prefix;
        let metadata = match item.deleted {
            true => String::new(),
            false => format!("<{p}metadata>{}</{p}metadata>", format.metadata.replace("{n}", &item.number.to_string())),
        };
        format!("<{p}record>{}{metadata}</{p}record>", self.header(item))
    }

    fn header(&self, item: &Item) -> String {
        let p = &self.profile.prefix;
        let sets: String = item.sets.iter().map(|set| format!("<{p}setSpec>{set}</{p}setSpec>")).collect();
        let status = if item.deleted { " status=\"deleted\"" } else { "" };
        format!(
            "<{p}header{status}><{p}identifier>{}</{p}identifier><{p}datestamp>{}</{p}datestamp>{sets}</{p}header>",
            escaped(&item.identifier),
            item.stamp
        )
    }
}

/// The time of every response.
const NOW: &str = "2026-01-01T00:00:00Z";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
