//! The order and number of elements, their attributes and their text, as the schema of the protocol has them.
//!
//! What is wrong here is read all the same, where it can be.

use resourcesync::{span::Span, xml::Start};

use super::{assembly::Assembly, element::Element};
use crate::{catalogue::Code, note::Note, request::Verb, stamp::is_blank};

impl Element {
    /// The place among the children of an element, and whether several may be there.
    fn place(self, parent: Element) -> (u8, bool) {
        use Element::{
            About, AdminEmail, BaseUrl, Compression, Datestamp, DeletedRecord, Description, EarliestDatestamp, Error,
            Format, Granularity, Header, Identifier, Metadata, MetadataNamespace, MetadataPrefix, ProtocolVersion,
            Record, RepositoryName, Request, ResponseDate, Root, Schema, Set, SetDescription, SetName, SetSpec, Token,
            Unknown,
        };
        match (parent, self) {
            (Element::Verb(verb), Record | Header | Set | Format) => (1, verb != Verb::GetRecord),
            (Element::Header, SetSpec) => (3, true),
            (_, ResponseDate | Header | Record | Set | Format | Identifier | SetSpec) => (1, false),
            (_, MetadataPrefix | RepositoryName) => (1, false),
            (_, Request | Token | Metadata | Datestamp | SetName | Schema | BaseUrl) => (2, false),
            (_, Error | About | SetDescription) => (3, true),
            (_, MetadataNamespace | ProtocolVersion) => (3, false),
            (_, Element::Verb(_)) => (4, false),
            (_, AdminEmail) => (4, true),
            (_, EarliestDatestamp) => (5, false),
            (_, DeletedRecord) => (6, false),
            (_, Granularity) => (7, false),
            (_, Compression) => (8, true),
            (_, Description) => (9, true),
            (_, Root | Unknown) => (0, true),
        }
    }

    /// True if an element may have this attribute, which is in no namespace, with this value.
    fn may_have(self, name: &str, value: &str) -> bool {
        match self {
            Element::Header => name == "status" && value == "deleted",
            Element::Error => name == "code",
            Element::Token => matches!(name, "expirationDate" | "completeListSize" | "cursor"),
            Element::Request => {
                ["verb", "identifier", "metadataPrefix", "from", "until", "set", "resumptionToken"].contains(&name)
            }
            _ => false,
        }
    }
}

impl Assembly {
    /// Notes what the schema does not have at this place. Nothing is lost by it, unlike by an element that is not read.
    fn misplaced(&mut self, name: &str, problem: &str, span: Option<Span>) {
        let note = Note::new(Code::OAI_09).arg("element", name).arg("problem", problem);
        self.note_once(match span {
            Some(span) => note.at(span),
            None => note,
        });
    }

    /// A child of the open element, which is not in the path yet.
    pub(super) fn place(&mut self, element: Element, start: &Start<'_>) {
        let depth = self.path.len();
        let Some(parent) = self.path.last() else { return };
        let (place, is_repeated) = element.place(*parent);
        let Some(last) = self.places.get_mut(depth) else { return };
        let is_right = place > *last || is_repeated && place == *last;
        *last = place.max(*last);
        if let Some(inside) = self.places.get_mut(depth.saturating_add(1)) {
            *inside = 0;
        }
        if !is_right {
            self.misplaced(start.local, "order", Some(start.span));
        }
    }

    /// The attributes of an element of the protocol.
    pub(super) fn attributes(&mut self, element: Element, start: &Start<'_>) {
        let is_wrong = |name: &str, value: &str| !element.may_have(name, value);
        let own = start.attributes().filter(|attribute| attribute.namespace.is_empty());
        for attribute in own.filter(|attribute| is_wrong(attribute.local, &attribute.value)) {
            self.misplaced(attribute.local, "attribute", Some(attribute.span));
        }
    }

    /// An element inside one that contains a single element of another namespace, or unknown inside a header.
    pub(super) fn contained(&mut self, start: &Start<'_>) {
        let depth = self.path.len();
        let is_header = self.path.last() == Some(&Element::Header);
        let Some(count) = self.places.get_mut(depth).filter(|_| !is_header) else {
            return self.misplaced(start.local, "content", Some(start.span));
        };
        *count = count.saturating_add(1);
        if *count > 1 {
            self.misplaced(start.local, "content", Some(start.span));
        }
    }

    /// The end of a container that is now not in the path any more; metadata that are missing are noted as such.
    pub(super) fn emptied(&mut self, element: Element, end: Span) {
        let name = match element {
            Element::About => "about",
            Element::SetDescription => "setDescription",
            Element::Description => "description",
            _ => return,
        };
        if self.places.get(self.path.len().saturating_add(1)) == Some(&0) {
            self.misplaced(name, "content", Some(end));
        }
    }

    /// Text where the protocol has only elements.
    pub(super) fn stray(&mut self, text: &str) {
        if !text.trim_matches(is_blank).is_empty() {
            self.misplaced("#text", "text", None);
        }
    }

    /// The element of a verb, which is that of the request that is answered.
    pub(super) fn answers(&mut self, verb: Verb, start: &Start<'_>) {
        let requested = self.head.arguments.iter().find(|(name, _)| name == "verb");
        if requested.is_some_and(|(_, requested)| requested != verb.as_str()) {
            self.misplaced(verb.as_str(), "verb", Some(start.span));
        }
    }
}
