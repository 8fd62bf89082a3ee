//! A finding in a report, and its position.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::{Lang, escape::truncated, help, message};
use crate::{
    diagnostic::{Arg, Code, EntryRef, Reason, Severity},
    span,
};

/// Maximum characters of a URI that are shown to people. Browsers and servers handle about 2,000; real URIs stay below 300.
const MAX_LOC: usize = 500;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// The requirement.
    pub code: String,
    /// The rule that reports it.
    pub rule: String,
    /// Its severity.
    pub severity: Severity,
    /// MUST, SHOULD …; absent beyond the standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// True where the requirement is derived; absent beyond the standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<bool>,
    /// One line in English.
    pub message: String,
    /// The arguments of the message.
    pub args: BTreeMap<String, Arg>,
    /// The `reason` in the message as a code with arguments, if it has a code.
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
    /// The surrounding line, at most 240 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// Other positions that explain it.
    pub related: Vec<RelatedPlace>,
    /// A fingerprint that is equal for the same problem even if lines moved.
    pub fingerprint: String,
}

impl Diagnostic {
    /// The URI of the entry for people, at most 500 characters of it.
    pub fn shown_loc(&self) -> Option<String> {
        self.entry.as_ref()?.loc.as_deref().map(|loc| truncated(loc, MAX_LOC))
    }

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
            // A newer version may define further codes.
            Some(code) if lang != Lang::En => text(code, &self.values(), lang),
            _ => english.into(),
        }
    }

    /// The arguments of the message, and the reason in it.
    pub(super) fn values(&self) -> BTreeMap<String, Arg> {
        let cause = self.cause.iter().map(|cause| ("cause".into(), Arg::Reason(cause.clone())));
        self.args.clone().into_iter().chain(cause).collect()
    }
}

/// A range of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextSpan {
    /// Offset in bytes, in the decompressed document as UTF-8.
    pub offset: u64,
    /// Length in bytes.
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

/// The line around a finding, truncated to 240 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Excerpt {
    /// As written, without the line break.
    pub text: String,
    /// The line of its first character.
    pub line: u32,
    /// The column of its first character.
    pub column: u32,
    /// The range of the finding in the characters of `text`.
    pub highlight: (u32, u32),
    /// The start of the line was truncated.
    pub cut_left: bool,
    /// The end of the line was truncated.
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

/// Another position that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedPlace {
    /// Its role, such as `first`.
    pub role: String,
    /// The id of its input.
    pub input: u64,
    /// The position.
    pub span: TextSpan,
}
