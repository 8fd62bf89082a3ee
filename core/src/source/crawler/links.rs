//! The links of documents.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString},
    vec::Vec,
};

use super::{Crawler, Task, joined};
use crate::{
    model::{AnyField, Entry, Kind, Name},
    report::Via,
    rules::KindProfile,
    source::{Content, Method, PackageDepth, Purpose, Response, coding, discovery::header_targets, href, relates},
    validate::DocumentSummary,
    value::key,
};

impl Crawler {
    /// Queues the targets of a document; true if it has any.
    pub(super) fn follow(&mut self, node: usize, content: &Content, response: &Response) -> bool {
        let announced = header_targets(response, "resourcesync");
        let is_discovery = matches!(content, Content::Page(_) | Content::Document(_));
        for uri in announced.iter().filter(|_| is_discovery) {
            self.want(uri, Some(node), Via::Discovery, Task::new(Purpose::Document));
        }
        let leads = is_discovery && !announced.is_empty();
        match content {
            Content::Document(summary) | Content::Topic(Some(summary), _) => {
                self.follow_document(node, summary);
                leads || !(summary.kind.is_plain() || summary.kind == Kind::Html)
            }
            Content::Package(_, Some(summary)) => {
                self.follow_up(node, summary);
                true
            }
            Content::Page(found) => {
                let targets: Vec<_> = found.iter().filter_map(|one| one.href.clone()).collect();
                for uri in &targets {
                    self.want(uri, Some(node), Via::Discovery, Task::new(Purpose::Document));
                }
                leads || !targets.is_empty()
            }
            Content::Robots(sitemaps) => {
                for uri in sitemaps {
                    self.want(uri, Some(node), Via::Discovery, Task::new(Purpose::Document));
                }
                !sitemaps.is_empty()
            }
            Content::Topic(None, _) | Content::Package(_, None) | Content::Resource(_) | Content::Foreign(_) => leads,
        }
    }

    fn follow_up(&mut self, node: usize, summary: &DocumentSummary) {
        for (relation, via) in [("up", Via::Up), ("index", Via::Index)] {
            for uri in summary.links_of(relation).filter_map(|(_, link)| href(link)) {
                self.want(uri, Some(node), via, Task::new(Purpose::Document));
            }
        }
    }

    fn follow_document(&mut self, node: usize, summary: &DocumentSummary) {
        self.follow_up(node, summary);
        let (is_dump, is_plan) = (KindProfile::of(summary.kind).is_dump(), self.leaves.is_some());
        let mut members: Vec<_> = summary.members.iter().collect();
        // What several sets have in common is planned for the one that is wanted, which is read first.
        members.sort_by_key(|entry| self.is_other_set(summary.kind, entry));
        for entry in members {
            // A link to the package itself must not make it be read as a document.
            let is_package = |uri: &&str| entry.uri().is_some_and(|own| key(own.as_str()) == key(uri));
            let contents = entry.links.iter().filter(|link| is_dump && !is_plan && relates(link, "contents"));
            for uri in contents.filter_map(href).filter(|uri| !is_package(uri)) {
                self.want(uri, Some(node), Via::Contents, Task::new(Purpose::Document));
            }
            let Some(uri) = entry.uri() else { continue };
            let is_channel = summary.kind == Kind::CapabilityList && entry.is_channel();
            if is_plan && (is_channel || self.plan_entry(node, summary.kind, entry, uri.as_str())) {
                continue;
            }
            if summary.kind == Kind::FrameworkNotification {
                self.named.push((uri.as_str().to_string(), node));
                continue;
            }
            let purpose = match summary.kind {
                _ if is_dump && self.crawl.packages == PackageDepth::None => continue,
                _ if is_dump => Purpose::Package,
                _ if is_channel => Purpose::Topic,
                _ => Purpose::Document,
            };
            let task = Task::new(purpose);
            let task = match is_dump {
                true => Task { hash: hash(entry), media_type: media_type(entry), length: length(entry), ..task },
                false => task,
            };
            let listed = task.hash.clone();
            let package = self.want(uri.as_str(), Some(node), Via::Loc, task);
            if let Some(hash) = listed {
                self.digests.entry(package).or_default().insert(hash);
            }
        }
        for entry in &summary.sample {
            let Some(uri) = entry.uri() else { continue };
            let encoding = coding(entry);
            if let Some(node) = self.graph.list(uri.as_str(), encoding.clone(), node, entry) {
                let method = Method::Head;
                self.resources.push_back(Task { node, encoding, method, ..Task::new(Purpose::Resource) });
            }
        }
    }

    /// True if a list states the length of a resource.
    pub(super) fn lists_length(&self, node: usize) -> bool {
        self.graph.listed.get(&node).is_some_and(|listed| listed.iter().any(|(_, entry)| length(entry).is_some()))
    }

    /// All digests listed for a resource, since all lists were read before.
    pub(super) fn hashes(&self, node: usize) -> Option<String> {
        let listed = self.graph.listed.get(&node)?.iter().filter_map(|(_, entry)| hash(entry));
        Some(listed.collect()).filter(|all: &BTreeSet<String>| !all.is_empty()).as_ref().map(joined)
    }
}

/// The digests listed for an entry, as written, if any can be read.
pub(super) fn hash(entry: &Entry) -> Option<String> {
    let attribute = entry.first_md()?.attributes.get(Name::Hash)?;
    entry.first_md()?.attributes.hash()?.readable().iter().next()?;
    attribute.value.field().map(AnyField::text).map(|text| text.into_owned())
}

/// The length listed for a package.
pub(super) fn length(entry: &Entry) -> Option<u64> {
    Some(entry.first_md()?.attributes.length()?.value()?.0)
}

/// The media type listed for a package, without parameters, if its spelling is that of the standard.
pub(super) fn media_type(entry: &Entry) -> Option<String> {
    Some(entry.first_md()?.attributes.media_type()?.exact()?.essence())
}
