//! A search for the channels of a Source, and the pending requests.

use alloc::{
    collections::{BTreeSet, VecDeque},
    string::String,
};

use resourcesync::diagnostic::Reason;

use super::record::Advert;
use crate::exchange::Method;

/// A search for the channels of a Source.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    /// The next candidates, used if nothing has been found so far.
    pub(super) candidates: VecDeque<String>,
    /// Requested documents and topics.
    pub(super) seen: BTreeSet<String>,
    pub(super) open: usize,
    /// The channels found.
    pub(super) found: BTreeSet<String>,
    /// True once a document contained a link to follow.
    pub(super) led: bool,
    /// Capability Lists that were read.
    pub(super) lists: usize,
    /// The reason why a document could not be read; in this case missing channels have no effect.
    pub(super) doubt: Option<Reason>,
}

/// A request of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) source: String,
    /// The target after redirects.
    pub(super) uri: String,
    pub(super) hops: u8,
    pub(super) what: What,
}

/// The purpose of a request of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// A document that may lead to channels.
    Document {
        /// True for the URI given by the user and the candidates derived from it.
        is_candidate: bool,
        /// If set, all channels except the one of this topic are ignored.
        only: Option<String>,
    },
    /// A topic.
    Topic(Advert, Method),
}

/// A pending request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Call {
    /// A request of a search for channels.
    Discover(Step),
    /// A request to a hub, for a channel.
    Hub {
        token: String,
        uri: String,
        /// Redirects followed so far.
        hops: u8,
    },
}
