//! The file with the payloads of a publication, a JSON object a line, and their transfer to the outbox.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use resourcesync::value::Datetime;
use serde::{Deserialize, Serialize};

use super::{json_line::line, outbox::Outbox};
use crate::{
    payload::{Channel, Payload},
    publisher::Output,
    topic::Topic,
};

/// The file, in the folder with the state of a generation.
pub const PAYLOADS: &str = "payloads.jsonl";

/// A payload of a publication.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announced {
    /// The topic, with its hubs.
    pub topic: Topic,
    /// The kind of channel.
    pub kind: Channel,
    /// The document.
    pub body: String,
}

impl Announced {
    /// Its line.
    #[must_use]
    pub fn line(&self) -> Vec<u8> {
        line(self)
    }
}

/// The first line of the payloads.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// The time of the publication.
    publication: String,
}

/// The first line of the payloads of a publication of this time.
#[must_use]
pub fn payloads_head(at: &Datetime) -> Vec<u8> {
    line(&Head { publication: at.to_string() })
}

/// An interval that does not start at the end of the previous one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// The topic.
    pub topic: String,
    /// The end of the previous interval.
    pub expected: String,
    /// The start of this one.
    pub from: String,
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Break { topic, expected, from } = self;
        write!(f, "the notifications of {topic} end at {expected}, and the next begins at {from}")
    }
}

/// Takes the payloads of a publication into an outbox, except those that were already taken. Publications before the last one taken are
/// ignored.
#[derive(Debug, Default)]
pub struct Taking {
    publication: Option<String>,
    /// The publication is older than the last one taken.
    is_past: bool,
    /// Payloads that were already taken.
    passed: u64,
    breaks: Vec<Break>,
}

impl Taking {
    /// Takes the next line of the file; returns what has to be appended to the file of the outbox.
    ///
    /// # Errors
    ///
    /// The problem, if the line is damaged.
    pub fn line(&mut self, outbox: &mut Outbox, line: &[u8]) -> Result<Vec<u8>, String> {
        if self.is_past {
            return Ok(Vec::new());
        }
        let Some(publication) = &self.publication else {
            let Head { publication } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            // Without the zone, times with and without a fraction sort chronologically.
            let moment = |publication: &str| publication.trim_end_matches('Z').to_owned();
            self.is_past = outbox.publication().is_some_and(|last| moment(last) > moment(&publication));
            self.passed = outbox.taken(&publication);
            self.publication = Some(publication);
            return Ok(Vec::new());
        };
        if self.passed > 0 {
            self.passed = self.passed.saturating_sub(1);
            return Ok(Vec::new());
        }
        let Announced { topic, kind, body } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let payload = Payload::read(body.into_bytes(), kind).map_err(|rejected| format!("{rejected}"))?;
        let (appended, outputs) = outbox.take(publication, topic, payload);
        for output in outputs {
            if let Output::Broken { topic, expected, from } = output {
                self.breaks.push(Break { topic, expected, from });
            }
        }
        Ok(appended)
    }

    /// The file ended.
    ///
    /// # Errors
    ///
    /// The problem, if it is damaged.
    pub fn finish(self) -> Result<Vec<Break>, String> {
        match self.publication {
            Some(_) => Ok(self.breaks),
            None => Err("it is empty".to_owned()),
        }
    }
}
