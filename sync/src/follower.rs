//! Follows Change Lists in memory: for programs that keep no ledger, and pass on values as JSON.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use resourcesync::{diagnostic::Reason, limits::Limits};
use serde::{Deserialize, Serialize};

use crate::{
    chain::{Chain, Event, Followed, Gap, Order, State},
    change::Change,
    checkpoint::Checkpoint,
    listed_resource::Facets,
    reduce::{LastChange, reduce},
    survey::{Head, Request, Step},
};

/// Where to begin, and how.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FollowOptions {
    /// The state of the set when its changes were processed last.
    pub checkpoint: Checkpoint,
    /// The clock, in seconds since 1970.
    pub now: i64,
    /// True to use documents that are older than those seen before.
    #[serde(default)]
    pub accept_older: bool,
}

/// Reads the Change Lists since a checkpoint; driven like a [`Chain`].
#[derive(Debug)]
pub struct Follower {
    chain: Chain,
    /// By document.
    changes: BTreeMap<u32, Vec<Change>>,
}

/// A document that is older than one that was seen before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Older {
    /// The document.
    pub uri: String,
    /// Its time.
    pub at: String,
    /// The time that was seen.
    pub seen: String,
}

/// A time ahead of the clock of the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ahead {
    /// The document.
    pub uri: String,
    /// The time.
    pub at: String,
}

/// What changed since a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FollowedChanges {
    /// What the Change Lists are, compared with the checkpoint.
    pub state: State,
    /// The last change of each resource, in the order of the URIs; none unless the state is complete.
    pub changes: Vec<LastChange>,
    /// The changes that no list contains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// Documents that are older than those seen before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub older: Vec<Older>,
    /// A time ahead of the clock of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<Ahead>,
    /// The orders of lists that are not from the oldest to the newest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<Order>,
    /// New entries whose `loc` could not be read.
    pub unreadable_entries: u64,
    /// Seconds until the first of the open lists expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh_for: Option<u64>,
    /// The state to store once all changes are processed.
    pub checkpoint: Checkpoint,
}

impl Follower {
    /// Begins at a checkpoint.
    pub fn new(options: FollowOptions) -> Follower {
        let mut chain = Chain::new(options.checkpoint, options.now, &Limits::default());
        if options.accept_older {
            chain = chain.accepting_older();
        }
        Follower { chain, changes: BTreeMap::new() }
    }

    /// The next document to request; `None` at the end.
    #[expect(clippy::should_implement_trait, reason = "it is answered before it is called again")]
    pub fn next(&mut self) -> Option<Request> {
        match self.chain.next() {
            Step::Read(request) => Some(request),
            Step::Done => None,
        }
    }

    /// The head of its response.
    pub fn answer(&mut self, head: Head) {
        self.chain.answer(head);
    }

    /// Bytes of its body.
    pub fn push(&mut self, bytes: &[u8]) {
        self.chain.push(bytes);
        self.take();
    }

    /// The end of its body.
    pub fn end(&mut self) {
        self.chain.end();
        self.take();
    }

    /// There is no response, or it broke off.
    pub fn failed(&mut self, reason: Reason) {
        self.chain.failed(reason);
        self.take();
    }

    /// Reduces the changes to the last one of each resource.
    pub fn finish(self) -> FollowedChanges {
        let Follower { chain, changes } = self;
        let followed = chain.finish();
        let mut changes = if followed.state.is_complete() { reduce(&followed.order, changes) } else { Vec::new() };
        for LastChange { resource, .. } in &mut changes {
            (resource.patch, resource.facets) = (None, Facets::default());
        }
        let Followed { state, order, unreadable_entries, ahead, older, fresh_for, gap, checkpoint, .. } = followed;
        let older = older.into_iter().map(|(uri, at, seen)| Older { uri, at, seen }).collect();
        let ahead = ahead.map(|(uri, at)| Ahead { uri, at });
        let orders = order.iter().map(|part| part.order).filter(|order| *order != Order::Forward).collect();
        FollowedChanges { state, changes, gap, older, ahead, orders, unreadable_entries, fresh_for, checkpoint }
    }

    fn take(&mut self) {
        for event in self.chain.events() {
            match event {
                Event::Changed(document, change) => self.changes.entry(document).or_default().push(change),
                Event::Counts(_) => {}
                Event::Dropped(document) => drop(self.changes.remove(&document)),
            }
        }
    }
}
