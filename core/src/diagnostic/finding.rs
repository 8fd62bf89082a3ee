//! A finding: a code, a place, named arguments.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{Code, Reason, Severity};
use crate::span::Span;

/// A named value of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Arg {
    /// A count.
    Number(u64),
    /// Text of the document, or a term of the standard.
    Text(String),
    /// Why something could not be read or fetched; a report has it as `cause`.
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

/// Where in the tree of a document a finding belongs; written out only when the finding is kept.
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

/// A second place that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedSpan {
    /// Names the part this place plays, such as `first`.
    pub role: &'static str,
    /// The place.
    pub span: Span,
}

/// One thing found, as the rules say it: before severity is decided and before words are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The requirement that is not met.
    pub code: Code,
    /// A severity below that of the requirement, where the evidence is weaker.
    pub lowered: Option<Severity>,
    /// Absent only if there is no text to point to.
    pub span: Option<Span>,
    /// Absent only if there is no element to name.
    pub path: Option<Path>,
    /// The entry, if it is about one.
    pub entry: Option<EntryRef>,
    /// Values of the message, by name.
    pub args: Vec<(&'static str, Arg)>,
    /// Other places.
    pub related: Vec<RelatedSpan>,
}

impl Finding {
    /// A finding without a place.
    pub fn new(code: Code) -> Finding {
        Finding { code, lowered: None, span: None, path: None, entry: None, args: Vec::new(), related: Vec::new() }
    }

    /// Points at text.
    #[must_use]
    pub fn at(mut self, span: Span) -> Finding {
        self.span = Some(span);
        self
    }

    /// Names a value of the message.
    #[must_use]
    pub fn arg(mut self, name: &'static str, value: impl Into<Arg>) -> Finding {
        self.args.push((name, value.into()));
        self
    }

    /// Says that the evidence is weaker than the requirement's severity supposes.
    #[must_use]
    pub fn lowered(mut self, to: Severity) -> Finding {
        self.lowered = Some(to);
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn related(mut self, role: &'static str, span: Span) -> Finding {
        self.related.push(RelatedSpan { role, span });
        self
    }
}

/// Takes findings as they are made. What is kept is the taker's choice.
pub trait Sink {
    /// Takes one.
    fn found(&mut self, finding: Finding);

    /// Whether place and entry of this finding should be filled in before it is passed; it is passed in any case.
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
