//! The starting points of a crawl: given URIs, and the well-known URIs of a host.

use alloc::{
    collections::VecDeque,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    diagnostic::Reason,
    source::{
        Purpose,
        discovery::{WELL_KNOWN, host},
    },
    value::key,
};

/// One start.
#[derive(Debug)]
pub(super) struct Start {
    /// As specified by the user.
    pub(super) named: String,
    /// The candidates, tried in this order until one leads to further documents; of a host, all of them (Z39.99-2017 §6.3).
    pub(super) candidates: VecDeque<(String, Purpose)>,
    /// True if the user named a host, not a document.
    pub(super) is_host: bool,
    /// The last candidate that exists.
    pub(super) last: Option<usize>,
    /// The candidates that are neither a document nor certainly absent, with the reasons.
    pub(super) unread: Vec<(usize, Reason)>,
    /// True if a candidate was not read to its end.
    pub(super) is_cut: bool,
    /// True once a candidate succeeded, false once there are no more candidates.
    pub(super) led: Option<bool>,
}

impl Start {
    pub(super) fn new(named: &str) -> Start {
        let host = host(named);
        let is_host = host.as_ref().is_some_and(|host| same(host, named));
        let mut candidates = VecDeque::new();
        let own =
            (named.to_string(), if named.ends_with("/robots.txt") { Purpose::Robots } else { Purpose::Discovery });
        if !is_host {
            candidates.push_back(own.clone());
        }
        if let Some(host) = &host {
            candidates.push_back((alloc::format!("{host}{WELL_KNOWN}"), Purpose::Discovery));
            candidates.push_back((alloc::format!("{host}robots.txt"), Purpose::Robots));
        }
        if is_host {
            candidates.push_back(own);
        }
        Start {
            named: named.to_string(),
            candidates,
            is_host,
            last: None,
            unread: Vec::new(),
            is_cut: false,
            led: None,
        }
    }

    /// True if this is the document that the user named, so that it must exist.
    pub(super) fn is_only(&self, uri: &str) -> bool {
        !self.is_host && same(&self.named, uri)
    }

    /// The candidates to report as unreadable, given the URI of each node: all if nothing was found, otherwise only the well-known URI of
    /// a host, which a harvester requests first. Candidates that failed in the same way as the host are reported with it.
    pub(super) fn unreadable(&self, found: bool, uri: impl Fn(usize) -> String) -> Vec<(usize, Reason)> {
        let is_named = |node: usize| same(&self.named, &uri(node));
        let is_well_known = |node: usize| self.is_host && uri(node).ends_with(WELL_KNOWN);
        let own = self.unread.iter().find(|(node, _)| is_named(*node)).map(|(_, reason)| reason);
        let is_reported = |(node, reason): &&(usize, Reason)| match found {
            true => is_well_known(*node),
            false => is_named(*node) || own != Some(reason),
        };
        self.unread.iter().filter(is_reported).cloned().collect()
    }
}

/// True if two URIs are equal.
pub(super) fn same(one: &str, other: &str) -> bool {
    key(one) == key(other)
}
