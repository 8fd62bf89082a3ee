//! Rules about each header: OAI-09, 18, 30, 32, 33, 35, 38, 44 and 45.

use resourcesync::value::Uri;

use super::{answer::Answer, sets::is_set};
use crate::{catalogue::Code, note::Note, page::Header};

impl Answer {
    /// The header of a record.
    pub(super) fn header(&mut self, header: &Header) {
        let note = |code: Code| Note::new(code).of(&header.identifier);
        if let Some(problem) = Uri::problem(&header.identifier) {
            let note = note(Code::OAI_45).arg("value", header.identifier.as_str());
            self.found(note.arg("problem", problem.as_str()));
        }
        if let Some(wanted) = self.context.identifier.clone().filter(|wanted| *wanted != header.identifier) {
            self.found(note(Code::OAI_44).arg("identifier", wanted).arg("value", header.identifier.as_str()));
        }
        self.datestamp(header);
        self.sets_of(header);
        if header.is_deleted && self.context.announces_deletions == Some(false) {
            self.found(note(Code::OAI_38));
        }
    }

    fn datestamp(&mut self, header: &Header) {
        let Some(written) = &header.datestamp else { return };
        let Some(stamp) = written.stamp else { return };
        let note = |code: Code| Note::new(code).of(&header.identifier).arg("value", written.text.as_str());
        let declared = self.context.granularity;
        // Another form was reported by the reader.
        if written.is_exact && declared.is_some_and(|declared| declared != stamp.granularity()) {
            self.found(note(Code::OAI_32));
        }
        let is_before = self.context.from.is_some_and(|from| stamp.last_second() < from.unix());
        let is_after = self.context.until.is_some_and(|until| stamp.unix() > until.last_second());
        if is_before || is_after {
            self.found(note(Code::OAI_30));
        }
        if self.context.earliest.is_some_and(|earliest| stamp.last_second() < earliest.unix()) {
            self.found(note(Code::OAI_18));
        }
    }

    fn sets_of(&mut self, header: &Header) {
        let note = |code: Code| Note::new(code).of(&header.identifier);
        if !header.sets.iter().all(|set| is_set(set)) {
            self.found(note(Code::OAI_09).arg("element", "setSpec"));
        }
        if let Some(set) = self.context.set.clone()
            && !header.sets.is_empty()
            && !header.is_in(&set)
        {
            self.found(note(Code::OAI_33).arg("set", set));
        }
        if let Some(listed) = self.context.sets.clone() {
            for set in header.sets.iter().filter(|set| !listed.contains(*set)) {
                self.found(note(Code::OAI_35).arg("set", set.as_str()));
            }
        }
    }
}
