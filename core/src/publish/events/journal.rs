//! The journal: events that programs append, until a publication takes them.
//!
//! Its first line identifies it, and each append is a line with a length, a SHA-256 and a list of events. Whoever appends may be killed at
//! any byte, so a line that is too short does not count; a line with the wrong digest is damage.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Event, EventVerb};
use crate::{publish::Record, value::to_hex};

/// The file next to the generations to which events are appended.
pub const JOURNAL: &str = "journal";
/// The journal that is being published, under this name until that is done.
pub const TAKEN: &str = "journal.taken";

const START: &str = "resourcesync-journal ";

/// The events of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// What distinguishes it from the journals before and after it.
    pub id: String,
    /// The events, in the order in which they were appended.
    pub events: Vec<Event>,
}

/// An event as the journal has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    change: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    datetime: Option<String>,
    record: Record,
}

impl Journal {
    /// The line that begins a journal.
    #[must_use]
    pub fn start(id: &str) -> String {
        format!("{START}{id}\n")
    }

    /// The identifier of the journal that begins with these bytes; `None` if its first line was not written to its end.
    #[must_use]
    pub fn id(start: &[u8]) -> Option<&str> {
        let line = start.split(|byte| *byte == b'\n').next().filter(|line| line.len() < start.len())?;
        core::str::from_utf8(line).ok()?.strip_prefix(START)
    }

    /// The line of events that are appended together.
    ///
    /// # Errors
    ///
    /// Never: its keys are texts and its numbers whole.
    pub fn line(events: &[Event]) -> Result<String, serde_json::Error> {
        let stored = |event: &Event| Stored {
            change: event.verb.as_str().to_owned(),
            datetime: event.datetime.as_ref().map(ToString::to_string),
            record: event.record.clone(),
        };
        let text = serde_json::to_string(&events.iter().map(stored).collect::<Vec<_>>())?;
        Ok(format!("{} {} {text}\n", text.len(), to_hex(&Sha256::digest(&text))))
    }

    /// Reads a journal.
    ///
    /// # Errors
    ///
    /// If it is damaged.
    pub fn parse(bytes: &[u8]) -> Result<Journal, String> {
        let Some(id) = Journal::id(bytes) else { return Err("it has no first line".to_owned()) };
        let (id, mut events) = (id.to_owned(), Vec::new());
        for (line, number) in
            bytes.split(|byte| *byte == b'\n').zip(1_u64..).skip(1).filter(|(line, _)| !line.is_empty())
        {
            let found = parse_line(line).map_err(|why| format!("line {number}: {why}"))?;
            events.extend(found.into_iter().flatten());
        }
        Ok(Journal { id, events })
    }
}

/// The events of a line; `None` if it was not written to its end.
fn parse_line(line: &[u8]) -> Result<Option<Vec<Event>>, String> {
    let mut fields = line.splitn(3, |byte| *byte == b' ');
    let (length, digest, text) = (fields.next(), fields.next(), fields.next());
    let length = length.and_then(|length| core::str::from_utf8(length).ok()?.parse::<usize>().ok());
    let (Some(length), Some(digest), Some(text)) = (length, digest, text) else {
        return if text.is_none() { Ok(None) } else { Err("it does not begin with a length".to_owned()) };
    };
    if text.len() < length {
        return Ok(None);
    }
    if to_hex(&Sha256::digest(text)).as_bytes() != digest {
        return Err("its digest is another one".to_owned());
    }
    let stored: Vec<Stored> = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let event = |Stored { change, datetime, record }| {
        let verb: EventVerb = change.parse().map_err(|()| format!("`{change}` is not a change"))?;
        let datetime = datetime.map(|text: String| text.parse().map_err(|_| format!("`{text}` is not a datetime")));
        Ok(Event { verb, datetime: datetime.transpose()?, record })
    };
    stored.into_iter().map(event).collect::<Result<_, String>>().map(Some)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn event(verb: &str, uri: &str, datetime: Option<&str>) -> Event {
        let record = Record { uri: uri.to_owned(), length: Some(5), ..Record::default() };
        Event { verb: verb.parse().unwrap(), datetime: datetime.map(|text| text.parse().unwrap()), record }
    }

    #[test]
    fn what_was_appended_whole_is_read_in_order_and_what_was_cut_does_not_count() {
        let first = [event("upsert", "a", Some("2024-05-01T00:00:00.250Z")), event("deleted", "b", None)];
        let second = [event("created", "c", None)];
        let lines = [&first[..], &second].map(|events| Journal::line(events).unwrap());
        let start = Journal::start("7-1");
        for cut in 0..lines[0].len() {
            let text = format!("{start}{}\n{}", &lines[0][..cut], lines[1]);
            let found = Journal::parse(text.as_bytes()).unwrap();
            let whole = if cut + 1 < lines[0].len() { 1 } else { 3 };
            assert_eq!((found.id.as_str(), found.events.len()), ("7-1", whole), "{cut}");
        }
        let both = Journal::parse(format!("{start}{}{}", lines[0], lines[1]).as_bytes()).unwrap();
        assert_eq!(both.events, [&first[..], &second].concat());
        assert_eq!(
            (Journal::id(start.as_bytes()), Journal::id(&start.as_bytes()[..start.len() - 1])),
            (Some("7-1"), None)
        );
    }

    #[test]
    fn a_changed_byte_of_a_line_is_damage_or_loses_no_other_line() {
        let lines = ["a", "b"].map(|uri| Journal::line(&[event("upsert", uri, None)]).unwrap());
        let text = format!("{}{}{}", Journal::start("1"), lines[0], lines[1]);
        let place = text.find("\"a\"").unwrap() + 1;
        let mut damaged = text.into_bytes();
        damaged[place] = b'z';
        assert!(Journal::parse(&damaged).unwrap_err().contains("line 2"));
        assert!(Journal::parse(b"").is_err() && Journal::parse(b"resourcesync-journal 1").is_err());
    }
}
