//! The options of a check.

use alloc::string::String;

use resourcesync::report::FamilySelection;

use crate::limits::Limits;

/// The options of a check.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// The base URL of the repository.
    pub base_url: String,
    /// Milliseconds between a response and the next request.
    pub delay: u64,
    /// The longest single wait in seconds.
    pub max_wait: u64,
    /// The limits on responses.
    pub limits: Limits,
    /// Which rules are reported, and with which severity.
    pub selection: FamilySelection,
    /// Findings stored for each code, severity and response; 0 stores all.
    pub max_per_rule: u64,
    /// True if the client can set and see all header fields. `fetch` in browsers cannot: then content codings, and a `Retry-After`
    /// that is missing, are not checked.
    pub all_headers: bool,
}

impl CheckPlan {
    /// The usual options: at most one request a second.
    pub fn new(base_url: &str) -> CheckPlan {
        let limits = Limits { oai_page_bytes: PAGE_BYTES, ..Limits::default() };
        CheckPlan {
            base_url: base_url.into(),
            delay: 1000,
            max_wait: 300,
            limits,
            selection: FamilySelection::default(),
            max_per_rule: 100,
            all_headers: true,
        }
    }
}

/// A check reads a few pages only, and a page should have some megabytes.
const PAGE_BYTES: u64 = 64 << 20;
