//! The starting points of a crawl: given URIs, and the well-known URIs of a host.

use alloc::{
    collections::VecDeque,
    string::{String, ToString},
    vec::Vec,
};

use super::{Crawler, Task, same};
use crate::{
    diagnostic::Reason,
    report::Via,
    rules::{KindProfile, Level},
    source::{
        Purpose,
        discovery::{WELL_KNOWN, host},
    },
    validate::DocumentSummary,
};

/// One start.
#[derive(Debug)]
pub(super) struct Start {
    /// As specified by the user.
    pub(super) named: String,
    /// The candidates, tried in this order until one leads to further documents.
    candidates: VecDeque<(String, Purpose)>,
    /// True if the user named a host, not a document.
    is_host: bool,
    /// The last candidate that exists.
    pub(super) last: Option<usize>,
    /// The reason why a candidate could not be fetched.
    pub(super) unasked: Option<Reason>,
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
        Start { named: named.to_string(), candidates, is_host, last: None, unasked: None, led: None }
    }

    /// True if this is the document that the user named, so that it must exist.
    pub(super) fn is_only(&self, uri: &str) -> bool {
        !self.is_host && same(&self.named, uri)
    }
}

impl Crawler {
    /// Tries the next candidate of a start.
    pub(super) fn try_next(&mut self, at: usize) {
        let Some(start) = self.starts.get_mut(at) else { return };
        let named = start.named.clone();
        match start.candidates.pop_front() {
            None => start.led = Some(false),
            Some((uri, purpose)) => {
                let via = if same(&uri, &named) { Via::Argument } else { Via::Discovery };
                let probe = !start.is_only(&uri);
                self.want(&uri, None, via, Task { start: Some(at), probe, ..Task::new(purpose) });
            }
        }
    }

    /// Continues with a start after one of its candidates was fetched.
    pub(super) fn begun(&mut self, task: &Task, leads: bool) {
        let Some(at) = task.start else { return };
        let is_fetched = self.outcomes.contains_key(&task.node);
        let Some(start) = self.starts.get_mut(at).filter(|start| start.led.is_none()) else { return };
        if is_fetched {
            start.last = Some(task.node);
        }
        if leads {
            start.led = Some(true);
        } else {
            self.try_next(at);
        }
    }

    /// Requests the well-known URIs of the hosts of Source Descriptions.
    pub(super) fn probe_hosts(&mut self) {
        let is_description = |summary: &DocumentSummary| KindProfile::of(summary.kind).level == Level::Source;
        let found = self.graph.documents().filter(|(_, summary)| is_description(summary));
        let uris: Vec<String> = found
            .filter_map(|(node, _)| host(&self.graph.nodes.get(node)?.uri))
            .map(|host| alloc::format!("{host}{WELL_KNOWN}"))
            .collect();
        for uri in uris {
            self.want(&uri, None, Via::Discovery, Task { probe: true, ..Task::new(Purpose::Discovery) });
        }
    }
}
