//! Checks the events of a program before they are appended to the journal: what is appended can be published.

use std::{
    iter,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::plain,
    build::BuildOptions,
    publish::{Event, EventVerb, Intake, Mismatch, Record, check_set},
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
    /// Whether the published resources are in sets, once any are: that does not change.
    is_in_sets: Option<bool>,
    /// The same of the last event.
    is_stated_in_sets: Option<bool>,
}

impl EventIntake {
    /// Events of a folder whose documents are published below `documents`.
    ///
    /// # Errors
    ///
    /// If there is something else in the folder.
    pub fn new(out: &Path, documents: Uri, options: BuildOptions) -> Result<EventIntake, Error> {
        let (journal, intake) = (Journal::of(out)?, Intake::new(options));
        Ok(EventIntake { out: out.to_owned(), journal, documents, intake, is_in_sets: None, is_stated_in_sets: None })
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
        match (self.in_sets()?, set.is_empty()) {
            (Some(true), true) => return Err(Mismatch::WithoutSets.into()),
            (Some(false), false) => return Err(Mismatch::InSets.into()),
            _ => self.is_stated_in_sets = Some(!set.is_empty()),
        }
        Ok(Event { verb, datetime, record })
    }

    fn in_sets(&mut self) -> Result<Option<bool>, Error> {
        if self.is_in_sets.is_none()
            && let Some(folder) = Generations::published_state(&self.out)?
            // Another process may be replacing the generation; its publication checks the event again.
            && let Ok(state) = state_files::read(&folder)
        {
            self.is_in_sets = Some(!state.sets.keys().all(String::is_empty));
        }
        // Before anything is published, events of this program fit together; another one may publish first.
        Ok(self.is_in_sets.or(self.is_stated_in_sets))
    }

    /// The journal to which the events are appended.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }
}
