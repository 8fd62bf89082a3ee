//! The lines of an inventory: why one is rejected, and how the last one is recognized.

use resourcesync::{
    publish::Record,
    value::{Length, Parsed, Value},
};

/// Maximum bytes of a line or row: more than any resource can need.
pub(super) const MAX_LINE: u64 = 1 << 20;

/// A line: a resource, and what happened to it if changes are stated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Row {
    pub(super) record: Record,
    pub(super) change: Option<String>,
    pub(super) datetime: Option<String>,
}

/// Why a line is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Words(String),
    /// It is not UTF-8.
    NotUtf8,
}

impl From<String> for Fault {
    fn from(words: String) -> Fault {
        Fault::Words(words)
    }
}

/// How the end of an inventory is recognized.
#[derive(Debug, Clone, Copy)]
pub(super) struct End<'a> {
    /// The required last line, if any.
    pub(super) marker: Option<&'a str>,
    /// The writer may have been interrupted in the middle of a line.
    pub(super) is_pipe: bool,
    /// The lines are changes, of which there may be none.
    pub(super) is_events: bool,
}

impl End<'_> {
    /// Why an inventory that ends here is incomplete, given whether there was the marker and a final line
    /// break.
    pub(super) fn problem(self, is_marked: bool, has_line_break: bool) -> Option<String> {
        match self.marker {
            Some(marker) if !is_marked => Some(format!("the input ends without the end marker `{marker}`")),
            None if self.is_pipe && !has_line_break => {
                Some("the last line has no line break: the input was cut off".to_owned())
            }
            _ => None,
        }
    }
}

/// Why lines after the end marker are rejected.
pub(super) const AFTER_END: &str = "there are lines after the end marker";

/// A length as text.
pub(super) fn length(text: &str) -> Result<u64, String> {
    match Length::read(text) {
        Parsed::Exact(length) => Ok(length.0),
        _ => Err(format!("length `{text}` is not a whole number of bytes")),
    }
}
