//! What a page contains, piece by piece.

use alloc::{boxed::Box, string::String, vec::Vec};

use resourcesync::{codec::GunzipError, read::fault_text, span::Span, xml::Fault};

use super::{markup::Markup, record::Damaged, record::Header, record::Record, sniff::Sniffed};
use crate::{limits::PageLimit, note::Note, request::Verb, stamp::Datestamp, stamp::Granularity};

/// A piece of a page, in the order of the page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Piece {
    /// What precedes the answer; before all other pieces but notes.
    Head(Head),
    /// The answer to `Identify`.
    Identify(Box<Identify>),
    /// A format.
    MetadataFormat(MetadataFormat),
    /// A set.
    Set(SetEntry),
    /// A header of a list of identifiers.
    Header(Header),
    /// A record.
    Record(Record),
    /// A record, or another item of the list, that cannot be used.
    Damaged(Damaged),
    /// A `resumptionToken`, empty or not.
    Token(Token),
    /// An OAI-PMH error.
    Error(OaiError),
    /// Something that is not as the protocol requires.
    Note(Note),
    /// How the page ended; the last piece.
    End(Ending),
}

/// `responseDate` and `request`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// `responseDate`.
    pub response_date: Option<Datestamp>,
    /// The content of `request`: the base URL.
    pub base_url: Option<String>,
    /// The attributes of `request`: the arguments as the repository understood them.
    pub arguments: Vec<(String, String)>,
    /// The verb whose element follows; none before an error.
    pub verb: Option<Verb>,
}

/// The answer to `Identify`. Everything as written, without white space around it.
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
    /// What the repository promises about deleted records; `None` for anything but the three words of the protocol.
    pub fn deletions(&self) -> Option<DeletedRecord> {
        DeletedRecord::find(self.deleted_record.as_deref()?)
    }

    /// The declared granularity, where it can be understood, and whether it is written as the protocol requires.
    pub fn granularity(&self) -> Option<(Granularity, bool)> {
        Granularity::read(self.granularity.as_deref()?)
    }
}

/// What a repository promises about deleted records (OAI-PMH 2.0 §2.5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeletedRecord {
    /// Deletions are not reported.
    No,
    /// They may be reported.
    Transient,
    /// They are reported for ever.
    Persistent,
}

impl DeletedRecord {
    /// The word of the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            DeletedRecord::No => "no",
            DeletedRecord::Transient => "transient",
            DeletedRecord::Persistent => "persistent",
        }
    }

    fn find(word: &str) -> Option<DeletedRecord> {
        [DeletedRecord::No, DeletedRecord::Transient, DeletedRecord::Persistent]
            .into_iter()
            .find(|own| own.as_str() == word)
    }
}

/// A format that is offered.
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
    /// The token without white space around it; empty at the end of a list.
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
    /// Which one.
    pub code: ErrorCode,
    /// What the repository wrote for people.
    pub text: String,
}

impl OaiError {
    /// The code, and the beginning of the text if there is one.
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
    /// The verb is missing, repeated or none.
    BadVerb,
    /// The format is not offered.
    CannotDisseminateFormat,
    /// There is no such item.
    IdDoesNotExist,
    /// The list is empty.
    NoRecordsMatch,
    /// The item has no format.
    NoMetadataFormats,
    /// There are no sets.
    NoSetHierarchy,
    /// `badGranularity`, which OAI-PMH 1 had.
    BadGranularity,
    /// A code that the protocol does not have, or none.
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

/// How a page ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Ending {
    /// `</OAI-PMH>` was read.
    Whole {
        /// SHA-256 of the bytes that were pushed.
        sha256: [u8; 32],
        /// How many they were.
        bytes: u64,
    },
    /// The page ended before, or could not be read on.
    Cut(Box<Cut>),
    /// It is something else.
    NotOai(Sniffed),
}

/// Why a page is not whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cut {
    /// It is not well-formed, or beyond a limit of reading XML.
    Fault(Fault),
    /// It is beyond this limit.
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
