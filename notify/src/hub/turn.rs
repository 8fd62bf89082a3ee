//! One input being processed, and the replies to requests that are refused.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use super::{Event, EventKind, Ledger, Output};
use crate::{
    exchange::{Body, Reply},
    moment::Moment,
};

/// One input being processed.
pub(super) struct Turn<'t, 'm, L> {
    pub(super) moment: &'t mut Moment<'m>,
    pub(super) ledger: &'t mut L,
    pub(super) outputs: Vec<Output>,
}

impl<L> Turn<'_, '_, L> {
    pub(super) fn event(&mut self, event: Event) {
        self.outputs.push(Output::Event(event));
    }
}

/// A complete body, or the reply to one that is not.
pub(super) fn whole(body: Body) -> Result<Vec<u8>, Reply> {
    match body {
        Body::Whole(body) => Ok(body),
        Body::TooLarge => Err(Reply::text(413, "too-large: the body exceeds the limit\n")),
        Body::Stalled => Err(Reply::text(408, "stalled: the body ended prematurely\n")),
        // The options were replaced after its header was read.
        Body::Unread => {
            let reply = Reply::text(503, "busy: try again later\n");
            Err(Reply { headers: reply.headers.with("Retry-After", "1"), ..reply })
        }
    }
}

/// Reports a payload that is not accepted, and returns the reply.
pub(super) fn refused<L: Ledger>(turn: &mut Turn<'_, '_, L>, topic: Option<&str>, reply: Reply) -> Reply {
    let detail = String::from_utf8_lossy(&reply.body).lines().next().unwrap_or_default().to_string();
    let event = Event::new(EventKind::Refused).detail(format!("{} {detail}", reply.status));
    turn.event(topic.map_or(event.clone(), |topic| event.topic(topic)));
    reply
}

/// The reply to too many requests.
pub(super) fn too_many(wait: Duration) -> Reply {
    let reply = Reply::text(429, "too-many: try again later\n");
    let seconds = wait.as_secs().saturating_add(1).to_string();
    Reply { headers: reply.headers.with("Retry-After", seconds), ..reply }
}
