//! Checks the events of a program before they are appended to the journal: what is appended can be published.

use std::{
    iter,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::plain,
    build::BuildOptions,
    publish::{Event, EventVerb, Intake, Membership, Record, check_set},
    value::{Datetime, Uri},
};

use super::{Error, journal::Journal, source::check_document, state_files};
use crate::folder::Generations;

/// Checks events, and appends them.
#[derive(Debug)]
pub struct EventIntake {
    out: PathBuf,
    journal: Journal,
    /// The base of the documents' URIs; ends with a slash.
    documents: Uri,
    intake: Intake,
    membership: Membership,
}

impl EventIntake {
    /// Events of a folder whose documents are published below `documents`.
    ///
    /// # Errors
    ///
    /// If there is something else in the folder.
    pub fn new(out: &Path, documents: Uri, options: BuildOptions) -> Result<EventIntake, Error> {
        let (journal, intake) = (Journal::of(out)?, Intake::new(options));
        Ok(EventIntake { out: out.to_owned(), journal, documents, intake, membership: Membership::default() })
    }

    /// Checks an event. Of a deleted resource only its URI and set count.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if a list with it would be invalid; another error if it does not fit what is published.
    pub fn event(
        &mut self,
        verb: EventVerb,
        datetime: Option<Datetime>,
        entry: plain::Entry,
        set: &str,
    ) -> Result<Event, Error> {
        check_set(set)?;
        let record = self.intake.record(entry, set).map_err(|refused| Error::Refused(Box::new(refused)))?;
        check_document(self.documents.as_str(), &record, iter::empty())?;
        let record = match verb {
            EventVerb::Deleted => Record { uri: record.uri, set: record.set, ..Record::default() },
            _ => record,
        };
        if !self.membership.is_known()
            && let Some(folder) = Generations::published_state(&self.out)?
            // Another process may be replacing the generation; its publication checks the event again.
            && let Ok(state) = state_files::read(&folder)
        {
            self.membership.take_over(&state);
        }
        self.membership.accept(set)?;
        Ok(Event { verb, datetime, record })
    }

    /// The journal to which the events are appended.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }
}
