//! The persistent state of a state machine: named JSON values, stored by its driver.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
};
use core::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The version of all values; newer versions are rejected.
const VERSION: u64 = 1;

/// The values that a state machine needs after a restart, by name.
pub type State = BTreeMap<String, Value>;

/// A changed value. It must be durable before any other output of the same input is performed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Keep {
    /// The name.
    pub key: String,
    /// The value; `None` removes it.
    pub value: Option<Value>,
}

impl Keep {
    pub(crate) fn put<T: Serialize>(key: String, value: &T) -> Keep {
        // States have string keys and no value that JSON lacks, so writing one cannot fail.
        let mut value = serde_json::to_value(value).unwrap_or_default();
        if let Value::Object(fields) = &mut value {
            fields.insert("version".to_string(), VERSION.into());
        }
        Keep { key, value: Some(value) }
    }

    pub(crate) fn remove(key: String) -> Keep {
        Keep { key, value: None }
    }

    /// Applies the change to a copy of the state.
    pub fn apply(self, state: &mut State) {
        match self.value {
            Some(value) => drop(state.insert(self.key, value)),
            None => drop(state.remove(&self.key)),
        }
    }
}

/// Reads a value.
pub(crate) fn read<T: DeserializeOwned>(key: &str, mut value: Value) -> Result<T, StateError> {
    let wrong = |reason: String| StateError { key: key.to_string(), reason };
    let version = value.as_object_mut().and_then(|fields| fields.remove("version"));
    match version.as_ref().and_then(Value::as_u64) {
        Some(VERSION) => serde_json::from_value(value).map_err(|error| wrong(error.to_string())),
        Some(version) => Err(wrong(alloc::format!("version {version} is not known here, {VERSION} is"))),
        None => Err(wrong("it has no version".to_string())),
    }
}

/// The number in a name.
pub(crate) fn number(key: &str, digits: &str) -> Result<u64, StateError> {
    digits.parse().map_err(|_| StateError::unknown(key))
}

/// The state does not belong to this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateError {
    key: String,
    reason: String,
}

impl StateError {
    pub(crate) fn unknown(key: &str) -> StateError {
        StateError { key: key.to_string(), reason: "no value of this machine has such a name".to_string() }
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the state `{}` cannot be read: {}", self.key, self.reason)
    }
}

impl core::error::Error for StateError {}
