//! The notifications of a generation: channels in the Capability Lists, payloads, and the topics that the Source serves itself.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use resourcesync::{
    build::{CapabilityEntry, Publication, Published, PublishedDocument},
    diagnostic::Code,
    publish::{Change, Notified, Plan, State, prefix},
    value::{Datetime, Uri},
};
use resourcesync_notify::{
    announce::{Announcer, Options, document_changes, documents},
    payload::{Channel, Payload},
    topic::Topic,
};

use super::{
    Error,
    files::{Files, keep_all},
    grouped::lines,
    options::Channels,
    publishing::{Before, Publishing},
};
use crate::{
    folder::Next,
    notify::{Announced, PayloadFile},
    system::reason,
};

/// The notifications of a generation being written.
pub(crate) struct Notifications<'a> {
    channels: &'a Channels,
    site: &'a Publishing<'a>,
    before: Option<&'a Before<'a>>,
    /// The folder that will be published.
    public: PathBuf,
    payloads: PayloadFile,
    /// The Capability List of each set, and the end of the last interval.
    sets: BTreeMap<String, (Uri, String)>,
}

impl<'a> Notifications<'a> {
    pub(crate) fn new(
        channels: &'a Channels,
        site: &'a Publishing<'a>,
        before: Option<&'a Before<'a>>,
        next: &Next<'_>,
    ) -> Result<Notifications<'a>, Error> {
        let payloads = PayloadFile::create(&next.folder, &site.plan.at.to_string())?;
        Ok(Notifications { channels, site, before, public: next.public(), payloads, sets: BTreeMap::new() })
    }

    /// The URI of a topic.
    fn topic(&self, set: &str, channel: Channel) -> Result<Uri, Error> {
        topic_uri(self.channels, &self.site.plan.documents, set, channel)
    }

    /// Lists the channels of the current set.
    fn advertise(&self, publication: &mut Publication<Files>, set: &str) -> Result<(), Error> {
        let Some((first, others)) = self.channels.hubs.split_first() else { return Ok(()) };
        for channel in Channel::ALL {
            let entry = CapabilityEntry::channel(channel.capability(), self.topic(set, *channel)?, first.clone());
            publication.announce(others.iter().cloned().fold(entry, CapabilityEntry::hub))?;
        }
        Ok(())
    }

    fn options(&self, capability_list: Option<&Uri>, description: Option<&Uri>) -> Options {
        announced(&self.site.plan, capability_list, description)
    }

    /// Lists the channels of the current set, and announces its changes, which are in a file.
    pub(crate) fn set(
        &mut self,
        publication: &mut Publication<Files>,
        set: &str,
        (changes, count): (&Path, u64),
    ) -> Result<(), Error> {
        self.advertise(publication, set)?;
        let Some(list) = publication.capability_list().cloned() else { return Ok(()) };
        let until = match self.notified(set).filter(|_| count > 0) {
            Some(notified) => {
                self.changes(set, &list, moment(notified)?, changes)?;
                self.site.plan.at.to_string()
            }
            // The next interval starts at the end of the last one, or now if there was none.
            None => self.notified(set).map_or_else(|| self.site.plan.at.to_string(), |notified| notified.until.clone()),
        };
        self.sets.insert(set.to_owned(), (list, until));
        Ok(())
    }

    /// The previous announcements of a set; `None` for a set without channels.
    fn notified(&self, set: &str) -> Option<&'a Notified> {
        self.before?.state.sets.get(set)?.notified.as_ref()
    }

    fn changes(&mut self, set: &str, list: &Uri, from: Datetime, changes: &Path) -> Result<(), Error> {
        let options = self.options(Some(list), None);
        let mut announcer = Announcer::new(from, self.site.plan.at.clone(), options);
        for change in lines::<Change>(changes)? {
            if let Some(payload) = announcer.push(change?.entry())? {
                self.push(set, Some(list), payload)?;
            }
        }
        match announcer.finish()? {
            Some(payload) => self.push(set, Some(list), payload),
            None => Ok(()),
        }
    }

    /// Announces the changes of documents, and completes the state.
    pub(crate) fn finish(mut self, published: &Published, state: &mut State) -> Result<(), Error> {
        let description = published.description.as_ref();
        let before = self.before.map(|before| before.state);
        let known = before.and_then(|state| state.description.as_ref());
        for set in &published.sets {
            let Some((list, until)) = self.sets.remove(&set.name) else { continue };
            let mut all = set.documents.clone();
            if let Some(notified) = self.notified(&set.name) {
                let old: Vec<_> = notified.documents.iter().chain(known).cloned().collect();
                let is_new = |document: &&PublishedDocument| all.iter().all(|own| own.uri != document.uri);
                let kept: Vec<_> = notified
                    .documents
                    .iter()
                    .filter(is_new)
                    .filter(|document| self.is_kept(document, published))
                    .cloned()
                    .collect();
                all.extend(kept);
                let new: Vec<_> = all.iter().chain(description).cloned().collect();
                self.documents(&set.name, Some(&list), description, (&old, &new))?;
            }
            if let Some(own) = state.sets.get_mut(&set.name) {
                own.notified = Some(Notified { until, documents: all });
            }
            self.serve(&set.name)?;
        }
        for (name, set) in before.into_iter().flat_map(|state| &state.sets) {
            let is_gone = published.sets.iter().all(|own| own.name != *name);
            if let Some(notified) = set.notified.as_ref().filter(|_| is_gone) {
                self.documents(name, None, description, (&notified.documents, &[]))?;
            }
        }
        state.description = description.cloned();
        Ok(self.payloads.finish()?)
    }

    /// True if a document of the previous generation is part of this one as well.
    fn is_kept(&self, document: &PublishedDocument, published: &Published) -> bool {
        let path = document.uri.as_str().strip_prefix(self.site.plan.documents.as_str());
        path.is_some_and(|path| published.kept.iter().any(|kept| kept == path))
    }

    fn documents(
        &mut self,
        set: &str,
        list: Option<&Uri>,
        description: Option<&PublishedDocument>,
        (old, new): (&[PublishedDocument], &[PublishedDocument]),
    ) -> Result<(), Error> {
        let changes = document_changes(old, new, Some(&self.site.plan.at));
        let options = self.options(list, description.map(|document| &document.uri));
        documents(changes, &options)?.into_iter().try_for_each(|payload| self.push(set, list, payload))
    }

    /// Adds a payload; a topic served by the Source has the last one.
    fn push(&mut self, set: &str, list: Option<&Uri>, payload: Payload) -> Result<(), Error> {
        let kind = payload.channel();
        let topic = topic_of(self.channels, &self.topic(set, kind)?, list);
        if self.channels.topics_uri.is_none() && list.is_some() {
            self.write(&file(set, kind), payload.bytes())?;
        }
        Ok(self.payloads.push(&Announced { topic, kind, body: payload.into_text() })?)
    }

    /// Keeps the last payload of topics without a new one; they are empty before the first.
    fn serve(&self, set: &str) -> Result<(), Error> {
        if self.channels.topics_uri.is_some() {
            return Ok(());
        }
        for file in Channel::ALL.iter().map(|channel| file(set, *channel)) {
            if self.public.join(&file).exists() {
                continue;
            }
            match self.before.map(|before| &before.current.public).filter(|old| old.join(&file).is_file()) {
                Some(old) => keep_all(old, &self.public, &[file])?,
                None => self.write(&file, b"")?,
            }
        }
        Ok(())
    }

    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.public.join(file);
        let above = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = above.and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| format!("{} could not be written: {}", path.display(), reason(&error)).into())
    }
}

/// The options of notifications that belong to a generation.
pub(crate) fn announced(plan: &Plan, capability_list: Option<&Uri>, description: Option<&Uri>) -> Options {
    let mut options = Options::default();
    // As in the documents; equal datetimes of all changes are normal here.
    options.build.selection = plan.builders.selection.clone().without(Code::ADV_03);
    options.capability_list = capability_list.cloned();
    options.source_description = description.cloned();
    options
}

/// The URI of a topic.
pub(crate) fn topic_uri(channels: &Channels, documents: &Uri, set: &str, channel: Channel) -> Result<Uri, Error> {
    let uri = match &channels.topics_uri {
        Some(topics) => format!("{}{}{}", topics.as_str(), prefix(set), name(channel)),
        None => format!("{}{}", documents.as_str(), file(set, channel)),
    };
    Uri::from_iri(&uri).map_err(|error| format!("the topic {uri}: {error}").into())
}

/// The topic of a payload.
pub(crate) fn topic_of(channels: &Channels, uri: &Uri, capability_list: Option<&Uri>) -> Topic {
    Topic {
        uri: uri.as_str().to_owned(),
        hubs: channels.hubs.iter().map(|hub| hub.as_str().to_owned()).collect(),
        capability_list: capability_list.map(|list| list.as_str().to_owned()),
    }
}

/// The end of the last interval.
pub(crate) fn moment(notified: &Notified) -> Result<Datetime, Error> {
    notified.until.parse().map_err(|error| format!("the time of the last notification: {error}").into())
}

/// The last part of a topic's URI.
fn name(channel: Channel) -> &'static str {
    match channel {
        Channel::ChangeNotification => "changes",
        Channel::FrameworkNotification => "framework",
    }
}

/// The file of a topic served by the Source.
pub(crate) fn file(set: &str, channel: Channel) -> String {
    format!("{}notifications/{}.xml", prefix(set), name(channel))
}
