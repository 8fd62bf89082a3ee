//! The fetches without an outcome.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::moment::Timestamp;

/// The fetches without an outcome.
#[derive(Debug, Default)]
pub(super) struct Fetches {
    pub(super) last: u64,
    pub(super) open: BTreeMap<u64, Fetch>,
    /// The `ETag` of the last payload of each pinged topic.
    pub(super) etags: BTreeMap<String, String>,
}

#[derive(Debug)]
pub(super) struct Fetch {
    pub(super) topic: String,
    pub(super) since: Timestamp,
    pub(super) purpose: Purpose,
}

#[derive(Debug)]
pub(super) enum Purpose {
    /// A Source pinged, and again during the fetch.
    Ping { again: bool },
    /// A payload was sent with this request.
    Proof { request: u64, sent: Sent },
}

/// A payload that was sent or fetched.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) content_type: String,
    pub(super) capability_list: Option<String>,
    pub(super) body: Vec<u8>,
}
