//! The publisher with plain values.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::diagnostic::Reason;
use serde::{Deserialize, Serialize};

use super::{
    Answered, Bytes,
    turn::{self, TakeBody, TurnError, Turned, WithBody, read, turned},
};
use crate::{
    moment::Moment,
    payload::{Channel, Payload, Rejected},
    publisher::{Credential, Input, Options, Output, Publisher},
    topic::Topic,
};

/// The options of a publisher.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PublisherOptions {
    /// Accepts only status 200.
    pub strict_hub: bool,
    /// Headers that authenticate the Source.
    pub credentials: Vec<Credential>,
}

impl From<PublisherOptions> for Options {
    fn from(options: PublisherOptions) -> Options {
        let PublisherOptions { strict_hub, credentials } = options;
        Options { strict_hub, credentials }
    }
}

/// An input of a publisher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PublisherInput {
    /// A payload for the hubs of a topic.
    #[serde(rename_all = "camelCase")]
    Publish {
        /// The topic, with its hubs.
        topic: Topic,
        /// The kind of channel.
        kind: Channel,
        /// The document.
        #[serde(default)]
        body: Bytes,
    },
    /// The response of a hub.
    Answered(Answered),
    /// A request without a response.
    Failed {
        /// The number of the request.
        id: u64,
        /// The reason.
        reason: Reason,
    },
    /// Resends a payload that a hub refused.
    Retry {
        /// The number of the payload.
        payload: u64,
    },
    /// Discards a payload.
    Discard {
        /// The number of the payload.
        payload: u64,
    },
    /// Time passed.
    Tick {},
}

impl Publisher {
    /// Processes one input as a plain value.
    ///
    /// # Errors
    ///
    /// If a payload is not valid; nothing is sent.
    pub fn take(&mut self, moment: &mut Moment<'_>, input: PublisherInput) -> Result<Vec<Output>, Rejected> {
        let input = match input {
            PublisherInput::Publish { topic, kind, body } => {
                Input::Publish { topic, payload: Payload::read(body.0, kind)? }
            }
            PublisherInput::Answered(answered) => Input::Answered { id: answered.id, answer: answered.into() },
            PublisherInput::Failed { id, reason } => Input::Failed { id, reason },
            PublisherInput::Retry { payload } => Input::Retry { payload },
            PublisherInput::Discard { payload } => Input::Discard { payload },
            PublisherInput::Tick {} => Input::Tick,
        };
        Ok(self.handle(moment, input))
    }
}

impl WithBody for PublisherInput {
    fn body(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            PublisherInput::Publish { body, .. } => Some(&mut body.0),
            PublisherInput::Answered(answered) => Some(&mut answered.body.0),
            _ => None,
        }
    }
}

impl TakeBody for Output {
    fn take_body(&mut self) -> Option<Vec<u8>> {
        match self {
            Output::Send { request, .. } => Some(core::mem::take(&mut request.body)),
            _ => None,
        }
    }
}

impl Publisher {
    /// From options and state as JSON; a state that is `None` is that of a new one.
    ///
    /// # Errors
    ///
    /// In one line, if one of them is not understood.
    pub fn from_json(options: &str, state: Option<&str>) -> Result<Publisher, String> {
        let options: PublisherOptions = read(options)?;
        Publisher::restore(options.into(), turn::state(state)?).map_err(|error| error.to_string())
    }

    /// Takes an input as JSON, with its body.
    ///
    /// # Errors
    ///
    /// If the input is not understood, or a payload is not valid.
    pub fn turn(
        &mut self,
        moment: &mut Moment<'_>,
        input: &str,
        body: Option<&[u8]>,
    ) -> Result<Vec<Turned>, TurnError> {
        Ok(self.outputs(moment, input, body)?.into_iter().map(Output::turned).collect())
    }

    /// Takes an input as JSON, with its body; the outputs are not converted yet.
    ///
    /// # Errors
    ///
    /// As [`Publisher::turn`].
    pub fn outputs(
        &mut self,
        moment: &mut Moment<'_>,
        input: &str,
        body: Option<&[u8]>,
    ) -> Result<Vec<Output>, TurnError> {
        let input: PublisherInput = turn::input(input, body)?;
        self.take(moment, input).map_err(TurnError::Rejected)
    }
}

impl Output {
    /// The output as JSON, and its body.
    #[must_use]
    pub fn turned(self) -> Turned {
        turned(self)
    }
}
