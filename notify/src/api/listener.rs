//! The listener with plain values.

use alloc::{
    boxed::Box,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use super::{
    SubscriberOptions,
    turn::{self, TakeBody, TurnError, Turned, WithBody, read, turned},
};
use crate::{
    exchange::{Body, Request},
    listener::{CopyOptions, Input, Listener, Step},
    moment::Moment,
    subscriber::{Options, Output},
};

/// The options of a listener.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ListenerOptions {
    /// Those of its subscriber.
    pub subscriber: SubscriberOptions,
    /// How the copy is kept in sync; without a copy it only subscribes.
    pub copy: Option<CopyOptions>,
}

/// An output of a listener: one of its subscriber, or a step.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ListenerOutput {
    /// Of its subscriber.
    Subscriber(Box<Output>),
    /// A step.
    Step(Step),
}

impl Listener {
    /// Processes one input, and everything that is due.
    pub fn take(&mut self, moment: &mut Moment<'_>, input: Input) -> Vec<ListenerOutput> {
        let of = |output| ListenerOutput::Subscriber(Box::new(output));
        let mut outputs: Vec<_> = self.handle(moment, input).into_iter().map(of).collect();
        loop {
            let step = self.poll(moment.now);
            let is_last = matches!(step, Step::Wait { .. } | Step::End { .. });
            if step != (Step::Wait { until: None }) {
                outputs.push(ListenerOutput::Step(step));
            }
            if is_last {
                return outputs;
            }
        }
    }

    /// From options and state as JSON; a state that is `None` is that of a new one.
    ///
    /// # Errors
    ///
    /// In one line, if one of them is not understood.
    pub fn from_json(options: &str, state: Option<&str>) -> Result<Listener, String> {
        let ListenerOptions { subscriber, copy } = read(options)?;
        let options = Options::try_from(subscriber).map_err(|error| error.to_string())?;
        Listener::restore(options, copy, turn::state(state)?).map_err(|error| error.to_string())
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
        Ok(self.take(moment, input).into_iter().map(turned).collect())
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

impl TakeBody for ListenerOutput {
    fn take_body(&mut self) -> Option<Vec<u8>> {
        match self {
            ListenerOutput::Subscriber(output) => output.take_body(),
            ListenerOutput::Step(Step::Apply(notice)) => Some(notice.payload.take_text().into_bytes()),
            ListenerOutput::Step(_) => None,
        }
    }
}
