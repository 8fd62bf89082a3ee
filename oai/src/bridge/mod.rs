//! From OAI-PMH to ResourceSync: which resource of a Source a harvested record is.
//!
//! [`Bridge::resources`] makes the resources of an item from its records, and [`Bridge::events`] what to publish after some of them changed.
//! There is no I/O: whoever has the records publishes what they become.

mod about;
mod described;
mod item;
mod list;
mod place;

use alloc::{
    borrow::ToOwned,
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resourcesync::{
    api::plain::{Digests, Link},
    named_enum,
    publish::{Event, EventVerb, Record},
    value::{Parsed, Uri, Value},
};

pub use self::{
    about::About,
    described::Element,
    item::Item,
    list::List,
    place::{place, short_digest},
};
use crate::request::{Request, Verb};

named_enum! {
    /// What a Source offers of the records.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Form {
        /// Each record as a file, in lists of resources and changes.
        #[default]
        Files = "files",
        /// Packages only.
        Dump = "dump",
        /// The `GetRecord` URLs of the repository, without lengths and digests: the envelope differs with each response.
        Pointers = "pointers",
    }
}

/// The unreserved characters of RFC 3986 are not encoded.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The media type of metadata, and that of responses (OAI-PMH 2.0 §3.1.2.1).
const METADATA: &str = "application/xml";
const RESPONSE: &str = "text/xml";

/// How records become resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bridge {
    /// The base URL of the repository.
    pub repository: String,
    /// The base of the URIs of records; ends with a slash.
    pub base: String,
    /// What the Source offers.
    pub form: Form,
    /// The lists that were harvested: one set of resources each.
    pub lists: Vec<List>,
    /// The namespaces of formats.
    pub namespaces: BTreeMap<String, String>,
    /// True to link the sets of records.
    pub collections: bool,
    /// True if the digest that harvests compute is listed.
    pub digest: bool,
}

impl Bridge {
    /// The names of the sets of resources.
    pub fn sets(&self) -> impl Iterator<Item = String> {
        self.lists.iter().map(List::name)
    }

    /// What to publish of an item, given all of its records: of each record its state in each set that it may be in.
    ///
    /// What is there already, in the same version, is no change. A record that was deleted, or left a set, is deleted there.
    pub fn events(&self, records: &[Item<'_>]) -> Vec<Event> {
        let mut events = Vec::new();
        for record in records {
            for list in self.lists.iter().filter(|list| list.prefix == record.prefix) {
                let is_there = record.is_active && record.is_in(list);
                let resource = match is_there {
                    true => self.resource(record, records),
                    false => Record { uri: self.uri(record), ..Record::default() },
                };
                events.push(Event {
                    verb: if is_there { EventVerb::Upsert } else { EventVerb::Deleted },
                    datetime: record.moment().and_then(|stamp| stamp.to_string().parse().ok()),
                    record: Record { set: list.name(), ..resource },
                });
            }
        }
        events
    }

    /// The resources that the records of an item are in a set, each with the position of its record.
    pub fn resources_of_set(&self, records: &[Item<'_>], set: &str) -> Vec<(usize, Record)> {
        let mut resources = Vec::new();
        for list in self.lists.iter().filter(|list| list.name() == set) {
            let is_there = |(_, record): &(usize, &Item<'_>)| record.is_active && record.is_in(list);
            resources.extend(
                records
                    .iter()
                    .enumerate()
                    .filter(is_there)
                    .map(|(number, record)| (number, Record { set: set.to_owned(), ..self.resource(record, records) })),
            );
        }
        resources
    }

    /// The resources of an item, given all of its records.
    pub fn resources(&self, records: &[Item<'_>]) -> Vec<Record> {
        let is_there = |event: &Event| event.verb == EventVerb::Upsert;
        self.events(records).into_iter().filter(is_there).map(|event| event.record).collect()
    }

    fn resource(&self, record: &Item<'_>, all: &[Item<'_>]) -> Record {
        let is_pointer = self.form == Form::Pointers;
        let mut resource = Record {
            uri: self.uri(record),
            lastmod: record.version().map(|stamp| stamp.to_string()),
            media_type: Some(if is_pointer { RESPONSE } else { METADATA }.to_owned()),
            links: self.links(record, all),
            ..Record::default()
        };
        if !is_pointer {
            resource.length = record.length;
            resource.file = record.file.map(ToOwned::to_owned);
            let digest = record.sha256.filter(|_| self.digest);
            resource.hashes = digest.map(|digest| ("sha-256", digest)).into_iter().collect::<Digests>();
        }
        resource
    }

    /// The URI of a record as a resource.
    pub fn uri(&self, record: &Item<'_>) -> String {
        match self.form {
            Form::Pointers => self.get(record),
            Form::Files | Form::Dump => {
                let path = format!("{}.xml", place(record.prefix, record.identifier));
                let segments = path.split('/').map(|segment| utf8_percent_encode(segment, SEGMENT).to_string());
                format!("{}{}", self.base, segments.collect::<Vec<_>>().join("/"))
            }
        }
    }

    /// The URL with which the repository returns a record.
    fn get(&self, record: &Item<'_>) -> String {
        let request = Request::new(Verb::GetRecord);
        request.with("identifier", record.identifier).with("metadataPrefix", record.prefix).url(&self.repository)
    }

    fn links(&self, record: &Item<'_>, all: &[Item<'_>]) -> Vec<Link> {
        let mut links = Vec::new();
        if let Some(namespace) = self.namespaces.get(record.prefix).filter(|own| is_uri(own)) {
            links.push(link("profile", namespace.clone(), None));
        }
        if self.form != Form::Pointers {
            links.push(link("via", self.get(record), None));
        }
        let others = all.iter().filter(|other| other.is_active && other.prefix != record.prefix);
        for other in others.filter(|other| self.lists.iter().any(|list| other.is_in(list))) {
            let kind = if self.form == Form::Pointers { RESPONSE } else { METADATA };
            links.push(link("alternate", self.uri(other), Some(kind)));
        }
        if self.collections {
            for set in record.sets.iter().collect::<BTreeSet<_>>() {
                let request = Request::new(Verb::ListRecords).with("metadataPrefix", record.prefix).with("set", set);
                links.push(link("collection", request.url(&self.repository), None));
            }
        }
        let described: BTreeSet<&String> = record.described.iter().filter(|uri| is_web(uri)).collect();
        links.extend(described.into_iter().map(|uri| link("describes", uri.clone(), None)));
        links
    }
}

fn link(relation: &str, href: String, kind: Option<&str>) -> Link {
    Link {
        rel: Some(relation.to_owned()),
        href: Some(href),
        media_type: kind.map(ToOwned::to_owned),
        ..Link::default()
    }
}

fn is_uri(text: &str) -> bool {
    matches!(Uri::read(text), Parsed::Exact(_))
}

/// True for a URI that a browser can open.
fn is_web(text: &str) -> bool {
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    is_uri(text) && ["http", "https"].iter().any(|own| scheme.eq_ignore_ascii_case(own))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn bridge(form: Form) -> Bridge {
        let namespace = "http://www.openarchives.org/OAI/2.0/oai_dc/";
        Bridge {
            repository: "http://a.example/oai".into(),
            base: "http://b.example/".into(),
            form,
            lists: vec![List::new("oai_dc", None), List::new("x", None)],
            namespaces: [("oai_dc", namespace), ("x", "not a URI")].map(|(a, b)| (a.into(), b.into())).into(),
            collections: true,
            digest: true,
        }
    }

    fn item<'a>(prefix: &'a str, sets: &'a [String]) -> Item<'a> {
        Item { sha256: Some("ab"), length: Some(7), sets, ..Item::new("oai:a:1", prefix, Some("2026-01-02"), true) }
    }

    fn text(text: Option<&String>) -> &str {
        text.map(String::as_str).unwrap_or_default()
    }

    fn links(record: &Record) -> Vec<(&str, &str)> {
        record.links.iter().map(|link| (text(link.rel.as_ref()), text(link.href.as_ref()))).collect()
    }

    #[test]
    fn a_record_is_a_resource_with_the_digest_of_its_metadata() {
        let sets = ["s".to_owned()];
        let all = bridge(Form::Files).resources(&[item("oai_dc", &sets), item("x", &[])]);
        let [one, other] = all.as_slice() else { panic!("{all:?}") };
        assert!(one.uri.starts_with("http://b.example/records/oai_dc/") && one.uri.ends_with("/oai%253Aa%253A1.xml"));
        assert_eq!((one.length, one.hashes.get("sha-256"), one.set.as_str()), (Some(7), Some("ab"), "oai_dc"));
        assert_eq!((one.lastmod.as_deref(), one.media_type.as_deref()), (Some("2026-01-02"), Some("application/xml")));
        let get = "http://a.example/oai?verb=GetRecord&identifier=oai%3Aa%3A1&metadataPrefix=";
        let list = "http://a.example/oai?verb=ListRecords&metadataPrefix=oai_dc&set=s";
        let namespace = "http://www.openarchives.org/OAI/2.0/oai_dc/";
        let via = format!("{get}oai_dc");
        let expected = [("profile", namespace), ("via", &via), ("alternate", other.uri.as_str()), ("collection", list)];
        assert_eq!(links(one), expected);
        assert_eq!(links(other).iter().map(|(relation, _)| *relation).collect::<Vec<_>>(), ["via", "alternate"]);
    }

    #[test]
    fn a_pointer_has_no_digest_since_the_envelope_differs_with_each_response() {
        let all = bridge(Form::Pointers).resources(&[item("oai_dc", &[])]);
        let [one] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(one.uri, "http://a.example/oai?verb=GetRecord&identifier=oai%3Aa%3A1&metadataPrefix=oai_dc");
        assert_eq!((one.length, one.hashes.is_empty(), one.media_type.as_deref()), (None, true, Some("text/xml")));
        assert!(links(one).iter().all(|(relation, _)| *relation == "profile"));
    }

    #[test]
    fn a_record_is_deleted_from_a_set_that_it_left_and_linked_only_where_it_is() {
        let own = ["a:b".to_owned()];
        let lists = vec![List::new("oai_dc", Some("a")), List::new("oai_dc", Some("c"))];
        let bridge = Bridge { lists, ..bridge(Form::Files) };
        let said = |items: &[Item<'_>]| -> Vec<(String, &'static str)> {
            bridge.events(items).into_iter().map(|event| (event.record.set, event.verb.as_str())).collect()
        };
        let expected = |a, c| [("oai_dc.a".to_owned(), a), ("oai_dc.c".to_owned(), c)];
        assert_eq!(said(&[item("oai_dc", &own)]), expected("upsert", "deleted"));
        let gone = Item { is_active: false, ..item("oai_dc", &own) };
        assert_eq!(said(&[gone, item("x", &own)]), expected("deleted", "deleted"));
        assert!(
            bridge.resources(&[item("oai_dc", &own), item("x", &own)])[0]
                .links
                .iter()
                .all(|link| { link.rel.as_deref() != Some("alternate") })
        );
    }

    #[test]
    fn only_web_addresses_are_described() {
        let values = ["https://a.example/1", "doi:10.1/2", "http://a b", "https://a.example/1"].map(ToOwned::to_owned);
        let one = Item { described: &values, ..item("oai_dc", &[]) };
        let all = bridge(Form::Files).resources(&[one]);
        let described = links(&all[0]).into_iter().filter(|(relation, _)| *relation == "describes");
        assert_eq!(described.collect::<Vec<_>>(), [("describes", "https://a.example/1")]);
    }
}
