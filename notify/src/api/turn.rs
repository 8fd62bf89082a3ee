//! One input of a state machine and its outputs as JSON, with bodies as separate bytes.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use serde::{Serialize, de::DeserializeOwned};

use crate::{payload::Rejected, state::State};

/// An output as JSON, and its body, if it is of a kind that has one.
pub type Turned = (String, Option<Vec<u8>>);

/// An input, some of whose kinds have a body.
pub(super) trait WithBody {
    /// The body.
    fn body(&mut self) -> Option<&mut Vec<u8>>;
}

/// An output, some of whose kinds have a body.
pub(super) trait TakeBody {
    /// Takes the body out of it.
    fn take_body(&mut self) -> Option<Vec<u8>>;
}

/// An input from its JSON and its body.
pub(super) fn input<T: DeserializeOwned + WithBody>(json: &str, body: Option<&[u8]>) -> Result<T, TurnError> {
    let mut input: T = read(json).map_err(TurnError::Input)?;
    if let (Some(place), Some(body)) = (input.body(), body) {
        *place = body.to_vec();
    }
    Ok(input)
}

/// The JSON and the body of an output.
pub(super) fn turned<T: Serialize + TakeBody>(mut output: T) -> Turned {
    let body = output.take_body();
    // All keys are strings and every value exists in JSON, so serializing cannot fail.
    (serde_json::to_string(&output).unwrap_or_default(), body)
}

pub(super) fn state(json: Option<&str>) -> Result<State, String> {
    json.map_or_else(|| Ok(State::new()), read)
}

pub(super) fn read<T: DeserializeOwned>(json: &str) -> Result<T, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

/// Why an input was rejected. Nothing changed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TurnError {
    /// The input is invalid; with a one-line message.
    Input(String),
    /// A payload is not valid.
    Rejected(Rejected),
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnError::Input(why) => f.write_str(why),
            TurnError::Rejected(rejected) => rejected.fmt(f),
        }
    }
}

impl core::error::Error for TurnError {}
