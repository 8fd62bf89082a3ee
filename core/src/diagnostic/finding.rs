//! A finding: a code, a position, named arguments.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{Code, Reason, Severity};
use crate::span::Span;

/// A named argument of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Arg {
    /// A count.
    Number(u64),
    /// Text of the document, or a term of the standard.
    Text(String),
    /// Why something could not be read or fetched; `cause` in a report.
    Reason(Reason),
}

impl From<Reason> for Arg {
    fn from(reason: Reason) -> Arg {
        Arg::Reason(reason)
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Arg {
        Arg::Text(text.into())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Arg {
        Arg::Text(text)
    }
}

impl From<u64> for Arg {
    fn from(number: u64) -> Arg {
        Arg::Number(number)
    }
}

impl From<u32> for Arg {
    fn from(number: u32) -> Arg {
        Arg::Number(number.into())
    }
}

impl From<usize> for Arg {
    fn from(number: usize) -> Arg {
        Arg::Number(number as u64)
    }
}

/// The path of a finding in the document tree; formatted only if the finding is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Path {
    /// The root element: `urlset`, `sitemapindex` or any other name.
    pub root: String,
    /// The entry's element and its number among the entries, from 1.
    pub entry: Option<(&'static str, u64)>,
    /// The element below root or entry: its name and, where it may repeat, its number from 1.
    pub step: Option<(String, Option<u64>)>,
    /// The attribute; in the ResourceSync namespace with `rs:`, whatever the prefix.
    pub attribute: Option<String>,
}

impl core::fmt::Display for Path {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "/{}", self.root)?;
        if let Some((element, number)) = self.entry {
            write!(f, "/{element}[{number}]")?;
        }
        match &self.step {
            Some((name, Some(number))) => write!(f, "/{name}[{number}]")?,
            Some((name, None)) => write!(f, "/{name}")?,
            None => {}
        }
        match &self.attribute {
            Some(name) => write!(f, "/@{name}"),
            None => Ok(()),
        }
    }
}

/// The entry a finding belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryRef {
    /// Number of the entry in its document, from 1.
    pub index: u64,
    /// The URI of the entry, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loc: Option<String>,
}

/// A second position that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedSpan {
    /// The role of this position, such as `first`.
    pub role: &'static str,
    /// The position.
    pub span: Span,
}

/// A finding as a rule creates it, before its severity is decided and its message is rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The requirement that is not met.
    pub code: Code,
    /// A severity below that of the requirement, where the evidence is weaker.
    pub lowered: Option<Severity>,
    /// Absent only if there is no text to refer to.
    pub span: Option<Span>,
    /// Absent only if there is no element to name.
    pub path: Option<Path>,
    /// The entry, if it belongs to one.
    pub entry: Option<EntryRef>,
    /// Arguments of the message, by name.
    pub args: Vec<(&'static str, Arg)>,
    /// Other positions.
    pub related: Vec<RelatedSpan>,
}

impl Finding {
    /// A finding without a position.
    pub fn new(code: Code) -> Finding {
        Finding { code, lowered: None, span: None, path: None, entry: None, args: Vec::new(), related: Vec::new() }
    }

    /// Sets the position.
    #[must_use]
    pub fn at(mut self, span: Span) -> Finding {
        self.span = Some(span);
        self
    }

    /// Adds an argument of the message.
    #[must_use]
    pub fn arg(mut self, name: &'static str, value: impl Into<Arg>) -> Finding {
        self.args.push((name, value.into()));
        self
    }

    /// Lowers the severity where the evidence is weaker.
    #[must_use]
    pub fn lowered(mut self, to: Severity) -> Finding {
        self.lowered = Some(to);
        self
    }

    /// Adds a second position.
    #[must_use]
    pub fn related(mut self, role: &'static str, span: Span) -> Finding {
        self.related.push(RelatedSpan { role, span });
        self
    }
}

/// Receives findings as they are created, and decides which to keep.
pub trait Sink {
    /// Receives a finding.
    fn found(&mut self, finding: Finding);

    /// Whether the path and entry of this finding should be filled in before it is passed on; it is passed on in
    /// any case.
    fn wants(&self, _finding: &Finding) -> bool {
        true
    }
}

impl Sink for Vec<Finding> {
    fn found(&mut self, finding: Finding) {
        self.push(finding);
    }
}

/// Keeps nothing.
impl Sink for () {
    fn found(&mut self, _: Finding) {}

    fn wants(&self, _: &Finding) -> bool {
        false
    }
}
