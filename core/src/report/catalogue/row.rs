//! One code with all its texts.

use alloc::string::String;

use serde::Serialize;

use crate::{
    diagnostic::{Code, Level, Severity},
    report::Lang,
    rules::Rule,
    xml::Detail,
};

/// The code with details, `XML-nn`.
pub(super) const WITH_DETAILS: Code = Code::GEN_01;

/// A code and the rule that reports it.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// `RL-03`, or `XML-07` for a detail of `GEN-01`.
    pub code: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// The name of the detail, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'static str>,
    /// MUST, SHOULD …; like `derived` and `section`, absent for codes outside the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    /// True if the standard implies the requirement but does not state it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<bool>,
    /// The severity before profile and configuration.
    pub severity: Severity,
    /// The section of the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<&'static str>,
    /// The message; `{name}` stands for an argument.
    pub message: &'static str,
    /// One line on how to fix it.
    pub help: &'static str,
    /// The requirement.
    pub what: &'static str,
    /// Why it matters to a harvester.
    pub why: &'static str,
    /// How to fix it.
    pub fix: &'static str,
    /// A document that violates it; absent if no single document can.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub wrong: &'static str,
    /// The same document, corrected.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub right: &'static str,
}

impl Row {
    pub(super) fn of(code: Code, lang: Lang) -> Row {
        let rule = Rule::of(code);
        let requirement = code.requirement();
        let texts = &rule.texts;
        let (message, help, words) = match lang {
            Lang::En => (rule.message, rule.help, &texts.en),
            Lang::Ja => (texts.message_ja, texts.help_ja, &texts.ja),
        };
        Row {
            code: code.id(),
            rule: rule.name,
            detail: None,
            level: requirement.level.map(Level::as_str),
            derived: requirement.level.map(|_| requirement.derived),
            severity: requirement.severity,
            section: requirement.section,
            message,
            help,
            what: words.what,
            why: words.why,
            fix: words.fix,
            wrong: texts.wrong,
            right: texts.right,
        }
    }

    pub(super) fn of_detail(detail: Detail, lang: Lang) -> Row {
        let message = match lang {
            Lang::En => detail.message(),
            Lang::Ja => detail.message_ja(),
        };
        // The examples are of another detail.
        Row {
            code: detail.code(),
            detail: Some(detail.name()),
            message,
            wrong: "",
            right: "",
            ..Row::of(Code::GEN_01, lang)
        }
    }

    /// True if a code, family, detail, rule or `derived` selects it. A detail is also selected by whatever selects its
    /// code.
    pub(super) fn is_of(&self, name: &str) -> bool {
        let is_code = |code: &str| {
            let family = code.split_once('-').map_or(code, |(family, _)| family);
            code.eq_ignore_ascii_case(name) || family.eq_ignore_ascii_case(name)
        };
        let own = if self.detail.is_some() { WITH_DETAILS.id() } else { self.code };
        self.code.eq_ignore_ascii_case(name)
            || is_code(own)
            || self.rule == name
            || (name == "derived" && self.derived == Some(true))
    }
}

/// Rows as JSON, indented; `rules --format json` and `explain --format json`.
pub fn to_json(rows: &[Row]) -> String {
    // Texts and booleans with string keys: serializing cannot fail.
    let mut json = serde_json::to_string_pretty(rows).unwrap_or_default();
    json.push('\n');
    json
}
