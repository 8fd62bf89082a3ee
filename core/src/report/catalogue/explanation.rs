//! Explanations of codes and rules: meaning, reason, fix.

use alloc::{borrow::ToOwned, collections::BTreeMap, format, string::String, vec, vec::Vec};

use core::fmt;

use super::row::{Row, WITH_DETAILS, to_json};
use crate::{
    model::Kind,
    report::{
        Lang, SelectorError, fill_with,
        i18n::{labels::Phrases, title},
    },
};

/// The subject: a rule, and the requested codes of it.
#[derive(Debug)]
pub struct Explanation {
    pub(super) rows: Vec<Row>,
    /// Any of them: they share the texts of the rule.
    pub(super) row: Row,
    /// The other codes of the rule.
    pub(super) others: Vec<&'static str>,
    /// Details of the code, where it has any.
    pub(super) details: Vec<Row>,
    pub(super) titles: &'static Titles,
    lang: Lang,
}

/// The kind of document that the requirements of a family are about, whose letters are the initials of the kind.
fn kind_of(code: &str) -> Option<Kind> {
    let (family, _) = code.split_once('-')?;
    let initials = |kind: Kind| kind.as_str().split('-').filter_map(|word| word.chars().next()).collect::<String>();
    match family {
        "CAP" => Some(Kind::CapabilityList),
        _ => Kind::documents()
            .filter(|kind| *kind != Kind::CapabilityList)
            .find(|kind| initials(*kind).eq_ignore_ascii_case(family)),
    }
}

/// The name of an argument as `EXPECTED-KIND`, in the manner of usage messages.
fn placeholder(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            text.push('-');
        }
        text.push(letter.to_ascii_uppercase());
    }
    text
}

impl Explanation {
    pub(super) fn new((all, lang): (&[Row], Lang), rows: Vec<Row>, row: Row) -> Explanation {
        let of_rule = all.iter().filter(|other| other.rule == row.rule);
        let (details, codes): (Vec<&Row>, Vec<&Row>) = of_rule.partition(|other| other.detail.is_some());
        let is_asked = |code: &&str| row.detail.is_some() || rows.iter().any(|row| row.code == *code);
        let others = codes.iter().map(|row| row.code).filter(|code| !is_asked(code)).collect();
        let has_details = row.detail.is_none() && row.code == WITH_DETAILS.id();
        let details = if has_details { details.into_iter().cloned().collect() } else { Vec::new() };
        let titles = match lang {
            Lang::En => &ENGLISH,
            Lang::Ja => &JAPANESE,
        };
        Explanation { rows, row, others, details, titles, lang }
    }

    /// The rows of the catalogue.
    pub fn to_json(&self) -> String {
        to_json(&self.rows)
    }

    /// `RL-03 missing-at`, or the rule's name alone if all of it is explained.
    pub(super) fn title(&self) -> String {
        match (self.rows.as_slice(), self.row.detail) {
            ([_], Some(detail)) => format!("{} {detail}", self.row.code),
            ([_], None) => format!("{} {}", self.row.code, self.row.rule),
            _ => self.row.rule.to_owned(),
        }
    }

    /// Level, severity and section of a code in one line.
    pub(super) fn weight(&self, row: &Row) -> String {
        let titles = self.titles;
        let mut parts = vec![Phrases::of(self.lang).severity(row.severity).to_owned()];
        match (row.level, row.derived) {
            (Some(level), Some(true)) => parts.push(format!("{level}{}", titles.derived)),
            (Some(level), _) => parts.push(level.to_owned()),
            (None, _) => parts.push(titles.beyond.to_owned()),
        }
        parts.extend(row.section.map(str::to_owned));
        if row.detail.is_some() {
            parts.push(titles.detail.to_owned());
        }
        parts.join(titles.comma)
    }

    /// A message of the catalogue with readable names in place of its arguments: the kind of document that the code is about, or
    /// a placeholder such as `VALUE`.
    pub(super) fn message(&self, template: &str) -> String {
        fill_with(template, &BTreeMap::new(), self.lang, |name| {
            let kind = match self.rows.as_slice() {
                [row] if name == "kind" => kind_of(row.code),
                _ => None,
            };
            Some(kind.map_or_else(|| placeholder(name), |kind| title(kind, self.lang).to_owned()))
        })
    }

    /// Sections of prose with their titles.
    pub(super) fn prose(&self) -> [(&'static str, &'static str); 3] {
        let Titles { what, why, fix, .. } = self.titles;
        [(what, self.row.what), (why, self.row.why), (fix, self.row.fix)]
    }

    /// Examples with their titles, where there are any.
    pub(super) fn examples(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let Titles { wrong, right, .. } = self.titles;
        [(*wrong, self.row.wrong), (*right, self.row.right)].into_iter().filter(|(_, example)| !example.is_empty())
    }
}

/// Why there is no explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExplanationError {
    /// An unknown name.
    Unknown(SelectorError),
    /// The name of a family or of many codes.
    Many(String),
}

impl fmt::Display for ExplanationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplanationError::Unknown(error) => error.fmt(f),
            ExplanationError::Many(name) => write!(f, "`{name}` stands for many codes"),
        }
    }
}

impl core::error::Error for ExplanationError {}

/// The labels of an explanation.
#[derive(Debug)]
pub(super) struct Titles {
    pub(super) message: &'static str,
    pub(super) what: &'static str,
    pub(super) why: &'static str,
    pub(super) fix: &'static str,
    pub(super) wrong: &'static str,
    pub(super) right: &'static str,
    pub(super) codes: &'static str,
    pub(super) others: &'static str,
    pub(super) detail: &'static str,
    pub(super) details: &'static str,
    pub(super) derived: &'static str,
    pub(super) beyond: &'static str,
    pub(super) comma: &'static str,
}

const ENGLISH: Titles = Titles {
    message: "Message",
    what: "Rule",
    why: "Why it matters",
    fix: "How to fix it",
    wrong: "Wrong",
    right: "Right",
    codes: "Codes",
    others: "The same rule also reports",
    detail: "detail of GEN-01",
    details: "Details",
    derived: " (derived)",
    beyond: "beyond the standard",
    comma: ", ",
};

const JAPANESE: Titles = Titles {
    message: "メッセージ",
    what: "内容",
    why: "影響",
    fix: "修正方法",
    wrong: "誤りの例",
    right: "正しい例",
    codes: "コード",
    others: "同じルールが報告するほかのコード",
    detail: "GEN-01 の細目",
    details: "細目",
    derived: "（標準から導かれる要件）",
    beyond: "標準の要件ではない",
    comma: "、",
};
