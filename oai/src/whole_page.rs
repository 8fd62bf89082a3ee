//! A whole page at once: its records, and everything else as plain values, the same in every language binding.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

use serde::Serialize;

use crate::{
    harvest::Notes,
    limits::Limits,
    message::message,
    note::Note,
    page::{Damaged, Ending, Header, Identify, MetadataFormat, OaiError, PageReader, Piece, Record, SetEntry, Token},
    request::Verb,
    stamp::Datestamp,
};

/// A page that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Its records.
    pub records: Vec<Record>,
    /// The headers of a list of identifiers.
    pub headers: Vec<Header>,
    /// Everything else.
    pub facts: PageFacts,
}

/// What a page says besides its records.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageFacts {
    /// True if the page was read to its end.
    pub is_whole: bool,
    /// Why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `responseDate`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_date: Option<String>,
    /// The verb of the element that it contains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verb: Option<&'static str>,
    /// The `resumptionToken`; empty at the end of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// `completeListSize`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete_list_size: Option<u64>,
    /// `cursor`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<u64>,
    /// The OAI-PMH errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorFacts>,
    /// The response to `Identify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identify: Option<IdentifyFacts>,
    /// The formats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<FormatFacts>,
    /// The sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<SetFacts>,
    /// Damaged records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<DamagedFacts>,
    /// Deviations from the protocol.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteFacts>,
    /// The encoding of the page, if it was converted to UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcoded: Option<&'static str>,
}

/// An OAI-PMH error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorFacts {
    /// Its code.
    pub code: String,
    /// Its text.
    pub text: String,
}

/// The response to `Identify`, as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)] // named as the elements
pub struct IdentifyFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository_name: Option<String>,
    #[serde(rename = "baseURL", skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<String>,
    pub admin_emails: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earliest_datestamp: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_record: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granularity: Option<String>,
    pub compressions: Vec<String>,
}

/// A format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // named as the elements
pub struct FormatFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}

/// A set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // named as the elements
pub struct SetFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A damaged record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DamagedFacts {
    /// Its identifier, if it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    /// The problem, as a code and in words.
    pub code: &'static str,
    /// In words.
    pub reason: String,
    /// Its number in the page.
    pub number: u64,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

/// A deviation from the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoteFacts {
    /// Its code, such as `OAI-05`.
    pub code: &'static str,
    /// In words.
    pub message: String,
    /// The record concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
}

impl Page {
    /// Reads a page; the charset is that of its `Content-Type`.
    pub fn read(bytes: &[u8], limits: &Limits, charset: Option<&str>) -> Page {
        let mut builder = PageBuilder::new(limits, charset);
        bytes.chunks(WINDOW).for_each(|window| builder.push(window));
        builder.finish()
    }

    fn add(&mut self, piece: Piece) {
        let facts = &mut self.facts;
        match piece {
            Piece::Record(record) => self.records.push(record),
            Piece::Header(header) => self.headers.push(header),
            Piece::Head(head) => {
                facts.response_date = head.response_date.map(text);
                facts.verb = head.verb.map(Verb::as_str);
            }
            Piece::Identify(identify) => facts.identify = Some((*identify).into()),
            Piece::MetadataFormat(format) => facts.formats.push(format.into()),
            Piece::Set(set) => facts.sets.push(set.into()),
            Piece::Damaged(damaged) => facts.damaged.push((&damaged).into()),
            Piece::Token(Token { value, cursor, complete_list_size, .. }) => {
                (facts.token, facts.cursor, facts.complete_list_size) = (Some(value), cursor, complete_list_size);
            }
            Piece::Error(OaiError { code, text }) => {
                facts.errors.push(ErrorFacts { code: code.as_str().to_owned(), text });
            }
            Piece::Note(note) => facts.notes.push((&note).into()),
            Piece::End(Ending::Whole { .. }) => facts.is_whole = true,
            Piece::End(Ending::Cut(cut)) => facts.reason = Some(cut.reason()),
            Piece::End(Ending::NotOai(sniffed)) => facts.reason = Some(sniffed.kind.as_str().to_string()),
        }
    }
}

/// Bytes that are read at once.
const WINDOW: usize = 64 << 10;

/// A page being read.
pub struct PageBuilder {
    reader: PageReader,
    page: Page,
}

impl PageBuilder {
    /// Reads a page; the charset is that of its `Content-Type`.
    pub fn new(limits: &Limits, charset: Option<&str>) -> PageBuilder {
        let page = Page { records: Vec::new(), headers: Vec::new(), facts: PageFacts::default() };
        PageBuilder { reader: PageReader::with_charset(limits, charset), page }
    }

    /// The next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.reader.push(bytes);
        self.take();
    }

    /// The page.
    pub fn finish(mut self) -> Page {
        self.reader.finish();
        self.take();
        self.page.facts.transcoded = self.reader.transcoded();
        self.page
    }

    fn take(&mut self) {
        while let Some(piece) = self.reader.next() {
            self.page.add(piece);
        }
    }
}

fn text(stamp: Datestamp) -> String {
    stamp.text
}

impl From<Identify> for IdentifyFacts {
    fn from(own: Identify) -> IdentifyFacts {
        IdentifyFacts {
            repository_name: own.repository_name,
            base_url: own.base_url,
            protocol_version: own.protocol_version,
            admin_emails: own.admin_emails,
            earliest_datestamp: own.earliest_datestamp.map(text),
            deleted_record: own.deleted_record,
            granularity: own.granularity,
            compressions: own.compressions,
        }
    }
}

impl From<MetadataFormat> for FormatFacts {
    fn from(MetadataFormat { prefix, schema, namespace }: MetadataFormat) -> FormatFacts {
        FormatFacts { prefix, schema, namespace }
    }
}

impl From<SetEntry> for SetFacts {
    fn from(SetEntry { spec, name, .. }: SetEntry) -> SetFacts {
        SetFacts { spec, name }
    }
}

impl From<&Damaged> for DamagedFacts {
    fn from(own: &Damaged) -> DamagedFacts {
        DamagedFacts {
            identifier: own.identifier.clone(),
            code: own.why.code(),
            reason: own.why.reason(),
            number: own.number,
            line: own.span.start.line,
            column: own.span.start.column,
        }
    }
}

impl From<&Note> for NoteFacts {
    fn from(note: &Note) -> NoteFacts {
        let mut notes = Notes::default();
        notes.add(note);
        let noted = notes.iter().next();
        NoteFacts {
            code: note.code.id(),
            message: noted.map(|noted| message(noted, resourcesync::report::Lang::En)).unwrap_or_default(),
            identifier: note.identifier.clone(),
        }
    }
}
