//! The rows of a ledger in memory as named values, which its driver stores.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Accepted, MemoryLedger, row::Row};
use crate::state::{Keep, State, StateError, number, read};

#[derive(Serialize, Deserialize)]
struct Last {
    number: u64,
}

/// A row whose key says everything.
#[derive(Serialize, Deserialize)]
struct Present {}

impl MemoryLedger {
    /// A ledger with stored values, which records its changes.
    ///
    /// # Errors
    ///
    /// If a value is not that of a ledger.
    pub fn restore(state: State) -> Result<MemoryLedger, StateError> {
        let mut own = MemoryLedger { changed: Some(BTreeSet::new()), ..MemoryLedger::default() };
        state.into_iter().try_for_each(|(key, value)| own.insert(&key, value))?;
        Ok(own)
    }

    fn insert(&mut self, key: &str, value: Value) -> Result<(), StateError> {
        let (word, rest) = key.split_once(':').unwrap_or((key, ""));
        match word {
            "last" => self.last = read::<Last>(key, value)?.number,
            "topic" => drop(self.topics.insert(number(key, rest)?, read(key, value)?)),
            "payload" => {
                let (topic, seq) = rest.split_once(':').ok_or_else(|| StateError::unknown(key))?;
                let payload: Accepted = read(key, value)?;
                self.payloads.insert((number(key, topic)?, number(key, seq)?), Arc::new(payload));
            }
            "subscription" => drop(self.subscriptions.insert(number(key, rest)?, read(key, value)?)),
            "pending" => drop(self.pending.insert(number(key, rest)?, read(key, value)?)),
            "dead-letter" => drop(self.dead_letters.insert(number(key, rest)?, read(key, value)?)),
            "denied" => {
                read::<Present>(key, value)?;
                self.denied.insert(rest.to_string());
            }
            _ => return Err(StateError::unknown(key)),
        }
        Ok(())
    }

    /// The values changed since the last call.
    pub fn changes(&mut self) -> Vec<Keep> {
        let changed = self.changed.as_mut().map(core::mem::take).unwrap_or_default();
        changed.into_iter().map(|row| self.keep(&row)).collect()
    }

    fn keep(&self, row: &Row) -> Keep {
        let key = row.key();
        match row {
            Row::Last => Keep::put(key, &Last { number: self.last }),
            Row::Topic(id) => kept(key, self.topics.get(id)),
            Row::Payload(topic, seq) => kept(key, self.payloads.get(&(*topic, *seq)).map(|payload| &**payload)),
            Row::Subscription(id) => kept(key, self.subscriptions.get(id)),
            Row::Pending(nonce) => kept(key, self.pending.get(nonce)),
            Row::DeadLetter(id) => kept(key, self.dead_letters.get(id)),
            Row::Denied(host) => kept(key, self.denied.contains(host).then_some(&Present {})),
        }
    }
}

fn kept<T: Serialize + DeserializeOwned>(key: String, row: Option<&T>) -> Keep {
    match row {
        Some(row) => Keep::put(key, row),
        None => Keep::remove(key),
    }
}
