//! The order in which the candidates of the starts are tried.

use alloc::{string::String, vec::Vec};

use super::{
    Crawler, Task,
    start::{Start, same},
};
use crate::{
    report::Via,
    rules::{KindProfile, Level},
    source::{
        Content, Purpose,
        discovery::{WELL_KNOWN, host},
    },
    validate::DocumentSummary,
};

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
