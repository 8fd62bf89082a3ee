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
        Content, Purpose,
        discovery::{WELL_KNOWN, host},
    },
    validate::DocumentSummary,
};

/// One start.
#[derive(Debug)]
pub(super) struct Start {
    /// As specified by the user.
    pub(super) named: String,
    /// The candidates, tried in this order until one leads to further documents; of a host, all of them (Z39.99-2017 §6.3).
    candidates: VecDeque<(String, Purpose)>,
    /// True if the user named a host, not a document.
    is_host: bool,
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

impl Crawler {
    /// Tries the next candidate of a start.
    pub(super) fn try_next(&mut self, at: usize) {
        let Some(start) = self.starts.get_mut(at) else { return };
        let named = start.named.clone();
        match start.candidates.pop_front() {
            None if start.led.is_none() => start.led = Some(false),
            None => {}
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
        let Some(start) = self.starts.get_mut(at) else { return };
        if is_fetched && start.led.is_none() {
            start.last = Some(task.node);
        }
        if leads {
            start.led = Some(true);
        }
        if start.led.is_none() || start.is_host {
            self.try_next(at);
        }
    }

    /// Continues with starts whose page links only to missing URIs, or to content that is not a document. True if there
    /// were any.
    pub(super) fn resume(&mut self) -> bool {
        let is_lost = |start: &Start| {
            let of = |node| self.graph.fetched(node);
            let announced = start.last.and_then(of).map(|fetched| match &fetched.content {
                Content::Page(found) => found.iter().filter_map(|one| one.href.clone()).collect(),
                Content::Robots(sitemaps) => sitemaps.clone(),
                _ => Vec::new(),
            });
            let announced = announced.unwrap_or_default();
            let is_document = |uri: &String| self.graph.target(uri).is_some_and(|(_, own)| own.is_resource_sync());
            start.led == Some(true)
                && !start.candidates.is_empty()
                && !announced.is_empty()
                && !announced.iter().any(is_document)
        };
        let lost: Vec<usize> =
            self.starts.iter().enumerate().filter(|(_, start)| is_lost(start)).map(|(at, _)| at).collect();
        for at in &lost {
            if let Some(start) = self.starts.get_mut(*at) {
                start.led = None;
            }
            self.try_next(*at);
        }
        !lost.is_empty()
    }

    /// Requests the well-known URIs and the `robots.txt` of the hosts of Source Descriptions.
    pub(super) fn probe_hosts(&mut self) {
        let is_description = |summary: &DocumentSummary| KindProfile::of(summary.kind).level == Level::Source;
        let found = self.graph.documents().filter(|(_, summary)| is_description(summary));
        let hosts: Vec<String> = found.filter_map(|(node, _)| host(&self.graph.nodes.get(node)?.uri)).collect();
        for host in hosts {
            for (path, purpose) in [(WELL_KNOWN, Purpose::Discovery), ("robots.txt", Purpose::Robots)] {
                let uri = alloc::format!("{host}{path}");
                self.want(&uri, None, Via::Discovery, Task { probe: true, ..Task::new(purpose) });
            }
        }
    }
}
