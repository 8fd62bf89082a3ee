//! The notifications of a publication of changes.

use std::{collections::BTreeMap, path::Path};

use resourcesync::{
    build::PublishedDocument,
    publish::{Change, Plan, State, Written},
    value::Uri,
};
use resourcesync_notify::{
    announce::{Announcer, document_changes, documents},
    payload::Payload,
};

use crate::{
    notify::{Announced, PayloadFile},
    publish::{
        Channels, Error,
        notifications::{announced, file, moment, topic_of, topic_uri},
    },
};

/// The notifications of a publication being written.
pub(crate) struct Announcements<'a> {
    channels: &'a Channels,
    plan: &'a Plan,
    state: &'a State,
    payloads: PayloadFile,
    /// The last payload of each topic that the Source serves.
    pub(crate) served: BTreeMap<String, Vec<u8>>,
    /// The Capability List of each set.
    lists: BTreeMap<String, Uri>,
}

impl<'a> Announcements<'a> {
    /// Writes payloads into a folder.
    pub(crate) fn new(
        channels: &'a Channels,
        plan: &'a Plan,
        state: &'a State,
        folder: &Path,
    ) -> Result<Announcements<'a>, Error> {
        let payloads = PayloadFile::create(folder, &plan.at.to_string())?;
        Ok(Announcements { channels, plan, state, payloads, served: BTreeMap::new(), lists: BTreeMap::new() })
    }

    /// Announces the changes of a set.
    pub(crate) fn changes(&mut self, set: &str, list: &Uri, changes: &[Change]) -> Result<(), Error> {
        let Some(notified) = self.state.sets.get(set).and_then(|set| set.notified.as_ref()) else { return Ok(()) };
        let options = announced(self.plan, Some(list), None);
        let mut announcer = Announcer::new(moment(notified)?, self.plan.at.clone(), options);
        for change in changes {
            if let Some(payload) = announcer.push(change.entry())? {
                self.push(set, list, payload)?;
            }
        }
        if let Some(payload) = announcer.finish()? {
            self.push(set, list, payload)?;
        }
        self.lists.insert(set.to_owned(), list.clone());
        Ok(())
    }

    /// Announces the documents that were written, and completes what becomes of the sets.
    pub(crate) fn finish(mut self, written: &mut Written) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let description = self.state.description.as_ref().map(|document| &document.uri);
        for (set, update) in &mut written.sets {
            let Some(list) = self.lists.remove(set) else { continue };
            let Some(notified) = self.state.sets.get(set).and_then(|set| set.notified.as_ref()) else { continue };
            let is_changed = |document: &&PublishedDocument| {
                update.gone.contains(&document.uri) || update.documents.iter().any(|own| own.uri == document.uri)
            };
            let old: Vec<_> = notified.documents.iter().filter(is_changed).cloned().collect();
            let changes = document_changes(&old, &update.documents, Some(&self.plan.at));
            let options = announced(self.plan, Some(&list), description);
            for payload in documents(changes, &options)? {
                self.push(set, &list, payload)?;
            }
            update.notified = Some(self.plan.at.to_string());
        }
        self.payloads.finish()?;
        Ok(self.served)
    }

    fn push(&mut self, set: &str, list: &Uri, payload: Payload) -> Result<(), Error> {
        let kind = payload.channel();
        let uri = topic_uri(self.channels, &self.plan.documents, set, kind)?;
        if self.channels.topics_uri.is_none() {
            self.served.insert(file(set, kind), payload.bytes().to_vec());
        }
        let topic = topic_of(self.channels, &uri, Some(list));
        Ok(self.payloads.push(&Announced { topic, kind, body: payload.into_text() })?)
    }
}
