//! The Source: resources that change, documents, and a publisher that notifies the hub.

use std::collections::BTreeMap;

use resourcesync::{
    build::{
        CapabilityEntry, ChangeHistory, Interval, MemoryStore, NotifiedChange, Opened, Publication, Resource,
        ResourceChange, Settings,
    },
    fixity::Digester,
    value::{Algorithm, Capability, Datetime, Hashes, Uri},
};
use resourcesync_notify::{
    announce,
    exchange::{Answer, Headers, Method, Outgoing},
    publisher::{Credential, Options, Output, Publisher},
    state::State,
    topic::Topic,
};

use super::{HUB, SOURCE, TOKEN, TOPIC, random::Random};

/// A change of a resource.
struct Changed {
    time: i64,
    name: String,
    body: Option<String>,
    was: bool,
}

pub(super) struct Source {
    pub(super) publisher: Publisher,
    /// What the publisher keeps.
    pub(super) kept: State,
    pub(super) resources: BTreeMap<String, String>,
    /// Those since the last publication.
    fresh: Vec<Changed>,
    /// Those of the open Change List.
    open: Vec<Changed>,
    history: Option<ChangeHistory>,
    documents: BTreeMap<String, Vec<u8>>,
    /// What a cache may still have.
    before: BTreeMap<String, Vec<u8>>,
    published: u64,
    rotates: u64,
    until: Option<Datetime>,
}

/// The publisher authenticates itself to the hub.
pub(super) fn options() -> Options {
    let mut options = Options::default();
    let (origin, value) = (HUB.trim_end_matches('/').to_owned(), format!("Bearer {TOKEN}"));
    options.credentials = vec![Credential { origin, name: "Authorization".to_owned(), value }];
    options
}

fn time(seconds: i64) -> Datetime {
    Datetime::from_unix(seconds, 0).unwrap()
}

pub(super) fn digests(body: &str) -> Hashes {
    let mut digester = Digester::new([Algorithm::Md5]);
    digester.push(body.as_bytes());
    digester.finish()
}

fn uri(name: &str) -> Uri {
    format!("{SOURCE}{name}").parse().unwrap()
}

impl Source {
    pub(super) fn new(random: &mut Random) -> Source {
        Source {
            publisher: Publisher::new(options()),
            kept: State::new(),
            resources: BTreeMap::new(),
            fresh: Vec::new(),
            open: Vec::new(),
            history: None,
            documents: BTreeMap::new(),
            before: BTreeMap::new(),
            published: 0,
            rotates: 1 + random.below(6),
            until: None,
        }
    }

    /// Some resources change, each a second after the other; returns the time afterwards.
    pub(super) fn change(&mut self, random: &mut Random, mut now: i64) -> i64 {
        for _ in 0..1 + random.below(5) {
            now += 1;
            let name = format!("r/{}", random.below(12));
            let was = self.resources.contains_key(&name);
            let body = (!was || !random.once_in(3)).then(|| format!("{name} at {now}"));
            match &body {
                Some(body) => drop(self.resources.insert(name.clone(), body.clone())),
                None => drop(self.resources.remove(&name)),
            }
            self.fresh.push(Changed { time: now, name, body, was });
        }
        now + 1
    }

    /// Publishes the changes, and returns what the publisher makes of the notification.
    pub(super) fn publish(&mut self, now: i64) -> Vec<Output> {
        self.published += 1;
        self.before = std::mem::take(&mut self.documents);
        let at = time(now);
        let fresh = std::mem::take(&mut self.fresh);
        let notified: Vec<NotifiedChange> = fresh.iter().map(|change| notified(change).at(time(change.time))).collect();
        if self.history.is_some() {
            self.open.extend(fresh);
        }
        self.write(&at);
        let Some(from) = self.until.replace(at.clone()) else { return Vec::new() };
        let payloads = announce::changes(from, at, notified, &announce::Options::default()).unwrap();
        let topic = Topic { uri: TOPIC.to_owned(), hubs: vec![HUB.to_owned()], capability_list: None };
        payloads.into_iter().flat_map(|payload| self.publisher.queue(topic.clone(), payload)).collect()
    }

    fn write(&mut self, at: &Datetime) {
        let base: Uri = SOURCE.parse().unwrap();
        let mut store = MemoryStore::default();
        let mut settings = Settings::default();
        settings.describedby = Some(base.clone());
        let mut own = self.history.clone().unwrap_or_else(|| ChangeHistory::since(at.clone()));
        let mut publication = Publication::new(&mut store, base, at.clone(), settings).unwrap();
        publication.set("", Some(uri("set.html"))).unwrap();
        let channel =
            CapabilityEntry::channel(Capability::ChangeNotification, TOPIC.parse().unwrap(), HUB.parse().unwrap());
        publication.announce(channel).unwrap();
        let list = self
            .resources
            .iter()
            .map(|(name, body)| Resource::new(uri(name)).hash(digests(body)).length(body.len() as u64));
        publication.resource_list(list.collect::<Vec<_>>()).unwrap();
        let changes: Vec<ResourceChange> =
            self.open.iter().map(|change| listed(change).at(time(change.time))).collect();
        let close = (!changes.is_empty() && self.published.is_multiple_of(self.rotates)).then(|| at.clone());
        if close.is_some() && own.closed.len() > 2 {
            own.closed.remove(0);
        }
        publication.change_lists(own.clone(), close.clone(), changes).unwrap();
        publication.finish().unwrap();
        if let Some(until) = close {
            own.closed.push(Interval { number: own.open.number, from: own.open.from.clone(), until: until.clone() });
            own.open = Opened { number: own.open.number + 1, from: until };
            self.open.clear();
        }
        self.history = Some(own);
        self.documents = store.files.into_iter().map(|(path, body)| (format!("{SOURCE}{path}"), body)).collect();
    }

    /// Responds to a request for a document; from a cache that has the previous ones, if wanted.
    pub(super) fn respond(&self, request: &Outgoing, is_cached: bool) -> Answer {
        let body = self.document(&request.uri, is_cached);
        let Some(body) = body else { return Answer { status: 404, ..Answer::default() } };
        let headers = Headers::default().with("Content-Type", "application/xml");
        let body = if request.method == Method::Head { Vec::new() } else { body.to_vec() };
        Answer { status: 200, headers, body }
    }

    pub(super) fn document(&self, uri: &str, is_cached: bool) -> Option<&[u8]> {
        let cached = self.before.get(uri).filter(|_| is_cached);
        cached.or_else(|| self.documents.get(uri)).map(Vec::as_slice)
    }
}

macro_rules! change {
    ($name:ident, $kind:ident) => {
        fn $name(change: &Changed) -> $kind {
            match (&change.body, change.was) {
                (None, _) => $kind::deleted(uri(&change.name)),
                (Some(body), false) => $kind::created(uri(&change.name)).hash(digests(body)).length(body.len() as u64),
                (Some(body), true) => $kind::updated(uri(&change.name)).hash(digests(body)).length(body.len() as u64),
            }
        }
    };
}

change!(notified, NotifiedChange);
change!(listed, ResourceChange);
