//! Discovery of topics and hubs from a URI: Source Description, Capability List, `Link` headers of the topic.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use resourcesync::{
    api::{self, plain},
    diagnostic::{Reason, ReasonCode},
    limits::Limits,
    model::Kind,
    rules::{KindProfile, Level},
    source::discovery::{WELL_KNOWN, announcements, host, links, resolve, sitemaps},
    value::key,
};

use super::{
    Found, FoundCode, Output, Phase, Subscriber, Turn,
    record::Advert,
    record::{SourceRecord, Terms},
    search::{Call, Search, Step, What},
};
use crate::{
    exchange::{Answer, Headers, Method, Outgoing},
    payload::Channel,
    retry::Schedule,
    rules::{REDIRECTS, TOPIC_MOVED},
};

/// The interval between searches for the channels of a Source: only Capability Lists show their creation and removal.
const AGAIN: Duration = Duration::from_secs(86_400);
/// The maximum number of documents in one search.
const DOCUMENTS: usize = 1_000;
/// The maximum number of bytes read of a document.
const DOCUMENT_BYTES: usize = 16 << 20;
/// The maximum number of channels of one Source.
const CHANNELS: usize = 2_000;

impl Subscriber {
    pub(super) fn follow(&mut self, turn: &mut Turn<'_, '_>, uri: &str) {
        let (now, terms) = (turn.now(), Terms::of(&self.options));
        if self.sources.get(uri).is_none_or(|source| source.terms != terms) {
            self.sources.insert(uri.to_string(), SourceRecord { failures: 0, next: now, terms });
            turn.keep_source(uri);
        }
        if self.sources.get(uri).is_some_and(|source| source.next <= turn.now()) {
            self.search(turn, uri);
        }
    }

    /// Starts a search for the channels of a Source.
    pub(super) fn search(&mut self, turn: &mut Turn<'_, '_>, source: &str) {
        if self.searches.contains_key(source) {
            return;
        }
        let host = host(source);
        let is_host = host.as_ref().is_some_and(|host| key(host) == key(source));
        let own = [source.to_string()];
        let well_known = host.iter().flat_map(|host| [format!("{host}{WELL_KNOWN}"), format!("{host}robots.txt")]);
        let candidates =
            if is_host { well_known.chain(own).collect() } else { own.into_iter().chain(well_known).collect() };
        self.searches.insert(source.to_string(), Search { candidates, ..Search::default() });
        self.go_on(turn, source);
    }

    /// Tries the next candidate or ends the search if no request is pending.
    fn go_on(&mut self, turn: &mut Turn<'_, '_>, source: &str) {
        while let Some(search) = self.searches.get_mut(source).filter(|search| search.open == 0) {
            match search.candidates.pop_front().filter(|_| !search.led) {
                Some(uri) => self.look(turn, source, &uri, What::Document { is_candidate: true, only: None }),
                None => return self.searched(turn, source),
            }
        }
    }

    /// Requests a document unless it has been requested before.
    fn look(&mut self, turn: &mut Turn<'_, '_>, source: &str, uri: &str, what: What) {
        let Some(search) = self.searches.get_mut(source) else { return };
        if search.seen.len() >= DOCUMENTS {
            search.doubt = Some(Reason::new(ReasonCode::DocumentLimit));
            return;
        }
        let is_topic = matches!(what, What::Topic(..));
        // A topic given by the user may also be read as a document.
        if !search.seen.insert(format!("{}{}", if is_topic { "topic " } else { "" }, key(uri))) {
            return;
        }
        search.open = search.open.saturating_add(1);
        self.fetch(turn, Step { source: source.to_string(), uri: uri.to_string(), hops: 0, what });
    }

    fn fetch(&mut self, turn: &mut Turn<'_, '_>, step: Step) {
        let (method, most) = match step.what {
            What::Document { .. } => (Method::Get, DOCUMENT_BYTES),
            What::Topic(_, method) => (method, 0),
        };
        let (uri, headers) = (step.uri.clone(), Headers::default());
        self.send(turn, Call::Discover(step), Outgoing { method, uri, headers, body: Vec::new(), most });
    }

    pub(super) fn discovered(&mut self, turn: &mut Turn<'_, '_>, step: Step, answer: Result<Answer, Reason>) {
        if !self.searches.contains_key(&step.source) {
            return;
        }
        if let Ok(answer) = &answer
            && TOPIC_MOVED.contains(&answer.status)
            && step.hops < REDIRECTS
            && let Some(uri) = answer.headers.first("location").and_then(|location| resolve(&step.uri, location))
        {
            return self.fetch(turn, Step { uri, hops: step.hops.saturating_add(1), ..step });
        }
        let source = step.source.clone();
        match &step.what {
            What::Document { .. } => self.document(turn, &step, answer),
            // Some servers do not support HEAD.
            What::Topic(advert, Method::Head) if !answer.as_ref().is_ok_and(|answer| answer.status < 400) => {
                let what = What::Topic(advert.clone(), Method::Get);
                return self.fetch(turn, Step { what, ..step });
            }
            What::Topic(advert, method) => self.topic(turn, &step, (&advert.clone(), *method), answer),
        }
        if let Some(search) = self.searches.get_mut(&source) {
            search.open = search.open.saturating_sub(1);
        }
        self.go_on(turn, &source);
    }

    /// Searches a document for links to channels.
    fn document(&mut self, turn: &mut Turn<'_, '_>, step: &Step, answer: Result<Answer, Reason>) {
        let What::Document { is_candidate, only } = &step.what else { return };
        let Step { source, uri, .. } = step;
        let answer = answer.and_then(|answer| match answer.status {
            200..=299 => Ok(answer),
            status => Err(Reason::new(ReasonCode::HttpStatus).arg("status", status)),
        });
        let answer = match answer {
            Ok(answer) => answer,
            Err(reason) => {
                let is_named = uri == source;
                if let Some(search) = self.searches.get_mut(source).filter(|_| is_named || !is_candidate) {
                    search.doubt = Some(reason);
                }
                return;
            }
        };
        let own: Vec<_> = links(answer.headers.all("link"), uri).collect();
        let targets = |relation: &str| -> Vec<String> {
            let with = own.iter().filter(|link| link.rels.iter().any(|rel| rel == relation));
            with.filter_map(|link| resolve(uri, &link.target)).collect()
        };
        let (document, hubs, lists) = (read(&answer), targets("hub"), targets("resourcesync"));
        let kind = document.as_ref().map_or(Kind::Unknown, |document| document.kind);
        if !hubs.is_empty() && !targets("self").is_empty() && only.is_none() {
            return self.named_topic(turn, step, &Advertised { kind, hubs, lists });
        }
        let next: Vec<String> = match (&document, kind) {
            (Some(list), Kind::CapabilityList) => return self.capability_list(turn, step, list),
            (Some(list), _) if KindProfile::of(kind).level == Level::Source => {
                list.entries.iter().map(|entry| entry.uri.clone()).collect()
            }
            // A list of a set links to its Capability List.
            (Some(list), _) => up(list).into_iter().collect(),
            (None, _) => others(&answer, uri),
        };
        let next: Vec<String> = next.into_iter().chain(lists).collect();
        if let Some(search) = self.searches.get_mut(source) {
            search.led |= !next.is_empty();
        }
        next.iter()
            .for_each(|uri| self.look(turn, source, uri, What::Document { is_candidate: false, only: only.clone() }));
    }

    /// Handles a topic given by the user. Its last payload or the linked Capability List determines the kind of the
    /// channel.
    fn named_topic(&mut self, turn: &mut Turn<'_, '_>, step: &Step, advertised: &Advertised) {
        let Step { source, uri, .. } = step;
        let Advertised { kind, hubs, lists } = advertised;
        if let Some(search) = self.searches.get_mut(source) {
            search.led = true;
        }
        let only = Channel::of(*kind).or(match &*self.options.channels {
            [only] => Some(*only),
            _ => None,
        });
        match (only, lists.first()) {
            (Some(channel), list) => {
                let advert = Advert { topic: uri.clone(), hubs: hubs.clone(), channel, capability_list: list.cloned() };
                self.look(turn, source, uri, What::Topic(advert, Method::Head));
            }
            (None, Some(list)) => {
                self.look(turn, source, list, What::Document { is_candidate: false, only: Some(uri.clone()) });
            }
            (None, None) => {
                if let Some(search) = self.searches.get_mut(source) {
                    search.doubt = Some(Reason::new(ReasonCode::UnknownChannel).arg("uri", uri));
                }
            }
        }
    }

    fn capability_list(&mut self, turn: &mut Turn<'_, '_>, step: &Step, list: &plain::Document) {
        let What::Document { only, .. } = &step.what else { return };
        let Step { source, uri, .. } = step;
        if let Some(search) = self.searches.get_mut(source) {
            search.led = true;
            search.lists = search.lists.saturating_add(1);
        }
        for entry in &list.entries {
            let channel = entry.capability.as_deref().and_then(Channel::find);
            let Some(channel) = channel.filter(|channel| self.options.channels.contains(channel)) else { continue };
            if only.as_ref().is_some_and(|only| key(only) != key(&entry.uri)) {
                continue;
            }
            let hub = |link: &plain::Link| link.href.clone().filter(|_| link.rel.as_deref() == Some("hub"));
            let hubs = entry.links.iter().filter_map(hub).filter_map(|hub| resolve(uri, &hub)).collect();
            let advert = Advert { topic: entry.uri.clone(), hubs, channel, capability_list: Some(uri.clone()) };
            self.look(turn, source, &entry.uri, What::Topic(advert, Method::Head));
        }
    }

    /// Handles the response of a topic: its headers take precedence over the document that links to it.
    fn topic(
        &mut self,
        turn: &mut Turn<'_, '_>,
        step: &Step,
        (advert, method): (&Advert, Method),
        answer: Result<Answer, Reason>,
    ) {
        let Step { source, uri, .. } = step;
        let found = |code: FoundCode| Found::new(code, &advert.topic);
        let own = match &answer {
            Ok(answer) if answer.status == 200 => links(answer.headers.all("link"), uri).collect(),
            Ok(answer) => {
                let reason = Reason::new(ReasonCode::HttpStatus).arg("status", answer.status);
                turn.outputs.push(Output::Found(
                    found(FoundCode::Unanswered).arg("method", method.as_str()).arg("reason", reason),
                ));
                Vec::new()
            }
            Err(reason) => {
                let found = found(FoundCode::Unanswered).arg("method", method.as_str()).arg("reason", reason.clone());
                turn.outputs.push(Output::Found(found));
                Vec::new()
            }
        };
        let targets = |relation: &str| -> Vec<String> {
            let with = own.iter().filter(|link| link.rels.iter().any(|rel| rel == relation));
            let mut targets: Vec<String> = with.filter_map(|link| resolve(uri, &link.target)).collect();
            targets.dedup();
            targets
        };
        let (selfs, hubs) = (targets("self"), targets("hub"));
        if let [first, second, ..] = &*selfs {
            turn.outputs
                .push(Output::Found(found(FoundCode::SeveralTopics).arg("first", &**first).arg("second", &**second)));
            return;
        }
        let is_there = !own.is_empty() || answer.is_ok_and(|answer| answer.status == 200);
        if is_there {
            for (relation, code, targets) in [("self", FoundCode::NoSelf, &selfs), ("hub", FoundCode::NoHub, &hubs)] {
                if targets.is_empty() {
                    turn.outputs
                        .push(Output::Found(found(code).arg("method", method.as_str()).arg("relation", relation)));
                }
            }
        }
        let advertised = [("self", &selfs, core::slice::from_ref(&advert.topic)), ("hub", &hubs, &*advert.hubs)];
        for (relation, own, expected) in advertised {
            let is_own = |expected: &&String| own.iter().all(|own| key(own) != key(expected));
            if let Some((first, expected)) = own.first().zip(expected.iter().find(is_own)) {
                let found = found(FoundCode::Contradiction)
                    .arg("relation", relation)
                    .arg("value", &**first)
                    .arg("expected", &**expected);
                turn.outputs.push(Output::Found(found));
            }
        }
        let topic = selfs.into_iter().next().unwrap_or_else(|| advert.topic.clone());
        let hubs = if hubs.is_empty() { advert.hubs.clone() } else { hubs };
        for hub in chosen(hubs, self.options.all_hubs) {
            if self.channels.len() < CHANNELS {
                let token = self.subscribe(turn, source, advert, (&topic, &hub));
                if let Some(search) = self.searches.get_mut(source) {
                    search.found.insert(token);
                }
            }
        }
    }

    /// Ends a search.
    fn searched(&mut self, turn: &mut Turn<'_, '_>, source: &str) {
        let now = turn.now();
        let Some(search) = self.searches.remove(source) else { return };
        let Some(record) = self.sources.get_mut(source) else { return };
        turn.keep_source(source);
        if search.found.is_empty() {
            record.failures = record.failures.saturating_add(1);
            record.next = now.after(Schedule::SUBSCRIBE.wait(record.failures, None, turn.moment.bytes()));
            let reason = search.doubt.clone().unwrap_or_else(|| Reason::new(ReasonCode::NoChannel));
            turn.outputs.push(Output::Found(Found::new(FoundCode::NoChannel, source).arg("reason", reason)));
        } else {
            (record.failures, record.next) = (0, now.after(AGAIN));
        }
        // Only a complete search proves that a channel has been removed.
        if search.doubt.is_some() || search.lists == 0 {
            return;
        }
        // Ends channels that the Source no longer advertises.
        let is_over = |(token, own): &(&String, &super::ChannelRecord)| {
            own.source == source
                && own.replaces.is_none()
                && !search.found.contains(*token)
                && !self.channels.values().any(|other| other.replaces.as_ref() == Some(*token))
                && !matches!(own.phase, Phase::Leaving | Phase::Gone)
        };
        let over: Vec<String> = self.channels.iter().filter(is_over).map(|(token, _)| token.clone()).collect();
        if !over.is_empty() {
            over.iter().for_each(|token| self.leave(turn, token));
            self.search_others(turn, source);
        }
    }

    /// Has other Sources searched soon, which may lead to a channel that this one was the first to lead to.
    pub(super) fn search_others(&mut self, turn: &mut Turn<'_, '_>, left: &str) {
        for (uri, own) in self.sources.iter_mut().filter(|(uri, _)| *uri != left) {
            own.next = own.next.min(turn.now());
            turn.keep_source(uri);
        }
    }
}

/// The channel described by a topic that the user gave.
struct Advertised {
    kind: Kind,
    hubs: Vec<String>,
    lists: Vec<String>,
}

/// The hubs to subscribe at: all, or the first with TLS, or the first.
fn chosen(hubs: Vec<String>, all: bool) -> Vec<String> {
    if all {
        return hubs;
    }
    let safe = hubs.iter().position(|hub| hub.starts_with("https:"));
    hubs.into_iter().nth(safe.unwrap_or(0)).into_iter().collect()
}

/// The ResourceSync document in a response, if any.
fn read(answer: &Answer) -> Option<plain::Document> {
    let document = api::read(&answer.body, &Limits::default()).ok()?;
    (!document.kind.is_plain()).then_some(document)
}

/// The parent document.
fn up(document: &plain::Document) -> Option<String> {
    let link = document.head.links.iter().find(|link| link.rel.as_deref() == Some("up"))?;
    link.href.clone()
}

/// The links of a page or of `robots.txt`.
fn others(answer: &Answer, uri: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(&answer.body);
    if uri.ends_with("/robots.txt") {
        return sitemaps(&text);
    }
    let (found, base) = announcements(&text);
    let base = base.and_then(|base| resolve(uri, &base)).unwrap_or_else(|| uri.to_string());
    found.into_iter().filter_map(|one| resolve(&base, &one.href?)).collect()
}
