//! The catalogue as rows: everything there is to say about a code, in one language; and rows written for people and programs.

mod explanation;
mod explanation_markdown;
mod explanation_text;
mod table;

use alloc::{string::String, vec, vec::Vec};

use serde::Serialize;

pub use self::{
    explanation::{Explanation, ExplanationError},
    table::table,
};
use super::{Lang, Profile, Selection, Selector, SelectorError};
use crate::{
    diagnostic::{Code, Finding, Level, Severity},
    rules::Rule,
    xml::Detail,
};

/// The code that says more in details, `XML-nn`.
const WITH_DETAILS: Code = Code::GEN_01;

/// A code and the rule that reports it.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// `RL-03`, or `XML-07` for a detail of `GEN-01`.
    pub code: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// What the detail is called, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'static str>,
    /// MUST, SHOULD …; absent beyond the standard, and so are the next and the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    /// True where the standard does not say it in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<bool>,
    /// Before profile and configuration.
    pub severity: Severity,
    /// Where the standard says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<&'static str>,
    /// The message; `{name}` stands for an argument.
    pub message: &'static str,
    /// One line on how to fix it.
    pub help: &'static str,
    /// What the standard asks for.
    pub what: &'static str,
    /// Why it matters to a harvester.
    pub why: &'static str,
    /// How to fix it.
    pub mend: &'static str,
    /// A document that breaks it; absent where no document alone can show it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub wrong: &'static str,
    /// The same document, corrected.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub right: &'static str,
}

impl Row {
    fn of(code: Code, lang: Lang) -> Row {
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
            mend: words.fix,
            wrong: texts.wrong,
            right: texts.right,
        }
    }

    fn of_detail(detail: Detail, lang: Lang) -> Row {
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
}

impl Row {
    /// True if details say more about its code: those of [`details`].
    pub fn has_details(&self) -> bool {
        self.detail.is_none() && self.code == WITH_DETAILS.id()
    }
}

/// All rows, or those that are selected; the details of `GEN-01` come last.
pub fn rows(select: &[Selector], lang: Lang) -> Vec<Row> {
    // For findings a selected detail selects its code as well; here the code was not asked for.
    let others: Vec<_> = select.iter().filter(|selector| !matches!(selector, Selector::Detail(_))).cloned().collect();
    let is_only_details = others.is_empty() && !select.is_empty();
    let [by_code, by_detail] = [&others, select].map(|select| Selection::new(Profile::Standard, select, &[], &[]));
    let codes = Code::all().filter(|code| !is_only_details && by_code.severity(&Finding::new(*code)).is_some());
    let is_wanted = |row: &Row| by_detail.severity(&Finding::new(Code::GEN_01).arg("detail", row.code)).is_some();
    codes.map(|code| Row::of(code, lang)).chain(details(lang).filter(is_wanted)).collect()
}

/// The rows of the details of `GEN-01`.
pub fn details(lang: Lang) -> impl Iterator<Item = Row> {
    Detail::ALL.iter().map(move |detail| Row::of_detail(*detail, lang))
}

/// The rows a name stands for: one for a code or detail, one for each code of a rule, none for what stands for many codes.
///
/// # Errors
///
/// If no code, detail or rule is called so.
pub fn named(name: &str, lang: Lang) -> Result<Vec<Row>, SelectorError> {
    Ok(match name.parse()? {
        Selector::Code(code) => vec![Row::of(code, lang)],
        Selector::Detail(id) => details(lang).filter(|row| row.code == id).collect(),
        Selector::Rule(name) => Code::all().map(|code| Row::of(code, lang)).filter(|row| row.rule == name).collect(),
        Selector::Family(_) | Selector::Derived => Vec::new(),
    })
}

/// Rows as JSON, indented; `rules --format json` and `explain --format json`.
pub fn to_json(rows: &[Row]) -> String {
    // Texts and booleans with string keys: writing them cannot fail.
    let mut json = serde_json::to_string_pretty(rows).unwrap_or_default();
    json.push('\n');
    json
}
