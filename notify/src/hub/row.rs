//! The keys of the values of a ledger in memory.

use alloc::{
    format,
    string::{String, ToString},
};

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Row {
    /// The last number used.
    Last,
    Topic(u64),
    /// Topic and number.
    Payload(u64, u64),
    Subscription(u64),
    Pending(u64),
    DeadLetter(u64),
    /// A host.
    Denied(String),
}

impl Row {
    pub(super) fn key(&self) -> String {
        match self {
            Row::Last => "last".to_string(),
            Row::Topic(id) => format!("topic:{id}"),
            Row::Payload(topic, seq) => format!("payload:{topic}:{seq}"),
            Row::Subscription(id) => format!("subscription:{id}"),
            Row::Pending(nonce) => format!("pending:{nonce}"),
            Row::DeadLetter(id) => format!("dead-letter:{id}"),
            Row::Denied(host) => format!("denied:{host}"),
        }
    }
}
