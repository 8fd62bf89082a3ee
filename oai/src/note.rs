//! Notes: what a repository does that is not as the protocol requires, and what a harvest has to report about itself.

use alloc::{string::String, vec::Vec};

use resourcesync::{diagnostic::Arg, span::Span};

use crate::catalogue::Code;

/// One thing noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The requirement it is about.
    pub code: Code,
    /// Where in the page.
    pub span: Option<Span>,
    /// The record it is about.
    pub identifier: Option<String>,
    /// The values of the message, by name.
    pub args: Vec<(&'static str, Arg)>,
}

/// Elements without which a list is not whole, wherever a page has them and however they are written.
const LOST: [&str; 5] = ["header", "headers", "record", "records", "resumptionToken"];

/// True if a list is not whole without this element.
pub(crate) fn is_lost(element: &str) -> bool {
    LOST.iter().any(|name| element.eq_ignore_ascii_case(name))
}

impl Note {
    /// Without place and arguments.
    pub fn new(code: Code) -> Note {
        Note { code, span: None, identifier: None, args: Vec::new() }
    }

    /// With a place in the page.
    #[must_use]
    pub fn at(mut self, span: Span) -> Note {
        self.span = Some(span);
        self
    }

    /// About a record.
    #[must_use]
    pub fn of(mut self, identifier: &str) -> Note {
        self.identifier = Some(identifier.into());
        self
    }

    /// With a value of the message.
    #[must_use]
    pub fn arg(mut self, name: &'static str, value: impl Into<Arg>) -> Note {
        self.args.push((name, value.into()));
        self
    }

    /// True if a record or a token stands where it is not read.
    pub(crate) fn loses(&self) -> bool {
        let is_own =
            |(name, value): &(&str, Arg)| matches!(value, Arg::Text(text) if *name == "element" && is_lost(text));
        // What is only in another order is read.
        self.code == Code::OAI_09
            && self.args.iter().any(is_own)
            && !self.args.iter().any(|(name, _)| *name == "problem")
    }
}
