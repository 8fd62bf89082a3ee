//! The payloads of a publication: the changes of its sets, and the documents that changed.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use core::{fmt, mem};

use resourcesync::{
    build::{CapabilityEntry, Published, PublishedDocument},
    diagnostic::Code,
    publish::{Change, Notified, Plan, State, Written},
    report::Selection,
    value::{Datetime, Uri},
};

use super::{Announced, Channels, topic_file};
use crate::{
    announce::{AnnounceError, Announcer, Options, document_changes, documents},
    payload::{Channel, Payload},
};

/// The announcements of a publication being written. For each set call [`Announcements::set`], push its new changes, and call
/// [`Announcements::end_set`]; at the end of a generation call [`Announcements::finish`], of a publication of changes
/// [`Announcements::finish_changes`].
#[derive(Debug)]
pub struct Announcements {
    channels: Channels,
    /// The base of the URIs of documents.
    base: Uri,
    at: Datetime,
    selection: Selection,
    /// What was announced of each set before.
    before: BTreeMap<String, Notified>,
    /// The Source Description before.
    description: Option<PublishedDocument>,
    open: Option<OpenSet>,
    /// The Capability List of each set, and the end of its last interval.
    sets: BTreeMap<String, (Uri, String)>,
    /// New payloads of topics that the Source serves, by the path of their file.
    served: BTreeMap<String, String>,
}

/// The set whose changes are announced.
#[derive(Debug)]
struct OpenSet {
    name: String,
    list: Uri,
    /// `None` for a set that had no channels, whose changes nobody can have subscribed to.
    announcer: Option<Announcer>,
    has_changes: bool,
}

/// What is left of the announcements of a publication.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Finished {
    /// The last payloads.
    pub payloads: Vec<Announced>,
    /// The files of the topics that the Source serves; those without a new payload stay as they are, and are empty before the first.
    pub topics: BTreeMap<String, Option<String>>,
}

impl Announcements {
    /// The announcements of a publication by this plan, after the one with this state if there is one.
    #[must_use]
    pub fn new(channels: &Channels, plan: &Plan, before: Option<&State>) -> Announcements {
        let sets = before.into_iter().flat_map(|before| &before.sets);
        let notified = sets.filter_map(|(name, set)| Some((name.clone(), set.notified.clone()?)));
        Announcements {
            channels: channels.clone(),
            base: plan.documents.clone(),
            at: plan.at.clone(),
            selection: plan.builders.selection.clone(),
            before: notified.collect(),
            description: before.and_then(|before| before.description.clone()),
            open: None,
            sets: BTreeMap::new(),
            served: BTreeMap::new(),
        }
    }

    /// Starts a set with this Capability List; returns what is listed there.
    ///
    /// # Errors
    ///
    /// If the name of the set makes no URI, or the state is damaged.
    pub fn set(&mut self, name: &str, list: &Uri) -> Result<Vec<CapabilityEntry>, AnnouncementError> {
        let entries = self.channels.entries(&self.base, name)?;
        let options = self.options(Some(list), None);
        let announcer = match self.before.get(name) {
            Some(notified) => Some(Announcer::new(until(notified)?, self.at.clone(), options)),
            None => None,
        };
        self.open = Some(OpenSet { name: name.into(), list: list.clone(), announcer, has_changes: false });
        Ok(entries)
    }

    /// Adds a new change of the set, in order; returns a payload when one is full.
    ///
    /// # Errors
    ///
    /// If it cannot be announced.
    pub fn change(&mut self, change: &Change) -> Result<Option<Announced>, AnnouncementError> {
        let Some(open) = &mut self.open else { return Ok(None) };
        open.has_changes = true;
        let full = match &mut open.announcer {
            Some(announcer) => announcer.push(change.entry())?,
            None => None,
        };
        let (name, list) = (open.name.clone(), open.list.clone());
        full.map(|payload| self.announced(&name, Some(&list), payload)).transpose()
    }

    /// Ends the set; returns its last payload.
    ///
    /// # Errors
    ///
    /// As [`Announcements::change`].
    pub fn end_set(&mut self) -> Result<Option<Announced>, AnnouncementError> {
        let Some(OpenSet { name, list, announcer, has_changes }) = self.open.take() else { return Ok(None) };
        // The next interval starts at the end of the last one, or now if there was none.
        let until = match self.before.get(&name).filter(|_| !has_changes) {
            Some(notified) => notified.until.clone(),
            None => format!("{}", self.at),
        };
        let last = announcer.map(Announcer::finish).transpose()?.flatten();
        let last = last.map(|payload| self.announced(&name, Some(&list), payload)).transpose();
        self.sets.insert(name, (list, until));
        last
    }

    /// Announces the documents of a generation that changed, and completes its state.
    ///
    /// # Errors
    ///
    /// As [`Announcements::change`].
    pub fn finish(mut self, published: &Published, state: &mut State) -> Result<Finished, AnnouncementError> {
        let description = published.description.as_ref();
        let known = self.description.clone();
        let mut finished = Finished::default();
        for set in &published.sets {
            let Some((list, until)) = self.sets.remove(&set.name) else { continue };
            let mut all = set.documents.clone();
            if let Some(notified) = self.before.get(&set.name) {
                let old: Vec<_> = notified.documents.iter().chain(&known).cloned().collect();
                let is_new = |document: &&PublishedDocument| all.iter().all(|own| own.uri != document.uri);
                let is_kept = |document: &&PublishedDocument| self.is_kept(document, published);
                let kept: Vec<_> = notified.documents.iter().filter(is_new).filter(is_kept).cloned().collect();
                all.extend(kept);
                let new: Vec<_> = all.iter().chain(description).cloned().collect();
                finished.payloads.extend(self.documents(&set.name, Some(&list), description, (&old, &new))?);
            }
            if let Some(own) = state.sets.get_mut(&set.name) {
                own.notified = Some(Notified { until, documents: all });
            }
            if self.channels.topics_uri.is_none() {
                let files = Channel::ALL.iter().map(|channel| topic_file(&set.name, *channel));
                finished.topics.extend(files.map(|file| {
                    let own = self.served.remove(&file);
                    (file, own)
                }));
            }
        }
        for (name, notified) in mem::take(&mut self.before) {
            if published.sets.iter().all(|own| own.name != name) {
                finished.payloads.extend(self.documents(&name, None, description, (&notified.documents, &[]))?);
            }
        }
        state.description = description.cloned();
        state.topics_uri = Some(self.channels.topics_uri(&self.base).into());
        Ok(finished)
    }

    /// Announces the documents of a publication of changes, and completes what becomes of the sets.
    ///
    /// # Errors
    ///
    /// As [`Announcements::change`].
    pub fn finish_changes(mut self, written: &mut Written) -> Result<Finished, AnnouncementError> {
        let description = self.description.take();
        let mut payloads = Vec::new();
        for (name, update) in &mut written.sets {
            let Some((list, _)) = self.sets.remove(name) else { continue };
            let Some(notified) = self.before.get(name) else { continue };
            let is_changed = |document: &&PublishedDocument| {
                update.gone.contains(&document.uri) || update.documents.iter().any(|own| own.uri == document.uri)
            };
            let old: Vec<_> = notified.documents.iter().filter(is_changed).cloned().collect();
            payloads.extend(self.documents(name, Some(&list), description.as_ref(), (&old, &update.documents))?);
            update.notified = Some(format!("{}", self.at));
        }
        let topics = self.served.into_iter().map(|(file, body)| (file, Some(body))).collect();
        Ok(Finished { payloads, topics })
    }

    /// The new payloads so far of topics that the Source serves, by the path of their file, for a caller that does not keep them until the
    /// end.
    pub fn take_served(&mut self) -> BTreeMap<String, String> {
        mem::take(&mut self.served)
    }

    /// True if a document of the previous generation is part of this one as well.
    fn is_kept(&self, document: &PublishedDocument, published: &Published) -> bool {
        let path = document.uri.as_str().strip_prefix(self.base.as_str());
        path.is_some_and(|path| published.kept.iter().any(|kept| kept == path))
    }

    fn documents(
        &mut self,
        set: &str,
        list: Option<&Uri>,
        description: Option<&PublishedDocument>,
        (old, new): (&[PublishedDocument], &[PublishedDocument]),
    ) -> Result<Vec<Announced>, AnnouncementError> {
        let changes = document_changes(old, new, Some(&self.at));
        let options = self.options(list, description.map(|document| &document.uri));
        let payloads = documents(changes, &options)?;
        payloads.into_iter().map(|payload| self.announced(set, list, payload)).collect()
    }

    /// A payload with its topic. The topic of a set that is gone is no longer served.
    fn announced(&mut self, set: &str, list: Option<&Uri>, payload: Payload) -> Result<Announced, AnnouncementError> {
        let kind = payload.channel();
        let topic = self.channels.topic(&self.channels.topic_uri(&self.base, set, kind)?, list);
        let body = payload.into_text();
        if self.channels.topics_uri.is_none() && list.is_some() {
            self.served.insert(topic_file(set, kind), body.clone());
        }
        Ok(Announced { topic, kind, body })
    }

    fn options(&self, capability_list: Option<&Uri>, description: Option<&Uri>) -> Options {
        let mut options = Options::default();
        // As in the documents; equal datetimes of all changes are normal here.
        options.build.selection = self.selection.clone().without(Code::ADV_03);
        options.capability_list = capability_list.cloned();
        options.source_description = description.cloned();
        options
    }
}

/// The end of the last interval.
fn until(notified: &Notified) -> Result<Datetime, AnnouncementError> {
    let until = notified.until.parse();
    until.map_err(|error| AnnouncementError::Other(format!("the time of the last notification: {error}")))
}

/// Why a publication cannot be announced.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AnnouncementError {
    /// A payload would not be valid.
    Announce(AnnounceError),
    /// Anything else, in one line.
    Other(String),
}

impl From<AnnounceError> for AnnouncementError {
    fn from(error: AnnounceError) -> AnnouncementError {
        AnnouncementError::Announce(error)
    }
}

impl From<String> for AnnouncementError {
    fn from(why: String) -> AnnouncementError {
        AnnouncementError::Other(why)
    }
}

impl fmt::Display for AnnouncementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnnouncementError::Announce(error) => error.fmt(f),
            AnnouncementError::Other(why) => f.write_str(why),
        }
    }
}

impl core::error::Error for AnnouncementError {}
