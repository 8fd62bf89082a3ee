//! The subscriber: finds the channels of a Source, subscribes, renews, answers the hub, and passes on what is announced, in order.
//!
//! 1. Call [`Subscriber::handle`] with one input; perform the outputs in order.
//! 2. INVARIANT: whatever [`Output::Keep`] names is durable before a later output of the same call is performed; a reply of 202 says that a
//!    notification is stored. Where that fails, drop the rest and reply 503: the hub tries again.
//! 3. Answer each [`Output::Send`] with [`Input::Answered`] or [`Input::Failed`], in any order, and call with [`Input::Tick`] at the moment of
//!    the last [`Output::Wait`].
//!
//! Per topic and hub: `Requested → Active{lease} → Active (renewed) …`, and from each of them to `Denied`, `Suspect`, `Leaving → Gone`.
//!
//! | file | what it does |
//! | --- | --- |
//! | `discover` | from a URI to topics and their hubs |
//! | `renew` | requests to hubs, their answers, and when to ask again |
//! | `callback` | verifications and deliveries |
//! | `inbox` | the order of notifications, gaps, and what follows from them |
//! | `record` | what is kept |

mod callback;
mod discover;
mod inbox;
mod record;
mod renew;

use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, time::Duration};

use resourcesync::{
    report::Report,
    value::{Datetime, Uri},
};
use serde::{Deserialize, Serialize};

pub use self::record::Phase;
use self::{
    discover::Search,
    record::{ChannelRecord, SourceRecord},
    renew::Call,
};
use crate::{
    exchange::{Answer, Outgoing, Reply, Request},
    moment::{Moment, Timestamp},
    payload::{Channel, Payload},
    rules::LEASE,
    state::{self, Keep, State, StateError},
};

/// How to subscribe.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    callback: String,
    /// The kinds of channels to subscribe to.
    pub channels: Vec<Channel>,
    /// The lease to request.
    pub lease: Duration,
    /// Subscribes with every hub of a topic, not only with one.
    pub all_hubs: bool,
    /// Sends secrets to hubs without TLS too.
    pub allow_http: bool,
    /// Takes signatures by SHA-1 too.
    pub allow_sha1: bool,
    /// Answers 202 to a delivery that is not signed as it should be, and drops it. Otherwise the answer is 403, and the hub tries again.
    pub drop_unsigned: bool,
    /// Bytes of a notification.
    pub body_bytes: usize,
}

impl Options {
    /// With a URI that the callbacks of all channels are below.
    ///
    /// # Errors
    ///
    /// If it is not an http or https URI that ends with a slash.
    pub fn new(callback: &str) -> Result<Options, CallbackError> {
        let is_base = |uri: &Uri| uri.is_http() && callback.ends_with('/') && !callback.contains(['?', '#']);
        match callback.parse::<Uri>() {
            Ok(uri) if is_base(&uri) => Ok(Options {
                callback: callback.to_string(),
                channels: Channel::ALL.to_vec(),
                lease: LEASE,
                all_hubs: false,
                allow_http: false,
                allow_sha1: false,
                drop_unsigned: false,
                body_bytes: 8 << 20,
            }),
            _ => Err(CallbackError(callback.to_string())),
        }
    }
}

/// A URI that no callbacks can be below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackError(String);

impl fmt::Display for CallbackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "callback: `{}` is not an http or https URI that ends with a slash", self.0)
    }
}

impl core::error::Error for CallbackError {}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// The channels of a Source are wanted: its Source Description, a Capability List, a topic, a page that links to one of them, or its
    /// host.
    Follow {
        /// The URI.
        uri: String,
    },
    /// They are no longer wanted.
    Unfollow {
        /// The URI.
        uri: String,
    },
    /// A channel gets another callback: it is subscribed to under the new one, then the old one ends.
    Rotate {
        /// The channel.
        channel: String,
    },
    /// A request came in below the callback URI.
    Request {
        /// The number of the request.
        id: u64,
        /// The request.
        request: Request,
    },
    /// A server answered.
    Answered {
        /// The number of the request.
        id: u64,
        /// The response.
        answer: Answer,
    },
    /// A server did not answer.
    Failed {
        /// The number of the request.
        id: u64,
        /// Why, in one line.
        reason: String,
    },
    /// The changes of a set were pulled.
    Pulled {
        /// Its Capability List.
        set: String,
        /// Whether there were changes that nobody had announced.
        is_news: bool,
    },
    /// Time passed.
    Tick,
}

/// What to do, in order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Output {
    /// Keep this.
    Keep(Keep),
    /// Make this request.
    Send {
        /// Its number.
        id: u64,
        /// The request.
        request: Outgoing,
    },
    /// Answer a request.
    Reply {
        /// The number of the request.
        id: u64,
        /// The answer.
        reply: Reply,
    },
    /// A channel announces something. Its entries are claims: what they name is fetched within the scope of the Source only.
    Notified(Notice),
    /// Changes may have been missed: pull those of a set.
    Pull(Pull),
    /// Documents changed: read them again.
    Reread(Reread),
    /// A subscription changed.
    Changed(StateChange),
    /// Something that whoever runs this may want to know.
    Found(Found),
    /// Nothing to do before this moment; the last one counts.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

/// A notification.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The channel, by the last segment of its callback.
    pub channel: String,
    /// The URI that is followed.
    pub source: String,
    /// The topic.
    pub topic: String,
    /// The Capability List of the set, where one is known.
    pub capability_list: Option<String>,
    /// The document.
    pub payload: Payload,
}

/// A reason to pull.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pull {
    /// The Capability List of the set, or the URI that is followed.
    pub set: String,
    /// What is known already reaches until here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Datetime>,
    /// What is missing ends here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Datetime>,
    /// Why.
    pub why: Why,
}

/// Why to pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Why {
    /// A subscription begins; what happened before is not announced.
    Subscribed,
    /// A notification is missing.
    Gap,
    /// A notification was not valid, or cannot be placed; something did change.
    Invalid,
    /// The hub cannot be relied on.
    Safety,
}

/// Documents that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reread {
    /// The Capability List of the set, or the URI that is followed.
    pub set: String,
    /// The documents.
    pub documents: Vec<RereadDocument>,
}

/// A document that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RereadDocument {
    /// Where it is.
    pub uri: String,
    /// What it is for, such as `resourcelist`.
    pub capability: String,
    /// What happened to it.
    pub change: String,
    /// The index that lists it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

/// A subscription in a new phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StateChange {
    /// The channel, by the last segment of its callback.
    pub channel: String,
    /// The URI that is followed.
    pub source: String,
    /// The topic.
    pub topic: String,
    /// The hub.
    pub hub: String,
    /// What it announces.
    pub kind: Channel,
    /// The phase.
    pub phase: Phase,
    /// The end of the lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Why, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A finding about a Source, a hub or a delivery.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The code, such as `HUB-05`.
    pub code: &'static str,
    /// The URI that it is about.
    pub uri: String,
    /// The channel.
    pub channel: Option<String>,
    /// The values in its message.
    pub args: BTreeMap<&'static str, String>,
    /// What is wrong with a notification.
    pub report: Option<Box<Report>>,
}

impl Found {
    fn new(code: &'static str, uri: &str) -> Found {
        Found { code, uri: uri.to_string(), channel: None, args: BTreeMap::new(), report: None }
    }

    fn arg(mut self, name: &'static str, value: impl Into<String>) -> Found {
        self.args.insert(name, value.into());
        self
    }

    fn of(self, channel: &str) -> Found {
        Found { channel: Some(channel.to_string()), ..self }
    }
}

/// Subscribes. See the [module](self) for how to drive it.
#[derive(Debug)]
pub struct Subscriber {
    options: Options,
    sources: BTreeMap<String, SourceRecord>,
    /// By the last segment of the callback.
    channels: BTreeMap<String, ChannelRecord>,
    /// Sources whose channels are being looked for.
    searches: BTreeMap<String, Search>,
    /// Requests under way.
    open: BTreeMap<u64, Call>,
    requests: u64,
}

/// One input being handled.
struct Turn<'a, 'm> {
    moment: &'a mut Moment<'m>,
    outputs: Vec<Output>,
    /// Sources and channels that changed.
    dirty: BTreeSet<(Record, String)>,
}

/// Which map a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Record {
    Source,
    Channel,
}

impl Turn<'_, '_> {
    fn now(&self) -> Timestamp {
        self.moment.now
    }

    fn keep_source(&mut self, uri: &str) {
        self.dirty.insert((Record::Source, uri.to_string()));
    }

    fn keep_channel(&mut self, token: &str) {
        self.dirty.insert((Record::Channel, token.to_string()));
    }
}

impl Subscriber {
    /// Without Sources.
    pub fn new(options: Options) -> Subscriber {
        Subscriber {
            options,
            sources: BTreeMap::new(),
            channels: BTreeMap::new(),
            searches: BTreeMap::new(),
            open: BTreeMap::new(),
            requests: 0,
        }
    }

    /// As it was when these values were kept. To answer requests to one callback, the value `channel:TOKEN` of it is enough.
    ///
    /// # Errors
    ///
    /// If one of them is none of a subscriber, or of a newer version.
    pub fn restore(options: Options, state: State) -> Result<Subscriber, StateError> {
        let mut subscriber = Subscriber::new(options);
        for (key, value) in state {
            match key.split_once(':') {
                Some(("source", uri)) => drop(subscriber.sources.insert(uri.to_string(), state::read(&key, value)?)),
                Some(("channel", token)) => {
                    drop(subscriber.channels.insert(token.to_string(), state::read(&key, value)?));
                }
                _ => return Err(StateError::unknown(&key)),
            }
        }
        Ok(subscriber)
    }

    /// Takes one input.
    pub fn handle(&mut self, moment: &mut Moment<'_>, input: Input) -> Vec<Output> {
        let mut turn = Turn { moment, outputs: Vec::new(), dirty: BTreeSet::new() };
        match input {
            // What is due is for the timer of one process; requests may come in at many.
            Input::Request { id, request } => {
                let reply = self.request(&mut turn, request);
                turn.outputs.insert(0, Output::Reply { id, reply });
            }
            Input::Follow { uri } => self.follow(&mut turn, &uri),
            Input::Unfollow { uri } => self.unfollow(&mut turn, &uri),
            Input::Rotate { channel } => self.rotate(&mut turn, &channel),
            Input::Answered { id, answer } => self.answered(&mut turn, id, Ok(answer)),
            Input::Failed { id, reason } => self.answered(&mut turn, id, Err(reason)),
            Input::Pulled { set, is_news } => self.pulled(&mut turn, &set, is_news),
            Input::Tick => self.due(&mut turn),
        }
        let wait = self.next().map(|until| Output::Wait { until: until.max(turn.now()) });
        let Turn { outputs, dirty, .. } = turn;
        let keeps: Vec<Output> =
            dirty.into_iter().map(|(record, name)| Output::Keep(self.keep(record, &name))).collect();
        keeps.into_iter().chain(outputs).chain(wait).collect()
    }

    /// Does what is due.
    fn due(&mut self, turn: &mut Turn<'_, '_>) {
        let now = turn.now();
        let sources: Vec<String> =
            self.sources.iter().filter(|(_, own)| own.next <= now).map(|(uri, _)| uri.clone()).collect();
        sources.iter().for_each(|uri| self.search(turn, uri));
        let is_due =
            |own: &ChannelRecord| [Some(own.next), own.gap, own.poll].into_iter().flatten().any(|at| at <= now);
        let due = self.channels.iter().filter(|(token, own)| is_due(own) || self.is_lost(token));
        let channels: Vec<String> = due.map(|(token, _)| token.clone()).collect();
        for token in &channels {
            self.close_gap(turn, token);
            self.poll(turn, token);
            self.advance(turn, token);
        }
    }

    /// When something is due next.
    fn next(&self) -> Option<Timestamp> {
        let sources = self.sources.iter().filter(|(uri, _)| !self.searches.contains_key(*uri)).map(|(_, own)| own.next);
        let channels = self.channels.values().flat_map(|own| [Some(own.next), own.gap, own.poll]).flatten();
        sources.chain(channels).min()
    }

    fn keep(&mut self, record: Record, name: &str) -> Keep {
        match record {
            Record::Source => {
                let key = format!("source:{name}");
                self.sources.get(name).map_or_else(|| Keep::remove(key.clone()), |own| Keep::put(key.clone(), own))
            }
            Record::Channel => {
                let key = format!("channel:{name}");
                match self.channels.get_mut(name) {
                    Some(own) => {
                        own.revision = own.revision.saturating_add(1);
                        Keep::put(key, own)
                    }
                    None => Keep::remove(key),
                }
            }
        }
    }

    fn changed(&self, token: &str, reason: Option<String>) -> Option<Output> {
        let own = self.channels.get(token)?;
        Some(Output::Changed(StateChange {
            channel: token.to_string(),
            source: own.source.clone(),
            topic: own.topic.clone(),
            hub: own.hub.clone(),
            kind: own.kind,
            phase: own.phase,
            until: own.lease.as_ref().filter(|_| own.phase == Phase::Active).map(|lease| lease.until),
            reason,
        }))
    }

    fn send(&mut self, turn: &mut Turn<'_, '_>, call: Call, request: Outgoing) {
        self.requests = self.requests.saturating_add(1);
        self.open.insert(self.requests, call);
        turn.outputs.push(Output::Send { id: self.requests, request });
    }
}
