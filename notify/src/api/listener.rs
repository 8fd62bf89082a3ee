//! The listener with plain values.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use resourcesync::diagnostic::Reason;
use serde::{Deserialize, Serialize};

use super::{
    Answered, Bytes, Incoming, SubscriberOptions, SubscriberOutput,
    turn::{self, Carrier, TurnError, Turned, read, turned},
};
use crate::{
    listener::{CopyOptions, Ending, Input, Listener, RunOutcome, RunResult, Step, Trigger},
    moment::{Moment, Timestamp},
    subscriber::{Options, Output},
};

/// The options of a listener.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ListenerOptions {
    /// Those of its subscriber.
    pub subscriber: SubscriberOptions,
    /// How the copy is kept in sync; without a copy it only subscribes.
    pub copy: Option<ListenerCopy>,
}

/// How the copy of a listener is kept in sync.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ListenerCopy {
    /// The longest time between two runs, in seconds; an hour by default.
    pub poll: Option<u64>,
    /// Applies notifications without reading lists, where that is possible.
    pub direct: bool,
}

impl From<ListenerCopy> for CopyOptions {
    fn from(copy: ListenerCopy) -> CopyOptions {
        CopyOptions { poll: copy.poll.map_or(CopyOptions::POLL, Duration::from_secs), direct: copy.direct }
    }
}

/// The result of a run on the copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListenerRun {
    /// Its outcome, as in the report of a Destination.
    pub outcome: RunOutcome,
    /// The state of the Source that the copy has, as in the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// Resources that were created, updated or deleted.
    #[serde(default)]
    pub changed: u64,
    /// Resources that failed, were deferred, not attempted, or have a conflict.
    #[serde(default)]
    pub unfinished: u64,
}

impl From<ListenerRun> for RunResult {
    fn from(run: ListenerRun) -> RunResult {
        let ListenerRun { outcome, as_of, changed, unfinished } = run;
        RunResult { outcome, as_of: as_of.and_then(|at| at.parse().ok()), changed, unfinished }
    }
}

/// An input of a listener.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ListenerInput {
    /// Follow exactly these Sources.
    Follow {
        /// Their URIs.
        uris: Vec<String>,
        /// True if every channel gets a new callback.
        #[serde(default)]
        rotate: bool,
    },
    /// End the subscriptions to these Sources, or to all if there is none.
    Stop {
        /// Their URIs.
        #[serde(default)]
        uris: Vec<String>,
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
    /// The run on the copy ended.
    Ran {
        /// Its result.
        #[serde(default)]
        result: Option<ListenerRun>,
    },
    /// Time passed.
    Tick {},
}

/// An output of a listener: one of its subscriber, or a step.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ListenerOutput {
    /// Of its subscriber.
    Subscriber(SubscriberOutput),
    /// A step.
    Step(ListenerStep),
}

/// A step of a listener.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ListenerStep {
    /// Synchronize the copy.
    #[serde(rename_all = "camelCase")]
    Sync {
        /// The reasons.
        why: BTreeSet<Trigger>,
        /// True if caches are not used.
        is_retry: bool,
    },
    /// Apply a notification to the copy, without reading lists.
    #[serde(rename_all = "camelCase")]
    Apply {
        /// The channel.
        channel: String,
        /// The topic.
        topic: String,
        /// The Capability List of the set.
        capability_list: Option<String>,
        /// The document.
        body: Bytes,
    },
    /// The time of the next tick.
    Wait {
        /// The moment.
        until: Timestamp,
    },
    /// The process is over.
    End {
        /// Why.
        why: Ending,
    },
}

impl Listener {
    /// Processes one input as a plain value, and everything that is due.
    pub fn take(&mut self, moment: &mut Moment<'_>, input: ListenerInput) -> Vec<ListenerOutput> {
        let input = match input {
            ListenerInput::Follow { uris, rotate } => Input::Follow { uris, rotate },
            ListenerInput::Stop { uris } => Input::Stop { uris },
            ListenerInput::Request(incoming) => Input::Request { id: incoming.id, request: incoming.into() },
            ListenerInput::Answered(answered) => Input::Answered { id: answered.id, answer: answered.into() },
            ListenerInput::Failed { id, reason } => Input::Failed { id, reason },
            ListenerInput::Ran { result } => Input::Ran { result: result.map(RunResult::from) },
            ListenerInput::Tick {} => Input::Tick,
        };
        let of = |output: Output| ListenerOutput::Subscriber(output.into());
        let mut outputs: Vec<ListenerOutput> = self.handle(moment, input).into_iter().map(of).collect();
        loop {
            let (step, is_last) = match self.poll(moment.now) {
                Step::Sync { why, is_retry } => (ListenerStep::Sync { why, is_retry }, false),
                Step::Apply(notice) => {
                    let body = Bytes(notice.payload.into_text().into_bytes());
                    let (channel, topic, capability_list) = (notice.channel, notice.topic, notice.capability_list);
                    (ListenerStep::Apply { channel, topic, capability_list, body }, false)
                }
                Step::Wait { until: None } => return outputs,
                Step::Wait { until: Some(until) } => (ListenerStep::Wait { until }, true),
                Step::End(why) => (ListenerStep::End { why }, true),
            };
            outputs.push(ListenerOutput::Step(step));
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
        Listener::restore(options, copy.map(CopyOptions::from), turn::state(state)?).map_err(|error| error.to_string())
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
        let input: ListenerInput = turn::input(input, body)?;
        Ok(self.take(moment, input).into_iter().map(turned).collect())
    }
}

impl Carrier for ListenerInput {
    fn body(&mut self) -> Option<&mut Bytes> {
        match self {
            ListenerInput::Request(incoming) => Some(&mut incoming.body),
            ListenerInput::Answered(answered) => Some(&mut answered.body),
            _ => None,
        }
    }
}

impl Carrier for ListenerOutput {
    fn body(&mut self) -> Option<&mut Bytes> {
        match self {
            ListenerOutput::Subscriber(output) => output.body(),
            ListenerOutput::Step(ListenerStep::Apply { body, .. }) => Some(body),
            ListenerOutput::Step(_) => None,
        }
    }
}
