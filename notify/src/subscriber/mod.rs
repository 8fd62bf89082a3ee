//! The subscriber: finds the channels of a Source, subscribes, renews, responds to the hub, and passes on notifications in order.
//!
//! 1. Call [`Subscriber::handle`] with one input; perform the outputs in order.
//! 2. INVARIANT: the value of an [`Output::Keep`] is durable before a later output of the same call is performed; a reply of 202 means that a
//!    notification is stored. If that fails, drop the rest and reply 503: the hub retries.
//! 3. Answer each [`Output::Send`] with [`Input::Answered`] or [`Input::Failed`], in any order, and call with [`Input::Tick`] at the moment of
//!    the last [`Output::Wait`].
//!
//! Per topic and hub: `Requested → Active{lease} → Active (renewed) …`, and from each of them to `Denied`, `Suspect`, `Leaving → Gone`.
//!
//! | file | contents |
//! | --- | --- |
//! | `discover` | discovery of topics and hubs from a URI |
//! | `renew` | requests to hubs, their responses, and retries |
//! | `callback` | verifications and deliveries |
//! | `inbox` | the order of notifications, gaps, and pulls |
//! | `search` | the state of a search, and the pending requests |
//! | `messages`, `options`, `record` | inputs and outputs, options, stored state |

mod callback;
mod discover;
mod inbox;
mod messages;
mod options;
mod record;
mod renew;
mod search;

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::diagnostic::Reason;

pub use self::{
    messages::{Found, FoundCode, Input, Notice, Output, Pull, Reread, RereadDocument, StateChange, Why},
    options::{CallbackError, Options},
    record::Phase,
};
use self::{
    record::{ChannelRecord, SourceRecord},
    search::{Call, Search},
};
use crate::{
    exchange::Outgoing,
    moment::{Moment, Timestamp},
    state::{self, Keep, State, StateError},
};

/// Subscribes to the channels of Sources. See the [module](self) for its use.
#[derive(Debug, Clone)]
pub struct Subscriber {
    options: Options,
    sources: BTreeMap<String, SourceRecord>,
    /// Subscriptions by the last segment of the callback.
    channels: BTreeMap<String, ChannelRecord>,
    /// Searches for the channels of Sources.
    searches: BTreeMap<String, Search>,
    /// Pending requests.
    open: BTreeMap<u64, Call>,
    requests: u64,
}

/// The state while one input is processed.
struct Turn<'a, 'm> {
    moment: &'a mut Moment<'m>,
    outputs: Vec<Output>,
    /// Sources and channels that changed.
    dirty: BTreeSet<(Record, String)>,
}

/// The map that a name belongs to.
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
    /// Creates a subscriber without Sources.
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

    /// Restores a subscriber from stored values. To respond to requests to one callback, its value `channel:TOKEN` is
    /// sufficient.
    ///
    /// # Errors
    ///
    /// If a value does not belong to a subscriber, or has a newer version.
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

    /// Processes one input.
    pub fn handle(&mut self, moment: &mut Moment<'_>, input: Input) -> Vec<Output> {
        let mut turn = Turn { moment, outputs: Vec::new(), dirty: BTreeSet::new() };
        match input {
            // Only the timer of one process performs due work; requests may arrive at many processes.
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

    /// The Sources that are followed.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(String::as_str)
    }

    /// The sets of the subscriptions, as in [`Pull::set`].
    pub fn sets(&self) -> BTreeSet<String> {
        self.channels.values().map(ChannelRecord::set).collect()
    }

    /// The subscriptions and their phases.
    pub fn channels(&self) -> impl Iterator<Item = StateChange> {
        self.channels.keys().filter_map(|token| self.phase(token, None))
    }

    /// The subscriptions and their phases, without the rest.
    pub(crate) fn phases(&self) -> impl Iterator<Item = (&str, Phase)> {
        self.channels.iter().map(|(token, own)| (token.as_str(), own.phase))
    }

    /// Performs due work.
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

    /// The time of the next due work.
    pub(crate) fn next(&self) -> Option<Timestamp> {
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

    fn changed(&self, token: &str, reason: Option<Reason>) -> Option<Output> {
        self.phase(token, reason).map(Output::Changed)
    }

    fn phase(&self, token: &str, reason: Option<Reason>) -> Option<StateChange> {
        let own = self.channels.get(token)?;
        Some(StateChange {
            channel: token.to_string(),
            source: own.source.clone(),
            topic: own.topic.clone(),
            hub: own.hub.clone(),
            kind: own.kind,
            phase: own.phase,
            until: own.lease.as_ref().filter(|_| own.phase == Phase::Active).map(|lease| lease.until),
            reason,
        })
    }

    fn send(&mut self, turn: &mut Turn<'_, '_>, call: Call, request: Outgoing) {
        self.requests = self.requests.saturating_add(1);
        self.open.insert(self.requests, call);
        turn.outputs.push(Output::Send { id: self.requests, request });
    }
}
