//! Records as lines of JSON.

use std::{io, str::from_utf8};

use resourcesync_oai::page::{Header, Markup, Record, Scope};
use serde::{Serialize, Serializer};

/// A record, or a header, as one line.
#[derive(Debug, Serialize)]
pub struct Line<'a> {
    identifier: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    datestamp: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    sets: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<&'a str>,
    /// The bytes as sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a str>,
    /// The namespaces in scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<Namespaces<'a>>,
    /// `xml:lang` of an element around the metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    lang: Option<&'a str>,
    /// `xml:space` of an element around the metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    about: Vec<Element<'a>>,
    /// The original encoding of the page, if not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcoded: Option<&'a str>,
    /// The harvest of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Element<'a> {
    metadata: &'a str,
    scope: Namespaces<'a>,
}

#[derive(Debug)]
struct Namespaces<'a>(&'a Scope);

impl Serialize for Namespaces<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let declarations = self.0.declarations();
        serializer.collect_map(declarations.iter().map(|(prefix, uri)| (prefix, uri)))
    }
}

impl<'a> Line<'a> {
    /// A header.
    #[must_use]
    pub fn header(header: &'a Header) -> Line<'a> {
        Line {
            identifier: &header.identifier,
            datestamp: header.datestamp.as_ref().map(|stamp| stamp.text.as_str()),
            status: header.is_deleted.then_some("deleted"),
            sets: &header.sets,
            prefix: None,
            metadata: None,
            scope: None,
            lang: None,
            space: None,
            about: Vec::new(),
            transcoded: None,
            run: None,
        }
    }

    /// A record of a format.
    #[must_use]
    pub fn record(record: &'a Record, prefix: &'a str, transcoded: Option<&'a str>) -> Line<'a> {
        Line {
            prefix: Some(prefix),
            metadata: record.metadata.as_ref().map(text),
            scope: record.metadata.as_ref().map(|markup| Namespaces(&markup.scope)),
            lang: record.metadata.as_ref().and_then(|markup| markup.lang.as_deref()),
            space: record.metadata.as_ref().and_then(|markup| markup.space.as_deref()),
            about: record
                .about
                .iter()
                .map(|about| Element { metadata: text(about), scope: Namespaces(&about.scope) })
                .collect(),
            transcoded,
            ..Line::header(&record.header)
        }
    }

    /// Sets the harvest.
    #[must_use]
    pub fn of_run(self, run: u64) -> Line<'a> {
        Line { run: Some(run), ..self }
    }

    /// Writes it, with a line break.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
    }
}

/// Parsed XML is UTF-8.
fn text(markup: &Markup) -> &str {
    from_utf8(&markup.raw).unwrap_or_default()
}
