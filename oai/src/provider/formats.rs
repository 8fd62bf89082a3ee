//! Rules about formats: OAI-40, 41 and 43.

use super::{ProviderCheck, answer::Answer, answer::Reply};
use crate::{
    catalogue::Code,
    note::Note,
    page::{Header, Markup, MetadataFormat, root_attributes},
};

impl Answer {
    /// A format in a list of formats.
    pub(super) fn format(&mut self, format: &MetadataFormat) {
        let prefix = format.prefix.as_deref().unwrap_or_default();
        let is_missing = |value: &Option<_>| value.as_deref().is_none_or(str::is_empty);
        let problems = [
            ("no-prefix", prefix.is_empty()),
            ("bad-prefix", !prefix.chars().all(is_of_prefix)),
            ("no-schema", is_missing(&format.schema)),
            ("no-namespace", is_missing(&format.namespace)),
        ];
        for (problem, _) in problems.into_iter().filter(|(_, is_one)| *is_one) {
            self.found(Note::new(Code::OAI_41).arg("prefix", prefix).arg("problem", problem));
        }
    }

    /// The metadata of a record against the format in which it was requested.
    pub(super) fn metadata(&mut self, header: &Header, metadata: &Markup) {
        let own = metadata.root.namespace.as_str();
        let declared = match &self.context.namespace {
            Some(declared) => declared.clone(),
            // A response from a file: `oai_dc` has one namespace everywhere.
            None if self.context.identity.is_none()
                && metadata.root.local == "dc"
                && metadata.root.prefix == "oai_dc" =>
            {
                OAI_DC.into()
            }
            None => own.into(),
        };
        let note = |problem: &str| Note::new(Code::OAI_43).of(&header.identifier).arg("problem", problem);
        if own != declared {
            self.found(note("other-namespace").arg("value", own).arg("declared", declared));
        }
        let names = root_attributes(&metadata.raw);
        if !names.iter().any(|name| name.ends_with(":schemaLocation")) {
            self.found(note("no-schema-location"));
        }
    }
}

const OAI_DC: &str = "http://www.openarchives.org/OAI/2.0/oai_dc/";

/// The characters of a prefix, by the schema of the protocol.
fn is_of_prefix(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-_.!~*'()".contains(character)
}

impl ProviderCheck {
    /// The list of all formats.
    pub(super) fn formats_listed(&mut self, input: u64, reply: &Reply) {
        self.known.formats.clone_from(&reply.formats);
        if !self.known.formats.iter().any(|format| format.prefix.as_deref() == Some("oai_dc")) {
            self.found(input, Note::new(Code::OAI_40));
        }
    }

    /// The formats of a record that was listed.
    pub(super) fn formats_of(&mut self, input: u64, identifier: &str, reply: &Reply) {
        let prefix = self.known.prefix();
        let problem = match reply.page.verb {
            Some(_) if reply.formats.iter().any(|format| format.prefix.as_deref() == Some(&prefix)) => return,
            Some(_) => "format-missing",
            None => "not-found",
        };
        let note = Note::new(Code::OAI_37).of(identifier).arg("identifier", identifier).arg("problem", problem);
        let note = note.arg("request", "ListRecords").arg("verb", "ListMetadataFormats");
        self.found(input, note.arg("value", prefix).arg("other", reply.word()));
    }
}
