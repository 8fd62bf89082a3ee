//! The subscriber with plain values.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use resourcesync::{
    diagnostic::{Arg, Reason},
    report::{Lang, Report},
};
use serde::{Deserialize, Serialize};

use super::{
    Answered, Bytes, Incoming, Notification, Sent, Served,
    turn::{self, Carrier, TurnError, Turned, read, turned},
};
use crate::{
    moment::{Moment, Timestamp},
    payload::Channel,
    state::Keep,
    subscriber::{CallbackError, Found, Input, Notice, Options, Output, Pull, Reread, StateChange, Subscriber},
};

/// The options of a subscriber.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SubscriberOptions {
    /// The base URI of all callbacks, with a trailing slash.
    pub callback: String,
    /// The kinds of channels; both by default.
    pub kinds: Option<Vec<Channel>>,
    /// The lease to request, in seconds; ten days by default.
    pub lease: Option<u64>,
    /// Subscribes with every hub of a topic.
    pub all_hubs: bool,
    /// Also sends secrets to hubs without TLS.
    pub allow_http: bool,
    /// Also accepts SHA-1 signatures.
    pub allow_sha1: bool,
    /// Replies 202 to a delivery without a valid signature, and drops it.
    pub drop_unsigned: bool,
    /// Maximum bytes of a notification; 8 MiB by default.
    pub body_bytes: Option<usize>,
}

impl TryFrom<SubscriberOptions> for Options {
    type Error = CallbackError;

    fn try_from(options: SubscriberOptions) -> Result<Options, CallbackError> {
        let mut own = Options::new(&options.callback)?;
        own.channels = options.kinds.unwrap_or(own.channels);
        own.lease = options.lease.map_or(own.lease, Duration::from_secs);
        own.all_hubs = options.all_hubs;
        own.allow_http = options.allow_http;
        own.allow_sha1 = options.allow_sha1;
        own.drop_unsigned = options.drop_unsigned;
        own.body_bytes = options.body_bytes.unwrap_or(own.body_bytes);
        Ok(own)
    }
}

/// An input of a subscriber.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SubscriberInput {
    /// Follow the channels of a Source.
    Follow {
        /// Its URI.
        uri: String,
    },
    /// Stop following a Source.
    Unfollow {
        /// The URI.
        uri: String,
    },
    /// Move a channel to another callback.
    Rotate {
        /// The channel.
        channel: String,
    },
    /// An incoming request.
    Request(Incoming),
    /// The response of a server.
    Answered(Answered),
    /// A request without a response.
    Failed {
        /// The number of the request.
        id: u64,
        /// The reason.
        reason: Reason,
    },
    /// The changes of a set were pulled.
    #[serde(rename_all = "camelCase")]
    Pulled {
        /// Its Capability List.
        set: String,
        /// Whether there were changes that had not been announced.
        is_news: bool,
    },
    /// Time passed.
    Tick {},
}

/// An output of a subscriber.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SubscriberOutput {
    /// Store a value.
    Keep(Keep),
    /// Send a request.
    Send(Sent),
    /// Reply to a request.
    Reply(Served),
    /// A notification from a channel.
    #[serde(rename_all = "camelCase")]
    Notified {
        /// The channel.
        channel: String,
        /// The followed URI.
        source: String,
        /// The topic.
        topic: String,
        /// The Capability List of the set.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        capability_list: Option<String>,
        /// The notification, without its changes.
        #[serde(flatten)]
        notification: Box<Notification>,
        /// The document.
        #[serde(default)]
        body: Bytes,
    },
    /// Changes may have been missed.
    Pull(Pull),
    /// Documents changed.
    Reread(Reread),
    /// A subscription changed.
    Changed(StateChange),
    /// A finding.
    Found {
        /// The code.
        code: String,
        /// The URI concerned.
        uri: String,
        /// The channel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        channel: Option<String>,
        /// The arguments of its message.
        args: BTreeMap<String, Arg>,
        /// One line in English.
        message: String,
        /// The report on an invalid notification.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report: Option<Box<Report>>,
    },
    /// The time of the next tick.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

impl Subscriber {
    /// Processes one input as a plain value.
    pub fn take(&mut self, moment: &mut Moment<'_>, input: SubscriberInput) -> Vec<SubscriberOutput> {
        let input = match input {
            SubscriberInput::Follow { uri } => Input::Follow { uri },
            SubscriberInput::Unfollow { uri } => Input::Unfollow { uri },
            SubscriberInput::Rotate { channel } => Input::Rotate { channel },
            SubscriberInput::Request(incoming) => Input::Request { id: incoming.id, request: incoming.into() },
            SubscriberInput::Answered(answered) => Input::Answered { id: answered.id, answer: answered.into() },
            SubscriberInput::Failed { id, reason } => Input::Failed { id, reason },
            SubscriberInput::Pulled { set, is_news } => Input::Pulled { set, is_news },
            SubscriberInput::Tick {} => Input::Tick,
        };
        self.handle(moment, input).into_iter().map(SubscriberOutput::from).collect()
    }
}

impl From<Output> for SubscriberOutput {
    fn from(output: Output) -> SubscriberOutput {
        match output {
            Output::Keep(keep) => SubscriberOutput::Keep(keep),
            Output::Send { id, request } => SubscriberOutput::Send(Sent::new(id, request)),
            Output::Reply { id, reply } => SubscriberOutput::Reply(Served::new(id, reply)),
            Output::Notified(Notice { channel, source, topic, capability_list, payload, .. }) => {
                let notification = Box::new(Notification::summary(&payload));
                let body = Bytes(payload.into_text().into_bytes());
                SubscriberOutput::Notified { channel, source, topic, capability_list, notification, body }
            }
            Output::Pull(pull) => SubscriberOutput::Pull(pull),
            Output::Reread(reread) => SubscriberOutput::Reread(reread),
            Output::Changed(change) => SubscriberOutput::Changed(change),
            Output::Found(found) => {
                let message = found.message(Lang::En);
                let Found { code, uri, channel, args, report } = found;
                SubscriberOutput::Found { code: code.into(), uri, channel, args, message, report }
            }
            Output::Wait { until } => SubscriberOutput::Wait { until },
        }
    }
}

impl Carrier for SubscriberInput {
    fn body(&mut self) -> Option<&mut Bytes> {
        match self {
            SubscriberInput::Request(incoming) => Some(&mut incoming.body),
            SubscriberInput::Answered(answered) => Some(&mut answered.body),
            _ => None,
        }
    }
}

impl Carrier for SubscriberOutput {
    fn body(&mut self) -> Option<&mut Bytes> {
        match self {
            SubscriberOutput::Send(sent) => Some(&mut sent.body),
            SubscriberOutput::Reply(served) => Some(&mut served.body),
            SubscriberOutput::Notified { body, .. } => Some(body),
            _ => None,
        }
    }
}

impl Subscriber {
    /// From options and state as JSON; a state that is `None` is that of a new one.
    ///
    /// # Errors
    ///
    /// In one line, if one of them is not understood.
    pub fn from_json(options: &str, state: Option<&str>) -> Result<Subscriber, String> {
        let options: SubscriberOptions = read(options)?;
        let options = Options::try_from(options).map_err(|error| error.to_string())?;
        Subscriber::restore(options, turn::state(state)?).map_err(|error| error.to_string())
    }

    /// Takes an input as JSON, with its body.
    ///
    /// # Errors
    ///
    /// If the input is not understood.
    pub fn turn(
        &mut self,
        moment: &mut Moment<'_>,
        input: &str,
        body: Option<&[u8]>,
    ) -> Result<Vec<Turned>, TurnError> {
        let input: SubscriberInput = turn::input(input, body)?;
        Ok(self.take(moment, input).into_iter().map(turned).collect())
    }
}
