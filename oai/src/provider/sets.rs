//! Rules about sets: OAI-09, 34, 35, 37 and 47.

use alloc::{
    string::{String, ToString},
    sync::Arc,
};

use super::{
    ProviderCheck,
    answer::{Answer, Reply},
    ask::Ask,
    family::disagreement,
    step::Step,
};
use crate::{catalogue::Code, note::Note, page::SetEntry, request::Verb};

impl Answer {
    /// A set in the list of sets.
    pub(super) fn set(&mut self, set: &SetEntry) {
        if !is_set(set.spec.as_deref().unwrap_or_default()) {
            self.found(Note::new(Code::OAI_09).arg("element", "setSpec"));
        }
        if set.name.is_none() {
            self.found(Note::new(Code::OAI_09).arg("element", "setName"));
        }
    }
}

/// True for a `setSpec`, by the schema of the protocol.
pub(super) fn is_set(spec: &str) -> bool {
    spec.split(':').all(|node| !node.is_empty() && node.chars().all(is_of_set))
}

/// The characters of its nodes.
fn is_of_set(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-_.!~*'()".contains(character)
}

impl ProviderCheck {
    /// The list of sets was read, or cannot be read further.
    pub(super) fn sets_listed(&mut self) {
        let is_whole = self.lists.get(&Step::Sets).is_some_and(|list| list.ended);
        if is_whole {
            self.known.sets = Some(Arc::new(self.known.listed_sets.clone()));
        }
    }

    /// A set that the known record is in: the set above its own if that is listed, or its own.
    pub(super) fn set_to_ask(&self) -> Option<String> {
        let own = &self.known.any.as_ref()?.sets;
        let listed = &self.known.listed_sets;
        let above = own.iter().filter_map(|set| set.rsplit_once(':')).map(|(above, _)| above);
        let above = above.into_iter().find(|above| listed.contains(*above));
        above.or(own.first().map(String::as_str)).map(ToString::to_string)
    }

    /// The list of a set was read: the known record is in it.
    pub(super) fn find_in_set(&mut self, ask: &Ask, input: u64) {
        let Some(set) = ask.argument("set") else { return };
        let Some(list) = self.lists.get(&Step::Set) else { return };
        let total = list.headers.len();
        let without = list.headers.iter().filter(|header| header.sets.is_empty()).count();
        let is_missing =
            list.ended && self.known.any.as_ref().is_some_and(|own| list.header(&own.identifier).is_none());
        if without > 0 {
            let note = Note::new(Code::OAI_47).arg("count", without).arg("total", total);
            self.found(input, note.arg("set", set));
        }
        if is_missing {
            self.verify(ask, input);
        }
    }

    /// Requests the record that a list lacks, to find out whether it was changed meanwhile.
    pub(super) fn verify(&mut self, ask: &Ask, input: u64) {
        let Some(own) = &self.known.any else { return };
        let prefix = self.known.prefix();
        let arguments = [("identifier", own.identifier.as_str()), ("metadataPrefix", prefix.as_str())];
        self.queue.push_back(Ask { again: true, ..Ask::new(Step::Verify, Verb::GetRecord, &arguments) });
        self.suspects.push_back((ask.clone(), input));
    }

    /// The record that a list lacks: as it was, so the list is wrong.
    pub(super) fn verified(&mut self, reply: &Reply) {
        let Some((ask, input)) = self.suspects.pop_front() else { return };
        let Some(own) = self.known.any.clone() else { return };
        let stamp = own.datestamp.as_ref().map(|stamp| stamp.text.clone()).unwrap_or_default();
        let now = reply.headers.first().filter(|header| header.identifier == own.identifier);
        if now.is_none_or(|now| now.datestamp != own.datestamp || now.sets != own.sets) {
            return;
        }
        let note = |code: Code| Note::new(code).of(&own.identifier).arg("identifier", own.identifier.as_str());
        match (ask.argument("set"), own.sets.iter().find(|own| ask.argument("set") == Some(own.as_str()))) {
            (Some(set), Some(_)) => self.found(input, disagreement(&own.identifier, "not-in-set").arg("value", set)),
            (Some(set), None) => {
                let below = own.sets.iter().find(|own| own.starts_with(set)).map_or("", String::as_str);
                self.found(input, note(Code::OAI_34).arg("subset", below).arg("set", set));
            }
            (None, _) => self.found(input, note(Code::OAI_31).arg("value", stamp)),
        }
    }
}
