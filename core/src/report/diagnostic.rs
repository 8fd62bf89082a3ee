//! A finding in a report, and its position.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{Lang, help, message};
use crate::{
    diagnostic::{Arg, Code, EntryRef, Reason, Severity},
    span,
};

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// The requirement.
    pub code: String,
    /// The rule that reports it.
    pub rule: String,
    /// How much it weighs.
    pub severity: Severity,
    /// MUST, SHOULD …; absent beyond the standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// True where the requirement is derived; absent beyond the standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<bool>,
    /// One line in English.
    pub message: String,
    /// The values in the message.
    pub args: BTreeMap<String, Arg>,
    /// The `reason` in the message as a code with values, where it is one of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Reason>,
    /// One line on how to fix it, in English.
    pub help: String,
    /// The section of the standard; absent for codes outside the standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The input it was found in.
    pub input: u64,
    /// Its position; absent only if there is no text to point to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<TextSpan>,
    /// The element or attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryRef>,
    /// The surroundings, at most 240 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// Other places that explain it.
    pub related: Vec<RelatedPlace>,
    /// The same for the same fault when lines have moved.
    pub fingerprint: String,
}

impl Diagnostic {
    /// The message in a language.
    pub fn message_in(&self, lang: Lang) -> String {
        self.render(message, &self.message, lang)
    }

    /// The help in a language.
    pub fn help_in(&self, lang: Lang) -> String {
        self.render(help, &self.help, lang)
    }

    fn render(&self, text: fn(Code, &BTreeMap<String, Arg>, Lang) -> String, english: &str, lang: Lang) -> String {
        match Code::find(&self.code) {
            // A newer version may know codes that this one does not.
            Some(code) if lang != Lang::En => match &self.cause {
                Some(cause) => {
                    let cause = ("cause".into(), Arg::Reason(cause.clone()));
                    text(code, &self.args.clone().into_iter().chain([cause]).collect(), lang)
                }
                None => text(code, &self.args, lang),
            },
            _ => english.into(),
        }
    }
}

/// A range of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextSpan {
    /// Bytes of the unpacked document as UTF-8 before it.
    pub offset: u64,
    /// Bytes covered.
    pub length: u64,
    /// Its first character.
    pub start: Point,
    /// Just after its last character.
    pub end: Point,
}

/// A line and a column, both from 1; columns count Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl From<span::Span> for TextSpan {
    fn from(span: span::Span) -> TextSpan {
        let point = |place: span::Place| Point { line: place.line, column: place.column };
        TextSpan { offset: span.start.offset, length: span.length(), start: point(span.start), end: point(span.end) }
    }
}

/// The line around a finding, cut to 240 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Excerpt {
    /// As written, without the line break.
    pub text: String,
    /// The line of its first character.
    pub line: u32,
    /// The column of its first character.
    pub column: u32,
    /// From and up to which character of `text` the finding reaches.
    pub highlight: (u32, u32),
    /// The line begins before the text.
    pub cut_left: bool,
    /// The line continues after the text.
    pub cut_right: bool,
}

impl From<crate::xml::Snippet> for Excerpt {
    fn from(cut: crate::xml::Snippet) -> Excerpt {
        Excerpt {
            text: cut.text,
            line: cut.line,
            column: cut.column,
            highlight: cut.highlight,
            cut_left: cut.cut_left,
            cut_right: cut.cut_right,
        }
    }
}

/// Another place that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedPlace {
    /// The part it plays, such as `first`.
    pub role: String,
    /// The input it is in.
    pub input: u64,
    /// Where.
    pub span: TextSpan,
}
