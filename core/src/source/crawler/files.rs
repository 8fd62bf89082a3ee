//! Documents in a folder that nothing leads to.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{Crawler, Task};
use crate::{
    model::Kind,
    read::is_package_name,
    report::Via,
    source::{PackageDepth, Purpose},
    validate::hashed,
};

impl Crawler {
    /// Puts on the list what exists and was not met so far.
    pub(super) fn want_files(&mut self) {
        self.linked = Some(self.graph.nodes.len());
        let files = core::mem::take(&mut self.crawl.files);
        if files.is_empty() {
            return;
        }
        // A resource may be XML or a ZIP archive too, and is not a document of the Source.
        let resources: BTreeSet<u64> =
            self.graph.documents_and_manifests().flat_map(|(_, summary)| summary.locs.iter().copied()).collect();
        for uri in files {
            let is_package = is_package_name(&uri);
            if resources.contains(&hashed(&uri)) || is_package && self.crawl.packages == PackageDepth::None {
                continue;
            }
            let purpose = if is_package { Purpose::Package } else { Purpose::Document };
            self.want(&uri, None, Via::Folder, Task::new(purpose));
        }
    }

    /// The documents in the folder that no start leads to and no other document lists.
    pub(super) fn unreachable(&self) -> Vec<usize> {
        let first = self.linked.unwrap_or(self.graph.nodes.len());
        let is_ours = |node: usize| {
            self.outcomes.get(&node).is_some_and(|outcome| outcome.foreign.is_none())
                && self.graph.summary(node).is_some_and(|summary| summary.kind != Kind::Sitemap)
        };
        (first..self.graph.nodes.len()).filter(|node| is_ours(*node) && !self.graph.is_listed(*node)).collect()
    }
}
