//! Documents in a folder that nothing links to.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{Crawler, Task};
use crate::{
    model::Kind,
    read::is_package_name,
    report::Via,
    source::{PackageDepth, Purpose},
    validate::hashed,
};

/// Documents that nothing needs to link to: messages, and sitemaps of others.
const NEVER_LINKED: [Kind; 3] = [Kind::ChangeNotification, Kind::FrameworkNotification, Kind::Sitemap];

impl Crawler {
    /// Queues existing files that were not found by links.
    pub(super) fn want_files(&mut self) {
        self.linked = Some(self.graph.nodes.len());
        let files = core::mem::take(&mut self.crawl.files);
        if files.is_empty() {
            return;
        }
        // A resource may also be XML or a ZIP archive without being a document of the Source.
        let resources: BTreeSet<u64> =
            self.graph.documents_and_manifests().flat_map(|(_, summary)| summary.locs.iter().copied()).collect();
        for uri in files {
            let is_package = is_package_name(&uri);
            if resources.contains(&hashed(self.options.seed, &uri))
                || is_package && self.crawl.packages == PackageDepth::None
            {
                continue;
            }
            let purpose = if is_package { Purpose::Package } else { Purpose::Document };
            self.want(&uri, None, Via::Folder, Task::new(purpose));
        }
    }

    /// The documents in the folder that are not reachable from a start and not listed by another document.
    pub(super) fn unreachable(&self) -> Vec<usize> {
        let first = self.linked.unwrap_or(self.graph.nodes.len());
        let is_ours = |node: usize| {
            self.outcomes.get(&node).is_some_and(|outcome| outcome.foreign.is_none())
                && self.graph.summary(node).is_some_and(|summary| !NEVER_LINKED.contains(&summary.kind))
        };
        (first..self.graph.nodes.len()).filter(|node| is_ours(*node) && !self.graph.is_listed(*node)).collect()
    }
}
