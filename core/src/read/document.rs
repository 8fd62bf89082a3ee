//! A whole document in memory.

use super::{ReadEvent, Reader, encoding_finding, fault_finding, fault_text};
use crate::{
    diagnostic::Sink,
    limits::Limits,
    model::Document,
    rules::{Checker, DocumentContext},
    xml::Fault,
};

/// The document could not be read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError(Fault);

impl ReadError {
    /// What stopped the reader, and where.
    pub fn fault(&self) -> &Fault {
        &self.0
    }
}

impl core::fmt::Display for ReadError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let place = self.0.span.start;
        write!(f, "line {}, column {}: {}", place.line, place.column, fault_text(&self.0))
    }
}

impl core::error::Error for ReadError {}

/// Reads a document into memory, including values that are not valid; faults go to `sink`.
///
/// # Errors
///
/// If the document is not well-formed, beyond a limit, or in an encoding that is not read.
pub fn document(bytes: &[u8], limits: &Limits, sink: &mut dyn Sink) -> Result<Document, ReadError> {
    let mut reader = Reader::keeping(limits);
    let mut checker = Checker::new(DocumentContext { limits: limits.clone(), ..DocumentContext::default() });
    let (mut document, mut fault) = (Document::default(), None);
    let mut take = |event: ReadEvent<'_>| match event {
        ReadEvent::Item(item) => {
            document.keep(item);
            checker.take(item, sink);
        }
        ReadEvent::Encoding(note, span) => sink.found(encoding_finding(&note, span)),
        ReadEvent::Fault(own) => {
            sink.found(fault_finding(&own));
            fault = Some(own);
        }
    };
    reader.feed(bytes, &mut take);
    reader.end(&mut take);
    fault.map_or(Ok(document), |fault| Err(ReadError(fault)))
}
