//! The pieces of a page.

use alloc::{boxed::Box, string::String, vec::Vec};

use resourcesync::{codec::GunzipError, named_enum, read::fault_text, span::Span, xml::Fault};

use super::{markup::Markup, record::Damaged, record::Header, record::Record, sniff::Sniffed};
use crate::{limits::PageLimit, note::Note, request::Verb, stamp::Datestamp, stamp::Granularity};

/// A piece of a page; pieces are returned in page order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Piece {
    /// The head of the response; only notes can precede it.
    Head(Head),
    /// The response to `Identify`.
    Identify(Box<Identify>),
    /// A format.
    MetadataFormat(MetadataFormat),
    /// A set.
    Set(SetEntry),
    /// A header of a list of identifiers.
    Header(Header),
    /// A record.
    Record(Record),
    /// An unusable record or other list item.
    Damaged(Damaged),
    /// A `resumptionToken`, empty or not.
    Token(Token),
    /// An OAI-PMH error.
    Error(OaiError),
    /// A deviation from the protocol.
    Note(Note),
    /// The end of the page; always the last piece.
    End(Ending),
}

/// `responseDate` and `request`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// `responseDate`.
    pub response_date: Option<Datestamp>,
    /// The content of `request`: the base URL.
    pub base_url: Option<String>,
    /// The attributes of `request`: the arguments as interpreted by the repository.
    pub arguments: Vec<(String, String)>,
    /// The verb whose element follows; `None` before an error.
    pub verb: Option<Verb>,
}

/// The response to `Identify`. All values are as written, with surrounding white space removed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Identify {
    /// `repositoryName`
    pub repository_name: Option<String>,
    /// `baseURL`
    pub base_url: Option<String>,
    /// `protocolVersion`
    pub protocol_version: Option<String>,
    /// `adminEmail`, at least one.
    pub admin_emails: Vec<String>,
    /// `earliestDatestamp`
    pub earliest_datestamp: Option<Datestamp>,
    /// `deletedRecord`
    pub deleted_record: Option<String>,
    /// `granularity`
    pub granularity: Option<String>,
    /// `compression`
    pub compressions: Vec<String>,
    /// The contents of `description`.
    pub descriptions: Vec<Markup>,
}

impl Identify {
    /// The declared support for deleted records; `None` unless the value is one of the three keywords of the
    /// protocol.
    pub fn deletions(&self) -> Option<DeletedRecord> {
        DeletedRecord::find(self.deleted_record.as_deref()?)
    }

    /// The declared granularity, if recognisable, and whether its form conforms to the protocol.
    pub fn granularity(&self) -> Option<(Granularity, bool)> {
        Granularity::read(self.granularity.as_deref()?)
    }
}

named_enum! {
    /// The support for deleted records (OAI-PMH 2.0 §2.5.1).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum DeletedRecord {
        /// Deletions are not reported.
        No = "no",
        /// Deletions may be reported.
        Transient = "transient",
        /// Deletions are reported permanently.
        Persistent = "persistent",
    }
}

/// An available format.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MetadataFormat {
    /// `metadataPrefix`
    pub prefix: Option<String>,
    /// `schema`
    pub schema: Option<String>,
    /// `metadataNamespace`
    pub namespace: Option<String>,
}

/// A set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SetEntry {
    /// `setSpec`
    pub spec: Option<String>,
    /// `setName`
    pub name: Option<String>,
    /// The contents of `setDescription`.
    pub descriptions: Vec<Markup>,
}

/// A `resumptionToken`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Token {
    /// The token without surrounding white space; empty at the end of a list.
    pub value: String,
    /// `cursor`
    pub cursor: Option<u64>,
    /// `completeListSize`
    pub complete_list_size: Option<u64>,
    /// `expirationDate`
    pub expires: Option<Datestamp>,
    /// The element.
    pub span: Span,
}

/// An OAI-PMH error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OaiError {
    /// The code.
    pub code: ErrorCode,
    /// The text of the repository.
    pub text: String,
}

impl OaiError {
    /// True if it says that there is no such record: no such item, or none in this format.
    pub(crate) fn is_absence(&self) -> bool {
        matches!(self.code, ErrorCode::IdDoesNotExist | ErrorCode::CannotDisseminateFormat)
    }

    /// The code, and the start of the text if present.
    pub fn in_one_line(&self) -> String {
        let code = self.code.as_str();
        match &*self.text {
            "" => code.into(),
            text => alloc::format!("{code}: {}", text.chars().take(200).collect::<String>()),
        }
    }
}

/// The error codes of the protocol (OAI-PMH 2.0 §3.6).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// An argument is missing, repeated, illegal or malformed.
    BadArgument,
    /// The token is invalid or has expired.
    BadResumptionToken,
    /// The verb is missing, repeated or unknown.
    BadVerb,
    /// The format is not available.
    CannotDisseminateFormat,
    /// The item does not exist.
    IdDoesNotExist,
    /// The list is empty.
    NoRecordsMatch,
    /// The item has no formats.
    NoMetadataFormats,
    /// The repository does not support sets.
    NoSetHierarchy,
    /// `badGranularity`, which OAI-PMH 1 had.
    BadGranularity,
    /// An unknown code, or none.
    Other(String),
}

impl ErrorCode {
    /// The codes of the protocol.
    pub const ALL: [ErrorCode; 8] = [
        ErrorCode::BadArgument,
        ErrorCode::BadResumptionToken,
        ErrorCode::BadVerb,
        ErrorCode::CannotDisseminateFormat,
        ErrorCode::IdDoesNotExist,
        ErrorCode::NoRecordsMatch,
        ErrorCode::NoMetadataFormats,
        ErrorCode::NoSetHierarchy,
    ];

    /// The code with this name.
    pub fn read(name: &str) -> ErrorCode {
        match ErrorCode::ALL.into_iter().find(|code| code.as_str() == name) {
            Some(code) => code,
            None if name == "badGranularity" => ErrorCode::BadGranularity,
            None => ErrorCode::Other(name.into()),
        }
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        match self {
            ErrorCode::BadArgument => "badArgument",
            ErrorCode::BadResumptionToken => "badResumptionToken",
            ErrorCode::BadVerb => "badVerb",
            ErrorCode::CannotDisseminateFormat => "cannotDisseminateFormat",
            ErrorCode::IdDoesNotExist => "idDoesNotExist",
            ErrorCode::NoRecordsMatch => "noRecordsMatch",
            ErrorCode::NoMetadataFormats => "noMetadataFormats",
            ErrorCode::NoSetHierarchy => "noSetHierarchy",
            ErrorCode::BadGranularity => "badGranularity",
            ErrorCode::Other(name) => name,
        }
    }

    /// True if it is one of the eight.
    pub fn is_known(&self) -> bool {
        !matches!(self, ErrorCode::BadGranularity | ErrorCode::Other(_))
    }
}

/// The end of a page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Ending {
    /// `</OAI-PMH>` was read.
    Whole {
        /// SHA-256 of the pushed bytes.
        sha256: [u8; 32],
        /// The number of pushed bytes.
        bytes: u64,
    },
    /// The page ended early, or could not be read further.
    Cut(Box<Cut>),
    /// The response is not OAI-PMH.
    NotOai(Sniffed),
}

/// The reason why a page is incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cut {
    /// The page is not well-formed, or exceeds a limit of the XML reader.
    Fault(Fault),
    /// The page exceeds this limit.
    Limit(PageLimit),
    /// The compressed body is damaged.
    Gzip(GunzipError),
}

impl Cut {
    /// The reason in one line, in English.
    pub fn reason(&self) -> String {
        match self {
            Cut::Fault(fault) => fault_text(fault),
            Cut::Limit(limit) => alloc::format!("limit {}", limit.as_str()),
            Cut::Gzip(problem) => alloc::format!("the gzip stream is damaged: {}", problem.as_str()),
        }
    }
}
