//! A repository that conforms to the protocol, for harvests over loopback.

use std::{collections::BTreeMap, sync::Mutex};

use super::body::{Body, header};

/// An item of a repository, with one record in each format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The datestamp, in the granularity of the repository.
    pub datestamp: String,
    /// Its sets.
    pub sets: Vec<String>,
    /// A word in the metadata; none if the item was deleted.
    pub version: Option<String>,
}

/// A repository.
pub struct Repository {
    /// The items by identifier.
    pub items: Mutex<BTreeMap<String, Item>>,
    /// The formats.
    pub formats: Vec<String>,
    /// Items in each page.
    pub page: usize,
    /// `deletedRecord` of `Identify`.
    pub deleted_record: &'static str,
    /// `granularity` of `Identify`.
    pub granularity: &'static str,
    /// `responseDate`.
    pub now: Mutex<String>,
}

impl Repository {
    /// A repository with this number of items, named `1`, `2` and so on, in the sets `odd` and `even`.
    pub fn new(count: usize, page: usize) -> Repository {
        let item = |number: usize| {
            let datestamp = format!("2025-06-01T00:{:02}:{:02}Z", number / 60 % 60, number % 60);
            let sets = vec![if number.is_multiple_of(2) { "even" } else { "odd" }.to_owned()];
            (number.to_string(), Item { datestamp, sets, version: Some("first".into()) })
        };
        Repository {
            items: Mutex::new((1..=count).map(item).collect()),
            formats: vec!["oai_dc".into()],
            page,
            deleted_record: "persistent",
            granularity: "YYYY-MM-DDThh:mm:ssZ",
            now: Mutex::new("2026-01-01T00:00:00Z".into()),
        }
    }

    /// Changes an item, or adds one.
    pub fn put(&self, identifier: &str, datestamp: &str, version: Option<&str>) {
        let item = Item { datestamp: datestamp.into(), sets: Vec::new(), version: version.map(str::to_owned) };
        self.items.lock().expect("no test panics here").insert(identifier.into(), item);
    }

    /// Removes an item without a trace.
    pub fn remove(&self, identifier: &str) {
        self.items.lock().expect("no test panics here").remove(identifier);
    }

    /// The response to a query, or to the body of a form.
    pub fn respond(&self, query: &str) -> Vec<u8> {
        let argument = |name: &str| {
            let pair = query.split('&').find_map(|pair| pair.split_once('=').filter(|(own, _)| *own == name));
            pair.map(|(_, value)| decoded(value)).unwrap_or_default()
        };
        let verb = argument("verb");
        let mut body = match verb.as_str() {
            "Identify" => Body { identify: Some(self.description()), ..Body::default() },
            "ListMetadataFormats" => Body { formats: Some(self.formats.clone()), ..Body::default() },
            "ListSets" => Body { sets: Some(vec!["even".into(), "odd".into()]), ..Body::default() },
            "GetRecord" => self.record(&argument("identifier"), &argument("metadataPrefix")),
            "ListRecords" | "ListIdentifiers" => {
                let token = argument("resumptionToken");
                let names = ["metadataPrefix", "from", "until", "set"].map(argument);
                let mut parts = token.split('!').map(str::to_owned);
                let [prefix, from, until, set] = match token.as_str() {
                    "" => names,
                    _ => [(); 4].map(|()| parts.next().unwrap_or_default()),
                };
                let at = parts.next().and_then(|at| at.parse().ok()).unwrap_or(0);
                self.list(verb == "ListRecords", [&prefix, &from, &until, &set], at)
            }
            _ => Body { errors: Some(vec!["badVerb".into()]), ..Body::default() },
        };
        body.response_date = Some(self.now.lock().expect("no test panics here").clone());
        body.bytes()
    }

    fn description(&self) -> BTreeMap<String, String> {
        let own = [
            ("granularity", self.granularity),
            ("earliestDatestamp", "2020-01-01T00:00:00Z".get(..self.granularity.len()).unwrap_or_default()),
            ("deletedRecord", self.deleted_record),
        ];
        own.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    fn record(&self, identifier: &str, prefix: &str) -> Body {
        match self.items.lock().expect("no test panics here").get(identifier) {
            Some(item) => Body { record: Some(element(identifier, item, prefix)), ..Body::default() },
            None => Body { errors: Some(vec!["idDoesNotExist".into()]), ..Body::default() },
        }
    }

    fn list(&self, is_records: bool, [prefix, from, until, set]: [&str; 4], at: usize) -> Body {
        let items = self.items.lock().expect("no test panics here");
        let is_wanted = |item: &Item| {
            item.datestamp.as_str() >= from
                && (until.is_empty() || item.datestamp.get(..until.len()).is_some_and(|own| own <= until))
                && (set.is_empty() || item.sets.iter().any(|own| own == set))
        };
        let all: Vec<_> = items.iter().filter(|(_, item)| is_wanted(item)).collect();
        if all.is_empty() {
            return Body { errors: Some(vec!["noRecordsMatch".into()]), ..Body::default() };
        }
        let page = all.iter().skip(at).take(self.page);
        let listed = match is_records {
            true => page.map(|(identifier, item)| element(identifier, item, prefix)).collect(),
            false => page.map(|(identifier, item)| header(&words(identifier, item))).collect(),
        };
        let next = at.saturating_add(self.page);
        let token = match next < all.len() {
            true => Some(format!("{prefix}!{from}!{until}!{set}!{next}")),
            false if at > 0 => Some(String::new()),
            false => None,
        };
        let (records, identifiers) = if is_records { (Some(listed), None) } else { (None, Some(listed)) };
        let token_attributes = format!("completeListSize=\"{}\" cursor=\"{at}\"", all.len());
        Body { records, identifiers, token, token_attributes, ..Body::default() }
    }
}

fn words(identifier: &str, item: &Item) -> String {
    let deleted = if item.version.is_none() { " deleted" } else { "" };
    let sets: String = item.sets.iter().map(|set| format!(" {set}")).collect();
    format!("{identifier} {}{sets}{deleted}", item.datestamp)
}

fn element(identifier: &str, item: &Item, prefix: &str) -> String {
    let metadata = item.version.as_ref().map_or(String::new(), |version| {
        format!("<metadata><d xmlns=\"http://a.example/{prefix}/\">{identifier} {version}</d></metadata>")
    });
    format!("<record>{}{metadata}</record>", header(&words(identifier, item)))
}

/// Text without percent-encoding.
pub fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        bytes.extend(u8::from_str_radix(digits, 16).ok());
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
