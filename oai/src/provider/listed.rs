//! What was read of a list.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::answer::Reply;
use crate::page::Header;

/// What was read of a list.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// The number of its last page in the report.
    pub(super) input: u64,
    pub(super) headers: Vec<Header>,
    pub(super) delivered: u64,
    /// The content of the first and of the last page.
    pub(super) first: Vec<(String, String)>,
    pub(super) last: Vec<(String, String)>,
    /// The word of the first response, if it is an error.
    pub(super) error: Option<String>,
    /// True if the first response is a page.
    pub(super) is_page: bool,
    /// The tokens that were sent.
    pub(super) tokens: Vec<String>,
    /// True if its end was read.
    pub(super) ended: bool,
}

impl Listed {
    pub(super) fn header(&self, identifier: &str) -> Option<&Header> {
        self.headers.iter().find(|header| header.identifier == identifier)
    }

    pub(super) fn add(&mut self, input: u64, reply: &Reply) {
        self.input = input;
        self.delivered = self.delivered.saturating_add(reply.items);
        self.headers.extend(reply.headers.iter().cloned());
        let content = || reply.content().map(|(id, stamp)| (id.to_string(), stamp.to_string())).collect();
        self.last = content();
        if self.first.is_empty() {
            self.first = content();
        }
    }
}
