//! The subscriber with plain values.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::{mem::take, time::Duration};

use serde::{Deserialize, Serialize};

use super::turn::{self, TakeBody, TurnError, Turned, WithBody, read, turned};
use crate::{
    exchange::{Body, Request},
    moment::Moment,
    payload::Channel,
    subscriber::{CallbackError, Input, Options, Output, Subscriber},
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

impl WithBody for Input {
    fn body(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            Input::Request { request: Request { body: Body::Whole(body), .. }, .. } => Some(body),
            Input::Answered { answer, .. } => Some(&mut answer.body),
            _ => None,
        }
    }
}

impl TakeBody for Output {
    fn take_body(&mut self) -> Option<Vec<u8>> {
        match self {
            Output::Send { request, .. } => Some(take(&mut request.body)),
            Output::Reply { reply, .. } => Some(take(&mut reply.body)),
            Output::Notified(notice) => Some(notice.payload.take_text().into_bytes()),
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
        let input: Input = turn::input(input, body)?;
        Ok(self.handle(moment, input).into_iter().map(turned).collect())
    }
}
