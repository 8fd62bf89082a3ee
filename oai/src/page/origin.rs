//! The context of a damaged record in its page.

use alloc::string::String;

use resourcesync::xml::Context;

use crate::{limits::Limits, request::Verb};

/// The context of a damaged record in its page, needed to read it again.
#[derive(Debug, Clone)]
pub struct Origin {
    pub(super) context: Context,
    pub(super) namespace: String,
    pub(super) prefix: String,
    pub(super) verb: Verb,
    pub(super) around_items: usize,
    pub(super) limits: Limits,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}
