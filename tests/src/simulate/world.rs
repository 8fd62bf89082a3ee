//! The clock, the network, kills, and what must hold at the end.

use std::collections::{BTreeMap, BTreeSet};

use resourcesync::diagnostic::Reason;
use resourcesync_notify::{
    exchange::{Answer, Body, Headers, Method, Outgoing, Request},
    hub::{self, Exchange},
    listener::{self, Step},
    moment::{Moment, Timestamp},
    publisher::{self, Publisher},
    subscriber::{self, Notice, Phase},
};

use super::{
    SOURCE,
    destination::{Destination, Faults},
    hub::HubNode,
    random::Random,
    source::{self, Source, digests},
};

/// 2026-01-01T00:00:00Z, where the virtual time begins.
const EPOCH: i64 = 1_767_225_600;
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
/// How long the parties have after the last change: longer than every pause between two attempts of them.
const REST: i64 = 30 * HOUR;
const DESTINATIONS: usize = 3;

/// What happened in a run.
#[derive(Debug, Default, Clone, Copy)]
pub struct Numbers {
    /// Publications.
    pub published: u64,
    /// Requests on the network.
    pub requests: u64,
    /// Those that were lost, in either direction.
    pub lost: u64,
    /// Processes that were killed.
    pub kills: u64,
    /// Runs of all Destinations that read lists.
    pub syncs: u64,
    /// Notifications that were applied without lists.
    pub applied: u64,
}

impl Numbers {
    /// Adds those of another run.
    pub fn add(&mut self, other: &Numbers) {
        self.published += other.published;
        self.requests += other.requests;
        self.lost += other.lost;
        self.kills += other.kills;
        self.syncs += other.syncs;
        self.applied += other.applied;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Source,
    Hub,
    Destination(usize),
}

/// What a response belongs to, at the party that sent the request.
#[derive(Debug, Clone, Copy)]
enum Call {
    Number(u64),
    Exchange(Exchange),
}

/// A request on its way.
struct Flight {
    from: Node,
    /// The process that sent it.
    life: u64,
    /// `None` for a repetition, whose response nobody waits for.
    call: Option<Call>,
    request: Outgoing,
}

/// A run on a copy.
enum Run {
    Sync { is_retry: bool },
    Apply(Box<Notice>),
}

enum Event {
    Publish,
    Tick(Node),
    Arrive(Flight),
    Answer(Node, u64, Call, Option<Answer>),
    /// The run of a process ends.
    Run(usize, u64, Run),
    Kill(Node),
    Start(Node),
    Calm,
}

struct World {
    random: Random,
    /// Milliseconds since 1970.
    now: i64,
    queue: BTreeMap<(i64, u64), Event>,
    number: u64,
    source: Source,
    hub: HubNode,
    destinations: Vec<Destination>,
    /// How often each process has started.
    lives: BTreeMap<Node, u64>,
    down: BTreeSet<Node>,
    /// The next tick of each process.
    ticks: BTreeMap<Node, i64>,
    /// One in so many requests is lost; 0 for none.
    loss: u64,
    /// One in so many inputs kills its process after its state is durable; 0 for none.
    deadly: u64,
    numbers: Numbers,
    is_shown: bool,
}

/// Plays the run of a seed.
///
/// # Errors
///
/// How a copy differs from the Source at the end.
pub fn run(seed: u64, is_shown: bool) -> Result<Numbers, String> {
    World::new(seed, is_shown).play()
}

impl World {
    fn new(seed: u64, is_shown: bool) -> World {
        let mut random = Random::new(seed);
        let source = Source::new(&mut random);
        let loss = [0, 3, 5, 10, 30][random.below(5) as usize];
        let deadly = [0, 20, 60, 200][random.below(4) as usize];
        let destinations = (0..DESTINATIONS).map(|number| Destination::new(number, random.once_in(2))).collect();
        World {
            random,
            now: EPOCH * 1_000,
            queue: BTreeMap::new(),
            number: 0,
            source,
            hub: HubNode::new(),
            destinations,
            lives: BTreeMap::new(),
            down: BTreeSet::new(),
            ticks: BTreeMap::new(),
            loss,
            deadly,
            numbers: Numbers::default(),
            is_shown,
        }
    }

    fn play(mut self) -> Result<Numbers, String> {
        self.publish();
        let length = HOUR * (1 + self.random.below(48) as i64);
        for _ in 0..1 + self.random.below(12) {
            let at = self.random.below(length as u64) as i64;
            self.at(at, Event::Publish);
        }
        for _ in 0..self.random.below(6) {
            let node = self.some_node();
            let at = self.random.below(length as u64) as i64;
            self.at(at, Event::Kill(node));
        }
        for number in 0..DESTINATIONS {
            let at = self.random.below(10_000) as i64;
            self.at(at, Event::Start(Node::Destination(number)));
            self.down.insert(Node::Destination(number));
        }
        self.at(length, Event::Calm);
        // The change after which nobody can miss what was lost before.
        self.at(length + REST, Event::Publish);
        let end = self.now + length + 2 * REST;
        while let Some(entry) = self.queue.first_entry() {
            if entry.key().0 > end {
                break;
            }
            let ((at, _), event) = entry.remove_entry();
            self.now = self.now.max(at);
            self.happen(event);
        }
        self.now = end;
        self.conclude()
    }

    /// What must hold at the end.
    fn conclude(self) -> Result<Numbers, String> {
        let resources = self.source.resources.iter();
        let own: BTreeMap<String, String> =
            resources.map(|(name, body)| (format!("{SOURCE}{name}"), digests(body).to_string())).collect();
        for (number, destination) in self.destinations.iter().enumerate() {
            let copy = destination.digests();
            if copy != own {
                let phases: Vec<Phase> =
                    destination.listener.subscriber().channels().map(|channel| channel.phase).collect();
                let all = own.keys().chain(copy.keys());
                let differ: BTreeSet<&String> = all.filter(|name| own.get(*name) != copy.get(*name)).collect();
                return Err(format!("destination {number} ({phases:?}) differs from the Source: {differ:?}"));
            }
        }
        if self.source.publisher.waiting() > 0 {
            return Err(format!("{} payloads were not sent", self.source.publisher.waiting()));
        }
        let syncs = self.destinations.iter().map(|destination| destination.runs.0).sum();
        let applied = self.destinations.iter().map(|destination| destination.runs.1).sum();
        Ok(Numbers { syncs, applied, ..self.numbers })
    }

    fn log(&self, text: impl FnOnce() -> String) {
        if self.is_shown {
            eprintln!("{} {}", Timestamp::from_millis(self.now), text());
        }
    }

    fn some_node(&mut self) -> Node {
        match self.random.below(5) {
            0 => Node::Source,
            1 => Node::Hub,
            number => Node::Destination(number as usize - 2),
        }
    }

    fn at(&mut self, wait: i64, event: Event) {
        self.number += 1;
        self.queue.insert((self.now.saturating_add(wait.max(0)), self.number), event);
    }

    /// Wakes a process then, unless it is woken before.
    fn tick(&mut self, node: Node, until: Timestamp) {
        let at = until.millis().max(self.now + 1);
        if self.ticks.get(&node).is_none_or(|own| *own > at) {
            self.ticks.insert(node, at);
            self.at(at - self.now, Event::Tick(node));
        }
    }

    fn life(&self, node: Node) -> u64 {
        self.lives.get(&node).copied().unwrap_or(0)
    }

    fn happen(&mut self, event: Event) {
        if let Event::Tick(node) = event {
            // Another one took the place of this one.
            if self.ticks.get(&node).is_none_or(|at| *at > self.now) {
                return;
            }
            self.ticks.remove(&node);
        }
        match event {
            Event::Publish => self.publish(),
            Event::Tick(node) if self.down.contains(&node) => {}
            Event::Tick(Node::Source) => self.publisher(publisher::Input::Tick),
            Event::Tick(Node::Hub) => drop(self.hub(hub::Input::Tick)),
            Event::Tick(Node::Destination(number)) => drop(self.listener(number, listener::Input::Tick)),
            Event::Arrive(flight) => self.arrive(flight),
            Event::Answer(node, life, call, answer) => {
                if self.life(node) == life && !self.down.contains(&node) {
                    self.answered(node, call, answer);
                }
            }
            Event::Run(number, life, run) => {
                let node = Node::Destination(number);
                if self.life(node) == life && !self.down.contains(&node) {
                    self.ran(number, run);
                }
            }
            Event::Kill(node) => self.kill(node),
            Event::Start(node) => self.start(node),
            Event::Calm => {
                self.log(|| "no more faults".to_owned());
                (self.loss, self.deadly) = (0, 0);
            }
        }
    }

    fn publish(&mut self) {
        let seconds = self.source.change(&mut self.random, self.now.div_euclid(1_000));
        self.now = self.now.max(seconds * 1_000);
        self.numbers.published += 1;
        self.log(|| "the Source publishes".to_owned());
        let outputs = self.source.publish(seconds);
        // The notification is a part of the publication: it is durable with it, and sent by a process that runs.
        for output in outputs {
            if let publisher::Output::Keep(keep) = output {
                keep.apply(&mut self.source.kept);
            }
        }
        if !self.down.contains(&Node::Source) {
            self.publisher(publisher::Input::Tick);
        }
    }

    /// True if the process is killed now, before its outputs have effects.
    fn dies(&mut self, node: Node) -> bool {
        let dies = self.random.once_in(self.deadly);
        if dies {
            self.kill(node);
        }
        dies
    }

    fn publisher(&mut self, input: publisher::Input) {
        let mut fill = |bytes: &mut [u8]| self.random.fill(bytes);
        let mut moment = Moment { now: Timestamp::from_millis(self.now), random: &mut fill };
        let outputs = self.source.publisher.handle(&mut moment, input);
        let mut others = Vec::new();
        for output in outputs {
            match output {
                publisher::Output::Keep(keep) => keep.apply(&mut self.source.kept),
                other => others.push(other),
            }
        }
        if self.dies(Node::Source) {
            return;
        }
        for output in others {
            match output {
                publisher::Output::Send { id, request } => self.send(Node::Source, Call::Number(id), request),
                publisher::Output::Wait { until } => {
                    self.tick(Node::Source, until);
                }
                other => self.log(|| format!("publisher: {other:?}")),
            }
        }
    }

    /// Gives an input to the hub; the response, if the input is a request.
    fn hub(&mut self, input: hub::Input) -> Option<Answer> {
        let now = Timestamp::from_millis(self.now);
        let mut fill = |bytes: &mut [u8]| self.random.fill(bytes);
        let mut outputs = self.hub.handle(&mut Moment { now, random: &mut fill }, input);
        for subscription in self.hub.due(now) {
            let mut fill = |bytes: &mut [u8]| self.random.fill(bytes);
            let turn = hub::Input::Turn { subscription };
            outputs.extend(self.hub.handle(&mut Moment { now, random: &mut fill }, turn));
        }
        if self.dies(Node::Hub) {
            return None;
        }
        let mut replied = None;
        for output in outputs {
            match output {
                hub::Output::Reply { reply, .. } => {
                    replied = Some(Answer { status: reply.status, headers: reply.headers, body: reply.body });
                }
                hub::Output::Send { exchange, request } => {
                    if let Exchange::Delivery { subscription, .. } = exchange
                        && !self.hub.busy.insert(subscription)
                    {
                        continue;
                    }
                    let request = Outgoing::from(request);
                    self.send(Node::Hub, Call::Exchange(exchange), request);
                }
                hub::Output::Wait { until } => self.tick(Node::Hub, until),
                hub::Output::Event(event) => self.log(|| format!("hub: {event:?}")),
                _ => {}
            }
        }
        // A subscription that is due stays so while its delivery is under way.
        if let Some(at) = self.hub.next_retry(now).filter(|at| *at > now) {
            self.tick(Node::Hub, at);
        }
        replied
    }

    /// The same for a listener.
    fn listener(&mut self, number: usize, input: listener::Input) -> Option<Answer> {
        let mut fill = |bytes: &mut [u8]| self.random.fill(bytes);
        let mut moment = Moment { now: Timestamp::from_millis(self.now), random: &mut fill };
        let destination = &mut self.destinations[number];
        let outputs = destination.listener.handle(&mut moment, input);
        let mut others = Vec::new();
        for output in outputs {
            match output {
                subscriber::Output::Keep(keep) => keep.apply(&mut destination.kept),
                other => others.push(other),
            }
        }
        let node = Node::Destination(number);
        if self.dies(node) {
            return None;
        }
        let mut replied = None;
        for output in others {
            match output {
                subscriber::Output::Reply { reply, .. } => {
                    replied = Some(Answer { status: reply.status, headers: reply.headers, body: reply.body });
                }
                subscriber::Output::Send { id, request } => self.send(node, Call::Number(id), request),
                other => self.log(|| format!("{node:?}: {other:?}")),
            }
        }
        self.advance(number);
        replied
    }

    /// Takes the next steps of a listener.
    fn advance(&mut self, number: usize) {
        let node = Node::Destination(number);
        loop {
            let run = match self.destinations[number].listener.poll(Timestamp::from_millis(self.now)) {
                Step::Sync { is_retry, .. } => Run::Sync { is_retry },
                Step::Apply(notice) => Run::Apply(notice),
                Step::Wait { until } => return until.into_iter().for_each(|until| self.tick(node, until)),
                // A listener without a channel ends, and its supervisor starts it again.
                Step::End { .. } => return self.end(node, MINUTE),
                other => return self.log(|| format!("{node:?}: {other:?}")),
            };
            let (life, wait) = (self.life(node), self.delay());
            self.at(wait, Event::Run(number, life, run));
        }
    }

    /// Sends a request over the network.
    fn send(&mut self, from: Node, call: Call, request: Outgoing) {
        self.numbers.requests += 1;
        let life = self.life(from);
        if self.random.once_in(self.loss) {
            self.numbers.lost += 1;
            let wait = 10_000 + self.random.below(20_000) as i64;
            return self.at(wait, Event::Answer(from, life, call, None));
        }
        if self.random.once_in(self.loss.saturating_mul(2)) {
            let wait = self.delay();
            let again = Flight { from, life, call: None, request: request.clone() };
            self.at(wait, Event::Arrive(again));
        }
        let wait = self.delay();
        self.at(wait, Event::Arrive(Flight { from, life, call: Some(call), request }));
    }

    /// Milliseconds; while there are faults, some minutes now and then.
    fn delay(&mut self) -> i64 {
        let most = if self.loss > 0 && self.random.once_in(20) { 5 * MINUTE } else { 300 };
        1 + self.random.below(most as u64) as i64
    }

    fn arrive(&mut self, flight: Flight) {
        let Flight { from, life, call, request } = flight;
        let (host, _) = request.uri.trim_start_matches("https://").split_once('/').unwrap();
        let node = match host.strip_suffix(".example").unwrap() {
            "source" => Node::Source,
            "hub" => Node::Hub,
            other => Node::Destination(other.strip_prefix("destination").unwrap().parse().unwrap()),
        };
        let answer = match node {
            _ if self.down.contains(&node) => None,
            Node::Source => {
                let is_cached = self.loss > 0 && self.random.once_in(8);
                Some(self.source.respond(&request, is_cached))
            }
            Node::Hub => {
                let client = format!("{from:?}");
                self.hub(hub::Input::Request { id: 0, client, request: received(&request) })
            }
            Node::Destination(number) => {
                self.listener(number, listener::Input::Request { id: 0, request: received(&request) })
            }
        };
        let status = answer.as_ref().map(|answer| answer.status);
        self.log(|| format!("{from:?} {} {} {status:?}", request.method.as_str(), request.uri));
        let Some(call) = call else { return };
        let is_lost = self.random.once_in(self.loss);
        self.numbers.lost += u64::from(is_lost);
        let wait = if is_lost { 30_000 } else { self.delay() };
        self.at(wait, Event::Answer(from, life, call, answer.filter(|_| !is_lost)));
    }

    fn answered(&mut self, node: Node, call: Call, answer: Option<Answer>) {
        let reason = || Reason::other("no response");
        match (node, call) {
            (Node::Source, Call::Number(id)) => self.publisher(match answer {
                Some(answer) => publisher::Input::Answered { id, answer },
                None => publisher::Input::Failed { id, reason: reason() },
            }),
            (Node::Destination(number), Call::Number(id)) => drop(self.listener(
                number,
                match answer {
                    Some(answer) => listener::Input::Answered { id, answer },
                    None => listener::Input::Failed { id, reason: reason() },
                },
            )),
            (Node::Hub, Call::Exchange(exchange)) => {
                if let Exchange::Delivery { subscription, .. } = exchange {
                    self.hub.busy.remove(&subscription);
                }
                drop(self.hub(match answer {
                    Some(answer) => hub::Input::Answered { exchange, answer },
                    None => hub::Input::Failed { exchange, reason: "no response".to_owned(), sent: hub::Sent::No },
                }));
            }
            _ => {}
        }
    }

    /// A run on a copy, which is durable when it ends.
    fn ran(&mut self, number: usize, run: Run) {
        let is_retry = matches!(run, Run::Sync { is_retry: true });
        // A run that is repeated does not use caches.
        let is_cached = self.loss > 0 && !is_retry && self.random.once_in(6);
        let mut faults = Faults { random: &mut self.random, loss: self.loss * 2, is_cached };
        let (destination, now) = (&mut self.destinations[number], self.now.div_euclid(1_000));
        let result = match run {
            Run::Sync { .. } => Some(destination.sync(&self.source, &mut faults, now)),
            Run::Apply(notice) => destination.apply(&self.source, &mut faults, &notice, now),
        };
        self.log(|| format!("destination {number}: {result:?}"));
        drop(self.listener(number, listener::Input::Ran { result }));
    }

    /// A process ends; it starts again later.
    fn kill(&mut self, node: Node) {
        if self.down.contains(&node) {
            return;
        }
        self.log(|| format!("{node:?} is killed"));
        self.numbers.kills += 1;
        let most = if self.random.once_in(10) { 40 * HOUR } else { 5 * MINUTE };
        let wait = self.random.below(most as u64) as i64;
        self.end(node, wait);
    }

    /// A process ends, and starts after this time.
    fn end(&mut self, node: Node, wait: i64) {
        if self.down.insert(node) {
            *self.lives.entry(node).or_default() += 1;
            self.ticks.remove(&node);
            self.at(wait, Event::Start(node));
        }
    }

    /// A process starts with what was durable.
    fn start(&mut self, node: Node) {
        if !self.down.remove(&node) {
            return;
        }
        self.log(|| format!("{node:?} starts"));
        match node {
            Node::Source => {
                self.source.publisher = Publisher::restore(source::options(), self.source.kept.clone()).unwrap();
                self.publisher(publisher::Input::Tick);
            }
            Node::Hub => {
                self.hub.restart();
                drop(self.hub(hub::Input::Tick));
            }
            Node::Destination(number) => {
                self.destinations[number].restart();
                let uris = vec![SOURCE.to_owned()];
                drop(self.listener(number, listener::Input::Follow { uris, rotate: false }));
            }
        }
    }
}

/// The request as its receiver sees it.
fn received(request: &Outgoing) -> Request {
    let rest = request.uri.trim_start_matches("https://");
    let (_, path) = rest.split_once('/').unwrap();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let headers: Headers = request.headers.iter().collect();
    Request {
        method: request.method.as_str().to_owned(),
        path: format!("/{path}"),
        query: query.as_bytes().to_vec(),
        headers,
        body: Body::Whole(if request.method == Method::Post { request.body.clone() } else { Vec::new() }),
    }
}
