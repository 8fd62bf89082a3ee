//! The notification channels of a published Source: two topics for each set, one for its changes and one for its documents.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    build::CapabilityEntry,
    publish::{ABOUT, Record, State, prefix},
    value::Uri,
};

use crate::{payload::Channel, topic::Topic};

/// How the names of lists and packages begin.
const LISTS: [&str; 5] = ["capabilitylist", "resourcelist", "changelist", "resourcedump", "changedump"];

/// Notification channels: each set has one for its changes and one for its documents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Channels {
    /// The hubs of all topics, at least one.
    pub hubs: Vec<Uri>,
    /// The base of the URIs of topics, if the published folder does not serve them; ends with a slash.
    pub topics_uri: Option<Uri>,
}

impl Channels {
    /// The base of the URIs of topics.
    #[must_use]
    pub fn topics_uri<'a>(&'a self, documents: &'a Uri) -> &'a str {
        self.topics_uri.as_ref().unwrap_or(documents).as_str()
    }

    /// The URI of a topic.
    ///
    /// # Errors
    ///
    /// In one line, if the name of the set makes no URI.
    pub fn topic_uri(&self, documents: &Uri, set: &str, channel: Channel) -> Result<Uri, String> {
        let uri = match &self.topics_uri {
            Some(topics) => format!("{}{}{}", topics.as_str(), prefix(set), name(channel)),
            None => format!("{}{}", documents.as_str(), topic_file(set, channel)),
        };
        Uri::from_iri(&uri).map_err(|error| format!("the topic {uri}: {error}"))
    }

    /// The topic of this URI.
    #[must_use]
    pub fn topic(&self, uri: &Uri, capability_list: Option<&Uri>) -> Topic {
        Topic {
            uri: uri.as_str().to_owned(),
            hubs: self.hubs.iter().map(|hub| hub.as_str().to_owned()).collect(),
            capability_list: capability_list.map(|list| list.as_str().to_owned()),
        }
    }

    /// The entries of the channels in the Capability List of a set.
    ///
    /// # Errors
    ///
    /// As [`Channels::topic_uri`].
    pub fn entries(&self, documents: &Uri, set: &str) -> Result<Vec<CapabilityEntry>, String> {
        let Some((first, others)) = self.hubs.split_first() else { return Ok(Vec::new()) };
        let entry = |channel: &Channel| {
            let topic = self.topic_uri(documents, set, *channel)?;
            let entry = CapabilityEntry::channel(channel.capability(), topic, first.clone());
            Ok(others.iter().cloned().fold(entry, CapabilityEntry::hub))
        };
        Channel::ALL.iter().map(entry).collect()
    }
}

/// The last part of a topic's URI.
fn name(channel: Channel) -> &'static str {
    match channel {
        Channel::ChangeNotification => "changes",
        Channel::FrameworkNotification => "framework",
    }
}

/// The file of a topic that the Source serves, in its published folder.
#[must_use]
pub fn topic_file(set: &str, channel: Channel) -> String {
    format!("{}notifications/{}.xml", prefix(set), name(channel))
}

/// True if a resource has a URI that a document of its Source may have, where documents are below this base: one of its set, of these, or of none.
pub fn has_document_uri<'a>(record: &'a Record, documents: &str, sets: impl IntoIterator<Item = &'a str>) -> bool {
    let mut sets = sets.into_iter().chain([&*record.set, ""]);
    !record.refused && sets.any(|set| is_document(documents, &record.uri, set))
}

fn is_document(documents: &str, uri: &str, set: &str) -> bool {
    let Some(path) = uri.strip_prefix(documents) else { return false };
    let name = path.strip_prefix(&prefix(set)).unwrap_or(path);
    let is_list = LISTS.iter().any(|start| name.starts_with(start)) && !name.contains('/');
    let ends = [".xml", ".xml.gz", ".zip"].iter().any(|ending| name.ends_with(ending));
    let is_topic = || Channel::ALL.iter().any(|channel| path == topic_file(set, *channel));
    is_list && ends || path == ABOUT || path == ".well-known/resourcesync" || is_topic()
}

/// The files of topics that were published and no longer are.
#[must_use]
pub fn withdrawn_topics(old: &State, new: &State) -> Vec<String> {
    if !old.has_channels() || new.has_channels() {
        return Vec::new();
    }
    let files = old.sets.keys().flat_map(|set| Channel::ALL.iter().map(|channel| topic_file(set, *channel)));
    files
        .filter(|path| old.files.contains_key(path) && !new.files.contains_key(path))
        .map(|path| path.to_string())
        .collect()
}
