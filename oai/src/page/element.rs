//! The elements of OAI-PMH by parent element: a name alone is ambiguous, because metadata may contain any name.

use crate::request::Verb;

/// An element of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Root,
    ResponseDate,
    Request,
    Error,
    Verb(Verb),
    Token,
    Record,
    Header,
    /// A text of a header.
    Identifier,
    Datestamp,
    SetSpec,
    Metadata,
    About,
    Set,
    SetName,
    SetDescription,
    Format,
    MetadataPrefix,
    Schema,
    MetadataNamespace,
    /// A text of `Identify`.
    RepositoryName,
    BaseUrl,
    ProtocolVersion,
    AdminEmail,
    EarliestDatestamp,
    DeletedRecord,
    Granularity,
    Compression,
    Description,
    /// An element that OAI-PMH does not define here.
    Unknown,
}

impl Element {
    /// The child element with this name in the namespace of the page.
    pub(super) fn child(self, name: &str) -> Element {
        use Element::{
            About, AdminEmail, BaseUrl, Compression, Datestamp, DeletedRecord, Description, EarliestDatestamp, Error,
            Format, Granularity, Header, Identifier, Metadata, MetadataNamespace, MetadataPrefix, ProtocolVersion,
            Record, RepositoryName, Request, ResponseDate, Root, Schema, Set, SetDescription, SetName, SetSpec, Token,
            Unknown,
        };
        match (self, name) {
            (Root, "responseDate") => ResponseDate,
            (Root, "request") => Request,
            (Root, "error") => Error,
            (Root, name) => Verb::find(name).map_or(Unknown, Element::Verb),
            (Element::Verb(verb), "resumptionToken") if verb.is_list() => Token,
            (Element::Verb(Verb::ListRecords | Verb::GetRecord), "record") => Record,
            (Element::Verb(Verb::ListIdentifiers), "header") | (Record, "header") => Header,
            (Element::Verb(Verb::ListSets), "set") => Set,
            (Element::Verb(Verb::ListMetadataFormats), "metadataFormat") => Format,
            (Record, "metadata") => Metadata,
            (Record, "about") => About,
            (Header, "identifier") => Identifier,
            (Header, "datestamp") => Datestamp,
            (Header | Set, "setSpec") => SetSpec,
            (Set, "setName") => SetName,
            (Set, "setDescription") => SetDescription,
            (Format, "metadataPrefix") => MetadataPrefix,
            (Format, "schema") => Schema,
            (Format, "metadataNamespace") => MetadataNamespace,
            (Element::Verb(Verb::Identify), name) => match name {
                "repositoryName" => RepositoryName,
                "baseURL" => BaseUrl,
                "protocolVersion" => ProtocolVersion,
                "adminEmail" => AdminEmail,
                "earliestDatestamp" => EarliestDatestamp,
                "deletedRecord" => DeletedRecord,
                "granularity" => Granularity,
                "compression" => Compression,
                "description" => Description,
                _ => Unknown,
            },
            _ => Unknown,
        }
    }

    /// True for elements whose text is a value.
    pub(super) fn is_value(self) -> bool {
        use Element::{About, Description, Format, Header, Metadata, Record, Root, Set, SetDescription, Unknown, Verb};
        !matches!(
            self,
            Root | Verb(_) | Record | Header | Set | Format | Metadata | About | SetDescription | Description | Unknown
        )
    }

    /// True for elements that contain an element of another namespace, whose bytes are kept unparsed.
    pub(super) fn is_container(self) -> bool {
        matches!(self, Element::Metadata | Element::About | Element::SetDescription | Element::Description)
    }

    /// True for the items of lists.
    pub(super) fn is_item(self) -> bool {
        matches!(self, Element::Record | Element::Set | Element::Format)
    }
}

/// Of each open element, the place of its last child in the order of the schema; in a container, the number of its elements.
pub(super) type Places = [u8; 8];

/// The element of the items of a list, or of the only record, and the first element of each item.
pub(super) fn item_of(verb: Verb) -> Option<(&'static str, &'static str)> {
    match verb {
        Verb::ListRecords | Verb::GetRecord => Some(("record", "header")),
        Verb::ListIdentifiers => Some(("header", "identifier")),
        Verb::ListSets => Some(("set", "setSpec")),
        _ => None,
    }
}
