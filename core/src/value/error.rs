//! The error of strict parsing.

use alloc::{boxed::Box, string::String};
use core::fmt;

/// The error for a text that is not a valid value.
///
/// ```
/// use resourcesync::value::MediaType;
/// assert_eq!("text".parse::<MediaType>().unwrap_err().to_string(), "`text` is not a media type");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError {
    text: Box<str>,
    name: &'static str,
}

impl ValueError {
    pub(super) fn new(text: &str, name: &'static str) -> ValueError {
        ValueError { text: text.into(), name }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut start: String = self.text.chars().take(120).collect();
        if start.len() < self.text.len() {
            start.push('…');
        }
        write!(f, "`{}` is not {}", start.escape_debug(), self.name)
    }
}

impl core::error::Error for ValueError {}
