//! The outbox of a Source: a journal from which a publisher resumes after being killed at any time.
//!
//! The journal has one JSON object per line: values that a [`Publisher`] keeps, and the number of payloads taken from each publication. A
//! line is on disk before it has any effect. An incomplete last line is dropped. When the journal is read, it is compacted to one line.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use super::json_line::line;
use crate::{
    payload::Payload,
    publisher::{Options, Output, Publisher},
    state::{Keep, State},
    topic::Topic,
};

/// The file of the outbox, next to a published folder.
pub const OUTBOX: &str = "outbox.jsonl";

/// The payloads that a publisher still has to send.
#[derive(Debug, Default)]
pub struct Outbox {
    publisher: Publisher,
    /// The publication whose payloads were taken last, and their number.
    taken: Option<Taken>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Taken {
    publication: String,
    payloads: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<Taken>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keep: Vec<Keep>,
}

impl Outbox {
    /// An outbox without payloads.
    #[must_use]
    pub fn new(options: Options) -> Outbox {
        Outbox { publisher: Publisher::new(options), taken: None }
    }

    /// Reads a journal; also returns the compacted one, which replaces it before anything is appended.
    ///
    /// # Errors
    ///
    /// The problem, if it is not the journal of an outbox.
    pub fn read(journal: &[u8], options: Options) -> Result<(Outbox, Option<Vec<u8>>), String> {
        let (mut state, mut taken, mut lines) = (State::new(), None, 0_u64);
        for line in journal.split_inclusive(|byte| *byte == b'\n') {
            lines = lines.saturating_add(1);
            if !line.ends_with(b"\n") {
                break;
            }
            let read: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            taken = read.taken.or(taken);
            read.keep.into_iter().for_each(|keep| keep.apply(&mut state));
        }
        let is_compact = lines <= 1 && journal.last().is_none_or(|last| *last == b'\n');
        let compacted = (!is_compact).then(|| {
            let keep = state.iter().map(|(key, value)| Keep { key: key.clone(), value: Some(value.clone()) });
            line(&Line { taken: taken.clone(), keep: keep.collect() })
        });
        let publisher = Publisher::restore(options, state).map_err(|error| error.to_string())?;
        Ok((Outbox { publisher, taken }, compacted))
    }

    /// The publisher, to query waiting payloads.
    #[must_use]
    pub fn publisher(&self) -> &Publisher {
        &self.publisher
    }

    /// The publisher, to send waiting payloads. What it keeps has to be appended as [`Outbox::kept`].
    pub fn publisher_mut(&mut self) -> &mut Publisher {
        &mut self.publisher
    }

    /// The publication whose payloads were taken last.
    #[must_use]
    pub fn publication(&self) -> Option<&str> {
        self.taken.as_ref().map(|taken| &*taken.publication)
    }

    /// The number of payloads taken from a publication.
    #[must_use]
    pub fn taken(&self, publication: &str) -> u64 {
        self.taken.as_ref().filter(|taken| taken.publication == publication).map_or(0, |taken| taken.payloads)
    }

    /// Takes the next payload of a publication: the line to append, and what else the publisher returns.
    pub fn take(&mut self, publication: &str, topic: Topic, payload: Payload) -> (Vec<u8>, Vec<Output>) {
        let (mut keep, mut others) = (Vec::new(), Vec::new());
        for output in self.publisher.queue(topic, payload) {
            match output {
                Output::Keep(own) => keep.push(own),
                other => others.push(other),
            }
        }
        let payloads = self.taken(publication).saturating_add(1);
        let taken = Taken { publication: publication.to_owned(), payloads };
        self.taken = Some(taken.clone());
        (line(&Line { taken: Some(taken), keep }), others)
    }

    /// The line to append for values that the publisher keeps.
    #[must_use]
    pub fn kept(keep: Vec<Keep>) -> Vec<u8> {
        line(&Line { taken: None, keep })
    }
}
