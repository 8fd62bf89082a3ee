//! The notifications of a generation: channels in the Capability Lists, payloads, and the topics that the Source serves itself.

use std::{
    fs,
    path::{Path, PathBuf},
};

use resourcesync::{
    build::{Publication, Published},
    publish::{Change, State},
};
use resourcesync_notify::publication::{Announced, Announcements, Channels, Finished};

use super::{
    Error,
    files::{Files, keep_all},
    grouped::lines,
    publishing::{Before, Publishing},
};
use crate::{folder::Next, notify::PayloadFile, system::reason};

/// The notifications of a generation being written.
pub(crate) struct Notifications<'a> {
    announcements: Announcements,
    before: Option<&'a Before<'a>>,
    /// The folder that will be published.
    public: PathBuf,
    payloads: PayloadFile,
}

impl<'a> Notifications<'a> {
    pub(crate) fn new(
        channels: &Channels,
        site: &Publishing<'_>,
        before: Option<&'a Before<'a>>,
        next: &Next<'_>,
    ) -> Result<Notifications<'a>, Error> {
        let payloads = PayloadFile::create(&next.folder, &site.plan.at)?;
        let announcements = Announcements::new(channels, &site.plan, before.map(|before| before.state));
        Ok(Notifications { announcements, before, public: next.public(), payloads })
    }

    /// Lists the channels of the current set, and announces its changes, which are in a file.
    pub(crate) fn set(&mut self, publication: &mut Publication<Files>, set: &str, changes: &Path) -> Result<(), Error> {
        let Some(list) = publication.capability_list().cloned() else { return Ok(()) };
        for entry in self.announcements.set(set, &list)? {
            publication.announce(entry)?;
        }
        for change in lines::<Change>(changes)? {
            let full = self.announcements.change(&change?)?;
            self.push(full)?;
        }
        let last = self.announcements.end_set()?;
        self.push(last)
    }

    /// Announces the changes of documents, and completes the state.
    pub(crate) fn finish(mut self, published: &Published, state: &mut State) -> Result<(), Error> {
        let Finished { payloads, topics } = self.announcements.finish(published, state)?;
        payloads.iter().try_for_each(|payload| self.payloads.push(payload))?;
        for (file, body) in topics {
            match (body, self.before.map(|before| &before.current.public)) {
                (Some(body), _) => write(&self.public, &file, body.as_bytes())?,
                (None, _) if self.public.join(&file).exists() => {}
                (None, Some(old)) if old.join(&file).is_file() => keep_all(old, &self.public, &[file])?,
                // Topics are empty before their first payload.
                (None, _) => write(&self.public, &file, b"")?,
            }
        }
        Ok(self.payloads.finish()?)
    }

    /// Adds a payload; a topic served by the Source has the last one.
    fn push(&mut self, payload: Option<Announced>) -> Result<(), Error> {
        for (file, body) in self.announcements.take_served() {
            write(&self.public, &file, body.as_bytes())?;
        }
        payload.map_or(Ok(()), |payload| Ok(self.payloads.push(&payload)?))
    }
}

fn write(public: &Path, file: &str, bytes: &[u8]) -> Result<(), Error> {
    let path = public.join(file);
    let above = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = above.and_then(|()| fs::write(&path, bytes));
    written.map_err(|error| format!("{} could not be written: {}", path.display(), reason(&error)).into())
}
