//! The notifications of a publication being written, in memory.

use resourcesync::{
    build::{CapabilityEntry, Published, Store},
    publish::{Change, Plan, State, Written},
    value::Uri,
};
use resourcesync_notify::{
    announce::AnnounceError,
    publication::{Announced, AnnouncementError, Announcements, Channels, Finished, payloads_head},
};
use wasm_bindgen::JsValue;

use crate::{
    fail::{Kind, fail, refuse},
    outbox::Shared,
};

/// The payloads so far, and where they come from.
#[derive(Debug)]
pub(super) struct Notifications {
    announcements: Announcements,
    /// The lines of the file with the payloads.
    payloads: Vec<u8>,
}

/// The notifications of a publication.
#[derive(Debug, Default)]
pub(super) struct Notified {
    /// The file with the payloads.
    pub(super) payloads: Vec<u8>,
    /// The files of topics that were written.
    pub(super) written: Vec<String>,
    /// The files of topics without a new payload.
    pub(super) kept: Vec<String>,
}

impl Notifications {
    pub(super) fn new(channels: &Channels, plan: &Plan, before: Option<&State>) -> Notifications {
        let announcements = Announcements::new(channels, plan, before);
        Notifications { announcements, payloads: payloads_head(&plan.at) }
    }

    /// Starts a set; returns what its Capability List has of its channels.
    pub(super) fn set(&mut self, name: &str, list: &Uri) -> Result<Vec<CapabilityEntry>, JsValue> {
        self.announcements.set(name, list).map_err(failed)
    }

    /// Announces a change of the set.
    pub(super) fn change(&mut self, change: &Change) -> Result<(), JsValue> {
        let full = self.announcements.change(change).map_err(failed)?;
        self.push(full);
        Ok(())
    }

    /// Ends the set.
    pub(super) fn end_set(&mut self) -> Result<(), JsValue> {
        let last = self.announcements.end_set().map_err(failed)?;
        self.push(last);
        Ok(())
    }

    /// Announces the documents of a generation, completes its state, and writes its topics.
    pub(super) fn finish(
        mut self,
        published: &Published,
        state: &mut State,
        store: &mut Shared,
    ) -> Result<Notified, JsValue> {
        let finished = self.announcements.finish(published, state).map_err(failed)?;
        Ok(complete(&mut self.payloads, finished, store))
    }

    /// The same for a publication of changes.
    pub(super) fn finish_changes(mut self, written: &mut Written, store: &mut Shared) -> Result<Notified, JsValue> {
        let finished = self.announcements.finish_changes(written).map_err(failed)?;
        Ok(complete(&mut self.payloads, finished, store))
    }

    fn push(&mut self, payload: Option<Announced>) {
        self.payloads.extend(payload.iter().flat_map(Announced::line));
    }
}

fn complete(payloads: &mut Vec<u8>, finished: Finished, store: &mut Shared) -> Notified {
    payloads.extend(finished.payloads.iter().flat_map(Announced::line));
    let mut notified = Notified { payloads: std::mem::take(payloads), ..Notified::default() };
    for (file, body) in finished.topics {
        let Some(body) = body else {
            notified.kept.push(file);
            continue;
        };
        // It is in memory.
        let Ok(()) = store.begin(&file).and_then(|()| store.write(body.as_bytes())).and_then(|()| store.end());
        notified.written.push(file);
    }
    notified
}

fn failed(error: AnnouncementError) -> JsValue {
    match error {
        AnnouncementError::Announce(AnnounceError::Refused(refused)) => refuse(refused.diagnostic(), refused.is_full()),
        error => fail(Kind::Publish, &error.to_string()),
    }
}
