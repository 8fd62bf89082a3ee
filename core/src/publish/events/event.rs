//! A stated change of a resource.

use core::str::FromStr;

use crate::{publish::Record, value::Datetime};

/// A change that a program states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub verb: EventVerb,
    /// When it happened.
    pub datetime: Option<Datetime>,
    /// The resource after the event; for a deletion only its URI and set count.
    pub record: Record,
}

/// What happened to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventVerb {
    /// It was created.
    Created,
    /// It was updated.
    Updated,
    /// It was deleted.
    Deleted,
    /// It was created or updated.
    Upsert,
}

impl EventVerb {
    /// The word in inputs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            EventVerb::Created => "created",
            EventVerb::Updated => "updated",
            EventVerb::Deleted => "deleted",
            EventVerb::Upsert => "upsert",
        }
    }
}

impl FromStr for EventVerb {
    type Err = ();

    fn from_str(text: &str) -> Result<EventVerb, ()> {
        match text {
            "created" => Ok(EventVerb::Created),
            "updated" => Ok(EventVerb::Updated),
            "deleted" => Ok(EventVerb::Deleted),
            "upsert" => Ok(EventVerb::Upsert),
            _ => Err(()),
        }
    }
}
